// The text with its names, and what its phrases are about: a chain that is chosen marks its phrases in the text.
import { button, el } from './dom.js';
import { wordSpans } from './records.js';

export const title = 'Entities';
export const reads = true;
export const filtered = false;

export async function show(panel, { analysis }) {
  const found = await analysis();
  if (!found?.sentences.length) { panel.replaceChildren(el('p', { class: 'soft' }, 'Read a text first.')); return; }
  const words = [];
  const text = found.sentences.map(sentence => {
    const labels = new Map((sentence.entities || []).flatMap(({ label, start, end }) => Array.from({ length: end - start }, (_, at) => [start + at, { label, last: start + at === end - 1 }])));
    const { nodes, spans } = wordSpans(sentence.text, sentence.words.map(word => word.text), (word, index) => {
      const entity = labels.get(index);
      return el('span', entity ? { class: `entity typed type-${entity.label}${entity.last ? ' last' : ''}` } : {}, word, entity?.last && el('small', {}, entity.label));
    });
    words.push(spans);
    return el('p', {}, nodes);
  });
  const chains = (found.chains || []).filter(chain => chain.mentions.length > 1 || chain.name);
  const list = chains.map(chain => {
    const choose = () => {
      for (const span of words.flat()) span.classList.remove('mentioned');
      for (const { sentence, start, end } of chain.mentions) for (let at = start; at < end; at++) words[sentence]?.[at]?.classList.add('mentioned');
      for (const one of panel.querySelectorAll('.chain')) one.setAttribute('aria-pressed', String(one === item));
    };
    const item = button([el('strong', {}, chain.name || chain.mentions[0].text), ' ', el('span', { class: `chip typed type-${chain.label}` }, chain.label), el('span', { class: 'soft' }, ` ${chain.mentions.map(one => one.text).join(' · ')}`)], choose, { class: 'chain', 'aria-pressed': 'false' });
    item.addEventListener('mouseenter', choose);
    item.addEventListener('focus', choose);
    return item;
  });
  panel.replaceChildren(el('div', { class: 'two' },
    el('div', { class: 'card' }, el('h2', {}, 'Names'), text),
    el('div', { class: 'card' }, el('h2', {}, 'About the same thing'), list.length ? list : el('p', { class: 'soft' }, 'Nothing is mentioned twice.'))));
}
