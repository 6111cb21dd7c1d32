// The page: a text is read once, and every tab shows what was found in its own way.
import { button, el, notice, say } from './dom.js';
import { ask, look } from './ask.js';
import { EXAMPLES } from './examples.js';
import { save } from './save.js';
import { STANCES, groups, stance } from './records.js';
import * as knowledge from './tab-knowledge.js';
import * as tuples from './tab-tuples.js';
import * as parse from './tab-parse.js';
import * as entities from './tab-entities.js';
import * as graph from './tab-graph.js';
import * as check from './tab-check.js';
import * as scores from './tab-scores.js';

// A tab has a title, says whether it shows the text of the page and whether the filters are for it, and shows the state.
const TABS = { knowledge, tuples, parse, entities, graph, check, scores };
const $ = id => document.getElementById(id);
// Of a longer text, the beginning is read first, so that there is something to look at.
const LONG = 800, BEGINNING = 500, ADDRESS = /^file:\S+$/;
// What has been seen. `analysis` and `checked` are fetched by the tabs that show them.
const state = { text: '', source: '', answer: '', asked: '', extracted: null, analysis: null, checked: null, tab: 'tuples' };
let turn = 0, busy = 0, server = {};

// The same request from a program.
const quoted = text => JSON.stringify(text);
const CODE = {
  python: text => `import tupelo\n\nfor t in tupelo.load().extract(${quoted(text)}):\n    print(t)`,
  curl: text => `curl ${location.origin}/v1/extract -H 'Content-Type: application/json' -d '${JSON.stringify({ text }).replaceAll("'", "'\\''")}'`,
};

const least = () => Number($('confidence').value);
const allowed = () => new Set([...document.querySelectorAll('#stances input:checked')].map(box => box.value));

// The records that the sliders let through; a sentence without tuples keeps a record without a relation.
function shown() {
  const stances = allowed(), from = least();
  return groups(state.extracted?.records || []).map(({ sentence, records }) =>
    ({ sentence, records: records.filter(one => (one.confidence ?? 1) >= from && stances.has(stance(one))) }));
}

async function read(given) {
  const mine = ++turn;
  let text = given;
  notice('');
  // The address of a file of the server's folder stands for its text.
  if (ADDRESS.test(given.trim())) {
    await working(async () => {
      if (!server.files) throw new Error('This server opens no files. Drop the file here, or start the server with --files FOLDER.');
      ({ text } = await look('/v1/file', { address: given.trim() }));
    });
    if (mine !== turn || text === given) return;
    $('text').value = text;
  }
  Object.assign(state, { text, extracted: null, analysis: null, checked: null });
  document.body.classList.toggle('read', !!text.trim());
  // The text of the last link is not that of this page any more.
  if (location.hash) history.replaceState(null, '', location.pathname);
  if (!TABS[state.tab].reads) await choose('tuples');
  await working(async () => {
    // All candidates, so that the slider can show them without asking again.
    const extract = async some => {
      const extracted = await ask('/v1/extract', { text: some, min_confidence: 0 });
      if (mine === turn) state.extracted = extracted;
    };
    const first = state.tab === 'tuples' && beginning(text);
    if (first) {
      await extract(first);
      if (mine === turn && state.tab === 'tuples') await show();
    }
    if (mine === turn) await extract(text);
    if (mine !== turn) return;
    const found = shown();
    say(`${found.length} sentences, ${found.reduce((sum, one) => sum + one.records.length, 0)} tuples`);
    for (const id of ['export', 'export-lines']) $(id).disabled = false;
  });
  if (mine === turn) await show();
}

function beginning(text) {
  const ends = text.length > LONG && !server.still ? [...text.slice(0, BEGINNING).matchAll(/[.!?][)"’”]*\s/g)] : [];
  return ends.length ? text.slice(0, ends.at(-1).index + 1) : '';
}

// What is fetched for a tab, once for a text.
async function analysis() {
  const mine = turn;
  if (!state.analysis && state.text.trim()) {
    const found = await ask('/v1/analyze', { text: state.text, coreference: true });
    if (mine === turn) state.analysis = found;
  }
  return state.analysis;
}

// Does something that may take a while or fail; the page is ready when nothing of this kind is left.
async function working(act) {
  busy++;
  document.documentElement.dataset.ready = 'no';
  try { await act(); } catch (error) { notice(error.message, 'bad'); }
  if (--busy === 0) document.documentElement.dataset.ready = 'yes';
}

async function show() {
  const panel = $('panels').querySelector(`#panel-${state.tab}`);
  $('filters').hidden = !TABS[state.tab].filtered;
  $('input').hidden = !TABS[state.tab].reads;
  document.body.classList.toggle('asks', state.tab === 'knowledge');
  await working(async () => { await TABS[state.tab].show(panel, { state, shown, analysis, working, least, allowed }); });
}

function choose(name, focus = false) {
  state.tab = name;
  for (const tab of $('tabs').children) {
    const on = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', String(on));
    tab.tabIndex = on ? 0 : -1;
    if (on && focus) tab.focus();
  }
  for (const panel of $('panels').children) panel.hidden = panel.id !== `panel-${name}`;
  return show();
}

function makeTabs() {
  const names = Object.keys(TABS);
  for (const name of names) {
    $('tabs').append(button(TABS[name].title, () => choose(name), { id: `tab-${name}`, role: 'tab', 'aria-controls': `panel-${name}` }));
    $('panels').append(el('section', { id: `panel-${name}`, role: 'tabpanel', 'aria-labelledby': `tab-${name}` }));
  }
  $('tabs').addEventListener('keydown', event => {
    const at = names.indexOf(state.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(names.at(to % names.length), true);
  });
}

// A text in the fragment of an address, which a browser never sends.
const packed = value => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const unpacked = text => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))));

