import { places } from './marks.js';

// Where nodes, edges and sentences come from: the page itself, or the server that sent it.
// A node is {id, name, type, degree, importance, community, description};
// an edge {id, s, o, relation, confidence, mentions, stance, rank, sources, years}.
const AT_ONCE = 40;

export class Embedded {
  constructor(data) {
    this.data = data;
    this.around = new Map();
    this.list = data.nodes.map(([id, name, type, degree, importance, community, description]) =>
      ({ id, name, type, degree, importance, community, description }));
    this.nodes = new Map(this.list.map(node => [node.id, node]));
    this.number = new Map(this.list.map((node, i) => [node.id, i]));
    this.edges = data.edges.map(([id, s, relation, o, confidence, mentions, stance, rank, sources, years]) => {
      const edge = { id, s: this.list[s].id, o: this.list[o].id, relation: data.relations[relation], confidence, mentions, stance, rank, sources: sources.map(at => data.sources[at]), years };
      for (const end of new Set([edge.s, edge.o])) {
        if (!this.around.has(end)) this.around.set(end, []);
        this.around.get(end).push(edge);
      }
      return edge;
    });
    for (const edges of this.around.values()) {
      edges.sort((a, b) => (a.stance !== 'asserted') - (b.stance !== 'asserted') || b.confidence - a.confidence);
    }
  }
  // The given nodes with all edges among them.
  among(numbers) {
    const nodes = numbers.map(i => this.list[i]), ids = new Set(nodes.map(node => node.id));
    return { nodes, edges: this.edges.filter(edge => ids.has(edge.s) && ids.has(edge.o)) };
  }
  async start() { return this.among(this.data.first); }
  async community(number) { return this.among(this.data.members[number] || []); }
  async everything() { return { nodes: this.list, edges: this.edges }; }
  async search(text) {
    const wanted = text.trim().toLowerCase(), found = [];
    if (!wanted) return found;
    this.list.forEach((node, i) => {
      let fit = 0;
      for (const name of [node.name, ...this.data.details[i].names.map(naming => naming.text)]) {
        const at = name.toLowerCase().indexOf(wanted);
        if (at === 0) fit = Math.max(fit, name.length === wanted.length ? 3 : 2);
        else if (at > 0) fit = Math.max(fit, 1);
      }
      if (fit) found.push([fit, node]);
    });
    found.sort((a, b) => b[0] - a[0] || b[1].importance - a[1].importance || (a[1].name < b[1].name ? -1 : 1));
    return found.slice(0, 12).map(pair => pair[1]);
  }
  async neighbours(id, offset = 0) {
    const edges = (this.around.get(id) || []).slice(offset, offset + AT_ONCE);
    const ids = new Set([id, ...edges.flatMap(edge => [edge.s, edge.o])]);
    return { nodes: [...ids].map(one => this.nodes.get(one)), edges };
  }
  async path(from, to) {
    const edges = shortest(this.edges, from, to);
    return edges && { edges, nodes: [...new Set(edges.flatMap(edge => [edge.s, edge.o]))].map(id => this.nodes.get(id)) };
  }
  // Sentences of the page with all the words; a page alone answers no questions.
  async answer(kind, text) {
    if (kind !== 'words') throw new Error('A page without a server answers no questions: tupelo graph serve does.');
    const words = text.toLowerCase().split(/\s+/), found = new Map();
    for (const items of Object.values(this.data.evidence)) for (const { sentence, source, position } of items) {
      const said = this.data.sentences[sentence], low = said.toLowerCase();
      if (words.every(word => low.includes(word))) found.set(sentence, { sentence: said, source: this.data.sources[source], position, marks: words.flatMap(word => places(word, said, 'found')) });
    }
    return { answers: [...found.values()].slice(0, 40).map(one => ({ evidence: [one] })) };
  }
  async document(source) {
    const found = new Map();
    for (const items of Object.values(this.data.evidence)) for (const item of items) {
      if (this.data.sources[item.source] === source && !found.has(item.position)) found.set(item.position, { sentence: this.data.sentences[item.sentence], marks: item.marks });
    }
    return { sentences: [...found].sort((a, b) => a[0] - b[0]).map(pair => pair[1]) };
  }
  async details(id) { return this.data.details[this.number.get(id)]; }
  async evidence(id) {
    return (this.data.evidence[id] || []).map(item =>
      ({ ...item, sentence: this.data.sentences[item.sentence], source: this.data.sources[item.source] }));
  }
}

export class Served {
  constructor(data, base = '') { Object.assign(this, { data, base }); }
  async get(path, values) {
    const reply = await fetch(this.base + path + '?' + new URLSearchParams(values), { headers: { Accept: 'application/json' } });
    if (!reply.ok) throw new Error((await reply.json().catch(() => ({}))).error?.message || reply.statusText);
    return reply.json();
  }
  start() { return this.get('api/start', {}); }
  async search(text) { return text.trim() ? (await this.get('api/search', { q: text })).nodes : []; }
  neighbours(id, offset = 0) { return this.get('api/neighbours', { id, offset }); }
  community(number) { return this.get('api/community', { id: number }); }
  path(from, to) { return this.get('api/path', { from, to }); }
  answer(kind, text) { return this.get('api/answer', { kind, q: text }); }
  document(source) { return this.get('api/document', { source }); }
  details(id) { return this.get('api/details', { id }); }
  async evidence(id) { return (await this.get('api/evidence', { id })).sentences; }
}

// The shortest way from one node to another over edges taken both ways.
function shortest(edges, from, to) {
  const around = new Map(), came = new Map([[from, null]]), next = [from];
  for (const edge of edges) for (const [a, b] of [[edge.s, edge.o], [edge.o, edge.s]]) around.set(a, [...around.get(a) || [], [b, edge]]);
  while (next.length && !came.has(to)) {
    const node = next.shift();
    for (const [other, edge] of around.get(node) || []) if (!came.has(other)) { came.set(other, [node, edge]); next.push(other); }
  }
  if (!came.has(to) || from === to) return null;
  const found = [];
  for (let at = to; came.get(at); at = came.get(at)[0]) found.unshift(came.get(at)[1]);
  return found;
}
