// @ts-check
// What is said of a place: its last step, the claims, the states of the nodes.
import {element, get, picture} from './dom.js';

/**
 * @param {any} view
 * @param {any} about
 */
export function showState(view, about) {
  const last = view.lines[view.lines.length - 1];
  get('what').textContent = (last.time ? `at ${last.time}, ` : '') + `${last.who}: ${last.what}`;
  get('details').replaceChildren(...last.details.map(d => element('li', {}, d)));
  showClaims(view.claims);
  const rows = [];
  for (const s of view.standings) rows.push(...standing(s));
  get('states').tBodies[0].replaceChildren(...rows);
  const also = [];
  if (view.waiting.length) also.push(element('h2', {}, 'Pending, but not possible yet'), element('ul', {}, ...view.waiting.map(w => element('li', {}, w))));
  if (view.budget) also.push(element('h2', {}, 'Faults that may still happen'), element('p', {}, view.budget));
  get('waiting').replaceChildren(...also);
}

const goals = {reached: ': reached here', open: ': not reached here'};

function showClaims(claims) {
  const told = claims.filter(c => c.is !== 'apart'), apart = claims.filter(c => c.is === 'apart');
  get('claims').replaceChildren(...told.map(c => element('li', {class: c.is, title: c.kind},
    c.is === 'broken' ? `${c.name}, in step ${c.step}: ${c.text}` : c.name,
    ...(c.is in goals ? [element('span', {class: 'soft'}, goals[c.is])] : []))));
  const more = get('apart');
  more.hidden = !apart.length;
  more.querySelector('summary').textContent = apart.length === 1 ? '1 claim that is not decided here' : `${apart.length} claims that are not decided here`;
  more.querySelector('ul').replaceChildren(...apart.map(c => element('li', {}, `${c.name}: ${c.text}`)));
}

/** standing makes the rows of a node. */
function standing(s) {
  const facts = s.is ? [{name: '', is: s.is}] : s.fields.slice();
  for (const a of s.also) facts.push({name: '', is: a});
  if (!facts.length) facts.push({name: '', is: 'nothing set'});
  return facts.map((f, i) => element('tr', {class: f.changed ? 'changed' : false},
    element('td', {}, i === 0 ? s.who : ''), element('td', {}, f.name),
    element('td', {}, ...(f.changed && f.was ? [element('span', {class: 'was'}, f.was), ' '] : []), f.is)));
}

const margin = 60; // pixels

/**
 * showPicture draws the run so far; a click on a row goes to its step.
 * @param {any} view
 * @param {(step: number) => void} goes
 */
export function showPicture(view, goes) {
  const [names, steps, legend] = view.picture.map(picture);
  const earlier = element('p', {class: 'earlier soft'}, view.first > 0 ? `The diagram begins at step ${view.first}; go back to see earlier steps.` : '');
  const head = element('div', {class: 'names'}, names);
  const box = get('picture');
  box.replaceChildren(head, ...(view.first > 0 ? [earlier] : []), steps, legend);
  for (const row of steps.querySelectorAll('g.step')) {
    const step = Number(row.dataset.step);
    if (step === view.steps) row.classList.add('now');
    row.addEventListener('click', () => goes(step));
  }
  box.scrollTop = box.scrollHeight;
  const dot = steps.querySelector(`circle[data-step="${view.steps}"]`);
  if (!dot) return;
  const at = dot.getBoundingClientRect().left - box.getBoundingClientRect().left; // it may be out of sight
  if (at < margin || at > box.clientWidth - margin) box.scrollLeft += at - box.clientWidth / 2;
}