async function makeLink() {
  const value = { text: $('text').value, source: state.source, answer: state.answer, asked: state.asked, tab: state.tab };
  history.replaceState(null, '', `#${packed(value)}`);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  notice('The address of this page now holds what you see. It is in the part that a browser never sends.');
}

async function openFiles(files) {
  const texts = await Promise.all([...files].map(file => file.text()));
  const other = texts.findIndex(text => text.includes('\0'));
  if (other >= 0) notice(`${files[other].name} is no text file.`, 'bad');
  if (other >= 0 || !texts.length) return;
  const text = texts.join('\n\n');
  $('text').value = text;
  await read(text);
}

function start() {
  makeTabs();
  for (const [name, meaning] of Object.entries(STANCES)) {
    $('stances').append(el('label', { class: 'check', title: meaning }, el('input', { type: 'checkbox', value: name, checked: true, onchange: show }), name));
  }
  for (const { title, ...example } of EXAMPLES) {
    $('examples').append(button(title, async () => {
      $('text').value = example.text;
      Object.assign(state, { source: example.source || '', answer: example.answer || '' });
      await read(example.text);
      if (example.answer) await choose('check');
    }));
  }
  $('input').addEventListener('submit', event => { event.preventDefault(); read($('text').value); });
  $('text').addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) $('input').requestSubmit(); });
  $('text').addEventListener('paste', () => setTimeout(() => $('input').requestSubmit()));
  $('confidence').addEventListener('input', () => { $('least').textContent = least().toFixed(2); show(); });
  $('file').addEventListener('change', () => openFiles($('file').files));
  $('link').addEventListener('click', makeLink);
  for (const [id, code] of Object.entries(CODE)) $(id).addEventListener('click', async () => {
    await navigator.clipboard?.writeText(code($('text').value)).catch(() => {});
    document.querySelector('.code').open = false;
    notice(code($('text').value.slice(0, 300)));
  });
  $('export').addEventListener('click', () => {
    const { text, extracted, analysis: analysed, source, answer, checked } = state;
    save('tupelo.json', JSON.stringify({ text, extracted, analysis: analysed, source, answer, checked }, null, 2), 'application/json');
  });
  $('export-lines').addEventListener('click', () => {
    save('tuples.jsonl', shown().flatMap(one => one.records).map(one => JSON.stringify(one) + '\n').join(''), 'application/x-ndjson');
  });
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dropping'); });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const dropped = event.dataTransfer.getData('text');
    const { files } = event.dataTransfer, { drop } = TABS[state.tab];
    if (files.length) (drop || openFiles)(files);
    else if (dropped) { $('text').value = dropped; read(dropped); }
  });
}

async function open() {
  server = await look('/health', {}).catch(() => ({}));
  if (!server.graph) delete TABS.knowledge;
  start();
  if (server.still) return openStill(server);
  let held = null;
  try { held = location.hash.length > 1 ? unpacked(location.hash.slice(1)) : null; } catch { notice('The text in this address cannot be read.', 'bad'); }
  const words = key => typeof held?.[key] === 'string' ? held[key] : '';
  const tab = Object.hasOwn(TABS, words('tab')) ? words('tab') : Object.keys(TABS)[0];
  Object.assign(state, { source: words('source'), answer: words('answer'), asked: words('asked'), tab });
  $('text').value = words('text');
  if (words('text')) await read(words('text'));
  await choose(tab);
}

// A page of one text that was read when the page was written.
async function openStill({ text, source, answer, links }) {
  for (const one of document.querySelectorAll('#input > .row > *, #link, .code, #tab-scores, #panel-scores')) one.remove();
  delete TABS.scores;
  Object.assign($('text'), { value: text, readOnly: true });
  document.querySelector('#top nav').replaceChildren(...links.map(([name, href]) => el('a', { href }, name)));
  Object.assign(state, { source, answer });
  await choose('tuples');
  await read(text);
}

open();
