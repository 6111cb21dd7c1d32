"""OIE2016 (Stanovsky and Dagan, EMNLP 2016), as the benchmark released with supervised-oie counts it.

How it works. Gold and predicted sentences meet on a key without spaces, punctuation and non-ASCII characters. A
matcher decides whether a pair of tuples matches:

| name              | official flag               | a pair matches when … |
|-------------------|-----------------------------|-----------------------|
| `word-pairs`      | (default)                   | pairs of equal words exceed half the gold words |
| `predicate`       | `--predMatch`               | the relations are equal without stop words and punctuation |
| `character-pairs` | `--argMatch` `--exactMatch` | pairs of equal argument characters exceed half the gold ones |

Words are what single spaces separate, and *pairs* means the full cross
product: gold `the cat saw the dog` and predicted `the man` have two pairs.

Then, sentence by sentence: each gold tuple, in file order, takes the first prediction that matches and is still free.
A prediction that was taken is a hit, one that was not is a false alarm. A sentence with n gold tuples counts n,
but n × n when nothing was predicted for it. Predictions for sentences without gold are left out.

For every confidence c, with the predictions of at least this confidence: precision = hits / predictions, recall =
hits / gold tuples as counted. The reported point has the best F1; the area under the curve gets one more point
(recall 0, precision 1).

A worked example: three gold sentences with 1, 2 and 3 tuples. The first has one prediction (0.9), which matches; the
second has two (0.8 and 0.4), of which the first matches; the third has none. Gold counts 1 + 2 + 9 = 12. At 0.8
precision is 2/2 and recall 2/12; at 0.4 precision is 2/3 and recall 2/12.

Where the original divides by zero (a gold tuple without arguments under `character-pairs`, no prediction or no hit at
all) the pair does not match and the figure is 0.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Extraction, Record
from tupelo.core.deadline import in_time
from tupelo.core.garbage import without_garbage_collection
from tupelo.scorers.carb import sentence_key, tuples_by_key
from tupelo.scorers.carb_matchers import NO_MATCH, Matcher, PlainTuple, build_matcher
from tupelo.scorers.result import (
    CurvePoint,
    Figures,
    Floats,
    PrecisionRecallCurve,
    Score,
    area,
    best_point,
    count_kept,
)
from tupelo.scorers.scorer import SHOWN, MarkedScorer, choose_fixes, choose_name
from tupelo.scorers.signature import FIXES, Mark, switch

MATCHERS = ("word-pairs", "predicate", "character-pairs")
# The flags of the released program, for people who know it.
OFFICIAL_NAMES: Mapping[str, str] = SHOWN["oie2016"]["flags"]


class Oie2016(MarkedScorer):
    """The OIE2016 scorer.

    `normalize_confidence` maps the confidences of the whole prediction file into (0, 1), as the original does for
    ClausIE and PropS. `keep_all_thresholds` keeps the curve points below the highest threshold with full recall,
    which scikit-learn dropped when the published curves were drawn; no other figure depends on it.
    """

    name: ClassVar[str] = "oie2016"
    gold_format: ClassVar[str] = "oie2016-orig"
    # The original brings the log values of some systems to 0…1 before it scores them.
    normalizes_log_confidence: ClassVar[bool] = True
    marks: ClassVar[tuple[Mark, ...]] = (
        Mark("match", "matcher"),
        switch("confidence", "normalize_confidence", on="normalized", off="given"),
        switch("thresholds", "keep_all_thresholds", on="all", off="to-full-recall"),
        FIXES,
    )

    def __init__(
        self,
        *,
        matcher: str = "word-pairs",
        normalize_confidence: bool = False,
        keep_all_thresholds: bool = False,
        fixes: Iterable[str] = (),
    ) -> None:
        self.matcher = choose_name("OIE2016 matcher", matcher, MATCHERS, OFFICIAL_NAMES)
        self.normalize_confidence = normalize_confidence
        self.keep_all_thresholds = keep_all_thresholds
        self.fixes = choose_fixes(self.quirks, fixes)

    @without_garbage_collection()
    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> Oie2016Evaluation:
        matcher = build_matcher(self.matcher, self.fixes, as_bytes="byte-text" not in self.fixes)
        merge = "duplicate-sentences" in self.fixes
        gold_by_key = tuples_by_key(gold, self.sentence_key, merge=merge, keep_empty=True)
        seen = _Range()
        # Of what cannot be scored only the number and the range of confidences matter.
        given_by_key = tuples_by_key(seen.watch(predicted), self.sentence_key, merge=merge, only=gold_by_key)
        units: list[str] = []
        counted, answered = array("d"), array("d")
        unit, confidence, hit = array("l"), array("d"), array("b")
        for number, (key, (sentence, wanted)) in enumerate(gold_by_key.items()):
            given = given_by_key[key][1] if key in given_by_key else ()
            squared = not given and "squared-misses" not in self.fixes
            units.append(sentence)
            counted.append(len(wanted) ** 2 if squared else len(wanted))
            answered.append(bool(given))
            if not given:
                continue
            fits = find_fits(wanted, given, matcher)
            if "first-match" in self.fixes:
                hits = match_most(fits, [-item.confidence for item in given])
            else:
                hits = match_first(fits, len(wanted))
            unit.extend([number] * len(given))
            confidence.extend([item.confidence for item in given])
            hit.extend([position in hits for position in range(len(given))])
        values = np.array(confidence, dtype=np.float64)
        if self.normalize_confidence:
            values = normalize(values, seen.lowest, seen.highest)
        return Oie2016Evaluation(
            units=units,
            gold=np.array([len(wanted) for _, wanted in gold_by_key.values()], dtype=np.float64),
            counted=np.array(counted, dtype=np.float64),
            answered=np.array(answered, dtype=np.float64),
            unit=np.array(unit, dtype=np.int64),
            # Infinite confidences become 0, as in the original.
            confidence=np.where(np.isfinite(values), values, 0.0),
            hit=np.array(hit, dtype=np.float64),
            predicted=seen.number,
            keep_all_thresholds=self.keep_all_thresholds,
            signature=self.signature,
        )

    def sentence_key(self, text: str) -> str:
        key = sentence_key(text)
        return key if "ascii-keys" in self.fixes else key.encode("ascii", "ignore").decode("ascii")


@dataclass(slots=True)
class _Range:
    """The number of tuples and the range of their confidences, those of sentences without gold included."""

    number: int = 0
    lowest: float = math.inf
    highest: float = -math.inf

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass records through."""
        for record in records:
            if isinstance(record, Extraction):
                self.number += 1
                self.lowest = min(self.lowest, record.counted_confidence)
                self.highest = max(self.highest, record.counted_confidence)
            yield record


