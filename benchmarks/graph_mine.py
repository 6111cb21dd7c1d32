"""How many facts of an essay does its graph hold? MINE (Mo et al. 2025), judged locally.

    python -m benchmarks.graph_mine [--data ../shared/data/mine] [--essays N] [--min-rank R] [--json] [--save]

Each essay has 15 facts. A graph is built of every essay, and a fact is compared with the twenty statements of that
graph nearest to it, by the shipped encoder; a statement is read as the sentence that is printed. A judge says whether
they hold the fact: a logistic regression on the share of the fact's content words that the best statement, the best
three and all of them have, and on similarities. It is fitted on what GPT-4 said of the graphs of three systems (2,235
verdicts), and its agreement is measured on essays that it has not seen (five folds). The shares of the three systems
are those of the judge, again out of fold, beside GPT-4's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import add_save_option, save
from tupelo.api.graph import Filters, Graph
from tupelo.graph.retrieve.ask_passages import stems
from tupelo.nlp.encoder import load_encoder

DATA = Path("../shared/data/mine")
NEAREST, BEST, FOLDS = 20, 3, 5
_RIDGE, _ROUNDS = 1e-3, 50
_EVERY = 1_000_000
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """A fact beside the statements of a system, and what GPT-4 said of it."""

    essay: int
    system: str
    fact: str
    statements: tuple[str, ...]
    verdict: int


class Similarity:
    """Similarities of texts by the encoder, each text encoded once."""

    def __init__(self) -> None:
        self._encode: Callable[[list[str]], Any] = load_encoder().encode
        self._known: dict[str, NDArray[np.float32]] = {}

    def __call__(self, fact: str, statements: Sequence[str]) -> Numbers:
        self.learn([fact, *statements])
        if not statements:
            return np.zeros(0)
        return np.asarray(np.stack([self._known[text] for text in statements]) @ self._known[fact], dtype=np.float64)

    def learn(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for start in range(0, len(new), 256):
            batch = new[start : start + 256]
            self._known.update(zip(batch, self._encode(batch), strict=True))


def features(fact: str, statements: Sequence[str], similarity: Similarity) -> list[float]:
    """What the judge knows of a fact and its nearest statements."""
    alike = similarity(fact, statements)
    near = [statements[at] for at in np.argsort(-alike, kind="stable")[:NEAREST]]
    wanted = stems([fact])
    held = [stems([statement]) & wanted for statement in near]
    held.sort(key=len, reverse=True)
    size = max(len(wanted), 1)
    top = np.sort(alike)[::-1]
    return [
        len(held[0]) / size if held else 0.0,
        len(set().union(*held[:BEST])) / size if held else 0.0,
        len(set().union(*held)) / size if held else 0.0,
        float(top[0]) if len(top) else 0.0,
        float(top[:BEST].mean()) if len(top) else 0.0,
        size / 10,
    ]


class FactJudge:
    """A logistic regression, fitted by Newton's method."""

    def __init__(self, rows: Numbers, verdicts: Numbers) -> None:
        self._mean, self._spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
        inputs = self._inputs(rows)
        self._weights = np.zeros(inputs.shape[1])
        for _ in range(_ROUNDS):
            predicted = 1 / (1 + np.exp(-inputs @ self._weights))
            slope = inputs.T @ (predicted - verdicts) + _RIDGE * self._weights
            bend = (inputs * (predicted * (1 - predicted))[:, None]).T @ inputs + _RIDGE * np.eye(inputs.shape[1])
            self._weights -= np.linalg.solve(bend, slope)

    def _inputs(self, rows: Numbers) -> Numbers:
        return np.concatenate([(rows - self._mean) / self._spread, np.ones((len(rows), 1))], axis=1)

    def __call__(self, rows: Numbers) -> Numbers:
        return np.asarray(1 / (1 + np.exp(-self._inputs(rows) @ self._weights)), dtype=np.float64)


def read_verdicts(file: Path) -> list[Judged]:
    found = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            statements = tuple(part.strip(" .") for part in row["context"].split(". ") if part.strip(" ."))
            found.append(Judged(row["essay"], row["system"], row["fact"], statements, row["verdict"]))
    return found


