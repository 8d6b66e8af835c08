// @ts-check
// What the other modules make elements with. Text is only ever put in as text.

/** @param {string} id @returns {any} */
export const get = id => document.getElementById(id);

/**
 * element makes an element with a text or parts.
 * @param {string} name
 * @param {{[attribute: string]: any}} [has]
 * @param {...(Node|string)} parts
 */
export function element(name, has = {}, ...parts) {
  const e = document.createElement(name);
  for (const [key, is] of Object.entries(has)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), is);
    else if (is !== false && is !== undefined) e.setAttribute(key, is === true ? '' : is);
  }
  e.append(...parts);
  return e;
}

/**
 * picture makes an element of an SVG text that the server drew.
 * @param {string} svg
 */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  return document.importNode(parsed.documentElement, true);
}

/** counted writes a number with its groups apart. @param {number} n */
export const counted = n => n.toLocaleString('en').replaceAll(',', ' ');
