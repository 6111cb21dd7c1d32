// The picture: communities as discs, edges as lines, nodes as shapes with their names, on a canvas of the size of its box.
import { Swift, packed, rgb } from './swift.js';

const PAPER = { light: '#f7f9fb', dark: '#11161c' };
const INK = {
  light: { text: '#0f172a', soft: '#5b6878', line: '#64748b', own: '#334155', denied: '#b91c1c', chosen: '#b45309', faint: '#d3dae2', region: '#eef2f6', rim: '#d5dde6' },
  dark: { text: '#e6edf3', soft: '#9aa8b6', line: '#8b9bab', own: '#cbd5e1', denied: '#f87171', chosen: '#fbbf24', faint: '#39434e', region: '#1a212a', rim: '#303b47' },
};
const CHUNK = 1000, MOST_NAMES = 140, MOST_RELATIONS = 90, READABLE = 260, MANY = 800;
export const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;

export class Picture {
  constructor(canvas, types) {
    this.canvas = canvas;
    // For whoever looks from outside at what is drawn.
    canvas.picture = this;
    this.context = canvas.getContext('2d', { alpha: false });
    this.types = types; this.typeAt = new Map(types.map((type, i) => [type.name, i]));
    this.zoom = 1; this.left = 0; this.top = 0;
    this.nodes = []; this.bundles = []; this.buckets = []; this.order = []; this.regions = []; this.labels = []; this.widths = new Map();
    this.shown = new Float32Array(0); this.goal = new Float32Array(0); this.ends = new Int32Array(0); this.across = new Uint8Array(0);
    this.index = new Map(); this.near = new Set();
    this.selected = null; this.hovered = null; this.edge = null;
    this.wanted = false; this.waiting = false; this.fit = true; this.swift = new Swift(); this.busy = 0;
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', () => this.ask());
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }
  get tone() { return this.dark.matches ? 'dark' : 'light'; }
  resize() {
    const box = this.canvas.getBoundingClientRect(), scale = Math.min(devicePixelRatio || 1, 2);
    this.width = box.width; this.height = box.height; this.scale = scale;
    this.canvas.width = Math.max(1, Math.round(box.width * scale));
    this.canvas.height = Math.max(1, Math.round(box.height * scale));
    this.ask();
  }
  // `places` has a point for every node; edges between the same two nodes are drawn as one.
  setGraph(nodes, edges, places) {
    this.nodes = nodes;
    this.index = new Map(nodes.map((node, i) => [node.id, i]));
    const bundles = new Map();
    for (const edge of edges) {
      const s = this.index.get(edge.s), o = this.index.get(edge.o), a = Math.min(s, o), b = Math.max(s, o), key = a * nodes.length + b;
      if (!bundles.has(key)) bundles.set(key, { a, b, edges: [], forth: false, back: false, sure: 0, stance: edge.stance });
      const bundle = bundles.get(key);
      bundle.edges.push(edge);
      if (s === a) bundle.forth = true; else bundle.back = true;
      bundle.sure = Math.max(bundle.sure, edge.confidence);
      if (edge.stance === 'asserted') bundle.stance = 'asserted';
    }
    this.bundles = [...bundles.values()];
    this.ends = Int32Array.from(this.bundles.flatMap(bundle => [bundle.a, bundle.b]));
    this.across = Uint8Array.from(this.bundles, ({ a, b }) => nodes[a].community !== nodes[b].community);
    const small = nodes.length < 200 ? 5 : nodes.length < 700 ? 4 : 3;
    this.radius = Float32Array.from(nodes, node => small + 10 * Math.sqrt(node.importance));
    this.colour = Uint8Array.from(nodes, node => this.typeAt.get(node.type) ?? 0);
    this.order = nodes.map((_, i) => i).sort((a, b) => nodes[b].importance - nodes[a].importance || a - b);
    this.main = new Set(this.order.slice(0, Math.max(3, Math.min(12, nodes.length / 8))));
    this.shown = Float32Array.from(places); this.goal = Float32Array.from(places);
    this.buckets = this.grouped();
    this.select(this.selected);
  }
  // Edges that look the same are drawn in one go; the picture of thousands is then a matter of milliseconds.
  grouped() {
    const made = new Map();
    this.bundles.forEach((bundle, k) => {
      const across = this.across[k], sure = bundle.sure >= 0.8 ? 3 : bundle.sure >= 0.5 ? 2 : 1, key = bundle.stance + sure + across;
      if (!made.has(key)) made.set(key, { stance: bundle.stance, across, alpha: [0, 0.5, 0.7, 0.95][sure], list: [] });
      made.get(key).list.push(k);
    });
    return [...made.values()];
  }
  moveTo(places) { this.goal = places; this.waiting = false; this.ask(); }
  select(id) {
    this.selected = id !== null && this.index.has(id) ? id : null;
    this.near = new Set();
    const at = this.selected === null ? -1 : this.index.get(this.selected);
    if (at >= 0) {
      for (const { a, b } of this.bundles) { if (a === at) this.near.add(b); if (b === at) this.near.add(a); }
      this.near.add(at);
    }
    this.ask();
  }
  ask() {
    if (this.wanted) return;
    this.wanted = true;
    if (this.canvas.dataset.still !== 'no') this.canvas.dataset.still = 'no';
    requestAnimationFrame(() => { this.wanted = false; this.draw(); if (!this.wanted) this.canvas.dataset.still = 'yes'; });
  }
  toScreen(i) { return [this.shown[2 * i] * this.zoom + this.left, this.shown[2 * i + 1] * this.zoom + this.top]; }
  toWorld(px, py) { return [(px - this.left) / this.zoom, (py - this.top) / this.zoom]; }
  fitAll(places = this.goal) {
    let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
    for (let i = 0; i < places.length; i += 2) {
      l = Math.min(l, places[i]); r = Math.max(r, places[i]);
      t = Math.min(t, places[i + 1]); b = Math.max(b, places[i + 1]);
    }
    for (const one of this.regions) {
      l = Math.min(l, one.x - one.r + 40); r = Math.max(r, one.x + one.r - 40);
      t = Math.min(t, one.y - one.r); b = Math.max(b, one.y + one.r);
    }
    this.fitBox(l, t, r, b);
  }
  fitBox(l, t, r, b) {
    if (l > r) return;
    // Names stick out at the sides; the legend is below.
    const side = 60, above = 34, below = 74;
    this.zoom = Math.max(0.02, Math.min(1.6, (this.width - 2 * side) / Math.max(r - l, 40), (this.height - above - below) / Math.max(b - t, 40)));
    this.left = this.width / 2 - this.zoom * (l + r) / 2;
    this.top = (this.height + above - below) / 2 - this.zoom * (t + b) / 2;
  }
  // Shows these nodes as large as the box allows.
  centre(ids) {
    let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
    for (const id of ids) {
      const i = this.index.get(id);
      if (i === undefined) continue;
      l = Math.min(l, this.goal[2 * i]); r = Math.max(r, this.goal[2 * i]);
      t = Math.min(t, this.goal[2 * i + 1]); b = Math.max(b, this.goal[2 * i + 1]);
    }
    this.fit = false;
    this.fitBox(l, t, r, b);
    this.ask();
  }
  zoomAt(factor, px, py) {
    const next = Math.min(8, Math.max(0.02, this.zoom * factor));
    this.left = px - (px - this.left) * next / this.zoom;
    this.top = py - (py - this.top) * next / this.zoom;
    this.zoom = next; this.fit = false;
    this.hurry();
  }
  nodeAt(px, py) {
    let best = -1, least = 1;
    for (let i = 0; i < this.nodes.length; i++) {
      const [x, y] = this.toScreen(i), r = Math.max(7, this.discOf(i)) + 3;
      const d = ((px - x) ** 2 + (py - y) ** 2) / (r * r);
      if (d < least) { least = d; best = i; }
    }
    return best;
  }
  bundleAt(px, py) {
    let best = null, least = 36;
    for (const bundle of this.bundles) {
      const [ax, ay] = this.toScreen(bundle.a), [bx, by] = this.toScreen(bundle.b);
      const dx = bx - ax, dy = by - ay, t = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1);
      if (t < 0 || t > 1) continue;
      const d = (px - ax - t * dx) ** 2 + (py - ay - t * dy) ** 2;
      if (d < least) { least = d; best = bundle; }
    }
    return best;
  }
  regionAt(px, py) {
    const [x, y] = this.toWorld(px, py);
    return this.regions.find(region => Math.hypot(x - region.x, y - region.y) < region.r) || null;
  }
  discOf(i) { return this.radius[i] * Math.min(1.6, Math.max(0.4, Math.sqrt(this.zoom))); }
  // What is shown follows what was computed, a part of the way in every frame: motion stays even.
  follow() {
    let far = 0;
    for (let i = 0; i < this.shown.length; i++) {
      const d = this.goal[i] - this.shown[i];
      this.shown[i] += d * 0.25;
      far = Math.max(far, Math.abs(d));
    }
    if (far * this.zoom > 0.3) return true;
    this.shown.set(this.goal);
    return false;
  }
  draw() {
    const pen = this.context, ink = INK[this.tone], again = this.follow();
    if (this.fit) this.fitAll(this.shown);
    const held = performance.now() < this.busy, hurry = (again || held || this.waiting) && this.bundles.length > MANY;
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    if (hurry) this.drawSwiftly(pen, ink);
    else {
      pen.fillStyle = PAPER[this.tone];
      pen.fillRect(0, 0, this.width, this.height);
      this.drawRegions(pen, ink);
      this.drawEdges(pen, ink);
      this.drawNodes(pen, ink);
    }
    this.drawLabels(pen, ink, hurry, again);
    if (again || held) this.ask();
  }
  // Moving by hand counts as moving for a moment longer.
  hurry() { this.busy = performance.now() + 160; this.ask(); }
  drawSwiftly(pen, ink) {
    const { swift, shown, ends, zoom: z, left: l, top: t } = this, chosen = this.selected !== null;
    // Coarse lines for a picture of thousands, and none between communities, which are faint anyway: in motion the eye
    // hardly sees the difference.
    const grain = this.bundles.length > 2500 ? 2 : 1;
    swift.begin(this.width, this.height, grain, PAPER[this.tone], ink.line);
    const weight = chosen ? 22 : grain > 1 ? 38 : 90;
    const at = chosen ? this.index.get(this.selected) : -1;
    for (let k = 0; k < ends.length; k += 2) {
      const a = ends[k], b = ends[k + 1], own = a === at || b === at;
      if (grain > 1 && !own && this.across[k / 2]) continue;
      swift.line(shown[2 * a] * z + l, shown[2 * a + 1] * z + t, shown[2 * b] * z + l, shown[2 * b + 1] * z + t, own ? 230 : weight);
    }
    swift.shade();
    const faint = packed(ink.faint), colours = this.types.map(type => packed(type[this.tone]));
    for (let i = 0; i < this.nodes.length; i++) {
      swift.disc(shown[2 * i] * z + l, shown[2 * i + 1] * z + t, Math.max(1.2, this.discOf(i)),
        chosen && !this.near.has(i) ? faint : colours[this.colour[i]]);
    }
    swift.show(pen);
  }
  drawRegions(pen, ink) {
    for (const { x, y, r } of this.regions) {
      pen.beginPath(); pen.arc(x * this.zoom + this.left, y * this.zoom + this.top, r * this.zoom, 0, 6.2832);
      pen.fillStyle = ink.region; pen.fill();
      pen.strokeStyle = ink.rim; pen.lineWidth = 1; pen.stroke();
    }
  }
  drawEdges(pen, ink) {
    const chosen = this.selected !== null, many = this.bundles.length > MANY, x = this.shown, z = this.zoom, l = this.left, t = this.top;
    pen.lineCap = 'butt';
    pen.lineWidth = many ? 0.7 : 1.1;
    this.visible = [];
    for (const bucket of this.buckets) {
      // Lines within communities tell more than the many between them.
      pen.globalAlpha = bucket.alpha * (chosen ? 0.25 : many ? (bucket.across ? 0.16 : 0.6) : bucket.across ? 0.55 : 0.85);
      pen.strokeStyle = bucket.stance === 'denied' ? ink.denied : ink.line;
      pen.setLineDash(bucket.stance === 'asserted' ? [] : [5, 4]);
      let waiting = 0;
      pen.beginPath();
      for (const k of bucket.list) {
        const a = 2 * this.ends[2 * k], b = 2 * this.ends[2 * k + 1];
        const ax = x[a] * z + l, ay = x[a + 1] * z + t, bx = x[b] * z + l, by = x[b + 1] * z + t;
        if ((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > this.width && bx > this.width) || (ay > this.height && by > this.height)) continue;
        pen.moveTo(ax, ay); pen.lineTo(bx, by);
        if (this.visible.length <= READABLE) this.visible.push(k);
        if (++waiting === CHUNK) { pen.stroke(); pen.beginPath(); waiting = 0; }
      }
      if (waiting) pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    // Few edges are read one by one, many as a whole.
    const at = chosen ? this.index.get(this.selected) : -1, readable = this.visible.length <= READABLE && !chosen;
    this.read = (readable ? this.visible.map(k => this.bundles[k]) : this.bundles.filter(({ a, b, edges }) => a === at || b === at || edges.includes(this.edge)))
      .sort((one, other) => other.edges.includes(this.edge) - one.edges.includes(this.edge) || this.weight(other) - this.weight(one));
    for (const bundle of this.read.slice().reverse()) this.drawRead(pen, ink, bundle, !readable);
  }
  weight({ a, b, sure }) { return sure * Math.sqrt(this.nodes[a].importance * this.nodes[b].importance); }
  drawRead(pen, ink, bundle, strong) {
    const [ax, ay] = this.toScreen(bundle.a), [bx, by] = this.toScreen(bundle.b), own = bundle.edges.includes(this.edge);
    pen.strokeStyle = pen.fillStyle = own ? ink.chosen : bundle.stance === 'denied' ? ink.denied : strong ? ink.own : ink.line;
    if (strong || own) {
      pen.lineWidth = own ? 2.4 : 1.4;
      pen.setLineDash(bundle.stance === 'asserted' ? [] : [5, 4]);
      pen.beginPath(); pen.moveTo(ax, ay); pen.lineTo(bx, by); pen.stroke();
      pen.setLineDash([]);
    }
    for (const [there, x, y, angle, i] of [[bundle.forth, bx, by, Math.atan2(by - ay, bx - ax), bundle.b], [bundle.back, ax, ay, Math.atan2(ay - by, ax - bx), bundle.a]]) {
      if (!there || bundle.a === bundle.b) continue;
      const back = 1.25 * this.discOf(i) + 2, tip = [x - Math.cos(angle) * back, y - Math.sin(angle) * back], long = strong ? 9 : 7;
      pen.beginPath(); pen.moveTo(...tip);
      for (const turn of [0.4, -0.4]) pen.lineTo(tip[0] - long * Math.cos(angle + turn), tip[1] - long * Math.sin(angle + turn));
      pen.fill();
    }
  }
  drawNodes(pen, ink) {
    const groups = this.types.map(() => []);
    for (let i = 0; i < this.nodes.length; i++) groups[this.colour[i]].push(i);
    groups.forEach((list, at) => {
      for (const faded of this.selected === null ? [false] : [true, false]) {
        pen.fillStyle = this.types[at][this.tone]; pen.globalAlpha = faded ? 0.22 : 1;
        pen.beginPath();
        for (const i of list) {
          if (this.selected !== null && this.near.has(i) === faded) continue;
          const [x, y] = this.toScreen(i), r = this.discOf(i);
          if (x < -r || y < -r || x > this.width + r || y > this.height + r) continue;
          trace(pen, this.types[at].shape, x, y, r);
        }
        // A rim of paper keeps shapes apart from lines and from each other.
        pen.strokeStyle = PAPER[this.tone]; pen.lineWidth = this.nodes.length > 700 ? 0.8 : 2;
        pen.stroke(); pen.fill();
      }
    });
    pen.globalAlpha = 1;
    for (const id of [this.selected, this.hovered]) {
      const i = id === null ? undefined : this.index.get(id);
      if (i === undefined) continue;
      const [x, y] = this.toScreen(i);
      pen.strokeStyle = ink.text; pen.lineWidth = 2;
      pen.beginPath(); pen.arc(x, y, 1.3 * this.discOf(i) + 3, 0, 6.2832); pen.stroke();
    }
  }
  // What is written: what was pointed at, communities, names by importance, relations; each only where it covers
  // nothing that is written already.
  drawLabels(pen, ink, hurry, moving) {
    this.labels = [];
    pen.textAlign = 'center'; pen.textBaseline = 'middle';
    const at = id => id === null ? undefined : this.index.get(id), first = [at(this.hovered), at(this.selected)].filter(i => i !== undefined);
    const shapes = hurry ? [] : this.shapes();
    for (const i of new Set(first)) this.writeName(pen, ink, i, '600 13px', 60, shapes, hurry, !this.labels.length);
    if (!hurry) this.writeRegions(pen, ink);
    const rest = this.selected === null ? this.order : this.order.filter(i => this.near.has(i));
    const most = hurry ? 12 : MOST_NAMES;
    let tried = 0;
    for (const i of rest) {
      if (this.labels.length >= most || tried > 2 * most) break;
      const [x, y] = this.toScreen(i);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      tried++;
      if (!first.includes(i)) this.writeName(pen, ink, i, this.main.has(i) ? '600 13px' : '12px', 30, shapes, hurry, false);
    }
    if (!hurry && !moving) this.writeRelations(pen, ink, shapes);
  }
  font(pen, look) { pen.font = this.look = look + ' system-ui, sans-serif'; }
  wide(pen, text) {
    const key = this.look + text;
    if (!this.widths.has(key)) this.widths.set(key, pen.measureText(text).width);
    return this.widths.get(key);
  }
  // Writes a text around a point unless something is there; `angle` turns it.
  write(pen, text, x, y, wide, colour, { kind, angle = 0, quick = false, force = false, shapes = [] }) {
    const label = { kind, text, x, y, w: wide + 4, h: 15, angle };
    const c = Math.abs(Math.cos(angle)) * wide / 2, outside = x - c < 0 || x + c > this.width || y < 8 || y > this.height - 8;
    if (!force && (outside || this.labels.some(other => covers(label, other)) || shapes.some(other => covers(label, other)))) return false;
    this.labels.push(label);
    pen.save();
    pen.translate(x, y);
    if (angle) pen.rotate(angle);
    // A line would show between the words of its label.
    if (kind === 'relation') { pen.fillStyle = this.regionAt(x, y) ? INK[this.tone].region : PAPER[this.tone]; pen.fillRect(-wide / 2 - 2, -7, wide + 4, 14); }
    // The halo costs more than the name; in motion nobody misses it.
    else if (!quick) { pen.lineJoin = 'round'; pen.lineWidth = 3.5; pen.strokeStyle = PAPER[this.tone]; pen.strokeText(text, 0, 0); }
    pen.fillStyle = colour;
    pen.fillText(text, 0, 0);
    pen.restore();
    return true;
  }
  // Shapes that no text should cover, where there are few.
  shapes() {
    return this.nodes.length > 250 ? [] : this.nodes.map((_, i) => {
      const [x, y] = this.toScreen(i), r = 2 * this.discOf(i);
      return { x, y, w: r, h: r, angle: 0 };
    });
  }
  writeName(pen, ink, i, look, most, shapes, quick, force) {
    this.font(pen, look);
    const [x, y] = this.toScreen(i), text = cut(this.nodes[i].name, most), wide = this.wide(pen, text), r = 1.3 * this.discOf(i) + 9;
    const side = r - 2 + wide / 2, near = 0.8 * r;
    const places = [[x, y + r], [x, y - r], [x + side, y], [x - side, y], ...[[1, 1], [-1, 1], [1, -1], [-1, -1]].map(([h, v]) => [x + 0.7 * h * side, y + v * near])];
    for (const avoided of shapes.length && !force ? [shapes, []] : [[]]) {
      for (const [px, py] of quick || force ? places.slice(0, 1) : places) {
        if (this.write(pen, text, px, py, wide, ink.text, { kind: 'name', quick, force, shapes: avoided })) return;
      }
    }
  }
  writeRegions(pen, ink) {
    this.font(pen, '600 11px');
    for (const { x, y, r, name } of this.regions) {
      if (!name || r * this.zoom < 34 || this.regions.length < 2) continue;
      const text = cut(name, 44), wide = this.wide(pen, text);
      if (wide < 2.4 * r * this.zoom) this.write(pen, text, x * this.zoom + this.left, (y - r) * this.zoom + this.top - 8, wide, ink.soft, { kind: 'community' });
    }
  }
  writeRelations(pen, ink, shapes) {
    let written = 0;
    for (const bundle of this.read) {
      if (written >= MOST_RELATIONS) break;
      const [ax, ay] = this.toScreen(bundle.a), [bx, by] = this.toScreen(bundle.b), own = bundle.edges.includes(this.edge);
      this.font(pen, own ? '600 12px' : '10.5px');
      const long = Math.hypot(bx - ax, by - ay), from = 1.2 * this.discOf(bundle.a), to = long - 1.2 * this.discOf(bundle.b), room = to - from - 10, whole = named(bundle);
      const angle = Math.atan2(by - ay, bx - ax), upright = Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle;
      const colour = own ? ink.chosen : bundle.stance === 'denied' ? ink.denied : ink.soft;
      const put = (text, turn) => [0.5, 0.38, 0.62].some(part => {
        const at = (from + part * (to - from)) / long;
        return this.write(pen, text, ax + at * (bx - ax), ay + at * (by - ay), this.wide(pen, text), colour, { kind: 'relation', angle: turn, shapes });
      });
      // Along the line or across a steep one, or else as much of it as the line has room for, if that says anything.
      let text = cut(whole, 36);
      const fits = this.wide(pen, text) <= room, steep = Math.abs(Math.sin(angle)) > 0.7 && long > 40;
      if ((fits && put(text, upright)) || (steep && put(text, 0))) { written++; continue; }
      while (this.wide(pen, text) > room && text.length > 8) text = cut(whole, text.length - 1);
      if (this.wide(pen, text) <= room && put(text, upright)) written++;
    }
  }
}

