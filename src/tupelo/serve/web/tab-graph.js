// The text as a graph, drawn as `graph show` draws one: names and concepts with their types, what pronouns stand for,
// and no node for a time, a number or a pronoun that stands for nothing; the list has every statement.
import { el } from './dom.js';
import { LOOKS } from './looks.js';
import { named, stance } from './records.js';
import { View } from './view.js';

export const title = 'Graph';
export const reads = true;
export const filtered = true;
const ARTICLE = /^(the|a|an)$/i;
const MOST = 400, LONGEST = 5, VALUES = new Set(['datetime', 'number']), PRONOUN = /^(i|me|you|he|him|she|her|it|we|us|they|them|this|that|these|those|who|which|what|one|there)$/i;

export async function show(panel, { shown, analysis, state }) {
  const found = shown();
  if (!found.some(one => one.records.length)) { panel.replaceChildren(el('p', { class: 'empty' }, state.text.trim() ? 'No tuples to draw.' : 'Read a text first.')); return; }
  const { nodes, edges, statements } = gather(found, types(await analysis()));
  const read = el('input', { type: 'range', min: 1, max: found.length, value: found.length, oninput: () => reveal(Number(read.value)) }), count = el('output', {}), list = el('ul', { class: 'facts' });
  const place = el('div', { class: 'graph', tabindex: 0, role: 'img', 'aria-label': 'The graph. The list below has the same statements.' });
  const used = [...new Set(nodes.map(node => node.type))];
  panel.replaceChildren(place, el('div', { class: 'row' }, el('label', { class: 'range' }, 'Sentences read', read, count), used.map(name => el('span', { class: `chip typed type-${name}` }, name))), el('h2', {}, 'Statements'), list);
  const view = new View(place, LOOKS, { node: id => view.mark(id), paper: () => view.mark(null), bundle: all => view.mark(null, new Set(all.map(edge => edge.id))) });
  function reveal(upTo) {
    const own = edges.filter(edge => edge.sentence < upTo), ends = new Set(own.flatMap(edge => [edge.s, edge.o]));
    count.textContent = `${upTo} of ${found.length}`;
    view.show(nodes.filter(node => ends.has(node.id)), own);
    list.replaceChildren(...statements.filter(one => one.sentence < upTo).map(one => el('li', {}, `${one.subject} — ${one.relation} → ${one.object}`)));
  }
  view.show(nodes, edges);
  await view.arrange(nodes, edges);
  view.fit();
  reveal(found.length);
}

// The name and type of what each phrase is about, by the words of the phrase.
function types(analysed) {
  const found = new Map();
  for (const { name, label, mentions } of analysed?.chains || []) for (const { text } of name ? mentions : []) if (!PRONOUN.test(text)) found.set(text.toLowerCase(), { name, type: label });
  for (const { words, entities } of analysed?.sentences || []) for (const { label, start, end } of entities || []) {
    const name = words.slice(start, end).map(word => word.text).join(' ');
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), { name, type: label });
  }
  return found;
}

// What a phrase says of its own subject names another one at its end.
// The name at the end of a phrase and the words before it, which belong to the relation: *the chief executive of*, Nordlys; *in*, Leipzig.
function within(phrase, subject, known) {
  const own = known.get(phrase.toLowerCase());
  if (own && own.name !== known.get(subject.toLowerCase())?.name) return ['', null];
  const words = phrase.split(' ');
  for (let at = 1; at < Math.min(words.length, LONGEST); at++) {
    const name = words.slice(at).join(' '), lead = words.slice(0, at);
    if (known.has(name.toLowerCase()) && /^\p{Ll}+$/u.test(lead.at(-1)) && !ARTICLE.test(lead.at(-1))) return [lead.filter(word => !ARTICLE.test(word)).join(' '), name];
  }
  return ['', null];
}

function gather(found, known) {
  const nodes = new Map(), edges = [], statements = [];
  const node = part => {
    // Of an apposition (the mayor, Ola Brekke) the name counts.
    const text = named(part), about = [text, text.split(', ').at(-1), part.text].map(words => known.get(words.toLowerCase())).find(Boolean);
    const name = about?.name || text.replace(/^(the|a|an) (?=\p{Ll})/iu, ''), id = name.toLowerCase(), type = about?.type || 'concept';
    if (PRONOUN.test(name) || VALUES.has(type) || part.role === 'time' || /^\W*\d/.test(name) || name.split(/\s+/).length > LONGEST) return null;
    if (!nodes.has(id)) nodes.set(id, { id, name, type, importance: 0, community: 0 });
    return nodes.get(id);
  };
  found.forEach(({ records }, sentence) => {
    for (const record of records) {
      const { arg1, rel, args, negated } = record, relation = negated && !/\bnot?\b|n[’']t/.test(rel.text) ? `not: ${rel.text}` : rel.text, said = stance(record);
      for (const arg of arg1 ? args : []) {
        statements.push({ subject: named(arg1), relation, object: named(arg), sentence });
        const [words, name] = within(named(arg) === named(arg1) ? arg.text : named(arg), named(arg1), known), from = node(arg1), to = node(name ? { ...arg, text: name, resolved: null } : arg);
        if (from && to && from !== to && edges.length < MOST) edges.push({ id: `e${edges.length}`, s: from.id, o: to.id, relation: rel.text.endsWith(words) ? rel.text : `${rel.text} ${words}`, stance: said, sentence });
      }
    }
  });
  for (const { s, o } of edges) for (const id of [s, o]) nodes.get(id).importance += 1;
  const most = Math.max(1, ...[...nodes.values()].map(one => one.importance)), joined = [...nodes.values()].filter(one => one.importance);
  for (const one of joined) one.importance /= most;
  return { nodes: joined, edges, statements };
}
