"""Levy/Holt pairs for training, and their division into folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.io.files import InputFile
from tupelo.io.levyholt import read_pairs

FOLDS = 5
# A relation in this many pairs or more is frequent: all its pairs are in one fold. Lower, and nearly all pairs hang
# together through a chain of shared relations (at 10 the largest group has 3,054 of the 5,486 pairs, here 1,626).
FREQUENT = 20


def load_pairs(path: Path) -> list[EntailmentPair]:
    with InputFile(path) as file:
        return list(read_pairs(file.lines()))


def relation_folds(pairs: Sequence[EntailmentPair]) -> np.ndarray:
    """No frequent relation is in two folds, and no pair is apart from its reverse."""
    counts = Counter(relation for pair in pairs for relation in {_relation(pair.premise), _relation(pair.hypothesis)})

    def keys(pair: EntailmentPair) -> Iterable[object]:
        yield frozenset(pair.key())
        yield from (r for r in (_relation(pair.premise), _relation(pair.hypothesis)) if counts[r] >= FREQUENT)

    return _folds(pairs, keys)


def argument_folds(pairs: Sequence[EntailmentPair]) -> np.ndarray:
    """No pair of arguments is in two folds; relations may be."""
    return _folds(pairs, lambda pair: [frozenset((t.subject, t.object)) for t in pair.key()])


def _relation(triple: Triple) -> str:
    return " ".join(triple.relation.lower().split())


def _folds(pairs: Sequence[EntailmentPair], keys: Callable[[EntailmentPair], Iterable[object]]) -> np.ndarray:
    parent = list(range(len(pairs)))

    def find(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    seen: dict[object, int] = {}
    for number, pair in enumerate(pairs):
        for key in keys(pair):
            parent[find(number)] = find(seen.setdefault(key, number))
    groups: dict[int, list[int]] = {}
    for number in range(len(pairs)):
        groups.setdefault(find(number), []).append(number)
    folds, sizes = np.zeros(len(pairs), np.int64), [0] * FOLDS
    # Largest group first, always into the smallest fold.
    for members in sorted(groups.values(), key=lambda group: (-len(group), group[0])):
        fold = sizes.index(min(sizes))
        folds[members] = fold
        sizes[fold] += len(members)
    return folds
