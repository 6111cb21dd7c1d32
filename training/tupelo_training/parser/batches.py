"""Prepared arrays as padded tables that live on the device, and batches cut from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

START_PIECE, END_PIECE, MASK_PIECE = 101, 102, 103
# (words, subwords) that a batch is padded to: a few fixed shapes, so that a step can be recorded once per shape and
# then replayed on the GPU. The few longer sentences are not used here; the released figures cover every sentence.
BUCKETS = (
    (8, 14),
    (12, 20),
    (16, 26),
    (20, 32),
    (24, 38),
    (28, 44),
    (34, 52),
    (42, 64),
    (52, 80),
    (68, 104),
    (90, 140),
    (150, 250),
)
LONGEST_WORDS, LONGEST_PIECES = BUCKETS[-1]

_WORD_TABLES = ("first", "last", "upos", "xpos", "feats", "head", "deprel", "entity", "kind")
_MISSING = {"upos": 255, "xpos": 255, "feats": 65535, "head": 65535, "deprel": 255, "entity": 255, "kind": 255}


@dataclass(frozen=True, slots=True)
class Batch:
    """Word axis: position 0 is the root. Gold labels are -100 where the source does not say."""

    subwords: Tensor
    shapes: Tensor
    mask: Tensor
    word_of: Tensor  # [B, S] the word of a subword, 0 for special subwords
    first: Tensor
    last: Tensor
    upos: Tensor
    xpos: Tensor
    feats: Tensor
    head: Tensor
    deprel: Tensor
    entity: Tensor
    kind: Tensor
    length: Tensor
    has_tree: Tensor  # 1 or 0
    span_first: Tensor  # 0-based words
    span_last: Tensor
    span_label: Tensor  # -100 for padding

    def replaced(self, subwords: Tensor, shapes: Tensor) -> Batch:
        return replace(self, subwords=subwords, shapes=shapes)


class Corpus:
    def __init__(self, arrays: dict[str, np.ndarray], labels: dict[str, Any], device: torch.device) -> None:
        self.labels = labels
        self.device = device
        self.no_label = labels["constituent"].index("")
        kinds = sorted({label.split(":")[0] for label in labels["deprel"]})
        self.coarse_deprel = torch.tensor(
            [kinds.index(label.split(":")[0]) for label in labels["deprel"]], device=device
        )
        self._fill(arrays)

    @classmethod
    def load(cls, prepared: Path, device: torch.device) -> Corpus:
        with np.load(prepared / "data.npz") as file:
            arrays = {name: file[name] for name in file.files}
        return cls(arrays, json.loads((prepared / "labels.json").read_text(encoding="utf-8")), device)

    def _fill(self, arrays: dict[str, np.ndarray]) -> None:
        words = arrays["length"].astype(np.int64)
        word_start = np.concatenate([[0], np.cumsum(words)])
        piece_start = np.concatenate([[0], np.cumsum(arrays["count"].astype(np.int64))])
        span_start = np.concatenate([[0], np.cumsum(arrays["spans"].astype(np.int64))])
        pieces = np.diff(piece_start[word_start]) + 2
        kept = np.flatnonzero((words <= LONGEST_WORDS) & (pieces <= LONGEST_PIECES))
        self._words, self._pieces = words[kept], pieces[kept]
        self._row_of = np.full(len(words), -1, np.int64)
        self._row_of[kept] = np.arange(len(kept))
        self._source = arrays["source"][kept]
        self._spans = arrays["spans"].astype(np.int64)[kept]
        count = len(kept)
        tables = {name: np.zeros((count, self._pieces.max()), np.int32) for name in ("subwords", "shapes")}
        tables["word_of"] = np.full((count, self._pieces.max()), -1, np.int32)
        for name in _WORD_TABLES:
            tables[name] = np.full((count, self._words.max() + 1), 0 if name in ("first", "last") else -100, np.int32)
        for name in ("span_first", "span_last", "span_label"):
            # A binary tree over n words has 2n - 1 nodes.
            tables[name] = np.full(
                (count, 2 * int(self._words.max()) - 1), -100 if name == "span_label" else 0, np.int16
            )
        for row, index in enumerate(kept):
            start, end = word_start[index], word_start[index + 1]
            n, s = end - start, self._pieces[row]
            counts = arrays["count"][start:end].astype(np.int64)
            tables["subwords"][row, :s] = [
                START_PIECE,
                *arrays["piece"][piece_start[start] : piece_start[end]],
                END_PIECE,
            ]
            tables["shapes"][row, 1 : s - 1] = np.repeat(arrays["shape"][start:end], counts)
            tables["word_of"][row, :s] = 0
            tables["word_of"][row, 1 : s - 1] = np.repeat(np.arange(1, n + 1), counts)
            tables["last"][row, 1 : n + 1] = np.cumsum(counts)
            tables["first"][row, 1 : n + 1] = 1 + np.cumsum(counts) - counts
            for name, missing in _MISSING.items():
                values = arrays[name][start:end].astype(np.int64)
                tables[name][row, 1 : n + 1] = np.where(values == missing, -100, values)
            if self._spans[row]:
                spans = slice(span_start[index], span_start[index + 1])
                for name in ("span_first", "span_last", "span_label"):
                    tables[name][row, : self._spans[row]] = arrays[name][spans]
        tables["length"] = self._words[:, None].astype(np.int32)
        tables["has_tree"] = (self._spans > 0)[:, None].astype(np.int32)
        fits = [(self._words <= words) & (self._pieces <= pieces) for words, pieces in BUCKETS]
        self._bucket = np.argmax(np.stack(fits), axis=0)
        self._tables = {name: torch.from_numpy(table).to(self.device) for name, table in tables.items()}

    @property
    def lengths(self) -> np.ndarray:
        """Words of every row."""
        return self._words

    def row_of(self, sentences: np.ndarray, bucket: int) -> np.ndarray:
        """The rows of prepared sentences; -1 for one that does not fit into batches of this shape."""
        rows = self._row_of[sentences]
        return np.where((rows >= 0) & (self._bucket[rows] <= bucket), rows, -1)

    def batches(self, sources: Sequence[str], words: int, seed: int | None) -> Iterator[tuple[int, Tensor]]:
        """All sentences of the sources as (bucket, row numbers).

        With a seed they are shuffled and every batch of a bucket has the same number of rows; what is left over waits
        for another epoch.
        """
        wanted = [self.labels["sources"].index(source) for source in sources]
        chosen = np.flatnonzero(np.isin(self._source, wanted))
        random = np.random.default_rng(seed)
        groups: list[tuple[int, np.ndarray]] = []
        for bucket, (longest, _) in enumerate(BUCKETS):
            rows = chosen[self._bucket[chosen] == bucket]
            size = max(2, words // longest)
            if seed is not None:
                random.shuffle(rows)
                # A bucket with fewer sentences than a batch would never be seen: it is filled up by repetition.
                rows = np.resize(rows, max(size, len(rows) // size * size)) if len(rows) else rows
            groups += [(bucket, rows[start : start + size]) for start in range(0, len(rows), size)]
        order = random.permutation(len(groups)) if seed is not None else range(len(groups))
        for number in order:
            bucket, rows = groups[number]
            yield bucket, torch.from_numpy(rows).to(self.device, non_blocking=True)

    def cut(self, bucket: int, rows: Tensor) -> Batch:
        """The batch of these rows; runs on the device alone, so it can be part of a recorded step."""
        words, pieces = BUCKETS[bucket]

        def take(name: str, width: int) -> Tensor:
            return self._tables[name][:, :width].index_select(0, rows).long()

        word_of = take("word_of", pieces)
        return Batch(
            take("subwords", pieces),
            take("shapes", pieces),
            (word_of >= 0).float(),
            word_of.clamp(min=0),
            *(take(name, words + 1) for name in _WORD_TABLES),
            take("length", 1)[:, 0],
            take("has_tree", 1)[:, 0].float(),
            *(take(name, 2 * words - 1) for name in ("span_first", "span_last", "span_label")),
        )
