// The tuple editor of one sentence: choose a slot, then click, drag or walk over the words that belong there.
// State: { tuples, current, slot, editing, none, offered }. `offered` are suggestions not yet taken or dismissed.
import { button, el, say } from './dom.js';
import { insert, partText, toggle, tupleText, tupleTexts, typedWords } from './parts.js';

const PREPOSITIONS = new Set('about above across after against along among around as at before behind below beneath beside between beyond by despite down during for from in inside into near of off on onto out outside over past since through to toward towards under until up upon via with within without'.split(' '));
const EMPTY = { rel: [], args: [[], []] };
const NAMES = { speaker: 'Speaker', verb: 'Verb of saying', rel: 'Relation', time: 'Time', place: 'Place' };
const HINTS = {
  speaker: 'Who says it?', verb: 'Which word says that it is said?', rel: 'What happens, or what is it? Take the preposition along: “lives in”.',
  'args.0': 'Who or what does it?', 'args.1': 'To whom or what? Take every word that belongs to it.', time: 'When? Leave empty if the sentence does not say.', place: 'Where? Leave empty if the sentence does not say.',
};
const LETTERS = { speaker: 'w', verb: 'v', rel: 'r', 'args.0': 's', 'args.1': 'o', time: 't', place: 'p' };

export const slotName = slot => NAMES[slot] || (slot === 'args.0' ? 'Subject' : slot === 'args.1' ? 'Object' : `Argument ${+slot.slice(5) + 1}`);
export const getPart = (tuple, slot) => (slot.startsWith('args.') ? tuple.args[+slot.slice(5)] : tuple[slot]) || [];
export function withPart(tuple, slot, part) {
  if (!slot.startsWith('args.')) return { ...tuple, [slot]: part };
  const args = [...tuple.args];
  args[+slot.slice(5)] = part;
  return { ...tuple, args };
}

export function tidy(tuple) {
  const made = { rel: tuple.rel, args: tuple.args.filter(part => part?.length) };
  for (const name of ['speaker', 'verb', 'time', 'place']) if (tuple[name]?.length) made[name] = tuple[name];
  if (tuple.suggested) made.suggested = true;
  return made;
}
const wide = tuple => ({ ...tuple, args: tuple.args.length < 2 ? [...tuple.args, ...EMPTY.args.slice(tuple.args.length)] : tuple.args });
const bare = tuple => JSON.stringify({ ...tidy(tuple), suggested: undefined });

export function padState(must, answer, offered = []) {
  return { tuples: answer?.tuples || [], none: answer?.none || false, current: EMPTY, slot: must[0] || 'rel', editing: null, offered };
}

