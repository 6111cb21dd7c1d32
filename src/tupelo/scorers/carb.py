"""CaRB (Bhardwaj, Aggarwal and Mausam, EMNLP 2019), equal to the released program to the last digit.

How it works. Every gold tuple of a sentence is compared with every predicted
one (`carb_matchers`), which gives a table of precisions and recalls.

* Recall: each gold tuple takes the best recall in its row; one long prediction may serve several gold tuples. Sum
  over the number of gold tuples.
* Precision: gold and predicted tuples are paired one to one, the pair with the highest precision first. Sum over the
  number of predictions, so that predictions left without a partner cost.

This is done for every confidence that occurs: keep the predictions with at least this confidence, add numerators and
denominators over all gold sentences, divide last. The reported point has the best F1; the area under the curve gets
one extra point (recall 0, precision 1).

The original recomputes the corpus for each threshold. Here a sentence is touched only when one of its own predictions
enters (`_sentence_events`), and the one-to-one pairing is repaired rather than redone: a new prediction asks its best
gold tuple, which may turn away a worse partner, who asks the next. The result is the greedy pairing of the original,
because both sides rank pairs by the same order, and the whole curve costs one pass over the table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import punctuation
from typing import Any, ClassVar

import numpy as np

from tupelo.core import Extraction, InputError, Record, Sentence
from tupelo.core.deadline import in_time
from tupelo.core.garbage import without_garbage_collection
from tupelo.scorers.carb_entail import ENTAIL, Entailments
from tupelo.scorers.carb_matchers import (
    MATCHERS,
    NO_MATCH,
    OFFICIAL_NAMES,
    PREPOSITIONS,
    Fit,
    Matcher,
    PlainTuple,
    build_matcher,
)
from tupelo.scorers.result import Figures, Floats, PrecisionRecallCurve, Score, add_up, area, best_point
from tupelo.scorers.scorer import MarkedScorer, choose_fixes, choose_name
from tupelo.scorers.signature import FIXES, Mark, switch

_BRACKETS = (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}"))
_WITHOUT_PUNCTUATION = str.maketrans("", "", punctuation)
# Up to this many sums the corpus is added up sentence by sentence in the order of the original, which
# makes results equal bit for bit; beyond, by running differences, whose rounding differs below 1e-12.
_ORDERED_SUM_LIMIT = 20_000_000


def sentence_key(sentence: str) -> str:
    """The key that matches gold and predicted sentences: no spaces, no ASCII punctuation, brackets unified."""
    key = sentence.replace(" ", "")
    if "B-" in key:
        for token, bracket in _BRACKETS:
            key = key.replace(token, bracket)
    return key.translate(_WITHOUT_PUNCTUATION)


# Sentence key -> the sentence as written, and its tuples.
TuplesByKey = dict[str, tuple[str, list[PlainTuple]]]


def tuples_by_key(
    records: Iterable[Record],
    key_of: Callable[[str], str] = sentence_key,
    *,
    merge: bool,
    keep_empty: bool = False,
    only: Container[str] | None = None,
) -> TuplesByKey:
    """Tuples by sentence key, in order of first appearance; with `only`, those of these keys.

    Of two sentences with one key the later one's tuples are kept, or those of both (`merge`). `keep_empty` keeps
    a gold sentence that is known to have no tuple: whatever is predicted for it is wrong. The gold files of CaRB
    and OIE2016 cannot say this.
    """
    by_text: dict[str, list[PlainTuple]] = {}
    left_out: set[str] = set()
    for record in records:
        text = record.sentence.text
        if text in left_out or (isinstance(record, Sentence) and not keep_empty):
            continue
        if text not in by_text:
            if only is not None and key_of(text) not in only:
                left_out.add(text)
                continue
            by_text[text] = []
        if isinstance(record, Extraction):
            by_text[text].append(PlainTuple.of(record))
    by_key: TuplesByKey = {}
    for text, items in by_text.items():
        key = key_of(text)
        if key not in by_key:
            by_key[key] = (text, items)
        elif merge:
            by_key[key][1].extend(items)
        elif items:
            by_key[key] = (text, items)
    return by_key


@dataclass(frozen=True, slots=True)
class Unit:
    """A gold sentence with its gold tuples and the predictions for it."""

    sentence: str
    gold: Sequence[PlainTuple]
    predicted: Sequence[PlainTuple]


class Carb(MarkedScorer):
    """The CaRB scorer. Options are those of the released program, under names that say what they do."""

    name: ClassVar[str] = "carb"
    gold_format: ClassVar[str] = "carb"
    sentence_key: ClassVar[Callable[[str], str]] = staticmethod(sentence_key)
    marks: ClassVar[tuple[Mark, ...]] = (
        Mark("match", "matcher"),
        Mark("network", "network"),
        switch("binary", "binary"),
        switch("recall", "single_match", on="single", off="multi"),
        FIXES,
    )

    def __init__(
        self,
        *,
        matcher: str = "binary-lenient",
        binary: bool = False,
        single_match: bool = False,
        fixes: Iterable[str] = (),
        entailments: Entailments | None = None,
        network: str | None = None,
    ) -> None:
        """Matcher `entail` reads with `entailments`; the `network` of a signature is only a name."""
        self.matcher = choose_name("CaRB matcher", matcher, (*MATCHERS, ENTAIL), OFFICIAL_NAMES)
        if self.matcher == ENTAIL and binary:
            raise InputError("matcher 'entail' reads whole tuples, expected no --binary")
        self.entailments, self.network = entailments, None
        if self.matcher == ENTAIL:
            self.network = entailments.network if entailments else network
        self.binary = binary
        self.single_match = single_match
        self.fixes = choose_fixes(self.quirks, fixes)

    @without_garbage_collection()
    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> CarbEvaluation:
        gold_by_key, predicted_by_key = self._collect(gold, keep_empty=True), self._collect(predicted)
        thresholds = {item.confidence for _, items in predicted_by_key.values() for item in items}
        units = [
            Unit(sentence, items, predicted_by_key[key][1] if key in predicted_by_key else ())
            for key, (sentence, items) in gold_by_key.items()
        ]
        tokens = Carb(single_match=self.single_match, fixes=self.fixes) if self.matcher == ENTAIL else self
        matcher = build_matcher(tokens.matcher, self.fixes)
        by_tokens = CarbEvaluation(
            sentences=units,
            matcher_of=lambda sentence: matcher,
            single_match=self.single_match,
            thresholds=np.array(sorted(thresholds), dtype=np.float64),
            predicted=sum(len(items) for _, items in predicted_by_key.values()),
            predicted_sentences=len(predicted_by_key),
            signature=tokens.signature,
            used_options=tokens.options(),
        )
        if tokens is self:
            return by_tokens
        if self.entailments is None:
            raise InputError("matcher 'entail' without a network, expected entailments=Entailments(…)")
        read = self.entailments.matchers((unit.sentence, unit.gold, unit.predicted) for unit in units)
        return replace(
            by_tokens, matcher_of=read, signature=self.signature, used_options=self.options(), by_tokens=by_tokens
        )

    def _collect(self, records: Iterable[Record], keep_empty: bool = False) -> TuplesByKey:
        by_key = tuples_by_key(records, merge="duplicate-sentences" in self.fixes, keep_empty=keep_empty)
        if self.binary:
            split = split_to_binary if "binary-copies" in self.fixes else split_to_binary_copies
            for _, items in by_key.values():
                items[:] = [part for item in items for part in split(item)]
        return by_key


@dataclass(eq=False, repr=False)
class CarbEvaluation:
    """One system against one gold standard. Statistics are kept per sentence, figures divide last.

    `by_tokens` is the same with the default matcher, where the matcher is `entail`.
    """

    sentences: Sequence[Unit]
    matcher_of: Callable[[str], Matcher]
    single_match: bool
    thresholds: Floats
    predicted: int
    predicted_sentences: int
    signature: str
    used_options: Mapping[str, Any]
    by_tokens: CarbEvaluation | None = None

    def __post_init__(self) -> None:
        self._gold_counts = np.array([len(unit.gold) for unit in self.sentences], dtype=np.float64)
        self._measure()

    @property
    def units(self) -> list[str]:
        return [unit.sentence for unit in self.sentences]

    def _measure(self) -> None:
        """Fill the event arrays: the state of a sentence after each of its own thresholds, highest first."""
        event_unit, confidence = array("l"), array("d")
        kept, precision, recall = array("d"), array("d"), array("d")
        for number, unit in enumerate(self.sentences):
            if not unit.predicted:
                continue
            for event in sentence_events(unit, self.matcher_of(unit.sentence), self.single_match):
                event_unit.append(number)
                for column, value in zip((confidence, kept, precision, recall), event, strict=True):
                    column.append(value)
        self._event_unit = np.array(event_unit, dtype=np.int64)
        self._position = np.searchsorted(self.thresholds, np.array(confidence, dtype=np.float64))
        # One row per quantity: predictions kept, precision numerator, recall numerator.
        self._state = np.array([kept, precision, recall], dtype=np.float64).reshape(3, -1)

    def score(self, weights: Floats | None = None) -> Score:
        """Figures of the corpus, or of a resample of it when each unit has a weight.

        A resample gets no curve.
        """
        counts = self._gold_counts if weights is None else self._gold_counts * weights
        gold = float(counts.sum())
        kept, precision_sum, recall_sum = self._totals(weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(kept > 0, precision_sum / kept, 1.0)
        recall = recall_sum / gold if gold else np.zeros_like(recall_sum)
        best = best_point(precision, recall)
        auc = area(np.append(precision, 1.0), np.append(recall, 0.0)) if len(recall) else 0.0
        p, r = (0.0, 0.0) if best is None else (float(precision[best]), float(recall[best]))
        return Score(
            scorer=Carb.name,
            **Figures.of(p, r)._asdict(),
            auc=auc,
            gold=round(gold),
            predicted=self.predicted,
            threshold=None if best is None else float(self.thresholds[best]),
            curve=() if weights is not None else self._curve(precision, recall),
            details={} if weights is not None else self._details(precision, recall),
            signature=self.signature,
        )

    def _totals(self, weights: Floats | None) -> Floats:
        """Predictions kept, precision and recall numerators at every threshold, ascending."""
        size = len(self.thresholds)
        if weights is None and len(self.sentences) * size <= _ORDERED_SUM_LIMIT:
            return self._ordered_totals()
        first = np.append(True, self._event_unit[1:] != self._event_unit[:-1])[: len(self._event_unit)]
        before = np.where(first, 0.0, np.roll(self._state, 1, axis=1))
        change = self._state - before
        if weights is not None:
            change = change * weights[self._event_unit]
        # A change at a threshold holds for all lower ones too.
        steps = np.array([np.bincount(self._position, row, minlength=size) for row in change])
        return np.asarray(np.cumsum(steps[:, ::-1], axis=1)[:, ::-1])

    def _ordered_totals(self) -> Floats:
        totals = np.zeros((3, len(self.thresholds)))
        units, positions = self._event_unit.tolist(), self._position.tolist()
        for event, (unit, position) in enumerate(zip(units, positions, strict=True)):
            last = event + 1 == len(units) or units[event + 1] != unit
            lowest = 0 if last else positions[event + 1] + 1
            totals[:, lowest : position + 1] += self._state[:, event, None]
        return totals

    def _curve(self, precision: Floats, recall: Floats) -> PrecisionRecallCurve:
        """Ascending recall, equal recalls in ascending threshold: the order of the original's curve file."""
        order = np.argsort(recall, kind="stable")
        return PrecisionRecallCurve(precision[order], recall[order], self.thresholds[order])

    def _details(self, precision: Floats, recall: Floats) -> dict[str, Any]:
        answered = sum(1 for unit in self.sentences if unit.predicted)
        return {
            "gold_sentences": len(self.sentences),
            "gold_sentences_without_prediction": len(self.sentences) - answered,
            "predicted_sentences": self.predicted_sentences,
            "predicted_in_gold_sentences": sum(len(unit.predicted) for unit in self.sentences),
            "thresholds": len(self.thresholds),
            # "Zero confidence" in OpenIE6's copy of the program: no threshold.
            "all_predictions": {"precision": float(precision[0]), "recall": float(recall[0])}
            if len(recall)
            else {"precision": 0.0, "recall": 0.0},
        }


