// The one picture of a graph on every page, drawn by Cytoscape.js; places come from the forces of d3.
// A node is {id, name, type, importance, community}; an edge {id, s, o, relation, stance}.
import { el } from './dom.js';

const FEW = 70, MANY = 600, TICKS = 260, SLICE = 12, MOST_LABELS = 260, NAME = 12.5, RELATION = 10.5, REACH = 1.55;
const SHEET = '__________cytoscape_stylesheet';
const dark = matchMedia('(prefers-color-scheme: dark)'), still = matchMedia('(prefers-reduced-motion: reduce)');
export const cut = (text, most) => text.length > most ? text.slice(0, most - 1).trimEnd() + '…' : text;
const token = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

export class View {
  // `types` are {name, light, dark, shape}; `on` has functions for clicks: node, bundle, region, paper, open, moved.
  constructor(place, types, on = {}) {
    this.types = new Map(types.map(type => [type.name, type]));
    this.on = on; this.place = place; this.places = new Map(); this.pinned = new Set(); this.labels = []; this.groups = new Map(); this.regions = []; this.run = 0;
    // Names are wide: places are stretched to the form of the picture.
    this.stretch = Math.min(1.6, Math.max(0.95, place.clientWidth / Math.max(1, place.clientHeight)));
    this.ink = document.createElement('canvas').getContext('2d');
    // The library adds a style to the page unless it finds its own; our policy forbids that, and page.css has it.
    if (!document.getElementById(SHEET)) document.head.append(el('meta', { id: SHEET }));
    // The library watches the attributes of its own element; ours change with every label.
    const inner = el('div', { class: 'drawn' });
    place.replaceChildren(inner);
    this.cy = tupeloLibrary.cytoscape({ container: inner, minZoom: 0.02, maxZoom: 4, boxSelectionEnabled: false, selectionType: 'single', layout: { name: 'null' } });
    place.view = this;
    this.paint();
    dark.addEventListener('change', () => this.paint());
    this.cy.on('viewport resize', () => this.later());
    // A picture that was seen as a whole still is in a window of another size.
    this.cy.on('resize', () => { const { zoom, pan } = this.whole || {}, now = this.cy.pan(); if (pan && zoom === this.cy.zoom() && pan.x === now.x && pan.y === now.y) this.fit(); });
    this.cy.on('tap', event => this.tapped(event.target));
    this.cy.on('dbltap', 'node[name]', event => this.on.open?.(event.target.id()));
    this.cy.on('dragfree', 'node[name]', ({ target }) => { this.pin(target.id(), true); this.places.set(target.id(), [target.position('x'), target.position('y')]); this.later(); this.on.moved?.(target.id()); });
    this.cy.on('mouseover mouseout', 'node[name], edge', ({ type, target }) => { place.classList.toggle('over', type === 'mouseover'); target.toggleClass('hovered', type === 'mouseover'); });
  }
  tapped(target) {
    if (target === this.cy) this.on.paper?.();
    else if (target.isEdge()) this.on.bundle?.(target.data('edges'));
    else if (target.data('name') === undefined) this.on.region?.(target.data('group'));
    else this.on.node?.(target.id());
  }
  look(name) { return this.types.get(name) || this.types.get('') || { light: '#050d05', dark: '#faf5f7', shape: [] }; }
  colour(name) { return this.look(name)[dark.matches ? 'dark' : 'light']; }
  paint() {
    const paper = token('paper'), ink = token('ink'), soft = token('soft'), accent = token('accent');
    const halo = { 'text-outline-color': paper, 'text-outline-width': 2.5 };
    const style = [
      { selector: 'node', style: { 'overlay-opacity': 0, 'font-family': 'system-ui, sans-serif', color: ink } },
      { selector: 'node.region', style: { shape: 'ellipse', width: 'data(wide)', height: 'data(high)', 'background-color': soft, 'background-opacity': 0.07, 'border-width': 0, 'z-compound-depth': 'bottom', label: '', 'font-weight': 600, color: soft, 'text-valign': 'top', ...halo } },
      { selector: 'node.region.named', style: { label: 'data(label)', 'font-size': 'data(font)' } },
      { selector: 'node[name]', style: { 'background-color': one => this.colour(one.data('type')), width: 'data(size)', height: 'data(size)', 'border-width': 1.5, 'border-color': paper, 'text-valign': 'bottom', 'text-margin-y': 3, ...halo } },
      { selector: 'node.shaped', style: { shape: 'polygon', 'shape-polygon-points': one => this.look(one.data('type')).shape.flat().map(at => at / REACH).join(' ') } },
      { selector: 'node.named', style: { label: 'data(label)', 'font-size': 'data(font)' } },
      { selector: 'node.main', style: { 'font-weight': 700 } },
      { selector: 'node.pinned', style: { 'border-color': ink, 'border-width': 2 } },
      { selector: 'node.hovered, node.chosen', style: { 'border-color': accent, 'border-width': 4, 'z-index': 9 } },
      { selector: 'edge', style: { width: 'data(wide)', 'line-color': soft, 'line-opacity': 0.5, 'curve-style': 'straight', 'overlay-opacity': 0, 'target-arrow-shape': 'triangle', 'target-arrow-color': soft, 'source-arrow-color': soft, 'arrow-scale': 0.8, 'font-family': 'system-ui, sans-serif', color: soft, 'text-rotation': 'autorotate', 'text-background-color': paper, 'text-background-opacity': 0.92, 'text-background-padding': 1 } },
      { selector: 'edge.both', style: { 'source-arrow-shape': 'triangle' } },
      { selector: 'edge.apart', style: { 'curve-style': 'bezier', 'control-point-step-size': 42 } },
      { selector: 'edge.swift', style: { 'curve-style': 'haystack', width: 1, 'line-opacity': 0.3 } },
      { selector: 'edge.unsure', style: { 'line-style': 'dashed' } },
      { selector: 'edge.denied', style: { 'line-color': token('bad'), 'target-arrow-color': token('bad'), color: token('bad') } },
      { selector: 'edge.named', style: { label: 'data(label)', 'font-size': 'data(font)' } },
      { selector: 'edge.near, edge.hovered', style: { 'line-opacity': 1, 'line-color': accent, 'target-arrow-color': accent, 'source-arrow-color': accent, color: ink, 'z-index': 8 } },
      { selector: 'edge.denied.near', style: { 'line-color': token('bad') } },
      { selector: '.faint', style: { opacity: 0.22 } },
      { selector: '.hidden', style: { display: 'none' } },
    ];
    this.cy.style().fromJson(style).update();
  }
  // Shows these nodes and edges; those between the same two are one line, but beside a chosen node, where they open.
  // With `stage` only the chosen node with its neighbours around it is seen, or a path as a line.
  show(nodes, edges, { chosen = null, path = null, stage = null } = {}) {
    const cy = this.cy, swift = edges.length > MANY, wanted = new Set(), made = [], most = nodes.map(node => node.importance).sort((a, b) => b - a)[Math.max(3, nodes.length >> 3)] || 0;
    // Of many edges a still copy moves; they are drawn anew when it stands.
    cy.renderer().textureOnViewport = swift;
    cy.startBatch();
    for (const node of nodes) {
      wanted.add(node.id);
      const [x, y] = this.places.get(node.id) || [0, 0], classes = [this.look(node.type).shape.length && 'shaped', node.importance > most && 'main', this.pinned.has(node.id) && 'pinned'].filter(Boolean).join(' ');
      if (cy.getElementById(node.id).empty()) made.push({ group: 'nodes', data: { ...node, label: cut(node.name, 30), full: (this.look(node.type).shape.length ? 1.28 : 1) * (13 + 17 * Math.sqrt(node.importance)), size: 10, font: NAME }, position: { x, y }, classes });
    }
    for (const bundle of bundled(edges, chosen)) {
      const id = 'edge ' + bundle[0].id, stances = new Set(bundle.map(edge => edge.stance)), forth = bundle.some(edge => edge.s === bundle[0].s), back = bundle.some(edge => edge.s !== bundle[0].s);
      wanted.add(id);
      const classes = [swift && 'swift', forth && back && 'both', !stances.has('asserted') && 'unsure', stances.size === 1 && stances.has('denied') && 'denied', !swift && 'apart'].filter(Boolean).join(' ');
      const key = bundle.map(edge => edge.id).join(), known = cy.getElementById(id);
      if (known.nonempty() && known.data('key') === key && known.hasClass('swift') === swift) continue;
      known.remove();
      made.push({ group: 'edges', data: { id, key, source: bundle[0].s, target: bundle[0].o, edges: bundle, text: said(bundle), label: cut(said(bundle), 36), wide: Math.min(1.3 + 0.5 * (bundle.length - 1), 4), font: RELATION }, classes });
    }
    cy.elements().filter(one => !wanted.has(one.id()) && !one.hasClass('region')).remove();
    cy.add(made);
    this.nodes = nodes; this.edges = edges; this.fresh = true;
    this.mark(chosen, path);
    this.stage(stage);
    cy.endBatch();
    this.later();
  }
  // The chosen node with its neighbours, or a path, stands out.
  mark(chosen, path = null) {
    const cy = this.cy, all = cy.elements();
    all.removeClass('faint near chosen');
    const edges = path ? cy.edges().filter(edge => edge.data('edges').some(one => path.has(one.id))) : chosen === null ? cy.collection() : cy.getElementById(chosen).connectedEdges();
    const near = edges.union(edges.connectedNodes()).union(chosen === null ? cy.collection() : cy.getElementById(chosen));
    if (near.nonempty()) all.not(near).not('.region').addClass('faint');
    edges.addClass('near');
    if (chosen !== null) cy.getElementById(chosen).addClass('chosen');
    this.near = near;
  }
  // Places for what is looked at alone: a path, or a node and what is around it; null puts everything back.
  stage(order) {
    const cy = this.cy;
    if (order === null && !this.staged) return;
    cy.elements().removeClass('hidden');
    for (const [id, [x, y]] of this.places) cy.getElementById(id).position({ x, y });
    this.staged = order !== null;
    if (!this.staged) return;
    const centre = order.length === 1 ? order[0] : null, around = centre === null ? [] : cy.getElementById(centre).neighborhood('node[name]').sort((a, b) => b.data('importance') - a.data('importance')).map(one => one.id());
    const kept = centre === null ? this.near : cy.getElementById(centre).closedNeighborhood();
    cy.elements().not(kept).addClass('hidden');
    const put = (id, x, y) => cy.getElementById(id).position({ x: this.stretch * x, y });
    order.forEach((id, at) => put(id, 230 * (at - (order.length - 1) / 2), at % 2 ? 70 : -70));
    if (centre !== null) put(centre, 0, 0);
    // Many are in two rings, so that there is room for their names.
    const rings = around.length > 14 ? 2 : 1, far = Math.max(170, 15 * around.length);
    around.forEach((id, at) => { const turn = 2 * Math.PI * (at + 0.5) / around.length - Math.PI / 2, r = rings === 2 && at % 2 ? 0.6 * far : far; put(id, r * Math.cos(turn), r * Math.sin(turn)); });
  }
  pin(id, on) {
    if (on) this.pinned.add(id); else this.pinned.delete(id);
    this.cy.getElementById(id).toggleClass('pinned', on);
  }
  // Finds places for all nodes, in slices of time so that the page stays alive; resolves when they are found.
  async arrange(nodes, edges, names = []) {
    const mine = ++this.run, steps = arrangement(nodes, edges, this.places, this.pinned, this.stretch);
    for (let result; ;) {
      const until = performance.now() + (nodes.length > MANY ? 3 : 1) * SLICE;
      while (performance.now() < until && !(result = steps.next()).done);
      if (mine !== this.run) return false;
      if (result.done) break;
      await new Promise(go => setTimeout(go));
    }
    this.cy.batch(() => {
      for (const node of nodes) { const [x, y] = this.places.get(node.id); this.cy.getElementById(node.id).position({ x, y }); }
      this.surround(nodes, names);
    });
    this.later();
    return true;
  }
  // Ellipses behind the communities, where there are several.
  surround(nodes, names) {
    this.cy.remove('node.region');
    const groups = Map.groupBy ? Map.groupBy(nodes, node => node.community) : new Map();
    const large = [...groups].filter(([group, members]) => members.length > 2 && names[group]);
    this.regions = large.length < 2 || nodes.length < 9 ? [] : large.map(([group, members]) => {
      const at = members.map(node => this.places.get(node.id)), x = mean(at.map(p => p[0])), y = mean(at.map(p => p[1]));
      const r = Math.max(...at.map(p => Math.hypot((p[0] - x) / this.stretch, p[1] - y))) + 34;
      return { group, x, y, r, name: names[group] };
    });
    this.cy.add(this.regions.map(({ group, x, y, r, name }) => ({ group: 'nodes', classes: 'region', data: { id: 'region ' + group, group, wide: 2 * this.stretch * r, high: 2 * r, label: cut(name, 44), font: NAME }, position: { x, y }, grabbable: false, selectable: false })));
  }
  fit(ids = null, animate = false) {
    const wanted = ids && new Set(ids), at = this.nodes.filter(node => !wanted || wanted.has(node.id)).map(node => this.cy.getElementById(node.id)).filter(one => one.nonempty() && !one.hasClass('hidden')).map(one => [one.position('x'), one.position('y')]), around = ids || this.staged ? [] : this.regions;
    if (!at.length) return;
    const span = (axis, reach) => [...at.map(p => [p[axis] - 16, p[axis] + 16]), ...around.map(reach)].reduce(([low, high], [a, b]) => [Math.min(low, a), Math.max(high, b)], [Infinity, -Infinity]);
    const [x1, x2] = span(0, one => [one.x - this.stretch * one.r, one.x + this.stretch * one.r]), [y1, y2] = span(1, one => [one.y - one.r, one.y + one.r]), box = { x1, x2, y1, y2, w: x2 - x1, h: y2 - y1 }, room = ids ? 180 : 92, zoom = Math.min(1.5, (this.cy.width() - room) / Math.max(box.w, 60), (this.cy.height() - room) / Math.max(box.h, 60));
    const pan = { x: this.cy.width() / 2 - zoom * (box.x1 + box.x2) / 2, y: (this.cy.height() - 24) / 2 - zoom * (box.y1 + box.y2) / 2 };
    this.whole = ids ? null : { zoom, pan };
    if (animate && !still.matches) this.cy.animate({ zoom, pan, duration: 300 }); else this.cy.viewport({ zoom, pan });
  }
  zoomBy(by) { this.cy.zoom({ level: this.cy.zoom() * by, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } }); }
  // Chooses the labels that have room, once the picture stands still.
  later() {
    this.place.dataset.still = 'no';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.label(); this.place.dataset.still = 'yes'; }, 90);
  }
  label() {
    const { cy } = this, zoom = cy.zoom(), wide = cy.width(), high = cy.height(), taken = [], font = size => Math.max(size / zoom, size / 1.6);
    const write = (one, kind, box) => { taken.push(box); this.labels.push({ ...box, kind, text: one.data('label') }); if (one.data('font') !== font(box.size)) one.data('font', font(box.size)); };
    const free = box => box.x + box.w / 2 > 0 && box.y > 0 && box.x - box.w / 2 < wide && box.y < high && !taken.some(other => Math.abs(box.x - other.x) * 2 < box.w + other.w && Math.abs(box.y - other.y) * 2 < box.h + other.h);
    const named = cy.collection(), length = (text, size) => { this.ink.font = `600 ${size}px system-ui, sans-serif`; return this.ink.measureText(text).width; };
    this.labels = [];
    cy.startBatch();
    cy.elements('.named').removeClass('named');
    // Far away, nodes shrink less than the distances between them.
    const grow = Math.max(1, Math.min(4, zoom ** -0.6));
    if (this.grown !== grow || this.fresh) { cy.nodes('[name]').forEach(one => { one.data('size', one.data('full') * grow); }); this.grown = grow; this.fresh = false; }
    const add = one => one.addClass('named');
    for (const one of cy.nodes('.region').not('.hidden')) {
      const { x, y } = one.renderedPosition(), box = { x, y: y - one.renderedHeight() / 2 - 7, w: length(one.data('label'), NAME) + 4, h: NAME + 3, size: NAME };
      // The buttons lie over the top of the picture.
      if (box.w < one.renderedWidth() && box.y > 48 && free(box)) { write(one, 'community', box); add(one); }
    }
    const first = one => (one.hasClass('chosen') ? 4 : 0) + (this.near?.has(one) ? 2 : 0) + one.data('importance');
    const shown = cy.nodes('[name]').not('.hidden').filter(one => { const { x, y } = one.renderedPosition(); return x > 0 && y > 0 && x < wide && y < high; }).sort((a, b) => first(b) - first(a));
    const discs = shown.length > 250 ? [] : shown.map(one => ({ ...one.renderedPosition(), w: one.renderedWidth() * 0.8, h: one.renderedHeight() * 0.8 }));
    for (const one of shown.slice(0, MOST_LABELS * 2)) {
      if (this.labels.length > MOST_LABELS) break;
      const { x, y } = one.renderedPosition(), size = NAME, k = font(size) * zoom / size, box = { x, y: y + one.renderedHeight() / 2 + 3 * zoom + size * k / 2, w: (length(one.data('label'), size) + 4) * k, h: (size + 3) * k, size };
      if (!free(box) && !one.hasClass('chosen')) continue;
      write(one, 'name', box); add(one);
    }
    taken.push(...discs);
    if (cy.edges().length <= MANY || zoom > 0.7) for (const one of cy.edges().not('.hidden').sort((a, b) => b.hasClass('near') - a.hasClass('near'))) {
      if (this.labels.length > MOST_LABELS) break;
      const a = one.source().renderedPosition(), b = one.target().renderedPosition(), { x, y } = one.renderedMidpoint(), angle = Math.atan2(b.y - a.y, b.x - a.x), size = RELATION, k = font(size) * zoom / size;
      const text = length(one.data('label'), size) * k, room = Math.hypot(b.x - a.x, b.y - a.y) - 0.6 * (one.source().renderedWidth() + one.target().renderedWidth());
      // A turned text covers a row of small squares rather than the whole box around it.
      const side = size * k + 2, count = Math.max(1, Math.ceil(text / side)), squares = Array.from({ length: count }, (_, at) => { const far = (at + 0.5) / count * text - text / 2; return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle), w: side, h: side, size }; });
      if (one.hasClass('faint') || text > room + 22 || !squares.every(free)) continue;
      write(one, 'relation', { ...squares[count >> 1], x, y }); taken.push(...squares); add(one);
    }
    cy.endBatch();
  }
  png() { return this.cy.png({ output: 'blob', full: true, scale: 2, bg: token('paper'), maxWidth: 6000, maxHeight: 6000 }); }
  svg() {
    const cy = this.cy, seen = cy.elements().not('.hidden'), box = seen.boundingBox(), paper = token('paper'), ink = token('ink'), soft = token('soft'), safe = text => text.replace(/[&<>"]/g, one => `&#${one.charCodeAt(0)};`);
    const text = (one, x, y, fill, turn = '') => one.hasClass('named') ? `<text x="${x}" y="${y}" font-size="${one.data('font')}" fill="${fill}" stroke="${paper}" stroke-width="3" paint-order="stroke" text-anchor="middle"${turn}>${safe(one.data('label'))}</text>` : '';
    const regions = seen.nodes('.region').map(one => `<ellipse cx="${one.position('x')}" cy="${one.position('y')}" rx="${one.width() / 2}" ry="${one.height() / 2}" fill="${soft}" fill-opacity=".07"/>`);
    const edges = seen.edges().map(one => {
      const a = one.sourceEndpoint(), b = one.targetEndpoint(), [bend] = one.controlPoints() || [], mid = one.midpoint(), turn = Math.atan2(b.y - a.y, b.x - a.x) * 180 / Math.PI, flat = Math.abs(turn) > 90 ? turn - 180 : turn;
      const colour = one.hasClass('denied') ? token('bad') : soft;
      return `<path d="M${a.x} ${a.y} ${bend ? `Q${bend.x} ${bend.y} ` : 'L'}${b.x} ${b.y}" fill="none" stroke="${colour}" stroke-opacity=".6" stroke-width="${one.data('wide')}" marker-end="url(#tip)"${one.hasClass('unsure') ? ' stroke-dasharray="5 4"' : ''}/>` + text(one, mid.x, mid.y, soft, ` transform="rotate(${flat} ${mid.x} ${mid.y})" dy="3.5"`);
    });
    const nodes = seen.nodes('[name]').map(one => {
      const { x, y } = one.position(), r = one.width() / 2, { shape } = this.look(one.data('type')), fill = this.colour(one.data('type'));
      const drawn = shape.length ? `<polygon points="${shape.map(([h, v]) => `${x + r * h / REACH},${y + r * v / REACH}`).join(' ')}" fill="${fill}"/>` : `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
      return drawn + text(one, x, y + r + 3 + one.data('font'), ink);
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.x1 - 20} ${box.y1 - 20} ${box.w + 40} ${box.h + 40}" font-family="system-ui, sans-serif"><defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${soft}"/></marker></defs><rect x="${box.x1 - 20}" y="${box.y1 - 20}" width="${box.w + 40}" height="${box.h + 40}" fill="${paper}"/>${[...regions, ...edges, ...nodes].join('\n')}</svg>`;
  }
}

const mean = list => list.reduce((sum, one) => sum + one, 0) / list.length;

// Edges between the same two nodes together; those of the chosen node one by one.
function bundled(edges, chosen) {
  const found = new Map();
  // What is said of a node and itself is in the panel.
  for (const edge of edges.filter(({ s, o }) => s !== o)) {
    const key = chosen !== null && (edge.s === chosen || edge.o === chosen) ? edge.id : edge.s < edge.o ? `${edge.s} ${edge.o}` : `${edge.o} ${edge.s}`;
    if (found.has(key)) found.get(key).push(edge); else found.set(key, [edge]);
  }
  return found.values();
}
// The words of a line: its relations, each with the reservation of the text.
function said(bundle) {
  const words = [...new Set(bundle.map(edge => edge.stance === 'asserted' ? edge.relation : `${edge.relation} (${edge.stance})`))];
  return words.slice(0, 2).join(' · ') + (words.length > 2 ? ` +${words.length - 2}` : '');
}

// Communities find their centres as discs, then nodes find their places around these. The same graph gets the same picture.
function* arrangement(nodes, edges, places, pinned, stretch) {
  const { forceSimulation, forceLink, forceManyBody, forceCollide, forceX, forceY } = tupeloLibrary.force;
  const gap = nodes.length <= FEW ? 112 : nodes.length <= 200 ? 80 : nodes.length <= MANY ? 56 : 34, groups = new Map();
  for (const { community } of nodes) groups.set(community, (groups.get(community) || 0) + 1);
  const home = new Map(nodes.map(node => [node.id, node.community])), discs = [...groups].map(([id, size]) => ({ id, r: gap * (0.25 + 0.56 * Math.sqrt(size)) })), between = new Map();
  for (const { s, o } of edges) {
    const [a, b] = [home.get(s), home.get(o)];
    if (a !== b) between.set(`${a} ${b}`, { source: a, target: b });
  }
  const tie = forceLink([...between.values()]).id(one => one.id).distance(link => link.source.r + link.target.r).strength(0.3);
  const outline = forceSimulation(discs).force('tie', tie).force('x', forceX().strength(0.12)).force('y', forceY().strength(0.14)).force('apart', forceCollide(one => one.r + 0.22 * gap).iterations(4)).stop();
  for (let round = 0; round < TICKS; round++) { outline.tick(); yield; }
  const centre = new Map(discs.map(one => [one.id, one])), bodies = nodes.map((node, at) => {
    const { x, y, r } = centre.get(node.community), turn = at * 2.39996, far = r * Math.sqrt((at % 17) / 17), known = pinned.has(node.id) && places.get(node.id);
    return { id: node.id, group: node.community, x: x + far * Math.cos(turn), y: y + far * Math.sin(turn), ...(known ? { fx: known[0] / stretch, fy: known[1] } : {}) };
  });
  const links = edges.filter(({ s, o }) => s !== o).map(({ s, o }) => ({ source: s, target: o, own: home.get(s) === home.get(o) }));
  // Many nodes cool down sooner.
  const ticks = Math.round(Math.max(70, Math.min(TICKS, 160000 / nodes.length))), simulation = forceSimulation(bodies).alphaDecay(1 - 0.001 ** (1 / ticks))
    .force('link', forceLink(links).id(one => one.id).distance(nodes.length <= FEW ? 1.3 * gap : 1.1 * gap).strength(link => link.own ? 0.35 : 0.02))
    .force('push', forceManyBody().strength(-2.6 * gap).distanceMax(7 * gap))
    .force('apart', forceCollide(0.5 * gap)).force('x', forceX(one => centre.get(one.group).x).strength(0.09)).force('y', forceY(one => centre.get(one.group).y).strength(0.11)).stop();
  for (let round = 0; round < ticks; round++) { simulation.tick(); yield; }
  for (const one of bodies) places.set(one.id, [stretch * one.x, one.y]);
}
