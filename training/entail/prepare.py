"""States of the shipped encoder's lower layers for pairs, computed once and read by every run.

    python -m training.entail.prepare --data levyholt/dev --output prepared-entail/

Every pair is shown in several forms that mean the same: the readable one, the original one (where an argument may
be a type, such as "drug") and one with variables ("x kills y"), as people write patterns.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.entail.data import load_pairs
from tupelo.core.entailment import EntailmentPair
from tupelo.core.triple import Triple
from tupelo.nlp.encoder import Encoder, groups_of_equal_length, load_encoder

FROZEN = 3
FORMS = ("readable", "original", "variables", "reversed")
VARIABLES = (("x", "y"), ("a", "b"), ("someone", "something"), ("something", "something else"))


def with_variables(pair: EntailmentPair, chance: random.Random) -> EntailmentPair:
    """The same pair about nobody in particular."""
    first, second = chance.choice(VARIABLES)
    premise, hypothesis = pair.key()
    swapped = premise.object.split()[-1] == hypothesis.subject.split()[-1]
    return EntailmentPair(
        Triple(first, premise.relation, second),
        Triple(*((second, hypothesis.relation, first) if swapped else (first, hypothesis.relation, second))),
    )


def written(triple: Triple) -> str:
    return f"{triple.subject} {triple.relation} {triple.object}"


def states_of(encoder: Encoder, pairs: Sequence[EntailmentPair]) -> dict[str, np.ndarray]:
    """Lengths, length of the first side, and the states of all pairs in a row."""
    cut = [encoder.cut_pair(written(pair.premise), written(pair.hypothesis)) for pair in pairs]
    lengths = np.array([len(pieces.ids) for pieces, _ in cut])
    starts = np.concatenate(([0], np.cumsum(lengths)))
    states = np.zeros((starts[-1], encoder.dimensions), np.float16)
    for group in groups_of_equal_length(lengths.tolist(), 64):
        ids = np.array([cut[number][0].ids for number in group], dtype=np.int64)
        sides = np.array([cut[number][1] for number in group], dtype=np.int64)
        found = encoder.advance(encoder.embed(ids, sides), FROZEN)
        for number, rows in zip(group, found, strict=True):
            states[starts[number] : starts[number + 1]] = rows
    return {"lengths": lengths, "premises": np.array([sides.count(0) for _, sides in cut]), "states": states}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with dev.txt and dev_s.txt")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    readable, original = load_pairs(options.data / "dev_s.txt"), load_pairs(options.data / "dev.txt")
    chance = random.Random(0)
    forms = {
        "readable": readable,
        "original": original,
        "variables": [with_variables(pair, chance) for pair in readable],
        "reversed": [pair.reversed() for pair in readable],
    }
    encoder = load_encoder()
    for name in FORMS:
        for kind, array in states_of(encoder, forms[name]).items():
            np.save(options.output / f"{name}-{kind}.npy", array)
    (options.output / "prepared.json").write_text(json.dumps({"frozen": FROZEN, "pairs": len(readable)}) + "\n")


if __name__ == "__main__":
    main()
