"""Cliques from CaRB dev, and what our extractors lose on them.

    python -m benchmarks.cliques [--data ../shared/data] [--cliques FILE [--plain]] [--check-with none] [--json]

Builds the cliques as `tupelo cliques build` does by default (or reads FILE, made by it), measures their syntactic
distance, and extracts from all sentences with the default extractor and the rules, what each shows by default;
`--min-confidence` changes that.

`benchmarks/cliques_judged.tsv` has 100 rewrites, drawn with seed 29, and a person's verdict on each; the last table
counts them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import tupelo
from tupelo.api.text import Toolkit
from tupelo.core import Analysis, Clique, Record
from tupelo.core.clique import gather_cliques
from tupelo.core.numeric import mean
from tupelo.core.protocols import Extractor
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.pipeline import extract_tuples
from tupelo.io.tuples import read_records
from tupelo.robustness.measures import Hws, within_cliques
from tupelo.robustness.trees import tree_of
from tupelo.scorers.robust import Robust

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
JUDGED = Path(__file__).with_name("cliques_judged.tsv")
EXTRACTORS = ("default", "rules")


def built(data: Path, check_with: str) -> tuple[list[Record], dict[str, Any]]:
    """The cliques of CaRB dev and the report on them."""
    made = tupelo.robustness.build(
        data / "carb/gold/dev.tsv", format="carb", check_with=None if check_with == "none" else check_with
    )
    return made.records(), made.to_dict()


def distance(cliques: list[Clique], parsed: dict[str, Analysis]) -> float | None:
    trees = [[tree_of(parsed[sentence.text]) for sentence in clique.sentences] for clique in cliques]
    return mean(syntax.mean for syntax in within_cliques(trees, Hws()))


def drop(
    records: list[Record], parsed: dict[str, Analysis], extractor: Extractor, least: float | None
) -> dict[str, float]:
    """F1 of CaRB on the originals, of ROBUST on the cliques, and the difference, in points."""
    analyses = list(parsed.values())
    options = ExtractionOptions(coreference=False, min_confidence=least)
    predicted: list[Record] = []
    for found in extract_tuples(extractor, analyses, options):
        predicted.extend(found.extractions or (found.sentence,))
    details = Robust(fixes=["missing-left-out"]).evaluate(records, predicted).score().details
    before, worst = details["carb"]["f1"], details["robust"]["f1"]
    return {"carb": percent(before), "robust": percent(worst), "drop": percent(before - worst)}


def percent(value: float) -> float:
    return round(100 * value, 1)


def judged() -> Counter[str]:
    if not JUDGED.is_file():
        return Counter()
    rows = JUDGED.read_text("utf-8").splitlines()[1:]
    return Counter(row.split("\t")[0] for row in rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--cliques", type=Path, help="cliques that were built before")
    arguments.add_argument("--plain", action="store_true", help="the sentences of FILE are not split into words")
    arguments.add_argument("--check-with", default="rules", metavar="NAME")
    arguments.add_argument("--extractor", action="append", metavar="NAME", help="repeat for several")
    arguments.add_argument("--min-confidence", type=float, default=None)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    report: dict[str, Any] = {}
    if options.cliques:
        records = list(read_records(options.cliques, "robust"))
    else:
        records, report = built(options.data, options.check_with)
    cliques = list(gather_cliques(records))
    sizes = [len(clique.sentences) for clique in cliques]
    texts = list(dict.fromkeys(sentence.text for clique in cliques for sentence in clique.sentences))
    nlp = tupelo.load()
    parsed = {
        each.text: each
        for each in nlp.analyze(texts, pretokenized=not options.plain, constituents=True, vectors=True)
    }
    result: dict[str, Any] = {
        "cliques": len(cliques),
        "of three or more": sum(size >= 3 for size in sizes),
        "sentences each": round(sum(sizes) / len(sizes), 3),
        "mean HWS distance": round(distance(cliques, parsed) or 0.0, 4),
        **({"candidates": report["candidates"], "dropped": report["dropped"]} if report else {}),
        "extractors": {
            name: drop(records, parsed, Toolkit(nlp.parser, name).extractor, options.min_confidence)
            for name in options.extractor or EXTRACTORS
        },
        **({} if options.plain else {"judged": dict(judged())}),
    }
    if options.json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        if name != "extractors":
            print(f"{name:22}{value}")
    print(f"\n{'F1':22}{'CaRB':>8}{'ROBUST':>8}{'drop':>8}")
    for name, row in result["extractors"].items():
        print(f"{name:22}{row['carb']:8.1f}{row['robust']:8.1f}{row['drop']:8.1f}")


if __name__ == "__main__":
    main()
