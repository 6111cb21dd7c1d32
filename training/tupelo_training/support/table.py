"""The table of claims as arrays of a few fixed widths, for training: numpy only.

Input of the network: mark, sentences of the source, mark, claim, mark. Rows are as wide as the next multiple of
`STEP`, so that a pass over the table has few shapes and little padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

START, END = 101, 102
# Of a subword of a claim: wrong, right, or not said.
NO, YES, OPEN = 0, 1, 2
# Of a claim, in the order of the network's outputs; then one of the last two; then not said.
SUPPORTED, REFUTED, UNKNOWN, UNSUPPORTED, UNLABELLED = range(5)
OUTCOMES = 3
# Subwords of the source, and of the claim.
ROOM, LONGEST_CLAIM = 384, 64
STEP = 32
# How often a claim comes in one pass, on average: those written for this are few and have the mistakes that matter,
# captions of photographs are many and little like documents.
DRAWN = {
    "matched": 3.0,
    "matched-best": 2.0,
    "written": 1.5,
    "crowded": 1.5,
    "older": 1.5,
    "factcg": 2.0,
    "bump": 2.0,
    "snli": 0.4,
    "frames-orders": 0.6,
    "frames-stances": 0.8,
    "frames-swapped": 0.8,
}
# What it weighs then: rules made some, and in some a label means less.
WEIGHTS = {"snli": 0.5, "cad": 0.5, "conjnli": 0.5, "med": 0.7, "made": 0.7}
# A teacher learns from all parts but one, and says what it thinks of that one.
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Bucket:
    """Claims of one width: `rows` are their numbers in the table; a claim's pieces are `[first, last)`."""

    rows: np.ndarray
    pieces: np.ndarray
    tokens: np.ndarray
    first: np.ndarray
    last: np.ndarray
    labels: np.ndarray
    kinds: np.ndarray
    aside: np.ndarray
    folds: np.ndarray

    @property
    def width(self) -> int:
        return int(self.pieces.shape[1])


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims by width, and the names of their kinds."""

    buckets: list[Bucket]
    kinds: list[str]

    def by_kind(self, values: Mapping[str, float]) -> np.ndarray:
        """A number for each kind, 1 where none is given."""
        return np.array([values.get(kind, 1.0) for kind in self.kinds], np.float32)


def rows_of(archive: Mapping[str, np.ndarray], name: str) -> list[np.ndarray]:
    return np.split(archive[f"{name}.values"], np.cumsum(archive[f"{name}.lengths"].astype(np.int64))[:-1])


def read_table(path: Path, limit: int = 0) -> Claims:
    """All claims of a table, or `limit` of them spread over it."""
    with np.load(path) as file:
        archive = {name: file[name] for name in file.files}
    names = ("pieces", "claims", "tokens", "premises")
    sentences, claims, tokens, premises = (rows_of(archive, name) for name in names)
    chosen = np.arange(len(claims))
    if limit:
        chosen = chosen[:: max(1, len(chosen) // limit)]
    sizes = np.array([min(ROOM, sum(len(sentences[number]) for number in premises[row])) for row in chosen])
    widths = -(-(3 + sizes + np.array([len(claims[row]) for row in chosen])) // STEP) * STEP
    buckets = []
    for width in np.unique(widths):
        rows = chosen[widths == width]
        pieces = np.zeros((len(rows), width), np.int32)
        marks = np.full((len(rows), width), OPEN, np.uint8)
        first, last = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
        for place, row in enumerate(rows):
            premise = np.concatenate([sentences[number] for number in premises[row]])[:ROOM]
            first[place] = len(premise) + 2
            last[place] = first[place] + len(claims[row])
            pieces[place, 0] = START
            pieces[place, 1 : len(premise) + 1] = premise
            pieces[place, [len(premise) + 1, last[place]]] = END
            pieces[place, first[place] : last[place]] = claims[row]
            marks[place, first[place] : last[place]] = tokens[row]
        labels, kinds, aside, folds = (archive[name][rows] for name in ("labels", "kinds", "aside", "folds"))
        buckets.append(Bucket(rows, pieces, marks, first, last, labels, kinds, aside, folds))
    return Claims(buckets, archive["names"].tolist())


def one_pass(
    claims: Claims, most_pieces: int, random: np.random.Generator, fold: int | None = None, *, taught: bool = False
) -> Iterator[tuple[int, np.ndarray]]:
    """Batches of one pass in random order: bucket and places in it.

    Nothing of the part `fold`; nothing without a label unless `taught`.
    """
    batches = []
    drawn = claims.by_kind(DRAWN)
    for number, bucket in enumerate(claims.buckets):
        times = np.floor(drawn[bucket.kinds] + random.random(len(bucket.rows))).astype(np.int64)
        left_out = bucket.aside | (bucket.folds == (-1 if fold is None else fold))
        if not taught:
            left_out |= bucket.labels == UNLABELLED
        times[left_out] = 0
        places = random.permutation(np.repeat(np.arange(len(bucket.rows)), times))
        size = max(1, most_pieces // bucket.width)
        batches += [(number, places[start : start + size]) for start in range(0, len(places), size)]
    for index in random.permutation(len(batches)):
        yield batches[index]
