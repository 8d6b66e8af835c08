// What is known of the run. Nothing here knows of the document, but for where the run is.

const run = JSON.parse(document.getElementById('run').textContent);
const last = run.lanes.length - 1;
const each = run.strips[0].to; // steps of a strip

// inflated is a packed text.
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}

const stripOf = step => Math.floor(step / each);

// happened are the steps of a strip, with the states before them. Of packed ones the last few are kept.
const kept = new Map();
async function happened(strip) {
  const {steps} = run.strips[strip];
  if (typeof steps !== 'string') return steps;
  if (!kept.has(strip)) kept.set(strip, inflated(steps).then(JSON.parse));
  if (kept.size > 40) kept.delete(kept.keys().next().value);
  return kept.get(strip);
}

const fieldsOf = state => new Map((state.fields || []).map(f => [f.name, f.is]));

// changes are the fields of a state, with which of them are not as they were before.
function changes(state, before) {
  const is = fieldsOf(state), was = fieldsOf(before);
  const fields = [...is].map(([name, is]) => ({name, is, changed: was.get(name) !== is}));
  for (const name of was.keys()) if (!is.has(name)) fields.push({name, is: 'nothing', changed: true});
  return fields;
}

// statesAt is the state of each node after a step of a strip, with what the step changed.
function statesAt(strip, step) {
  const from = run.strips[stripOf(step)].from;
  const now = [...strip.before];
  let before = null;
  for (let i = from; i <= step; i++) {
    const {after} = strip.steps[i - from];
    before = after ? now[run.lanes[i]] : null;
    if (after) now[run.lanes[i]] = after;
  }
  return now.map((state, n) => {
    const here = before && n === run.lanes[step];
    return {down: !!state.down, changed: !!here, fields: changes(state, here ? before : state)};
  });
}

// pastOf is the set of the steps from which a step can be reached.
function pastOf(step) {
  const seen = new Set([step]), left = [step];
  while (left.length) for (const b of run.before[left.pop()] || []) if (!seen.has(b)) { seen.add(b); left.push(b); }
  return seen;
}

const said = s => [(s.time ? `at ${s.time}, ` : '') + `${s.who}: ${s.what}`, ...(s.details || [])];

// findFrom is the next step after one of whose words a text is a part; null where there is none.
async function findFrom(step, text) {
  const wanted = text.toLowerCase();
  for (let k = 1; k <= last + 1; k++) {
    const i = (step + k) % (last + 1), strip = await happened(stripOf(i));
    if (said(strip.steps[i % each]).join(' ').toLowerCase().includes(wanted)) return i;
  }
  return null;
}

// another is the next step in a direction, of a node where that is not negative.
function another(step, way, node) {
  let i = step + way;
  while (node >= 0 && i > 0 && i < last && run.lanes[i] !== node) i += way;
  return i;
}
