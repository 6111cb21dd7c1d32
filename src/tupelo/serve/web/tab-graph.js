// The tuples as a graph that grows as the text is read. Places are those of the whole graph, so that nothing moves.
import { button, el, svg } from './dom.js';
import { arrangeGraph } from './layout.js';
import { named } from './records.js';

export const title = 'Graph';
export const filtered = true;
const STEP = 140, MOST = 400;
// In pixels: a letter of a name, what a node needs beside and below its name, and room around the picture.
const LETTER = 6.9, BESIDE = 26, HIGH = 54, MARGIN = 40;
const short = text => text.length > 26 ? `${text.slice(0, 25)}…` : text;
let timer = 0;

export function show(panel, { shown }) {
  clearInterval(timer);
  const { nodes, edges, sentences } = gather(shown());
  if (!edges.length) { panel.replaceChildren(el('p', { class: 'soft' }, 'No tuples to draw.')); return; }
  const picture = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'The graph. The list below has the same edges.' });
  place(picture, nodes, edges);
  const read = el('input', { type: 'range', min: 1, max: sentences, value: sentences, oninput: () => { clearInterval(timer); reveal(Number(read.value)); } });
  const count = el('output', {});
  const list = el('ul', {});
  function reveal(upTo) {
    read.value = upTo;
    count.textContent = `${upTo} of ${sentences}`;
    for (const one of [...nodes, ...edges]) one.node.setAttribute('visibility', one.sentence < upTo ? 'visible' : 'hidden');
    list.replaceChildren(...edges.filter(edge => edge.sentence < upTo).map(edge => el('li', {}, `${edge.from.name} — ${edge.label} → ${edge.to.name}`)));
  }
  function play() {
    clearInterval(timer);
    let at = 1;
    reveal(at);
    timer = setInterval(() => { if (++at > sentences) clearInterval(timer); else reveal(at); }, STEP);
  }
  panel.replaceChildren(el('div', { class: 'row' }, button('Play', play), el('label', { class: 'range' }, 'Sentences read', read), count), el('div', { class: 'drawing', tabindex: 0, role: 'group', 'aria-label': 'The graph, to scroll' }, picture), el('h2', {}, 'Edges'), list);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) reveal(sentences); else play();
}

function gather(found) {
  const nodes = new Map(), edges = [];
  const node = (part, sentence) => {
    const key = named(part).toLowerCase();
    if (!nodes.has(key)) nodes.set(key, { name: named(part), sentence, number: nodes.size });
    return nodes.get(key);
  };
  found.forEach(({ records }, sentence) => {
    for (const { arg1, rel, args, negated } of records) {
      for (const arg of arg1 && edges.length < MOST ? args : []) edges.push({ from: node(arg1, sentence), to: node(arg, sentence), label: negated && !/\bnot?\b|n[’']t/.test(rel.text) ? `not: ${rel.text}` : rel.text, sentence });
    }
  });
  return { nodes: [...nodes.values()], edges, sentences: found.length };
}

// Places from the layout of all our graphs, with names apart; at its natural size, or smaller as far as names stay readable.
function place(picture, nodes, edges) {
  const links = Int32Array.from(edges.flatMap(edge => [edge.from.number, edge.to.number]));
  const { positions } = arrangeGraph({ links, groups: nodes.map(() => 0), small: nodes.map(() => true) });
  // Names are wide; the layout of few nodes has room for them.
  const [wide, high] = nodes.length > 70 ? [1.5, 1.2] : [1, 0.75];
  nodes.forEach((node, at) => Object.assign(node, { x: wide * positions[2 * at], y: high * positions[2 * at + 1], half: (LETTER * short(node.name).length + BESIDE) / 2 }));
  apart(nodes);
  const left = Math.min(...nodes.map(node => node.x - node.half)) - MARGIN, top = Math.min(...nodes.map(node => node.y)) - MARGIN;
  const width = Math.max(...nodes.map(node => node.x + node.half)) + MARGIN - left, height = Math.max(...nodes.map(node => node.y)) + MARGIN - top;
  const scale = Math.min(1, Math.max(0.75, (document.querySelector('main').clientWidth - 60) / width));
  for (const [name, value] of Object.entries({ viewBox: `${left} ${top} ${width} ${height}`, width: width * scale, height: height * scale })) picture.setAttribute(name, value);
  picture.append(svg('defs', {}, svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, svg('path', { class: 'tip', d: 'M0 0 L8 4 L0 8 z' }))));
  for (const edge of edges) {
    const { from, to } = edge, length = Math.hypot(to.x - from.x, to.y - from.y) || 1, at = share => [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
    const [x1, y1] = at(10 / length), [x2, y2] = at(1 - 13 / length), [x, y] = at(0.5);
    edge.node = svg('g', {}, svg('title', {}, `${from.name} — ${edge.label} → ${to.name}`), svg('line', { x1, y1, x2, y2, 'marker-end': 'url(#tip)' }),
      svg('text', { class: 'label', 'text-anchor': 'middle', x, y: y - 3 }, short(edge.label)));
    picture.append(edge.node);
  }
  for (const node of nodes) {
    const own = edges.filter(edge => edge.from === node || edge.to === node);
    const light = on => () => { for (const edge of own) edge.node.classList.toggle('on', on); };
    node.node = svg('g', { tabindex: 0, role: 'img', 'aria-label': `${node.name}: ${own.length} edges`, onfocus: light(true), onblur: light(false), onmouseenter: light(true), onmouseleave: light(false) },
      svg('circle', { cx: node.x, cy: node.y, r: 5 + Math.min(5, own.length) }), svg('text', { 'text-anchor': 'middle', x: node.x, y: node.y + 22 }, short(node.name)));
    picture.append(node.node);
  }
}

// Moves nodes until no name lies on another, along the side where less is missing.
function apart(nodes) {
  for (let round = 0, moved = true; moved && round < 200; round++) {
    moved = false;
    nodes.forEach((a, at) => {
      for (let next = at + 1; next < nodes.length; next++) {
        const b = nodes[next], wide = a.half + b.half, x = b.x - a.x, y = b.y - a.y, overX = wide - Math.abs(x), overY = HIGH - Math.abs(y);
        if (overX <= 0 || overY <= 0) continue;
        moved = true;
        const axis = overX / wide < overY / HIGH ? 'x' : 'y', push = (axis === 'x' ? overX * (x < 0 ? -1 : 1) : overY * (y < 0 ? -1 : 1)) / 2;
        a[axis] -= push; b[axis] += push;
      }
    });
  }
}