def find_fits(gold: Sequence[PlainTuple], predicted: Sequence[PlainTuple], matcher: Matcher) -> list[list[int]]:
    """For each prediction, the gold tuples that it matches."""
    wanted = [matcher.prepare(item.rel, item.args) for item in gold]
    fits = []
    for item in in_time(predicted):
        given = matcher.prepare(item.rel, item.args)
        fits.append([row for row, target in enumerate(wanted) if matcher.match(target, given) is not NO_MATCH])
    return fits


def match_first(fits: Sequence[Sequence[int]], gold: int) -> set[int]:
    """The predictions that are taken when each gold tuple in turn takes the first free one that fits."""
    candidates: list[list[int]] = [[] for _ in range(gold)]
    for column, rows in enumerate(fits):
        for row in rows:
            candidates[row].append(column)
    taken: set[int] = set()
    for columns in candidates:
        for column in columns:
            if column not in taken:
                taken.add(column)
                break
    return taken


def match_most(fits: Sequence[Sequence[int]], rank: Sequence[float]) -> set[int]:
    """The predictions of a pairing with as many gold tuples as possible, the lowest ranks preferred.

    Predictions are added one by one, and earlier ones change partners if that makes room; none loses its partner
    for good. This is why the greedy order gives the best set.
    """
    partner: dict[int, int] = {}
    choice: dict[int, int] = {}
    for newcomer in sorted(range(len(fits)), key=rank.__getitem__):
        asked_by: dict[int, int] = {}
        queue = [newcomer]
        while queue:
            column = queue.pop()
            fresh = [row for row in fits[column] if row not in asked_by]
            asked_by.update(dict.fromkeys(fresh, column))
            free = next((row for row in fresh if row not in partner), None)
            if free is None:
                queue.extend([partner[row] for row in fresh])
                continue
            # Along the augmenting path, every prediction moves to the row it asked for.
            while free is not None:
                column = asked_by[free]
                partner[free], left = column, choice.get(column)
                choice[column], free = free, left
            break
    return set(choice)


