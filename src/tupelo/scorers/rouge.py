"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) of one text against another.

Texts are lower-cased and split into runs of letters a-z and digits, as the usual package does without its stemmer.
ROUGE-N: how many n-grams the two share, each counted as often as it occurs in both; divided by those of the candidate
(precision) and of the reference (recall). ROUGE-L: the same with the longest common subsequence of words.

>>> rouge("the cat sat on the mat", "the cat was on the mat")["rouge2"].precision
0.6
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tupelo.scorers.result import Figures, ratio

_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """The words that ROUGE counts."""
    return _WORD.findall(text.lower())


def rouge(candidate: str, reference: str) -> dict[str, Figures]:
    """`rouge1`, `rouge2` and `rougeL`."""
    own, other = words_of(candidate), words_of(reference)
    return {
        "rouge1": ngram_overlap(own, other, 1),
        "rouge2": ngram_overlap(own, other, 2),
        "rougeL": _shares(longest_common_subsequence(own, other), len(own), len(other)),
    }


def ngram_overlap(candidate: Sequence[str], reference: Sequence[str], size: int) -> Figures:
    """Shared n-grams of two sequences of words."""
    own, other = _ngrams(candidate, size), _ngrams(reference, size)
    return _shares((own & other).total(), own.total(), other.total())


def _ngrams(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + size]) for start in range(len(words) - size + 1))


def _shares(common: int, own: int, other: int) -> Figures:
    return Figures.of(ratio(common, own), ratio(common, other))


def longest_common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """Its length, by the bit-parallel recurrence of Crochemore et al. (2001): one step per word of `left`."""
    places: dict[str, int] = {}
    for place, word in enumerate(right):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(right)) - 1
    row = full
    for word in left:
        matched = row & places.get(word, 0)
        row = ((row + matched) | (row - matched)) & full
    return len(right) - row.bit_count()
