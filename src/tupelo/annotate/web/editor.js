// What all task components share: a state that is replaced and never changed, undo, redo, and drawing it anew while
// the focus stays where it was. A component says what its state is, how it looks and which answer it stands for.
import { el, say } from './dom.js';

const DEEPEST = 200;

export class Editor {
  // value: an answer, or { state } of an unfinished one; suggestion: an answer made by a machine.
  constructor({ content, value = null, suggestion = null, changed = () => {} }) {
    this.content = content; this.suggestion = suggestion; this.changed = changed;
    this.node = el('div', { class: 'editor' });
    this.past = []; this.future = [];
    this.state = value?.state ? value.state : this.begin(value);
    this.redraw();
  }
  begin() { return {}; }
  draw() { return []; }
  answer() { return {}; }
  missing() { return null; }
  keys() { return []; }
  press() { return false; }
  draft() { return { state: this.state }; }
  set(state, said, focus) {
    this.past.push(this.state);
    if (this.past.length > DEEPEST) this.past.shift();
    this.future = [];
    this.show(state, said, focus);
  }
  // A change that is part of the one before, as letters of a word are.
  amend(state) { this.state = state; this.future = []; this.changed(); }
  show(state, said, focus) {
    this.state = state;
    this.redraw(focus);
    if (said) say(said);
    this.changed();
  }
  undo() { if (this.past.length) { this.future.push(this.state); this.show(this.past.pop(), 'Undone.'); } }
  redo() { if (this.future.length) { this.past.push(this.state); this.show(this.future.pop(), 'Done again.'); } }
  redraw(focus) {
    const active = this.node.contains(document.activeElement) ? document.activeElement : null;
    const place = focus || active?.dataset.place, selection = active && 'selectionStart' in active ? [active.selectionStart, active.selectionEnd] : null;
    this.node.replaceChildren(...this.draw().flat(Infinity).filter(Boolean));
    if (!place) return;
    const next = this.node.querySelector(`[data-place="${CSS.escape(place)}"]`) || this.node.querySelector('[data-place]');
    next?.focus();
    if (selection && next && 'setSelectionRange' in next && next.type !== 'radio' && next.type !== 'checkbox') next.setSelectionRange(...selection);
  }
}
