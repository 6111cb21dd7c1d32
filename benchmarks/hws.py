"""How fast are HWS distances of many pairs? Ratio to the plain nested loops, measured in the same run.

    python -m benchmarks.hws [--trees FILE] [--pairs N] [--json]

Pairs are drawn at random from trees of a file (bracketed, one a line) or, without
one, from trees that a small grammar makes. The plain loops (`sequence_distance`,
Algorithm 1 cell by cell) run on the first pairs only and are scaled up; on
these both must give the same numbers, to the last bit. They alternate, and the
best of several runs counts, in CPU seconds of one thread.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.plain_hws import sequence_distance
from tupelo.robustness.distance import DEFAULT_DISCOUNT, pairwise_distances
from tupelo.robustness.trees import DEFAULT_HEIGHT, tree_of

Labels = tuple[str, ...]

# Productions with their weights; a label that has none is a leaf.
GRAMMAR: dict[str, list[tuple[int, str]]] = {
    "S": [(6, "NP VP ."), (2, "NP VP"), (2, "PP , NP VP ."), (1, "SBAR , NP VP ."), (1, "S CC S"), (1, "VP .")],
    "NP": [(5, "DT NN"), (4, "NP PP"), (4, "NNP"), (3, "PRP"), (3, "DT JJ NN"), (2, "NNS"), (1, "NP SBAR")],
    "VP": [(4, "VBD NP"), (3, "VBD NP PP"), (3, "VBZ VP"), (2, "VBN PP"), (2, "VBZ NP"), (1, "VBD SBAR")],
    "PP": [(5, "IN NP"), (1, "TO NP")],
    "SBAR": [(2, "IN S"), (2, "WHNP S")],
    "WHNP": [(2, "WDT"), (1, "WP")],
}

# How often a phrase has one more part; real trees are that varied.
_OPTIONAL = 0.5


def grow(draw: random.Random, height: int) -> Labels:
    """The labels of a random tree, level by level, down to the height."""
    level, labels = ["S"], []
    for _ in range(height):
        labels += level
        below = []
        for label in level:
            if label in GRAMMAR:
                weights = [weight for weight, _ in GRAMMAR[label]]
                children = draw.choices(GRAMMAR[label], weights)[0][1].split()
                if draw.random() < _OPTIONAL:
                    children.insert(draw.randrange(len(children) + 1), draw.choice(["ADVP", "PP", ",", "RB", "NP"]))
                below += children
        level = below
    return tuple(labels)


def read_sequences(name: str, height: int) -> list[Labels]:
    from tupelo.io.analyses import read_analyses

    return [tree_of(analysis).levels(height) for analysis in read_analyses(name, "brackets")]


def measure(sequences: Sequence[Labels], count: int, sample: int, runs: int, seed: int = 1) -> dict[str, float]:
    draw = random.Random(seed)
    places = range(len(sequences))
    chosen = [(draw.choice(places), draw.choice(places)) for _ in range(count)]
    pairs = np.array(chosen, dtype=np.int64)
    batches, plain = [], []
    for _ in range(runs):
        started = time.process_time()
        found = pairwise_distances(sequences, pairs)
        batches.append(time.process_time() - started)
        started = time.process_time()
        expected = [sequence_distance(sequences[a], sequences[b], DEFAULT_DISCOUNT) for a, b in chosen[:sample]]
        plain.append(time.process_time() - started)
        if found[:sample].tolist() != expected:
            raise SystemExit("the distances differ")
    plain_seconds = min(plain) * count / min(sample, count)
    different = len({tuple(sorted((sequences[a], sequences[b]))) for a, b in chosen})
    return {
        "trees": len(sequences),
        "different_trees": len(set(sequences)),
        "mean_labels": sum(map(len, sequences)) / len(sequences),
        "pairs": count,
        "different_pairs": different,
        "batch_seconds": min(batches),
        "batch_pairs_per_second": count / min(batches),
        "batch_ratio": plain_seconds / min(batches),
        "plain_seconds": plain_seconds,
        "plain_pairs_per_second": count / plain_seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", metavar="FILE", help="bracketed trees, one a line")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--height", type=int, default=DEFAULT_HEIGHT)
    parser.add_argument("--sample", type=int, default=20_000, help="pairs for the plain loops")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    draw = random.Random(1)
    if chosen.trees:
        sequences = read_sequences(chosen.trees, chosen.height)
    else:
        sequences = [grow(draw, chosen.height) for _ in range(10_000)]
    figures = measure(sequences, chosen.pairs, chosen.sample, chosen.runs)
    if chosen.json:
        json.dump(figures, sys.stdout, indent=2)
        return
    sys.stdout.write(
        f"{figures['trees']:,} trees ({figures['different_trees']:,} different), {figures['mean_labels']:.1f} labels "
        f"at height {chosen.height}; {figures['pairs']:,} pairs ({figures['different_pairs']:,} different)\n"
        f"plain loops   {figures['plain_pairs_per_second']:>12,.0f} pairs/s  {figures['plain_seconds']:8.2f} s\n"
        f"numpy batches {figures['batch_pairs_per_second']:>12,.0f} pairs/s  {figures['batch_seconds']:8.2f} s  "
        f"{figures['batch_ratio']:6.1f} times\n"
    )


if __name__ == "__main__":
    main()
