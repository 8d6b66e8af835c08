// What is shown of the run, and what the reader asks for.

const get = id => document.getElementById(id);
const picture = get('picture');
const strips = [...picture.querySelectorAll('.strip')].map((div, k) => ({
  div, k, filled: !run.strips[k].picture, near: false, stale: true,
  drawing: {tall: parseInt(div.style.height), packed: run.strips[k].picture}, other: run.strips[k].other,
}));
const veryLong = strips.length > 200; // then it is not put into the document as a whole, to be searched and printed
let now = 0, marked = 0, node = -1, past = null; // marked is the step that was now when strips were painted last

function element(name, text, className) {
  const e = document.createElement(name);
  e.textContent = text;
  if (className) e.className = className;
  return e;
}

// filled makes sure that a strip is in the document, if it is still wanted there.
async function filled(s) {
  if (!s.filled) {
    const {drawing} = s, svg = drawing.svg ?? await inflated(drawing.packed);
    if (s.filled || s.drawing !== drawing || (veryLong && !s.near && s.k !== stripOf(now))) return;
    s.div.innerHTML = svg; // draw escaped all text in it
    s.filled = s.stale = true;
  }
  paint(s);
}

// paint marks in a strip the step that is shown, and what is not of the past or the node that are asked for.
function paint(s) {
  if (!s.stale || !s.filled) return;
  s.stale = false;
  const away = i => i !== now && ((past && !past.has(i)) || (node >= 0 && run.lanes[i] !== node));
  for (const e of s.div.querySelectorAll('[data-step]')) {
    const i = +e.dataset.step;
    e.classList.toggle('away', away(i));
    e.classList.toggle('now', i === now);
    if (i === now && e.localName === 'g') e.setAttribute('aria-current', 'step'); else e.removeAttribute('aria-current');
  }
  for (const e of s.div.querySelectorAll('.message')) {
    const sent = +e.dataset.sent, end = +(e.dataset.end ?? last + 1); // one in flight at the end has none
    e.classList.toggle('now', sent === now || end === now);
    e.classList.toggle('later', sent > now);
    e.classList.toggle('away', !!(past && !(past.has(end) && past.has(sent))) || (node >= 0 && run.lanes[end] !== node && run.lanes[sent] !== node));
  }
  giveWay(s);
}

// boxOf is about what the label of a message takes, by its place and its letters, so that nothing need be laid out.
function boxOf(label) {
  const x = +label.getAttribute('x'), y = +label.getAttribute('y'), half = 3.3 * label.textContent.length;
  return {left: x - half, right: x + half, top: y - 11, bottom: y + 3};
}

// giveWay hides the labels of other messages that are where those of the step that is shown show.
function giveWay(s) {
  const shown = [...s.div.querySelectorAll('.now .spare, .now .flown')].map(boxOf);
  for (const e of s.div.querySelectorAll('.words:not(.now) .label')) {
    const is = shown.length && boxOf(e);
    e.classList.toggle('under', shown.some(o => o.left < is.right && is.left < o.right && o.top < is.bottom && is.top < o.bottom));
  }
}

// Strips are filled and painted as they come near; of a very long run those far away are emptied again.
const watcher = new IntersectionObserver(seen => {
  for (const {target, isIntersecting} of seen) {
    const s = strips[+target.dataset.strip];
    s.near = isIntersecting;
    if (s.near) filled(s);
    else if (veryLong && s.drawing.packed) { s.div.replaceChildren(); s.filled = false; }
  }
}, {root: picture, rootMargin: '1500px'});

// fillAll fills the strips of a run that is not very long one by one, while there is nothing else to do.
function fillAll(k = 0) {
  while (k < strips.length && strips[k].filled) k++;
  if (k < strips.length) requestIdleCallback(() => filled(strips[k]).then(() => fillAll(k + 1)));
}

// rescale shows a timed run by the other rule for heights.
function rescale() {
  for (const s of strips) {
    if (!s.drawing.packed && s.filled) s.drawing.svg = s.div.innerHTML;
    [s.drawing, s.other] = [s.other, s.drawing];
    s.div.style.height = s.drawing.tall + 'px';
    s.div.replaceChildren();
    s.filled = false;
    if (s.near) filled(s);
  }
  if (!veryLong) fillAll();
  reveal(now);
}

// reveal scrolls until a step is well in view, and on a narrow screen the lane where it happens.
async function reveal(step) {
  const s = strips[stripOf(step)];
  await filled(s);
  if (step !== now) return;
  const row = s.div.querySelector(`g[data-step="${step}"] .row`);
  const y = s.div.offsetTop + +row.getAttribute('y'), tall = picture.clientHeight;
  if (y < picture.scrollTop + .2 * tall || y > picture.scrollTop + .8 * tall) picture.scrollTo({top: y - tall / 2});
  const dot = s.div.querySelector(`circle[data-step="${step}"]`), wide = picture.clientWidth;
  if (!dot) return;
  const x = +dot.getAttribute('cx');
  if (x < picture.scrollLeft + .1 * wide || x > picture.scrollLeft + .9 * wide) picture.scrollTo({left: x - wide / 2});
}

// repaint paints the strips that are near, and those that have the step that is shown or was; others when they come near.
function repaint() {
  for (const s of strips) s.stale = true;
  for (const s of strips) if (s.near || s.k === stripOf(now) || s.k === stripOf(marked)) paint(s);
  marked = now;
}

