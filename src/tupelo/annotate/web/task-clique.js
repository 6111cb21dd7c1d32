// A whole clique: one pad for each sentence; tuples of the first sentence are offered, in the words of the others.
import { Editor } from './editor.js';
import { button, el } from './dom.js';
import { Pad, padState, tidy } from './pad.js';
import { carry } from './parts.js';
import { lacks, showTuples } from './task-tuples.js';

export class Component extends Editor {
  begin(answer) {
    const offered = number => answer ? [] : this.suggestion?.sentences[number]?.tuples || [];
    return { at: 0, carried: [], sentences: this.content.sentences.map((_, number) => padState([], answer?.sentences[number], offered(number))) };
  }
  pad(number) {
    this.pads ||= this.content.sentences.map((sentence, place) => new Pad(
      { get: () => this.state.sentences[place], set: (state, ...rest) => this.set({ ...this.state, sentences: this.state.sentences.map((other, at) => at === place ? state : other) }, ...rest) },
      { words: sentence.words, label: `s${place}` }));
    return this.pads[number];
  }
  // Each tuple of the first sentence is offered once to every other one, when the person comes there.
  go(at, focus) {
    const first = this.state.sentences[0], carried = new Set(this.state.carried), words = this.content.sentences.map(each => each.words);
    let sentences = this.state.sentences;
    if (at > 0) {
      const fresh = first.tuples.map(tuple => JSON.stringify(tidy({ ...tuple, suggested: false }))).filter(key => !carried.has(`${at} ${key}`));
      fresh.forEach(key => carried.add(`${at} ${key}`));
      const known = new Set([...sentences[at].tuples, ...sentences[at].offered].map(tuple => JSON.stringify(tidy({ ...tuple, suggested: false }))));
      const moved = fresh.map(key => carry(JSON.parse(key), words[0], words[at])).filter(tuple => !known.has(JSON.stringify(tidy(tuple)))).map(tuple => ({ ...tuple, carried: true }));
      sentences = sentences.map((state, place) => place === at ? { ...state, offered: [...state.offered, ...moved] } : state);
    }
    this.set({ ...this.state, at, sentences, carried: [...carried] }, `Sentence ${at + 1} of ${sentences.length}`, focus);
  }
  draw() {
    const { at, sentences } = this.state, count = sentences.length;
    return [
      el('nav', { class: 'tabs', 'aria-label': 'Sentences of the clique' }, sentences.map((state, number) =>
        el('button', { type: 'button', 'aria-current': number === at ? 'true' : null, 'data-place': `tab-${number}`, onclick: () => this.go(number) },
          el('b', {}, `${number + 1} `), number ? 'paraphrase' : 'original', ' ', el('span', { class: 'count' }, state.tuples.length ? `${state.tuples.length} ✓` : state.none ? 'none ✓' : '–')))),
      at > 0 && el('p', { class: 'beside' }, el('small', {}, 'Original: '), this.content.sentences[0].text),
      this.pad(at).draw(),
      el('div', { class: 'row' },
        at > 0 && button('← Sentence before', () => this.go(at - 1), { 'data-place': 'before' }),
        at + 1 < count && button('Next sentence →', () => this.go(at + 1, `s${at + 1}-take-0`), { class: 'main', 'data-place': 'next' })),
    ];
  }
  answer() { return { sentences: this.state.sentences.map(state => ({ tuples: state.tuples, none: state.none && !state.tuples.length })) }; }
  missing() {
    for (let number = 0; number < this.state.sentences.length; number++) {
      const fault = lacks(this.pad(number));
      if (fault) return `Sentence ${number + 1}: ${fault}`;
    }
    return null;
  }
  press(event) {
    if (event.key === ']' && this.state.at + 1 < this.state.sentences.length) { this.go(this.state.at + 1); return true; }
    if (event.key === '[' && this.state.at > 0) { this.go(this.state.at - 1); return true; }
    return this.pad(this.state.at).press(event);
  }
  keys() { return [...this.pad(this.state.at).keys(), ['[ ]', 'sentence before, next sentence']]; }
}

export function show(content, answer) {
  return el('div', { class: 'shown' }, content.sentences.map((sentence, number) => [
    el('p', { class: 'sentence-read' }, el('b', {}, `${number + 1} `), sentence.text), showTuples(sentence.words, answer.sentences[number])]));
}
