// @ts-check
// An exhaustive search of the same configuration, as it goes.
import {follow} from './api.js';
import {counted, element, get, picture} from './dom.js';

/** @param {(place: string) => void} goes */
export function openSearch(goes) {
  get('go').onclick = () => search(Number(get('seconds').value), goes);
}

async function search(seconds, goes) {
  const stop = new AbortController();
  const busy = is => { get('go').disabled = is; get('stop').disabled = !is; };
  get('stop').onclick = () => stop.abort();
  busy(true);
  get('verdicts').replaceChildren();
  get('far-so').textContent = 'searching …';
  let last = null;
  try {
    await follow('search', {seconds}, stop.signal, (event, data) => {
      if (data.error) throw new Error(data.error);
      if (event === 'progress') {
        last = data;
        get('far-so').textContent = progress(data);
        get('chart').replaceChildren(chart(data.widths, true));
      } else {
        get('chart').replaceChildren();
        get('verdicts').replaceChildren(...data.rows.flatMap(r => row(r, goes)));
        get('far-so').textContent = '';
      }
    });
  } catch (error) {
    get('far-so').textContent = stop.signal.aborted ? 'stopped' + (last ? ': ' + progress(last) : '') : error.message;
  }
  busy(false);
}

function progress(p) {
  const rate = p.seconds > 0 ? `, ${counted(Math.round(p.states / p.seconds))} a second` : '';
  const estimate = p.estimate ? `; about ${counted(p.estimate)} in all` : '';
  return `${p.claims}: ${counted(p.states)} states in ${p.widths.length} layers, ${counted(p.widths.at(-1) || 0)} in the current one; ` +
    `${p.seconds.toFixed(1)} s${rate}; ${Math.round(p.memory / 1048576)} MiB${estimate}`;
}

/**
 * chart draws how many states each layer has.
 * @param {number[]} widths
 * @param {boolean} goesOn
 */
function chart(widths, goesOn) {
  const wide = 340, tall = 140, bottom = tall - 16, most = Math.max(1, ...widths), each = wide / Math.max(widths.length, 12);
  const bars = widths.map((n, i) => {
    const high = n / most * (bottom - 16);
    return `<rect x="${(i * each).toFixed(2)}" y="${(bottom - high).toFixed(2)}" width="${Math.max(each - 1, .5).toFixed(2)}" height="${high.toFixed(2)}"${goesOn && i === widths.length - 1 ? ' class="present"' : ''}><title>layer ${i}: ${counted(n)} states</title></rect>`;
  });
  const peak = widths.indexOf(most);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${tall}" role="img"><title>States in each layer, from the start: ${widths.length} layers, at most ${most}</title>${bars.join('')}` +
    `<text x="0" y="${tall - 3}">0</text><text x="${((widths.length - 1) * each).toFixed(0)}" y="${tall - 3}" text-anchor="middle">${widths.length > 1 ? widths.length - 1 : ''}</text>` +
    `<text x="${Math.min(Math.max(peak * each, 30), wide - 40).toFixed(0)}" y="10" text-anchor="middle">${counted(most)}</text></svg>`;
  return picture(svg);
}

function row(r, goes) {
  const says = r.complete ? 'The search is complete' : r.limit ? `The search is incomplete (limit ${r.limit})` : 'The search ended when all its claims were decided';
  const about = element('p', {}, `${says}: ${counted(r.states)} states in ${r.depth} layers, ${r.seconds.toFixed(1)} s${r.bounds}.`);
  const body = (r.claims || []).map(c => element('tr', {},
    element('td', {}, c.name),
    element('td', {class: c.verdict.startsWith('violated') ? 'broken' : c.verdict.startsWith('holds') ? 'good' : false}, c.verdict,
      ...(c.text ? [element('div', {class: 'soft'}, c.text)] : []),
      ...(c.found ? [element('div', {}, element('button', {type: 'button', onclick: () => goes(c.place)}, 'go there'))] : []))));
  return [element('div', {class: 'layers'}, chart(r.widths, false)), about, element('table', {}, element('tbody', {}, ...body))];
}
