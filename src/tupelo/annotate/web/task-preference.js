// Two lists of tuples for one sentence: which is better? Sides are mixed, names are hidden.
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { el } from './dom.js';

const tupleItem = ([subject, relation, ...others]) => el('li', {}, el('span', { class: 'tuple' }, '(', el('span', { class: 'part is-arg0' }, subject), '; ', el('span', { class: 'part is-rel' }, relation), others.map(text => ['; ', el('span', { class: 'part is-arg1' }, text)]), ')'));

function columns(content, chosen) {
  return el('div', { class: 'side-by-side' }, content.options.map((option, place) =>
    el('section', { class: option.id === chosen ? 'chosen' : null }, el('h3', {}, place ? 'Right' : 'Left'),
      option.tuples.length ? el('ul', { class: 'plain' }, option.tuples.map(tupleItem)) : el('p', { class: 'hint' }, 'No tuple.'))));
}

export class Component extends Editor {
  begin(answer) { return { choice: answer?.choice || null, reason: answer?.reason || '' }; }
  options() { const [left, right] = this.content.options; return [[left.id, 'Left is better', '1'], ['equal', 'Equal', '2'], [right.id, 'Right is better', '3']]; }
  draw() {
    return [
      el('p', { class: 'sentence-read' }, this.content.text),
      columns(this.content, this.state.choice),
      choices({ name: 'choice', legend: 'Which list says better what the sentence says?', options: this.options(), value: this.state.choice, choose: choice => this.set({ ...this.state, choice }) }),
      el('label', { class: 'field' }, el('span', {}, 'Why? ', el('small', {}, 'optional')), el('input', { type: 'text', maxlength: 2000, value: this.state.reason, 'data-place': 'reason', oninput: event => this.amend({ ...this.state, reason: event.target.value }) })),
    ];
  }
  answer() { return this.state; }
  missing() { return this.state.choice ? null : 'Choose left, equal or right.'; }
  press(event) {
    const option = this.options()['123'.indexOf(event.key)];
    if (!option) return false;
    this.set({ ...this.state, choice: option[0] }, option[1], `choice-${option[0]}`);
    return true;
  }
  keys() { return [['1 2 3', 'left, equal, right']]; }
}

export function show(content, answer) {
  const place = content.options.findIndex(option => option.id === answer.choice);
  return el('div', { class: 'shown' }, el('p', { class: 'sentence-read' }, content.text), columns(content, answer.choice),
    el('p', {}, el('b', {}, place < 0 ? 'Equal' : place ? 'Right is better' : 'Left is better'), answer.reason ? ` – ${answer.reason}` : ''));
}
