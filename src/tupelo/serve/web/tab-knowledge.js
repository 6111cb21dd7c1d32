// The knowledge graph of the server behind one search box, which understands a name, words, a question or a pattern.
import { button, el, notice, say } from './dom.js';
import { look } from './ask.js';
import { marked, places } from './marks.js';

export const title = 'Knowledge';
export const filtered = true;
const AT_ONCE = 50, SENTENCES = 2, PASSAGES = 5, QUESTION = /\?\s*$|^(who|what|when|where|which|why|how|whose)\b/i, PATTERN = /(^|\s)\?\w/, PATH = /^(.+?)\s*(?:→|->| to )\s*(.+)$/;
const counted = (list, one, many = `${one}s`) => `${list.length} ${list.length === 1 ? one : many}`;

export async function show(panel, { working, least, allowed }) {
  // Filters changed: the same question again.
  if (panel.again) return panel.again();
  const result = el('div', { 'aria-live': 'off' });
  const filters = () => [['min_confidence', least()], ...[...allowed()].map(name => ['stance', name])];

  let turn = 0;
  // Asks, shows, and remembers how to ask again. Of several answers, that to the last question is shown.
  const run = (act, ...values) => {
    panel.again = () => working(async () => {
      const mine = ++turn;
      if (act !== overview) notice('');
      const found = await act(...values);
      if (mine !== turn) return;
      result.replaceChildren(...[found].flat());
      say(result.querySelector('h2')?.textContent || 'Nothing found');
    });
    return panel.again();
  };
  const open = name => button(name, () => run(entity, name), { class: 'name' });

  // What the words of the box are: a pattern, a question, two names with an arrow between them, or a name and words.
  function understood(words) {
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
  async function entity(name) {
    const found = await look('/v1/graph/neighbours', [['name', name], ['evidence', SENTENCES], ['limit', AT_ONCE], ...filters()]);
    return [el('h2', {}, name), el('p', {}, el('a', { href: `/graph/report?entity=${encodeURIComponent(name)}` }, 'Read a report of it')), ...remarks(found), facts(found.answers, open)];
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
    const { sources, about, span, types, total, main } = await look('/graph/api/frame', {});
    const figure = (label, value) => el('div', {}, el('dt', {}, label), el('dd', {}, typeof value === 'number' ? value.toLocaleString('en') : value));
    return [el('h2', {}, 'In this graph'),
      el('dl', { class: 'figures' }, figure('documents', about.documents), figure('entities', total.nodes), figure('edges', total.edges), span.length ? figure('time span', span.join(' – ')) : '', about.conflicts ? figure('denied', about.conflicts) : '', about.failed ? figure('not read', about.failed) : ''),
      el('p', { class: 'row' }, types.map(({ name, count }) => el('span', { class: `chip typed type-${name}` }, `${count.toLocaleString('en')} ${name}`))),
      el('h2', {}, 'Most spoken of'), el('p', { class: 'row' }, main.map(node => open(node.name))),
      el('p', { class: 'row' }, el('a', { class: 'button', href: '/graph/' }, 'Look at the whole graph'), el('a', { class: 'button', href: '/graph/report' }, 'Read a report of all documents')),
      el('details', {}, el('summary', {}, counted(sources, 'document')), el('ul', {}, sources.map(name => el('li', {}, el('a', { href: `/graph/#document=${encodeURIComponent(name)}` }, name)))))];
  }

  const box = el('input', { id: 'knowledge', type: 'search', placeholder: 'A name, words, a question, a pattern (?who founded ?what) or two names (Ann to Acme)', required: true, autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Search or ask' });
  panel.replaceChildren(el('form', { class: 'card asking', onsubmit: event => { event.preventDefault(); understood(box.value.trim()); } }, box, el('button', { type: 'submit', class: 'main' }, 'Search')), result);
  return run(overview);
}

const remarks = found => (found.remarks || []).map(remark => el('p', { class: 'soft' }, remark));

function facts(edges, open) {
  if (!edges.length) return el('p', { class: 'empty' }, 'Nothing, with these filters.');
  return el('ul', { class: 'facts' }, edges.map(edge => el('li', {},
    end(edge.subject, open), ' ', el('span', { class: 'rel part' }, edge.relation.name), ' ', end(edge.object, open), ' ',
    edge.stance !== 'asserted' && el('span', { class: 'chip' }, edge.stance), ' ',
    el('span', { class: 'soft' }, [...edge.times, ...edge.places, edge.confidence.toFixed(2)].join(' · ')),
    (edge.evidence || []).map(one => el('blockquote', {}, marked(one.sentence, one.marks), ' ', el('small', { class: 'soft' }, `${one.source}, sentence ${one.position + 1}`))))));
}

const end = (node, open) => node.kind === 'value' ? el('strong', {}, node.name) : open(node.name);
