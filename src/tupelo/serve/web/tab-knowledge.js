// The knowledge graph of the server behind one search box, which understands a name, words, a question or a pattern.
import { button, el, notice, say } from './dom.js';
import { look } from './ask.js';
import { icon, namings, timeline } from './entity.js';
import { LOOKS } from './looks.js';
import { marked, places } from './marks.js';
import { Served } from './source.js';
import { suggesting } from './suggest.js';
import { View } from './view.js';

export const title = 'Knowledge';
export const filtered = true;
const pages = new Served({}, '/graph/'), looks = new Map(LOOKS.map(one => [one.name, one])), symbol = type => icon(looks.get(type) || LOOKS.at(-1));
const AT_ONCE = 50, PICTURED = 26, CONFLICTS = 3, MOST_COMPARED = 500, SENTENCES = 2, PASSAGES = 5, QUESTION = /\?\s*$|^(who|what|when|where|which|why|how|whose)\b/i, PATTERN = /(^|\s)\?\w/, PATH = /^(.+?)\s*(?:→|->| to )\s*(.+)$/;
const counted = (list, one, many = `${one}s`) => `${list.length} ${list.length === 1 ? one : many}`;

export async function show(panel, { state, working, least, allowed }) {
  // Filters changed: the same question again.
  if (panel.again) return panel.again();
  const result = el('div', { 'aria-live': 'off' });
  const filters = () => [['min_confidence', least()], ...[...allowed()].map(name => ['stance', name])];

  // `around` draws what needs its place on the page first.
  let turn = 0, around = null;
  // Asks, shows, and remembers how to ask again. Of several answers, that to the last question is shown.
  const run = (act, ...values) => {
    panel.again = () => working(async () => {
      const mine = ++turn;
      around = null;
      if (act !== overview) notice('');
      const found = await act(...values);
      if (mine !== turn) return;
      result.replaceChildren(...[found].flat(Infinity));
      if (around) around();
      say(result.querySelector('h2')?.textContent || 'Nothing found');
    });
    return panel.again();
  };
  const open = name => button(name, () => run(entity, name), { class: 'name' });

  // What the words of the box are: a pattern, a question, two names with an arrow between them, or a name and words.
  function understood(words) {
    state.asked = words;
    if (PATTERN.test(words)) return run(query, words);
    if (QUESTION.test(words)) return run(ask, words);
    const ends = PATH.exec(words);
    return ends ? run(path, ends[1], ends[2]) : run(search, words);
  }
  async function search(words) {
    const [{ entities }, said] = await Promise.all([
      look('/v1/graph/entities', { name: words }), look('/v1/graph/search', { words }).catch(() => ({ answers: [] }))]);
    const names = [...new Set(entities.map(node => node.name))];
    const marks = text => words.split(/\s+/).flatMap(word => places(word, text, 'found'));
    return [
      el('h2', {}, counted(names, 'entity', 'entities')), el('p', { class: 'row' }, names.map(open)),
      el('h2', {}, counted(said.answers, 'sentence')), el('ul', { class: 'facts' }, said.answers.map(one => el('li', {}, marked(one.sentence, marks(one.sentence)), ' ', el('small', { class: 'soft' }, one.source)))),
      names.length || said.answers.length ? null : el('p', { class: 'empty' }, 'Nothing was found. Fewer words, or a name, find more.'),
    ].filter(Boolean);
  }
  // Who or what it is, what is said of it by relation with its sentences, and beside that its neighbours, times and names.
  async function entity(name) {
    state.asked = name;
    const [found, { nodes }] = await Promise.all([look('/v1/graph/neighbours', [['name', name], ['evidence', SENTENCES], ['limit', AT_ONCE], ...filters()]), pages.get('api/search', { q: name })]);
    const node = nodes.find(one => one.name === name), groups = new Map();
    for (const edge of found.answers) { const key = (edge.subject.name === name ? '' : '… ') + edge.relation.name; groups.set(key, [...groups.get(key) || [], edge]); }
    const several = [...groups].filter(([, edges]) => edges.length > 1).sort((a, b) => b[1].length - a[1].length), single = [...groups].filter(([, edges]) => edges.length === 1).flatMap(([, edges]) => edges);
    const said = [several.map(([relation, edges]) => [el('h3', {}, `${relation} (${edges.length})`), facts(edges, open, name)]), several.length && single.length ? el('h3', {}, 'Other statements') : '', single.length || !several.length ? facts(single, open, name) : ''];
    const head = [el('h2', {}, node ? symbol(node.type) : '', ' ', name), el('p', { class: 'soft' }, [node?.type, node?.description, counted(found.answers, 'statement')].filter(Boolean).join(' · ')),
      el('p', { class: 'row' }, el('a', { class: 'button', href: `/graph/report?entity=${encodeURIComponent(name)}` }, 'Report'), node ? el('a', { class: 'button', href: `/graph/#entity=${encodeURIComponent(node.id)}` }, 'In the graph') : '')];
    if (!node) return [...head, ...remarks(found), said];
    const [known, near] = await Promise.all([pages.details(node.id), pages.neighbours(node.id)]), picture = drawing(`${name} with its neighbours. The statements beside have the same content.`);
    around = () => draw(picture, near.nodes, near.edges, node.id);
    return [...head, ...remarks(found), el('div', { class: 'beside' }, el('div', {}, said), el('div', { class: 'first' }, picture, timeline(known.times), namings(node, known)))];
  }
  async function path(start, goal) {
    const found = await look('/v1/graph/path', [['start', start], ['goal', goal], ['evidence', SENTENCES], ...filters()]);
    const paths = found.answers.map(one => el('article', { class: 'card' }, el('p', { class: 'soft' }, `${counted(one.edges, 'step')}, confidence ${one.confidence.toFixed(2)}`), facts(one.edges, open)));
    return [el('h2', {}, `${counted(paths, 'path')} from ${start} to ${goal}`), ...remarks(found), ...paths];
  }
  async function ask(question) {
    const [found, near] = await Promise.all([look('/v1/graph/ask', { question }), look('/v1/graph/retrieve', { question, top: PASSAGES }).catch(() => ({ answers: [] }))]);
    const said = found.answers.map(one => el('article', { class: 'card' }, el('p', {}, open(one.answer), ' ', el('span', { class: 'soft' }, one.confidence.toFixed(2))),
      one.evidence.map(({ sentence, source, position }) => el('blockquote', {}, marked(sentence, places(one.answer, sentence, 'found')), ' ', el('small', { class: 'soft' }, `${source}, sentence ${position + 1}`)))));
    const passages = near.answers.map(one => el('article', { class: 'card' }, el('p', {}, one.text),
      one.path.map(step => el('p', { class: 'row' }, open(step.subject), el('span', { class: 'rel part' }, step.relation || 'in the same passage'), open(step.object))), el('small', { class: 'soft' }, one.source)));
    return [el('h2', {}, counted(said, 'answer')), ...remarks(found), ...said, passages.length ? el('details', { open: !said.length }, el('summary', {}, counted(passages, 'passage')), passages) : ''];
  }
  async function query(pattern) {
    const found = await look('/v1/graph/query', [['pattern', pattern], ['evidence', SENTENCES], ['limit', AT_ONCE], ...filters()]);
    return [el('h2', {}, counted(found.answers, 'answer')), ...remarks(found), facts(found.answers.flatMap(one => one.edges), open)];
  }
  // Before anything is asked: what is in the graph.
  async function overview() {
    const [{ read, about, span, types, total, main }, first] = await Promise.all([look('/graph/api/frame', {}), pages.start()]), picture = drawing('The main entities of the graph. The list beside has the same names.');
    const figure = (label, value) => el('div', {}, el('dt', {}, label), el('dd', {}, typeof value === 'number' ? value.toLocaleString('en') : value)), conflicts = el('div', {});
    const documents = Object.entries(read), sentences = documents.reduce((sum, [, [all]]) => sum + all, 0), stated = documents.reduce((sum, [, [, some]]) => sum + some, 0);
    const main_ = new Set(first.nodes.slice().sort((a, b) => b.importance - a.importance).slice(0, PICTURED).map(node => node.id));
    around = () => { draw(picture, first.nodes.filter(node => main_.has(node.id)), first.edges.filter(edge => main_.has(edge.s) && main_.has(edge.o))); disputed(conflicts, about.documents); };
    return [el('h2', {}, 'In this graph'),
      el('dl', { class: 'figures' }, figure('documents', about.documents), figure('entities', total.nodes), figure('edges', total.edges), span.length ? figure('time span', span.join(' – ')) : '', sentences ? figure('sentences read', `${Math.round(100 * stated / sentences)} %`) : '', about.conflicts ? figure('denied', about.conflicts) : '', about.failed ? figure('failed', about.failed) : ''),
      el('p', { class: 'row' }, types.map(({ name, count }) => el('span', { class: `chip typed type-${name}` }, `${count.toLocaleString('en')} ${name}`))),
      el('div', { class: 'beside overview' },
        el('div', {}, picture, el('p', { class: 'row' }, el('a', { class: 'button main', href: '/graph/' }, 'Look at the whole graph'), el('a', { class: 'button', href: '/graph/report' }, 'Read a report of all documents'))),
        el('div', {}, el('h3', {}, 'Most spoken of'), el('ul', { class: 'list' }, main.map(node => el('li', {}, button([symbol(node.type), el('span', { class: 'label' }, node.name, el('span', { class: 'soft about' }, node.description || node.type)), el('span', { class: 'soft' }, node.degree)], () => run(entity, node.name), { class: 'line' })))))),
      conflicts,
      el('h3', {}, 'Documents'), el('ul', { class: 'list documents' }, documents.map(([name, [all, some]]) => el('li', {}, el('a', { href: `/graph/#document=${encodeURIComponent(name)}` }, name), el('meter', { min: 0, max: all || 1, value: some, 'aria-label': `${some} of ${all} sentences read` }), el('span', { class: 'soft' }, `${some} of ${all}`))))];
  }
  // What documents say differently, both sides in their own words.
  async function disputed(place, documents) {
    // In a large graph this takes long; its report has them.
    if (documents > MOST_COMPARED) return;
    const { conflicts = [] } = await look('/v1/graph/report', { communities: 1, facts: 1 }).catch(() => ({}));
    if (!conflicts.length) return;
    const side = one => el('blockquote', {}, one.sentence, ' ', el('small', {}, el('a', { href: `/graph/#document=${encodeURIComponent(one.source)}` }, one.source)));
    place.replaceChildren(el('h3', {}, counted(conflicts, 'conflict')), el('div', { class: 'cards' }, conflicts.slice(0, CONFLICTS).map(one => el('article', { class: 'card' }, el('p', {}, open(one.about), ' ', el('span', { class: 'soft' }, one.reason)), side(one.first), side(one.second)))),
      conflicts.length > CONFLICTS ? el('p', {}, el('a', { href: '/graph/report#conflicts' }, `All ${conflicts.length}`)) : '');
  }

  const box = el('input', { id: 'knowledge', type: 'search', placeholder: 'A name, words, a question, a pattern (?who founded ?what) or two names (Ann to Acme)', required: true, autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Search or ask' });
  const names = el('ul', { id: 'named', role: 'listbox', 'aria-label': 'Entities found', hidden: true }), asks = text => PATTERN.test(text) || QUESTION.test(text) || PATH.test(text);
  for (const [name, value] of [['role', 'combobox'], ['aria-expanded', 'false'], ['aria-controls', 'named'], ['aria-autocomplete', 'list']]) box.setAttribute(name, value);
  panel.replaceChildren(el('form', { class: 'card asking', onsubmit: event => { event.preventDefault(); if (box.value.trim()) understood(box.value.trim()); } }, el('div', { class: 'find' }, box, names), el('button', { type: 'submit', class: 'main' }, 'Search')), result);
  suggesting(box, names, { find: async text => text.trim() && !asks(text) ? (await pages.search(text)).slice(0, 8) : [], pick: node => run(entity, node.name), ask: understood, asks, eager: false,
    line: node => [symbol(node.type), el('span', { class: 'label' }, node.name, el('span', { class: 'soft about' }, node.description || node.type))] });
  box.value = state.asked || '';
  return box.value ? understood(box.value) : run(overview);
}

function drawing(label) { return el('div', { class: 'map', tabindex: 0, role: 'img', 'aria-label': label }); }
async function draw(place, nodes, edges, chosen = null) {
  const view = new View(place, LOOKS, { node: id => { location.href = `/graph/#entity=${encodeURIComponent(id)}`; } });
  const own = nodes.map(node => ({ ...node, community: node.community ?? 0 }));
  view.show(own, edges.filter(edge => edge.stance === 'asserted'), { chosen });
  await view.arrange(own, edges);
  view.fit();
}

const remarks = found => (found.remarks || []).map(remark => el('p', { class: 'soft' }, remark));

// The subject is left out where it is what the page is about.
function facts(edges, open, about = null) {
  if (!edges.length) return el('p', { class: 'empty' }, 'Nothing, with these filters.');
  return el('ul', { class: 'facts' }, edges.map(edge => el('li', {},
    edge.subject.name === about ? '' : [end(edge.subject, open), ' '], el('span', { class: 'rel part' }, edge.relation.name), ' ', end(edge.object, open), ' ',
    edge.stance !== 'asserted' && el('span', { class: 'chip' }, edge.stance), ' ',
    el('span', { class: 'soft' }, [...edge.times, ...edge.places, edge.confidence.toFixed(2)].join(' · ')),
    (edge.evidence || []).map(one => el('blockquote', {}, marked(one.sentence, one.marks), ' ', el('small', { class: 'soft' }, `${one.source}, sentence ${one.position + 1}`))))));
}

const end = (node, open) => node.kind === 'value' ? el('strong', {}, node.name) : open(node.name);
