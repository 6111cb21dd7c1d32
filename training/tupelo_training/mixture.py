"""Learns how much each kind of evidence counts for a question, which `graph retrieve` adds up.

    python -m tupelo_training.mixture --data ../shared/data --graphs FOLDER

FOLDER has the graphs of the sets, as `benchmarks.retrieval` builds them. The weight of a kind of evidence is a linear
function of the features of the question. Its coefficients make the gold documents of all sets likely: a softmax over
documents, each with the score of its best passage. Every set counts the same. Coefficients are kept small, those of
the constant less so.
"""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.graph.retrieve.retriever import FEATURES, KINDS, Retriever, Scores, Signals, own_id
from tupelo.graph.store.file import Store

OUTPUT = Path("src/tupelo/graph/retrieve/mixture.json")
WITHOUT_VECTORS = KINDS[:-1]
# The wild sets are pages as they were scraped; `business` are short documents of many kinds.
WILD = ("mathematics", "nature", "history")
SETS = ("musique", "hotpotqa", *WILD, "business")
CUTOFFS = (2, 5, 10)
_BUSINESS = Path("benchmarks/business/develop")
# Passages by each kind of evidence that are compared.
_CANDIDATES = 40
_STEPS, _RATE, _SMALL, _CONSTANT = 150, 0.1, 0.005, 0.5


@dataclass(frozen=True)
class Sample:
    """The questions of a set with the evidence for each passage, and the document of each passage."""

    documents: Sequence[str]
    gold: Sequence[Sequence[str]]
    signals: Sequence[Signals]

    def recall(self, score: Callable[[Signals], Scores]) -> list[float]:
        """The mean share of gold documents among the first, in percent, by cutoff."""
        found = []
        for signals, gold in zip(self.signals, self.gold, strict=True):
            ranked = list(dict.fromkeys(self.documents[n] for n in np.argsort(-score(signals), kind="stable")))
            found.append([len({*ranked[:cutoff]} & {*gold}) / len(gold) for cutoff in CUTOFFS])
        return [100 * float(value) for value in np.mean(found, axis=0)]


def rows(path: Path) -> list[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def questions_of(name: str, data: Path) -> list[dict[str, Any]]:
    """Questions with their gold documents."""
    if name == "business":
        found = rows(_BUSINESS / "questions.jsonl")
        return [{**row, "gold": [row["doc"].removesuffix(".md")]} for row in found if row["answers"]]
    return rows(data / ("wild" if name in WILD else "retrieval") / name / "questions.jsonl.gz")


def documents_of(store: Store) -> list[str]:
    """The document of each passage: its id in a file of records, or the name of its file (without `.md`)."""
    files = {source for (source,) in store.rows("SELECT source FROM files")}
    sources = store.rows(
        "SELECT source FROM passages JOIN documents USING (document_id) ORDER BY document_id, number"
    )
    return [own_id(source, files).rpartition("/")[2].removesuffix(".md") for (source,) in sources]


def sample_of(retriever: Retriever, questions: Iterable[Mapping[str, Any]]) -> Sample:
    """The evidence for the questions all of whose gold documents are in the graph."""
    documents = documents_of(retriever.store)
    kept = [question for question in questions if {*question["gold"]} <= {*documents}]
    signals = [retriever.signals(question["question"]) for question in kept]
    return Sample(documents, [question["gold"] for question in kept], signals)


@dataclass(frozen=True)
class _Example:
    """A question: a row of evidence times features for each candidate, its document, and the wanted probabilities."""

    rows: NDArray[np.float64]
    document: NDArray[np.int64]
    wanted: NDArray[np.float64]
    weight: float

    def gradient(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        scores = self.rows @ coefficients
        order = np.argsort(scores, kind="stable")
        chosen = np.empty(len(self.wanted), dtype=np.int64)
        # The last one that is written is the best passage of the document.
        chosen[self.document[order]] = order
        likely = np.exp(scores[chosen] - scores.max())
        return np.asarray(self.weight * (self.rows[chosen].T @ (likely / likely.sum() - self.wanted)))


def _examples(samples: Sequence[Sample], kinds: Sequence[str]) -> list[_Example]:
    found = []
    for sample in samples:
        names, numbers = np.unique(sample.documents, return_inverse=True)
        for signals, gold in zip(sample.signals, sample.gold, strict=True):
            evidence = np.stack([signals.evidence[kind] for kind in kinds], axis=1)
            first = [np.argsort(-column, kind="stable")[:_CANDIDATES] for column in evidence.T]
            wanted = np.isin(names, gold)
            places = np.unique(np.concatenate([*first, np.flatnonzero(wanted[numbers])]))
            inside, document = np.unique(numbers[places], return_inverse=True)
            likely = wanted[inside] / wanted[inside].sum()
            products = (evidence[places][:, :, None] * signals.features).reshape(len(places), -1)
            found.append(_Example(products, document, likely, 1 / len(sample.signals) / len(samples)))
    return found


def fit(samples: Sequence[Sample], kinds: Sequence[str]) -> dict[str, list[float]]:
    """The coefficients of each kind of evidence, by gradient descent (Adam) from equal constants."""
    examples = _examples(samples, kinds)
    width = len(FEATURES)
    coefficients = np.zeros(len(kinds) * width)
    coefficients[::width] = 2.0
    decay = np.full(len(coefficients), _SMALL)
    decay[::width] *= _CONSTANT
    mean, square = np.zeros_like(coefficients), np.zeros_like(coefficients)
    for step in range(1, _STEPS + 1):
        gradient = decay * coefficients + sum(example.gradient(coefficients) for example in examples)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        coefficients -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    found = coefficients.reshape(len(kinds), width).round(3)
    return {kind: values.tolist() for kind, values in zip(kinds, found, strict=True)}


def main() -> None:
    from tupelo.graph.store.file import open_graph
    from tupelo.nlp.encoder import load_encoder

    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    encoder = load_encoder()
    samples = []
    for name in SETS:
        with open_graph(options.graphs / f"{name}.duckdb") as store:
            retriever = Retriever.open(store, encoder.encode, f"{encoder.name} {encoder.version}")
            samples.append(sample_of(retriever, questions_of(name, options.data)))
    mixtures = {"without vectors": fit(samples, WITHOUT_VECTORS), "with vectors": fit(samples, KINDS)}
    counted = ", ".join(f"{name} {len(sample.signals)}" for name, sample in zip(SETS, samples, strict=True))
    written = {
        "features": FEATURES,
        "mixtures": mixtures,
        "fitted_on": f"questions of {counted}: tupelo_training.mixture",
    }
    options.output.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
