// What the tabs know of the records of `/v1/extract`.
export const STANCES = {
  asserted: 'what the text claims', reported: 'what somebody is said to have said', believed: 'what somebody is said to believe',
  possible: 'what may, must, should or will be, or is intended', conditional: 'what holds on a condition, and the condition itself',
  asked: 'what is asked', denied: 'what the text says is not so',
};

// The same rule as `Extraction.stance`.
export function stance({ context, modality, negated, attribution }) {
  const role = context?.role;
  if (role === 'question') return 'asked';
  if (role === 'condition' || role === 'hypothesis') return 'conditional';
  if (modality) return 'possible';
  if (negated) return 'denied';
  if (role === 'belief') return 'believed';
  return attribution ? 'reported' : 'asserted';
}

// Consecutive records of a sentence together.
export function groups(records) {
  const found = [];
  for (const record of records) {
    if (found.at(-1)?.sentence.text !== record.sentence.text) found.push({ sentence: record.sentence, records: [] });
    if (record.rel) found.at(-1).records.push(record);
  }
  return found;
}

// Relation and arguments in reading order, each with its kind.
export const parts = ({ arg1, rel, args }) => [
  ...(arg1 ? [['subject', arg1]] : []), ['rel', rel],
  ...(args || []).map(part => [part.role === 'time' || part.role === 'location' ? part.role : 'object', part]),
];

export const named = part => part.resolved || part.text;

// The text of a sentence as spans, one for each word, with the text between them.
export function wordSpans(text, words, make) {
  const nodes = [], spans = [];
  let at = 0;
  words.forEach((word, index) => {
    const start = text.indexOf(word, at);
    if (start > at) nodes.push(text.slice(at, start));
    spans.push(make(start < 0 ? `${word} ` : word, index));
    nodes.push(spans.at(-1));
    if (start >= 0) at = start + word.length;
  });
  return { nodes: [...nodes, text.slice(at)], spans };
}
