"""Fits the worth of nodes: would a person keep one in an index of the text?

    python -m tupelo_training.nodes --output src/tupelo/graph/query/worth.toml

Reads `training/judged/nodes.tsv` (columns of nodes, label `thing`, `poor` or `junk` of `benchmarks/graph_reading.md`,
and a weight that makes up for the nodes that were drawn more often). Ten folds give the figures that are printed.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

from tupelo.core.numeric import sigmoid
from tupelo.graph.query.worth import SIGNS
from tupelo_training.extract.train_links import FOLDS, Array, area, fit
from tupelo_training.judged.stored import FOLDER
from tupelo_training.options import option_parser

RIDGE = 3.0


def read() -> tuple[Array, Array, Array]:
    """The signs of the judged nodes (the constant first), whether each is a thing, and its weight."""
    columns = ", ".join(f"({sign})::DOUBLE" for sign in SIGNS.values())
    file = str(FOLDER / "nodes.tsv")
    rows = duckdb.execute(
        f"SELECT 1, (judged = 'thing')::DOUBLE, weight, {columns} FROM read_csv(?, delim = '\\t', header = true, "
        "quote = '') ORDER BY sha256(name || kind)",
        [file],
    ).fetchall()
    table = np.array(rows, dtype=float)
    return np.delete(table, [1, 2], axis=1), table[:, 1], table[:, 2]


def precision(chances: Array, right: Array, weights: Array) -> float:
    """The share of things in the better half."""
    order = np.argsort(-chances)
    better = order[np.cumsum(weights[order]) <= weights.sum() / 2]
    return float((right[better] * weights[better]).sum() / weights[better].sum())


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    features, right, weights = read()
    fold = np.arange(len(right)) % FOLDS
    chances = np.zeros(len(right))
    for number in range(FOLDS):
        own = fold == number
        chances[own] = sigmoid(features[own] @ fit(features[~own], right[~own], RIDGE), limit=30)
    print(f"{len(right)} nodes, {(right * weights).sum() / weights.sum():.3f} things")
    print(
        f"area under the curve {area(chances, right > 0):.3f}, better half {precision(chances, right, weights):.3f}"
    )
    constant, *found = fit(features, right, RIDGE)
    text = given.output.read_text("utf-8").partition("[weights]")[0]
    text = "".join(
        f"constant = {constant:.3f}\n" if line.startswith("constant") else line for line in text.splitlines(True)
    )
    lines = (f"{name} = {weight:.3f}\n" for name, weight in zip(SIGNS, found, strict=True))
    given.output.write_text(f"{text}[weights]\n{''.join(lines)}", "utf-8")


if __name__ == "__main__":
    main()