Event = tuple[float, int, float, float]


def sentence_events(unit: Unit, matcher: Matcher, single_match: bool = False) -> list[Event]:
    """(confidence, predictions kept, precision numerator, recall numerator) for each confidence of a sentence.

    Highest confidence first.
    """
    gold = [matcher.prepare(item.rel, item.args) for item in unit.gold]
    match = matcher.match
    order = sorted(range(len(unit.predicted)), key=lambda column: -unit.predicted[column].confidence)
    precision_pairs, recall_pairs = Pairing(len(gold)), Pairing(len(gold))
    best_recall = [0.0] * len(gold)
    events: list[Event] = []
    for position, column in enumerate(in_time(order)):
        item = unit.predicted[column]
        prepared = matcher.prepare(item.rel, item.args)
        precisions, recalls = [], []
        for row, wanted in enumerate(gold):
            precision, recall = match(wanted, prepared)
            if precision > 0.0:
                precisions.append((precision, row))
            if recall > 0.0:
                recalls.append((recall, row))
                if recall > best_recall[row]:
                    best_recall[row] = recall
        precision_pairs.add(column, precisions)
        if single_match:
            recall_pairs.add(column, recalls)
        following = position + 1
        if following == len(order) or unit.predicted[order[following]].confidence != item.confidence:
            recall_sum = recall_pairs.total() if single_match else add_up(best_recall)
            events.append((item.confidence, following, precision_pairs.total(), recall_sum))
    return events


