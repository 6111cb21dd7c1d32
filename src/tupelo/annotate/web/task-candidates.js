// Candidates for a question: does each answer it? Arrow keys walk, y, n and u decide.
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { el } from './dom.js';

const LABELS = [['yes', 'Yes', 'y'], ['no', 'No', 'n'], ['unclear', 'Unclear', 'u']];

export class Component extends Editor {
  begin(answer) { return { labels: answer?.labels || {}, at: 0 }; }
  label(id, label, move = false) {
    const place = this.content.candidates.findIndex(each => each.id === id), next = Math.min(place + 1, this.content.candidates.length - 1);
    const at = move ? next : place;
    this.set({ ...this.state, labels: { ...this.state.labels, [id]: label }, at }, `${this.content.candidates[place].text}: ${label}`, move ? `row-${at}` : undefined);
  }
  draw() {
    const { labels, at } = this.state, done = Object.keys(labels).length, { candidates } = this.content;
    return [
      el('p', { class: 'question' }, this.content.question),
      el('p', { class: 'hint' }, `${done} of ${candidates.length} decided. Judge each one by itself; some are easy on purpose.`),
      el('ul', { class: 'candidates' }, candidates.map((each, place) => el('li', { tabindex: place === at ? 0 : -1, 'data-place': `row-${place}`, class: labels[each.id] ? 'done' : null, 'aria-label': `${each.text}: ${labels[each.id] || 'not decided'}`, onfocus: () => { this.state = { ...this.state, at: place }; } },
        el('div', {}, el('b', {}, each.text), each.assertion && el('small', {}, each.assertion)),
        choices({ name: `c${place}`, legend: el('span', { class: 'for-readers' }, each.text), options: LABELS.map(([key, text]) => [key, text]), value: labels[each.id], choose: label => this.label(each.id, label) })))),
    ];
  }
  answer() { return { labels: this.state.labels }; }
  missing() {
    const open = this.content.candidates.filter(each => !this.state.labels[each.id]);
    return open.length ? `${open.length} ${open.length === 1 ? 'candidate is' : 'candidates are'} not decided, the first is “${open[0].text}”.` : null;
  }
  press(event) {
    const { candidates } = this.content, label = LABELS.find(([, , letter]) => letter === event.key)?.[0];
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.target.matches?.('input[type=radio]') && move) return false;
    if (label) this.label(candidates[this.state.at].id, label, true);
    else if (move) { const at = Math.max(0, Math.min(candidates.length - 1, this.state.at + move)); this.state = { ...this.state, at }; this.redraw(`row-${at}`); }
    else return false;
    event.preventDefault();
    return true;
  }
  keys() { return [['↑ ↓', 'walk over candidates'], ['y n u', 'yes, no, unclear']]; }
}

export function show(content, answer) {
  return el('div', { class: 'shown' }, el('p', { class: 'question' }, content.question), el('table', {}, el('tbody', {}, content.candidates.map(each =>
    el('tr', {}, el('td', {}, each.text), el('td', {}, each.assertion), el('td', {}, el('b', {}, answer.labels[each.id] || '–')))))));
}