export class Pad {
  // owner.get() and owner.set(state, said, focus) hold the state; `label` makes places unique among several pads.
  constructor(owner, { words, must = [], label = 'pad' }) {
    this.owner = owner; this.words = words; this.must = must; this.label = label; this.cursor = 0; this.anchor = null;
  }
  get state() { return this.owner.get(); }
  slots(tuple = this.state.current) {
    return [...this.must, 'rel', ...tuple.args.map((_, place) => `args.${place}`), 'time', 'place'];
  }
  // What keeps the current tuple from being added; null when nothing does.
  lacking(tuple = this.state.current) {
    for (const slot of [...this.must, 'rel', 'args.0']) if (!getPart(tuple, slot).length) return slot;
    return null;
  }
  touched() { return this.slots().some(slot => getPart(this.state.current, slot).length && !(this.must.includes(slot) && this.state.editing === null)); }
  place(part, said) {
    const { slot, current } = this.state;
    this.owner.set({ ...this.state, current: withPart(current, slot, part), none: false }, said || `${slotName(slot)}: ${partText(this.words, part) || 'empty'}`);
  }
  choose(slot, focus) { this.owner.set({ ...this.state, slot }, `${slotName(slot)}. ${HINTS[slot] || ''}`, focus); }
  step(by) {
    const slots = this.slots(), next = slots[Math.max(0, Math.min(slots.length - 1, slots.indexOf(this.state.slot) + by))];
    this.choose(next);
  }
  more() {
    const args = [...this.state.current.args, []];
    this.owner.set({ ...this.state, current: { ...this.state.current, args }, slot: `args.${args.length - 1}` }, `Argument ${args.length}.`);
  }
  add() {
    const lacking = this.lacking();
    if (lacking) { this.choose(lacking); say(`${slotName(lacking)} is missing.`); return; }
    const tuple = tidy(this.state.current), { editing } = this.state;
    const twice = this.state.tuples.some((other, place) => place !== editing && bare(other) === bare(tuple));
    if (twice) { say('This tuple is there already.'); return; }
    const tuples = editing === null ? [...this.state.tuples, tuple] : this.state.tuples.map((other, place) => place === editing ? tuple : other);
    // The speaker usually goes on speaking.
    const kept = Object.fromEntries(this.must.map(name => [name, tuple[name]]));
    this.owner.set({ ...this.state, tuples, current: { ...EMPTY, ...kept }, slot: 'rel', editing: null, none: false }, `Tuple ${editing === null ? 'added' : 'changed'}: ${tupleText(this.words, tuple)}`);
  }
  cancel() { this.owner.set({ ...this.state, current: EMPTY, slot: this.must[0] || 'rel', editing: null }, 'Started over.'); }
  edit(place) { this.owner.set({ ...this.state, current: wide(this.state.tuples[place]), editing: place, slot: 'rel' }, 'Changing this tuple.'); }
  copy(place) {
    const { suggested, ...tuple } = wide(this.state.tuples[place]);
    this.owner.set({ ...this.state, current: tuple, editing: null, slot: 'args.1' }, 'A copy to change: its object is chosen.');
  }
  remove(place) { this.owner.set({ ...this.state, tuples: this.state.tuples.filter((_, other) => other !== place), editing: null, current: this.state.editing === place ? EMPTY : this.state.current }, 'Tuple removed.', `${this.label}-none`); }
  take(place, change) {
    const { carried, ...kept } = this.state.offered[place], tuple = carried ? kept : { ...kept, suggested: true }, offered = this.state.offered.filter((_, other) => other !== place);
    if (change) this.owner.set({ ...this.state, offered, current: wide(tuple), editing: null, slot: 'rel', none: false }, 'Change it, then add it.');
    else if (this.state.tuples.some(other => bare(other) === bare(tuple))) this.owner.set({ ...this.state, offered }, 'This tuple was there already.');
    else this.owner.set({ ...this.state, offered, tuples: [...this.state.tuples, tuple], none: false }, 'Suggestion taken over.');
  }
  dismiss(place) { this.owner.set({ ...this.state, offered: this.state.offered.filter((_, other) => other !== place) }, 'Suggestion dismissed.'); }

  draw() { return [this.sentence(), this.maker(), this.list(), this.offers()]; }

