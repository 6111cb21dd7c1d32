// The knowledge graph of the server: search first, then questions, pages of entities, paths between two, and patterns.
import { button, el, field, notice, say } from './dom.js';
import { look } from './ask.js';
import { marked } from './marks.js';

export const title = 'Knowledge';
export const filtered = true;
const AT_ONCE = 50, SENTENCES = 2, PASSAGES = 5;
const counted = (list, one, many = `${one}s`) => `${list.length} ${list.length === 1 ? one : many}`;

export function show(panel, { working, least, allowed }) {
  // Filters changed: the same question again.
  if (panel.again) return panel.again();
  const result = el('div', { 'aria-live': 'off' });
  const filters = () => [['min_confidence', least()], ...[...allowed()].map(name => ['stance', name])];

  let turn = 0;
  // Asks, shows, and remembers how to ask again. Of several answers, that to the last question is shown.
  const run = (act, ...values) => {
    panel.again = () => working(async () => {
      const mine = ++turn;
      notice('');
      const found = await act(...values);
      if (mine !== turn) return;
      result.replaceChildren(...[found].flat());
      say(result.querySelector('h2')?.textContent || 'Nothing found');
    });
    return panel.again();
  };
  const open = name => button(name, () => run(entity, name), { class: 'name' });

  async function search(words) {
    const [{ entities }, said] = await Promise.all([
      look('/v1/graph/entities', { name: words }), look('/v1/graph/search', { words }).catch(() => ({ answers: [] }))]);
    const names = [...new Set(entities.map(node => node.name))];
    return [
      el('h2', {}, counted(names, 'entity', 'entities')), el('p', { class: 'row' }, names.map(open)),
      el('h2', {}, counted(said.answers, 'sentence')), el('ul', {}, said.answers.map(one => el('li', {}, one.sentence, ' ', el('small', { class: 'soft' }, one.source)))),
    ];
  }
  async function entity(name) {
    const found = await look('/v1/graph/neighbours', [['name', name], ['evidence', SENTENCES], ['limit', AT_ONCE], ...filters()]);
    return [el('h2', {}, name), el('p', {}, el('a', { href: `/graph/report?entity=${encodeURIComponent(name)}` }, 'Read a report of it')), ...remarks(found), facts(found.answers, open)];
  }
  async function path(start, goal) {
    const found = await look('/v1/graph/path', [['start', start], ['goal', goal], ['evidence', SENTENCES], ...filters()]);
    const ways = found.answers.map(way => el('article', { class: 'card' }, el('p', { class: 'soft' }, `${counted(way.edges, 'step')}, confidence ${way.confidence.toFixed(2)}`), facts(way.edges, open)));
    return [el('h2', {}, `${counted(ways, 'path')} from ${start} to ${goal}`), ...remarks(found), ...ways];
  }
  async function ask(question) {
    const found = await look('/v1/graph/ask', { question });
    const said = found.answers.map(one => el('article', { class: 'card' }, el('p', {}, open(one.answer), ' ', el('span', { class: 'soft' }, one.confidence.toFixed(2))),
      one.evidence.map(({ sentence, source, position }) => el('blockquote', {}, sentence, ' ', el('small', { class: 'soft' }, `${source}, sentence ${position + 1}`)))));
    return [el('h2', {}, counted(said, 'answer')), ...remarks(found), ...said];
  }
  async function retrieve(question) {
    const found = await look('/v1/graph/retrieve', { question, top: PASSAGES });
    const passages = found.answers.map(one => el('article', { class: 'card' }, el('p', {}, one.text),
      one.path.map(step => el('p', { class: 'row' }, open(step.subject), el('span', { class: 'rel part' }, step.relation || 'in the same passage'), open(step.object))), el('small', { class: 'soft' }, one.source)));
    return [el('h2', {}, counted(passages, 'passage')), ...remarks(found), ...passages];
  }
  async function query(pattern) {
    const found = await look('/v1/graph/query', [['pattern', pattern], ['evidence', SENTENCES], ['limit', AT_ONCE], ...filters()]);
    return [el('h2', {}, counted(found.answers, 'answer')), ...remarks(found), facts(found.answers.flatMap(one => one.edges), open)];
  }

  const asking = (label, act, ...inputs) => el('form', { class: 'row', onsubmit: event => { event.preventDefault(); run(act, ...inputs.map(one => one.value)); } },
    inputs.map(one => field(one.dataset.label, one)), el('button', { type: 'submit' }, label));
  const input = (label, placeholder) => el('input', { 'data-label': label, placeholder, required: true, autocomplete: 'off', spellcheck: 'false' });
  panel.replaceChildren(
    el('div', { class: 'card asking' }, asking('Search', search, input('Search', 'a name or words')),
      asking('Ask', ask, input('Question', 'Who founded Acme?')), asking('Find passages', retrieve, input('Passages', 'a question or a topic')), asking('Find paths', path, input('From', 'a name'), input('To', 'a name')),
      asking('Answer', query, input('Pattern', '?who founded ?company')), el('p', { class: 'row' }, el('a', { href: '/graph/' }, 'Look at the whole graph'), el('a', { href: '/graph/report' }, 'Read a report of all documents'))),
    result);
  return null;
}

const remarks = found => (found.remarks || []).map(remark => el('p', { class: 'soft' }, remark));

function facts(edges, open) {
  if (!edges.length) return el('p', { class: 'soft' }, 'Nothing, with these filters.');
  return el('ul', { class: 'facts' }, edges.map(edge => el('li', {},
    end(edge.subject, open), ' ', el('span', { class: 'rel part' }, edge.relation.name), ' ', end(edge.object, open), ' ',
    edge.stance !== 'asserted' && el('span', { class: 'chip' }, edge.stance), ' ',
    el('span', { class: 'soft' }, [...edge.times, ...edge.places, edge.confidence.toFixed(2)].join(' · ')),
    (edge.evidence || []).map(one => el('blockquote', {}, marked(one.sentence, one.marks), ' ', el('small', { class: 'soft' }, `${one.source}, sentence ${one.position + 1}`))))));
}

const end = (node, open) => node.kind === 'value' ? el('strong', {}, node.name) : open(node.name);
