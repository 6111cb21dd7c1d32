// A force layout: bodies repel each other (Barnes and Hut's tree), links pull, everything is drawn to the middle.
// The function is complete in itself, because a worker is made from its text.
function makeLayout() {
  const FAR = 0.81, REPULSION = 900, GRAVITY = 0.09, FRICTION = 0.55;
  let count = 0, length = 46, range = 700, x, y, vx, vy, mass, from, to, pull, share, heat = 0, pinned = -1, seed = 1;
  let child, sum, sx, sy, size, cells = 0;

  function setGraph(positions, links, weights, warmth) {
    count = positions.length / 2;
    // A small graph has room for names along its edges.
    length = count < 120 ? 120 : count < 300 ? 80 : 46;
    // Parts that have nothing to do with each other need not fly apart.
    range = (count < 300 ? 2.6 : 16) * length;
    x = new Float64Array(count); y = new Float64Array(count);
    vx = new Float64Array(count); vy = new Float64Array(count);
    mass = new Float64Array(count);
    const degree = new Float64Array(count);
    for (let i = 0; i < count; i++) { x[i] = positions[2 * i]; y[i] = positions[2 * i + 1]; }
    const amount = links.length / 2;
    from = new Int32Array(amount); to = new Int32Array(amount);
    pull = new Float64Array(amount); share = new Float64Array(amount);
    for (let k = 0; k < amount; k++) {
      from[k] = links[2 * k]; to[k] = links[2 * k + 1];
      degree[from[k]]++; degree[to[k]]++;
    }
    for (let k = 0; k < amount; k++) {
      const a = degree[from[k]], b = degree[to[k]];
      pull[k] = 1 / Math.min(a, b);
      share[k] = a / (a + b);
    }
    for (let i = 0; i < count; i++) mass[i] = 1 + Math.sqrt(degree[i]) * 0.6;
    const room = 64 + 3 * count;
    child = new Int32Array(4 * room); sum = new Float64Array(room);
    sx = new Float64Array(room); sy = new Float64Array(room); size = new Float64Array(room);
    pinned = -1;
    heat = warmth; seed = 1;
  }

  // The same graph gets the same picture: no chance but this one, which begins anew with every graph.
  function chance() { seed = Math.imul(seed, 1103515245) + 12345 & 0x7fffffff; return seed / 0x7fffffff; }

  function grow() {
    const more = (old, kind) => { const made = new kind(old.length * 2); made.set(old); return made; };
    child = more(child, Int32Array); sum = more(sum, Float64Array);
    sx = more(sx, Float64Array); sy = more(sy, Float64Array); size = more(size, Float64Array);
  }

  function cell(width) {
    if (cells === sum.length) grow();
    child.fill(0, 4 * cells, 4 * cells + 4);
    sum[cells] = sx[cells] = sy[cells] = 0; size[cells] = width;
    return cells++;
  }

  // A child is 0 for nothing, positive for a cell, negative for body -1 - i.
  function plant() {
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (let i = 0; i < count; i++) {
      if (x[i] < left) left = x[i]; if (x[i] > right) right = x[i];
      if (y[i] < top) top = y[i]; if (y[i] > bottom) bottom = y[i];
    }
    // The cells lie elsewhere at every step, or bodies would gather along their borders and show a grid.
    const span = Math.max(right - left, bottom - top, 1), width = 1.5 * span;
    left -= 0.49 * span * chance(); top -= 0.49 * span * chance();
    cells = 1; child.fill(0, 0, 4); sum[0] = 0; cells = 0;
    cell(0); cell(width);
    for (let i = 0; i < count; i++) {
      let at = 1, cx = left, cy = top, w = width, depth = 0;
      for (;;) {
        sum[at] += mass[i]; sx[at] += x[i] * mass[i]; sy[at] += y[i] * mass[i];
        w /= 2;
        const east = x[i] >= cx + w ? 1 : 0, south = y[i] >= cy + w ? 1 : 0;
        const place = 4 * at + 2 * south + east;
        if (east) cx += w; if (south) cy += w;
        const there = child[place];
        if (there === 0) { child[place] = -1 - i; break; }
        if (there > 0) { at = there; continue; }
        // Two bodies in one place are moved apart rather than divided for ever.
        if (++depth > 40) { x[i] += 0.01 * (1 + i % 7); y[i] += 0.01 * (1 + i % 5); break; }
        const other = -1 - there, inner = cell(w);
        child[place] = inner;
        sum[inner] = mass[other]; sx[inner] = x[other] * mass[other]; sy[inner] = y[other] * mass[other];
        const h = w / 2;
        child[4 * inner + (y[other] >= cy + h ? 2 : 0) + (x[other] >= cx + h ? 1 : 0)] = there;
        at = inner;
      }
    }
  }

  const stack = new Int32Array(4096);
  function repel(i, strength) {
    let depth = 0, fx = 0, fy = 0;
    const px = x[i], py = y[i];
    stack[depth++] = 1;
    while (depth) {
      const at = stack[--depth];
      for (let q = 4 * at, end = q + 4; q < end; q++) {
        const there = child[q];
        if (there === 0) continue;
        let dx, dy, m;
        if (there < 0) {
          const other = -1 - there;
          if (other === i) continue;
          dx = px - x[other]; dy = py - y[other]; m = mass[other];
        } else {
          m = sum[there];
          dx = px - sx[there] / m; dy = py - sy[there] / m;
          if (size[there] * size[there] > FAR * (dx * dx + dy * dy) && depth < 4090) { stack[depth++] = there; continue; }
        }
        const d2 = dx * dx + dy * dy + 30;
        if (d2 > range * range) continue;
        const f = strength * m / d2;
        fx += dx * f; fy += dy * f;
      }
    }
    vx[i] += fx; vy[i] += fy;
  }

  function step() {
    if (!count) { heat = 0; return; }
    plant();
    const strength = REPULSION * heat;
    for (let i = 0; i < count; i++) repel(i, strength);
    for (let k = 0; k < from.length; k++) {
      const a = from[k], b = to[k];
      if (a === b) continue;
      let dx = x[b] + vx[b] - x[a] - vx[a], dy = y[b] + vy[b] - y[a] - vy[a];
      const d = Math.sqrt(dx * dx + dy * dy) || 1;
      const f = (d - length) / d * heat * pull[k];
      dx *= f; dy *= f;
      vx[b] -= dx * share[k]; vy[b] -= dy * share[k];
      vx[a] += dx * (1 - share[k]); vy[a] += dy * (1 - share[k]);
    }
    for (let i = 0; i < count; i++) {
      vx[i] -= x[i] * GRAVITY * heat; vy[i] -= y[i] * GRAVITY * heat;
      vx[i] *= FRICTION; vy[i] *= FRICTION;
      const speed = Math.hypot(vx[i], vy[i]);
      if (speed > 60) { vx[i] *= 60 / speed; vy[i] *= 60 / speed; }
      if (i === pinned) { vx[i] = vy[i] = 0; continue; }
      x[i] += vx[i]; y[i] += vy[i];
    }
    heat *= 0.984;
    if (heat < 0.012) heat = 0;
  }

  function positions() {
    const made = new Float32Array(2 * count);
    for (let i = 0; i < count; i++) { made[2 * i] = x[i]; made[2 * i + 1] = y[i]; }
    return made;
  }

  function pin(i, px, py) {
    pinned = i;
    if (i >= 0 && i < count) { x[i] = px; y[i] = py; heat = Math.max(heat, 0.25); }
  }

  return { setGraph, step, positions, pin, warm: () => heat > 0 };
}

// Runs a layout for a stretch of time and reports where everything is; the same in a worker and on the page.
function runLayout(layout, budget, report, later) {
  let version = 0, running = false;
  const turn = () => {
    const end = performance.now() + budget;
    while (layout.warm() && performance.now() < end) layout.step();
    report({ version, positions: layout.positions(), done: !layout.warm() });
    running = layout.warm();
    if (running) later(turn);
  };
  return message => {
    if (message.graph) {
      version = message.version;
      layout.setGraph(message.graph, message.links, null, message.warmth);
    } else layout.pin(message.pin, message.x, message.y);
    if (!running) { running = true; later(turn); }
  };
}
