// Correction of a paraphrase: the original beside it, every change shown at once, and what must not get lost.
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { el } from './dom.js';
import { diff, split } from './diff.js';

const VERDICTS = [['good', 'Good as it is', '1'], ['corrected', 'Corrected', '2'], ['hopeless', 'Cannot be saved', '3']];
const KINDS = [['grammar', 'Grammar', 'a form, an ending, a small word'], ['phrase', 'Phrase', 'a wrong expression replaced'], ['rewrite', 'Rewrite', 'the sentence made anew']];
const fold = text => split(text).filter(word => /[\p{L}\p{N}]/u.test(word)).join(' ').toLowerCase();
const ENDS = ['', 's', "'s", '’s', "s'"];

export function lost(wanted, text) {
  const have = split(text).map(word => word.toLowerCase());
  return wanted.filter(word => !have.some(other => ENDS.some(end => word.toLowerCase() + end === other || other + end === word.toLowerCase())));
}

export class Component extends Editor {
  begin(answer) { return { verdict: answer?.verdict || null, text: answer?.text || this.content.paraphrase, kinds: answer?.kinds || [], kept: answer?.kept || false }; }
  made() { return this.state.verdict === 'corrected' ? this.state.text : this.content.paraphrase; }
  draw() {
    const { content, state } = this, gone = lost(content.content_words, this.made());
    const hopeless = state.verdict === 'hopeless';
    this.report = el('div', { class: 'report', 'aria-live': 'polite' }, this.checks());
    return [
      el('div', { class: 'side-by-side' },
        el('section', {}, el('h3', {}, 'Original'), el('p', { class: 'text' }, marked(content.original, gone))),
        el('section', {}, el('h3', {}, 'Paraphrase of the machine ', el('span', { class: 'badge' }, 'machine')), el('p', { class: 'text' }, content.paraphrase))),
      choices({ name: 'verdict', legend: 'The paraphrase is', options: VERDICTS, value: state.verdict, choose: verdict => this.set({ ...state, verdict }, null, verdict === 'corrected' ? 'text' : `verdict-${verdict}`) }),
      el('label', { class: 'field' }, el('span', {}, 'Your correction'),
        el('textarea', { rows: 3, maxlength: 4000, value: state.text, spellcheck: true, 'data-place': 'text', disabled: hopeless || null, oninput: event => this.type(event.target.value) })),
      this.report,
      state.verdict === 'corrected' && el('fieldset', { class: 'checks' }, el('legend', {}, 'What did you correct?'), KINDS.map(([kind, label, hint]) =>
        el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: state.kinds.includes(kind), 'data-place': `kind-${kind}`, onchange: event => this.set({ ...this.state, kinds: KINDS.map(([k]) => k).filter(k => k === kind ? event.target.checked : this.state.kinds.includes(k)) }) }), ` ${label} `, el('small', {}, hint)))),
    ];
  }
  type(text) {
    // Letters of one go are undone together.
    const next = { ...this.state, text, verdict: 'corrected' };
    if (this.state.verdict !== 'corrected' || Date.now() - (this.typed || 0) > 1500) this.set(next, null, 'text'); else { this.amend(next); this.report.replaceChildren(...this.checks()); }
    this.typed = Date.now();
  }
  checks() {
    const { content, state } = this;
    if (state.verdict === 'hopeless') return [el('p', { class: 'hint' }, 'The paraphrase will be left out.')];
    const gone = lost(content.content_words, this.made());
    const steps = diff(content.paraphrase, this.made()).map(({ kind, words }) => [el(kind === 'out' ? 'del' : kind === 'in' ? 'ins' : 'span', {}, words.join(' ')), ' ']);
    return [
      state.verdict === 'corrected' && el('p', { class: 'diff', 'aria-label': 'Changes' }, el('span', { class: 'label' }, 'Changes '), steps),
      this.sameAsOriginal() && el('p', { class: 'advice' }, 'This says it in the words of the original. A paraphrase needs other words.'),
      gone.length ? el('p', { class: 'advice' }, 'Not in the paraphrase: ', el('b', {}, gone.join(', ')), '. ', el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: state.kept, 'data-place': 'kept', onchange: event => this.set({ ...this.state, kept: event.target.checked }) }), ' The content is kept all the same')) : null,
    ].filter(Boolean);
  }
  sameAsOriginal() { return fold(this.made()) === fold(this.content.original); }
  answer() {
    const { verdict, text, kinds, kept } = this.state;
    return verdict === 'corrected' ? { verdict, text, kinds, kept } : verdict === 'good' ? { verdict, kept } : { verdict };
  }
  missing() {
    const { verdict, text, kinds, kept } = this.state;
    if (!verdict) return 'Say whether the paraphrase is good, corrected or cannot be saved.';
    if (verdict === 'hopeless') return null;
    if (verdict === 'corrected' && split(text).join(' ') === split(this.content.paraphrase).join(' ')) return 'The text is not changed yet.';
    if (this.sameAsOriginal()) return 'The paraphrase needs other words than the original.';
    if (lost(this.content.content_words, this.made()).length && !kept) return 'Words of the original are gone. Put them back, or confirm that the content is kept.';
    if (verdict === 'corrected' && !kinds.length) return 'Say what you corrected.';
    return null;
  }
  press(event) {
    const verdict = VERDICTS['123'.indexOf(event.key)]?.[0];
    if (!verdict) return false;
    this.set({ ...this.state, verdict }, verdict, verdict === 'corrected' ? 'text' : `verdict-${verdict}`);
    return true;
  }
  keys() { return [['1 2 3', 'good, corrected, cannot be saved']]; }
}

// The original with the words that the paraphrase has lost.
function marked(text, gone) {
  if (!gone.length) return text;
  const pieces = text.split(/(\s+)/);
  return pieces.map(piece => gone.some(word => piece.includes(word)) ? el('mark', {}, piece) : piece);
}

export function show(content, answer) {
  const after = answer.text || content.paraphrase;
  return el('div', { class: 'shown' },
    el('p', {}, el('small', {}, 'Original: '), content.original),
    answer.verdict === 'hopeless' ? el('p', {}, el('del', {}, content.paraphrase), ' – cannot be saved')
      : el('p', { class: 'diff' }, el('small', {}, answer.verdict === 'good' ? 'Good as it is: ' : `Corrected (${answer.kinds.join(', ')}): `), diff(content.paraphrase, after).map(({ kind, words }) => [el(kind === 'out' ? 'del' : kind === 'in' ? 'ins' : 'span', {}, words.join(' ')), ' '])));
}
