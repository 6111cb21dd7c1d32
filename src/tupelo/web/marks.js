// A sentence with the parts of a tuple marked; their places count characters, which JavaScript counts differently.
import { el } from './dom.js';

export function marked(sentence, marks) {
  const letters = [...sentence], nodes = [];
  let at = 0;
  for (const { start, end, role } of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end > letters.length) continue;
    nodes.push(letters.slice(at, start).join(''), el('mark', { class: role, title: role }, letters.slice(start, end).join('')));
    at = end;
  }
  return [...nodes, letters.slice(at).join('')];
}

// The first place of some words in a sentence, as a list of at most one mark.
export function places(words, sentence, role) {
  const at = sentence.toLowerCase().indexOf(words.toLowerCase()), start = [...sentence.slice(0, Math.max(at, 0))].length;
  return at < 0 ? [] : [{ start, end: start + [...words].length, role }];
}
