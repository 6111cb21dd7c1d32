// Words that were taken out, put in, or kept: the longest common subsequence of two texts, word by word.
export const split = text => text.match(/[\p{L}\p{N}_]+(?:[-'’.,/&@][\p{L}\p{N}_]+)*|[^\s]/gu) || [];

export function diff(before, after) {
  const a = split(before), b = split(after), rows = a.length + 1, columns = b.length + 1;
  const length = Array.from({ length: rows }, () => new Uint16Array(columns));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  }
  const steps = [];
  const put = (kind, word) => { const last = steps.at(-1); last?.kind === kind ? last.words.push(word) : steps.push({ kind, words: [word] }); };
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { put('kept', a[i]); i++; j++; }
    else if (i < a.length && (j === b.length || length[i + 1][j] >= length[i][j + 1])) put('out', a[i++]);
    else put('in', b[j++]);
  }
  return steps;
}
