// Many edges while they move: lines and discs are set pixel by pixel, without smoothing. The canvas would smooth every
// line, which costs several times as much without a graphics card; it does so as soon as everything stands still.
class Swift {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.pen = this.canvas.getContext('2d', { alpha: false });
    this.shades = new Uint32Array(256);
  }
  begin(width, height, paper, ink) {
    const w = Math.max(1, Math.round(width)), h = Math.max(1, Math.round(height));
    if (w !== this.w || h !== this.h) {
      this.w = this.canvas.width = w; this.h = this.canvas.height = h;
      this.image = this.pen.createImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.cover = new Uint8Array(w * h);
    }
    this.cover.fill(0);
    const from = rgb(paper), to = rgb(ink);
    for (let i = 0; i < 256; i++) {
      const mix = c => Math.round(from[c] + (to[c] - from[c]) * i / 255);
      this.shades[i] = 0xff000000 | mix(2) << 16 | mix(1) << 8 | mix(0);
    }
  }
  line(ax, ay, bx, by, weight) {
    // Only the part inside the picture (Liang and Barsky's clipping).
    const w = this.w - 1, h = this.h - 1;
    let first = 0, last = 1, dx = bx - ax, dy = by - ay;
    for (let side = 0; side < 4; side++) {
      const p = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
      const q = side === 0 ? ax : side === 1 ? w - ax : side === 2 ? ay : h - ay;
      if (p === 0) { if (q < 0) return; continue; }
      const t = q / p;
      if (p < 0) { if (t > last) return; if (t > first) first = t; } else { if (t < first) return; if (t < last) last = t; }
    }
    const x = ax + first * dx, y = ay + first * dy;
    dx *= last - first; dy *= last - first;
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))) || 1;
    const cover = this.cover, wide = this.w;
    // Whole numbers with 16 bits after the point: additions and shifts only.
    let fx = x * 65536 | 0, fy = y * 65536 | 0;
    const sx = dx / steps * 65536 | 0, sy = dy / steps * 65536 | 0;
    for (let k = 0; k <= steps; k++) {
      const at = (fy >> 16) * wide + (fx >> 16) | 0, sum = cover[at] + weight;
      cover[at] = sum > 235 ? 235 : sum;
      fx = fx + sx | 0; fy = fy + sy | 0;
    }
  }
  shade() {
    const { cover, pixels, shades } = this;
    for (let i = 0; i < cover.length; i++) pixels[i] = shades[cover[i]];
  }
  disc(x, y, r, colour) {
    const top = Math.max(0, Math.ceil(y - r)), bottom = Math.min(this.h - 1, Math.floor(y + r));
    for (let py = top; py <= bottom; py++) {
      const half = Math.sqrt(r * r - (py - y) * (py - y));
      const left = Math.max(0, Math.round(x - half)), right = Math.min(this.w - 1, Math.round(x + half));
      if (right >= left) this.pixels.fill(colour, py * this.w + left, py * this.w + right + 1);
    }
  }
  show(pen, width, height) {
    this.pen.putImageData(this.image, 0, 0);
    pen.drawImage(this.canvas, 0, 0, width, height);
  }
}
const rgb = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));
const packed = text => { const [r, g, b] = rgb(text); return (0xff000000 | b << 16 | g << 8 | r) >>> 0; };
