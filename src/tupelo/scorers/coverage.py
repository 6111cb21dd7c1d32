"""Coverage: the number of sentences that gold and predictions share, and why the rest does not meet.

A scorer cannot tell a system that is wrong from a file that is. Sentences in another spelling, another split or
another column meet no gold sentence and score nothing, whatever the system can do. So every score counts the
sentences that meet, and where many do not, looks for the reason:

* case, quotes, tokenization: unmatched sentences have the letters of a gold sentence;
* words: the sentences meet, but the tuples spell their words otherwise than the gold sentence does;
* columns: the gold sentences stand in the column of a relation or argument, or relations and first arguments are
  swapped, which shows in their order: predicted relations come before their first argument, gold ones after it;
* split: nothing fits.

Loose alignment repairs the first two. Two sentences are the same loosely when their letters and digits are, without
case. A prediction for such a sentence is moved to the gold sentence, and its words are spelled as the gold sentence
has them: `Ann's`, `ann 's` and `Ann ’s` become `Ann 's` where gold is tokenised so. Words that the gold sentence does
not have stay as they are.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tupelo.core import Argument, Extraction, Record, Sentence
from tupelo.core.results import values_of

_BRACKETS = (("-lrb-", "("), ("-rrb-", ")"), ("-lsb-", "["), ("-rsb-", "]"), ("-lcb-", "{"), ("-rcb-", "}"))
_MARKS = str.maketrans(
    {**dict.fromkeys("“”„«»″", '"'), **dict.fromkeys("‘’‚`´′", "'"), **dict.fromkeys("‐‑‒–—−", "-")}
)
# A word of one tokenization is at most this many words of another.
_LONGEST_RUN = 4


def letters(text: str) -> str:
    """The letters and digits of a text as they are; those of `-LRB-` and its like are none."""
    for token, _ in _BRACKETS:
        text = text.replace(token, "").replace(token.upper(), "")
    return "".join(filter(str.isalnum, text))


def written_alike(text: str) -> str:
    """Text with one spelling of quotes, dashes and brackets, without case.

    >>> written_alike("“No”, she said -LRB- twice -RRB-")
    '"no", she said ( twice )'
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_MARKS)
    for token, bracket in _BRACKETS:
        text = text.replace(token, bracket)
    return text.replace("''", '"').replace("--", "-")


def loose_key(text: str) -> str:
    """The letters and digits of a sentence, without case."""
    return "".join(filter(str.isalnum, written_alike(text)))


def _form(words: Iterable[str]) -> str:
    return written_alike("".join(words))


