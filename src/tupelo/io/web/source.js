// Where nodes, edges and sentences come from: the page itself, or the server that sent it.
// A node is {id, name, type, degree}; an edge {id, s, o, relation, confidence, mentions, stance}.
class Embedded {
  constructor(data) {
    this.data = data;
    this.nodes = new Map();
    this.edges = new Map();
    this.around = new Map();
    data.nodes.forEach(([id, name, type, degree, aliases]) =>
      this.nodes.set(id, { id, name, type, degree, aliases: aliases || [] }));
    data.edges.forEach(([id, s, relation, o, confidence, mentions, stance]) => {
      const edge = { id, s: data.nodes[s][0], o: data.nodes[o][0], relation: data.relations[relation], confidence, mentions, stance };
      this.edges.set(id, edge);
      for (const end of edge.s === edge.o ? [edge.s] : [edge.s, edge.o]) {
        if (!this.around.has(end)) this.around.set(end, []);
        this.around.get(end).push(edge);
      }
    });
  }
  async start() {
    const begin = this.data.start.length ? this.data.start : null;
    if (!begin) return { nodes: [...this.nodes.values()], edges: [...this.edges.values()] };
    const found = { nodes: [], edges: [] };
    for (const id of begin) {
      const more = await this.neighbours(id);
      found.nodes.push(...more.nodes); found.edges.push(...more.edges);
    }
    return found;
  }
  async search(text) {
    const wanted = text.trim().toLowerCase(), found = [];
    if (!wanted) return found;
    for (const node of this.nodes.values()) {
      let fit = 0;
      for (const name of [node.name, ...node.aliases]) {
        const at = name.toLowerCase().indexOf(wanted);
        if (at === 0) fit = Math.max(fit, name.length === wanted.length ? 3 : 2);
        else if (at > 0) fit = Math.max(fit, 1);
      }
      if (fit) found.push([fit, node]);
    }
    found.sort((a, b) => b[0] - a[0] || b[1].degree - a[1].degree || (a[1].name < b[1].name ? -1 : 1));
    return found.slice(0, 12).map(pair => pair[1]);
  }
  async neighbours(id) {
    const edges = this.around.get(id) || [];
    const ids = new Set([id, ...edges.flatMap(edge => [edge.s, edge.o])]);
    return { nodes: [...ids].map(one => this.nodes.get(one)), edges, more: 0 };
  }
  async evidence(edge) {
    return (this.data.evidence[edge.id] || []).map(([sentence, source, position, confidence, speaker, marks]) =>
      ({ sentence: this.data.sentences[sentence], source: this.data.sources[source], position, confidence, speaker, marks }));
  }
}

class Served {
  constructor(data) { this.data = data; }
  async get(path, values) {
    const reply = await fetch(path + '?' + new URLSearchParams(values), { headers: { Accept: 'application/json' } });
    if (!reply.ok) throw new Error((await reply.json().catch(() => ({}))).error || reply.statusText);
    return reply.json();
  }
  start() { return this.get('api/start', {}); }
  async search(text) { return text.trim() ? (await this.get('api/search', { q: text })).nodes : []; }
  neighbours(id, offset = 0) { return this.get('api/neighbours', { id, offset }); }
  async evidence(edge) { return (await this.get('api/evidence', { id: edge.id })).sentences; }
}
