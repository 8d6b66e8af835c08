// @ts-check
// A place is the text of the choices that lead to it, with dots between them; the beginning is ''.


/** @param {string} place the one before it */
export const before = place => place.slice(0, Math.max(place.lastIndexOf('.'), 0));

/** @param {string} place @param {number} steps how many it has @param {number} to how many are to stay */
export function backTo(place, steps, to) {
  if (to <= 0) return '';
  for (; steps > to; steps--) place = before(place);
  return place;
}

const key = '#at=';

/** fromAddress is the place in the address of the page; null where there is none. */
export function fromAddress() {
  if (!location.hash.startsWith(key)) return null;
  const text = location.hash.slice(key.length);
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is no place, and the server will say so
  }
}

/** @param {string} place */
export const address = place => key + place;
