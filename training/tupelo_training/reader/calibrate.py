"""Fits how often the reader's answers are right, and shows what a least probability gives.

    python -m tupelo_training.reader.calibrate --data DATA --reader en-reader

On written questions about documents that were held out, each with its passage: encyclopedia text and everyday texts.
Writes `calibration.json`: slope and bias of the log odds, for spans and for yes and no.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from tupelo.nlp.reader import ReaderNetwork, load_reader
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.reader import questions
from tupelo_training.reader.prepare import is_held_out
from tupelo_training.reader.questions import NONE, WRITTEN, YES, Question, Text

LEASTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_RIDGE = 1e-3
_ENOUGH = 0.6
_WORD = re.compile(r"\w+")

Outcome = tuple[float, bool]


def held_out(found: questions.Found) -> Iterator[tuple[Question, Text]]:
    texts: dict[str, Text] = {}
    for one in found:
        if isinstance(one, Text):
            texts[one.key] = one
        elif is_held_out(texts[one.text].document):
            yield one, texts[one.text]


def body(text: Text) -> str:
    told = " ".join(text.sentences)
    return told if told.startswith(text.title) else f"{text.title}. {told}"


def is_right(answer: str, wanted: Iterable[str]) -> bool:
    """Whether an answer has most words of one that is right, and few others: F1 of at least 0.6."""
    given = set(_WORD.findall(answer.lower()))
    return any(_f1(given, set(_WORD.findall(one.lower()))) >= _ENOUGH for one in wanted)


def _f1(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


def outcome(reader: ReaderNetwork, question: Question, text: Text) -> Outcome:
    """The probability of the best answer, and whether it is right."""
    passage = body(text)
    (reading,) = reader.read(question.question, [passage])
    if question.outcome > NONE:
        return max(reading.yes, reading.no), (reading.yes > reading.no) == (question.outcome == YES)
    span = reading.spans[0]
    wanted = (text.sentences[at][start:end] for places in question.answers for at, start, end in places)
    return reading.answered * span.probability, is_right(passage[span.start : span.end], wanted)


def fit(found: Sequence[Outcome]) -> dict[str, float]:
    """Slope and bias of a logistic curve over the log odds, by Newton's method."""
    chances = np.clip([one for one, _ in found], 1e-6, 1 - 1e-6)
    right = np.array([one for _, one in found], np.float64)
    inputs = np.stack([np.log(chances / (1 - chances)), np.ones(len(found))], axis=1)
    weights = np.zeros(2)
    for _ in range(30):
        said = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (right - said) - _RIDGE * weights
        curvature = (inputs * (said * (1 - said))[:, None]).T @ inputs + _RIDGE * np.eye(2)
        weights += np.linalg.solve(curvature, slope)
    return {"slope": round(float(weights[0]), 4), "bias": round(float(weights[1]), 4)}


def main() -> None:
    parser = option_parser(__doc__, "data", "reader")
    parser.add_argument("--written", type=Path, default=WRITTEN)
    parser.add_argument("--questions", type=int, default=500)
    options = parser.parse_args()
    rows = list(held_out(questions.written(questions.passages(options.data), options.written)))
    random.Random(0).shuffle(rows)
    rows = [*held_out(questions.everyday()), *rows]
    reader = load_reader(options.reader)
    curves: dict[str, object] = {}
    for name, closed in (("marked", False), ("closed", True)):
        own = [row for row in rows if (row[0].outcome > NONE) == closed][: options.questions]
        found = [outcome(reader, *row) for row in own]
        curve = curves[name] = fit(found)
        print(name, len(found), curve)
        for least in LEASTS:
            said = [
                right
                for chance, right in found
                if 1 / (1 + (1 / chance - 1) ** curve["slope"] * np.exp(-curve["bias"])) >= least
            ]
            right, wrong = sum(said) / len(found), (len(said) - sum(said)) / len(found)
            print(f"  at {least}: {right:.3f} right, {wrong:.3f} wrong")
    write_json(options.reader / "calibration.json", {**curves, "fitted_on": "held-out written questions"})
    write_checksums(options.reader)


if __name__ == "__main__":
    main()
