"""Marked pairs of KnowledgeNet, for the paper's own classifiers: three folds to train on, one to measure.

    python -m benchmarks.facts_marked --data DATA -o FOLDER
    tupelo facts train FOLDER/train.jsonl --model classifier --size encoder --steps 240 --batch 24 -o FOLDER/sentence
    tupelo facts train FOLDER/train.jsonl --model binary --size encoder --steps 240 --batch 24 -o FOLDER/binary
    tupelo reproduce facts --marked FOLDER/test.jsonl --method none --model sentence=FOLDER/sentence \
        --model binary=FOLDER/binary

People annotated the facts of a passage: a pair of mentions with a property is a positive example, any other ordered
pair of annotated mentions in one passage a negative one. Fold 4 is measured, folds 1 to 3 are trained on; a document
is in one fold. Pairs that overlap are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

from tupelo_training.facts.sentences import mark_pair
from tupelo_training.facts.sources import KNOWLEDGENET, TURNED

Span = tuple[int, int]
_MEASURED = 4


def passages(data: Path) -> dict[tuple[str, int], list[Any]]:
    found: dict[tuple[str, int], list[Any]] = {}
    with gzip.open(data / "knowledgenet" / "train_folds1-4.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            item = json.loads(line)
            if item["property"] in KNOWLEDGENET:
                found.setdefault((item["documentId"], item["passageStart"]), []).append(item)
    return found


def examples(items: list[Any]) -> Iterator[tuple[str, str | None]]:
    """Marked passages with their property, of one passage."""
    start, text = items[0]["passageStart"], items[0]["passageText"]
    facts: dict[tuple[Span, Span], set[str]] = {}
    for item in items:
        for fact in item["facts"]:
            subject, object_ = (
                (fact[f"{side}Start"] - start, fact[f"{side}End"] - start) for side in ("subject", "object")
            )
            pair = (object_, subject) if item["property"] in TURNED else (subject, object_)
            facts.setdefault(pair, set()).add(KNOWLEDGENET[item["property"]])
    spans = sorted({span for pair in facts for span in pair if 0 <= span[0] < span[1] <= len(text)})
    for one, two in permutations(spans, 2):
        if one[1] <= two[0] or two[1] <= one[0]:
            names: list[str | None] = [*sorted(facts.get((one, two), ()))]
            for name in names or [None]:
                yield mark_pair(text, one, two), name


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with knowledgenet/")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    parts: dict[str, list[str]] = {"train": [], "test": []}
    for items in passages(options.data).values():
        part = "test" if int(items[0]["fold"]) == _MEASURED else "train"
        for marked, name in examples(items):
            parts[part].append(json.dumps({"marked": marked, "property": name}, ensure_ascii=False) + "\n")
    for part, lines in parts.items():
        (options.output / f"{part}.jsonl").write_text("".join(lines), encoding="utf-8")
        print(f"{part}: {len(lines)} examples, {sum('null}' not in line for line in lines)} with a relation")


if __name__ == "__main__":
    main()
