// Sentences with their tuples; the chosen tuple is coloured, with an arc from its relation to each argument.
import { button, el, svg } from './dom.js';
import { named, parts, stance, wordSpans } from './records.js';

export const title = 'Tuples';
export const reads = true;
export const filtered = true;
const NAMES = { rel: 'relation', location: 'place' };
const KINDS = ['subject', 'rel', 'object', 'time', 'location'];

export function show(panel, { shown, state }) {
  const found = shown();
  const empty = state.extracted ? 'No sentences.' : state.text.trim() ? 'Reading …' : 'Paste a text above, or click an example.';
  panel.replaceChildren(...(found.length ? [el('p', { class: 'row legend' }, KINDS.map(kind => el('span', { class: `part ${kind}` }, NAMES[kind] || kind))), ...found.map(sentenceCard)] : [el('p', { class: 'soft' }, empty)]));
  // Arcs are drawn where words are, so that the words have to be there first.
  for (const card of panel.querySelectorAll('.sentence')) card.querySelector('.tuple')?.dispatchEvent(new Event('choose'));
}

function sentenceCard({ sentence, records }) {
  const { nodes, spans } = wordSpans(sentence.text, sentence.tokens || [sentence.text], text => el('span', {}, text));
  const arcs = svg('svg', { class: 'arcs', 'aria-hidden': 'true' });
  for (const record of records) for (const [, part] of parts(record)) for (const index of part.tokens || []) spans[index]?.classList.add('used');

  function choose(record, chosen) {
    for (const span of spans) span.classList.remove(...KINDS);
    for (const [kind, part] of parts(record)) for (const index of part.tokens || []) spans[index]?.classList.add(kind);
    for (const one of list.querySelectorAll('.tuple')) one.setAttribute('aria-pressed', String(one === chosen));
    draw(arcs, record, spans);
  }

  const items = records.map(record => {
    const item = button(tupleParts(record), () => choose(record, item), { class: 'tuple', 'aria-pressed': 'false' });
    item.addEventListener('choose', () => choose(record, item));
    item.addEventListener('mouseenter', () => choose(record, item));
    item.addEventListener('focus', () => choose(record, item));
    return el('li', {}, item);
  });
  const list = el('ul', { class: 'tuples' }, items.length ? items : el('li', { class: 'soft' }, 'No tuple with these settings.'));
  return el('article', { class: 'card sentence' }, el('p', { class: 'words' }, arcs, nodes), list);
}

function tupleParts(record) {
  const said = stance(record), speaker = record.attribution?.speaker;
  return [
    parts(record).map(([kind, part]) => el('span', { class: `part ${kind}` }, part.text, part.resolved && part.resolved !== part.text ? ` = ${named(part)}` : '')),
    said !== 'asserted' && el('span', { class: 'chip' }, said, speaker ? `, said by ${speaker}` : ''),
    record.negated && said !== 'denied' && el('span', { class: 'chip' }, 'negated'),
    el('span', { class: 'number', title: 'Confidence' }, (record.confidence ?? 1).toFixed(2)),
  ];
}

function draw(arcs, record, spans) {
  const origin = arcs.getBoundingClientRect();
  const place = part => {
    const boxes = (part.tokens || []).filter(index => spans[index]).map(index => spans[index].getBoundingClientRect());
    if (!boxes.length) return null;
    // Of a part on several lines, the first line.
    const line = boxes.filter(box => Math.abs(box.top - boxes[0].top) < 4);
    return { x: (line[0].left + line.at(-1).right) / 2 - origin.left, y: boxes[0].top - origin.top };
  };
  // A relation that is not in the sentence, such as the *is* of an apposition, leaves an arc between its arguments.
  const [from, ...ends] = [['rel', record.rel], ...parts(record).filter(([kind]) => kind !== 'rel')].map(([, part]) => place(part)).filter(Boolean);
  arcs.replaceChildren(...ends.flatMap(to => {
    const top = Math.min(from.y, to.y) - Math.min(22, 8 + Math.abs(to.x - from.x) / 14);
    return [
      svg('path', { d: `M${from.x} ${from.y} C${from.x} ${top} ${to.x} ${top} ${to.x} ${to.y - 3}` }),
      svg('path', { class: 'head', d: `M${to.x - 3.5} ${to.y - 5} L${to.x + 3.5} ${to.y - 5} L${to.x} ${to.y + 1} Z` }),
    ];
  }));
}
