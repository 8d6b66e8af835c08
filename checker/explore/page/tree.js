// @ts-check
// The tree of where one has been, kept in the tab of the browser.
import {element, get} from './dom.js';
import {before} from './place.js';

const most = 400;       // places that are kept
const farthest = 2000;  // steps back that a place is looked for on the way

/** @type {Map<string, {steps: number, says: string, broken: boolean}>} */
let been = new Map();
let kept = '';

/** openTree takes up what was kept of a configuration. @param {string} of */
export function openTree(of) {
  kept = 'contend-explore ' + of;
  try { been = new Map(JSON.parse(sessionStorage.getItem(kept) || '[]')); } catch { been = new Map(); }
}

function keep() {
  try { sessionStorage.setItem(kept, JSON.stringify([...been])); } catch { /* there is no room: it is gone with the page */ }
}

/** forget leaves one place. @param {string} place */
export function forget(place) {
  const only = been.get(place);
  been = new Map(only ? [[place, only]] : []);
  keep();
}

/** visit notes a place. @param {any} view */
export function visit(view) {
  const last = view.lines[view.lines.length - 1];
  been.set(view.place, {steps: view.steps, says: view.steps ? `${last.who}: ${last.what}` : 'start', broken: view.claims.some(c => c.is === 'broken')});
  if (been.size > most) been.delete(/** @type {string} */ (been.keys().next().value));
  keep();
}

/** above is the last place on the way to one where one has been; null where there is none. */
function above(place) {
  for (let i = 0; place !== '' && i < farthest; i++) {
    place = before(place);
    if (been.has(place)) return place;
  }
  return null;
}

/**
 * showTree draws the tree: a way without branches is one list, and each branch a list within it.
 * @param {string} here
 * @param {(place: string) => void} goes
 */
export function showTree(here, goes) {
  const below = new Map([[null, []]]);
  for (const place of been.keys()) below.set(place, []);
  for (const place of been.keys()) below.get(above(place)).push(place);
  get('been').replaceChildren(branches(below, below.get(null), here, goes));
  get('been').querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
}

function branches(below, places, here, goes) {
  const list = element('ul');
  for (let place of places) {
    const way = element('li');
    for (;;) {
      way.append(entry(place, here, goes));
      const next = below.get(place);
      if (next.length !== 1) {
        if (next.length) way.append(branches(below, next, here, goes));
        break;
      }
      place = next[0];
    }
    list.append(way);
  }
  return list;
}

function entry(place, here, goes) {
  const is = been.get(place);
  return element('div', {}, element('button', {type: 'button', class: is.broken ? 'broken' : false, 'aria-current': place === here ? 'location' : false, onclick: () => goes(place)},
    `${is.steps}  ${is.says}${is.broken ? ' ✗' : ''}`));
}
