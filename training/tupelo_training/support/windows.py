"""The best runs of consecutive sentences about a claim: a further form of evidence to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from tupelo.checking.evidence import stems

WINDOW, WINDOWS = 3, 2


def best_windows(
    claim: Iterable[str], sentences: Sequence[Iterable[str]], lengths: Sequence[int], room: int
) -> list[tuple[int, ...]]:
    """The windows that share most with a claim and do not overlap, each cut off where it is longer than `room`."""
    said = stems(claim)
    shared = [stems(words) & said for words in sentences]
    holders = {item: sum(item in own for own in shared) for item in said}
    weights = {item: log(1 + len(shared) / count) for item, count in sorted(holders.items()) if count}

    def weight(items: Iterable[str]) -> float:
        return sum(weights[item] for item in sorted(items))

    ranked = []
    for start in range(max(1, len(shared) - WINDOW + 1)):
        covered = frozenset[str]().union(*shared[start : start + WINDOW])
        if covered:
            # Of windows that share the same words, the one that has most of them in its middle.
            middle = weight(shared[start + 1]) if start + 1 < len(shared) else 0.0
            ranked.append((-weight(covered), -middle, start))
    chosen: list[int] = []
    for *_, start in sorted(ranked):
        if len(chosen) < WINDOWS and all(abs(start - other) >= WINDOW for other in chosen):
            chosen.append(start)
    return [_within(range(start, min(start + WINDOW, len(shared))), lengths, room) for start in chosen]


def _within(window: range, lengths: Sequence[int], room: int) -> tuple[int, ...]:
    kept: list[int] = []
    for number in window:
        room -= lengths[number]
        if room < 0:
            break
        kept.append(number)
    return tuple(kept)
