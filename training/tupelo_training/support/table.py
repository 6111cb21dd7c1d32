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
NO, YES, OPEN = 0, 1, 2
# Subwords of the source, and of the claim.
ROOM, LONGEST_CLAIM = 384, 64
STEP = 32
MADE = (
    "short",
    "synonym",
    "rewrite",
    "joined",
    "same-subject",
    "name",
    "digit",
    "word",
    "denied",
    "roles",
    "crossed",
    "added",
    "stranger",
)
# Of splices some are judged (`spliced`); the others (`splice`) have no label but what a teacher says.
KINDS = (*MADE, "judged", "rte", "webnlg", "levyholt", "written", "spliced", "splice")
UNKNOWN = -1.0
# Summaries that people judged and claims written or judged one by one are few, and the only ones with mistakes as in
# real texts: how often each comes in a pass, and what it weighs then.
DRAWN = {"judged": 2, "written": 2, "spliced": 2}
WEIGHTS = {"judged": 2.0, "written": 2.0, "spliced": 2.0, "rte": 2.0, "levyholt": 0.5}
# Of the judged summaries nine of ten are wrong, all in the style of BBC news: at full weight that style itself
# would count as a mistake.
WRONG_SUMMARY = 0.4
# A teacher learns from all parts but one, and says what it thinks of that one.
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Bucket:
    """Claims of one width: `rows` are their numbers in the table; a claim's pieces are `[first, last)`; a label below
    zero is not known."""

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


def rows_of(archive: Mapping[str, np.ndarray], name: str) -> list[np.ndarray]:
    return np.split(archive[f"{name}.values"], np.cumsum(archive[f"{name}.lengths"].astype(np.int64))[:-1])


def read_buckets(path: Path, limit: int = 0) -> list[Bucket]:
    """All claims of a table, or `limit` of them spread over it."""
    with np.load(path) as file:
        archive = {name: file[name] for name in file.files}
    names = ("pieces", "claims", "tokens", "premises")
    sentences, claims, tokens, premises = (rows_of(archive, name) for name in names)
    chosen = np.arange(len(claims))
    if limit:
        chosen = chosen[:: max(1, len(chosen) // limit)]
    sizes = np.array([sum(len(sentences[number]) for number in premises[row]) for row in chosen])
    widths = -(-(3 + sizes + np.array([len(claims[row]) for row in chosen])) // STEP) * STEP
    buckets = []
    for width in np.unique(widths):
        rows = chosen[widths == width]
        pieces = np.zeros((len(rows), width), np.int32)
        marks = np.full((len(rows), width), OPEN, np.uint8)
        first, last = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
        for place, row in enumerate(rows):
            premise = np.concatenate([sentences[number] for number in premises[row]])
            first[place] = len(premise) + 2
            last[place] = first[place] + len(claims[row])
            pieces[place, 0] = START
            pieces[place, 1 : len(premise) + 1] = premise
            pieces[place, [len(premise) + 1, last[place]]] = END
            pieces[place, first[place] : last[place]] = claims[row]
            marks[place, first[place] : last[place]] = tokens[row]
        labels, kinds, aside, folds = (archive[name][rows] for name in ("labels", "kinds", "aside", "folds"))
        buckets.append(Bucket(rows, pieces, marks, first, last, labels.astype(np.float32), kinds, aside, folds))
    return buckets


def weights_of(bucket: Bucket) -> np.ndarray:
    """What each claim weighs in the loss."""
    weights = np.array([WEIGHTS.get(kind, 1.0) for kind in KINDS], np.float32)[bucket.kinds]
    wrong = (bucket.kinds == KINDS.index("judged")) & (bucket.labels < 0.5)
    return np.where(wrong, np.float32(WRONG_SUMMARY), weights)


def one_pass(
    buckets: list[Bucket],
    most_pieces: int,
    made: float,
    random: np.random.Generator,
    fold: int | None = None,
    *,
    taught: bool = False,
) -> Iterator[tuple[int, np.ndarray]]:
    """Batches of one pass in random order: bucket and places in it.

    Of claims that were made, the share `made`; nothing of the part `fold`; nothing without a label unless `taught`.
    """
    batches = []
    for number, bucket in enumerate(buckets):
        times = np.array([DRAWN.get(kind, 1) for kind in KINDS])[bucket.kinds]
        skipped = (bucket.kinds < len(MADE)) & (random.random(len(bucket.rows)) >= made)
        left_out = bucket.aside | skipped | (bucket.folds == (-1 if fold is None else fold))
        if not taught:
            left_out |= bucket.labels < 0
        times = np.where(left_out, 0, times)
        places = random.permutation(np.repeat(np.arange(len(bucket.rows)), times))
        size = max(1, most_pieces // bucket.width)
        batches += [(number, places[start : start + size]) for start in range(0, len(places), size)]
    for index in random.permutation(len(batches)):
        yield batches[index]
