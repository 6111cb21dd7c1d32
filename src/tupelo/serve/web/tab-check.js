// A text against its source: sentences coloured by their claims; a claim that is chosen marks its evidence.
import { button, el, notice, say } from './dom.js';
import { ask } from './ask.js';

export const title = 'Check';
export const filtered = false;
const WORST = ['refuted', 'overstated', 'unverifiable', 'supported', 'abstained', 'none'];
const evidence = claim => [claim.evidence ?? []].flat().map(one => typeof one === 'string' ? one : one.text);

export function show(panel, { state, working }) {
  const source = el('textarea', { rows: 5, value: state.source || state.text, oninput: () => { state.source = source.value; } });
  const answer = el('textarea', { rows: 5, value: state.answer, placeholder: 'The text whose claims are checked.', oninput: () => { state.answer = answer.value; } });
  const result = el('div', {});
  const run = () => working(async () => {
    notice('');
    Object.assign(state, { source: source.value, answer: answer.value });
    state.checked = await ask('/v1/check', { text: answer.value, source: source.value });
    draw(result, state);
  });
  panel.replaceChildren(
    el('div', { class: 'two' }, el('label', { class: 'field' }, el('span', {}, 'Source'), source), el('label', { class: 'field' }, el('span', {}, 'Text to check'), answer)),
    el('p', {}, button('Check', run, { class: 'main', id: 'run-check' })), result);
  if (state.checked) draw(result, state);
  else if (state.answer.trim() && source.value.trim()) return run();
  return null;
}

function draw(place, { checked, source }) {
  const known = el('p', { class: 'source' });
  const mark = claim => {
    let rest = source;
    const nodes = [];
    for (const sentence of claim ? evidence(claim).sort((a, b) => source.indexOf(a) - source.indexOf(b)) : []) {
      const at = rest.indexOf(sentence);
      if (at < 0) continue;
      nodes.push(rest.slice(0, at), el('mark', { class: 'evidence' }, sentence));
      rest = rest.slice(at + sentence.length);
    }
    known.replaceChildren(...nodes, rest);
  };
  mark(null);
  const sentences = new Map();
  for (const claim of checked.claims) sentences.set(claim.sentence, [...(sentences.get(claim.sentence) || []), claim]);
  const shown = [...sentences].map(([sentence, claims]) => {
    const worst = WORST.find(verdict => claims.some(claim => claim.verdict === verdict)) || 'none';
    return el('div', {}, el('p', { class: `claim ${worst}` }, sentence), el('ul', { class: 'claims' }, claims.map(claim => {
      const seen = () => mark(claim);
      const item = button([el('span', { class: `chip ${claim.verdict}` }, claim.verdict), ` ${claim.text}`,
        claim.reason ? el('span', { class: 'soft' }, ` (${claim.reason})`) : ''], seen, { title: evidence(claim).join('\n') });
      item.addEventListener('mouseenter', seen);
      item.addEventListener('focus', seen);
      return el('li', {}, item);
    })));
  });
  const counts = ['supported', 'overstated', 'refuted', 'unverifiable'].filter(name => name !== 'overstated' || checked[name]).map(name => `${checked[name] ?? 0} ${name}`).join(', ');
  say(counts);
  const score = checked.score === null || checked.score === undefined ? '' : `Score ${Number(checked.score).toFixed(2)}: `;
  place.replaceChildren(el('p', {}, el('strong', {}, score + counts)), el('div', { class: 'two' },
    el('div', { class: 'card' }, el('h2', {}, 'Source'), known),
    el('div', { class: 'card' }, el('h2', {}, 'Claims'), shown.length ? shown : el('p', { class: 'soft' }, checked.reason || 'No claims.'))));
}
