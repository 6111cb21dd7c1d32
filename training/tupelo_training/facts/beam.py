"""Beam search with the length penalty of Wu et al. 2016, for any network that scores the next token.

The score of a hypothesis of `n` tokens and log-probability `p` is `p / ((5 + n) / 6) ** alpha`; with `alpha` 0 short
hypotheses have the advantage, as every token costs. The search of an item ends when no unfinished hypothesis can
overtake the worst of its finished hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
# Takes the previous row and the last token of each row; returns log-probabilities of every next token.
Step = Callable[[Integers, Integers], NDArray[np.float32]]
_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Tokens without the end mark, the log-probability of each (the end mark's last), and the score.

    `finished` is false if the maximum length was reached first.
    """

    tokens: tuple[int, ...]
    steps: tuple[float, ...]
    worth: float
    finished: bool = True


def length_penalty(length: int, alpha: float) -> float:
    """The divisor of the log-probability of `length` tokens, including the end mark."""
    return float(((5 + length) / 6) ** alpha)


@dataclass(frozen=True, slots=True)
class _Path:
    """A growing hypothesis, linked to what came before; rows are copied at every step, links are not."""

    token: int
    step: float
    total: float
    length: int
    before: _Path | None

    def unroll(self) -> tuple[tuple[int, ...], tuple[float, ...]]:
        tokens, steps = [], []
        path: _Path | None = self
        while path is not None and path.before is not None:
            tokens.append(path.token)
            steps.append(path.step)
            path = path.before
        return tuple(reversed(tokens)), tuple(reversed(steps))


def beam_search(
    step: Step, items: int, *, start: int, end: int, beam: int = 4, alpha: float = 0.6, longest: int = 300
) -> list[list[Hypothesis]]:
    """The best hypotheses of every item, best first.

    `step` is called with rows `item * beam + number`: the row of the last call that each continues (its own number
    in the first call) and its last token.
    """
    rows = items * beam
    paths: list[_Path | None] = [_Path(start, 0.0, 0.0, 0, None) if row % beam == 0 else None for row in range(rows)]
    parents, tokens = np.arange(rows), np.full(rows, start, dtype=np.int64)
    finished: list[list[Hypothesis]] = [[] for _ in range(items)]
    for length in range(1, longest + 1):
        if not any(paths):
            break
        scores = step(parents, tokens)
        following: list[_Path | None] = [None] * rows
        parents, tokens = np.arange(rows), np.full(rows, end, dtype=np.int64)
        for item in range(items):
            first = item * beam
            here = paths[first : first + beam]
            if not any(here):
                continue
            grown = _best(here, scores[first : first + beam], beam, end, finished[item], length, alpha)
            finished[item].sort(key=lambda found: -found.worth)
            del finished[item][beam:]
            # Log-probabilities only fall; the most favourable penalty is that of the longest output.
            hope = max((path.total for _, path in grown), default=-np.inf) / length_penalty(longest, alpha)
            if len(finished[item]) == beam and finished[item][-1].worth >= hope:
                continue
            for number, (row, path) in enumerate(grown):
                following[first + number] = path
                parents[first + number], tokens[first + number] = first + row, path.token
        paths = following
    for row, cut in enumerate(paths):
        if cut is not None:
            said, steps = cut.unroll()
            worth = cut.total / length_penalty(cut.length, alpha)
            finished[row // beam].append(Hypothesis(said, steps, worth, finished=False))
    return [sorted(found, key=lambda one: (not one.finished, -one.worth))[:beam] for found in finished]


def _best(
    paths: list[_Path | None],
    scores: NDArray[np.float32],
    beam: int,
    end: int,
    finished: list[Hypothesis],
    length: int,
    alpha: float,
) -> list[tuple[int, _Path]]:
    """The best continuations with their rows; those that end go to `finished`."""
    totals = np.array([path.total if path is not None else _NEVER for path in paths])[:, None] + scores
    wide = totals.shape[1]
    # Every row can end only once, so this many leave at least `beam` unfinished ones.
    most = min(beam + len(paths), totals.size)
    flat = totals.ravel()
    best = np.argpartition(-flat, most - 1)[:most]
    best = best[np.lexsort((best, -flat[best]))]
    grown: list[tuple[int, _Path]] = []
    for place in best.tolist():
        row, token = divmod(place, wide)
        path = paths[row]
        if path is None or flat[place] <= _NEVER / 2:
            continue
        after = _Path(token, float(scores[row, token]), float(flat[place]), length, path)
        if token == end:
            said, steps = after.unroll()
            finished.append(Hypothesis(said[:-1], steps, after.total / length_penalty(length, alpha)))
        elif len(grown) < beam:
            grown.append((row, after))
    return grown
