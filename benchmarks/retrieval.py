"""How many of the passages that answer a multi-hop question are among the first 2, 5 and 10 retrieved?

    python -m benchmarks.retrieval [--data ../shared/data/retrieval] [--graphs FOLDER] [--json]

Builds a graph of the passages of each sample (MuSiQue and HotpotQA, training questions) with one worker, twice: the
second time adds vectors. Graphs that are in FOLDER already are used as they are, without figures of their building.
Every weight is fitted on one sample and reported on the other. Text baselines use the same passages: BM25, the
vectors of the encoder, and the best weighted sum of both, each scaled to 0 … 1. The peer is the same walk over the
triples and entities that GPT-3.5 extracted from the same MuSiQue passages; text scores are the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graph_growth import measured
from tupelo.graph.retrieve.passage_index import Links, PassageIndex, index_of, load_index
from tupelo.graph.retrieve.retriever import (
    WITH_VECTORS,
    WITHOUT_VECTORS,
    Mixture,
    Retriever,
    Scores,
    Signals,
    find_signals,
    mix,
    own_id,
    search_passages,
)
from tupelo.graph.store.file import open_graph
from tupelo.graph.store.passages import name_form, title_forms
from tupelo.nlp.encoder import load_encoder

DATA = Path("../shared/data/retrieval")
SAMPLES = ("musique", "hotpotqa")
CUTOFFS = (2, 5, 10)
_STEPS = (0.0, 1.0, 2.0, 3.0)
TEXT_GRID = [Mixture(words, others, 0.0) for words, others in product(_STEPS, repeat=2)]
VECTOR_GRID = [replace(mixture, vectors=weight) for mixture in TEXT_GRID for weight in (2.0, 4.0, 6.0, 8.0)]
SHARES = [share / 10 for share in range(1, 10)]


@dataclass(frozen=True)
class Sample:
    """The questions of a sample with what speaks for each passage, and the document of each passage."""

    documents: Sequence[str]
    gold: Sequence[Sequence[str]]
    signals: Sequence[Signals]
    peer: Sequence[Signals]

    def recall(self, score: Callable[[Signals], Scores], *, peer: bool = False) -> list[float]:
        """The mean share of gold passages among the first, in percent, by cutoff."""
        found = []
        for signals, gold in zip(self.peer if peer else self.signals, self.gold, strict=True):
            ranked = list(dict.fromkeys(self.documents[n] for n in np.argsort(-score(signals), kind="stable")))
            found.append([len({*ranked[:cutoff]} & {*gold}) / len(gold) for cutoff in CUTOFFS])
        return [100 * float(value) for value in np.mean(found, axis=0)]


def rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def built(name: str, data: Path, folder: Path) -> dict[str, float]:
    """Build the graph of a sample, then its vectors; CPU seconds and bytes."""
    graph, texts = folder / f"{name}.duckdb", folder / f"{name}.jsonl"
    if graph.exists():
        return {"bytes": graph.stat().st_size}
    texts.write_bytes(gzip.decompress((data / name / "passages.jsonl.gz").read_bytes()))
    command = ["-m", "tupelo", "graph", "build", os.fspath(texts), "-o", os.fspath(graph), "--workers", "1"]
    plain = measured(command)["cpu"]
    size = graph.stat().st_size
    vectors = measured([*command, "--vectors"])["cpu"]
    return {"cpu": plain, "bytes": size, "vectors_cpu": vectors, "vectors_bytes": graph.stat().st_size}


def sample(name: str, data: Path, folder: Path) -> tuple[Sample, dict[str, float]]:
    questions = rows(data / name / "questions.jsonl.gz")
    encoder = load_encoder()
    with open_graph(folder / f"{name}.duckdb") as store:
        retriever = Retriever.open(store, encoder.encode, f"{encoder.name} {encoder.version}")
        files = {source for (source,) in store.rows("SELECT source FROM files")}
        sources = store.rows(
            "SELECT source FROM passages JOIN documents USING (document_id) ORDER BY document_id, number"
        )
        documents = [own_id(source, files) for (source,) in sources]
        signals = [retriever.signals(question["question"]) for question in questions]
        peer = peer_signals(retriever, documents, data / name, questions)
        costs = {}
        without = Retriever(store, load_index(store))
        for label, asked in (("question_cpu_ms", without), ("question_vectors_cpu_ms", retriever)):
            start = time.process_time()
            for question in questions:
                asked(question["question"], top=10)
            costs[label] = 1000 * (time.process_time() - start) / len(questions)
    gold = [question["gold"] for question in questions]
    return Sample(documents, gold, signals, peer), {"passages": len(documents), **costs}


def peer_signals(
    retriever: Retriever, documents: Sequence[str], data: Path, questions: Iterable[Mapping[str, Any]]
) -> list[Signals]:
    """The same from the peer's triples, where there are any."""
    file = data / "gpt35_triples.jsonl.gz"
    if not file.exists():
        return []
    titles = {row["id"]: row["title"] for row in rows(data / "passages.jsonl.gz")}
    index, known = peer_index(retriever.index, documents, rows(file), titles)
    own = retriever.index
    return [
        find_signals(
            index,
            question["question"],
            lambda forms: {form: known[form] for form in forms if form in known},
            lambda words, others: search_passages(retriever.store, own, words, others),
            retriever.encode,
        )
        for question in questions
    ]