  sentence() {
    const { current, slot } = this.state, slots = this.slots();
    const box = el('div', { class: 'sentence', role: 'group', 'aria-label': 'Words of the sentence. Arrow keys move, space chooses, shift and arrows choose several.', onkeydown: event => this.walk(event) });
    this.words.forEach(([gap, word], number) => {
      const mine = [slot, ...slots].find(name => getPart(current, name).includes(number));
      box.append(gap ? ' ' : '', el('button', {
        type: 'button', class: `word ${mine ? `is-${mine.replace(/args\.(\d).*/, (_, n) => `arg${Math.min(+n, 2)}`)}` : ''} ${mine === slot ? 'mine' : ''}`,
        'data-word': number, 'data-place': `${this.label}-word-${number}`, tabindex: number === this.cursor ? 0 : -1,
        'aria-pressed': String(getPart(current, slot).includes(number)), 'aria-label': mine ? `${word}, ${slotName(mine)}` : word,
      }, word));
    });
    this.listen(box);
    return box;
  }
  // Click, or drag with mouse, pen or finger.
  listen(box) {
    let from = null, to = null;
    const at = event => document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-word]');
    const paint = () => box.querySelectorAll('[data-word]').forEach(word => {
      const number = +word.dataset.word;
      word.classList.toggle('dragged', from !== null && number >= Math.min(from, to) && number <= Math.max(from, to));
    });
    box.addEventListener('pointerdown', event => {
      const word = event.target.closest('[data-word]');
      if (!word || event.button) return;
      from = to = +word.dataset.word; paint();
      // A finger keeps its first target otherwise, and no other word would hear of it.
      if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    });
    box.addEventListener('pointermove', event => {
      if (from === null) return;
      const word = at(event);
      if (word && box.contains(word)) { to = +word.dataset.word; paint(); }
    });
    const stop = () => { from = to = null; paint(); };
    box.addEventListener('pointerup', () => {
      if (from === null) return;
      const [begin, end] = [from, to];
      this.cursor = end; stop();
      this.place(toggle(getPart(this.state.current, this.state.slot), begin, end));
    });
    box.addEventListener('pointercancel', stop);
    box.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse' && !event.buttons) stop(); });
    // A screen reader clicks without a pointer.
    box.addEventListener('click', event => {
      const word = event.target.closest('[data-word]');
      if (word && event.detail === 0) this.pick(+word.dataset.word);
    });
  }
  pick(number) { this.cursor = number; this.place(toggle(getPart(this.state.current, this.state.slot), this.anchor ?? number, number)); this.anchor = null; }
  walk(event) {
    const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -this.words.length, End: this.words.length };
    if (event.key in moves && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (event.shiftKey) this.anchor ??= this.cursor; else this.anchor = null;
      this.cursor = Math.max(0, Math.min(this.words.length - 1, this.cursor + moves[event.key]));
      const box = event.currentTarget, first = Math.min(this.anchor ?? this.cursor, this.cursor), last = Math.max(this.anchor ?? this.cursor, this.cursor);
      box.querySelectorAll('[data-word]').forEach(word => {
        const number = +word.dataset.word;
        word.tabIndex = number === this.cursor ? 0 : -1;
        word.classList.toggle('dragged', this.anchor !== null && number >= first && number <= last);
        if (number === this.cursor) word.focus();
      });
    } else if (event.key === ' ') { event.preventDefault(); this.pick(this.cursor); }
  }

  maker() {
    const { current, slot, editing } = this.state, lacking = this.lacking();
    const rows = this.slots().map(name => {
      const text = partText(this.words, getPart(current, name)), letter = LETTERS[name];
      return el('div', { class: `slot is-${name.replace(/args\.(\d).*/, (_, n) => `arg${Math.min(+n, 2)}`)} ${name === slot ? 'active' : ''}` },
        el('button', { type: 'button', class: 'slot-name', 'aria-pressed': String(name === slot), 'data-place': `${this.label}-slot-${name}`, title: letter ? `Key ${letter}` : null, onclick: () => this.choose(name, `${this.label}-word-${this.cursor}`) },
          el('span', {}, slotName(name), ['time', 'place'].includes(name) && el('small', {}, ' optional')), el('b', {}, text || ' ')),
        text && button('×', () => { this.owner.set({ ...this.state, current: withPart(current, name, []), slot: name }, `${slotName(name)} emptied.`); }, { class: 'quiet', 'aria-label': `Empty ${slotName(name)}`, 'data-place': `${this.label}-empty-${name}` }));
    });
    const typed = el('input', { type: 'text', maxlength: 200, 'aria-label': `A word for ${slotName(slot)} that is not in the sentence`, placeholder: 'word that is not there, e.g. “is”', 'data-place': `${this.label}-typed`,
      onkeydown: event => { if (event.key === 'Enter') { event.preventDefault(); event.stopPropagation(); type(false); } } });
    const type = first => {
      const word = typed.value.trim();
      if (!word) return;
      const part = getPart(current, slot);
      this.place(first ? [word, ...part] : [...part, word]);
    };
    const started = getPart(current, 'args.1')[0], begins = typeof started === 'number' ? this.words[started][1] : started;
    const shift = begins && PREPOSITIONS.has(String(begins).toLowerCase()) && getPart(current, 'args.1').length > 1 && current.rel.length;
    return el('section', { class: 'maker', 'aria-label': editing === null ? 'New tuple' : 'Tuple being changed' },
      el('p', { class: 'hint' }, el('b', {}, `${slotName(slot)}: `), HINTS[slot] || 'Another argument of the same relation.'),
      el('div', { class: 'slots' }, rows, button('+ argument', () => this.more(), { class: 'quiet', title: 'Key a', 'data-place': `${this.label}-more` })),
      el('div', { class: 'typed' }, typed, button('Put before', () => type(true), { 'data-place': `${this.label}-before` }), button('Put after', () => type(false), { 'data-place': `${this.label}-after` })),
      shift && el('p', { class: 'advice' }, `A relation ends with its preposition. `, button(`Move “${begins}” to the relation`, () => {
        const piece = getPart(current, 'args.1')[0];
        const rel = typeof piece === 'number' ? insert(current.rel, piece) : [...current.rel, piece];
        this.owner.set({ ...this.state, current: withPart({ ...current, rel }, 'args.1', getPart(current, 'args.1').slice(1)) }, 'Moved.');
      }, { 'data-place': `${this.label}-shift` })),
      el('p', { class: 'preview', 'data-preview': true }, el('span', { class: 'label' }, 'Preview '), el('output', {}, tupleText(this.words, current))),
      el('div', { class: 'row' },
        button(editing === null ? 'Add tuple' : 'Keep change', () => this.add(), { class: lacking ? '' : 'main', 'data-place': `${this.label}-add`, title: 'Key n' }),
        this.touched() && button('Start over', () => this.cancel(), { class: 'quiet', 'data-place': `${this.label}-cancel` })));
  }

  list() {
    const { tuples, none } = this.state;
    return el('section', { class: 'tuples', 'aria-label': 'Tuples of this sentence' },
      el('h3', {}, tuples.length ? `Tuples (${tuples.length})` : 'No tuple yet'),
      el('ol', {}, tuples.map((tuple, place) => el('li', {}, tupleLine(this.words, tuple),
        el('span', { class: 'row' },
          button('Change', () => this.edit(place), { 'aria-label': `Change tuple ${place + 1}`, 'data-place': `${this.label}-edit-${place}` }),
          button('Copy', () => this.copy(place), { 'aria-label': `Copy tuple ${place + 1}`, 'data-place': `${this.label}-copy-${place}` }),
          button('Remove', () => this.remove(place), { 'aria-label': `Remove tuple ${place + 1}`, 'data-place': `${this.label}-remove-${place}` }))))),
      !tuples.length && el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: none, 'data-place': `${this.label}-none`, onchange: event => this.owner.set({ ...this.state, none: event.target.checked }) }),
        this.must.length ? ' Nothing is reported in this sentence' : ' This sentence has no tuple'));
  }

  offers() {
    const { offered } = this.state;
    if (!offered.length) return null;
    const machine = offered.some(tuple => !tuple.carried);
    return el('section', { class: 'offers', 'aria-label': machine ? 'Suggestions of a machine' : 'Tuples carried over' },
      el('h3', {}, el('span', { class: 'badge' }, machine ? 'machine' : 'carried over'), machine ? ' Suggestions' : ' From the first sentence'),
      el('p', { class: 'hint' }, machine ? 'Made by a program and often wrong. Nothing counts that you do not take over.' : 'Your tuples of the first sentence, in the words of this one. Nothing counts that you do not take over.'),
      el('ul', {}, offered.map((tuple, place) => el('li', {}, tupleLine(this.words, { ...tuple, suggested: false }), typedWords(tuple) ? el('small', {}, ' has words that are not in this sentence') : null,
        el('span', { class: 'row' },
          button('Take over', () => this.take(place, false), { 'data-place': `${this.label}-take-${place}`, 'aria-label': `Take over suggestion ${place + 1}` }),
          button('Change', () => this.take(place, true), { 'data-place': `${this.label}-amend-${place}`, 'aria-label': `Change suggestion ${place + 1}` }),
          button('Dismiss', () => this.dismiss(place), { 'data-place': `${this.label}-dismiss-${place}`, 'aria-label': `Dismiss suggestion ${place + 1}` }))))));
  }

  press(event) {
    const slot = Object.keys(LETTERS).find(name => LETTERS[name] === event.key && this.slots().includes(name));
    if (slot) this.choose(slot, `${this.label}-word-${this.cursor}`);
    else if (event.key === 'Enter' && (event.target === document.body || event.target.closest?.('.sentence'))) this.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'a') this.more();
    else if (event.key === 'n') this.add();
    else return false;
    event.preventDefault();
    return true;
  }
  keys() {
    return [['← → space', 'walk over words, choose one; with shift several'], [`${this.must.length ? 'w v ' : ''}r s o t p`, `${this.must.length ? 'speaker, verb, ' : ''}relation, subject, object, time, place`], ['a', 'another argument'], ['Enter', 'next slot (shift: the one before)'], ['n', 'add the tuple']];
  }
}

// A tuple to read: its parts in the colours of the slots.
export function tupleLine(words, tuple) {
  const texts = tupleTexts(words, tuple), [subject, ...others] = texts.args;
  const part = (kind, text, label) => el('span', { class: `part is-${kind}`, title: label }, text);
  const line = el('span', { class: 'tuple' });
  if (tuple.suggested) line.append(el('span', { class: 'badge', title: 'made by a machine, taken over by a person' }, 'machine'), ' ');
  if (texts.speaker) line.append(part('speaker', texts.speaker, 'Speaker'), ' ', part('verb', texts.verb || '', 'Verb of saying'), ': ');
  line.append('(', part('arg0', subject || '', 'Subject'), '; ', part('rel', texts.rel, 'Relation'));
  others.forEach((text, place) => line.append('; ', part(place ? 'arg2' : 'arg1', text, place ? `Argument ${place + 2}` : 'Object')));
  if (texts.time) line.append('; ', part('time', texts.time, 'Time'));
  if (texts.place) line.append('; ', part('place', texts.place, 'Place'));
  line.append(')');
  return line;
}
