"""The documents of Re-DocRED dev that the shipped fact models have not learned from, as a file of its own.

    python -m benchmarks.facts_held_out --data DATA -o held-out.json
    tupelo reproduce facts --gold held-out.json --gold-format redocred

A rule on their titles (`tupelo_training.facts.sources.part_of`) decides which ones they are.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

from tupelo_training.facts.sources import part_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with redocred/")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    with gzip.open(options.data / "redocred" / "dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        documents = [item for item in json.load(stream) if part_of(item["title"]) == "held-out"]
    options.output.write_text(json.dumps(documents, ensure_ascii=False), encoding="utf-8")
    print(f"{options.output}: {len(documents)} documents")


if __name__ == "__main__":
    main()
