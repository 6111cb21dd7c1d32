"""What vectors are learned from: pairs of a target and a context, each with how often it was seen.

* Relations: (*is made from*, `x:chocolate`) and (*is made from*, `y:the cocoa bean`) of each assertion (Levy and
  Dagan 2016, supplement).
* Words: both ends of every dependency, prepositions collapsed (Levy and Goldberg 2014): *game of thrones* gives
  (game, `pobj:of↓thrones`) and (thrones, `pobj:of↑game`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.assertion import Assertion
from tupelo.infer.phrases import base_argument, folded
from tupelo.nlp.relation_phrases import base_relation

Ints = NDArray[np.int32]


class ContextPair(NamedTuple):
    """A target and a context, and how often they were seen together."""

    target: str
    context: str
    seen: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Distinct pairs as numbers of targets and contexts. Names are ordered by falling count, then by name."""

    targets: tuple[str, ...]
    contexts: tuple[str, ...]
    target_counts: NDArray[np.int64]
    context_counts: NDArray[np.int64]
    target: Ints
    context: Ints
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Pairs, each as often as it was seen."""
        return int(self.counts.sum())


def relation_pairs(assertions: Iterable[Assertion], *, base_forms: bool = False) -> Iterator[ContextPair]:
    """Each assertion gives its relation twice, once with each argument and the argument's place.

    `base_forms` puts the forms of a relation together, and arguments with the same last word: right where a corpus is
    too small to have seen each of them often.
    """
    relation, argument = (base_relation, base_argument) if base_forms else (folded, folded)
    for found in assertions:
        name = relation(found.relation)
        yield ContextPair(name, f"x:{argument(found.subject)}", found.count)
        yield ContextPair(name, f"y:{argument(found.object)}", found.count)


class Arc(NamedTuple):
    """A word, the position of its head (`None` for the root), and the label of the dependency."""

    word: str
    head: int | None
    label: str


# A preposition stands between its head and its object in Stanford dependencies ...
_PREPOSITION, _OBJECTS = "prep", ("pobj", "pcomp")
# ... and below its object in Universal Dependencies.
_CASE, _CASE_MARKED = "case", ("nmod", "obl")


def word_pairs(sentence: Sequence[Arc], count: int = 1) -> Iterator[ContextPair]:
    """Both ends of every dependency of a sentence or a syntactic n-gram; punctuation is ignored."""
    cases = {arc.head: arc.word.lower() for arc in sentence if arc.label == _CASE and arc.head is not None}
    for place, arc in enumerate(sentence):
        if arc.head is None or arc.label in ("punct", "p", _CASE):
            continue
        head, label = sentence[arc.head], arc.label
        if label == _PREPOSITION and any(other.head == place and other.label in _OBJECTS for other in sentence):
            continue
        if label in _OBJECTS and head.label == _PREPOSITION and head.head is not None:
            label, head = f"{label}:{head.word.lower()}", sentence[head.head]
        elif label.partition(":")[0] in _CASE_MARKED and place in cases:
            label = f"{label.partition(':')[0]}:{cases[place]}"
        word, other = arc.word.lower(), head.word.lower()
        yield ContextPair(other, f"{label}↓{word}", count)
        yield ContextPair(word, f"{label}↑{other}", count)


def count_pairs(pairs: Iterable[ContextPair], *, min_target: int = 1, min_context: int = 1) -> PairTable:
    """Add up pairs and discard rare ones; counts are taken before anything is discarded."""
    together: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        together[pair.target, pair.context] += pair.seen
    targets: Counter[str] = Counter()
    contexts: Counter[str] = Counter()
    for (target_name, context_name), count in together.items():
        targets[target_name] += count
        contexts[context_name] += count
    kept = sorted(pair for pair in together if targets[pair[0]] >= min_target and contexts[pair[1]] >= min_context)
    if not kept:
        raise InputError(
            f"no pairs left of {len(together):,}: expected targets seen {min_target} times and contexts seen "
            f"{min_context} times"
        )
    counts = np.array([together[pair] for pair in kept], dtype=np.int64)
    target_names, target_counts, target = _numbered([pair[0] for pair in kept], targets, counts)
    context_names, context_counts, context = _numbered([pair[1] for pair in kept], contexts, counts)
    return PairTable(target_names, context_names, target_counts, context_counts, target, context, counts)


def _numbered(
    names: Sequence[str], order: Counter[str], counts: NDArray[np.int64]
) -> tuple[tuple[str, ...], NDArray[np.int64], Ints]:
    """Distinct names in their order, how often each was seen in what is kept, and the number of every name."""
    distinct = tuple(sorted(set(names), key=lambda name: (-order[name], name)))
    numbers = {name: number for number, name in enumerate(distinct)}
    found = np.array([numbers[name] for name in names], dtype=np.int32)
    return distinct, np.bincount(found, counts, len(distinct)).astype(np.int64), found
