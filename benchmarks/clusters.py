"""How fast are the cluster metrics? Ratios to listing all pairs, in CPU time of the same run.

    python -m benchmarks.clusters [--json]

`types`: elements in overlapping gold classes, one of them with a third of all
elements, as in COMBO's type task, against clusters of which one is large; 3,500
elements (COMBO's validation file) and 15,000 (its test file). `entities`:
15,000 elements, a few large entities, a partition on both sides. Tupelo's time
is for all three metrics, that of listing for the pairs alone.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable

from benchmarks.plain_clusters import pair as plain_pair
from tupelo.scorers.clusters import ClusterScorer

Sides = tuple[list[list[int]], list[list[int]]]


def types(count: int, seed: int = 1) -> Sides:
    draw = random.Random(seed)
    classes: list[list[int]] = [[] for _ in range(900)]
    for element in range(count):
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            classes[0 if draw.random() < 1 / 3 else min(899, int(draw.paretovariate(0.6)))].append(element)
    return [cluster for cluster in classes if cluster], skewed(count, draw)


def entities(count: int, seed: int = 2) -> Sides:
    draw = random.Random(seed)
    return skewed(count, draw), skewed(count, draw)


def skewed(count: int, draw: random.Random) -> list[list[int]]:
    """A partition with a cluster of a tenth of all elements, some large and many small ones."""
    clusters: dict[int, list[int]] = {}
    for element in range(count):
        clusters.setdefault(0 if draw.random() < 0.1 else int(draw.paretovariate(0.5)) % count, []).append(element)
    return list(clusters.values())


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure() -> dict[str, dict[str, float]]:
    results = {}
    for make, count in ((types, 3500), (types, 15_000), (entities, 15_000)):
        gold, predicted = make(count)
        score = ClusterScorer().flat(gold, predicted)
        assert abs(score.pair.f1 - _f1(*plain_pair(gold, predicted))) < 1e-12
        ours = cpu_seconds(lambda: ClusterScorer().flat(gold, predicted), 15)  # noqa: B023
        plain = cpu_seconds(lambda: plain_pair(gold, predicted), 1)  # noqa: B023
        pairs = sum(len(cluster) * (len(cluster) - 1) // 2 for side in (gold, predicted) for cluster in side)
        results[f"{make.__name__} {count:,}"] = {
            "pairs": pairs,
            "listing_s": plain,
            "tupelo_s": ours,
            "ratio": plain / ours,
        }
    return results


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = measure()
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for name, row in results.items():
        print(
            f"{name}: {row['pairs']:,} pairs, listing them {row['listing_s']:.2f} s, all three metrics by Tupelo "
            f"{row['tupelo_s']:.4f} s, {row['ratio']:.0f} times less"
        )


if __name__ == "__main__":
    main()
