"""Labelled bracket F1 of constituency trees, as EVALB counts with Collins' parameters.

Black et al. 1991, with the settings that parsing papers use: the root and
every punctuation mark are left out, function tags are cut off
(`NP-SBJ=1` is `NP`), and `ADVP` and `PRT` count as one label. A phrase is
right when label, first and last word agree; a phrase found twice counts twice.

EVALB takes punctuation from the tags of either tree, and fails when a wrong
tag makes the two sentences differ in length. Here the gold tags decide for
both, so that a sentence is never lost and tagging does not change the score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.conll18 import Count
from tupelo.core import Analysis, InputError

_PUNCTUATION_TAGS = frozenset([",", ".", ":", "``", "''", "-NONE-"])
_LEFT_OUT_LABELS = frozenset(["ROOT", "TOP", "S1", "", "-NONE-"])
_SAME_LABELS = {"PRT": "ADVP"}


@dataclass(frozen=True, slots=True)
class BracketScore:
    """`brackets` counts labelled phrases, `unlabelled` the same without labels; `exact` sentences of `sentences`."""

    brackets: Count
    unlabelled: Count
    sentences: int
    exact: int


def score_evalb(gold: Iterable[Analysis], predicted: Iterable[Analysis]) -> BracketScore:
    """Compare trees pairwise; both sides must hold the same words in the same order."""
    labelled, unlabelled = Count(0, 0, 0), Count(0, 0, 0)
    sentences = exact = 0
    golds, guesses = list(gold), list(predicted)
    if len(golds) != len(guesses):
        raise InputError(f"{len(guesses)} predicted trees for {len(golds)} gold trees, expected as many")
    for number, (truth, guess) in enumerate(zip(golds, guesses, strict=True), start=1):
        if len(truth.words) != len(guess.words):
            raise InputError(
                f"tree {number} has {len(guess.words)} words, expected {len(truth.words)} as in the gold tree: "
                f"{truth.text[:60]!r}"
            )
        places = _places_without_punctuation(truth)
        wanted, found = _brackets(truth, places), _brackets(guess, places)
        labelled += _compare(wanted, found)
        unlabelled += _compare(_spans(wanted), _spans(found))
        sentences += 1
        exact += wanted == found
    return BracketScore(labelled, unlabelled, sentences, exact)


def plain_label(label: str) -> str:
    """A label without its function tags.

    >>> plain_label("NP-SBJ-1"), plain_label("ADJP=2"), plain_label("-LRB-")
    ('NP', 'ADJP', '-LRB-')
    """
    if label.startswith("-"):
        return label
    return label.partition("-")[0].partition("=")[0].partition("|")[0]


def _places_without_punctuation(gold: Analysis) -> list[int]:
    """For each gap between words, how many words that are no punctuation come before it."""
    places = [0]
    for word in gold.words:
        places.append(places[-1] + (word.xpos not in _PUNCTUATION_TAGS))
    return places


def _brackets(analysis: Analysis, places: list[int]) -> Counter[tuple[str, int, int]]:
    if analysis.constituents is None:
        raise InputError(f"no tree for {analysis.text[:60]!r}, expected one per sentence")
    found: Counter[tuple[str, int, int]] = Counter()
    for part in analysis.constituents:
        label = plain_label(part.label)
        start, end = places[part.start], places[part.end]
        if label not in _LEFT_OUT_LABELS and start < end:
            found[_SAME_LABELS.get(label, label), start, end] += 1
    return found


def _spans(brackets: Counter[tuple[str, int, int]]) -> Counter[tuple[int, int]]:
    spans: Counter[tuple[int, int]] = Counter()
    for (_, start, end), times in brackets.items():
        spans[start, end] += times
    return spans


def _compare(gold: Counter[Any], found: Counter[Any]) -> Count:
    return Count(gold.total(), found.total(), (gold & found).total())