def normalize(values: Floats, lowest: float, highest: float) -> Floats:
    """Into (0, 1), as the readers of ClausIE and PropS do; not a number where a limit is infinite."""
    with np.errstate(invalid="ignore"):
        result: Floats = (values - lowest + 0.001) / (highest - lowest + 0.002)
    return result


@dataclass(eq=False, repr=False)
class Oie2016Evaluation:
    """One system against one gold standard. Hits and false alarms keep their sentence; figures divide last."""

    units: Sequence[str]
    gold: Floats
    counted: Floats
    answered: Floats
    unit: NDArray[np.int64]
    confidence: Floats
    hit: Floats
    predicted: int
    keep_all_thresholds: bool
    signature: str

    def __post_init__(self) -> None:
        # Sorted once: resamples find everything in order.
        order = np.argsort(-self.confidence, kind="stable")
        self.unit, self.confidence, self.hit = self.unit[order], self.confidence[order], self.hit[order]

    def score(self, weights: Floats | None = None) -> Score:
        """Figures of the corpus, or of a resample of it when each unit has a weight.

        A resample gets no curve.
        """
        drawn = np.ones(len(self.units)) if weights is None else weights
        counts = count_kept(self.hit, self.confidence, drawn[self.unit])
        # In ascending order of thresholds, like everything below.
        hits, kept, thresholds = (column[::-1] for column in counts)
        all_hits = float(hits[0]) if len(hits) else 0.0
        counted = float(drawn @ self.counted)
        multiplier = all_hits / counted if counted else 0.0
        dropped = 0 if self.keep_all_thresholds or not len(hits) else int(np.count_nonzero(hits == all_hits)) - 1
        hits, kept, thresholds = (column[dropped:] for column in (hits, kept, thresholds))
        precision: Floats = hits / kept
        recall: Floats = hits / all_hits * multiplier if all_hits else np.zeros_like(precision)
        best = best_point(precision, recall)
        if best is None:
            p, r, threshold = 0.0, 0.0, None
        else:
            p, r = float(precision[best]), float(recall[best])
            # A confidence that was not drawn repeats the point of the next higher one, which is meant.
            threshold = float(thresholds[np.count_nonzero(kept >= kept[best]) - 1])
        score = Score(
            scorer=Oie2016.name,
            signature=self.signature,
            **Figures.of(p, r)._asdict(),
            auc=area(np.append(precision, 1.0), np.append(recall, 0.0)),
            gold=round(float(drawn @ self.gold)),
            predicted=self.predicted,
            threshold=threshold,
        )
        if weights is not None:
            return score
        return replace(
            score,
            curve=(*PrecisionRecallCurve(precision, recall, thresholds), CurvePoint(1.0, 0.0, None)),
            details={
                "gold_sentences": len(self.units),
                "gold_sentences_without_prediction": len(self.units) - round(float(self.answered.sum())),
                "predicted_in_gold_sentences": len(self.unit),
                "matched": round(all_hits),
                "gold_as_counted": round(counted),
                "recall_multiplier": multiplier,
                "thresholds_dropped": dropped,
            },
        )