class Spelling:
    """The spelling of the words of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        words = sentence.tokens or sentence.text.split()
        self._words = frozenset(words)
        self._runs: dict[str, str] = {}
        for length in range(1, _LONGEST_RUN + 1):
            for start in range(len(words) - length + 1):
                run = words[start : start + length]
                self._runs.setdefault(_form(run), " ".join(run))

    def respell(self, text: str) -> str:
        """The text in the words of the sentence, as far as it has them."""
        words = text.split()
        if self._words.issuperset(words):
            return text
        found: list[str] = []
        start = 0
        while start < len(words):
            for end in range(min(start + _LONGEST_RUN, len(words)), start, -1):
                run = words[start:end]
                known = None if self._words.issuperset(run) else self._runs.get(_form(run))
                if known is not None:
                    found.append(known)
                    break
            else:
                end = start + 1
                found.append(words[start])
            start = end
        return " ".join(found)


class Aligner:
    """Moves predictions to the gold sentences that they loosely belong to."""

    def __init__(self, gold: Iterable[Record]) -> None:
        self._sentences: dict[str, Sentence] = {}
        self._texts: dict[str, Sentence] = {}
        self._groups: dict[str, str] = {}
        self._spellings: dict[str, Spelling] = {}
        for record in gold:
            sentence = record.sentence
            self._texts.setdefault(sentence.text, sentence)
            self._sentences.setdefault(loose_key(sentence.text), sentence)
            group = record.document_id if isinstance(record, Sentence) else record.group
            if group is not None:
                self._groups.setdefault(loose_key(group), group)

    def sentence(self, text: str) -> Sentence | None:
        """The gold sentence that a text is, by its very text where there is one."""
        return self._texts.get(text) or self._sentences.get(loose_key(text) or text)

    def align(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            yield self._aligned(record)

    def _aligned(self, record: Record) -> Record:
        found = record.sentence
        target = self.sentence(found.text) if found.text else None
        if target is None:
            return record
        # Of a clique the sentence keeps its own name, since one text may stand in several.
        document = self._group(found.document_id)
        sentence = replace(target, document_id=target.document_id if document is None else document)
        if isinstance(record, Sentence):
            return sentence
        spelling = self._spellings.get(target.text)
        if spelling is None:
            spelling = self._spellings[target.text] = Spelling(target)
        return replace(
            record,
            sentence=sentence,
            rel=_respelled(record.rel, spelling),
            arg1=None if record.arg1 is None else _respelled(record.arg1, spelling),
            args=tuple([_respelled(part, spelling) for part in record.args]),
            group=self._group(record.group),
        )

    def _group(self, name: str | None) -> str | None:
        return None if name is None else self._groups.get(loose_key(name), name)

    def changes(self, extraction: Extraction) -> bool:
        """Whether alignment spells a word of the tuple otherwise."""
        aligned = self._aligned(extraction)
        return isinstance(aligned, Extraction) and str(aligned) != str(extraction)


def _respelled(part: Argument, spelling: Spelling) -> Argument:
    text = spelling.respell(part.text)
    # Places in another spelling of the sentence mean nothing in this one.
    return part if text == part.text else Argument(text, part.role)


# Below this share of matched sentences, people are warned.
ENOUGH = 0.95
# Maximum number of tuples of each side whose word order and spelling are examined.
_SAMPLE = 1_000
# Above this share of tuples that spell words otherwise than gold, it is a habit of the file: up to 5 % of published
# outputs do, 26 % where contractions and punctuation were joined to their words.
_SPELLED_OTHERWISE = 0.1
# Fewer tuples show no habit of a whole file.
_FEWEST = 10
_REPAIR = "use --align loose"


@dataclass(slots=True)
class Seen:
    """The sentences of one side, noted as its records pass, and its first tuples."""

    sentences: dict[tuple[str | None, str], Sentence] = field(default_factory=dict)
    sample: list[Extraction] = field(default_factory=list)

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass records through."""
        last: Sentence | None = None
        for record in records:
            sentence = record.sentence
            if sentence is not last:
                self.sentences.setdefault((sentence.id, sentence.text), sentence)
                last = sentence
            if isinstance(record, Extraction) and len(self.sample) < _SAMPLE:
                self.sample.append(record)
            yield record


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of sentences of each side with a partner; `advice` names the repairs that were found."""

    gold: int
    gold_matched: int
    predicted: int
    predicted_matched: int
    advice: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, int]:
        return values_of(self, "gold", "gold_matched", "predicted", "predicted_matched")

    def __str__(self) -> str:
        return (
            f"{self.gold_matched:,} of {self.gold:,} gold sentences and "
            f"{self.predicted_matched:,} of {self.predicted:,} predicted ones match"
        )

    def refusal(self) -> str | None:
        """Reason why nothing can be scored; `None` if there is none. Empty output is scored: it asserts nothing."""
        if not self.gold:
            return "no gold sentence, expected at least one"
        if not self.predicted or self.predicted_matched:
            return None
        what = f"none of {self.predicted:,} predicted sentences is one of {self.gold:,} gold sentences"
        return "; ".join([what, *self.advice])

    def warnings(self, *, of_predictions: bool = True) -> list[str]:
        """One sentence for each side of which too little has a partner, and the advice."""
        found = []
        if not self.predicted:
            found.append("there are no predictions")
        elif of_predictions and self.predicted_matched < ENOUGH * self.predicted:
            lost = self.predicted - self.predicted_matched
            found.append(f"{lost:,} of {self.predicted:,} predicted sentences are not in the gold and do not count")
        if self.predicted and self.gold_matched < ENOUGH * self.gold:
            found.append(f"{self.gold - self.gold_matched:,} of {self.gold:,} gold sentences have no prediction")
        return [*found, *self.advice]


def measure(gold: Seen, predicted: Seen, key: Callable[[str], str] | None = None) -> Coverage:
    """Count the sentences that meet: by `key`, or without one by id where both sides have it, else by the text."""
    units = _Units(gold.sentences.values(), key)
    found: dict[str, str | None] = {}
    unmatched: list[str] = []
    for sentence in predicted.sentences.values():
        unit = units.of(sentence)
        if unit is None and sentence.text:
            unmatched.append(sentence.text)
        found[units.name(sentence)] = unit
    matched = {unit for unit in found.values() if unit is not None}
    hits = sum(unit is not None for unit in found.values())
    few = hits < ENOUGH * len(found)
    advice = [*_unmatched_advice(gold, predicted, unmatched, none=not hits, units=units)] if few else []
    advice += [each for each in _tuple_advice(gold, predicted) if not (advice and each.endswith(_REPAIR))]
    return Coverage(len(units.names), len(matched), len(found), hits, tuple(advice))


class _Units:
    """The gold sentences as a scorer distinguishes them."""

    def __init__(self, sentences: Iterable[Sentence], key: Callable[[str], str] | None) -> None:
        self.key = key
        self.names: dict[str, None] = {}
        self._by_text: dict[str, str] = {}
        for sentence in sentences:
            name = self.name(sentence)
            self.names[name] = None
            self._by_text.setdefault(sentence.text if key is None else name, name)

    def name(self, sentence: Sentence) -> str:
        if self.key is not None:
            return self.key(sentence.text)
        return sentence.text if sentence.id is None else sentence.id

    def of(self, sentence: Sentence) -> str | None:
        """The gold sentence that a predicted one meets."""
        name = self.name(sentence)
        if name in self.names and (self.key is not None or sentence.id is not None):
            return name
        return self.text(sentence.text)

    def text(self, text: str) -> str | None:
        """The gold sentence with this text."""
        return self._by_text.get(text if self.key is None else self.key(text)) if text else None


def _unmatched_advice(
    gold: Seen, predicted: Seen, unmatched: Sequence[str], *, none: bool, units: _Units
) -> Iterator[str]:
    by_key = {loose_key(sentence.text): sentence.text for sentence in gold.sentences.values() if sentence.text}
    reasons: Counter[str] = Counter()
    repaired = 0
    for text in unmatched:
        target = by_key.get(loose_key(text))
        if target is not None:
            repaired += 1
            reasons.update(_differences(text, target))
    if repaired:
        what = ", ".join(reason for reason in _REASONS if reasons[reason] > repaired // 20) or "spelling"
        yield f"{repaired:,} of them equal a gold sentence but for {what}: {_REPAIR}"
        return
    column = _sentence_column(predicted.sample, units)
    if column is not None:
        yield f"the gold sentences stand in the column of the {column}: name the right --format, or swap the columns"
    elif none:
        yield "are the predictions for another split or another gold standard?"


_REASONS: Mapping[str, Callable[[str], object]] = {
    "case": letters,
    "quotes and other marks": lambda text: Counter(c for c in text if not c.isalnum() and not c.isspace()),
    "tokenization": lambda text: written_alike(text).split(),
}


def _differences(text: str, target: str) -> list[str]:
    found = [name for name, look in _REASONS.items() if look(text) != look(target)]
    # Other marks are other words too; spaces are to blame only where nothing else is.
    return [name for name in found if name != "tokenization"] or found


def _sentence_column(sample: Sequence[Extraction], units: _Units) -> str | None:
    """The part of the tuples that holds gold sentences, if one does for most."""
    places: Counter[str] = Counter()
    for extraction in sample:
        parts = [extraction.rel, *extraction.arguments]
        names = ["relation", *(f"{number}. argument" for number in range(1, len(parts)))]
        places.update(name for name, part in zip(names, parts, strict=True) if units.text(part.text) is not None)
    name, count = max(places.items(), key=lambda item: item[1], default=("", 0))
    return name if 2 * count > len(sample) else None


def _tuple_advice(gold: Seen, predicted: Seen) -> Iterator[str]:
    if len(predicted.sample) < _FEWEST:
        return
    aligner = Aligner(gold.sentences.values())
    scored = [item for item in predicted.sample if aligner.sentence(item.sentence.text) is not None]
    if len(scored) >= _FEWEST:
        changed = sum(map(aligner.changes, scored))
        if changed > _SPELLED_OTHERWISE * len(scored):
            yield (
                f"{changed:,} of the first {len(scored):,} tuples spell words of their sentence otherwise than gold "
                f"does: {_REPAIR}"
            )
    ours, theirs = _relation_first(predicted.sample), _relation_first(gold.sample)
    if ours is not None and theirs is not None and ours > 0.5 > theirs:
        yield "most predicted relations come before their first argument: are these two columns swapped?"


def _relation_first(sample: Sequence[Extraction]) -> float | None:
    """The share of tuples whose relation starts before the first argument, where both stand in the sentence."""
    orders = []
    for item in sample:
        if item.arg1 is not None and item.rel.text.strip() and item.arg1.text.strip():
            text = f" {item.sentence.text} "
            relation, argument = (text.find(f" {part.text.strip()} ") for part in (item.rel, item.arg1))
            if relation >= 0 and argument >= 0:
                orders.append(relation < argument)
    return sum(orders) / len(orders) if len(orders) >= _FEWEST else None
