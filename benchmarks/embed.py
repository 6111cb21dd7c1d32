"""How fast does `tupelo embed` train, and what do more threads bring?

    python -m benchmarks.embed [--threads 1 2] [--pairs 400000] [--json]

Made-up pairs: 20,000 targets and 50,000 contexts with the frequencies of words (Zipf), in planted clusters, so that
the quality of every run can be told: the share of frequent targets whose nearest neighbour is of their cluster.
Settings of the relation embeddings (500 numbers, 1 negative), of the word embeddings (500, 5), and 100 numbers with
5 negatives, as others report. Compiled training is measured after compiling; the numpy form is given fewer pairs.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from typing import Any

import numpy as np

from tupelo.core.vectors import Vectors
from tupelo_training.embed.pairs import PairTable
from tupelo_training.embed.skipgram import SkipGramOptions, has_numba, train

TARGETS, CONTEXTS, CLUSTERS = 20_000, 50_000, 50


def made_up(count: int, seed: int = 1) -> PairTable:
    """Pairs whose target and context are of the same cluster, nine times of ten."""
    chance = np.random.default_rng(seed)

    def frequent(size: int) -> Any:
        weights = 1 / np.arange(1, size + 1)
        return np.searchsorted(np.cumsum(weights / weights.sum()), chance.random(count)).clip(max=size - 1)

    target, context = frequent(TARGETS), frequent(CONTEXTS)
    # A context of the target's cluster: the nearest number with the same remainder.
    same = chance.random(count) < 0.9
    context = np.where(same, (context - context % CLUSTERS + target % CLUSTERS).clip(max=CONTEXTS - 1), context)
    pairs, counts = np.unique(np.stack([target, context]), axis=1, return_counts=True)
    return PairTable(
        tuple(f"t{number}" for number in range(TARGETS)),
        tuple(f"c{number}" for number in range(CONTEXTS)),
        np.bincount(target, minlength=TARGETS).astype(np.int64),
        # Contexts that were never seen must not be drawn either; a count of 1 leaves them drawable but rare.
        np.maximum(np.bincount(context, minlength=CONTEXTS), 1).astype(np.int64),
        pairs[0].astype(np.int32),
        pairs[1].astype(np.int32),
        counts.astype(np.int64),
    )


def purity(vectors: Vectors, frequent: int = 500) -> float:
    part = Vectors(vectors.names[:frequent], vectors.matrix[:frequent])
    hits = [int(part.neighbours(name, 1)[0].name[1:]) % CLUSTERS == int(name[1:]) % CLUSTERS for name in part.names]
    return sum(hits) / len(hits)


def measure(table: PairTable, options: SkipGramOptions) -> dict[str, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = train(table, options)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    done = table.total * options.iterations
    return {
        "size": options.size,
        "negatives": options.negatives,
        "threads": options.threads,
        "compiled": options.compiled,
        "pairs": done,
        "pairs_per_second": done / wall,
        "pairs_per_cpu_second": done / cpu,
        "purity": purity(found.targets),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pairs", type=int, default=400_000)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    table, few = made_up(options.pairs), made_up(max(options.pairs // 10, 1))
    rows = []
    if has_numba():
        train(made_up(100), SkipGramOptions(size=2, iterations=1, compiled=True))
    for size, negatives in ((500, 1), (500, 5), (100, 5)):
        shared = SkipGramOptions(size=size, negatives=negatives, iterations=2, rate=0.05)
        if has_numba():
            rows += [measure(table, replace(shared, threads=n, compiled=True)) for n in options.threads]
        rows.append(measure(few, replace(shared, compiled=False)))
    if options.as_json:
        print(json.dumps(rows, indent=2))
        return
    print("| numbers | negatives | way | threads | pairs | pairs/s | pairs/CPU s | same cluster |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(
            f"| {row['size']} | {row['negatives']} | {'compiled' if row['compiled'] else 'numpy'} | "
            f"{row['threads']} | {row['pairs']:,} | {row['pairs_per_second']:,.0f} | "
            f"{row['pairs_per_cpu_second']:,.0f} | {row['purity']:.2f} |"
        )


if __name__ == "__main__":
    main()
