"""What `graph serve` takes to answer, and what exports take, on a large graph out of nothing.

python -m benchmarks.graph_serve [EDGES | GRAPH]
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchmarks.graph_world import write_world
from tupelo.graph.export import EXPORTERS, ExportOptions
from tupelo.graph.report.views import ServedViews
from tupelo.graph.store.file import Store, open_graph
from tupelo.show.graph_page import served_views
from tupelo.web.app import encoded


def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else "1000000"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(asked)
        if asked.isdigit():
            path = Path(folder) / "world.duckdb"
            write_world(path, int(asked))
        with open_graph(path) as store:
            answers(store)
        for name in ("ntriples", "graphml", "parquet"):
            export(path, name, Path(folder))


def answers(store: Store) -> None:
    begun = time.perf_counter()
    table = served_views(ServedViews(store), {})
    print(f"{store.count('edges'):,} edges; open and first view {1000 * (time.perf_counter() - begun):.0f} ms")
    some = [row[0] for row in store.rows("SELECT node_id FROM entities ORDER BY hash(node_id) LIMIT 40")]
    hubs = [row[0] for row in store.rows("SELECT node_id FROM entities ORDER BY degree DESC LIMIT 10")]
    edges = [row[0] for row in store.rows("SELECT edge_id FROM edges ORDER BY hash(edge_id) LIMIT 30")]
    questions: dict[str, Sequence[tuple[str, Mapping[str, str]]]] = {
        "search": [("/api/search", {"q": text}) for text in ("Entity 12", "99", "entity 4711", "7", "zebra")] * 4,
        "neighbours": [("/api/neighbours", {"id": key}) for key in some],
        "neighbours of a hub": [("/api/neighbours", {"id": key}) for key in hubs],
        "sentences of an edge": [("/api/evidence", {"id": key}) for key in edges],
    }
    for name, asked in questions.items():
        walls, cpus = [], []
        for path, values in asked:
            wall, cpu = time.perf_counter(), time.process_time()
            encoded(table[path](values))
            walls.append(1000 * (time.perf_counter() - wall))
            cpus.append(1000 * (time.process_time() - cpu))
        print(
            f"{name:21} {len(asked):3} asked: median {statistics.median(walls):4.0f} ms, "
            f"longest {max(walls):4.0f} ms, CPU {statistics.median(cpus):4.0f} ms"
        )


def export(path: Path, name: str, folder: Path) -> None:
    """Time and the growth of memory of one export."""
    before, cpu = _memory(), time.process_time()

    @contextmanager
    def opener(file: str) -> Iterator[IO[bytes]]:
        with (folder / (file or "out")).open("wb") as stream:
            yield stream

    with open_graph(path, memory="1GB") as store:
        EXPORTERS.get(name).write(store, opener, ExportOptions())
    print(
        f"export {name:9} {time.process_time() - cpu:5.0f} s of CPU, peak memory {before:.0f} -> {_memory():.0f} MB"
    )


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
