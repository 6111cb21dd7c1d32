"""How do time and memory grow with the text, and what does adding one percent cost?

    python -m benchmarks.graph_growth [--sizes 1000 10000] [--plain 1000 10000 100000] [--extractor rules]
                                      [--data ../shared/data] [--save]

`--sizes` go through `tupelo graph build` with one worker, in a process of their own: CPU seconds, peak memory,
sentences and documents per CPU second. Then one percent of new documents is added and the command given again; its
cost is set against that of the full build. `--plain` sizes do the same with a stand-in for the extractor
(`graph_stand_in`), which leaves reading, rows, joins, aggregation and writing: all but the parser.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA, documents, write_corpus
from benchmarks.results import add_save_option, save


def measured(command: list[str]) -> dict[str, float]:
    """CPU seconds and peak memory of a command and all that it starts."""
    pid = os.posix_spawn(sys.executable, [sys.executable, *command], {**os.environ, "OMP_NUM_THREADS": "1"})
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"exit {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return {"cpu": usage.ru_utime + usage.ru_stime, "mb": usage.ru_maxrss / 1024}


# As in a base installation, which has no pandas; pyarrow imports it wherever it is, for nothing.
_NO_PANDAS = "import benchmarks.without_pandas"


def build_command(corpus: Path, graph: Path, extractor: str | None) -> list[str]:
    if extractor is None:
        code = "import sys, pathlib; from benchmarks.graph_stand_in import build_plainly as b; "
        return ["-c", f"{code}b(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))", str(corpus), str(graph)]
    arguments = ["build", str(corpus), "-o", str(graph), "--workers", "1", "--extractor", extractor]
    return ["-c", f"{_NO_PANDAS}; from tupelo.cli import main; main()", "graph", *arguments]


def measure(sentences: int, extractor: str | None, data: Path) -> dict[str, Any]:
    from tupelo.graph.store.file import open_graph

    with tempfile.TemporaryDirectory(prefix="tupelo-growth-") as name:
        corpus, graph = Path(name, "corpus"), Path(name, "kg.duckdb")
        count = write_corpus(corpus, sentences, data)
        full = measured(build_command(corpus, graph, extractor))
        with open_graph(graph) as store:
            split, tuples, edges = (store.count(table) for table in ("sentences", "tuples", "edges"))
        # New documents: what follows the corpus in the same stream.
        longer = list(documents(sentences + max(sentences // 100, 1), data))
        for number, document in enumerate(longer[count - 1 :]):
            if number:
                (corpus / f"new{number}.txt").write_text(" ".join(document) + "\n", "utf-8")
            else:
                # The document that was cut: its rest.
                done = len(list(documents(sentences, data))[-1])
                (corpus / "new0.txt").write_text(" ".join(document[done:]) + "\n", "utf-8")
        size = graph.stat().st_size
        added = measured(build_command(corpus, graph, extractor))
        with open_graph(graph) as store:
            more = store.count("sentences") - split
    return {
        "extractor": extractor or "stand-in",
        "sentences": split,
        "documents": count,
        "tuples": tuples,
        "edges": edges,
        "CPU s": round(full["cpu"], 1),
        "sentences per CPU s": round(split / full["cpu"], 1),
        "documents per CPU s": round(count / full["cpu"], 2),
        "peak MB": round(full["mb"]),
        "graph MB": round(size / 1e6, 1),
        "added sentences": more,
        "adding, CPU s": round(added["cpu"], 2),
        "adding / full": round(added["cpu"] / full["cpu"], 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--plain", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--extractor", default="rules")
    parser.add_argument("--data", type=Path, default=DATA)
    add_save_option(parser)
    arguments = parser.parse_args()
    rows = []
    for extractor, sizes in ((None, arguments.plain), (arguments.extractor, arguments.sizes)):
        for size in sizes:
            rows.append(measure(size, extractor, arguments.data))
            print(json.dumps(rows[-1]), flush=True)
    if arguments.save:
        save("graph-growth", list(rows[0]), [list(row.values()) for row in rows])


if __name__ == "__main__":
    main()
