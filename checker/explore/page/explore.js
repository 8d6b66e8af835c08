// @ts-check
// The explorer: where one is, and how one gets from there to somewhere else.
import {ask} from './api.js';
import {get} from './dom.js';
import {openFind} from './find.js';
import {showAsk, showOffers} from './offers.js';
import {address, backTo, before, fromAddress} from './place.js';
import {openSearch} from './search.js';
import {showPicture, showState} from './state.js';
import {forget, openTree, showTree, visit} from './tree.js';
import {showWhy} from './why.js';

/** @type {any} */ let about;
/** @type {any} */ let view = {place: '', steps: 0};
let asked = 0; // requests: only what the last one comes to is shown

/** says tells of what went wrong, or of nothing. @param {string} text */
function says(text) { get('status').textContent = text; }

/**
 * turn asks for a view and shows it.
 * @param {string} name
 * @param {any} body
 * @param {boolean} push whether the address gets a new entry in the browser's history
 */
async function turn(name, body, push) {
  const number = ++asked;
  document.body.setAttribute('aria-busy', 'true');
  try {
    const answer = await ask(name, body);
    if (number !== asked) return;
    says('');
    if (answer.ask !== undefined) {
      showAsk(answer, given => {
        get('ask').hidden = true;
        if (given !== null) turn(name, {...body, answers: [...(answer.answers || []), given]}, push);
      });
      return;
    }
    show(answer, push);
  } catch (error) {
    if (number === asked) says(error.message);
  } finally {
    if (number === asked) document.body.removeAttribute('aria-busy');
  }
}

/** @param {any} next @param {boolean} push */
function show(next, push) {
  view = next;
  get('ask').hidden = true;
  get('instant').value = '';
  history[push ? 'pushState' : 'replaceState'](null, '', address(view.place));
  get('place').textContent = view.steps === 1 ? '1 step' : `${view.steps} steps`;
  get('now').textContent = view.now === undefined ? '' : `, at ${view.now}`;
  get('timed').hidden = view.now === undefined;
  get('back').disabled = get('begin').disabled = view.steps === 0;
  get('name').value = `${about.title.replace(/[^A-Za-z0-9]+/g, '-')}-${view.steps}-steps`;
  document.title = `${about.title}, step ${view.steps}`;
  showWhy(view);
  showOffers(view, take);
  showState(view, about);
  showPicture(view, step => goes(backTo(view.place, view.steps, step)));
  visit(view);
  showTree(view.place, goes);
}

/** @param {string} place */
const goes = place => place === view.place ? undefined : turn('at', {place}, true);

/** @param {any} offer */
const take = offer => turn('take', {place: view.place, choice: offer.choice, at: get('instant').value.trim(), answers: []}, true);

const back = () => { if (view.steps > 0) goes(before(view.place)); };

async function save() {
  try {
    const {file} = await ask('save', {place: view.place, name: get('name').value});
    says(`Saved: verify show ${file}`);
    get('saving').open = false;
  } catch (error) {
    says(error.message);
  }
}

async function load(file) {
  get('load').value = '';
  if (file) await turn('load', await file.text(), true);
}

async function share() {
  const text = `${about.command} --at '${view.place}'`;
  try {
    await navigator.clipboard.writeText(text);
    says(`Copied: ${text.length > 300 ? text.slice(0, 300) + ' …' : text}`);
  } catch {
    says(text);
  }
}

const tabs = ['state', 'tree', 'find', 'search'];

/** @param {string} name */
function openTab(name) {
  for (const tab of tabs) {
    get('tab-' + tab).setAttribute('aria-selected', String(tab === name));
    get('tab-' + tab).tabIndex = tab === name ? 0 : -1;
    get(tab).hidden = tab !== name;
  }
}

function tabKeys(e) {
  const i = tabs.indexOf(e.target.id.replace('tab-', '')), step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
  if (i < 0 || !step) return;
  e.preventDefault();
  e.stopPropagation();
  const next = tabs[(i + step + tabs.length) % tabs.length];
  openTab(next);
  get('tab-' + next).focus();
}

/** focus moves to another offer. @param {number} way */
function focus(way) {
  const all = [...get('offers').querySelectorAll('button')].filter(b => b.offsetParent !== null);
  const i = all.indexOf(document.activeElement);
  all[Math.max(0, Math.min(all.length - 1, i < 0 ? 0 : i + way))]?.focus();
}

const keys = {
  j: () => focus(1), k: () => focus(-1), ArrowLeft: back, Backspace: back, Home: () => goes(''),
  s: () => openTab('state'), t: () => openTab('tree'), f: () => { openTab('find'); get('where').focus(); }, e: () => openTab('search'),
};

function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || ['INPUT', 'TEXTAREA', 'SELECT'].includes(e.target.tagName)) return;
  if (e.key === 'Escape') get('ask').hidden = true;
  const digit = get('offers').querySelector(`[data-digit="${CSS.escape(e.key)}"]`);
  const does = digit ? () => digit.click() : keys[e.key];
  if (does) { e.preventDefault(); does(); }
}

async function open() {
  try {
    about = await ask('begin', {});
  } catch (error) {
    says(error.message);
    return;
  }
  get('title').textContent = about.title;
  get('config').textContent = [about.config, about.time].join(' · ');
  get('says').textContent = about.says;
  openTree([about.title, about.config, about.time].join(' '));
  openFind(about, () => view.place, goes);
  openSearch(goes);
  openTab('state');
  get('back').onclick = back;
  get('begin').onclick = () => goes('');
  get('save').onclick = save;
  get('share').onclick = share;
  get('load').onchange = e => load(e.target.files[0]);
  get('forget').onclick = () => { forget(view.place); showTree(view.place, goes); };
  for (const tab of tabs) get('tab-' + tab).onclick = () => openTab(tab);
  get('tabs').addEventListener('keydown', tabKeys);
  addEventListener('keydown', pressed);
  addEventListener('popstate', () => turn('at', {place: fromAddress() ?? about.start}, false));
  await turn('at', {place: fromAddress() ?? about.start}, false);
  if (view.lines === undefined) { // the address is of something else
    const why = get('status').textContent;
    await turn('at', {place: ''}, false);
    says(why);
  }
}

open();
