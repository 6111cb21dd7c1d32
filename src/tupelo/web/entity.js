// What every page of an entity has: when things held, why its names are one, and corrections of these names.
import { button, el, say } from './dom.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
// Corrections are kept on the page until they are saved: a graph is opened for reading only.
const corrections = new Map();

// The colour and shape of a type, as in the picture.
export function icon({ light, dark, shape }) {
  const made = el('span', { class: 'icon', 'aria-hidden': 'true' });
  made.style.background = `light-dark(${light}, ${dark})`;
  made.style.clipPath = shape.length ? `polygon(${shape.map(point => point.map(at => 50 + 31 * at + '%').join(' ')).join()})` : 'circle(32%)';
  return made;
}

// A day, month or year as people write it; `..` is a time that goes on.
export function day(iso) {
  const [year, month, date] = iso.split('-');
  return [date && Number(date), month && MONTHS[month - 1], year].filter(Boolean).join(' ');
}
export function span({ from, until }) {
  if (!until || until === from) return day(from);
  return until === '..' ? `since ${day(from)}` : `${day(from)} – ${day(until)}`;
}

// Statements with a time, in its order; `open` shows the sentences of one.
export function timeline(times, open) {
  return times.length ? [el('h3', {}, 'Timeline'), el('ol', { class: 'timeline' }, times.map(one => el('li', {}, el('time', {}, span(one)), ' ',
    open ? button(one.text, () => open(one), { class: 'plain' }) : one.text, one.stance === 'asserted' ? '' : el('span', { class: 'mark ' + one.stance }, one.stance))))] : [];
}

// The other names of a node with the reason of each, the documents in which it was recognised, and what a person may say against it.
export function namings(node, { names, merges }) {
  const sure = probability => probability === null || probability >= 0.995 ? '' : `, ${probability.toFixed(2)}`;
  const others = names.filter(naming => naming.text !== node.name).map(naming =>
    el('li', {}, el('strong', {}, naming.text), ` ${naming.reason}${sure(naming.probability)}`));
  const joined = merges.map(merge => {
    const name = `${merge.name}@${merge.source}`;
    return el('li', {}, el('strong', {}, merge.source), ` ${merge.name === node.name ? '' : merge.name + ': '}${merge.reason}${sure(merge.probability)} `,
      button('not the same', () => correct('different', name, node.name), { class: 'plain small', 'aria-label': `${merge.name} in ${merge.source} is not ${node.name}` }));
  });
  const part = (title, items) => items.length ? [el('details', { class: 'names', open: items.length < 5 }, el('summary', {}, `${title} (${items.length})`), el('ul', { class: 'list' }, items))] : [];
  const other = el('input', { 'aria-label': `Another name of ${node.name}`, placeholder: 'another name of it', autocomplete: 'off' });
  const form = el('form', { class: 'row', onsubmit: event => { event.preventDefault(); if (other.value.trim()) correct('same', other.value.trim(), node.name); other.value = ''; } }, other, el('button', { type: 'submit' }, 'Same thing'));
  return [...part('Also called', others), ...part('The same in', joined), el('details', { class: 'names' }, el('summary', {}, 'Correct the names'), form), listed()];
}

function correct(kind, one, other) {
  corrections.set(`${kind}\t${one}\t${other}`, { kind, one, other });
  tell(`${one} and ${other}: ${kind}`);
}
function tell(words) {
  for (const place of document.querySelectorAll('.corrections')) place.replaceWith(listed());
  say(words);
}
// The corrections so far, to save as the file that `graph review --apply` reads.
function listed() {
  const all = [...corrections];
  return el('div', { class: 'corrections', hidden: !all.length },
    el('ul', { class: 'list' }, all.map(([key, { kind, one, other }]) => el('li', {}, `${one} ${kind === 'same' ? 'is' : 'is not'} ${other} `, button('undo', () => { corrections.delete(key); tell('undone'); }, { class: 'plain small', 'aria-label': `Undo ${one}` })))),
    el('p', {}, button(`Save ${all.length === 1 ? 'the correction' : `${all.length} corrections`}`, () => save('corrections.tsv', new Blob([all.map(([key]) => key + '\n').join('')])), { class: 'main' })),
    el('p', { class: 'soft' }, 'To apply: ', el('code', {}, 'tupelo graph review KG --apply corrections.tsv')));
}

export function save(name, blob) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
