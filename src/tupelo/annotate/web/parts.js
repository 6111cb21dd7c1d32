// Parts of tuples: lists of word numbers and typed words. Pure functions, the mirror of tasks/words.py.
// `words` are pairs of what stands before a word and the word.
export function partText(words, part) {
  let made = '', before = null;
  for (const piece of part || []) {
    if (typeof piece === 'number' && typeof before === 'number' && piece === before + 1) made += words[piece][0];
    else if (made) made += ' ';
    made += typeof piece === 'number' ? words[piece][1] : piece;
    before = piece;
  }
  return made.split(/\s+/).filter(Boolean).join(' ');
}

// Put a word in where the order of the sentence wants it; typed words stay where they are.
export function insert(part, number) {
  if (part.includes(number)) return part;
  const before = part.findLastIndex(piece => typeof piece === 'number' && piece < number);
  const first = part.findIndex(piece => typeof piece === 'number');
  const at = before >= 0 ? before + 1 : first >= 0 ? first : part.length;
  return [...part.slice(0, at), number, ...part.slice(at)];
}

// A run of words: all are put in, or all taken out when they were in.
export function toggle(part, from, to) {
  const range = [];
  for (let number = Math.min(from, to); number <= Math.max(from, to); number++) range.push(number);
  if (range.every(number => part.includes(number))) return part.filter(piece => !range.includes(piece));
  return range.reduce(insert, part);
}

// The wording found among the words of another sentence, longest run first; what is not there is typed.
export function findPart(words, wording) {
  const want = wording.match(/(?<![\p{L}\p{N}_])(?:\p{L}\.){2,}|[\p{L}\p{N}_]+(?:[-'’.,/&@][\p{L}\p{N}_]+)*|[^\s]/gu) || [];
  const have = words.map(word => word[1].toLowerCase());
  const pieces = aligned(have, want.map(word => word.toLowerCase()), want);
  const joined = [];
  for (const piece of pieces) {
    if (typeof piece === 'string' && typeof joined.at(-1) === 'string') joined[joined.length - 1] += ` ${piece}`;
    else joined.push(piece);
  }
  return joined;
}

function aligned(have, want, typed) {
  let length = 0, begin = 0, start = 0;
  for (let b = 0; b < want.length; b++) {
    for (let s = 0; s < have.length; s++) {
      let n = 0;
      while (b + n < want.length && s + n < have.length && want[b + n] === have[s + n]) n++;
      if (n > length) [length, begin, start] = [n, b, s];
    }
  }
  if (!length) return typed;
  const run = Array.from({ length }, (_, place) => start + place);
  return [...aligned(have, want.slice(0, begin), typed.slice(0, begin)), ...run, ...aligned(have, want.slice(begin + length), typed.slice(begin + length))];
}

const PARTS = ['speaker', 'verb', 'time', 'place'];

export function tupleTexts(words, tuple) {
  const texts = { rel: partText(words, tuple.rel), args: (tuple.args || []).map(part => partText(words, part)) };
  for (const name of PARTS) if (tuple[name]?.length) texts[name] = partText(words, tuple[name]);
  return texts;
}

export function tupleText(words, tuple) {
  const texts = tupleTexts(words, tuple), [subject = '', ...others] = texts.args;
  const parts = [subject || '…', texts.rel || '…', ...others.filter(Boolean)];
  if (texts.time) parts.push(`time: ${texts.time}`);
  if (texts.place) parts.push(`place: ${texts.place}`);
  const said = `(${parts.join('; ')})`;
  return texts.speaker || texts.verb ? `${texts.speaker || '…'} ${texts.verb || '…'}: ${said}` : said;
}

// A tuple of one sentence in the words of another.
export function carry(tuple, from, to) {
  const move = part => findPart(to, partText(from, part));
  const moved = { rel: move(tuple.rel), args: tuple.args.map(move) };
  for (const name of PARTS) if (tuple[name]?.length) moved[name] = move(tuple[name]);
  return moved;
}

export const typedWords = tuple => [tuple.rel, ...tuple.args, ...PARTS.map(name => tuple[name] || [])].flat().filter(piece => typeof piece === 'string').length;
