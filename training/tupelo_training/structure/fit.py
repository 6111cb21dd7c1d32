"""Fit the confidence of tuples of tables, labels and lists on tuples that readers judged in their documents.

    python -m tupelo_training.structure.fit [--check] [-o FILE]

`judged.jsonl.gz` has, for each judged tuple, its document, its rule, its signs (`tupelo.extract.structure.trust`),
whether it is right, and whether its reader was strict: a tuple that is partly right, or says too little by itself, is
wrong. `--check` tests the shipped weights on verdicts of strict readers, and beside them weights that are fitted in
the same way, each fifth of the documents on the others.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tupelo.extract.structure import trust

JUDGED = Path(__file__).with_name("judged.jsonl.gz")
OUTPUT = Path(trust.__file__).with_name("trust.json")
# Signs of fewer tuples are dropped; strength of regularisation, and that of signs with a rule beside that of others.
# Chosen with --check.
# Pages of the web as plain text and documentation of programs, with many menus and lists of names, count half.
HALF = ("wild/", "real/")
LEAST, DECAY, PAIRED, LEAST_WEIGHT = 3, 5.0, 3.0, 0.005
# Readers that were not asked for what is partly right count less.
LENIENT = 0.4
# Added to every score, as a third of what strict readers do not call right is right to others.
LENIENCE = 0.2


@dataclass(frozen=True, slots=True)
class Judged:
    document: str
    rule: str
    signs: tuple[str, ...]
    right: bool
    strict: bool

    @property
    def weight(self) -> float:
        return (0.5 if self.document.startswith(HALF) else 1.0) * (1.0 if self.strict else LENIENT)


def judged_tuples() -> list[Judged]:
    with gzip.open(JUDGED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Judged(**{**row, "signs": tuple(row["signs"])}) for row in rows]


def fitted(rows: Sequence[Judged]) -> dict[str, float]:
    """The weights of signs; that of the empty sign is of every tuple."""
    from scipy.optimize import minimize

    every = [trust.with_pairs(row.rule, row.signs) for row in rows]
    counts = Counter(sign for signs in every for sign in signs)
    names = ["", *sorted(sign for sign, count in counts.items() if count >= LEAST)]
    index = {name: number for number, name in enumerate(names)}
    found = np.zeros((len(rows), len(names)))
    found[:, 0] = 1
    for number, signs in enumerate(every):
        found[number, [index[sign] for sign in signs if sign in index]] = 1
    right = np.array([row.right for row in rows], dtype=float)
    counted = np.array([row.weight for row in rows])
    decay = np.array([DECAY * (PAIRED if ": " in name else 1.0) for name in names])
    decay[0] = 1e-4

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        scores = found @ weights
        wrong = counted * (1 / (1 + np.exp(-scores)) - right)
        value = np.sum(counted * (np.logaddexp(0, scores) - right * scores)) + 0.5 * np.sum(decay * weights**2)
        return float(value), found.T @ wrong + decay * weights

    result: Any = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    weights = {name: round(float(weight), 3) for name, weight in zip(names, result.x, strict=True)}
    return {**weights, "": round(weights[""] + LENIENCE, 3)}


def check(rows: Sequence[Judged]) -> None:
    documents = sorted({row.document for row in rows})
    random.Random(1).shuffle(documents)
    strict = [row for row in rows if row.strict]
    scores = [(trust.confidence(trust.with_pairs(row.rule, row.signs)), row.right) for row in strict]
    _print_shares("shipped", scores)
    scores.clear()
    for part in range(5):
        out = set(documents[part::5])
        weights = fitted([row for row in rows if row.document not in out])
        scores += [
            (trust.confidence(trust.with_pairs(row.rule, row.signs), weights), row.right)
            for row in strict
            if row.document in out
        ]
    _print_shares("fitted on other documents", scores)


def _print_shares(name: str, scores: Sequence[tuple[float, bool]]) -> None:
    every = sum(right for _, right in scores)
    for least in (0.5, 0.6, 0.7, 0.8):
        kept = [right for score, right in scores if score >= least]
        share = f"{sum(kept) / len(kept):.3f}; {sum(kept) / every:.3f} of all right ones"
        print(f"{name} {least}: {sum(kept)} of {len(kept)} right, {share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    given = parser.parse_args()
    rows = judged_tuples()
    if given.check:
        check(rows)
        return
    weights = {name: weight for name, weight in fitted(rows).items() if abs(weight) >= LEAST_WEIGHT}
    data = {"fitted": f"python -m tupelo_training.structure.fit, on {len(rows)} tuples", "weights": weights}
    given.output.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