def out_of_fold(judged: Sequence[Judged], rows: Numbers, verdicts: Numbers) -> Numbers:
    """Predictions for every verdict by a judge that saw no fact of the same essay."""
    folds = np.array([item.essay // 2 % FOLDS for item in judged])
    predicted = np.zeros(len(judged))
    for fold in range(FOLDS):
        own = folds == fold
        predicted[own] = FactJudge(rows[~own], verdicts[~own])(rows[own])
    return predicted


def agreement(predicted: Numbers, verdicts: Numbers) -> dict[str, float]:
    """Accuracy, Cohen's kappa, and the area under the ROC curve."""
    said = predicted >= 0.5
    right = float((said == verdicts).mean())
    chance = float(said.mean() * verdicts.mean() + (1 - said.mean()) * (1 - verdicts.mean()))
    positive, negative = predicted[verdicts == 1], predicted[verdicts == 0]
    above = (positive[:, None] > negative).mean() + (positive[:, None] == negative).mean() / 2
    return {"accuracy": right, "kappa": (right - chance) / (1 - chance), "auc": float(above)}


def statements_of(graph: Graph, filters: Filters) -> list[str]:
    """The statements of a graph as they are printed, each once."""
    return list(dict.fromkeys(edge.sentence for edge in graph.edges(filters=filters, limit=_EVERY)))


def essay_rows(
    essays: Sequence[Mapping[str, Any]], views: Mapping[str, Filters], similarity: Similarity
) -> tuple[dict[str, Numbers], dict[str, float]]:
    """For each view the features of all facts, and figures of the graphs."""
    rows: dict[str, list[list[float]]] = defaultdict(list)
    counts: dict[str, float] = defaultdict(float)
    for essay in essays:
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "essay.txt"
            document.write_text(essay["text"], "utf-8")
            with Graph.build(str(document), f"{folder}/kg.duckdb", progress=None) as graph:
                for name, filters in views.items():
                    statements = statements_of(graph, filters)
                    counts[f"statements, {name}"] += len(statements)
                    similarity.learn(statements)
                    rows[name] += [features(fact, statements, similarity) for fact in essay["facts"]]
                counts["tuples"] += graph.sql("SELECT count(*) FROM tuples")[0].values[0]
            counts["bytes"] += Path(folder, "kg.duckdb").stat().st_size if Path(folder, "kg.duckdb").exists() else 0
    return {name: np.array(found) for name, found in rows.items()}, dict(counts)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--essays", type=int, default=None)
    arguments.add_argument("--min-rank", type=float, default=0.5)
    arguments.add_argument("--json", action="store_true")
    add_save_option(arguments)
    given = arguments.parse_args()
    similarity = Similarity()
    judged = read_verdicts(given.data / "verdicts.jsonl.gz")
    similarity.learn(text for item in judged for text in (item.fact, *item.statements))
    known = np.array([features(item.fact, item.statements, similarity) for item in judged])
    verdicts = np.array([item.verdict for item in judged], dtype=np.float64)
    predicted = out_of_fold(judged, known, verdicts)
    figures: dict[str, Any] = {"agreement": agreement(predicted, verdicts)}
    systems = np.array([item.system for item in judged])
    shares: dict[str, tuple[float, float | None]] = {}
    for system in dict.fromkeys(item.system for item in judged):
        own = systems == system
        shares[system] = float((predicted[own] >= 0.5).mean()), float(verdicts[own].mean())
    every = ("all",)
    views = {
        "all": Filters(stances=every),
        f"rank of {given.min_rank:g} and more": Filters(stances=every, min_rank=given.min_rank),
        "names": Filters(stances=every, about="names"),
    }
    lines = (given.data / "essays.jsonl").read_text("utf-8").splitlines()
    essays = [json.loads(line) for line in lines][: given.essays]
    own_rows, counts = essay_rows(essays, views, similarity)
    judge = FactJudge(known, verdicts)
    for name, rows in own_rows.items():
        shares[f"Tupelo, {name}"] = float((judge(rows) >= 0.5).mean()), None
        figures[f"words of the best three, {name}"] = float((rows[:, 1] >= 0.6).mean())
    figures |= {"facts held": {name: share for name, (share, _) in shares.items()}, **counts}
    if given.json:
        print(json.dumps(figures, indent=1))
    else:
        print(f"judge, out of fold: {figures['agreement']}")
        for name, (share, said) in shares.items():
            print(f"{name:32} {100 * share:5.1f} %" + (f"   GPT-4 {100 * said:5.1f} %" if said is not None else ""))
        print(counts)
    if given.save:
        table = [
            [name, f"{100 * share:.1f}", "" if said is None else f"{100 * said:.1f}"]
            for name, (share, said) in shares.items()
        ]
        kept = figures["agreement"]
        table.append(["agreement of the judge: accuracy", f"{100 * kept['accuracy']:.1f}", ""])
        table.append(["agreement of the judge: area under the curve", f"{100 * kept['auc']:.1f}", ""])
        save("graph-facts-of-essays", ("graph", "facts held, %", "by GPT-4, %"), table)


if __name__ == "__main__":
    main()
