// The page: what is shown, what is chosen, and the panel beside the picture. All text goes in as text, never as markup.
const $ = id => document.getElementById(id);
const STANCES = ['asserted', 'possible', 'denied'];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

class Page {
  constructor(data) {
    this.data = data;
    this.source = data.served ? new Served(data) : new Embedded(data);
    this.nodes = new Map(); this.edges = new Map(); this.places = new Map(); this.hiddenTypes = new Set();
    this.stances = new Set([0, 1]); this.least = 0; this.version = 0; this.expanded = new Set();
    this.picture = new Picture($('picture'));
    this.layout = this.startLayout();
    this.bindSearch(); this.bindFilters(); this.bindPicture();
  }
  startLayout() {
    const report = message => {
      if (message.version !== this.version) return;
      this.picture.moveTo(message.positions, message.done);
      document.documentElement.dataset.arranging = message.done ? 'no' : 'yes';
    };
    try {
      const code = makeLayout + ';' + runLayout +
        ';onmessage = (run => event => run(event.data))(runLayout(makeLayout(), 30, m => postMessage(m, [m.positions.buffer]), f => setTimeout(f, 0)))';
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
      worker.onmessage = event => report(event.data);
      worker.onerror = () => { this.layout = runLayout(makeLayout(), 6, report, f => setTimeout(f, 8)); this.arrange(0.9); };
      return message => worker.postMessage(message);
    } catch {
      // No worker here: short stretches between the frames.
      return runLayout(makeLayout(), 6, report, f => setTimeout(f, 8));
    }
  }
  async begin() {
    const found = await this.source.start();
    this.add(found);
    this.refresh(1);
    this.showOverview();
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted && this.nodes.has(wanted)) this.choose(wanted);
  }
  // Where the nodes of the picture are now; asked for when nodes come or go.
  remember() {
    const { nodes, goal } = this.picture;
    nodes.forEach((node, i) => this.places.set(node.id, [goal[2 * i], goal[2 * i + 1]]));
  }
  add(found, near = null) {
    this.remember();
    const centre = near && this.places.get(near) || [0, 0];
    let number = this.nodes.size;
    for (const node of found.nodes) {
      if (!this.nodes.has(node.id)) {
        // A sunflower of places: even, and the same every time.
        const r = near ? 30 + 4 * Math.sqrt(number % 200) : 14 * Math.sqrt(number + 0.5), turn = number * 2.39996;
        this.places.set(node.id, [centre[0] + r * Math.cos(turn), centre[1] + r * Math.sin(turn)]);
        this.nodes.set(node.id, node);
        number++;
      }
    }
    for (const edge of found.edges) this.edges.set(edge.id, edge);
  }
  passes(edge) {
    return edge.confidence >= this.least && this.stances.has(edge.stance)
      && !this.hiddenTypes.has(this.nodes.get(edge.s).type) && !this.hiddenTypes.has(this.nodes.get(edge.o).type);
  }
  // What is visible follows from the filters; the layout starts again from where everything is.
  refresh(warmth) {
    this.remember();
    const edges = [...this.edges.values()].filter(edge => this.passes(edge));
    const used = new Set(edges.flatMap(edge => [edge.s, edge.o]));
    if (this.picture.selected !== null && this.nodes.has(this.picture.selected)) used.add(this.picture.selected);
    this.visible = [...this.nodes.values()].filter(node => used.has(node.id));
    const positions = new Float32Array(2 * this.visible.length);
    this.visible.forEach((node, i) => positions.set(this.places.get(node.id), 2 * i));
    this.picture.setGraph(this.visible, edges, positions, this.data.types);
    this.arrange(warmth);
    $('counts').textContent = `${this.visible.length.toLocaleString('en')} entities · ${edges.length.toLocaleString('en')} edges shown`
      + (this.data.total.edges > edges.length ? ` of ${this.data.total.edges.toLocaleString('en')}` : '');
  }
  arrange(warmth) {
    this.version++;
    const positions = Float32Array.from(this.picture.shown), links = Int32Array.from(this.picture.ends);
    document.documentElement.dataset.arranging = 'yes';
    this.layout({ version: this.version, graph: positions, links, warmth });
  }

  // Search.
  bindSearch() {
    const box = $('search'), list = $('results');
    let results = [], at = -1, asked = 0;
    const show = () => {
      list.replaceChildren(...results.map((node, i) => element('li', {
        role: 'option', id: 'result-' + i, 'aria-selected': String(i === at),
        onpointerdown: event => { event.preventDefault(); pick(i); },
      }, element('span', { class: 'name' }, node.name), element('span', { class: 'soft' }, `${node.type} · ${node.degree}`))));
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
      const found = await this.source.search(text).catch(error => { this.say(error.message); return []; });
      if (mine !== asked) return;
      results = found; at = found.length ? 0 : -1; show();
      if (text.trim() && !found.length) this.say('Nothing is called so'); else if (found.length) this.say(`${found.length} found`);
    };
    let timer = 0;
    box.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 90); });
    box.addEventListener('keydown', async event => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        at = results.length ? (at + (event.key === 'ArrowDown' ? 1 : results.length - 1)) % results.length : -1;
        show(); event.preventDefault();
      } else if (event.key === 'Enter') { clearTimeout(timer); if (!results.length) await look(); pick(Math.max(at, 0)); event.preventDefault(); }
      else if (event.key === 'Escape') { results = []; at = -1; show(); }
    });
    box.addEventListener('blur', () => { results = []; at = -1; show(); });
    document.addEventListener('keydown', event => {
      if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { box.focus(); box.select(); event.preventDefault(); }
      else if (event.key === 'Escape' && document.activeElement !== box) this.choose(null);
    });
  }
  async bring(node) {
    if (!this.nodes.has(node.id) || !this.picture.index.has(node.id)) await this.expand(node.id, node);
    this.choose(node.id);
    this.picture.centre(node.id);
  }
  async expand(id, node = null) {
    if (node && !this.nodes.has(id)) this.add({ nodes: [node], edges: [] });
    const before = this.edges.size;
    const found = await this.source.neighbours(id, this.expanded.has(id) ? this.around(id).length : 0).catch(error => { this.say(error.message); return null; });
    if (!found) return;
    this.expanded.add(id);
    this.add(found, id);
    this.picture.selected = id;
    this.refresh(before === 0 ? 1 : 0.35);
    this.say(`${this.edges.size - before} more edges`);
    if (this.picture.selected === id) this.showNode(id);
  }
  around(id) { return [...this.edges.values()].filter(edge => edge.s === id || edge.o === id); }

  // Filters.
  bindFilters() {
    const types = $('types');
    this.data.types.forEach((type, at) => {
      const box = element('input', { type: 'checkbox', checked: '', onchange: () => {
        if (box.checked) this.hiddenTypes.delete(type); else this.hiddenTypes.add(type);
        this.refresh(0.15);
      } });
      types.append(element('label', { class: 'chip', 'data-at': String(at % 8) }, box, element('span', { class: 'dot' }), type));
    });
    $('confidence').addEventListener('input', () => {
      this.least = Number($('confidence').value);
      $('least').textContent = this.least.toFixed(2);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.refresh(0.1), 60);
    });
    STANCES.forEach((stance, at) => {
      const box = element('input', { type: 'checkbox', ...(this.stances.has(at) ? { checked: '' } : {}), onchange: () => {
        if (box.checked) this.stances.add(at); else this.stances.delete(at);
        this.refresh(0.15);
      } });
      $('stances').append(element('label', { class: 'chip' }, box, stance));
    });
    $('fit').addEventListener('click', () => { this.picture.fit = true; this.picture.ask(); });
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
      if (held >= 0) {
        const [wx, wy] = picture.toWorld(x, y);
        picture.fit = false;
        this.layout({ pin: held, x: wx, y: wy });
        document.documentElement.dataset.arranging = 'yes';
      } else {
        picture.left = start[2] + x - start[0]; picture.top = start[3] + y - start[1];
        picture.fit = false; picture.hurry();
      }
    });
    canvas.addEventListener('pointerup', event => {
      const [x, y] = place(event);
      if (start && !moved) this.click(x, y);
      if (held >= 0 && moved) this.layout({ pin: -1 });
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
    const k = this.picture.edgeAt(x, y);
    if (k >= 0) return this.showEdge(this.picture.edges[k]);
    this.choose(null);
  }
  choose(id) {
    this.picture.edge = null;
    this.picture.select(id);
    history.replaceState(null, '', id === null ? location.pathname + location.search : '#' + encodeURIComponent(id));
    if (id === null) this.showOverview(); else this.showNode(id);
  }

  // The panel.
  say(text) { $('said').textContent = text; }
  panel(...children) { $('panel').replaceChildren(...children); $('panel').scrollTop = 0; }
  showOverview() {
    const top = [...this.visible].sort((a, b) => b.degree - a.degree || (a.name < b.name ? -1 : 1)).slice(0, 40);
    const notes = this.data.total.edges > this.data.held.edges && !this.data.served
      ? [element('p', { class: 'soft' }, `This page holds the ${this.data.held.edges.toLocaleString('en')} surest of ${this.data.total.edges.toLocaleString('en')} edges. `
        + 'tupelo graph serve opens the whole graph.')] : [];
    this.panel(
      element('h2', {}, 'Entities'),
      element('p', { class: 'soft' }, 'Click a node or an edge. Double-click a node to see all its neighbours.'), ...notes,
      element('ul', { class: 'list' }, ...top.map(node => element('li', {}, this.nodeButton(node, `${node.degree}`)))));
  }
  nodeButton(node, note) {
    return element('button', { type: 'button', class: 'row', onclick: () => { this.choose(node.id); this.picture.centre(node.id); } },
      this.dot(node), element('span', { class: 'name' }, node.name), element('span', { class: 'soft' }, note));
  }
  dot(node) {
    const at = this.data.types.indexOf(node.type);
    return element('span', { class: 'dot', 'data-at': at < 0 ? 'none' : String(at % 8), title: node.type });
  }
  showNode(id) {
    const node = this.nodes.get(id), edges = this.around(id).filter(edge => this.passes(edge)).sort((a, b) => b.confidence - a.confidence);
    const shown = new Set(edges.map(edge => edge.id)), hidden = Math.max(0, node.degree - this.around(id).length);
    const aliases = (node.aliases || []).filter(alias => alias !== node.name);
    const parts = [
      element('button', { type: 'button', class: 'back', onclick: () => this.choose(null) }, '← all entities'),
      element('h2', {}, this.dot(node), ' ', node.name),
      element('p', { class: 'soft' }, `${node.type} · ${node.degree} edge${node.degree === 1 ? '' : 's'}`),
    ];
    if (aliases.length) parts.push(element('p', { class: 'soft' }, 'also: ' + aliases.slice(0, 8).join(' · ')));
    if (hidden > 0) parts.push(element('button', { type: 'button', class: 'do', id: 'expand', onclick: () => this.expand(id) }, `Show ${hidden.toLocaleString('en')} more edge${hidden === 1 ? '' : 's'}`));
    parts.push(element('ul', { class: 'list' }, ...edges.slice(0, 200).map(edge => element('li', {}, this.edgeButton(edge, id)))));
    if (shown.size > 200) parts.push(element('p', { class: 'soft' }, `and ${shown.size - 200} more`));
    this.panel(...parts);
    this.say(`${node.name}, ${node.type}, ${edges.length} edges shown`);
  }
  edgeButton(edge, from) {
    const out = edge.s === from, other = this.nodes.get(out ? edge.o : edge.s);
    const words = [element('span', { class: 'rel' }, edge.relation + (out ? ' → ' : ' ← ')), other.name];
    return element('button', { type: 'button', class: 'row edge', onclick: () => this.showEdge(edge, from) },
      element('span', { class: 'name' }, ...words), this.marks(edge),
      element('span', { class: 'soft', title: 'confidence' }, edge.confidence.toFixed(2)));
  }
  marks(edge) { return edge.stance ? element('span', { class: 'mark s' + edge.stance }, edge.stance === 2 ? 'denied' : 'possible') : ''; }
  async showEdge(edge, from = null) {
    this.picture.edge = edge;
    this.picture.select(from);
    const back = from === null ? ['← all entities', () => this.choose(null)] : ['← ' + cut(this.nodes.get(from).name, 30), () => this.choose(from)];
    const list = element('ol', { class: 'sentences', id: 'sentences' }, element('li', { class: 'soft' }, 'reading …'));
    this.panel(
      element('button', { type: 'button', class: 'back', onclick: back[1] }, back[0]),
      element('h2', {}, this.nodes.get(edge.s).name, element('span', { class: 'rel' }, ` ${edge.relation} `), this.nodes.get(edge.o).name),
      element('p', { class: 'soft' }, `confidence ${edge.confidence.toFixed(3)} · said ${edge.mentions === 1 ? 'once' : edge.mentions + ' times'} `, this.marks(edge)),
      list,
      element('div', { class: 'two' }, ...[edge.s, edge.o].map(id => this.nodeButton(this.nodes.get(id), ''))));
    const found = await this.source.evidence(edge).catch(error => { this.say(error.message); return []; });
    list.replaceChildren(...found.map(item => element('li', {},
      element('blockquote', {}, ...this.marked(item)),
      element('p', { class: 'soft' }, `${item.source}, sentence ${item.position + 1}`
        + (item.speaker ? ` · says ${item.speaker}` : '') + (item.confidence === null ? '' : ` · ${item.confidence.toFixed(2)}`)))));
    if (!found.length) list.replaceChildren(element('li', { class: 'soft' }, 'The sentences of this edge are not on this page.'));
    this.say(`${this.nodes.get(edge.s).name} ${edge.relation} ${this.nodes.get(edge.o).name}: ${found.length} sentences`);
  }
  // The sentence with the parts of the tuple marked; places are characters, which JavaScript counts differently.
  marked(item) {
    const characters = [...item.sentence], made = [];
    let at = 0;
    for (const [start, end, role] of item.marks) {
      if (start < at || end > characters.length) continue;
      made.push(characters.slice(at, start).join(''), element('mark', { class: role }, characters.slice(start, end).join('')));
      at = end;
    }
    made.push(characters.slice(at).join(''));
    return made;
  }
}

const page = new Page(JSON.parse($('data').textContent));
page.begin().catch(error => page.say(error.message));
