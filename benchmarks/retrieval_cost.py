"""What do building, indexing and asking cost with 6,000 passages, and asking with a million edges?

    python -m benchmarks.retrieval_cost [--data ../shared/data] [--folder FOLDER] [--passages 6000] [--edges 1000000]

The passages are those of both retrieval samples and beginnings of Re-DocRED's articles, of about the same length;
then all of them again with the names in them changed. The graph is built with one worker and then given vectors,
each in a process of its own. The million edges are those of `graph_world`, whose passages get random vectors.
Questions are asked one by one in one process: CPU milliseconds for each, and CPU seconds to load what is kept in
memory. Graphs that are in FOLDER already are used as they are, so another version of the program can be measured
with the same ones. Every line says how busy the machine was.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ask_documents import articles
from benchmarks.graph_corpus import with_ending
from benchmarks.graph_growth import measured
from benchmarks.graph_world import write_world
from tupelo.graph.retrieve.retriever import Retriever
from tupelo.graph.store.file import open_for_update, open_graph
from tupelo.nlp.encoder import load_encoder
from tupelo_training.mixture import SETS, rows

_LONGEST = 600
_WORLD_QUESTIONS = 50


def passages(data: Path) -> Iterator[dict[str, str]]:
    """Records of a paragraph each: real ones, and then the same ones again with other names."""
    real = [
        (f"{name}-{row['id']}", row["title"], row["text"]) for name in SETS[:2] for row in sample_rows(data, name)
    ]
    real += [(f"redocred-{number}", title, beginning(text)) for number, (title, text) in enumerate(articles(data))]
    for lap in count():
        ending = chr(96 + lap) if lap else ""
        for key, *texts in real:
            title, text = (with_ending(text, ending) for text in texts)
            yield {"id": f"{key}{ending and '-'}{ending}", "title": title, "text": text}


def sample_rows(data: Path, name: str, kind: str = "passages") -> list[dict[str, Any]]:
    return rows(data / "retrieval" / name / f"{kind}.jsonl.gz")


def beginning(text: str) -> str:
    """The first sentences of an article, without its title."""
    body = text.partition("\n\n")[2]
    return body if len(body) <= _LONGEST else body[:_LONGEST].rpartition(". ")[0] + "."


def build(data: Path, folder: Path, size: int) -> Iterator[dict[str, Any]]:
    """Build the graph of so many passages, then its vectors."""
    graph, texts = folder / "passages.duckdb", folder / "passages.jsonl"
    if graph.exists():
        return
    chosen = list(islice(passages(data), size))
    texts.write_text("".join(f"{json.dumps(row)}\n" for row in chosen), "utf-8")
    command = ["-m", "tupelo", "graph", "build", os.fspath(texts), "-o", os.fspath(graph), "--workers", "1"]
    for what, options in (("build", []), ("vectors", ["--vectors"])):
        cpu = measured([*command, *options])["cpu"]
        characters = sum(len(row["text"]) for row in chosen)
        yield {"what": what, "documents": len(chosen), "characters": characters, "CPU s": round(cpu, 1)}


def ask(graph: Path, questions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Ask without vectors and with them, where the graph has any."""
    encoder = load_encoder()
    with open_graph(graph) as store:
        shape = {"passages": store.count("passages"), "edges": store.count("edges"), "questions": len(questions)}
        for name in (None, f"{encoder.name} {encoder.version}"):
            start = time.process_time()
            retriever = Retriever.open(store, encoder.encode, name)
            loaded = time.process_time()
            if name and retriever.index.vectors is None:
                continue
            # The first one also opens the encoder.
            retriever(questions[0])
            ready = time.process_time()
            for question in questions:
                retriever(question)
            asked = 1000 * (time.process_time() - ready) / len(questions)
            costs = {"load, CPU s": round(loaded - start, 2), "question, CPU ms": round(asked, 1)}
            yield {"what": "ask with vectors" if name else "ask", **shape, **costs}


def world_questions(edges: int) -> list[str]:
    """Two names each, some of entities with very many edges and some with few."""
    entities = edges // 3
    pairs = [(number * number, entities - 1 - number * 997 % entities) for number in range(_WORLD_QUESTIONS)]
    return [f"Which relation {a % 400} joins Entity {a % entities} and Entity {b} in 1950?" for a, b in pairs]


def with_random_vectors(graph: Path) -> None:
    """Give every passage a vector of the shipped encoder's kind."""
    import pyarrow as pa

    encoder = load_encoder()
    name = f"{encoder.name} {encoder.version}"
    draw = np.random.default_rng(1)
    with open_for_update(graph) as store:
        keys = [key for (key,) in store.rows("SELECT passage_id FROM passages ORDER BY passage_id")]
        vectors = draw.integers(-127, 128, (len(keys), encoder.dimensions), dtype=np.int8)
        columns = {"passage_id": keys, "encoder": [name] * len(keys), "vector": [row.tobytes() for row in vectors]}
        store.insert_arrow("passage_vectors", pa.table(columns))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--folder", type=Path, help="where the graphs are kept [default: a temporary folder]")
    parser.add_argument("--passages", type=int, default=6000)
    parser.add_argument("--edges", type=int, default=1_000_000, help="0 for none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        for line in measure(options.data, folder, options.passages, options.edges):
            print(json.dumps({**line, "load": round(os.getloadavg()[0], 1)}), flush=True)


def measure(data: Path, folder: Path, size: int, edges: int) -> Iterator[dict[str, Any]]:
    if size:
        yield from build(data, folder, size)
        asked = [row["question"] for name in SETS[:2] for row in sample_rows(data, name, "questions")]
        yield from ask(folder / "passages.duckdb", asked)
    if edges:
        world = folder / "world.duckdb"
        if not world.exists():
            write_world(world, edges)
            with_random_vectors(world)
        yield from ask(world, world_questions(edges))


if __name__ == "__main__":
    main()
