// Claims one by one against the source; a click on a sentence of the source makes it evidence for the chosen claim.
import { Editor } from './editor.js';
import { choices } from './choices.js';
import { el } from './dom.js';

const LABELS = [['supported', 'Supported', 's'], ['refuted', 'Refuted', 'r'], ['unverifiable', 'Not verifiable', 'v']];

export class Component extends Editor {
  begin(answer) {
    const { claims } = this.content;
    return { labels: answer?.labels || claims.map(() => null), evidence: answer?.evidence || claims.map(() => []), at: 0 };
  }
  label(place, label, move = false) {
    const at = move ? Math.min(place + 1, this.content.claims.length - 1) : place;
    this.set({ ...this.state, labels: this.state.labels.map((old, other) => other === place ? label : old), at }, `Claim ${place + 1}: ${label}`, move ? `claim-${at}` : undefined);
  }
  point(sentence) {
    const { at, evidence } = this.state, mine = evidence[at], next = mine.includes(sentence) ? mine.filter(other => other !== sentence) : [...mine, sentence].sort((a, b) => a - b);
    this.set({ ...this.state, evidence: evidence.map((old, place) => place === at ? next : old) }, `${next.length} sentences as evidence for claim ${at + 1}`);
  }
  draw() {
    const { labels, evidence, at } = this.state, { claims, sentences, generated } = this.content;
    return [el('div', { class: 'side-by-side' },
      el('section', { class: 'scroll' }, el('h3', {}, 'Source'), el('p', { class: 'hint' }, `Choose the sentences that decide claim ${at + 1}.`),
        el('p', { class: 'text' }, sentences.map((sentence, place) => [el('button', { type: 'button', class: 'pointable', 'aria-pressed': String(evidence[at].includes(place)), 'data-place': `sentence-${place}`, onclick: () => this.point(place) }, sentence), ' ']))),
      el('section', {}, el('h3', {}, 'Claims'), generated && el('details', {}, el('summary', {}, 'The whole generated text'), el('p', { class: 'text' }, generated)),
        el('ol', { class: 'candidates' }, claims.map((claim, place) => el('li', { tabindex: place === at ? 0 : -1, 'data-place': `claim-${place}`, class: `${labels[place] ? 'done' : ''} ${place === at ? 'current' : ''}`, 'aria-label': `${claim}: ${labels[place] || 'not decided'}`, 'aria-current': place === at ? 'true' : null, onclick: () => { if (this.state.at !== place) { this.state = { ...this.state, at: place }; this.redraw(); } } },
          el('div', {}, claim, evidence[place].length ? el('small', {}, ` evidence: sentence ${evidence[place].map(number => number + 1).join(', ')}`) : null),
          choices({ name: `c${place}`, legend: el('span', { class: 'for-readers' }, claim), options: LABELS.map(([key, text]) => [key, text]), value: labels[place], choose: label => this.label(place, label) }))))))];
  }
  answer() { return { labels: this.state.labels, evidence: this.state.evidence }; }
  missing() {
    const open = this.state.labels.filter(label => !label).length;
    return open ? `${open} ${open === 1 ? 'claim is' : 'claims are'} not decided.` : null;
  }
  press(event) {
    const label = LABELS.find(([, , letter]) => letter === event.key)?.[0], move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.target.matches?.('input[type=radio]') && move) return false;
    if (label) this.label(this.state.at, label, true);
    else if (move) { const at = Math.max(0, Math.min(this.content.claims.length - 1, this.state.at + move)); this.state = { ...this.state, at }; this.redraw(`claim-${at}`); }
    else return false;
    event.preventDefault();
    return true;
  }
  keys() { return [['↑ ↓', 'walk over claims'], ['s r v', 'supported, refuted, not verifiable']]; }
}

export function show(content, answer) {
  return el('div', { class: 'shown' }, el('details', {}, el('summary', {}, 'Source'), el('p', { class: 'text' }, content.source)),
    el('table', {}, el('tbody', {}, content.claims.map((claim, place) => el('tr', {}, el('td', {}, claim), el('td', {}, el('b', {}, answer.labels[place] || '–')), el('td', {}, (answer.evidence[place] || []).map(number => el('small', {}, content.sentences[number]))))))));
}
