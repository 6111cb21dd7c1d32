"""Trained networks as the folder that the package ships.

    python -m training.facts.export --data DATA --prepared prepared-facts/ --classifier run/pairs-kd400 \
        --writer run/writer-two --threshold -1.2 --output src/tupelo/models/en-facts
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from training.facts.properties import DATES, WEBNLG
from training.facts.rounding import restored
from training.facts.sources import _json
from tupelo.facts.models.folder import Relation
from tupelo.facts.models.learning.export import Files, pairs_files, writer_files
from tupelo.facts.models.learning.pairs import PairReader, PairSizes
from tupelo.facts.models.learning.writer import FactWriter, WriterSizes

VERSION = "1.0.0"
# Re-DocRED's come first in the table; the others were only learned with, and Re-DocRED says nothing about them.
SHIPPED_RELATIONS = 95
# Pieces of a text that the writer reads at once: as long as the longest that it learned from.
WINDOW = 100


def names(data: Path) -> dict[str, str]:
    """Names of Wikidata properties."""
    table: dict[str, Any] = _json(data / "fewrel" / "pid2name.json.gz")
    return {**{key: value[0] for key, value in table.items()}, **DATES}


def classifier(run: Path, prepared: Path, known: dict[str, str], **settings: float) -> Files:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = PairReader(PairSizes(**report["sizes"])).eval()
    with np.load(run / "weights.npz") as stored:
        model.load_state_dict(restored({name: stored[name] for name in stored.files}))
    table = json.loads((prepared / "pairs.json").read_text(encoding="utf-8"))["relations"][:SHIPPED_RELATIONS]
    relations = [Relation(known[key], key) for key in table]
    return pairs_files(model, relations, name="tupelo-en-facts-classifier", version=VERSION, **settings)


def writer(run: Path, prepared: Path) -> Files:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = FactWriter(WriterSizes(**report["sizes"]), report["generated"]).eval()
    with np.load(run / "weights.npz") as stored:
        model.load_state_dict(restored({name: stored[name] for name in stored.files}))
    tables = json.loads((prepared / "writing.json").read_text(encoding="utf-8"))
    relations = [Relation(name, WEBNLG.get(name)) for name in tables["relations"]]
    return writer_files(
        model, relations, report["generated"], tables["names"], name="tupelo-en-facts-writer", version=VERSION,
        window=WINDOW,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--classifier", type=Path)
    parser.add_argument("--writer", type=Path)
    parser.add_argument("--threshold", type=float, default=0.0)
    parser.add_argument("--related-threshold", type=float, default=0.0)
    parser.add_argument("--slope", type=float, default=1.0)
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    made: dict[str, Files] = {}
    if given.classifier:
        made["classifier"] = classifier(
            given.classifier, given.prepared, names(given.data), threshold=given.threshold,
            related_threshold=given.related_threshold, slope=given.slope,
        )  # fmt: skip
    if given.writer:
        made["end-to-end"] = writer(given.writer, given.prepared)
    for folder, files in made.items():
        (given.output / folder).mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (given.output / folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
