"""The arrays of `prepare` on the device, and batches of documents as the pair network reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

START_PIECE, END_PIECE, MASK_PIECE = 101, 102, 103
REDOCRED, FEWREL, KNOWLEDGENET, WEBNLG, SILVER = range(5)


class Embeddings:
    """The published table of pieces, rounded as the package ships it, and never trained."""

    def __init__(self, path: Path, device: torch.device) -> None:
        stored = np.load(path)
        self.weights = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files}
        table = self.weights["embeddings.word_embeddings.weight"]
        steps = (table.abs().amax(dim=1, keepdim=True) / 127).clamp(min=1e-12)
        self.table = ((table / steps).round() * steps).to(device)
        self.places = self.weights["embeddings.position_embeddings.weight"].to(device)
        self.segment = self.weights["embeddings.token_type_embeddings.weight"][0].to(device)
        self.norm = [self.weights[f"embeddings.LayerNorm.{kind}"].to(device) for kind in ("weight", "bias")]

    def __call__(self, pieces: Tensor) -> Tensor:
        summed = self.table[pieces] + self.segment + self.places[: pieces.shape[1]]
        return functional.layer_norm(summed, summed.shape[-1:], *self.norm, eps=1e-12)

    def at_start(self) -> Tensor:
        """Every piece as it looks in the first place, [vocabulary, width]."""
        summed = self.table + self.segment + self.places[0]
        return functional.layer_norm(summed, summed.shape[-1:], *self.norm, eps=1e-12)


@dataclass(slots=True)
class Batch:
    pieces: Tensor
    marks: Tensor
    shapes: Tensor
    mask: Tensor
    pool: Tensor
    members: Tensor
    types: Tensor
    near: Tensor
    often: Tensor
    order: Tensor
    # [batch, entities, entities]: is anything known about the pair?
    known: Tensor
    # Batch, head, tail and relation of every fact.
    facts: tuple[Tensor, Tensor, Tensor, Tensor]
    rows: np.ndarray[Any, Any]
    # Are the facts all that there are? Not where nobody labelled them.
    gold_known: bool = True

    def inputs(self, embeddings: Callable[[Tensor], Tensor]) -> tuple[Tensor, ...]:
        return (
            embeddings(self.pieces),
            self.marks,
            self.shapes,
            self.mask,
            self.pool,
            self.members,
            self.types,
            self.near,
            self.often,
            self.order,
        )

    def gold(self, relations: int) -> Tensor:
        """[batch, entities, entities, relations]."""
        count = self.members.shape[1]
        table = torch.zeros(len(self.members), count, count, relations, device=self.members.device)
        table[self.facts] = 1.0
        return table


def nearness(sentences_apart: int) -> int:
    return sentences_apart if sentences_apart < 3 else 3 if sentences_apart < 5 else 4


def layout(
    mentions: list[tuple[int, int, int]], sentence: np.ndarray[Any, Any], entities: int
) -> tuple[list[list[int]], np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Mentions of each entity (from 1), how near pairs come, how often entities occur, who comes first."""
    members: list[list[int]] = [[] for _ in range(entities)]
    lines: list[set[int]] = [set() for _ in range(entities)]
    first = [10_000] * entities
    for number, (start, _, entity) in enumerate(mentions, start=1):
        members[entity].append(number)
        lines[entity].add(int(sentence[start]))
        first[entity] = min(first[entity], start)
    near = np.full((entities, entities), 5, np.int64)
    order = np.zeros((entities, entities), np.int64)
    for a in range(entities):
        for b in range(entities):
            if lines[a] and lines[b]:
                near[a, b] = nearness(min(abs(x - y) for x in lines[a] for y in lines[b]))
                order[a, b] = int(first[a] < first[b])
    often = np.array([min(len(numbers), 4) for numbers in members], np.int64)
    return members, near, often, order


