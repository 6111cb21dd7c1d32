// Source on the left, generated text on the right, and a rating from very poor to very good.
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { el } from './dom.js';

const SCALE = [[1, 'Very poor', '1'], [2, 'Poor', '2'], [3, 'Fair', '3'], [4, 'Good', '4'], [5, 'Very good', '5']];

const texts = content => el('div', { class: 'side-by-side' },
  el('section', { class: 'scroll', tabindex: 0, 'aria-label': 'Source' }, el('h3', {}, 'Source'), paragraphs(content.source)),
  el('section', { class: 'scroll', tabindex: 0, 'aria-label': 'Generated text' }, el('h3', {}, 'Generated text'), paragraphs(content.generated)));
export const paragraphs = text => text.split(/\n+/).filter(Boolean).map(line => el('p', { class: 'text' }, line));

export class Component extends Editor {
  begin(answer) { return { score: answer?.score || null, no_claims: answer?.no_claims || false, note: answer?.note || '' }; }
  draw() {
    const { score, no_claims, note } = this.state;
    return [
      texts(this.content),
      choices({ name: 'score', legend: 'How far do the facts of the generated text agree with the source?', options: SCALE, value: score, choose: value => this.set({ ...this.state, score: value, no_claims: no_claims && value === 1 }) }),
      el('p', { class: 'hint' }, 'Count only what the source supports or refutes. Leave aside what it does not mention, and what you know from elsewhere.'),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: no_claims, 'data-place': 'no-claims', onchange: event => this.set({ ...this.state, no_claims: event.target.checked, score: event.target.checked ? 1 : score }) }), ' There is nothing in it that the source could support or refute (counts as 1)', el('kbd', {}, '0')),
      el('label', { class: 'field' }, el('span', {}, 'Note ', el('small', {}, 'optional')), el('input', { type: 'text', maxlength: 2000, value: note, 'data-place': 'note', oninput: event => this.amend({ ...this.state, note: event.target.value }) })),
    ];
  }
  answer() { return this.state; }
  missing() { return this.state.score ? null : 'Choose a rating from 1 to 5.'; }
  press(event) {
    const score = '12345'.includes(event.key) && event.key.length === 1 ? +event.key : null;
    if (score) this.set({ ...this.state, score, no_claims: false }, SCALE[score - 1][1], `score-${score}`);
    else if (event.key === '0') this.set({ ...this.state, score: 1, no_claims: true }, 'Nothing to check, counts as 1', 'no-claims');
    else return false;
    return true;
  }
  keys() { return [['1 … 5', 'very poor … very good'], ['0', 'nothing to check']]; }
}

export function show(content, answer) {
  return el('div', { class: 'shown' }, texts(content), el('p', {}, el('b', {}, `${answer.score} – ${SCALE[answer.score - 1][1]}`), answer.no_claims ? ' (nothing to check)' : '', answer.note ? ` – ${answer.note}` : ''));
}
