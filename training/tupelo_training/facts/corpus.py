"""The arrays of `prepare` on the device, and batches of documents as the pair network reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tupelo.factmodels.pairs import KINDS, alike
from tupelo_training.weights import read_weights, tensors

START_PIECE, END_PIECE, MASK_PIECE = 101, 102, 103
REDOCRED, FEWREL, KNOWLEDGENET, SILVER = range(4)
# Lengths are padded to a multiple of this.
EVEN = 8
# A word of which the tag is not known or not asked for: no word begins here.
NO_TAG = -100


class Embeddings:
    """The published table of pieces, rounded as the package ships it, and never trained."""

    def __init__(self, path: Path, device: torch.device) -> None:
        self.weights = tensors(read_weights(path))
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
    # [batch, mentions, mentions]: how alike two mentions are.
    alike: Tensor
    # [batch, pieces]: the tag of the word that begins here.
    tags: Tensor
    # [batch, mentions]: the entity of a mention, -1 where there is none.
    entity: Tensor
    # [batch, entities, entities]: is anything known about the pair?
    known: Tensor
    # Batch, head, tail and relation of every fact.
    facts: tuple[Tensor, ...]
    rows: NDArray[Any]

    def inputs(self, embeddings: Callable[[Tensor], Tensor]) -> tuple[Tensor, ...]:
        names = ("marks", "shapes", "mask", "pool", "members", "types", "near", "often", "order", "alike")
        return (embeddings(self.pieces), *(getattr(self, name) for name in names))

    def gold(self, relations: int) -> Tensor:
        """[batch, entities, entities, relations]."""
        count = self.members.shape[1]
        table = torch.zeros(len(self.members), count, count, relations, device=self.members.device)
        table[self.facts] = 1.0
        return table

    @property
    def linkable(self) -> Tensor:
        """[batch, mentions, mentions]: two different mentions."""
        there = self.entity >= 0
        return (there[:, :, None] & there[:, None]).triu(1)


def nearness(sentences_apart: int) -> int:
    return sentences_apart if sentences_apart < 3 else 3 if sentences_apart < 5 else 4


@dataclass(slots=True)
class Item:
    """One document as it goes into a batch; `begins` are the places of the first pieces of its words."""

    pieces: NDArray[np.int64]
    shapes: NDArray[np.int64]
    begins: NDArray[np.int64]
    tags: NDArray[np.int64]
    sentence: NDArray[np.int64]
    mentions: NDArray[np.int64]
    kinds: NDArray[np.int64]
    facts: NDArray[np.int64]
    marks: NDArray[np.int64]
    pool: NDArray[np.float32]
    members: NDArray[np.int64]
    near: NDArray[np.int64]
    often: NDArray[np.int64]
    order: NDArray[np.int64]
    alike: NDArray[np.int64]


class Documents:
    def __init__(self, folder: Path, device: torch.device) -> None:
        stored = np.load(folder / "pairs.npz")
        flat = {name: stored[name].astype(np.int64) for name in stored.files}
        self.tables = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
        self.words: list[list[str]] = self.tables["words"]
        self.device, self.flat = device, flat
        self.source, self.part, self.length = flat["source"], flat["part"], flat["length"] + 2
        self.first = {
            name: np.concatenate(([0], np.cumsum(flat[name]))) for name in ("length", "entities", "mentions", "facts")
        }
        self._items: dict[int, Item] = {}

    def of(self, source: int, part: int | None = None) -> NDArray[Any]:
        chosen = self.source == source
        return np.flatnonzero(chosen & (self.part == part) if part is not None else chosen)

    def item(self, row: int) -> Item:
        if row not in self._items:
            a, b = self.first["mentions"][row : row + 2]
            e, g = self.first["entities"][row : row + 2]
            f, h = self.first["facts"][row : row + 2]
            self._items[row] = self._made(
                row,
                np.stack([self.flat[name][a:b] for name in ("start", "end", "entity")], axis=1),
                self.flat["type"][e:g],
                np.stack([self.flat[name][f:h] for name in ("head", "tail", "relation")], axis=1),
            )
        return self._items[row]

    def replace(self, row: int, mentions: Sequence[tuple[int, int, int]], kinds: Sequence[str]) -> None:
        """Gives a document other mentions (first piece, last piece + 1, entity) and entities of these types."""
        numbers = np.array([KINDS.index(kind) + 1 for kind in kinds], np.int64)
        placed = np.array(mentions, np.int64).reshape(-1, 3)
        self._items[row] = self._made(row, placed, numbers, np.zeros((0, 3), np.int64))

    def _made(self, row: int, mentions: NDArray[Any], kinds: NDArray[Any], facts: NDArray[Any]) -> Item:
        p, q = self.first["length"][row : row + 2]
        pieces, sentence = self.flat["pieces"][p:q], self.flat["sentence"][p:q]
        begins = np.flatnonzero(self.flat["begins"][p:q])
        length, count = len(pieces), len(kinds)
        members: list[list[int]] = [[] for _ in range(count)]
        lines: list[set[int]] = [set() for _ in range(count)]
        first = np.full(count, 10_000)
        marks, pool = np.zeros(length, np.int64), np.zeros((len(mentions), length), np.float32)
        word = np.searchsorted(begins, np.arange(length + 1), side="right") - 1
        named = []
        for number, (start, end, entity) in enumerate(mentions.tolist()):
            members[entity].append(number + 1)
            lines[entity].add(int(sentence[start]))
            first[entity] = min(first[entity], start)
            pool[number, start:end] = 1 / (end - start)
            marks[start:end] = 2 + 2 * kinds[entity]
            marks[start] = 1 + 2 * kinds[entity]
            kind = KINDS[max(int(kinds[entity]) - 1, 0)]
            named.append((self.words[row][word[start] : word[end - 1] + 1], kind))
        near = np.full((count, count), 5, np.int64)
        for a in range(count):
            for b in range(a + 1):
                if lines[a] and lines[b]:
                    near[a, b] = near[b, a] = nearness(min(abs(x - y) for x in lines[a] for y in lines[b]))
        table = np.zeros((count, max([1, *map(len, members)])), np.int64)
        for entity, own in enumerate(members):
            table[entity, : len(own)] = own
        is_tagged = self.source[row] == REDOCRED
        return Item(
            pieces,
            self.flat["shapes"][p:q],
            begins,
            self.flat["tag"][p:q][begins] if is_tagged else np.full(len(begins), NO_TAG),
            sentence,
            mentions,
            kinds,
            facts,
            marks,
            pool,
            table,
            near,
            np.minimum(np.array([len(own) for own in members], np.int64), 4),
            (first[:, None] < first[None, :]).astype(np.int64),
            alike(named) if is_tagged or self.source[row] == SILVER else np.zeros((len(named),) * 2, np.int64),
        )

    def batch(self, rows: NDArray[Any]) -> Batch:
        """Padded arrays of some documents."""
        items = [self.item(int(row)) for row in rows]
        size = len(items)
        length = -(-(max(len(item.pieces) for item in items) + 2) // EVEN) * EVEN
        count = max(1, *(len(item.kinds) for item in items))
        most = max(1, *(len(item.mentions) for item in items))
        wide = max(item.members.shape[1] for item in items)
        made: dict[str, NDArray[Any]] = {
            **{name: np.zeros((size, length), np.int64) for name in ("pieces", "marks", "shapes")},
            "mask": np.zeros((size, length), np.float32),
            "pool": np.zeros((size, most, length), np.float32),
            "members": np.zeros((size, count, wide), np.int64),
            **{name: np.zeros((size, count), np.int64) for name in ("types", "often")},
            "near": np.full((size, count, count), 5, np.int64),
            "order": np.zeros((size, count, count), np.int64),
            "alike": np.zeros((size, most, most), np.int64),
            "tags": np.full((size, length), NO_TAG, np.int64),
            "entity": np.full((size, most), -1, np.int64),
            "known": np.zeros((size, count, count), bool),
        }
        facts: list[NDArray[Any]] = [np.zeros((0, 4), np.int64)]
        for i, (row, item) in enumerate(zip(rows.tolist(), items, strict=True)):
            end, here, said = len(item.pieces) + 1, len(item.kinds), len(item.mentions)
            made["pieces"][i, 0], made["pieces"][i, end] = START_PIECE, END_PIECE
            made["mask"][i, : end + 1] = 1
            for name in ("pieces", "marks", "shapes"):
                made[name][i, 1:end] = getattr(item, name)
            made["tags"][i, item.begins + 1] = item.tags
            made["pool"][i, :said, 1:end] = item.pool
            made["alike"][i, :said, :said] = item.alike
            made["entity"][i, :said] = item.mentions[:, 2]
            made["members"][i, :here, : item.members.shape[1]] = item.members
            made["types"][i, :here], made["often"][i, :here] = item.kinds + 1, item.often
            made["near"][i, :here, :here], made["order"][i, :here, :here] = item.near, item.order
            facts.append(np.concatenate([np.full((len(item.facts), 1), i), item.facts], axis=1))
            if self.source[row] in (FEWREL, KNOWLEDGENET):
                made["known"][i, item.facts[:, 0], item.facts[:, 1]] = True
            else:
                made["known"][i, :here, :here] = ~np.eye(here, dtype=bool)
        put: Mapping[str, Tensor] = {
            name: torch.from_numpy(array).to(self.device, non_blocking=True) for name, array in made.items()
        }
        columns = torch.from_numpy(np.concatenate(facts).T.copy()).to(self.device)
        named = {field.name: put[field.name] for field in fields(Batch) if field.name in put}
        return Batch(**named, facts=tuple(columns), rows=rows)

    def batches(
        self, rows: NDArray[Any], size: int, random: np.random.Generator | None, *, window: int = 8
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
