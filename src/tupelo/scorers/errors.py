"""The errors of a system, sentence by sentence, in words of everyday use.

Gold and predicted tuples of a sentence are paired one to one by how many words they share slot by slot (relation,
first argument, the rest), the best pair first; a prediction may also be compared with its arguments swapped. Pairs
that share too little are no pairs. Then:

* a gold tuple without partner is *missed*, a prediction without partner *spurious*;
* a pair that fits better with the arguments swapped has *swapped arguments*;
* a pair whose relations share no word has a *wrong relation*;
* an argument with more words too many than missing is *too long*, one with
  more missing than too many *too short* (as many of both: too long and too short).

The rules look at words only and do not depend on the scorer in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tupelo.core import Extraction, Record
from tupelo.core.deadline import in_time
from tupelo.scorers.carb import Unit, sentence_figures, sentence_key
from tupelo.scorers.carb_matchers import PlainTuple, build_matcher
from tupelo.scorers.result import harmonic_mean

# Below this share of common words (F1 over the whole tuple) two tuples are not about the same thing.
_LEAST_SIMILARITY = 0.35
# Swapping must explain clearly more, or every short tuple with two alike arguments would count.
_SWAP_MARGIN = 0.1
_SENTENCE_MATCHER = build_matcher("binary-lenient", frozenset())


class ErrorClass(StrEnum):
    """The classes of the report, in the order in which it lists them."""

    MISSED = "missed"
    SPURIOUS = "spurious"
    WRONG_RELATION = "wrong relation"
    ARGUMENT_TOO_LONG = "argument too long"
    ARGUMENT_TOO_SHORT = "argument too short"
    SWAPPED_ARGUMENTS = "swapped arguments"


@dataclass(frozen=True, slots=True)
class TuplePair:
    """A gold tuple, a prediction, or both; `errors` is empty when they agree."""

    gold: PlainTuple | None
    predicted: PlainTuple | None
    errors: tuple[ErrorClass, ...]


@dataclass(frozen=True, slots=True)
class SentenceReport:
    """One sentence with its figures (CaRB's default rule) and its pairs, best pair first."""

    sentence: str
    precision: float
    recall: float
    pairs: tuple[TuplePair, ...]

    @property
    def f1(self) -> float:
        return harmonic_mean(self.precision, self.recall)


def analyse_errors(
    gold: Iterable[Record], predicted: Iterable[Record], threshold: float | None = None
) -> list[SentenceReport]:
    """Reports for all gold sentences, worst F1 first, longer lists of errors first on ties.

    Only predictions with at least `threshold` confidence are looked at.
    """
    reports = [
        SentenceReport(
            unit.sentence,
            *sentence_figures(unit, _SENTENCE_MATCHER),
            tuple(pair_tuples(unit.gold, unit.predicted)),
        )
        for unit in gather_units(gold, predicted, threshold)
    ]
    return sorted(reports, key=lambda report: (report.f1, -sum(len(pair.errors) for pair in report.pairs)))


def count_errors(reports: Iterable[SentenceReport]) -> dict[ErrorClass, int]:
    """The number of errors of each class."""
    counts = Counter(error for report in reports for pair in report.pairs for error in pair.errors)
    return {error: counts[error] for error in ErrorClass}


def gather_units(gold: Iterable[Record], predicted: Iterable[Record], threshold: float | None = None) -> list[Unit]:
    """Gold sentences with their predictions; they meet on the sentence id where both have one, else on the text."""
    units: dict[str, tuple[str, list[PlainTuple], list[PlainTuple]]] = {}
    key_of_id: dict[str, str] = {}
    for record in gold:
        sentence = record.sentence
        key = sentence_key(sentence.text)
        _, wanted, _ = units.setdefault(key, (sentence.text, [], []))
        if sentence.id is not None:
            key_of_id[sentence.id] = key
        if isinstance(record, Extraction):
            wanted.append(PlainTuple.of(record))
    for record in predicted:
        if isinstance(record, Extraction):
            item = PlainTuple.of(record)
            key = key_of_id.get(record.sentence.id or "") or sentence_key(record.sentence.text)
            if key in units and (threshold is None or item.confidence >= threshold):
                units[key][2].append(item)
    return [Unit(*unit) for unit in units.values()]


def pair_tuples(gold: Sequence[PlainTuple], predicted: Sequence[PlainTuple]) -> list[TuplePair]:
    """One-to-one pairs, then what is left on both sides."""
    candidates = [
        (max(similarity(g, p), similarity(g, _swap(p))), row, column)
        for row, g in enumerate(in_time(gold))
        for column, p in enumerate(predicted)
    ]
    candidates.sort(key=lambda candidate: (-candidate[0], candidate[1], candidate[2]))
    free_gold, free_predicted = dict(enumerate(gold)), dict(enumerate(predicted))
    pairs = []
    for value, row, column in candidates:
        if value >= _LEAST_SIMILARITY and row in free_gold and column in free_predicted:
            g, p = free_gold.pop(row), free_predicted.pop(column)
            pairs.append(TuplePair(g, p, classify(g, p)))
    pairs += [TuplePair(item, None, (ErrorClass.MISSED,)) for item in free_gold.values()]
    pairs += [TuplePair(None, item, (ErrorClass.SPURIOUS,)) for item in free_predicted.values()]
    return pairs


def classify(gold: PlainTuple, predicted: PlainTuple) -> tuple[ErrorClass, ...]:
    """Every class that applies to a pair."""
    if similarity(gold, _swap(predicted)) > similarity(gold, predicted) + _SWAP_MARGIN:
        return (ErrorClass.SWAPPED_ARGUMENTS,)
    errors: list[ErrorClass] = []
    slots = list(zip(slot_words(gold), slot_words(predicted), strict=True))
    relation_gold, relation_predicted = slots[0]
    if (relation_gold or relation_predicted) and not relation_gold & relation_predicted:
        errors.append(ErrorClass.WRONG_RELATION)
    for wanted, given in slots[1:]:
        extra, missing = (given - wanted).total(), (wanted - given).total()
        if extra and extra >= missing and ErrorClass.ARGUMENT_TOO_LONG not in errors:
            errors.append(ErrorClass.ARGUMENT_TOO_LONG)
        if missing and missing >= extra and ErrorClass.ARGUMENT_TOO_SHORT not in errors:
            errors.append(ErrorClass.ARGUMENT_TOO_SHORT)
    return tuple(errors)


def similarity(gold: PlainTuple, predicted: PlainTuple) -> float:
    """F1 of the words that two tuples share slot by slot."""
    slots = list(zip(slot_words(gold), slot_words(predicted), strict=True))
    common = sum((wanted & given).total() for wanted, given in slots)
    size = sum(wanted.total() + given.total() for wanted, given in slots)
    return 2 * common / size if size else 0.0


def slot_words(item: PlainTuple) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Words of the relation, of the first argument and of the other arguments together."""
    first, rest = (item.args[0] if item.args else ""), " ".join(item.args[1:])
    return Counter(item.rel.split()), Counter(first.split()), Counter(rest.split())


def _swap(item: PlainTuple) -> PlainTuple:
    return item._replace(args=(" ".join(item.args[1:]), item.args[0])) if len(item.args) >= 2 else item
