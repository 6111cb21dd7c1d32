"""Complete linkage of 20,000 phrases: ours against fastcluster, and the approximate method against the exact one.

    python -m benchmarks.hac [--count 20000] [--size 384] [--threshold 0.35] [--encoder] [--methods exact cells]

Every method runs in a process of its own on the same vectors (those of
characters, of distinct made-up names; with `--encoder` those of the shipped
sentence encoder); CPU time and peak memory include making
the distances, and for memory the interpreter and the vectors too. The
partitions are compared by the adjusted Rand index.
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

import numpy as np
from numpy.typing import NDArray

from benchmarks.canon_scale import distinct_phrases, peak_megabytes

METHODS = ("exact", "cells", "hnsw", "fastcluster")


def labels_by(method: str, vectors: NDArray[np.float32], threshold: float) -> tuple[NDArray[Any], float]:
    """Cluster numbers, and the recall of the neighbour graph where there is one."""
    if method == "fastcluster":
        import fastcluster
        from scipy.cluster.hierarchy import fcluster

        tree = fastcluster.linkage(condensed_distances(vectors), "complete")
        # Its cut keeps merges at most as high as the threshold, ours those below; no height is exactly there.
        return np.asarray(fcluster(tree, threshold, "distance")), 1.0
    from benchmarks.hnsw import edge_recall, hnsw_pairs
    from tupelo.canon.cluster import approximate_linkage, complete_linkage
    from tupelo.canon.cluster.distances import Pairs
    from tupelo.canon.cluster.neighbours import neighbour_pairs

    if method == "exact":
        return complete_linkage(vectors, threshold).labels(threshold), 1.0
    recalls: list[float] = []

    def find(rows: NDArray[Any], limit: float) -> Pairs:
        pairs = (hnsw_pairs if method == "hnsw" else neighbour_pairs)(rows, limit)
        recalls.append(edge_recall(rows, pairs, limit))
        return pairs

    return approximate_linkage(vectors, threshold, find=find).labels(threshold), recalls[0]


def condensed_distances(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """The upper triangle of the distance matrix in one row, by matrix products: much quicker than `pdist`."""
    rows = vectors.astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    count = len(rows)
    distances = np.empty(count * (count - 1) // 2)
    filled = 0
    for start in range(0, count, 256):
        block = 1 - rows[start : start + 256] @ rows[start:].T
        for row in range(len(block)):
            size = count - start - row - 1
            distances[filled : filled + size] = block[row, row + 1 :]
            filled += size
    return np.maximum(distances, 0, out=distances)


def adjusted_rand(one: NDArray[Any], other: NDArray[Any]) -> float:
    def pairs(sizes: NDArray[Any]) -> float:
        return float((sizes * (sizes - 1) / 2).sum())

    _, together = np.unique(np.stack([one, other]), axis=1, return_counts=True)
    first, second = (pairs(np.unique(labels, return_counts=True)[1]) for labels in (one, other))
    expected = first * second / (len(one) * (len(one) - 1) / 2)
    return (pairs(together) - expected) / ((first + second) / 2 - expected)


def measure(method: str, folder: Path, threshold: float) -> dict[str, Any]:
    vectors = np.load(folder / "vectors.npy")
    start = time.process_time()
    labels, recall = labels_by(method, vectors, threshold)
    cpu = time.process_time() - start
    np.save(folder / f"{method}.npy", labels)
    return {
        "cpu_s": round(cpu, 2),
        "peak_mb": peak_megabytes(),
        "clusters": len(np.unique(labels)),
        "edge_recall": recall,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--threshold", type=float, default=0.35)
    parser.add_argument("--encoder", action="store_true", help="Vectors of the sentence encoder; takes minutes.")
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS, help="`exact` must be the first.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "FOLDER"), help="Measure one method in this process.")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], Path(options.one[1]), options.threshold)))
        return
    from tupelo.nlp.encoder import load_encoder
    from tupelo_training.canon.vocabulary import ngram_vectors

    phrases = distinct_phrases(options.count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vectors = load_encoder().encode(phrases) if options.encoder else ngram_vectors(phrases, options.size)
        np.save(folder / "vectors.npy", vectors)
        rows: dict[str, dict[str, Any]] = {}
        for method in options.methods:
            command = [sys.executable, "-m", "benchmarks.hac", "--threshold", str(options.threshold)]
            done = subprocess.run([*command, "--one", method, name], stdout=subprocess.PIPE, check=True)
            rows[method] = json.loads(done.stdout)
            exact = np.load(folder / "exact.npy")
            rows[method]["adjusted_rand_to_exact"] = adjusted_rand(exact, np.load(folder / f"{method}.npy"))
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for method, row in rows.items():
        print(
            f"{method:<12} {row['cpu_s']:>7.2f} CPU s  {row['peak_mb']:>6,} MB  {row['clusters']:,} clusters  "
            f"adjusted Rand {row['adjusted_rand_to_exact']:.6f}  edge recall {row['edge_recall']:.4f}"
        )


if __name__ == "__main__":
    main()