class Documents:
    def __init__(self, folder: Path, device: torch.device, *, sources: tuple[int, ...] | None = None) -> None:
        stored = np.load(folder / "pairs.npz")
        flat = {name: stored[name].astype(np.int64) for name in stored.files}
        self.tables = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
        self.device, self.flat = device, flat
        self.source, self.part, self.length = flat["source"], flat["part"], flat["length"] + 2
        self.first = {
            name: np.concatenate(([0], np.cumsum(flat[name]))) for name in ("length", "entities", "mentions", "facts")
        }
        self._layouts: dict[int, Any] = {}

    def of(self, source: int, part: int | None = None) -> np.ndarray[Any, Any]:
        chosen = self.source == source
        return np.flatnonzero(chosen & (self.part == part) if part is not None else chosen)

    def _layout(self, row: int) -> Any:
        if row not in self._layouts:
            a, b = self.first["mentions"][row : row + 2]
            mentions = list(zip(*(self.flat[name][a:b].tolist() for name in ("start", "end", "entity")), strict=True))
            p, q = self.first["length"][row : row + 2]
            self._layouts[row] = (
                mentions,
                layout(mentions, self.flat["sentence"][p:q], int(self.flat["entities"][row])),
            )
        return self._layouts[row]

    def batch(self, rows: np.ndarray[Any, Any]) -> Batch:
        """Padded arrays of some documents."""
        size, length = len(rows), int(self.length[rows].max())
        count = int(self.flat["entities"][rows].max())
        most_mentions = max(1, int(self.flat["mentions"][rows].max()))
        layouts = [self._layout(int(row)) for row in rows]
        most = max(1, max((len(numbers) for _, (members, *_) in layouts for numbers in members), default=1))
        pieces, shapes = np.zeros((size, length), np.int64), np.zeros((size, length), np.int64)
        marks, mask = np.zeros((size, length), np.int64), np.zeros((size, length), np.float32)
        pool = np.zeros((size, most_mentions, length), np.float32)
        members = np.zeros((size, count, most), np.int64)
        types, often = np.zeros((size, count), np.int64), np.zeros((size, count), np.int64)
        near, order = np.full((size, count, count), 5, np.int64), np.zeros((size, count, count), np.int64)
        known = np.zeros((size, count, count), bool)
        facts: list[tuple[int, int, int, int]] = []
        for i, row in enumerate(rows.tolist()):
            p, q = self.first["length"][row : row + 2]
            pieces[i, : q - p + 2] = [START_PIECE, *self.flat["pieces"][p:q], END_PIECE]
            shapes[i, 1 : q - p + 1] = self.flat["shapes"][p:q]
            mask[i, : q - p + 2] = 1
            mentions, (numbers, closeness, frequency, before) = layouts[i]
            here = len(numbers)
            e = self.first["entities"][row]
            kinds = self.flat["type"][e : e + here]
            types[i, :here], often[i, :here] = kinds + 1, frequency
            near[i, :here, :here], order[i, :here, :here] = closeness, before
            for number, (start, end, entity) in enumerate(mentions):
                pool[i, number, start + 1 : end + 1] = 1 / (end - start)
                marks[i, start + 1 : end + 1] = 2 + 2 * kinds[entity]
                marks[i, start + 1] = 1 + 2 * kinds[entity]
            for entity, own in enumerate(numbers):
                members[i, entity, : len(own)] = own
            f, g = self.first["facts"][row : row + 2]
            for head, tail, relation in zip(
                *(self.flat[name][f:g].tolist() for name in ("head", "tail", "relation")), strict=True
            ):
                facts.append((i, head, tail, relation))
                if self.source[row] in (FEWREL, KNOWLEDGENET):
                    known[i, head, tail] = True
            if self.source[row] in (REDOCRED, WEBNLG, SILVER):
                known[i, :here, :here] = ~np.eye(here, dtype=bool)

        def put(array: np.ndarray[Any, Any]) -> Tensor:
            return torch.from_numpy(array).to(self.device, non_blocking=True)

        columns = np.array(facts, np.int64).reshape(-1, 4).T.copy()
        return Batch(
            put(pieces),
            put(marks),
            put(shapes),
            put(mask),
            put(pool),
            put(members),
            put(types),
            put(near),
            put(often),
            put(order),
            put(known),
            tuple(put(column) for column in columns),
            rows,
        )

    def batches(
        self, rows: np.ndarray[Any, Any], size: int, random: np.random.Generator | None, *, window: int = 8
    ) -> Iterator[Batch]:
        """Documents of about the same length together; shuffled where `random` is given."""
        order = rows if random is None else random.permutation(rows)
        groups = []
        for start in range(0, len(order), size * window):
            near = order[start : start + size * window]
            near = near[np.argsort(self.length[near], kind="stable")]
            groups += [near[i : i + size] for i in range(0, len(near), size)]
        for index in range(len(groups)) if random is None else random.permutation(len(groups)):
            yield self.batch(groups[index])