// standing says how a claim stands after the step that is shown.
function standing(c) {
  if (c.step >= 0 && c.step <= now) return ['broken', `, ${c.inevitable || 'since step ' + c.step}: ${c.text}`];
  const turns = (c.turns || []).filter(step => step <= now), is = turns.length % 2 === 1;
  const untested = c.goal ? turns.length === 1 && turns[0] === 0 : !is; // a goal of which nothing has asked anything
  if (untested) return ['untested', ': not put to the test yet'];
  if (!c.goal) return ['kept', ''];
  return is ? ['reached', `: reached at step ${turns.at(-1)}`] : ['open', ': not reached yet'];
}

function showClaims() {
  get('claims').replaceChildren(...(run.claims || []).map(c => {
    const [is, says] = standing(c);
    return element('li', c.name + says, is);
  }));
}

function showBefore() {
  const steps = (run.before[now] || []).map(i => Object.assign(element('a', `step ${i}`), {href: '#step=' + i}));
  get('before').replaceChildren(...steps.flatMap((a, i) => [i === 0 ? 'right after ' : ' and ', a]));
}

function rowsOf(name, state) {
  const fields = state.down ? [{name: '', is: 'down', changed: state.changed}] : state.fields.length ? state.fields : [{name: '', is: 'nothing set'}];
  return fields.map((f, i) => {
    const tr = document.createElement('tr');
    if (f.changed) tr.className = 'changed';
    tr.append(element('td', i === 0 ? name : ''), element('td', f.name), element('td', f.is));
    return tr;
  });
}

// showStep fills the panel, once the step's words are there.
async function showStep() {
  const at = now, strip = await happened(stripOf(at));
  if (at !== now) return;
  const [what, ...details] = said(strip.steps[at % each]);
  get('what').textContent = what;
  get('details').replaceChildren(...details.map(d => element('li', d)));
  get('states').tBodies[0].replaceChildren(...statesAt(strip, at).flatMap((state, n) => node >= 0 && node !== n ? [] : rowsOf(run.nodes[n], state)));
  document.body.dataset.shown = at;
}

function go(step, scroll) {
  now = Math.max(0, Math.min(last, step));
  if (past) past = pastOf(now);
  repaint();
  get('place').textContent = `${now} of ${last}` + (run.loop && now >= run.loop ? ' ↻' : '');
  get('slider').value = now;
  get('back').disabled = get('first').disabled = now === 0;
  get('last').disabled = now === last;
  get('next').disabled = now === last && !run.loop;
  get('next').textContent = now === last && run.loop ? '↻ round' : '▼ next';
  get('link').href = '#step=' + now;
  showClaims();
  showBefore();
  showStep();
  if (location.hash !== '#step=' + now) history.replaceState(null, '', '#step=' + now);
  if (scroll) reveal(now);
}

function light(on) {
  past = on ? pastOf(now) : null;
  get('past').checked = on;
  repaint();
}

function show(n) {
  node = n;
  get('node').value = String(n);
  go(now, false);
}

async function find() {
  const text = get('wanted').value;
  if (!text) return;
  get('found').textContent = '…';
  const step = await findFrom(now, text);
  get('found').textContent = step === null ? 'no step says so' : '';
  if (step !== null) go(step, true);
}

function fromHash() {
  const m = /^#step=(\d{1,7})$/.exec(location.hash);
  return m ? +m[1] : null;
}

// clicked goes to what was clicked in the picture.
function clicked(target) {
  const to = target.closest('.message, .step, .name');
  if (!to) return;
  const {step, sent, end, lane} = to.dataset;
  if (lane !== undefined) show(node === +lane ? -1 : +lane);
  else go(step !== undefined ? +step : +(end === undefined || now === +end ? sent : end), step === undefined);
}

// next goes on, and behind the last step of a lasso round again.
const next = () => go(now === last && run.loop ? run.loop : another(now, 1, node), true);

const keys = {
  ArrowDown: next,
  ArrowUp: () => go(another(now, -1, node), true),
  Home: () => go(0, true),
  End: () => go(last, true),
  c: () => light(!past),
  n: () => show(node + 1 < run.nodes.length ? node + 1 : -1),
  '/': () => get('wanted').focus(),
};
keys.j = keys.ArrowDown;
keys.k = keys.ArrowUp;

run.nodes.forEach((name, n) => get('node').append(Object.assign(element('option', name), {value: String(n)})));
get('slider').max = last;
get('slider').oninput = e => go(+e.target.value, true);
get('first').onclick = keys.Home;
get('last').onclick = keys.End;
get('back').onclick = keys.k;
get('next').onclick = keys.j;
if (get('scale')) {
  get('scale').onchange = rescale;
  keys.t = () => get('scale').click();
}
if (get('flights')) {
  get('flights').onchange = e => picture.classList.toggle('flights', e.target.checked);
  keys.f = () => get('flights').click();
}
get('past').onchange = e => light(e.target.checked);
get('node').onchange = e => show(+e.target.value);
get('find').onsubmit = e => { e.preventDefault(); find(); };
picture.addEventListener('click', e => clicked(e.target));
addEventListener('hashchange', () => { const s = fromHash(); if (s !== null && s !== now) go(s, true); });
addEventListener('click', e => { // on a phone the picture may be below the links of why the claim broke
  if (e.target.closest('a[href^="#step="]')) picture.scrollIntoView({block: 'nearest'});
});
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches?.('select, input[type=search]')) return;
  if (Object.hasOwn(keys, e.key)) { e.preventDefault(); keys[e.key](); }
});
strips.forEach(s => { s.div.dataset.strip = s.k; watcher.observe(s.div); });
if (!veryLong) fillAll();
const broken = (run.claims || []).filter(c => c.step >= 0).map(c => c.step);
const asked = fromHash();
go(asked !== null ? asked : broken.length ? Math.min(...broken) : 0, asked !== null || broken.length > 0);
