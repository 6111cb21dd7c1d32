"""How do time and memory of `tupelo embed relations` grow with the assertions?

    python -m benchmarks.embed_growth [--assertions 1000000 3000000 10000000] [--sample 2000000]

Made-up assertions with the frequencies of language (Zipf) and vocabularies that grow with their number, in a file;
vectors of 500 numbers, one pass over `--sample` drawn pairs, each size in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graph_growth import measured

_BLOCK = 500_000
_MOST_SEEN = 100_000


def write_assertions(path: Path, count: int, seed: int = 7) -> None:
    """Lines `subject<TAB>relation<TAB>object<TAB>count`."""
    chance = np.random.default_rng(seed)
    relations, arguments = int(20 * count**0.5), int(60 * count**0.55)

    def drawn(size: int, number: int) -> list[int]:
        weights = 1 / np.arange(1, size + 1) ** 1.05
        places = np.searchsorted(np.cumsum(weights / weights.sum()), chance.random(number)).clip(max=size - 1)
        found: list[int] = places.tolist()
        return found

    with path.open("w", encoding="utf-8") as stream:
        for start in range(0, count, _BLOCK):
            number = min(_BLOCK, count - start)
            seen = np.minimum(chance.zipf(1.8, number), _MOST_SEEN).tolist()
            rows = zip(
                drawn(relations, number), drawn(arguments, number), drawn(arguments, number), seen, strict=True
            )
            stream.writelines(f"noun phrase {x}\tverb {r} prep\tnoun phrase {y}\t{n}\n" for r, x, y, n in rows)


def measure(count: int, sample: int, folder: Path) -> dict[str, Any]:
    assertions, vectors = folder / "assertions.tsv", folder / "vectors.safetensors"
    write_assertions(assertions, count)
    command = ["-m", "tupelo", "embed", "relations", os.fspath(assertions), "-o", os.fspath(vectors)]
    return measured([*command, "--iterations", "1", "--sample", str(sample)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--assertions", type=int, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--sample", type=int, default=2_000_000)
    options = parser.parse_args()
    for count in options.assertions:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{count:,}:", measure(count, options.sample, Path(folder)))


if __name__ == "__main__":
    main()
