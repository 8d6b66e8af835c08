// @ts-check
// The nearest state of which a condition holds.
import {follow} from './api.js';
import {counted, element, get} from './dom.js';

/**
 * @param {any} about
 * @param {() => string} here
 * @param {(place: string) => void} goes
 */
export function openFind(about, here, goes) {
  const where = get('where'), fields = get('fields');
  fields.append(...about.fields.map(f => element('option', {value: f.example}, f.name)));
  fields.onchange = () => {
    where.setRangeText((where.value && !/[\s(!]$/.test(where.value) ? ' && ' : '') + fields.value, where.selectionStart, where.selectionEnd, 'end');
    fields.value = '';
    where.focus();
  };
  const seek = from => find(where.value, from, here, goes);
  get('near').onclick = () => seek('here');
  get('far').onclick = () => seek('start');
  where.addEventListener('keydown', e => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); seek('here'); } });
}

async function find(where, from, here, goes) {
  const stop = new AbortController(), found = get('found');
  const busy = is => { get('near').disabled = get('far').disabled = is; get('stopfind').disabled = !is; };
  get('stopfind').onclick = () => stop.abort();
  busy(true);
  found.className = '';
  found.textContent = 'searching …';
  try {
    await follow('nearest', {place: here(), where, from}, stop.signal, (event, data) => {
      if (event === 'progress') {
        found.textContent = `searching: ${counted(data.states)} states, up to ${data.steps} steps away …`;
        return;
      }
      if (data.error) throw new Error(data.error);
      found.textContent = data.text;
      found.className = data.found ? 'good' : '';
      if (data.found && data.place !== here()) goes(data.place);
    });
  } catch (error) {
    found.className = 'broken';
    found.textContent = stop.signal.aborted ? 'stopped' : error.message;
  }
  busy(false);
}
