"""Learns the probability that an answer of `graph ask` is right, from questions with known answers.

    python -m tupelo_training.trust --graphs FOLDER [--times]

Asks the development questions of `benchmarks.ask`; FOLDER has their graphs. And those about everyday texts that the
reader was not trained with (`tupelo_training.reader.questions`), whose graph is built there. A logistic regression
over what the reader says, in log odds, and what else speaks for an answer: whether the words of the question are in
the sentence, whether it has the asked role or another one, how good its passage is, whether it holds at the asked
time, and how probable another one is that does. All answers that the reader marks are learned
from, given or not; one about an everyday text is right if it has most words of the right one. Weights are kept near
those of the reader alone, which stays alone for yes and no.

What an answer gains where it holds on the day that a question asks about, and loses where it does not, is learned
after that from the questions about a day of two business worlds, the other weights fixed (alone with `--times`).
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.ask import DEVELOPMENT, normal, outcome, questions_of
from benchmarks.times import marks, plain
from tupelo.api.graph import BuildOptions, Graph
from tupelo.graph.retrieve.ask import asked_time
from tupelo.graph.retrieve.asked import AnswerForm, split_question
from tupelo.nlp.languages.en.grammar import STOP_WORDS
from tupelo_training.reader.prepare import is_held_out
from tupelo_training.reader.questions import everyday_documents

OUTPUT = Path("src/tupelo/graph/retrieve/trust.json")
SIGNALS = {"marked": ("words", "role", "other role", "rival", "place", "over"), "closed": ()}
TIMES = ("then", "not then")
WORLDS = ("develop", "valley")
FURTHER = "further"
_STEPS, _NEAR = 100, 0.3
_CERTAIN = 1e-6
_ENOUGH = 0.6
_YES_OR_NO = re.compile(r"(yes|no): .*")


class JudgedAnswer(NamedTuple):
    """An answer: the probability that the reader gives it, its other signals, and whether it is right."""

    read: float
    signals: Mapping[str, float]
    right: bool


def fit(answers: Sequence[JudgedAnswer], names: Sequence[str]) -> dict[str, float]:
    """The weights of the signals, of the reader and a constant."""
    reader = np.array([np.log(one.read / (1 - one.read)) for one in answers])
    signals = [[one.signals[name] for name in names] for one in answers]
    rows = np.column_stack([np.ones(len(answers)), reader, np.array(signals).reshape(len(answers), len(names))])
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


def judged_answers(
    graph: Graph, questions: Iterable[Mapping[str, str]], judge: Callable[[str, str], bool]
) -> Iterator[tuple[str, JudgedAnswer]]:
    """All answers that are marked for some questions, with their kind; a part of a list is right."""
    asker = graph.asker()
    for row in questions:
        question, time = asked_time(split_question(row["question"])[0], None)
        asked = asker.parsed(question)
        closed = asked.form is AnswerForm.YES_NO
        for one in asker.judged(asked, asker.read(asked, time, asker.retriever.signals(question)), time):
            signals = dict(one.signals)
            right = any(judge(one.answer, part) for part in row["answers"].split(" & "))
            yield "closed" if closed else "marked", JudgedAnswer(signals["reader"], signals, right)


def further_questions(graphs: Path) -> list[dict[str, str]]:
    """The questions about everyday texts that were held out; their graph is built if it is not there."""
    chosen = [one for one in everyday_documents() if is_held_out(one.document)]
    if not (graphs / f"{FURTHER}.duckdb").exists():
        folder = graphs / FURTHER
        folder.mkdir(exist_ok=True)
        for number, one in enumerate(chosen):
            is_mail = one.body.startswith("From: ")
            header = "Content-Type: text/plain; charset=utf-8\n" if is_mail else ""
            (folder / f"{number}{'.eml' if is_mail else '.txt'}").write_text(f"{header}{one.body}\n", "utf-8")
        Graph.build(folder, graphs / f"{FURTHER}.duckdb", options=BuildOptions(vectors=True)).close()
    return [
        {"question": question, "answers": "none" if answer == "-" else _YES_OR_NO.sub(r"\1", answer)}
        for one in chosen
        for _, question, answer in one.questions
    ]


def fit_times(graphs: Path) -> dict[str, float]:
    """The weights of `TIMES` for answers whose other signals are weighed already; the graphs are `business-WORLD`."""
    rows: list[tuple[float, bool, bool, bool]] = []
    for world in WORLDS:
        with Graph.open(graphs / f"business-{world}.duckdb") as graph:
            asker = graph.asker()
            for mark in (one for one in marks(world, "questions") if "as_of" in one):
                question, time = asked_time(mark["question"], mark["as_of"])
                asked = asker.parsed(question)
                for one in asker.judged(asked, asker.read(asked, time, asker.retriever.signals(question)), time):
                    right = any(plain(answer) in plain(one.answer) for answer in mark["answers"])
                    signals = dict(one.signals)
                    given = min(max(one.confidence, _CERTAIN), 1 - _CERTAIN)
                    odds = log(given / (1 - given)) - sum(known_weights()[name] * signals[name] for name in TIMES)
                    rows.append((odds, right, *(bool(signals[name]) for name in TIMES)))
    table = np.array(rows, dtype=float)
    weights = np.zeros(len(TIMES))
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-table[:, 0] - table[:, 2:] @ weights))
        curved = table[:, 2:].T @ (table[:, 2:] * (likely * (1 - likely))[:, None]) + _NEAR * np.eye(len(weights))
        weights -= np.linalg.solve(curved, table[:, 2:].T @ (likely - table[:, 1]) + _NEAR * weights)
    return dict(zip(TIMES, weights.round(3).tolist(), strict=True))


def known_weights(path: Path = OUTPUT) -> Mapping[str, float]:
    weights: Mapping[str, float] = json.loads(path.read_text("utf-8"))["weights"]["marked"]
    return {name: weights.get(name, 0.0) for name in (*weights, *TIMES)}


def is_right(answer: str, wanted: str) -> bool:
    return outcome([answer], wanted) == "right"


def is_close(answer: str, wanted: str) -> bool:
    """Whether an answer is right, or has most words of the right one: in training they may be long."""
    given, best = (set(normal(text).split()) - STOP_WORDS for text in (answer, wanted))
    return is_right(answer, wanted) or 2 * len(given & best) >= _ENOUGH * (len(given) + len(best)) > 0


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--times", action="store_true", help="learn only the weights of the asked time")
    options = parser.parse_args()
    if options.times:
        shipped = json.loads(options.output.read_text("utf-8"))
        shipped["weights"]["marked"] |= fit_times(options.graphs)
        options.output.write_text(json.dumps(shipped, indent=1) + "\n", "utf-8")
        return
    found: dict[str, list[JudgedAnswer]] = {"marked": [], "closed": []}
    asked = {name: questions_of(name) for name in DEVELOPMENT} | {FURTHER: further_questions(options.graphs)}
    for name, questions in asked.items():
        with Graph.open(options.graphs / f"{name.replace(' ', '-')}.duckdb") as graph:
            for kind, one in judged_answers(graph, questions, is_close if name == FURTHER else is_right):
                found[kind].append(one)
    weights = {kind: fit(answers, SIGNALS[kind]) for kind, answers in found.items()}
    weights["marked"] |= {name: known_weights()[name] for name in TIMES}
    counted = ", ".join(f"{len(answers)} {kind}" for kind, answers in found.items())
    fitted = f"{counted} answers to {', '.join(DEVELOPMENT)} and everyday texts: tupelo_training.trust"
    options.output.write_text(json.dumps({"weights": weights, "fitted_on": fitted}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
