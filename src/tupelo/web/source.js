// Where nodes, edges and sentences come from: the page itself, or the server that sent it.
// A node is {id, name, type, degree, importance, community, description};
// an edge {id, s, o, relation, confidence, mentions, stance}.
const AT_ONCE = 40;

export class Embedded {
  constructor(data) {
    this.data = data;
    this.around = new Map();
    this.list = data.nodes.map(([id, name, type, degree, importance, community, description]) =>
      ({ id, name, type, degree, importance, community, description }));
    this.nodes = new Map(this.list.map(node => [node.id, node]));
    this.number = new Map(this.list.map((node, i) => [node.id, i]));
    this.edges = data.edges.map(([id, s, relation, o, confidence, mentions, stance]) => {
      const edge = { id, s: this.list[s].id, o: this.list[o].id, relation: data.relations[relation], confidence, mentions, stance };
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
  async details(id) { return this.data.details[this.number.get(id)]; }
  async evidence(id) {
    return (this.data.evidence[id] || []).map(item =>
      ({ ...item, sentence: this.data.sentences[item.sentence], source: this.data.sources[item.source] }));
  }
}

export class Served {
  constructor(data) { this.data = data; }
  async get(path, values) {
    const reply = await fetch(path + '?' + new URLSearchParams(values), { headers: { Accept: 'application/json' } });
    if (!reply.ok) throw new Error((await reply.json().catch(() => ({}))).error?.message || reply.statusText);
    return reply.json();
  }
  start() { return this.get('api/start', {}); }
  async search(text) { return text.trim() ? (await this.get('api/search', { q: text })).nodes : []; }
  neighbours(id, offset = 0) { return this.get('api/neighbours', { id, offset }); }
  community(number) { return this.get('api/community', { id: number }); }
  details(id) { return this.get('api/details', { id }); }
  async evidence(id) { return (await this.get('api/evidence', { id })).sentences; }
}
