"""Prepared arrays as padded batches, with everything kept on the device."""

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
LONGEST = 160  # words; the few longer sentences are not trained on


@dataclass(frozen=True, slots=True)
class Batch:
    """Word axis: position 0 is the root. Gold labels are -100 where the source does not say."""

    subwords: Tensor
    shapes: Tensor
    mask: Tensor
    word_of: Tensor  # [B, S] the word of a piece, 0 for special pieces
    first: Tensor
    last: Tensor
    length: Tensor
    upos: Tensor
    xpos: Tensor
    feats: Tensor
    head: Tensor
    deprel: Tensor
    entity: Tensor
    tree_rows: Tensor  # the rows that have a tree; the span tensors have one row for each of these
    span_first: Tensor
    span_last: Tensor
    span_label: Tensor

    def replaced(self, subwords: Tensor, shapes: Tensor) -> Batch:
        return replace(self, subwords=subwords, shapes=shapes)


class Corpus:
    def __init__(self, arrays: dict[str, np.ndarray], labels: dict[str, Any]) -> None:
        self.arrays = arrays
        self.labels = labels
        self.no_label = labels["constituent"].index("")
        kinds = sorted({label.split(":")[0] for label in labels["deprel"]})
        self.coarse_deprel = torch.tensor([kinds.index(label.split(":")[0]) for label in labels["deprel"]])
        self._word_start = np.concatenate([[0], np.cumsum(arrays["length"].astype(np.int64))])
        self._piece_start = np.concatenate([[0], np.cumsum(arrays["count"].astype(np.int64))])
        self._span_start = np.concatenate([[0], np.cumsum(arrays["spans"].astype(np.int64))])
        self._made: dict[int, dict[str, np.ndarray]] = {}

    @classmethod
    def load(cls, prepared: Path) -> Corpus:
        with np.load(prepared / "data.npz") as file:
            arrays = {name: file[name] for name in file.files}
        return cls(arrays, json.loads((prepared / "labels.json").read_text(encoding="utf-8")))

    def batches(self, sources: Sequence[str], words: int, seed: int | None, device: torch.device) -> Iterator[Batch]:
        """All sentences of the sources once, in batches of similar length; shuffled when there is a seed."""
        wanted = [self.labels["sources"].index(source) for source in sources]
        lengths = self.arrays["length"].astype(np.int64)
        chosen = np.flatnonzero(np.isin(self.arrays["source"], wanted) & (lengths <= (LONGEST if seed is not None else 400)))
        key = lengths[chosen].astype(np.float64)
        random = np.random.default_rng(seed)
        if seed is not None:
            key = key * random.uniform(0.9, 1.1, len(key)) + random.uniform(-2, 2, len(key))
        groups: list[list[int]] = [[]]
        total = 0
        for index in chosen[np.argsort(key, kind="stable")].tolist():
            if groups[-1] and total + lengths[index] > words:
                groups.append([])
                total = 0
            groups[-1].append(index)
            total += int(lengths[index])
        if seed is not None:
            random.shuffle(groups)
        for group in groups:
            if group:
                yield self._batch(group, device)

    def _batch(self, group: list[int], device: torch.device) -> Batch:
        rows = [self._row(index) for index in group]
        pieces = max(len(row["subwords"]) for row in rows)
        words = max(len(row["first"]) for row in rows)

        def stack(name: str, width: int, fill: int) -> Tensor:
            table = np.full((len(rows), width), fill, np.int64)
            for number, row in enumerate(rows):
                table[number, : len(row[name])] = row[name]
            return torch.from_numpy(table)

        trees = [number for number, row in enumerate(rows) if len(row["span_first"])]
        spans = max((len(rows[number]["span_first"]) for number in trees), default=0)

        def stack_spans(name: str, fill: int) -> Tensor:
            table = np.full((len(trees), spans), fill, np.int64)
            for number, tree in enumerate(trees):
                table[number, : len(rows[tree][name])] = rows[tree][name]
            return torch.from_numpy(table)

        word_of = stack("word_of", pieces, -1)
        tensors = (
            stack("subwords", pieces, 0),
            stack("shapes", pieces, 0),
            (word_of >= 0).float(),
            word_of.clamp(min=0),
            stack("first", words, 0),
            stack("last", words, 0),
            torch.tensor([len(row["first"]) - 1 for row in rows]),
            *(stack(name, words, -100) for name in ("upos", "xpos", "feats", "head", "deprel", "entity")),
            torch.tensor(trees, dtype=torch.int64),
            stack_spans("span_first", 0),
            stack_spans("span_last", 0),
            stack_spans("span_label", -1),
        )
        if device.type == "cuda":
            return Batch(*(tensor.pin_memory().to(device, non_blocking=True) for tensor in tensors))
        return Batch(*tensors)

    def _row(self, index: int) -> dict[str, np.ndarray]:
        made = self._made.get(index)
        if made is None:
            made = self._made[index] = self._make_row(index)
        return made

    def _make_row(self, index: int) -> dict[str, np.ndarray]:
        start, end = self._word_start[index], self._word_start[index + 1]
        counts = self.arrays["count"][start:end].astype(np.int64)
        pieces = self.arrays["piece"][self._piece_start[start] : self._piece_start[end]]
        word_of = np.concatenate([[0], np.repeat(np.arange(1, len(counts) + 1), counts), [0]])
        first = np.concatenate([[0], 1 + np.cumsum(counts) - counts])
        row = {
            "subwords": np.concatenate([[START_PIECE], pieces, [END_PIECE]]),
            "shapes": np.concatenate([[0], np.repeat(self.arrays["shape"][start:end], counts), [0]]),
            "word_of": word_of,
            "first": first,
            "last": np.concatenate([[0], np.cumsum(counts)]),
        }
        for name, missing in (("upos", 255), ("xpos", 255), ("feats", 65535), ("head", 65535), ("deprel", 255), ("entity", 255)):
            values = self.arrays[name][start:end].astype(np.int64)
            row[name] = np.concatenate([[-100], np.where(values == missing, -100, values)])
        spans = slice(self._span_start[index], self._span_start[index + 1])
        for name in ("span_first", "span_last", "span_label"):
            row[name] = self.arrays[name][spans].astype(np.int64)
        return row