def sentence_figures(unit: Unit, matcher: Matcher) -> Fit:
    """Precision and recall of a sentence when all predictions count, whatever their confidence."""
    if not unit.predicted or not unit.gold:
        return NO_MATCH
    _, kept, precision_sum, recall_sum = sentence_events(unit, matcher)[-1]
    return precision_sum / kept, recall_sum / len(unit.gold)


class Pairing:
    """The greedy one-to-one pairing of rows and columns, kept up to date while columns arrive.

    The greedy rule takes the largest free value, ties to the smallest row, then the smallest column. Rows and columns
    that rank their partners by this one order have exactly one stable pairing, which is the greedy one; so a late
    column may simply compete for its rows.
    """

    def __init__(self, rows: int) -> None:
        self._value = [0.0] * rows
        self._partner = [-1] * rows
        self._wishes: dict[int, list[tuple[float, int]]] = {}

    def add(self, column: int, values: list[tuple[float, int]]) -> None:
        """A new column with its (value, row) entries above zero."""
        if not values:
            return
        # The best wish last, where `pop` finds it.
        values.sort(key=lambda wish: (wish[0], -wish[1]))
        self._wishes[column] = values
        while column >= 0:
            wishes = self._wishes[column]
            if not wishes:
                return
            value, row = wishes.pop()
            held, partner = self._value[row], self._partner[row]
            if value > held or (value == held and column < partner):
                self._value[row], self._partner[row] = value, column
                column = partner

    def total(self) -> float:
        """Sum of the paired values, largest first: the order in which the greedy rule chooses them."""
        return add_up(sorted(self._value, reverse=True))


def split_to_binary(item: PlainTuple) -> list[PlainTuple]:
    """As described: *(p; a1, a2)*, and *(p a2; a1, aj)* for each further argument.

    A preposition at the start of aj moves to the end of the relation.
    """
    if len(item.args) <= 2:
        return [item]
    first, second, *others = item.args
    return [item._replace(args=(first, second)), *(_attach(item, other) for other in others)]


def split_to_binary_copies(item: PlainTuple) -> list[PlainTuple]:
    """As released: one object is changed and appended again and again.

    So k arguments give k - 1 equal copies of the last form, and *(p; a1, a2)* is lost.
    """
    if len(item.args) <= 2:
        return [item]
    return [_attach(item, item.args[-1])] * (len(item.args) - 1)


def _attach(item: PlainTuple, argument: str) -> PlainTuple:
    relation = f"{item.rel} {item.args[1]}"
    words = argument.split()
    if words and words[0].lower() in PREPOSITIONS:
        relation = f"{relation} {words.pop(0)}"
    return item._replace(rel=relation, args=(item.args[0], " ".join(words)))
