// The tuples as a graph that grows as the text is read. Places are those of the whole graph, so that nothing moves.
import { button, el, svg } from './dom.js';
import { arrangeGraph } from './layout.js';
import { named } from './records.js';

export const title = 'Graph';
export const filtered = true;
const STEP = 140, MOST = 400;
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
  panel.replaceChildren(el('div', { class: 'row' }, button('Play', play), el('label', { class: 'range' }, 'Sentences read', read), count), picture, el('h2', {}, 'Edges'), list);
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

function place(picture, nodes, edges) {
  const links = Int32Array.from(edges.flatMap(edge => [edge.from.number, edge.to.number]));
  const { positions } = arrangeGraph({ links, groups: nodes.map(() => 0), small: nodes.map(() => true) });
  // Names are wide.
  const x = node => 1.5 * positions[2 * node.number], y = node => positions[2 * node.number + 1];
  const xs = nodes.map(x), ys = nodes.map(y);
  const left = Math.min(...xs) - 110, top = Math.min(...ys) - 50;
  picture.setAttribute('viewBox', `${left} ${top} ${Math.max(...xs) - left + 110} ${Math.max(...ys) - top + 50}`);
  const short = text => text.length > 26 ? `${text.slice(0, 25)}…` : text;
  for (const edge of edges) {
    const [a, b] = [edge.from, edge.to];
    edge.node = svg('g', {}, svg('title', {}, `${a.name} — ${edge.label} → ${b.name}`),
      svg('line', { x1: x(a), y1: y(a), x2: x(b), y2: y(b) }),
      svg('text', { class: 'label', 'text-anchor': 'middle', x: (x(a) + x(b)) / 2, y: (y(a) + y(b)) / 2 - 4 }, short(edge.label)));
    picture.append(edge.node);
  }
  for (const node of nodes) {
    const own = edges.filter(edge => edge.from === node || edge.to === node);
    const light = on => () => { for (const edge of own) edge.node.classList.toggle('on', on); };
    node.node = svg('g', { tabindex: 0, role: 'img', 'aria-label': `${node.name}: ${own.length} edges`, onfocus: light(true), onblur: light(false), onmouseenter: light(true), onmouseleave: light(false) },
      svg('circle', { cx: x(node), cy: y(node), r: 6 + Math.min(6, own.length) }),
      // Neighbours in a row have their names at different heights.
      svg('text', { 'text-anchor': 'middle', x: x(node), y: y(node) + (node.number % 2 ? 24 : -14) }, short(node.name)));
    picture.append(node.node);
  }
}
