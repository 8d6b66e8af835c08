// @ts-check
// What may happen next: events node by node, then faults and lies.
import {element, get} from './dom.js';

const many = 12; // of which only some are shown, and those that are filtered for

/**
 * showOffers lists offers; taken is told of the one that is chosen.
 * @param {any} view
 * @param {(offer: any) => void} taken
 */
export function showOffers(view, taken) {
  let number = 0;
  const button = offer => {
    const digit = offer.kind === 'event' && !offer.beyond && number < 9 ? String(++number) : '';
    const has = {type: 'button', onclick: () => offer.beyond || taken(offer), 'data-choice': offer.choice, 'data-digit': digit || undefined,
      'aria-disabled': offer.beyond ? 'true' : undefined};
    const parts = [element('span', {class: 'what'}, `${offer.where}: ${offer.what}`, ...(offer.beyond ? [element('span', {class: 'why'}, offer.beyond)] : []))];
    if (!offer.beyond && offer.earliest !== undefined && offer.kind === 'event') {
      parts.push(element('span', {class: 'window', title: 'in ticks'}, `[${offer.earliest}, ${offer.latest || '∞'}]`));
    }
    if (digit) parts.push(element('kbd', {}, digit));
    return element('li', {}, element('button', has, ...parts));
  };
  const list = (offers, kind) => element('ul', {class: kind}, ...offers.map(button));
  const parts = [];
  const events = (view.offers || []).filter(o => o.kind === 'event');
  for (const at of [...new Set(events.map(o => o.at))]) {
    parts.push(element('h3', {}, at || 'no node'), list(events.filter(o => o.at === at), 'event'));
  }
  for (const [kind, title] of [['fault', 'Faults'], ['lie', 'Forged messages']]) {
    const offers = (view.offers || []).filter(o => o.kind === kind);
    if (offers.length) parts.push(folded(title, offers, kind, list));
  }
  if (!parts.length) parts.push(element('p', {}, 'Nothing more can happen.'));
  const box = get('offers'), had = box.contains(document.activeElement);
  box.replaceChildren(...parts);
  if (had) box.querySelector('button')?.focus({preventScroll: true});
}

const unfolded = new Set(['fault']);

/** folded shows many offers behind their number, with a filter. */
function folded(title, offers, kind, list) {
  const shown = element('div', {}, list(offers.slice(0, many), kind));
  const rest = element('p', {class: 'soft'});
  const says = n => { rest.textContent = n > many ? `and ${n - many} more; type to filter` : ''; };
  const filter = element('input', {class: 'filter', placeholder: 'filter', 'aria-label': `filter ${title.toLowerCase()}`, oninput: e => {
    const fit = offers.filter(o => `${o.where}: ${o.what}`.toLowerCase().includes(e.target.value.toLowerCase()));
    shown.replaceChildren(list(fit.slice(0, many), kind));
    says(fit.length);
  }});
  says(offers.length);
  return element('details', {open: unfolded.has(kind), ontoggle: e => { e.target.open ? unfolded.add(kind) : unfolded.delete(kind); }},
    element('summary', {}, `${title} (${offers.length})`), ...(offers.length > many ? [filter] : []), shown, rest);
}

/**
 * showAsk asks for an answer; given is told it, or nothing where there is to be none.
 * @param {any} asks
 * @param {(answer: number|null) => void} given
 */
export function showAsk(asks, given) {
  const words = asks.ask.startsWith('held') ? ['the hold lasts', 'the hold is over'] : null;
  const what = words ? 'whether a hold lasts' : asks.ask === 'draw' ? 'what is drawn' : 'a choice';
  const parts = [element('p', {}, `The step asks for an answer: ${what}, 0 to ${asks.of - 1}.`)];
  if (asks.of <= 40) {
    for (let i = 0; i < asks.of; i++) parts.push(element('button', {type: 'button', onclick: () => given(i)}, words ? words[i] : String(i)));
  } else {
    const input = element('input', {type: 'number', min: 0, max: asks.of - 1, value: 0, 'aria-label': 'answer'});
    parts.push(input, element('button', {type: 'button', onclick: () => given(Number(/** @type {any} */ (input).value))}, 'answer'));
  }
  parts.push(element('button', {type: 'button', onclick: () => given(null)}, 'cancel'));
  get('ask').replaceChildren(...parts);
  get('ask').hidden = false;
  get('ask').querySelector('button').focus();
}
