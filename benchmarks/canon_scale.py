"""How does clustering grow from ten thousand to a million distinct phrases? And what does the shortcut cost?

    python -m benchmarks.canon_scale [--sizes 10000 100000 1000000] [--threshold 0.35] [--json]

End to end: phrases as text, duplicates removed, vectors from characters
(method `ngrams`), a graph of near neighbours, complete linkage, labels. Each
size runs in a process of its own, so that its peak memory is its own. The recall of the
graph is measured afterwards, on 500 phrases that are compared with all others.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.phrases import phrases
from tupelo.canon.cluster.distances import check_vectors
from tupelo.canon.cluster.neighbours import edge_recall, neighbour_pairs
from tupelo.canon.cluster.sparse import agglomerate
from tupelo.canon.ngrams import ngram_vectors


def peak_megabytes() -> int:
    """Of this process alone: what `resource` reports may be that of the process which started it."""
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return round(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000)
    except (OSError, StopIteration):
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


def distinct_phrases(count: int) -> list[str]:
    """About two and a half occurrences of a form are made for every distinct one."""
    made: list[str] = []
    tried = int(2.4 * count)
    while len(made) < count:
        made = list(dict.fromkeys(phrases(tried)))[:count]
        tried = int(1.2 * tried)
    return made


def measure(count: int, threshold: float) -> dict[str, Any]:
    made = distinct_phrases(count)
    row: dict[str, Any] = {"phrases": len(made), "threshold": threshold}
    before = time.process_time()

    def lap(stage: str) -> None:
        nonlocal before
        now = time.process_time()
        row[f"{stage}_cpu_s"] = round(now - before, 2)
        print(count, stage, row[f"{stage}_cpu_s"], file=sys.stderr, flush=True)
        before = now

    forms = list(dict.fromkeys(" ".join(phrase.lower().split()) for phrase in made))
    lap("duplicates")
    vectors = check_vectors(ngram_vectors(forms))
    lap("vectors")
    pairs = neighbour_pairs(vectors, threshold)
    lap("graph")
    labels = agglomerate(len(vectors), pairs, threshold).labels(threshold)
    lap("linkage")
    row["peak_mb"] = peak_megabytes()
    row["cpu_s"] = round(sum(value for name, value in row.items() if name.endswith("_cpu_s")), 1)
    row |= {"close_pairs": len(pairs.units), "clusters": int(labels.max()) + 1}
    row["edge_recall"] = edge_recall(vectors, pairs, threshold)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--threshold", type=float, default=0.35)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help="Measure one size in this process.")
    options = parser.parse_args()
    if options.here:
        print(json.dumps(measure(options.sizes[0], options.threshold)))
        return
    for size in options.sizes:
        command = [sys.executable, "-m", "benchmarks.canon_scale", "--here", "--sizes", str(size)]
        done = subprocess.run([*command, "--threshold", str(options.threshold)], stdout=subprocess.PIPE, check=True)
        row = json.loads(done.stdout)
        if options.json:
            print(json.dumps(row))
        else:
            print(
                f"{row['phrases']:>9,} phrases: {row['cpu_s']:>6.1f} CPU s (vectors {row['vectors_cpu_s']}, graph "
                f"{row['graph_cpu_s']}, linkage {row['linkage_cpu_s']}), {row['peak_mb']:,} MB, "
                f"{row['close_pairs']:,} close pairs, {row['clusters']:,} clusters, "
                f"edge recall {row['edge_recall']:.4f}"
            )


if __name__ == "__main__":
    main()
