// The picture: edges as lines, nodes as discs with their names, drawn on a canvas of the size of its box.
const PALETTE = {
  light: ['#0f766e', '#b45309', '#1d4ed8', '#be185d', '#6d28d9', '#4d7c0f', '#b91c1c', '#0e7490', '#64748b'],
  dark: ['#2dd4bf', '#fbbf24', '#7aa2ff', '#f472b6', '#b794f6', '#a3e635', '#f87171', '#22d3ee', '#94a3b8'],
};

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.zoom = 1; this.left = 0; this.top = 0;
    this.nodes = []; this.edges = []; this.shown = new Float32Array(0); this.goal = new Float32Array(0);
    this.index = new Map(); this.near = new Set();
    this.types = []; this.buckets = []; this.order = []; this.ends = new Int32Array(0);
    this.radius = new Float32Array(0); this.colour = new Uint8Array(0);
    this.selected = null; this.hovered = null; this.edge = null;
    this.moving = false; this.wanted = false; this.fit = true;
    this.swift = new Swift(); this.busy = 0;
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', () => this.ask());
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }
  resize() {
    const box = this.canvas.getBoundingClientRect(), scale = Math.min(devicePixelRatio || 1, 2);
    this.width = box.width; this.height = box.height; this.scale = scale;
    this.canvas.width = Math.max(1, Math.round(box.width * scale));
    this.canvas.height = Math.max(1, Math.round(box.height * scale));
    this.ask();
  }
  // `types` gives every type its colour, by its place in the list.
  setGraph(nodes, edges, positions, types) {
    this.nodes = nodes; this.edges = edges; this.types = types;
    this.index = new Map(nodes.map((node, i) => [node.id, i]));
    this.ends = new Int32Array(2 * edges.length);
    edges.forEach((edge, k) => { this.ends[2 * k] = this.index.get(edge.s); this.ends[2 * k + 1] = this.index.get(edge.o); });
    this.radius = Float32Array.from(nodes, node => (nodes.length < 400 ? 4.6 : 3.2) + 1.5 * Math.sqrt(Math.min(node.degree, 150)));
    const last = PALETTE.light.length - 1;
    this.colour = Uint8Array.from(nodes, node => { const at = types.indexOf(node.type); return at < 0 ? last : at % last; });
    this.order = nodes.map((_, i) => i).sort((a, b) => this.radius[b] - this.radius[a]);
    this.shown = Float32Array.from(positions); this.goal = Float32Array.from(positions);
    this.buckets = this.grouped();
    this.select(this.selected);
  }
  // Edges that look the same are drawn in one go; the picture of thousands is then a matter of milliseconds.
  grouped() {
    const made = new Map();
    this.edges.forEach((edge, k) => {
      const sure = edge.confidence >= 0.8 ? 3 : edge.confidence >= 0.5 ? 2 : 1, key = edge.stance + sure;
      if (!made.has(key)) made.set(key, { stance: edge.stance, alpha: [0, 0.5, 0.7, 0.95][sure], list: [] });
      made.get(key).list.push(k);
    });
    return [...made.values()];
  }
  moveTo(positions, done) {
    if (positions.length !== this.goal.length) return;
    this.goal = positions; this.moving = !done;
    this.ask();
  }
  select(id) {
    this.selected = id !== null && this.index.has(id) ? id : null;
    this.near = new Set();
    const at = this.selected === null ? -1 : this.index.get(this.selected);
    if (at >= 0) {
      for (let k = 0; k < this.edges.length; k++) {
        if (this.ends[2 * k] === at) this.near.add(this.ends[2 * k + 1]);
        if (this.ends[2 * k + 1] === at) this.near.add(this.ends[2 * k]);
      }
      this.near.add(at);
    }
    this.ask();
  }
  ask() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.draw(); });
  }
  toScreen(i) { return [this.shown[2 * i] * this.zoom + this.left, this.shown[2 * i + 1] * this.zoom + this.top]; }
  toWorld(px, py) { return [(px - this.left) / this.zoom, (py - this.top) / this.zoom]; }
  fitAll(positions = this.goal) {
    if (!positions.length) return;
    let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
    for (let i = 0; i < positions.length; i += 2) {
      l = Math.min(l, positions[i]); r = Math.max(r, positions[i]);
      t = Math.min(t, positions[i + 1]); b = Math.max(b, positions[i + 1]);
    }
    const room = 70;
    this.zoom = Math.min(2.2, (this.width - 2 * room) / Math.max(r - l, 40), (this.height - 2 * room) / Math.max(b - t, 40));
    this.zoom = Math.max(this.zoom, 0.02);
    this.left = this.width / 2 - this.zoom * (l + r) / 2;
    this.top = this.height / 2 - this.zoom * (t + b) / 2;
  }
  centre(id) {
    const i = this.index.get(id);
    if (i === undefined) return;
    this.fit = false;
    // As close as its neighbours allow.
    let far = 0.25;
    for (const j of this.selected === id ? this.near : []) {
      far = Math.max(far, Math.abs(this.goal[2 * j] - this.goal[2 * i]) / this.width, Math.abs(this.goal[2 * j + 1] - this.goal[2 * i + 1]) / this.height);
    }
    this.zoom = Math.max(this.zoom, Math.min(1.8, 0.42 / far));
    this.left = this.width / 2 - this.goal[2 * i] * this.zoom;
    this.top = this.height / 2 - this.goal[2 * i + 1] * this.zoom;
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
  edgeAt(px, py) {
    let best = -1, least = 36;
    for (let k = 0; k < this.edges.length; k++) {
      const [ax, ay] = this.toScreen(this.ends[2 * k]), [bx, by] = this.toScreen(this.ends[2 * k + 1]);
      const dx = bx - ax, dy = by - ay, t = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1);
      if (t < 0 || t > 1) continue;
      const d = (px - ax - t * dx) ** 2 + (py - ay - t * dy) ** 2;
      if (d < least) { least = d; best = k; }
    }
    return best;
  }
  discOf(i) { return this.radius[i] * Math.min(1.6, Math.max(0.35, Math.sqrt(this.zoom))); }
  // What is shown follows what was computed, a part of the way in every frame: motion stays even.
  follow() {
    let far = 0;
    for (let i = 0; i < this.shown.length; i++) {
      const d = this.goal[i] - this.shown[i];
      this.shown[i] += d * 0.3;
      far = Math.max(far, Math.abs(d));
    }
    return far * this.zoom > 0.3;
  }
  draw() {
    const pen = this.context, dark = this.dark.matches, begun = performance.now();
    const again = this.follow();
    if (this.fit) this.fitAll(this.shown);
    const hurry = (again || this.moving || begun < this.busy) && this.edges.length > 800;
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    if (hurry) this.drawSwiftly(pen, dark);
    else {
      pen.fillStyle = dark ? PAPER.dark : PAPER.light;
      pen.fillRect(0, 0, this.width, this.height);
      this.drawEdges(pen, dark);
      this.drawNodes(pen, dark);
    }
    this.drawNames(pen, dark, hurry);
    if (again || this.moving || hurry) this.ask();
  }
  // Moving by hand counts as moving for a moment longer.
  hurry() { this.busy = performance.now() + 160; this.ask(); }
  drawSwiftly(pen, dark) {
    const { swift, shown, ends, zoom: z, left: l, top: t } = this, chosen = this.selected !== null;
    // Coarse lines for a picture of thousands: half the steps, and in motion the eye hardly sees the difference.
    const grain = this.edges.length > 2500 ? 2 : 1;
    swift.begin(this.width, this.height, grain, dark ? PAPER.dark : PAPER.light, dark ? '#8b9bab' : '#64748b');
    const weight = chosen ? 22 : grain > 1 ? 38 : 90;
    const at = chosen ? this.index.get(this.selected) : -1;
    for (let k = 0; k < this.edges.length; k++) {
      const a = ends[2 * k], b = ends[2 * k + 1], own = a === at || b === at;
      swift.line(shown[2 * a] * z + l, shown[2 * a + 1] * z + t, shown[2 * b] * z + l, shown[2 * b + 1] * z + t, own ? 230 : weight);
    }
    swift.shade();
    const faint = packed(dark ? '#39434e' : '#d3dae2'), colours = PALETTE[dark ? 'dark' : 'light'].map(packed);
    for (let i = 0; i < this.nodes.length; i++) {
      swift.disc(shown[2 * i] * z + l, shown[2 * i + 1] * z + t, Math.max(1.2, this.discOf(i)),
        chosen && !this.near.has(i) ? faint : colours[this.colour[i]]);
    }
    swift.show(pen);
  }
  drawEdges(pen, dark) {
    const chosen = this.selected !== null, many = this.edges.length > 1500;
    const x = this.shown, z = this.zoom, l = this.left, t = this.top, ends = this.ends;
    const at = chosen ? this.index.get(this.selected) : -1;
    pen.lineCap = 'butt';
    pen.lineWidth = many ? 0.7 : 1;
    for (const bucket of this.buckets) {
      const fade = chosen ? 0.25 : many ? 0.55 : 0.8;
      pen.globalAlpha = bucket.alpha * fade;
      pen.strokeStyle = bucket.stance === 2 ? (dark ? '#f87171' : '#b91c1c') : dark ? '#8b9bab' : '#64748b';
      pen.setLineDash(many || bucket.stance === 0 ? [] : [5, 4]);
      let waiting = 0;
      pen.beginPath();
      for (const k of bucket.list) {
        const a = 2 * ends[2 * k], b = 2 * ends[2 * k + 1];
        const ax = x[a] * z + l, ay = x[a + 1] * z + t, bx = x[b] * z + l, by = x[b + 1] * z + t;
        if ((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > this.width && bx > this.width) || (ay > this.height && by > this.height)) continue;
        pen.moveTo(ax, ay); pen.lineTo(bx, by);
        if (++waiting === CHUNK) { pen.stroke(); pen.beginPath(); waiting = 0; }
      }
      if (waiting) pen.stroke();
    }
    pen.setLineDash([]);
    // A small graph is read edge by edge, a large one as a whole.
    const readable = this.edges.length <= 60;
    if (!chosen && !this.edge && !readable) { pen.globalAlpha = 1; return; }
    pen.globalAlpha = 0.95;
    const own = readable && !chosen ? this.edges : this.edges.filter((edge, k) => ends[2 * k] === at || ends[2 * k + 1] === at || edge === this.edge);
    own.forEach(edge => this.drawChosen(pen, dark, edge, own.length <= 60 || edge === this.edge));
    pen.globalAlpha = 1;
  }
  drawChosen(pen, dark, edge, named) {
    const i = this.index.get(edge.s), j = this.index.get(edge.o);
    const [ax, ay] = this.toScreen(i), [bx, by] = this.toScreen(j);
    const angle = Math.atan2(by - ay, bx - ax), back = this.discOf(j) + 2;
    const tip = [bx - Math.cos(angle) * back, by - Math.sin(angle) * back];
    const colour = edge === this.edge ? (dark ? '#fbbf24' : '#b45309') : edge.stance === 2 ? (dark ? '#f87171' : '#b91c1c') : dark ? '#cbd5e1' : '#334155';
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = edge === this.edge ? 2.4 : 1.4;
    pen.setLineDash(edge.stance === 0 ? [] : [5, 4]);
    pen.beginPath(); pen.moveTo(ax, ay); pen.lineTo(...tip); pen.stroke();
    pen.setLineDash([]);
    pen.beginPath(); pen.moveTo(...tip);
    for (const turn of [0.42, -0.42]) pen.lineTo(tip[0] - 9 * Math.cos(angle + turn), tip[1] - 9 * Math.sin(angle + turn));
    pen.fill();
    if (!named || Math.hypot(bx - ax, by - ay) < 60) return;
    pen.save();
    pen.translate((ax + bx) / 2, (ay + by) / 2);
    pen.rotate(Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle);
    pen.font = '11px system-ui, sans-serif'; pen.textAlign = 'center'; pen.textBaseline = 'bottom';
    this.halo(pen, dark, cut(edge.relation, 34), 0, -2, colour);
    pen.restore();
  }
  drawNodes(pen, dark) {
    const groups = new Map();
    for (let i = 0; i < this.nodes.length; i++) {
      const key = PALETTE[dark ? 'dark' : 'light'][this.colour[i]];
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(i);
    }
    for (const [colour, list] of groups) {
      for (const faded of this.selected === null ? [false] : [true, false]) {
        pen.fillStyle = colour; pen.globalAlpha = faded ? 0.22 : 1;
        pen.beginPath();
        for (const i of list) {
          if (this.selected !== null && this.near.has(i) === faded) continue;
          const [x, y] = this.toScreen(i), r = this.discOf(i);
          if (x < -r || y < -r || x > this.width + r || y > this.height + r) continue;
          pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 6.2832);
        }
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
    for (const id of [this.selected, this.hovered]) {
      const i = id === null ? undefined : this.index.get(id);
      if (i === undefined) continue;
      const [x, y] = this.toScreen(i);
      pen.strokeStyle = dark ? '#ffffff' : '#0f172a'; pen.lineWidth = 2;
      pen.beginPath(); pen.arc(x, y, this.discOf(i) + 3, 0, 6.2832); pen.stroke();
    }
  }
  // Names of the largest nodes, as many as find room; a coarse grid keeps them from covering each other.
  drawNames(pen, dark, hurry = false) {
    const taken = new Set(), most = hurry ? 10 : 110;
    pen.textAlign = 'center'; pen.textBaseline = 'top';
    const first = [this.hovered, this.selected].filter(id => id !== null).map(id => this.index.get(id)).filter(i => i !== undefined);
    const rest = this.selected === null ? this.order : [...this.near].sort((a, b) => this.radius[b] - this.radius[a]);
    let named = 0;
    for (const i of [...first, ...rest]) {
      if (named >= most) break;
      const [x, y] = this.toScreen(i), important = first.includes(i);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      if (!important && named >= 14 && this.radius[i] * this.zoom < 2.2 && this.nodes.length > 160) continue;
      const text = cut(this.nodes[i].name, important ? 70 : 30), wide = text.length * 6.4 / 2;
      const below = y + this.discOf(i) + 3, cells = [];
      for (let cx = Math.floor((x - wide) / 14); cx <= (x + wide) / 14; cx++) cells.push(cx + ':' + Math.floor(below / 15));
      if (!important && cells.some(cell => taken.has(cell))) continue;
      cells.forEach(cell => taken.add(cell));
      pen.font = (important ? '600 13px' : '12px') + ' system-ui, sans-serif';
      // The halo costs more than the name; in motion nobody misses it.
      if (hurry) { pen.fillStyle = dark ? '#e6edf3' : '#0f172a'; pen.fillText(text, x, below); }
      else this.halo(pen, dark, text, x, below, dark ? '#e6edf3' : '#0f172a');
      named++;
    }
  }
  halo(pen, dark, text, x, y, colour) {
    pen.lineJoin = 'round'; pen.lineWidth = 3.5;
    pen.strokeStyle = dark ? PAPER.dark : PAPER.light;
    pen.strokeText(text, x, y);
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }
}
const CHUNK = 1000;
const PAPER = { light: '#fbfcfd', dark: '#12171d' };
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
