"""Does every engine make the same graph of the same text? One machine, Spark `local[2]`, a Spark cluster on loopback.

    python -m benchmarks.graph_engines [--sentences 5000] [--extractor rules] [--without-cluster] [--json] [--save]

Raw text of two treebanks goes through `tupelo graph build` once per engine, from nothing; all rows of all tables are
then sorted and compared. The cluster is a standalone master with two workers of one core, each a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA, write_corpus
from benchmarks.graph_rows import checksums, differences
from benchmarks.results import add_save_option, save
from benchmarks.spark_cluster import cluster, small_data_settings


def build(corpus: Path, graph: Path, engine: str, extractor: str, *more: str) -> dict[str, Any]:
    """Run the command in a process of its own; raises with its message when it fails."""
    started = time.monotonic()
    command = [
        sys.executable,
        "-m",
        "tupelo",
        "graph",
        "build",
        str(corpus),
        "-o",
        str(graph),
        "--engine",
        engine,
        "--extractor",
        extractor,
        "--json",
        *more,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{engine}: exit {done.returncode}: {done.stderr[-2000:]}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return {"engine": engine.partition("://")[0], "seconds": round(time.monotonic() - started, 1), **figures["graph"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=5000)
    parser.add_argument("--extractor", default="rules")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--without-cluster", action="store_true", help="one machine and Spark local[2] alone")
    add_save_option(parser)
    arguments = parser.parse_args()
    table: list[dict[str, Any]] = []
    sums = []
    with tempfile.TemporaryDirectory(prefix="tupelo-engines-") as name:
        folder = Path(name)
        small_data_settings(folder / "settings")
        corpus = folder / "corpus"
        documents = write_corpus(corpus, arguments.sentences, arguments.data)

        def measure(engine: str, label: str, *more: str) -> None:
            graph = folder / f"{label}.duckdb"
            table.append(build(corpus, graph, engine, arguments.extractor, *more))
            sums.append(checksums(graph))
            print(json.dumps(table[-1]), file=sys.stderr, flush=True)

        measure("local", "one", "--workers", "2")
        measure("local[2]", "threads")
        if not arguments.without_cluster:
            with cluster(folder / "cluster") as made:
                measure(made.address, "cluster")
    found = [fault for other in sums[1:] for fault in differences(sums[0], other)]
    if arguments.save and not found:
        kept = ("engine", "sentences", "tuples", "nodes", "relations", "statements", "seconds")
        save("graph-the-same-graph-on-every-engine", kept, [[row.get(name) for name in kept] for row in table])
    result = {
        "documents": documents,
        "extractor": arguments.extractor,
        "engines": table,
        "same": not found,
        "differences": found,
        "rows": {name: count for name, (count, _) in sums[0].items()},
    }
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        print(f"{documents} documents, extractor {arguments.extractor}")
        for row in table:
            print("  ".join(f"{key} {value}" for key, value in row.items()))
        print("same rows in all tables" if not found else "\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
