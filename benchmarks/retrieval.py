"""How many of the documents that answer a question are among the first 2, 5 and 10 that are retrieved?

    python -m benchmarks.retrieval [--data ../shared/data] [--graphs FOLDER] [--limit N] [--json] [--save]

Builds a graph of the passages of each set with one worker and with vectors: MuSiQue and HotpotQA (multi-hop
questions), three topics of web pages as they were scraped, and short business documents of many kinds. Graphs that
are in FOLDER already are used as they are. `--limit` cuts pages to so many characters. The weights of every set are
learned from the others (`tupelo_training.mixture`). Text baselines use the same passages: BM25, the vectors of the
encoder, and the sum of both, each scaled to 0 … 1. The peer is the same walk over the triples and entities that
GPT-3.5 extracted from the MuSiQue passages; text scores and weights are the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graph_growth import measured
from benchmarks.results import add_save_option, save
from tupelo.graph.retrieve.passage_index import Links, PassageIndex, index_of, load_index
from tupelo.graph.retrieve.retriever import KINDS, Retriever, Scores, Signals, find_signals, mix, search_passages
from tupelo.graph.store.file import open_graph
from tupelo.graph.store.passages import name_form, title_forms
from tupelo.nlp.encoder import load_encoder
from tupelo_training.mixture import (
    SETS,
    WILD,
    WITHOUT_VECTORS,
    Sample,
    fit,
    questions_of,
    rows,
    sample_of,
)

DATA = Path("../shared/data")
_BUSINESS = Path("benchmarks/business/develop/documents")
_TITLES = ("MuSiQue", "HotpotQA", *(f"web: {topic}" for topic in WILD), "business")


def built(name: str, data: Path, folder: Path, limit: int) -> dict[str, float]:
    """Build the graph of a set with vectors; CPU seconds and bytes."""
    graph, texts = folder / f"{name}.duckdb", folder / name
    if graph.exists():
        return {"bytes": graph.stat().st_size}
    if name == "business":
        texts = _BUSINESS
    elif name in WILD:
        texts.mkdir()
        for row in rows(data / "wild" / name / "pages.jsonl.gz"):
            (texts / f"{row['id']}.md").write_text(row["text"][: limit or None], "utf-8")
    else:
        texts = texts.with_suffix(".jsonl")
        texts.write_bytes(gzip.decompress((data / "retrieval" / name / "passages.jsonl.gz").read_bytes()))
    command = ["-m", "tupelo", "graph", "build", os.fspath(texts), "-o", os.fspath(graph), "--workers", "1"]
    return {"cpu": measured([*command, "--vectors"])["cpu"], "bytes": graph.stat().st_size}


def sample(name: str, data: Path, folder: Path) -> tuple[Sample, Sample | None, dict[str, float]]:
    """The evidence from a graph, from the peer's triples, and the cost of a question."""
    questions = questions_of(name, data)
    encoder = load_encoder()
    with open_graph(folder / f"{name}.duckdb") as store:
        retriever = Retriever.open(store, encoder.encode, f"{encoder.name} {encoder.version}")
        found = sample_of(retriever, questions)
        peer = peer_sample(retriever, found, data / "retrieval" / name, questions)
        costs: dict[str, float] = {"passages": len(found.documents), "questions": len(found.signals)}
        without = Retriever(store, load_index(store))
        for label, asked in (("question_cpu_ms", without), ("question_vectors_cpu_ms", retriever)):
            start = time.process_time()
            for question in questions:
                asked(question["question"], top=10)
            costs[label] = 1000 * (time.process_time() - start) / len(questions)
    return found, peer, costs


def peer_sample(
    retriever: Retriever, found: Sample, data: Path, questions: Iterable[Mapping[str, Any]]
) -> Sample | None:
    """The same from the peer's triples, where there are any."""
    file = data / "gpt35_triples.jsonl.gz"
    if not file.exists():
        return None
    titles = {row["id"]: row["title"] for row in rows(data / "passages.jsonl.gz")}
    index, known = peer_index(retriever.index, found.documents, rows(file), titles)
    own = retriever.index
    signals = [
        find_signals(
            index,
            question["question"],
            lambda forms: {form: known[form] for form in forms if form in known},
            lambda words, others: search_passages(retriever.store, own, words, others),
            retriever.encode,
        )
        for question in questions
        if {*question["gold"]} <= {*found.documents}
    ]
    return Sample(found.documents, found.gold, signals)


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


def mixed(kinds: Sequence[str], mixture: Mapping[str, Sequence[float]]) -> Callable[[Signals], Scores]:
    def score(signals: Signals) -> Scores:
        parts = [float(signals.features @ np.asarray(mixture[kind])) * signals.evidence[kind] for kind in kinds]
        return np.asarray(np.sum(parts, axis=0))

    return score


def table(samples: Mapping[str, Sample], peers: Mapping[str, Sample]) -> dict[str, dict[str, list[float]]]:
    """System -> set -> recall at the cutoffs, weights learned from the other sets."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, here in samples.items():
        others = [other for key, other in samples.items() if key != name]
        text, full = (mixed(kinds, fit(others, kinds)) for kinds in (WITHOUT_VECTORS, KINDS))
        results = {
            "BM25": here.recall(lambda signals: signals.evidence["words"]),
            "vectors of the shipped encoder": here.recall(lambda signals: signals.evidence["vectors"]),
            "BM25 + vectors": here.recall(lambda signals: signals.evidence["words"] + signals.evidence["vectors"]),
            "the walk alone": here.recall(lambda signals: signals.evidence["walk"]),
            "**`graph retrieve`, without vectors**": here.recall(text),
            "**`graph retrieve`, with vectors**": here.recall(full),
            "as shipped, with vectors": here.recall(mix),
        }
        if name in peers:
            results["the same walk over GPT-3.5's triples, without vectors"] = peers[name].recall(text)
            results["… with vectors"] = peers[name].recall(full)
        for system, recall in results.items():
            found.setdefault(system, {})[name] = recall
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--graphs", type=Path, help="folder of the graphs [default: a temporary one]")
    parser.add_argument("--limit", type=int, default=0, help="characters of a web page [default: all]")
    parser.add_argument("--json", action="store_true")
    add_save_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.graphs or Path(temporary)
        costs = {name: built(name, options.data, folder, options.limit) for name in SETS}
        samples, peers = {}, {}
        for name in SETS:
            samples[name], peer, more = sample(name, options.data, folder)
            if peer:
                peers[name] = peer
            costs[name] |= more
        result = table(samples, peers)
    if options.json:
        print(json.dumps({"recall": result, "costs": costs}, indent=2))
        return
    cells = [
        [system, *(" / ".join(f"{value:.1f}" for value in recall[name]) if name in recall else "" for name in SETS)]
        for system, recall in result.items()
    ]
    counted = [
        "questions, passages",
        *(f"{costs[name]['questions']:.0f}, {costs[name]['passages']:,.0f}" for name in SETS),
    ]
    for row in (counted, *cells):
        print(*row, sep="  ")
    for name, values in costs.items():
        print(name, ", ".join(f"{what} {value:,.1f}" for what, value in values.items()))
    if options.save:
        save("retrieval-retrieval", ["recall@2 / @5 / @10", *_TITLES], [counted, *cells])


if __name__ == "__main__":
    main()
