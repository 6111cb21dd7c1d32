"""Fits which phrases without a name are nodes of a graph: would a person keep one in an index of the text?

    python -m tupelo_training.nodes --output src/tupelo/models/en-extract --data ../shared/data

Reads `training/judged/nodes.tsv` (document, name, kind, label `thing`, `poor` or `junk`, statement) and reads its
documents again; nodes that are no longer made are left out. Ten folds by document give the figures that are printed:
the share of things among the phrases that are kept, and of the things that are kept.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import numpy as np

from tupelo.core.numeric import sigmoid
from tupelo.extract.links.judge import NODE_WEIGHTS, node_features
from tupelo_training.extract.train_links import FOLDS, Array, area, fit, linked_passages
from tupelo_training.judged.stored import FOLDER
from tupelo_training.options import option_parser, write_checksums, write_json

RIDGE = 30.0


def judged(file: Path) -> dict[tuple[str, str, str], bool]:
    """Whether a node is a thing, by document, name and kind; names need no judge."""
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    kept = (row for row in rows if row["kind"] != "entity")
    return {(row["document"], row["name"], row["kind"]): row["judged"] == "thing" for row in kept}


def read_rows(data: Path, known: Mapping[tuple[str, str, str], bool]) -> Iterator[tuple[str, Array, bool]]:
    """Document, features and label of the judged nodes, as they are made now."""
    left = dict(known)
    for name, analyses, _, linked, referents in linked_passages(data, {key[0] for key in known}):
        features = node_features(analyses, [sentence.anchors for sentence in linked], referents)
        for one in referents:
            label = left.pop((name, " ".join(one.name.split()), one.kind), None) if one.number in features else None
            if label is not None:
                yield name, features[one.number], label


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    names, rows, labels = zip(*read_rows(given.data, judged(FOLDER / "nodes.tsv")), strict=True)
    right, features = np.array(labels, dtype=float), np.array(rows)
    mean, spread = features.mean(0), features.std(0) + 1e-6
    mean[0], spread[0] = 0.0, 1.0
    inputs = (features - mean) / spread
    fold = np.array([int(sha256(name.encode()).hexdigest(), 16) % FOLDS for name in names])
    chances = np.zeros(len(right))
    for number in range(FOLDS):
        own = fold == number
        chances[own] = sigmoid(inputs[own] @ fit(inputs[~own], right[~own], RIDGE), limit=30)
    print(f"{len(right)} nodes, {right.mean():.3f} things, area under the curve {area(chances, right > 0):.3f}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        kept = chances >= least
        share, found = right[kept].mean(), right[kept].sum() / right.sum()
        print(f"from {least}: {kept.mean():.3f} kept, {share:.3f} of them things, {found:.3f} of the things")
    weights = fit(inputs, right, RIDGE) / spread
    weights[0] -= float(weights[1:] @ mean[1:])
    config = json.loads((given.output / "config.json").read_text("utf-8"))
    write_json(given.output / "config.json", config | {NODE_WEIGHTS: [round(float(one), 4) for one in weights]})
    write_checksums(given.output)


if __name__ == "__main__":
    main()
