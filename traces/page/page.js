'use strict';
const run = JSON.parse(document.getElementById('run').textContent);
const get = id => document.getElementById(id);
const picture = get('picture');
const rows = [...picture.querySelectorAll('g.step')];
const dots = new Map([...picture.querySelectorAll('circle[data-step]')].map(d => [+d.dataset.step, d]));
const messages = [...picture.querySelectorAll('g.message')].map(g => ({g, sent: +g.dataset.sent, end: +g.dataset.end}));
const last = run.steps.length - 1;
let now = 0, node = -1, past = false;

// statesAt is the state of each node after a step, and which fields the step changed.
function statesAt(step) {
  return run.nodes.map((_, n) => {
    let is = run.first[n], before = is, down = false, at = 0;
    for (let i = 1; i <= step; i++) {
      const s = run.steps[i];
      if (s.lane !== n || (s.state === null && !s.down)) continue;
      before = is; at = i; down = !!s.down;
      if (s.state !== null) is = s.state;
    }
    const old = new Map((before || []).map(f => [f.name, f.is]));
    const changed = at === step && step > 0;
    const fields = (is || []).map(f => ({...f, changed: changed && old.get(f.name) !== f.is}));
    if (changed) for (const [name] of old) if (!fields.some(f => f.name === name)) fields.push({name, is: 'nothing', changed: true});
    return {down, fields};
  });
}

// pastOf is the set of the steps from which a step can be reached.
function pastOf(step) {
  const seen = new Set([step]), left = [step];
  while (left.length) for (const b of run.before[left.pop()] || []) if (!seen.has(b)) { seen.add(b); left.push(b); }
  return seen;
}

function element(name, text, className) {
  const e = document.createElement(name);
  e.textContent = text;
  if (className) e.className = className;
  return e;
}

function drawPicture() {
  const lit = past ? pastOf(now) : null;
  const away = i => (lit && !lit.has(i)) || (node >= 0 && run.steps[i].lane !== node);
  rows.forEach((g, i) => {
    g.classList.toggle('now', i === now);
    g.classList.toggle('away', i !== now && away(i));
    if (i === now) g.setAttribute('aria-current', 'step'); else g.removeAttribute('aria-current');
    const dot = dots.get(i);
    if (dot) { dot.classList.toggle('away', i !== now && away(i)); }
  });
  for (const m of messages) {
    m.g.classList.toggle('now', m.sent === now || m.end === now);
    m.g.classList.toggle('later', m.sent > now);
    m.g.classList.toggle('away', !!(lit && !(lit.has(m.end) && lit.has(m.sent))) || (node >= 0 && run.steps[m.end].lane !== node && run.steps[m.sent].lane !== node));
  }
}

function drawPanel() {
  const s = run.steps[now];
  get('place').textContent = `${now} of ${last}`;
  get('what').textContent = (s.time ? `at ${s.time}, ` : '') + `${s.who}: ${s.what}`;
  get('details').replaceChildren(...(s.details || []).map(d => element('li', d)));
  get('claims').replaceChildren(...(run.claims || []).map(c => {
    const broken = c.step >= 0 && c.step <= now;
    return element('li', broken ? `${c.name}, since step ${c.step}: ${c.text}` : c.name, broken ? 'broken' : 'kept');
  }));
  const body = get('states').tBodies[0];
  body.replaceChildren();
  statesAt(now).forEach((state, n) => {
    if (node >= 0 && node !== n) return;
    const fields = state.down ? [{name: '', is: 'down', changed: run.steps[now].lane === n}] : state.fields.length ? state.fields : [{name: '', is: 'nothing set'}];
    fields.forEach((f, i) => {
      const tr = document.createElement('tr');
      if (f.changed) tr.className = 'changed';
      tr.append(element('td', i === 0 ? run.nodes[n] : ''), element('td', f.name), element('td', f.is));
      body.append(tr);
    });
  });
  get('back').disabled = get('first').disabled = now === 0;
  get('next').disabled = get('last').disabled = now === last;
  get('link').href = '#step=' + now;
}

function go(step, scroll) {
  now = Math.max(0, Math.min(last, step));
  drawPicture();
  drawPanel();
  if (location.hash !== '#step=' + now) history.replaceState(null, '', '#step=' + now);
  if (scroll) rows[now].querySelector('.row').scrollIntoView({block: 'center', inline: 'nearest'});
}

// another is the next step in a direction, of the node whose history is shown.
function another(way) {
  let i = now + way;
  while (node >= 0 && i > 0 && i < last && run.steps[i].lane !== node) i += way;
  return i;
}

function show(n) {
  node = n;
  get('node').value = String(n);
  go(now, false);
}

function fromHash() {
  const m = /^#step=(\d{1,7})$/.exec(location.hash);
  return m ? +m[1] : null;
}

run.nodes.forEach((name, n) => get('node').append(Object.assign(element('option', name), {value: String(n)})));
get('first').onclick = () => go(0, true);
get('last').onclick = () => go(last, true);
get('back').onclick = () => go(another(-1), true);
get('next').onclick = () => go(another(1), true);
get('past').onchange = e => { past = e.target.checked; go(now, false); };
get('node').onchange = e => show(+e.target.value);
rows.forEach((g, i) => g.addEventListener('click', () => go(i, false)));
picture.querySelectorAll('text.name').forEach(t => {
  t.style.cursor = 'pointer';
  t.addEventListener('click', () => show(node === +t.dataset.lane ? -1 : +t.dataset.lane));
});
addEventListener('hashchange', () => { const s = fromHash(); if (s !== null && s !== now) go(s, true); });
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === 'SELECT') return;
  const keys = {
    ArrowDown: () => go(another(1), true), j: () => go(another(1), true),
    ArrowUp: () => go(another(-1), true), k: () => go(another(-1), true),
    Home: () => go(0, true), End: () => go(last, true),
    c: () => { past = !past; get('past').checked = past; go(now, false); },
    n: () => show(node + 1 < run.nodes.length ? node + 1 : -1),
  };
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
});
const broken = (run.claims || []).filter(c => c.step >= 0).map(c => c.step);
const asked = fromHash();
go(asked !== null ? asked : broken.length ? Math.min(...broken) : 0, asked !== null || broken.length > 0);
