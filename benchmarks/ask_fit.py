"""Which weights do the signals of `graph ask` need?

    python -m benchmarks.ask_fit GRAPH QUESTIONS [GRAPH QUESTIONS ...] [--folds 8] [--json]

GRAPH is a graph of the documents that QUESTIONS are about, a table as `benchmarks.ask` reads it. The candidates of
all questions but those for yes or no are weighed, and a listwise softmax is fitted: for every question, the share
of its right candidates together, or of silence where there is none, is maximized, with an L2 penalty. Two tables are
printed: the weights fitted on everything, for `tupelo.graph.ask.WEIGHTS` and `SILENCE`, and how many questions are
right and wrong above some probabilities when each is answered by weights of the other folds. These figures are for
the choice of `LEAST`; they do not count second hops, lists and yes or no.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.ask import matches, read_table
from tupelo.api.graph import Graph
from tupelo.graph.ask import WEIGHTS
from tupelo.graph.ask_candidates import Candidate
from tupelo.graph.asked import Form, read_question
from tupelo.graph.passages import name_form

Vector = NDArray[np.float64]
_L2, _STEPS, _RATE = 0.02, 300, 0.1
_LEVELS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


class Weighed(NamedTuple):
    """The candidates of a question: a row of signals each, which ones are right, and what they say."""

    signals: Vector
    right: NDArray[np.bool_]
    answers: Sequence[str]


def weigh(graph: Graph, questions: Path) -> list[Weighed]:
    asker = graph.asker()
    found = []
    for row in read_table(questions):
        (analysis,) = asker.analyze([row["question"]])
        asked = read_question(analysis)
        if asked.form is Form.YES_NO:
            continue
        candidates = asker.read(asked, row["question"]).weigh(asked)
        found.append(
            Weighed(
                np.array([[one.signals[name] for name in WEIGHTS] for one in candidates]).reshape(-1, len(WEIGHTS)),
                np.array([is_right(one, row["answers"]) for one in candidates], dtype=bool),
                [name_form(one.answer) for one in candidates],
            )
        )
    return found


def is_right(candidate: Candidate, wanted: str) -> bool:
    return wanted != "none" and any(matches(candidate.answer, part) for part in wanted.split(" & "))


def probabilities(signals: Vector, weights: Vector) -> Vector:
    """Of every candidate, and last of silence, whose score is the last weight."""
    scores = np.append(signals @ weights[:-1], weights[-1])
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum(), dtype=np.float64)


def fit(questions: Sequence[Weighed]) -> Vector:
    """Weights by gradient descent with Adam's steps."""
    weights = np.zeros(len(WEIGHTS) + 1)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = np.zeros_like(weights)
        for one in questions:
            given = probabilities(one.signals, weights)
            target = given * np.append(one.right, not one.right.any())
            difference = given - target / target.sum()
            gradient[:-1] += one.signals.T @ difference[:-1]
            gradient[-1] += difference[-1]
        gradient /= len(questions)
        gradient[:-1] += _L2 * weights[:-1]
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def answered(one: Weighed, weights: Vector) -> tuple[float, bool]:
    """The probability of the best answer, and whether it is right."""
    if not one.answers:
        return 0.0, False
    given = probabilities(one.signals, weights)[:-1]
    best = int(np.argmax(given))
    same = [answer == one.answers[best] for answer in one.answers]
    return float(given[same].sum()), bool(one.right[best])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", nargs="+", type=Path, metavar="GRAPH QUESTIONS")
    parser.add_argument("--folds", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if len(options.pairs) % 2:
        parser.error("expected a table of questions after each graph")
    questions: list[Weighed] = []
    for file, table in zip(options.pairs[::2], options.pairs[1::2], strict=True):
        with Graph.open(file) as graph:
            questions += weigh(graph, table)
    order = np.random.default_rng(0).permutation(len(questions))
    results = []
    for fold in np.array_split(order, options.folds):
        weights = fit([questions[number] for number in order if number not in set(fold)])
        results += [answered(questions[number], weights) for number in fold]
    weights = fit(questions)
    fitted = {name: round(float(weight), 2) for name, weight in zip([*WEIGHTS, "silence"], weights, strict=True)}
    levels = {
        level: {
            "right": sum(right for probability, right in results if probability >= level),
            "wrong": sum(not right for probability, right in results if probability >= level),
        }
        for level in _LEVELS
    }
    if options.json:
        print(json.dumps({"questions": len(questions), "weights": fitted, "levels": levels}, indent=2))
        return
    print(f"{len(questions)} questions")
    for name, weight in fitted.items():
        print(f"{name:10} {weight:5.2f}")
    for level, counts in levels.items():
        print(f"at least {level:.2f}: {counts['right']} right, {counts['wrong']} wrong")


if __name__ == "__main__":
    main()
