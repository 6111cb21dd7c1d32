"""Everything that the network is trained on, cut into pieces: one file of arrays for a machine without this package.

    python -m tupelo_training.entail.prepare --data levyholt --nltk FOLDER --assertions FILE --output pairs.npz

`--nltk` holds `rte.zip` and `mwa_ppdb.zip` of NLTK's data, `--assertions` is what `tupelo assertions extract` wrote.
Every judged pair is there in several forms: as it is, with letters for its arguments, and with arguments of the same
types from other pairs, so that the network has to look at the relations.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.inference.methods.learned import Reading, input_blocks, read_pair
from tupelo.inference.statements import are_swapped, argument_words, with_arguments
from tupelo.io.assertions import read_assertions
from tupelo.io.wordnet import open_wordnet
from tupelo.nlp.encoder import load_encoder
from tupelo_training.entail.auxiliary import drawn_pairs, ppdb_examples, rte_examples, wordnet_examples
from tupelo_training.entail.data import argument_folds, load_pairs, relation_folds
from tupelo_training.entail.train import held_out, weights_of
from tupelo_training.options import option_parser

LETTERS = ("x", "y")
MOST_PIECES = 72
MOST_PPDB = 8_000
MOST_DRAWN = 9_000
Arrays = dict[str, np.ndarray]


def table(readings: Sequence[Reading]) -> Arrays:
    """Readings as padded arrays; `spans` are start and end of both relations, `middle` where segment 1 begins."""
    width = max(len(reading.ids) for reading in readings)
    ids = np.zeros((len(readings), width), np.int16)
    for row, reading in enumerate(readings):
        ids[row, : len(reading.ids)] = reading.ids
    return {
        "ids": ids,
        "lengths": np.array([len(reading.ids) for reading in readings], np.int16),
        "middle": np.array([reading.segments.index(1) for reading in readings], np.int16),
        "spans": np.array([reading.first + reading.second for reading in readings], np.int16),
    }


def types_of(path: Path) -> list[dict[str, str]]:
    """The types of the arguments of every pair, by the words of the argument."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        found = {}
        for part in line.split("\t")[:2]:
            for item in part.split(" ")[-2:]:
                words, _, kind = item.partition("::")
                found[words.replace("_", " ")] = kind
        rows.append(found)
    return rows


def type_of(argument: str, types: dict[str, str]) -> str:
    words = argument_words(argument)
    for name, kind in types.items():
        if words & argument_words(name):
            return kind
    return "thing"


def forms_of(
    pairs: Sequence[EntailmentPair], types: list[dict[str, str]], drawn: int, seed: int
) -> list[list[Triple]]:
    """For each form, premises and hypotheses in turn."""
    draw = random.Random(seed)
    buckets: dict[str, set[str]] = {}
    kinds = []
    for pair, known in zip(pairs, types, strict=True):
        ends = (pair.premise.subject, pair.premise.object)
        kinds.append([type_of(end, known) for end in ends])
        for end, kind in zip(ends, kinds[-1], strict=True):
            buckets.setdefault(kind, set()).add(end)
    choices = {kind: sorted(names) for kind, names in buckets.items()}
    forms = [[triple for pair in pairs for triple in (pair.premise, with_arguments(pair))]]
    for form in range(1 + drawn):
        triples = []
        for pair, both in zip(pairs, kinds, strict=True):
            ends = LETTERS if form == 0 else tuple(draw.choice(choices[kind]) for kind in both)
            triples += replaced(pair, ends[0], ends[1])
        forms.append(triples)
    return forms


def replaced(pair: EntailmentPair, first: str, second: str) -> tuple[Triple, Triple]:
    """The pair about other things."""
    ends = (second, first) if are_swapped(pair) else (first, second)
    return Triple(first, pair.premise.relation, second), Triple(ends[0], pair.hypothesis.relation, ends[1])


def reverses(pairs: Sequence[EntailmentPair]) -> np.ndarray:
    """The row of the reverse of every pair, -1 where nobody judged it."""
    rows = {pair.key(): row for row, pair in enumerate(pairs)}
    return np.array([rows.get(pair.reversed().key(), -1) for pair in pairs], np.int32)


def main() -> None:
    parser = option_parser(__doc__, "nltk", "output")
    parser.add_argument("--data", type=Path, required=True, help="folder of Levy/Holt")
    parser.add_argument("--assertions", required=True)
    parser.add_argument("--drawn", type=int, default=6, help="forms with other arguments")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    encoder, wordnet = load_encoder(), open_wordnet()
    pairs = load_pairs(options.data / "dev" / "dev_s.txt")
    directional = {pair.key() for pair in load_pairs(options.data / "dev_dir" / "dev_dir_s.txt")}
    labels = np.array([float(bool(pair.entailed)) for pair in pairs])
    blocks = input_blocks(pairs, encoder)
    folds = {"relations": relation_folds(pairs), "arguments": argument_folds(pairs)}
    arrays: Arrays = {
        "labels": labels.astype(np.int8),
        "reverse": reverses(pairs),
        "directional": np.array([pair.key() in directional for pair in pairs]),
    }
    for name, division in folds.items():
        arrays[f"folds_{name}"] = division.astype(np.int8)
        # What the network is going to be added to, so that settings are chosen for the sum.
        arrays[f"logits_{name}"] = held_out(blocks, labels, weights_of(pairs), division).astype(np.float32)
    forms = forms_of(pairs, types_of(options.data / "dev" / "dev_rels.txt"), options.drawn, options.seed)
    judged = [
        read_pair(one, other, encoder) for form in forms for one, other in zip(form[::2], form[1::2], strict=True)
    ]
    arrays |= {f"judged_{name}": array for name, array in table(judged).items()}
    sources = {
        "wordnet": wordnet_examples(wordnet, options.seed),
        "ppdb": ppdb_examples(options.nltk / "mwa_ppdb.zip", wordnet, options.seed, MOST_PPDB),
        "rte": rte_examples(options.nltk / "rte.zip"),
    }
    for name, examples in sources.items():
        read = [(read_pair(e.premise, e.hypothesis, encoder), e.entailed) for e in examples]
        kept = [item for item in read if len(item[0].ids) <= MOST_PIECES]
        arrays |= {f"{name}_{key}": array for key, array in table([reading for reading, _ in kept]).items()}
        arrays[f"{name}_labels"] = np.array([entailed for _, entailed in kept], np.int8)
        print(name, len(kept), "of", len(read), f"{arrays[f'{name}_labels'].mean():.2f} entail", flush=True)
    drawn = drawn_pairs(read_assertions(options.assertions), encoder, options.seed, MOST_DRAWN)
    arrays |= {f"drawn_{name}": array for name, array in table([read_pair(*pair, encoder) for pair in drawn]).items()}
    print("drawn", len(arrays["drawn_lengths"]))
    np.savez_compressed(options.output, **arrays)


if __name__ == "__main__":
    main()
