// One sentence at a time: its trees as pictures of the server, and its words as a table.
import { button, el } from './dom.js';
import { ask } from './ask.js';

export const title = 'Parse';
export const reads = true;
export const filtered = false;
const COLUMNS = ['', 'word', 'lemma', 'tag', 'features', 'head', 'relation'];

export async function show(panel, { analysis, working }) {
  const found = await analysis();
  const sentences = found?.sentences.filter(one => one.words.length) || [];
  if (!sentences.length) { panel.replaceChildren(el('p', { class: 'soft' }, 'Read a text first.')); return; }
  const place = el('div', {});
  const picker = el('select', { onchange: () => working(() => one(place, sentences[picker.value])) },
    sentences.map((sentence, at) => el('option', { value: at }, `${at + 1}. ${sentence.text.slice(0, 90)}`)));
  const step = by => () => {
    picker.value = Math.min(sentences.length - 1, Math.max(0, Number(picker.value) + by));
    picker.dispatchEvent(new Event('change'));
  };
  panel.replaceChildren(el('div', { class: 'row' }, el('label', {}, 'Sentence ', picker), button('Previous', step(-1)), button('Next', step(1))), place);
  await one(place, sentences[0]);
}

async function one(place, sentence) {
  const kinds = [['Dependencies', { constituents: false }], ['Constituents', { dependencies: false }]];
  const pictures = await Promise.all(kinds.map(async ([name, options]) => {
    // A picture of a sentence is an image, in which nothing can run.
    const drawn = await ask('/v1/draw', { text: sentence.text.slice(0, 2000), ...options }, 'text').catch(error => error);
    const shown = drawn instanceof Error ? el('p', { class: 'soft' }, drawn.message)
      : el('div', { class: 'picture', tabindex: '0', role: 'group', 'aria-label': name }, el('img', { alt: `${name} of: ${sentence.text}. The table below has the same in words.`, src: `data:image/svg+xml,${encodeURIComponent(drawn)}` }));
    return [el('h2', {}, name), shown];
  }));
  const rows = sentence.words.map((word, at) => el('tr', {}, [at + 1, word.text, word.lemma, word.upos, word.feats, word.deprel && (word.head === null ? 0 : word.head + 1), word.deprel].map(cell => el('td', {}, String(cell ?? '')))));
  const head = el('thead', {}, el('tr', {}, COLUMNS.map(name => el('th', { scope: 'col' }, name || 'no.'))));
  place.replaceChildren(...pictures.flat(), el('h2', {}, 'Words'), el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, head, el('tbody', {}, rows))));
}
