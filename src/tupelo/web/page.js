// The page: what is shown, what is chosen, and the panel beside the picture. All text goes in as text, never as markup.
import { button, el, say } from './dom.js';
import { Picture, cut } from './draw.js';
import { arrangeGraph } from './layout.js';
import { marked } from './marks.js';
import { Embedded, Served } from './source.js';

const $ = id => document.getElementById(id);
const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
const LISTED = 200, LARGE = 8;

class Page {
  constructor(data) {
    this.data = data;
    this.source = data.served ? new Served(data) : new Embedded(data);
    this.types = new Map(data.types.map(type => [type.name, type]));
    this.nodes = new Map(); this.edges = new Map(); this.places = new Map(); this.hiddenTypes = new Set();
    this.stances = new Set(['asserted']); this.least = 0; this.version = 0; this.expanded = new Map();
    this.picture = new Picture($('picture'), data.types);
    this.layout = this.startLayout();
    this.bindSearch(); this.bindFilters(); this.bindPicture(); this.bindTools();
  }
  startLayout() {
    const report = ({ version, positions, regions }) => {
      if (version !== this.version) return;
      [...this.nodes.keys()].forEach((id, i) => this.places.set(id, [positions[2 * i], positions[2 * i + 1]]));
      this.regions = regions.map(region => ({ ...region, name: this.data.communities[region.group]?.name }));
      this.picture.moveTo(this.placesOf(this.picture.nodes));
      this.showRegions();
      document.documentElement.dataset.arranging = 'no';
      this.arranged?.();
    };
    const here = message => setTimeout(() => report({ version: message.version, ...arrangeGraph(message) }));
    try {
      const code = arrangeGraph + ';onmessage = event => postMessage({ version: event.data.version, ...arrangeGraph(event.data) })';
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
      worker.onmessage = event => report(event.data);
      worker.onerror = () => { this.layout = here; this.arrange(); };
      return message => worker.postMessage(message);
    } catch {
      return here;
    }
  }
  async begin() {
    await this.home();
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted && this.nodes.has(wanted)) this.choose(wanted);
  }
  // The main entities, as at first.
  async home() {
    this.nodes.clear(); this.edges.clear(); this.expanded.clear();
    this.picture.select(null); this.picture.edge = null; this.picture.fit = true;
    this.add(await this.source.start());
    this.choose(null);
  }
  // Adds what was found to the picture, and arranges it anew if anything is new; `near` is where new nodes come from.
  add(found, near = null) {
    const before = this.nodes.size + this.edges.size, from = this.nodes.get(near), place = this.places.get(near) || [0, 0];
    for (const node of found.nodes) {
      if (this.nodes.has(node.id)) continue;
      this.nodes.set(node.id, { ...node, community: node.community ?? from?.community ?? -1 });
      if (!this.places.has(node.id)) this.places.set(node.id, place);
    }
    for (const edge of found.edges) this.edges.set(edge.id, edge);
    this.refresh();
    if (this.nodes.size + this.edges.size > before) this.arrange();
  }
  passes(edge) {
    return edge.confidence >= this.least && this.stances.has(edge.stance)
      && !this.hiddenTypes.has(this.nodes.get(edge.s).type) && !this.hiddenTypes.has(this.nodes.get(edge.o).type);
  }
  placesOf(nodes) { return Float32Array.from(nodes.flatMap(node => this.places.get(node.id))); }
  // What is visible follows from the filters; nothing moves, so that the eye finds everything where it was.
  refresh() {
    const edges = [...this.edges.values()].filter(edge => this.passes(edge));
    const used = new Set(edges.flatMap(edge => [edge.s, edge.o]));
    if (this.picture.selected !== null) used.add(this.picture.selected);
    const visible = [...this.nodes.values()].filter(node => used.has(node.id));
    this.picture.setGraph(visible, edges, this.placesOf(visible));
    this.showRegions();
    const of = (shown, all, what) => `${shown.toLocaleString('en')} of ${counted(all, ...what)}`;
    $('counts').textContent = `${of(visible.length, this.data.total.nodes, ['entity', 'entities'])} · ${of(edges.length, this.data.total.edges, ['edge'])}`;
  }
  showRegions() {
    const shown = new Set(this.picture.nodes.map(node => node.community));
    this.picture.regions = (this.regions || []).filter(region => shown.has(region.group));
    this.picture.ask();
  }
  // All nodes that were asked for, whatever the filters show of them.
  arrange() {
    const number = new Map([...this.nodes.keys()].map((id, i) => [id, i]));
    const links = Int32Array.from([...this.edges.values()].flatMap(edge => [number.get(edge.s), number.get(edge.o)]));
    const groups = Int32Array.from([...this.nodes.values()], node => node.community);
    const small = Uint8Array.from(groups, group => !((this.data.communities[group]?.size || 0) >= LARGE));
    document.documentElement.dataset.arranging = 'yes';
    this.picture.waiting = true;
    this.layout({ version: ++this.version, links, groups, small });
  }
  // Runs something once everything has its place.
  then(act) { this.arranged = () => { this.arranged = null; act(); }; if (document.documentElement.dataset.arranging === 'no') this.arranged(); }

  // Search.
  bindSearch() {
    const box = $('search'), list = $('results');
    let results = [], at = -1, asked = 0;
    const show = () => {
      list.replaceChildren(...results.map((node, i) => el('li', {
        role: 'option', id: 'result-' + i, 'aria-selected': String(i === at),
        onpointerdown: event => { event.preventDefault(); pick(i); },
      }, this.icon(node.type), el('span', { class: 'name' }, node.name, el('span', { class: 'soft about' }, ' ', node.type, node.description ? ' · ' + cut(node.description, 60) : '')))));
      list.hidden = !results.length;
      box.setAttribute('aria-expanded', String(!!results.length));
      if (at >= 0) box.setAttribute('aria-activedescendant', 'result-' + at); else box.removeAttribute('aria-activedescendant');
    };
    const pick = async i => {
      const node = results[i];
      results = []; at = -1; show();
      if (!node) return;
      box.value = node.name;
      await this.bring(node);
    };
    const look = async () => {
      const mine = ++asked, text = box.value;
      const found = await this.source.search(text).catch(error => { say(error.message); return []; });
      if (mine !== asked) return;
      results = found; at = found.length ? 0 : -1; show();
      if (text.trim() && !found.length) say('Nothing is called so'); else if (found.length) say(`${found.length} found`);
    };
    let timer = 0;
    box.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 90); });
    box.addEventListener('keydown', async event => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        at = results.length ? (at + (event.key === 'ArrowDown' ? 1 : results.length - 1)) % results.length : -1;
        show(); event.preventDefault();
      } else if (event.key === 'Enter') { clearTimeout(timer); if (!results.length) await look(); pick(Math.max(at, 0)); event.preventDefault(); }
      else if (event.key === 'Escape') { results = []; at = -1; show(); }
      else if (event.key === '/' && !box.value) event.preventDefault();
    });
    box.addEventListener('blur', () => { results = []; at = -1; show(); });
    box.focus({ preventScroll: true });
    document.addEventListener('keydown', event => {
      if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { box.focus(); box.select(); event.preventDefault(); }
      else if (event.key === 'Escape' && document.activeElement !== box) this.choose(null);
    });
  }
  // A node with its best neighbours, in the middle of the picture.
  async bring(node) {
    if (this.expanded.has(node.id)) this.choose(node.id); else await this.expand(node.id, node);
    this.then(() => this.picture.centre([...this.picture.near].map(i => this.picture.nodes[i].id)));
  }
  async expand(id, node = null) {
    const before = this.edges.size, offset = this.expanded.get(id) || 0;
    const found = await this.source.neighbours(id, offset).catch(error => { say(error.message); return null; });
    if (!found) return;
    this.expanded.set(id, offset + found.edges.length);
    this.picture.selected = id;
    if (node && !this.nodes.has(id)) this.add({ nodes: [node], edges: [] });
    this.add(found, id);
    this.choose(id);
    say(`${this.edges.size - before} more edges`);
  }
  around(id) { return [...this.edges.values()].filter(edge => edge.s === id || edge.o === id); }

  // Filters.
  chip(box, ...words) { return el('label', { class: 'chip' }, box, ...words); }
  bindFilters() {
    for (const { name } of this.data.types) {
      const box = el('input', { type: 'checkbox', checked: true, onchange: () => {
        if (box.checked) this.hiddenTypes.delete(name); else this.hiddenTypes.add(name);
        this.filtered();
      } });
      $('types').append(this.chip(box, this.icon(name), el('span', { class: 'type' }, name)));
    }
    $('confidence').addEventListener('input', () => {
      this.least = Number($('confidence').value);
      $('least').textContent = this.least.toFixed(2);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.filtered(), 60);
    });
    const told = () => { $('stances-shown').textContent = this.stances.size === this.data.stances.length ? 'all' : [...this.stances].join(', ') || 'nothing'; };
    for (const { name, meaning, edges } of this.data.stances) {
      const box = el('input', { type: 'checkbox', checked: this.stances.has(name), onchange: () => {
        if (box.checked) this.stances.add(name); else this.stances.delete(name);
        told(); this.filtered();
      } });
      $('stances').append(this.chip(box, el('span', { class: 'line ' + name }), el('span', { class: 'name' }, name, el('span', { class: 'soft about' }, meaning)), el('span', { class: 'soft' }, edges.toLocaleString('en'))));
    }
    told();
  }
  filtered() {
    this.refresh();
    const id = this.picture.selected;
    if (this.picture.edge === null) { if (id === null) this.showOverview(); else this.showNode(id); }
  }
  bindTools() {
    $('fit').addEventListener('click', () => { this.picture.fit = true; this.picture.ask(); });
    $('home').addEventListener('click', () => this.home());
    const all = $('everything');
    all.hidden = this.data.served || this.data.first.length === this.data.held.nodes;
    all.textContent = `All ${this.data.held.edges.toLocaleString('en')} edges`;
    all.addEventListener('click', async () => {
      this.picture.fit = true; this.add(await this.source.everything()); this.choose(null);
    });
    document.addEventListener('pointerdown', event => {
      for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
    });
  }

  // Mouse, touch and keys on the picture.
  bindPicture() {
    const canvas = $('picture'), picture = this.picture;
    let held = -1, start = null, moved = false;
    const place = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    canvas.addEventListener('pointerdown', event => {
      const [x, y] = place(event);
      held = picture.nodeAt(x, y); start = [x, y, picture.left, picture.top]; moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => {
      const [x, y] = place(event);
      if (!start) {
        const i = picture.nodeAt(x, y), id = i < 0 ? null : picture.nodes[i].id;
        if (id !== picture.hovered) { picture.hovered = id; canvas.classList.toggle('over', id !== null); picture.ask(); }
        return;
      }
      if (Math.hypot(x - start[0], y - start[1]) > 4) moved = true;
      if (!moved) return;
      picture.fit = false;
      if (held >= 0) {
        const point = picture.toWorld(x, y);
        this.places.set(picture.nodes[held].id, point);
        picture.goal.set(point, 2 * held); picture.shown.set(point, 2 * held);
      } else { picture.left = start[2] + x - start[0]; picture.top = start[3] + y - start[1]; }
      picture.hurry();
    });
    canvas.addEventListener('pointerup', event => {
      if (start && !moved) this.click(...place(event));
      start = null; held = -1;
    });
    canvas.addEventListener('dblclick', event => {
      const i = picture.nodeAt(...place(event));
      if (i >= 0) this.expand(picture.nodes[i].id);
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      picture.zoomAt(Math.exp(-event.deltaY * 0.0015), ...place(event));
    }, { passive: false });
    canvas.addEventListener('keydown', event => {
      const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (step) { picture.left += step[0]; picture.top += step[1]; picture.fit = false; picture.ask(); event.preventDefault(); }
      else if (event.key === '+' || event.key === '=') picture.zoomAt(1.25, picture.width / 2, picture.height / 2);
      else if (event.key === '-') picture.zoomAt(0.8, picture.width / 2, picture.height / 2);
      else if (event.key === '0') { picture.fit = true; picture.ask(); }
      else if (event.key === 'Enter' && picture.selected !== null) this.expand(picture.selected);
    });
  }
  click(x, y) {
    const i = this.picture.nodeAt(x, y);
    if (i >= 0) return this.choose(this.picture.nodes[i].id);
    const bundle = this.picture.bundleAt(x, y);
    if (bundle) return bundle.edges.length > 1 ? this.showBundle(bundle) : this.showStatement(bundle.edges[0]);
    const region = this.picture.regionAt(x, y);
    this.choose(null);
    if (region && this.data.communities[region.group]) this.showCommunity(region.group);
  }
  choose(id) {
    this.picture.edge = null;
    this.picture.select(id);
    history.replaceState(null, '', id === null ? location.pathname + location.search : '#' + encodeURIComponent(id));
    if (id === null) this.showOverview(); else this.showNode(id);
  }

  // The panel.
  panel(...children) { $('panel').replaceChildren(...children.filter(child => child !== null)); $('panel').scrollTop = 0; }
  back(words = '← overview', act = () => this.choose(null)) { return button(words, act, { class: 'back' }); }
  list(items) { return el('ul', { class: 'list' }, ...items.map(item => el('li', {}, item))); }
  icon(name) {
    const { light, dark, shape } = this.types.get(name), made = el('span', { class: 'icon', 'aria-hidden': 'true' });
    made.style.background = `light-dark(${light}, ${dark})`;
    made.style.clipPath = shape.length ? `polygon(${shape.map(point => point.map(at => 50 + 31 * at + '%').join(' ')).join()})` : 'circle(32%)';
    return made;
  }
  nodeButton(node, note = '') {
    return button([this.icon(node.type), el('span', { class: 'name' }, node.name, el('span', { class: 'soft about' }, note || node.description || node.type))],
      () => this.bring(node), { class: 'row' });
  }
  showOverview() {
    const { communities, main, total, held } = this.data, top = main.filter(node => !this.hiddenTypes.has(node.type));
    const large = communities.map((group, at) => [group, at]).filter(([group]) => group.size > 2).slice(0, 12);
    this.panel(
      el('h2', {}, 'Main entities'),
      el('p', { class: 'soft' }, `${counted(total.nodes, 'entity', 'entities')}, ${counted(total.edges, 'edge')}. Search, or click an entity, an edge or a community.`),
      this.list(top.map(node => this.nodeButton(node))),
      large.length ? el('h2', {}, 'Communities') : null,
      this.list(large.map(([group, at]) => el('button', { type: 'button', class: 'row community', onclick: () => this.openCommunity(at) },
        el('span', { class: 'name' }, group.name, el('span', { class: 'soft about' }, group.about)), el('span', { class: 'soft' }, group.size.toLocaleString('en'))))),
      el('p', { class: 'soft' }, 'Importance is PageRank over the edges, weighted by confidence and documents. '
        + (total.edges > held.edges ? `This page holds ${held.edges.toLocaleString('en')} of ${total.edges.toLocaleString('en')} edges; tupelo graph serve opens the whole graph.` : '')));
  }
  async openCommunity(at) {
    const found = await this.source.community(at).catch(error => { say(error.message); return null; });
    if (!found) return;
    this.choose(null);
    this.add(found);
    this.showCommunity(at);
    this.then(() => this.picture.centre(this.picture.nodes.filter(node => node.community === at).map(node => node.id)));
  }
  showCommunity(at) {
    const group = this.data.communities[at], members = [...this.nodes.values()].filter(node => node.community === at).sort((a, b) => b.importance - a.importance);
    this.panel(this.back(), el('h2', {}, group.name), el('p', { class: 'soft' }, `community of ${counted(group.size, 'entity', 'entities')} · ${group.about}`),
      members.length < group.size ? button(`Show all ${group.size.toLocaleString('en')}`, () => this.openCommunity(at), { class: 'do', id: 'expand' }) : null,
      this.list(members.slice(0, LISTED).map(node => this.nodeButton(node))));
    say(`community ${group.name}, ${members.length} entities shown`);
  }
  async showNode(id) {
    const node = this.nodes.get(id), own = this.around(id), edges = own.filter(edge => this.passes(edge)).sort((a, b) => b.confidence - a.confidence);
    const more = Math.max(0, node.degree - own.length), names = el('div', {}), facts = el('div', {}), statements = el('div', {});
    const hidden = own.length - edges.length, group = this.data.communities[node.community];
    this.panel(
      this.back(),
      el('h2', {}, this.icon(node.type), ' ', node.name),
      el('p', { class: 'soft' }, [node.type, node.description, counted(node.degree, 'edge')].filter(Boolean).join(' · ')),
      names, facts,
      edges.length ? el('h3', {}, 'Edges') : null,
      this.list(edges.slice(0, LISTED).map(edge => this.edgeButton(edge, id))),
      edges.length > LISTED ? el('p', { class: 'soft' }, `and ${edges.length - LISTED} more`) : null,
      hidden ? el('p', { class: 'soft' }, `${counted(hidden, 'edge')} hidden by the filters`) : null,
      more ? button(`Show more of its ${counted(node.degree, 'edge')}`, () => this.expand(id), { class: 'do', id: 'expand' }) : null,
      statements,
      group && group.size > 2 ? el('p', {}, this.back('in ' + group.name, () => this.showCommunity(node.community))) : null);
    say(`${node.name}, ${node.type}, ${edges.length} edges shown`);
    const found = await this.source.details(id).catch(error => { say(error.message); return null; });
    if (!found) return;
    names.append(...this.namings(node, found));
    const said = found.facts.filter(fact => this.stances.has(fact.stance) && fact.confidence >= this.least);
    for (const [part, title, clauses] of [[facts, 'Facts', false], [statements, 'Statements', true]]) {
      const own = said.filter(fact => (fact.kind === 'clause') === clauses);
      if (own.length) part.append(el('h3', {}, title), this.list(own.map(fact => this.factButton(fact, id))));
    }
  }
  // The other names of a node, and why each is taken for it.
  namings(node, { names, merges }) {
    const sure = probability => probability === null || probability >= 0.995 ? '' : `, ${probability.toFixed(2)}`;
    const others = names.filter(naming => naming.text !== node.name).map(naming =>
      el('span', {}, el('strong', {}, naming.text), ` ${naming.reason}${sure(naming.probability)}`));
    const joined = merges.map(merge => el('span', {}, el('strong', {}, merge.source), ` ${merge.name === node.name ? '' : merge.name + ': '}${merge.reason}${sure(merge.probability)}`));
    const part = (title, items) => items.length ? [el('details', { class: 'names', open: items.length < 5 ? '' : null }, el('summary', {}, `${title} (${items.length})`), this.list(items))] : [];
    return [...part('Also called', others), ...part('The same in', joined)];
  }
  row(act, words, { stance, confidence }) {
    return button([el('span', { class: 'name' }, words), this.mark(stance), el('span', { class: 'soft', title: 'confidence' }, confidence.toFixed(2))],
      act, { class: 'row edge' });
  }
  mark(stance) { return stance === 'asserted' ? '' : el('span', { class: 'mark ' + stance }, stance); }
  edgeButton(edge, from) {
    const out = edge.s === from, other = this.nodes.get(out ? edge.o : edge.s), rel = el('span', { class: 'rel' }, edge.relation);
    return this.row(() => this.showStatement(edge, from), out ? [rel, ' ', other.name] : [other.name, ' ', rel, ' …'], edge);
  }
  factButton(fact, from) {
    return this.row(() => this.showStatement({ ...fact, s: from, o: null }, from), [el('span', { class: 'rel' }, fact.relation), ' ', fact.text], fact);
  }
  // Several edges between the same two nodes.
  showBundle({ a, b, edges }) {
    const [first, second] = [this.picture.nodes[a], this.picture.nodes[b]];
    this.choose(null);
    this.picture.edge = edges[0];
    this.panel(this.back(), el('h2', {}, first.name, el('span', { class: 'soft' }, ' and '), second.name), el('p', { class: 'soft' }, counted(edges.length, 'edge')),
      this.list(edges.map(edge => this.row(() => this.showStatement(edge), [this.nodes.get(edge.s).name, ' ', el('span', { class: 'rel' }, edge.relation), ' ', this.nodes.get(edge.o).name], edge))),
      el('div', { class: 'two' }, ...[first, second].map(node => this.nodeButton(node))));
    say(`${first.name} and ${second.name}, ${edges.length} edges`);
  }
  // An edge, or a fact of one node, with its sentences.
  async showStatement(edge, from = null) {
    this.picture.edge = edge;
    this.picture.select(from);
    const subject = this.nodes.get(edge.s), object = edge.o === null ? null : this.nodes.get(edge.o), last = object ? object.name : edge.text;
    const list = el('ol', { class: 'sentences', id: 'sentences' }, el('li', { class: 'soft' }, 'reading …'));
    this.panel(
      from === null ? this.back() : this.back('← ' + cut(subject.id === from ? subject.name : object.name, 30), () => this.choose(from)),
      el('h2', {}, subject.name, el('span', { class: 'rel' }, ` ${edge.relation} `), last),
      el('p', { class: 'soft' }, `confidence ${edge.confidence.toFixed(2)} · said ${edge.mentions === 1 ? 'once' : edge.mentions + ' times'} `, this.mark(edge.stance)),
      list,
      el('div', { class: 'two' }, ...[subject, object].filter(Boolean).map(node => this.nodeButton(node))));
    const found = await this.source.evidence(edge.id).catch(error => { say(error.message); return []; });
    list.replaceChildren(...found.map(item => el('li', {}, el('blockquote', {}, marked(item.sentence, item.marks.map(([start, end, role]) => ({ start, end, role })))), el('p', { class: 'soft' }, this.circumstances(item)))));
    if (!found.length) list.replaceChildren(el('li', { class: 'soft' }, 'The sentences of this edge are not on this page.'));
    say(`${subject.name} ${edge.relation} ${last}: ${found.length} sentences`);
  }
  circumstances({ source, position, speaker, verb, stance, condition, confidence }) {
    return [`${source}, sentence ${position + 1}`, stance && stance !== 'asserted' ? stance : '', speaker ? `${verb || 'says'}: ${speaker}` : '', condition ? `where: ${condition}` : '',
      confidence === null ? '' : confidence.toFixed(2)].filter(Boolean).join(' · ');
  }
}

const page = new Page(JSON.parse($('data').textContent));
page.begin().catch(error => say(error.message));
