// Tuples of one sentence.
import { Editor } from './editor.js';
import { el } from './dom.js';
import { Pad, padState, slotName, tupleLine } from './pad.js';

export class Component extends Editor {
  static must = [];
  begin(answer) { return padState(this.constructor.must, answer, answer ? [] : this.suggestion?.tuples || []); }
  get pad() {
    return this.only ||= new Pad({ get: () => this.state, set: (...rest) => this.set(...rest) }, { words: this.content.words, must: this.constructor.must });
  }
  draw() { return this.pad.draw(); }
  answer() { return { tuples: this.state.tuples, none: this.state.none && !this.state.tuples.length }; }
  missing() { return lacks(this.pad); }
  press(event) { return this.pad.press(event); }
  keys() { return this.pad.keys(); }
}

// Why the answer of a pad is not finished.
export function lacks(pad) {
  const lacking = pad.lacking();
  if (pad.touched()) return lacking ? `A tuple is unfinished: ${slotName(lacking).toLowerCase()} is missing.` : 'A tuple is not added yet. Add it or start over.';
  if (!pad.state.tuples.length && !pad.state.none) return 'There is no tuple. Make one, or say that the sentence has none.';
  return null;
}

export function show(content, answer) {
  return el('div', { class: 'shown' }, el('p', { class: 'sentence-read' }, content.text), showTuples(content.words, answer));
}

export function showTuples(words, answer) {
  return answer.tuples.length ? el('ol', {}, answer.tuples.map(tuple => el('li', {}, tupleLine(words, tuple)))) : el('p', { class: 'hint' }, 'No tuple.');
}
