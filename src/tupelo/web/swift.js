// Many edges while they move: lines and discs are set pixel by pixel, without smoothing. The canvas would smooth every
// line, which costs several times as much without a graphics card; it does so as soon as everything stands still.
export class Swift {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.pen = this.canvas.getContext('2d', { alpha: false });
    this.shades = new Uint32Array(256);
  }
  // `grain` 2: four pixels take the ink of lines together, 1: each its own. Discs are always sharp.
  begin(width, height, grain, paper, ink) {
    const w = 2 * Math.ceil(width / 2) || 2, h = 2 * Math.ceil(height / 2) || 2;
    if (w !== this.width || h !== this.height) {
      this.width = this.canvas.width = w; this.height = this.canvas.height = h;
      this.image = this.pen.createImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.grain = 0;
    }
    if (grain !== this.grain) {
      this.grain = grain;
      this.w = w / grain; this.h = h / grain;
      // How much ink there is, never more than 255; read four at a time where most are empty.
      this.cover = new Uint8ClampedArray(4 * Math.ceil(this.w * this.h / 4));
      this.fours = new Uint32Array(this.cover.buffer);
    }
    this.fours.fill(0);
    const from = rgb(paper), to = rgb(ink);
    for (let i = 0; i < 256; i++) {
      const mix = c => Math.round(from[c] + (to[c] - from[c]) * i / 255);
      this.shades[i] = 0xff000000 | mix(2) << 16 | mix(1) << 8 | mix(0);
    }
  }
  line(ax, ay, bx, by, weight) {
    // Only the part inside the picture (Liang and Barsky's clipping).
    const w = this.w - 1, h = this.h - 1, fine = 1 / this.grain;
    ax *= fine; ay *= fine; bx *= fine; by *= fine;
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
    // A pixel further along the longer side with every step, and over to the next row or column whenever the shorter
    // side has gathered a whole pixel: additions of whole numbers only (Bresenham's way).
    const wide = this.w, flat = Math.abs(dx) >= Math.abs(dy), long = Math.abs(flat ? dx : dy), short = Math.abs(flat ? dy : dx);
    const along = flat ? (dx < 0 ? -1 : 1) : (dy < 0 ? -wide : wide), over = flat ? (dy < 0 ? -wide : wide) : (dx < 0 ? -1 : 1);
    const cover = this.cover, slope = long > 0 ? short / long * 65536 | 0 : 0;
    let at = (y | 0) * wide + (x | 0), gathered = 32768;
    for (let left = long | 0; left >= 0; left--) {
      cover[at] += weight;
      at += along; gathered += slope;
      if (gathered > 65535) { gathered -= 65536; at += over; }
    }
  }
  shade() {
    const { cover, fours, pixels, shades, grain, w, width } = this, all = w * this.h;
    pixels.fill(shades[0]);
    for (let four = 0; four < fours.length; four++) {
      if (fours[four] === 0) continue;
      for (let i = 4 * four, end = Math.min(i + 4, all); i < end; i++) {
        const shade = shades[cover[i]];
        if (grain === 1) { pixels[i] = shade; continue; }
        const at = 2 * i + (i / w | 0) * width;
        pixels[at] = pixels[at + 1] = pixels[at + width] = pixels[at + width + 1] = shade;
      }
    }
  }
  disc(x, y, r, colour) {
    const top = Math.max(0, Math.ceil(y - r)), bottom = Math.min(this.height - 1, Math.floor(y + r));
    for (let py = top; py <= bottom; py++) {
      const half = Math.sqrt(r * r - (py - y) * (py - y));
      const left = Math.max(0, Math.round(x - half)), right = Math.min(this.width - 1, Math.round(x + half));
      // Spans are short: a loop is quicker than a call.
      for (let at = py * this.width + left, end = py * this.width + right; at <= end; at++) this.pixels[at] = colour;
    }
  }
  show(pen) {
    this.pen.putImageData(this.image, 0, 0);
    pen.drawImage(this.canvas, 0, 0);
  }
}
export const rgb = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));
export const packed = text => { const [r, g, b] = rgb(text); return (0xff000000 | b << 16 | g << 8 | r) >>> 0; };
