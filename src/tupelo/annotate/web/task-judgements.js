// One tuple beside its sentence: is it right, does it say something, and if it is wrong, what would be right?
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { button, el } from './dom.js';

const LABELS = [['good', 'Right and informative', '1'], ['empty', 'Right, but says too little', '2'], ['wrong', 'Wrong', '3']];
const PARTS = [['subject', 'Subject', 's'], ['relation', 'Relation', 'r'], ['argument', 'Object or another argument', 'o'], ['marks', 'Marks', 'm'], ['several', 'Several, or nothing to save', 'x']];
const MOST_PARTS = 12;

const kind = place => place === 1 ? 'rel' : place ? 'arg1' : 'arg0';
const slot = place => ['Subject', 'Relation', 'Object'][place] || `Argument ${place}`;
const split = marks => marks.split(';').map(mark => mark.trim()).filter(Boolean);

function tuple(parts, marks) {
  return el('p', { class: 'preview' }, '(', parts.map((part, place) => [place ? '; ' : '', el('span', { class: `part is-${kind(place)}` }, part)]), ')',
    marks.map(mark => [' ', el('mark', {}, mark)]));
}

function reading(content) {
  const around = sentences => sentences.map(sentence => [sentence, ' ']);
  return [
    el('p', { class: 'sentence-read' }, el('span', { class: 'hint' }, around(content.before)), el('b', {}, content.text), ' ', el('span', { class: 'hint' }, around(content.after))),
    tuple(content.tuple, content.marks),
  ];
}

export class Component extends Editor {
  begin(answer) {
    const { tuple, marks } = answer?.corrected || this.content;
    return { label: answer?.label || null, part: answer?.part || null, parts: tuple, marks: marks.join('; '), none: answer?.label === 'wrong' && !answer.corrected };
  }
  draw() {
    const { label, part } = this.state;
    return [
      reading(this.content),
      choices({ name: 'label', legend: 'Does the sentence state exactly this, and does it say something by itself?', options: LABELS, value: label, choose: value => this.judge(value) }),
      label === 'wrong' && [
        choices({ name: 'part', legend: 'Which part is wrong?', options: PARTS, value: part, choose: value => this.set({ ...this.state, part: value }, null, this.next(value)) }),
        this.correction(),
      ],
    ];
  }
  judge(label) { this.set({ ...this.state, label }, LABELS.find(([key]) => key === label)[1], `label-${label}`); }
  // Where the correction begins.
  next(part) { return this.state.none ? 'none' : part === 'marks' ? 'marks' : `text-${Math.min({ relation: 1, argument: 2 }[part] || 0, this.state.parts.length - 1)}`; }
  correction() {
    const { parts, marks, none } = this.state, write = (place, text) => this.amend({ ...this.state, parts: this.state.parts.with(place, text) });
    return el('section', { class: 'maker' }, el('h3', {}, 'What would be right?'),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: none, 'data-place': 'none', onchange: event => this.set({ ...this.state, none: event.target.checked }) }), ' The sentence has no such tuple', el('kbd', {}, '0')),
      !none && [
        parts.map((part, place) => el('label', { class: 'field' }, el('span', {}, slot(place)), el('input', { type: 'text', maxlength: 4000, value: part, 'data-place': `text-${place}`, oninput: event => write(place, event.target.value) }))),
        el('label', { class: 'field' }, el('span', {}, 'Marks ', el('small', {}, 'such as “not; Ann said”; may be empty')), el('input', { type: 'text', maxlength: 4000, value: marks, 'data-place': 'marks', oninput: event => this.amend({ ...this.state, marks: event.target.value }) })),
        el('div', { class: 'row' },
          button('Another argument', () => this.set({ ...this.state, parts: [...this.state.parts, ''] }, null, `text-${this.state.parts.length}`), { 'data-place': 'more', disabled: parts.length >= MOST_PARTS || null }),
          button('Remove the last', () => this.set({ ...this.state, parts: this.state.parts.slice(0, -1) }), { 'data-place': 'fewer', disabled: parts.length <= 2 || null })),
      ]);
  }
  corrected() { return { tuple: this.state.parts.map(part => part.trim()), marks: split(this.state.marks) }; }
  answer() {
    const { label, part, none } = this.state;
    return label === 'wrong' ? { label, part, corrected: none ? null : this.corrected() } : { label };
  }
  missing() {
    const { label, part, none } = this.state;
    if (!label) return 'Say whether the tuple is right and informative.';
    if (label !== 'wrong') return null;
    if (!part) return 'Say which part is wrong.';
    if (none) return null;
    const { tuple, marks } = this.corrected();
    if (tuple.some(part => !part)) return 'A part of the correction is empty.';
    const same = JSON.stringify([tuple, marks]) === JSON.stringify([this.content.tuple, this.content.marks]);
    return same ? 'Correct the tuple, or say that the sentence has no such tuple.' : null;
  }
  press(event) {
    const label = LABELS['123'.indexOf(event.key)]?.[0], wrong = this.state.label === 'wrong', part = wrong && PARTS.find(([, , letter]) => letter === event.key)?.[0];
    if (label) this.judge(label);
    else if (part) { this.set({ ...this.state, part }, part, this.next(part)); event.preventDefault(); }
    else if (event.key === '0' && wrong) this.set({ ...this.state, none: !this.state.none }, 'No such tuple', 'none');
    else return false;
    return true;
  }
  keys() { return [['1 2 3', 'right and informative, says too little, wrong'], ['s r o m x', 'wrong: subject, relation, object, marks, several'], ['0', 'wrong, and nothing would be right']]; }
}

export function show(content, answer) {
  const verdict = LABELS.find(([key]) => key === answer.label)[1];
  return el('div', { class: 'shown' }, reading(content), el('p', {}, el('b', {}, verdict), answer.part ? `: ${answer.part}` : ''),
    answer.corrected && tuple(answer.corrected.tuple, answer.corrected.marks));
}
