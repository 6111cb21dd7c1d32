// Gold and system outputs from files: figures, curves, and whether the systems differ.
import { button, el, field, notice, percent, svg } from './dom.js';
import { ask } from './ask.js';
import { save } from './save.js';

export const title = 'Scores';
export const filtered = false;
const SCORERS = ['carb', 'oie2016', 'wire57', 'benchie', 'robust'];
// Files that are dropped on the page: the gold file is called so, or is the first.
let dropped = () => {};
export const drop = files => dropped([...files]);

const FIGURES = { precision: 'P', recall: 'R', f1: 'F1', auc: 'AUC' };
const DASHES = ['', '6 3', '2 3', '9 3 2 3'];
const share = value => value === null || value === undefined ? '–' : (100 * value).toFixed(1);

export function show(panel, { working }) {
  // What was scored stays.
  if (panel.childElementCount) return;
  const gold = el('input', { type: 'file' }), systems = el('input', { type: 'file', multiple: true });
  const scorer = el('select', {}, SCORERS.map(name => el('option', {}, name)));
  const format = el('input', { value: 'auto', size: 10, spellcheck: 'false' }), goldFormat = el('input', { placeholder: 'the scorer’s own', size: 14, spellcheck: 'false' });
  const result = el('div', {});
  const run = event => {
    event.preventDefault();
    return working(async () => {
      notice('');
      if (!gold.files.length || !systems.files.length) throw new Error('Choose a gold file, and one or more outputs of systems.');
      const asked = { scorer: scorer.value, gold: await gold.files[0].text(), format: format.value || 'auto', gold_format: goldFormat.value || null };
      const outputs = Object.fromEntries(await Promise.all([...systems.files].map(async file => [file.name, await file.text()])));
      const scores = [];
      for (const [name, predicted] of Object.entries(outputs)) scores.push({ name, ...await ask('/v1/score', { ...asked, predicted, curve: true, error_page: true }) });
      result.replaceChildren(el('h2', {}, 'Figures'), figures(scores), curves(scores));
      if (scores.length > 1) result.append(...comparison(await ask('/v1/compare', { ...asked, predicted: outputs })));
    });
  };
  const give = (input, files) => {
    const given = new DataTransfer();
    for (const file of files) given.items.add(file);
    input.files = given.files;
  };
  dropped = files => {
    const first = files.find(file => /gold/i.test(file.name)) || (gold.files.length ? null : files[0]), rest = files.filter(file => file !== first);
    if (first) give(gold, [first]);
    if (rest.length) give(systems, rest);
  };
  panel.replaceChildren(el('form', { class: 'card fields', onsubmit: run }, el('p', { class: 'soft' }, 'Choose files, or drop them here.'), field('Gold file', gold), field('Outputs of systems', systems), field('Scorer', scorer),
    field('Format of the outputs', format), field('Format of the gold', goldFormat), el('button', { class: 'main', type: 'submit' }, 'Score')), result);
}

function table(head, rows) {
  return el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('thead', {}, el('tr', {}, head.map(name => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, rows.map(([first, ...cells]) => el('tr', {}, el('th', { scope: 'row' }, first), cells.map(cell => el('td', {}, cell)))))));
}

const figures = scores => [
  table(['system', ...Object.values(FIGURES), 'tuples'], scores.map(one => [one.name, ...Object.keys(FIGURES).map(key => share(one[key])), String(one.predicted)])),
  ...scores.map(one => el('p', { class: 'row' }, el('code', {}, one.signature), button(`Errors of ${one.name}`, () => save(`${one.name}-errors.html`, one.error_page, 'text/html')))),
].reduce((place, node) => { place.append(node); return place; }, el('div', {}));

function curves(scores) {
  const drawn = scores.filter(one => one.curve.length > 1);
  if (!drawn.length) return '';
  const x = recall => 40 + 400 * recall, y = precision => 310 - 290 * precision;
  const axis = [0, 0.5, 1].flatMap(at => [
    svg('line', { x1: x(0), x2: x(1), y1: y(at), y2: y(at) }), svg('text', { class: 'label', x: 8, y: y(at) + 4 }, percent(at)),
    svg('text', { class: 'label', x: x(at), y: 328, 'text-anchor': 'middle' }, percent(at))]);
  const lines = drawn.map((one, at) => svg('g', {}, svg('title', {}, one.name),
    svg('polyline', { points: one.curve.map(([precision, recall]) => `${x(recall)},${y(precision)}`).join(' '), 'stroke-dasharray': DASHES[at % DASHES.length] }),
    svg('text', { x: 455, y: 30 + 20 * at }, `${['———', '– – –', '· · ·', '– · –'][at % DASHES.length]} ${one.name.slice(0, 24)}`)));
  return el('figure', {}, el('figcaption', {}, 'Precision (up) by recall (across)'),
    svg('svg', { class: 'graph curves', viewBox: '0 0 680 340', role: 'img', 'aria-label': 'Curves of precision by recall; the table above has their areas.' }, axis, lines));
}

function comparison({ systems }) {
  const [first] = systems;
  const rows = systems.map(one => [one.system, `${share(one.f1.value)} [${share(one.f1.low)}, ${share(one.f1.high)}]`,
    one.against_first.f1 ? `${share(one.against_first.f1.value)} [${share(one.against_first.f1.low)}, ${share(one.against_first.f1.high)}]` : '', one.against_first.f1 ? one.against_first.f1.p.toFixed(3) : '']);
  return [el('h2', {}, 'Do they differ?'), table(['system', 'F1 with its interval', `difference from ${first.system}`, 'p'], rows),
    el('p', { class: 'soft' }, 'Paired bootstrap, intervals of 95 %.')];
}
