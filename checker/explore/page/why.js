// @ts-check
// Why the first claim that is broken is: which step made it inevitable, and the sentences of verify show.
import {ask} from './api.js';
import {element, get} from './dom.js';
import {address, backTo} from './place.js';

/** @type {Map<string, any>} reasons by the place of the step that broke the claim */
const known = new Map();
let shown = ''; // the place whose reason is shown

/**
 * showWhy explains the first claim that is broken at a place, or hides what was explained.
 * @param {any} view
 */
export async function showWhy(view) {
  const broken = view.claims.filter(c => c.is === 'broken').sort((a, b) => a.step - b.step)[0];
  get('why').hidden = !broken;
  if (!broken) return;
  const place = shown = backTo(view.place, view.steps, broken.step);
  get('broke').textContent = `✗ ${broken.name} is violated in step ${broken.step}: ${broken.text}`;
  if (!known.has(place)) {
    get('turning').textContent = 'Looking for the step that made it inevitable …';
    get('because').replaceChildren();
    try {
      known.set(place, await ask('why', {place}));
    } catch (error) {
      known.set(place, {turning: error.message, because: []});
    }
  }
  if (shown === place) explain(known.get(place), view);
}

function explain(reason, view) {
  const parts = linked(reason.turning, view);
  if (reason.avoids) parts.push(' ', element('a', {href: address(reason.other)}, 'Show such a run.'));
  get('turning').replaceChildren(...parts);
  get('because').replaceChildren(...reason.because.map(says => element('li', {}, ...linked(says, view))));
}

/** linked makes links of the steps that a sentence names. @returns {(Node|string)[]} */
function linked(text, view) {
  return text.split(/(\bstep \d+\b)/i).map((part, i) => {
    const step = Number(part.replace(/\D/g, ''));
    return i % 2 && step <= view.steps ? element('a', {href: address(backTo(view.place, view.steps, step))}, part) : part;
  });
}
