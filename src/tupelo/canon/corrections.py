"""Clusters that respect the corrections of people.

Phrases that cannot be linked are separated by splitting their cluster at lower and lower thresholds; if that does not
help (equal vectors), the second phrase gets a cluster of its own. The clusters of phrases that must be linked are
then merged, or, if that would violate a correction, the phrases form a cluster of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import components
from tupelo.canon.cuts import in_order_of_appearance
from tupelo.core import InputError
from tupelo.core.canonical import PhraseCorrection, normal_form

Labels = NDArray[np.int64]
_LEVELS = 12


def corrected(
    cut: Callable[[float], Labels],
    threshold: float,
    corrections: Iterable[PhraseCorrection],
    forms: Sequence[str],
    ids: Sequence[str],
) -> Labels:
    """Cluster numbers per item at the threshold, with corrections of one kind applied.

    `forms` and `ids` have the phrase and the triple of every item. A correction about phrases that do not occur has
    no effect.
    """
    labels = in_order_of_appearance(cut(threshold))
    decided = tuple(corrections)
    if not decided:
        return labels
    places = _Places(forms, ids)
    links = [(c, places.find(c.left), places.find(c.right)) for c in decided]
    links = [(c, left, right) for c, left, right in links if left and right]
    if not links:
        return labels
    musts = ((left[0], item) for c, left, right in links if c.together for item in (*left, *right))
    together = components(len(labels), musts)
    apart = [(c, left, right) for c, left, right in links if not c.together]
    for correction, left, right in apart:
        shared = {together[item] for item in left} & {together[item] for item in right}
        if shared or set(left) & set(right):
            raise InputError(
                f"corrections contradict each other: '{correction.left}' and '{correction.right}' cannot be one, "
                "but others say that they must"
            )
        labels = _take_apart(labels, left, right, cut, threshold)
    forbidden = [(set(left), set(right)) for _, left, right in apart]
    # All phrases that must be linked are merged at once: a later pair could separate an earlier one.
    linked = {item for c, left, right in links if c.together for item in (*left, *right)}
    for first in sorted({together[item] for item in linked}):
        items = [item for item in sorted(linked) if together[item] == first]
        labels = _bring_together(labels, items, forbidden)
    return in_order_of_appearance(labels)


class _Places:
    """Items by phrase, and by phrase and id."""

    def __init__(self, forms: Sequence[str], ids: Sequence[str]) -> None:
        self._items: dict[str, list[int]] = {}
        for item, (form, number) in enumerate(zip(forms, ids, strict=True)):
            normal = normal_form(form)
            for key in (normal, f"{normal}|{number}"):
                self._items.setdefault(key, []).append(item)

    def find(self, phrase: str) -> list[int]:
        form, bar, number = phrase.rpartition("|")
        key = f"{normal_form(form)}|{number.strip()}" if bar else normal_form(phrase)
        return self._items.get(key) or self._items.get(normal_form(phrase), [])


def _take_apart(
    labels: Labels, left: list[int], right: list[int], cut: Callable[[float], Labels], threshold: float
) -> Labels:
    for cluster in sorted({int(labels[item]) for item in left} & {int(labels[item]) for item in right}):
        inside = labels == cluster
        ones = [item for item in left if inside[item]]
        others = [item for item in right if inside[item]]
        for level in range(_LEVELS - 1, 0, -1):
            finer = cut(threshold * level / _LEVELS)
            if not {int(finer[item]) for item in ones} & {int(finer[item]) for item in others}:
                labels = np.where(inside, finer + labels.max() + 1, labels)
                break
        else:
            labels = labels.copy()
            labels[others] = labels.max() + 1
    return labels


def _bring_together(labels: Labels, items: list[int], forbidden: list[tuple[set[int], set[int]]]) -> Labels:
    wanted = {int(labels[item]) for item in items}
    if len(wanted) == 1:
        return labels
    joined = np.isin(labels, sorted(wanted))
    members = set(np.flatnonzero(joined).tolist())
    labels = labels.copy()
    if any(members & one and members & other for one, other in forbidden):
        labels[items] = labels.max() + 1
    else:
        labels[joined] = min(wanted)
    return labels
