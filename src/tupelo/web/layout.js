// Where nodes lie: every community in a round region of its own, joined regions close to each other, and islands, which
// are joined with nothing else, in rows at the side. Within a region links pull and nodes repel each other (Fruchterman
// and Reingold). The function is complete in itself, because a worker is made from its text; the same graph gets the
// same picture.
// `small` says of a node that its community is: only such ones can be islands, even if little of another is shown.
export function arrangeGraph({ links, groups, small }) {
  const count = groups.length, amount = links.length / 2;
  // Few nodes have room for names beside them and along their edges.
  const gap = count <= 70 ? 118 : count <= 200 ? 84 : count <= 700 ? 52 : 30, wide = count <= 200 ? 1.25 : 1.1;
  const ISLAND = 8, ROUNDS = 220, MANY = 1500;

  const root = Int32Array.from({ length: count }, (_, i) => i);
  const top = i => { while (root[i] !== i) { root[i] = root[root[i]]; i = root[i]; } return i; };
  for (let k = 0; k < amount; k++) root[top(links[2 * k])] = top(links[2 * k + 1]);
  const size = new Map();
  for (let i = 0; i < count; i++) size.set(top(i), (size.get(top(i)) || 0) + 1);
  const largest = Math.max(0, ...size.values());

  // Regions: the communities of the mainland, and every island.
  const regions = [], region = new Int32Array(count), known = new Map();
  for (let i = 0; i < count; i++) {
    const part = top(i), island = small[i] && size.get(part) < ISLAND && size.get(part) < largest;
    const key = island ? 'i' + part : 'g' + groups[i];
    if (!known.has(key)) { known.set(key, regions.length); regions.push({ island, group: groups[i], nodes: [], links: [], across: [], pulls: new Map(), x: 0, y: 0 }); }
    region[i] = known.get(key);
    regions[region[i]].nodes.push(i);
  }
  for (let k = 0; k < amount; k++) {
    const a = region[links[2 * k]], b = region[links[2 * k + 1]];
    if (a === b) { regions[a].links.push(links[2 * k], links[2 * k + 1]); continue; }
    for (const [here, there, i, j] of [[a, b, links[2 * k], links[2 * k + 1]], [b, a, links[2 * k + 1], links[2 * k]]]) {
      regions[here].pulls.set(there, (regions[here].pulls.get(there) || 0) + 1);
      regions[here].across.push([i, j]);
    }
  }
  for (const one of regions) one.r = gap * (one.nodes.length < 3 ? 0.55 * one.nodes.length : 0.5 + 0.62 * Math.sqrt(one.nodes.length));

  // Nodes of a region around its middle, those with most links inside first, as on a sunflower.
  const x = new Float64Array(count), y = new Float64Array(count);
  const degree = new Int32Array(count);
  for (let k = 0; k < amount; k++) { degree[links[2 * k]]++; degree[links[2 * k + 1]]++; }
  for (const one of regions) {
    const inner = one.nodes.slice().sort((a, b) => degree[b] - degree[a] || a - b), n = inner.length;
    if (n === 1) { x[inner[0]] = y[inner[0]] = 0; }
    else if (n === 2) { x[inner[0]] = -0.5 * gap; x[inner[1]] = 0.5 * gap; }
    else inner.forEach((i, k) => {
      const r = one.r * Math.sqrt(k / n) * 0.9, turn = k * 2.39996;
      x[i] = r * Math.cos(turn); y[i] = r * Math.sin(turn);
    });
    if (n > 2 && n <= MANY) { settle(one, inner); enclose(one, inner); }
  }

  function settle(one, nodes) {
    const n = nodes.length, place = new Map(nodes.map((node, k) => [node, k]));
    const px = Float64Array.from(nodes, i => x[i]), py = Float64Array.from(nodes, i => y[i]), fx = new Float64Array(n), fy = new Float64Array(n);
    const pairs = Int32Array.from(one.links, i => place.get(i));
    for (let round = 0; round < ROUNDS; round++) {
      fx.fill(0); fy.fill(0);
      for (let a = 0; a < n; a++) {
        for (let b = 0; b < a; b++) {
          // Names are wide: what lies side by side needs more room than what lies above each other.
          const dx = (px[a] - px[b]) / wide, dy = (py[a] - py[b]) * wide, f = gap * gap / (dx * dx + dy * dy + 1);
          fx[a] += dx * f * wide; fy[a] += dy * f / wide; fx[b] -= dx * f * wide; fy[b] -= dy * f / wide;
        }
        fx[a] -= 0.06 * px[a] * Math.sqrt(n); fy[a] -= 0.08 * py[a] * Math.sqrt(n);
      }
      for (let k = 0; k < pairs.length; k += 2) {
        const a = pairs[k], b = pairs[k + 1], dx = px[a] - px[b], dy = py[a] - py[b], f = Math.hypot(dx, dy) / gap;
        fx[a] -= dx * f; fy[a] -= dy * f; fx[b] += dx * f; fy[b] += dy * f;
      }
      const most = one.r * 0.35 * (1 - round / ROUNDS) ** 1.5 + 0.2;
      for (let a = 0; a < n; a++) {
        const f = Math.hypot(fx[a], fy[a]) || 1, far = Math.min(f, most);
        px[a] += fx[a] / f * far; py[a] += fy[a] / f * far;
      }
    }
    nodes.forEach((i, k) => { x[i] = px[k]; y[i] = py[k]; });
  }
  // A disc around the middle of the nodes. Few nodes are pulled apart to fill it, more in width; many are pressed into it.
  function enclose(one, nodes) {
    const span = list => { let low = Infinity, high = -Infinity; for (const i of nodes) { low = Math.min(low, list[i]); high = Math.max(high, list[i]); } return [(low + high) / 2, (high - low) / 2 + 1]; };
    const [mx, ex] = span(x), [my, ey] = span(y);
    let far = 0;
    for (const i of nodes) { x[i] -= mx; y[i] -= my; far = Math.max(far, Math.hypot(x[i], y[i])); }
    const press = Math.min(1, one.r / far), h = count > 200 ? press : 0.8 * one.r / ex, v = count > 200 ? press : 0.62 * one.r / ey;
    far = 0;
    for (const i of nodes) { x[i] *= Math.min(h, 3 * v); y[i] *= Math.min(v, 3 * h); far = Math.max(far, Math.hypot(x[i], y[i])); }
    one.r = far + 0.28 * gap;
  }

  // The largest region first, every other where it touches one that lies already, near those that it is joined with.
  const mainland = regions.filter(one => !one.island).sort((a, b) => b.nodes.length - a.nodes.length), placed = [];
  const number = new Map(regions.map((one, i) => [one, i])), seam = (count <= 70 ? 0.4 : 0.2) * gap + 14;
  for (const one of mainland) {
    let best = null, least = Infinity;
    for (const beside of placed) {
      for (let turn = 0; turn < 24; turn++) {
        const angle = turn * Math.PI / 12, far = one.r + beside.r + seam;
        const x = beside.x + far * Math.cos(angle) * 1.001, y = beside.y + far * Math.sin(angle) * 1.001;
        if (placed.some(other => Math.hypot(x - other.x, y - other.y) < one.r + other.r + seam)) continue;
        let cost = 0.5 * Math.hypot(x, 1.15 * y), whole = 0, sum = 0;
        for (const other of placed) {
          const pull = one.pulls.get(number.get(other)) || 0;
          sum += pull * Math.hypot(x - other.x, y - other.y); whole += pull;
        }
        if (whole) cost += sum / whole;
        if (cost < least - 1e-9) { least = cost; best = [x, y]; }
      }
    }
    if (best) [one.x, one.y] = best;
    placed.push(one);
  }
  // Every region is mirrored so that its nodes are close to those in other regions that they are joined with.
  for (const one of mainland) {
    let best = [1, 1], least = Infinity;
    for (const [h, v] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) {
      let sum = 0;
      for (const [i, j] of one.across) {
        const other = regions[region[j]];
        sum += Math.hypot(one.x + h * x[i] - other.x - x[j], one.y + v * y[i] - other.y - y[j]);
      }
      if (sum < least - 1e-9) { least = sum; best = [h, v]; }
    }
    for (const i of one.nodes) { x[i] *= best[0]; y[i] *= best[1]; }
  }

  // Islands in rows at the right side, largest first, about as high as the mainland.
  const islands = regions.filter(one => one.island).sort((a, b) => b.nodes.length - a.nodes.length || a.nodes[0] - b.nodes[0]);
  if (islands.length) {
    for (const one of islands) {
      let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
      for (const i of one.nodes) { l = Math.min(l, x[i]); r = Math.max(r, x[i]); t = Math.min(t, y[i]); b = Math.max(b, y[i]); }
      one.box = [l, t, r - l + 1.1 * gap, b - t + 0.7 * gap];
    }
    const low = Math.min(0, ...placed.map(one => one.y - one.r)), high = Math.max(0, ...placed.map(one => one.y + one.r));
    const right = Math.max(0, ...placed.map(one => one.x + one.r)) + 0.9 * gap;
    const area = islands.reduce((sum, one) => sum + one.box[2] * one.box[3], 0);
    const room = Math.max(...islands.map(one => one.box[2]), 1.15 * area / Math.max(high - low, Math.sqrt(0.8 * area)));
    let left = 0, line = 0, tall = 0;
    for (const one of islands) {
      if (left && left + one.box[2] > room) { left = 0; line += tall; tall = 0; }
      one.x = right + left + 0.55 * gap - one.box[0]; one.y = low + line + 0.35 * gap - one.box[1];
      left += one.box[2]; tall = Math.max(tall, one.box[3]);
    }
  }
  const positions = new Float32Array(2 * count);
  for (const one of regions) for (const i of one.nodes) { positions[2 * i] = one.x + x[i]; positions[2 * i + 1] = one.y + y[i]; }
  return { positions, regions: regions.filter(one => !one.island && one.nodes.length > 2).map(({ x, y, r, group, nodes }) => ({ x, y, r, group, size: nodes.length })) };
}
