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
