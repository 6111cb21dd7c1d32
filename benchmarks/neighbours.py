"""Neighbours of names that nobody picked: a table of some, and pairs for readers.

    python -m benchmarks.neighbours relations.safetensors [--without looked-at.txt] [--pairs FOLDER]

Queries are drawn by a seed from all names of a file of vectors, less those that were looked at while settings were
chosen. `--pairs` writes `neighbours.txt`, drawn from all that is listed for the queries, and `foils.txt`, queries
with any other name.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from tupelo.io.vectors import read_vectors
from tupelo_training.embed.neighbours import NearestNames, neighbours

SEED = 20_261_117
QUERIES, SHOWN, PAIRS, FOILS = 100, 10, 50, 25


def draw_queries(names: list[str], seen: set[str], seed: int) -> list[str]:
    return random.Random(seed).sample(sorted(name for name in names if name not in seen), QUERIES)


def pairs_of(found: NearestNames, names: list[str], seed: int) -> tuple[list[str], list[str]]:
    """Lines of a query and a listed neighbour, and of a query and any other name, the two in any order."""
    drawn = random.Random(seed + 1)
    listed = [(name, item.name) for name, items in found.found.items() for item in items]
    queries = sorted(found.found)
    foils = [(drawn.choice(queries), drawn.choice(names)) for _ in range(FOILS)]
    chosen = drawn.sample(listed, min(PAIRS, len(listed)))
    return (
        ["\t".join(drawn.sample(pair, 2)) for pair in chosen],
        ["\t".join(drawn.sample(pair, 2)) for pair in foils],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors")
    parser.add_argument("--without", help="a file of names, one a line")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--min-cosine", type=float, default=0.6)
    parser.add_argument("--min-seen", type=int, default=7)
    parser.add_argument("--pairs", metavar="FOLDER")
    options = parser.parse_args()
    vectors = read_vectors(options.vectors)
    seen = set(Path(options.without).read_text("utf-8").splitlines()) if options.without else set()
    queries = draw_queries(list(vectors.names), seen, options.seed)
    limits = {"min_cosine": options.min_cosine, "min_seen": options.min_seen, "distinct": True}
    found = neighbours(vectors, queries, 3, **limits)
    print("| phrase | seen | nearest |\n| --- | ---: | --- |")
    for name in queries[:SHOWN]:
        near = ", ".join(f"{item.name} {item.cosine:.2f}" for item in found.found[name])
        print(f"| {name} | {vectors.counts[vectors.index[name]] if vectors.counts else ''} | {near or '–'} |")
    count = sum(map(len, found.found.values()))
    without = sum(not items for items in found.found.values())
    print(f"{count} neighbours of {len(queries)} names are listed; {without} names have none")
    if options.pairs:
        for name, lines in zip(
            ("neighbours", "foils"), pairs_of(found, list(vectors.names), options.seed), strict=True
        ):
            Path(options.pairs, f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