// What a line between two nodes says, and under which reservation.
function named(bundle) {
  const words = [...new Set(bundle.edges.map(edge => edge.stance === 'asserted' ? edge.relation : `${edge.relation} (${edge.stance})`))];
  return words.slice(0, 2).join(' · ') + (words.length > 2 ? ` +${words.length - 2}` : '');
}
function trace(pen, shape, x, y, r) {
  if (!shape.length) { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 6.2832); return; }
  shape.forEach(([dx, dy], k) => k ? pen.lineTo(x + r * dx, y + r * dy) : pen.moveTo(x + r * dx, y + r * dy));
  pen.closePath();
}
// Whether two boxes, each turned around its middle, have a point in common: no line along a side separates them.
function covers(one, other) {
  const dx = other.x - one.x, dy = other.y - one.y;
  if (!one.angle && !other.angle) return 2 * Math.abs(dx) <= one.w + other.w && 2 * Math.abs(dy) <= one.h + other.h;
  if (Math.abs(dx) + Math.abs(dy) > one.w + one.h + other.w + other.h) return false;
  for (const angle of [one.angle, one.angle + Math.PI / 2, other.angle, other.angle + Math.PI / 2]) {
    const c = Math.cos(angle), s = Math.sin(angle);
    const reach = box => (box.w * Math.abs(c * Math.cos(box.angle) + s * Math.sin(box.angle)) + box.h * Math.abs(s * Math.cos(box.angle) - c * Math.sin(box.angle))) / 2;
    if (Math.abs(dx * c + dy * s) > reach(one) + reach(other)) return false;
  }
  return true;
}