def peer_index(
    own: PassageIndex, documents: Sequence[str], triples: Iterable[Mapping[str, Any]], titles: Mapping[str, str]
) -> tuple[PassageIndex, dict[str, list[int]]]:
    """A network of the peer's entities, which are one where their forms are, and the nodes of each name."""
    said = {row["id"]: row for row in triples}
    numbers: dict[str, int] = {}
    mentioned: set[tuple[int, int]] = set()
    stated: list[tuple[int, int]] = []
    for passage, document in enumerate(documents):
        row = said.get(document, {"entities": [], "triples": []})
        whole = [triple for triple in row["triples"] if len(triple) == 3]
        ends = [(name_form(str(triple[0])), name_form(str(triple[2]))) for triple in whole]
        forms = {name_form(str(name)) for name in row["entities"]} | {form for pair in ends for form in pair}
        for form in sorted(forms):
            mentioned.add((passage, numbers.setdefault(form, len(numbers))))
        stated += [(numbers[a], numbers[b]) for a, b in ends if a != b]
    about: list[tuple[int, int]] = []
    alone: dict[str, list[int]] = {}
    for passage, document in enumerate(documents):
        for form in sorted(title_forms(titles[document])):
            if (passage, numbers.get(form, -1)) in mentioned:
                about.append((passage, numbers[form]))
            else:
                alone.setdefault(form, []).append(len(numbers) + passage)
    known = {form: [number] for form, number in numbers.items()}
    for form, nodes in alone.items():
        known[form] = [*known.get(form, ()), *nodes]
    shared = [nodes for nodes in known.values() if len(nodes) > 1]
    same = [(number, node) for number, nodes in enumerate(shared) for node in nodes]
    links = Links(
        *(np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2) for pairs in (mentioned, about, stated, same))
    )
    return index_of(list(numbers), own.passages, links, own.vectors), known


def both(share: float) -> Callable[[Signals], Scores]:
    return lambda signals: share * signals.words + (1 - share) * vectors_of(signals)


def mixed(mixture: Mixture) -> Callable[[Signals], Scores]:
    return lambda signals: mix(signals, mixture)


def vectors_of(signals: Signals) -> Scores:
    assert signals.vectors is not None
    return signals.vectors


def walk_of(signals: Signals) -> Scores:
    return signals.walk


def fitted(sample: Sample, options: Sequence[Any], score: Callable[[Any], Callable[[Signals], Scores]]) -> Any:
    """The option with the best recall@5; of equal ones, the best at 10 and at 2, then the first."""

    def quality(option: Any) -> list[float]:
        recall = sample.recall(score(option))
        return [recall[at] for at in (1, 2, 0)]

    return max(options, key=quality)


def table(samples: Mapping[str, Sample]) -> dict[str, dict[str, list[float]]]:
    """System -> sample -> recall at the cutoffs, weights fitted on the other sample."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, other in zip(SAMPLES, reversed(SAMPLES), strict=True):
        here, there = samples[name], samples[other]
        share = fitted(there, SHARES, both)
        text, full = fitted(there, TEXT_GRID, mixed), fitted(there, VECTOR_GRID, mixed)
        results = {
            "BM25": here.recall(lambda signals: signals.words),
            "vectors": here.recall(vectors_of),
            "BM25 + vectors": here.recall(both(share)),
            "walk alone": here.recall(walk_of),
            "retrieve, without vectors": here.recall(mixed(text)),
            "retrieve, with vectors": here.recall(mixed(full)),
            "retrieve as shipped, without vectors": here.recall(mixed(WITHOUT_VECTORS)),
            "retrieve as shipped, with vectors": here.recall(mixed(WITH_VECTORS)),
        }
        if here.peer:
            results["GPT-3.5's triples, walk alone"] = here.recall(walk_of, peer=True)
            results["GPT-3.5's triples, without vectors"] = here.recall(mixed(text), peer=True)
            results["GPT-3.5's triples, with vectors"] = here.recall(mixed(full), peer=True)
            results["GPT-3.5's triples, weights as shipped"] = here.recall(mixed(WITH_VECTORS), peer=True)
        for system, recall in results.items():
            found.setdefault(system, {})[name] = recall
        weights = [share, text.words, text.others, full.words, full.others, full.vectors]
        found.setdefault("weights", {})[name] = weights
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--graphs", type=Path, help="folder of the graphs [default: a temporary one]")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.graphs or Path(temporary)
        costs = {name: built(name, options.data, folder) for name in SAMPLES}
        samples = {}
        for name in SAMPLES:
            samples[name], more = sample(name, options.data, folder)
            costs[name] |= more
        result = table(samples)
    if options.json:
        print(json.dumps({"recall": result, "costs": costs}, indent=2))
        return
    for system, by_sample in result.items():
        print(
            system, *(f"{name} {' '.join(f'{value:.1f}' for value in values)}" for name, values in by_sample.items())
        )
    for name, values in costs.items():
        print(name, ", ".join(f"{what} {value:,.1f}" for what, value in values.items()))


if __name__ == "__main__":
    main()
