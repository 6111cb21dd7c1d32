"""Learns the probability that an answer of `graph ask` is right, from questions with known answers.

    python -m tupelo_training.trust --graphs FOLDER

Asks the development questions of `benchmarks.ask`; FOLDER has their graphs. A logistic regression over what the
reader says, in log odds, and what else speaks for an answer: whether the names and the other words of the question
are in the sentence and around it, whether it has the asked role, and how probable another answer is. Weights are
kept near those of the reader alone. Yes-and-no answers have weights of their own, with fewer signals.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

OUTPUT = Path("src/tupelo/graph/retrieve/trust.json")
SIGNALS = {
    "marked": ("crowd", "names", "names near", "words", "role", "rival"),
    "closed": ("names near", "words"),
}
_STEPS, _NEAR = 100, 0.3


class JudgedAnswer(NamedTuple):
    """An answer: the probability that the reader gives it, its other signals, and whether it is right."""

    read: float
    signals: Mapping[str, float]
    right: bool


def fit(answers: Sequence[JudgedAnswer], names: Sequence[str]) -> dict[str, float]:
    """The weights of the signals, of the reader and a constant."""
    reader = np.array([np.log(one.read / (1 - one.read)) for one in answers])
    signals = [[one.signals[name] for name in names] for one in answers]
    rows = np.column_stack([np.ones(len(answers)), reader, np.array(signals).reshape(len(answers), -1)])
    right = np.array([one.right for one in answers], dtype=float)
    start = np.zeros(rows.shape[1])
    start[1] = 1.0
    weights = start.copy()
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        # Newton's method with a prior: a normal distribution around the weights of the reader alone.
        curved = rows.T @ (rows * (likely * (1 - likely))[:, None]) + _NEAR * np.eye(len(weights))
        step = np.linalg.solve(curved, rows.T @ (likely - right) + _NEAR * (weights - start))
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return dict(zip(("constant", "reader", *names), weights.round(3).tolist(), strict=True))


def main() -> None:
    from benchmarks.ask import DEVELOPMENT, asked_set

    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    found: dict[str, list[JudgedAnswer]] = {"marked": [], "closed": []}
    for name in DEVELOPMENT:
        for one in asked_set(name, options.graphs, min_confidence=0.0):
            if one.answers:
                signals = dict(one.answers[0].signals)
                kind = "closed" if "yes" in signals else "marked"
                found[kind].append(JudgedAnswer(signals["reader"], signals, one.outcome == "right"))
    weights = {kind: fit(answers, SIGNALS[kind]) for kind, answers in found.items()}
    counted = ", ".join(f"{len(answers)} {kind}" for kind, answers in found.items())
    fitted = f"{counted} answers to {', '.join(DEVELOPMENT)}: tupelo_training.trust"
    options.output.write_text(json.dumps({"weights": weights, "fitted_on": fitted}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
