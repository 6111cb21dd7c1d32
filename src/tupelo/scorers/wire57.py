"""WiRe57 (Léchelle, Gotti and Langlais, LAW 2019), written from the paper and from the behaviour of its program.

How it works. A prediction is compared with a gold tuple part by part: first
argument, relation, second argument, then the further arguments in order.

* Each of the first three parts must share a word with its gold part, unless every word of the gold part is
  *inferred*, that is, not in the sentence. A predicted part without words is skipped if its gold part is empty or all
  inferred; otherwise there is no match either.
* The precision of the pair is the number of predicted words that occur in their gold part, over all predicted words.
  The recall is the same number over the gold words that are not inferred. Further gold arguments count in recall
  whether they were predicted or not; surplus predicted ones count nowhere.

Within a sentence the pair with the largest F1 is chosen first, then the next one among the tuples still free, and so
on; on equal F1 gold order decides, then the order of the predictions. Over all gold sentences: precision = sum of the
chosen precisions / number of predictions, recall = sum of the chosen recalls / number of gold tuples.

A worked example. Gold (the mill; burned; down) and (the mill; was; old), one prediction (mill; burned down; slowly):
the second arguments share no word, no match. With (mill; burned; down) instead: 3 of its 3 words are gold words, and
gold has 4, so the pair has precision 1 and recall 3/4. The sentence gives precision 1/1 and recall (3/4)/2.

Exact matches are counted besides: predictions equal to a gold tuple, and gold tuples equal to a prediction.

Where the original stops with an error there is a result here: a pair without any word to divide by does not match, a
sentence without gold adds its predictions to the denominator of precision, and 0/0 is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tupelo.core import Argument, Extraction, InputError, Record
from tupelo.core.deadline import in_time
from tupelo.core.garbage import without_garbage_collection
from tupelo.scorers.result import Figures, Floats, Score, add_up, harmonic_mean, ratio
from tupelo.scorers.scorer import MarkedScorer, choose_fixes, group_by_sentence
from tupelo.scorers.signature import FIXES, Mark

# First argument, relation and second argument: the parts that must fit.
_CORE = 3
_WITHOUT_NAME = "(without name)"
NO_MATCH = (0.0, 0.0)


class Wire57(MarkedScorer):
    """The WiRe57 scorer. `system` chooses one of several systems in the prediction file."""

    name: ClassVar[str] = "wire57"
    gold_format: ClassVar[str] = "wire57-gold"
    marks: ClassVar[tuple[Mark, ...]] = (Mark("system", "system"), FIXES)

    def __init__(self, *, system: str | None = None, fixes: Iterable[str] = ()) -> None:
        self.system = system
        self.fixes = choose_fixes(self.quirks, fixes)

    @without_garbage_collection()
    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> Wire57Evaluation:
        groups = group_by_sentence(gold, choose_system(predicted, self.system), Texts.of)
        return Wire57Evaluation(
            units=groups.units,
            sentences=[self._compare(*tuples) for tuples in zip(groups.gold, groups.predicted, strict=True)],
            predicted=groups.total,
            signature=self.signature,
        )

    def _compare(self, wanted: Sequence[Texts], given: Sequence[Texts]) -> MatchedSentence:
        """One sentence: the chosen pairs and the exact matches."""
        count = count_once if "repeated-words" in self.fixes else count_each
        only_asked = "inferred-words" in self.fixes
        gold = [GoldTuple.of(item) for item in wanted] if given else []
        predicted = [[text.split() for text in item.texts] for item in given]
        values: list[tuple[float, int, int, Match]] = []
        for row, target in enumerate(in_time(gold)):
            for column, words in enumerate(predicted):
                precision, recall = pair_value(target, words, count, only_asked)
                if precision > 0.0 and recall > 0.0:
                    match = Match(row, column, precision, recall)
                    values.append((-harmonic_mean(precision, recall), row, column, match))
        matches: list[Match] = []
        rows: set[int] = set()
        columns: set[int] = set()
        for _, row, column, match in sorted(values):
            if row not in rows and column not in columns:
                rows.add(row)
                columns.add(column)
                matches.append(match)
        equal = [
            (row, column) for row, g in enumerate(gold) for column, p in enumerate(given) if is_exact(g, p.texts)
        ]
        return MatchedSentence(
            matches=tuple(matches),
            gold=len(wanted),
            predicted=len(given),
            exact_gold=len({row for row, _ in equal}),
            exact_predicted=len({column for _, column in equal}),
        )


def choose_system(records: Iterable[Record], system: str | None) -> Iterator[Extraction]:
    """The extractions of one system; an error when there are several and none was named."""
    extractions = (record for record in records if isinstance(record, Extraction))
    names: set[str] = set()
    for extraction in extractions:
        name = extraction.extractor or _WITHOUT_NAME
        names.add(name)
        if system is None and len(names) > 1:
            names.update(other.extractor or _WITHOUT_NAME for other in extractions)
            known = ", ".join(sorted(names))
            raise InputError(f"the predictions come from {len(names)} systems ({known}); name one (--system)")
        if system is None or name == system:
            yield extraction
    if names and system is not None and system not in names:
        raise InputError(f"no prediction comes from a system named '{system}'. Known: {', '.join(sorted(names))}")


def parts_of(extraction: Extraction) -> list[Argument | None]:
    """First argument, relation, second argument, then the further ones; `None` where there is no such argument."""
    second, *further = extraction.args or (None,)
    return [extraction.arg1, extraction.rel, second, *further]


class Texts(NamedTuple):
    """The parts of a tuple in the order of `parts_of`, and the positions of inferred words in each."""

    texts: tuple[str, ...]
    inferred: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, extraction: Extraction) -> Texts:
        parts = parts_of(extraction)
        texts = tuple([part.text if part else "" for part in parts])
        return cls(texts, tuple([part.inferred if part else () for part in parts]))


class GoldPart(NamedTuple):
    """The words of one part of a gold tuple; `asked` are those that are in the sentence."""

    text: str
    words: Mapping[str, int]
    asked: Mapping[str, int]


class GoldTuple(NamedTuple):
    """The parts in the order of `parts_of`, and how many words they ask for."""

    parts: list[GoldPart]
    asked: int

    @classmethod
    def of(cls, item: Texts) -> GoldTuple:
        parts, size = [], 0
        for text, inferred in zip(item.texts, item.inferred, strict=True):
            words = text.split()
            counts = Counter(words)
            asked = [word for position, word in enumerate(words) if position not in inferred] if inferred else words
            parts.append(GoldPart(" ".join(words), counts, Counter(asked) if inferred else counts))
            size += len(asked)
        return cls(parts, size)


def count_each(gold: Mapping[str, int], predicted: Sequence[str]) -> int:
    """Predicted words that occur in gold, as often as they are predicted."""
    return sum([word in gold for word in predicted])


def count_once(gold: Mapping[str, int], predicted: Sequence[str]) -> int:
    """The corrected form: a gold word serves one predicted word."""
    return sum([min(number, gold[word]) for word, number in Counter(predicted).items() if word in gold])


def pair_value(
    gold: GoldTuple,
    predicted: Sequence[Sequence[str]],
    count: Callable[[Mapping[str, int], Sequence[str]], int],
    only_asked: bool,
) -> tuple[float, float]:
    """Precision and recall of a pair; `only_asked` leaves inferred words out of the numerator of recall.

    `predicted` are the words of each part.
    """
    found = found_asked = size = 0
    for position, (part, words) in enumerate(zip(gold.parts, predicted, strict=False)):
        common = count(part.words, words)
        if not common and position < _CORE and part.asked:
            return NO_MATCH
        found += common
        size += len(words)
        if only_asked:
            found_asked += count(part.asked, words)
    if not size or not gold.asked:
        return NO_MATCH
    return found / size, (found_asked if only_asked else found) / gold.asked


def is_exact(gold: GoldTuple, texts: Sequence[str]) -> bool:
    """Every gold part equals the predicted one; surplus predicted arguments do not matter."""
    return len(texts) >= len(gold.parts) and all(
        part.text == text for part, text in zip(gold.parts, texts, strict=False)
    )


class Match(NamedTuple):
    """A chosen pair: positions of the tuples in their sentence, and the value of the pair."""

    gold: int
    predicted: int
    precision: float
    recall: float


class MatchedSentence(NamedTuple):
    """The counts of one sentence. `matches` are in the order in which they were chosen."""

    matches: tuple[Match, ...]
    gold: int
    predicted: int
    exact_gold: int
    exact_predicted: int

    @property
    def precision_sum(self) -> float:
        return add_up(match.precision for match in self.matches)

    @property
    def recall_sum(self) -> float:
        return add_up(match.recall for match in self.matches)


@dataclass(eq=False, repr=False)
class Wire57Evaluation:
    """One system against one gold standard: pairs and sums per sentence, figures divide last."""

    units: Sequence[str]
    sentences: Sequence[MatchedSentence]
    predicted: int
    signature: str

    def __post_init__(self) -> None:
        columns = [
            (s.precision_sum, s.recall_sum, s.gold, s.predicted, len(s.matches), s.exact_gold, s.exact_predicted)
            for s in self.sentences
        ]
        self._table = np.array(columns, dtype=np.float64).reshape(len(columns), 7)

    def score(self, weights: Floats | None = None) -> Score:
        """Figures of the corpus, or of a resample of it when each unit has a weight."""
        sums = [add_up(column) for column in self._table.T.tolist()] if weights is None else weights @ self._table
        precision_sum, recall_sum, gold, predicted, matches, exact_gold, exact_predicted = map(float, sums)
        exact = Figures.of(ratio(exact_predicted, predicted), ratio(exact_gold, gold))
        return Score(
            scorer=Wire57.name,
            signature=self.signature,
            **Figures.of(ratio(precision_sum, predicted), ratio(recall_sum, gold))._asdict(),
            auc=None,
            gold=round(gold),
            predicted=self.predicted,
            details={
                "predicted_in_gold_sentences": round(predicted),
                "matches": round(matches),
                "precision_of_matches": ratio(precision_sum, matches),
                "recall_of_matches": ratio(recall_sum, matches),
                "exact_matches_predicted": round(exact_predicted),
                "exact_matches_gold": round(exact_gold),
                **{f"exact_{name}": value for name, value in exact._asdict().items()},
            },
        )
