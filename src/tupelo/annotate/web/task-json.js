// Any task that brings no page of its own: the content as JSON, and the answer written as JSON.
import { Editor } from './editor.js';
import { el } from './dom.js';

const pretty = value => JSON.stringify(value, null, 2);
const shown = content => el('pre', { class: 'text scroll', tabindex: 0, 'aria-label': 'Item' }, pretty(content));

export class Component extends Editor {
  begin(answer) { return { text: pretty(answer || this.suggestion || {}) }; }
  draw() {
    return [shown(this.content), el('label', { class: 'field' }, el('span', {}, 'Answer ', el('small', {}, 'a JSON object')), el('textarea', { rows: 8, 'data-place': 'answer', oninput: event => this.amend({ text: event.target.value }) }, this.state.text))];
  }
  answer() { return JSON.parse(this.state.text); }
  missing() {
    try { this.answer(); return null; } catch { return 'The answer is not valid JSON.'; }
  }
}

export const show = (content, answer) => el('div', { class: 'shown' }, shown(content), el('pre', {}, pretty(answer)));
