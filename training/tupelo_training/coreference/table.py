"""Prepared documents as tables: candidates, answers, vectors of the frozen encoder, rows of subwords."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tupelo.nlp.mentions import CANDIDATES, CLASSES, FEATURES, Mentions
from tupelo_training.coreference import SOURCES
from tupelo_training.coreference.frozen import FrozenEncoder
from tupelo_training.parser.batches import END_PIECE, START_PIECE
from tupelo_training.parser.chains import REFERS
from tupelo_training.parser.documents import Document, answers

MENTIONS, ROW, ROWS, PIECES = 320, 512, 6, 1700
# What a row repeats of the text before, in subwords.
BEFORE = 128
PRONOUNS = tuple(CLASSES.index(name) for name in ("he", "she", "it", "they"))
LONGEST = 256
_BITS = -(-FEATURES // 8)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Subwords and shapes of a sentence, and the first and last subword of each word; two special ones around."""

    pieces: np.ndarray
    shapes: np.ndarray
    first: np.ndarray
    last: np.ndarray


@dataclass(frozen=True, slots=True)
class Part:
    """Some sentences of a document; its mentions are those from `start` on of all documents."""

    number: int
    document: Document
    first: int
    start: int


class Documents:
    """All documents of a file, and what is measured on some."""

    def __init__(self, path: Path, most: int | None = None) -> None:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        self.measured: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
        word_ends, piece_ends = np.cumsum(arrays["words"]), np.cumsum(arrays["pieces"].astype(np.int64))
        self.sentences: list[Sentence] = []
        for end, size in zip(word_ends.tolist(), arrays["words"].tolist(), strict=True):
            counts = arrays["pieces"][end - size : end].astype(np.int64)
            stop = int(piece_ends[end - 1]) if size else 0
            last = np.cumsum(counts)
            self.sentences.append(
                Sentence(
                    arrays["piece"][stop - int(counts.sum()) : stop].astype(np.int64),
                    np.repeat(arrays["shape"][end - size : end], counts).astype(np.int64),
                    np.concatenate([[0], 1 + last - counts]),
                    np.concatenate([[0], last]),
                )
            )
        self.documents: list[Document] = []
        sentence = mention = 0
        self.starts: list[int] = []
        for number, source in enumerate(arrays["source"].tolist()):
            size, own = int(arrays["sentences"][number]), int(arrays["mentions"][number])
            columns = {
                one.name: arrays[one.name][mention : mention + own].astype(np.int64) for one in fields(Mentions)
            }
            entity, purpose = (arrays[name][mention : mention + own] for name in ("entity", "purpose"))
            rows = np.arange(sentence, sentence + size)
            self.documents.append(
                Document(SOURCES[source], rows, Mentions(**columns), entity.astype(np.int64), purpose)
            )
            self.starts.append(mention)
            sentence, mention = sentence + size, mention + own
        self.mentions = mention
        if most is not None:
            kept: dict[str, int] = {}
            chosen = []
            for number, one in enumerate(self.documents):
                kept[one.source] = kept.get(one.source, 0) + 1
                if kept[one.source] <= most:
                    chosen.append(number)
            self.chosen = chosen
        else:
            self.chosen = list(range(len(self.documents)))

    def parts(self, sources: Sequence[str], *, whole: bool = False) -> Iterator[Part]:
        """Documents in parts that fit into a table, or whole."""
        for number in self.chosen:
            document = self.documents[number]
            if document.source not in sources:
                continue
            count = np.bincount(document.mentions.sentence, minlength=len(document.rows))
            before = np.concatenate([[0], np.cumsum(count)])
            first = found = pieces = 0
            for place, row in enumerate(document.rows):
                length = min(len(self.sentences[row].pieces), ROW - 2)
                full = found + count[place] > MENTIONS or pieces + length > PIECES
                if full and place > first and not whole:
                    yield Part(number, document.part(first, place), first, self.starts[number] + int(before[first]))
                    first, found, pieces = place, 0, 0
                found, pieces = found + int(count[place]), pieces + length
            if first < len(document.rows):
                last = document.part(first, len(document.rows)) if first else document
                yield Part(number, last, first, self.starts[number] + int(before[first]))

    def chunks(self, part: Part) -> list[tuple[list[int], set[int]]]:
        """The sentences of each row of subwords, and those that are read there; others are repeated as context."""
        rows = self.documents[part.number].rows
        found: list[tuple[list[int], set[int]]] = []
        size = 0
        for place in range(part.first, part.first + len(part.document.rows)):
            length = min(len(self.sentences[rows[place]].pieces), ROW - 2)
            if not found or size + length > ROW - 2:
                context, size = [], length
                room = min(BEFORE, ROW - 2 - length)
                for earlier in range(place - 1, -1, -1):
                    own = len(self.sentences[rows[earlier]].pieces)
                    if own > room:
                        break
                    context.insert(0, earlier)
                    room, size = room - own, size + own
                found.append(([*context, place], {place}))
            else:
                found[-1][0].append(place)
                found[-1][1].add(place)
                size += length
        return found


def grouped(documents: Documents, parts: Sequence[Part]) -> list[list[tuple[Part, list[Any]]]]:
    """Parts side by side, so many as fit."""
    groups: list[list[tuple[Part, list[Any]]]] = []
    mentions = pieces = 0
    for part in parts:
        chunks = documents.chunks(part)
        rows = documents.documents[part.number].rows
        own = sum(2 + sum(len(documents.sentences[rows[s]].pieces) for s in chunk) for chunk, _ in chunks)
        count = len(part.document.mentions)
        if not count:
            continue
        # Rows are never filled to the end: some room is left.
        fits = groups and mentions + count <= MENTIONS and pieces + own <= (ROWS - 1) * ROW
        if not fits:
            groups.append([])
            mentions = pieces = 0
        groups[-1].append((part, chunks))
        mentions, pieces = mentions + count, pieces + own
    return groups


def _packed(part: Part) -> tuple[np.ndarray, ...]:
    found = answers(part.document)
    return found.pairs, np.packbits(found.features, axis=-1), found.open, found.right, found.learnt, found.alone


@dataclass(frozen=True, slots=True)
class Batch:
    """Groups of parts: `pairs[b, m, c]` and so on, with what both networks read."""

    index: Tensor
    kinds: Tensor
    document: Tensor
    pairs: Tensor
    packed: Tensor
    there: Tensor
    open: Tensor
    right: Tensor
    learnt: Tensor
    alone: Tensor
    pieces: Tensor
    places: Tensor
    shapes: Tensor
    segment: Tensor
    first: Tensor
    last: Tensor
    refers: Tensor

    @property
    def features(self) -> Tensor:
        bits = torch.arange(7, -1, -1, device=self.packed.device, dtype=torch.uint8)
        return ((self.packed[..., None] >> bits) & 1).flatten(-2)[..., :FEATURES].float()

    @property
    def rest(self) -> tuple[Tensor, ...]:
        return self.kinds.long(), self.document, self.pairs.long(), self.features

    @property
    def text(self) -> tuple[Tensor, ...]:
        return tuple(x.flatten(0, 1).long() for x in (self.pieces, self.places, self.shapes, self.segment))

    @property
    def ends(self) -> tuple[Tensor, Tensor]:
        """Places of the first and the last subword of each mention's head among all subwords of the batch."""
        size = self.pieces.shape[1] * self.pieces.shape[2]
        offset = torch.arange(len(self.first), device=self.first.device)[:, None] * size
        return self.first + offset, self.last + offset


class Tables:
    """Groups of parts: made by several processes before anything is on the device, and put there by `move`."""

    def __init__(
        self, documents: Documents, sources: Sequence[str], *, whole: bool = False, processes: int = 1
    ) -> None:
        self.groups = grouped(documents, list(documents.parts(sources, whole=whole)))
        self.count, self._whole = len(self.groups), whole
        parts = [part for group in self.groups for part, _ in group]
        if processes > 1:
            with get_context("fork").Pool(processes) as pool:
                found = pool.map(_packed, parts, chunksize=8)
        else:
            found = list(map(_packed, parts))
        known = iter(found)
        self._tables = [
            {name: torch.from_numpy(value) for name, value in _table(documents, group, known).items()}
            for group in self.groups
        ]
        self._stacked: dict[str, Tensor] = {}

    def move(self, device: torch.device) -> None:
        if self._whole:
            self._tables = [{name: value.to(device) for name, value in one.items()} for one in self._tables]
        elif self._tables:
            self._stacked = {
                name: torch.stack([one[name] for one in self._tables]).to(device) for name in self._tables[0]
            }
            self._tables = []

    def batch(self, chosen: Tensor) -> Batch:
        return Batch(**{name: table.index_select(0, chosen) for name, table in self._stacked.items()})

    def single(self, number: int) -> Batch:
        return Batch(**{name: value[None] for name, value in self._tables[number].items()})


def _table(documents: Documents, group: list[tuple[Part, list[Any]]], known: Iterator[Any]) -> dict[str, np.ndarray]:
    most = max(MENTIONS, sum(len(part.document.mentions) for part, _ in group))
    table: dict[str, np.ndarray] = {
        "index": np.zeros(most, np.int64),
        "kinds": np.zeros(most, np.uint8),
        "document": np.full(most, -1, np.int64),
        "pairs": np.zeros((most, CANDIDATES), np.int32),
        "packed": np.zeros((most, CANDIDATES, _BITS), np.uint8),
        **{name: np.zeros((most, CANDIDATES), bool) for name in ("there", "open", "right")},
        **{name: np.zeros(most, np.float32) for name in ("learnt", "alone", "refers")},
        "first": np.zeros(most, np.int64),
        "last": np.zeros(most, np.int64),
    }
    rows: list[dict[str, list[int]]] = []
    start = segment = 0
    for number, (part, chunks) in enumerate(group):
        pairs, packed, opened, right, learnt, alone = next(known)
        mentions = part.document.mentions
        own = slice(start, start + len(mentions))
        table["index"][own] = part.start + np.arange(len(mentions))
        table["kinds"][own], table["document"][own] = mentions.kind, number
        table["pairs"][own] = np.maximum(pairs, 0) + start
        table["packed"][own], table["there"][own], table["open"][own] = packed, pairs >= 0, opened
        table["right"][own], table["learnt"][own], table["alone"][own] = right, learnt, alone
        table["refers"][own] = part.document.purpose == REFERS
        of_sentence = mentions.sentence + part.first
        for chunk, read in chunks:
            sentences = [documents.sentences[documents.documents[part.number].rows[place]] for place in chunk]
            size = 2 + sum(len(one.pieces) for one in sentences)
            place = next((n for n, row in enumerate(rows) if len(row["pieces"]) + size <= ROW), len(rows))
            if place == len(rows):
                rows.append({name: [] for name in ("pieces", "places", "shapes", "segment")})
            row = rows[place]
            begun = len(row["pieces"])
            offset, pieces, shapes = 1, [START_PIECE], [0]
            for which, one in zip(chunk, sentences, strict=True):
                if which in read:
                    inside = np.flatnonzero(of_sentence == which)
                    for name, ends in (("first", one.first), ("last", one.last)):
                        at = np.minimum(offset - 1 + ends[mentions.head[inside] + 1], ROW - 2)
                        table[name][start + inside] = place * ROW + begun + at
                pieces += one.pieces.tolist()
                shapes += one.shapes.tolist()
                offset += len(one.pieces)
            pieces, shapes = [*pieces[: ROW - 1], END_PIECE], [*shapes[: ROW - 1], 0]
            row["pieces"] += pieces
            row["shapes"] += shapes
            row["places"] += range(len(pieces))
            row["segment"] += [segment] * len(pieces)
            segment += 1
        start += len(mentions)
    count = max(ROWS, len(rows))
    for name, kind in (("pieces", np.int32), ("places", np.int16), ("shapes", np.uint8), ("segment", np.int16)):
        table[name] = np.full((count, ROW), -1 if name == "segment" else 0, kind)
        for number, row in enumerate(rows):
            table[name][number, : len(row[name])] = row[name]
    return table


@torch.no_grad()
def frozen_vectors(documents: Documents, encoder: FrozenEncoder, device: torch.device, words: int) -> Tensor:
    """`[mentions, 3, width]`: vectors of the head, of the word that governs it (or the root), and of the sentence."""
    wanted: dict[int, list[tuple[int, int, int]]] = {}
    for number in documents.chosen:
        document, start = documents.documents[number], documents.starts[number]
        columns = (document.mentions.sentence, document.mentions.head, document.mentions.governor)
        for place, (sentence, head, governor) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
            wanted.setdefault(int(document.rows[sentence]), []).append((start + place, head + 1, governor + 1))
    found: Tensor | None = None
    order = sorted(wanted, key=lambda row: len(documents.sentences[row].pieces))
    batch: list[int] = []
    for row in [*order, -1]:
        size = 0 if row < 0 else min(len(documents.sentences[row].pieces) + 2, LONGEST)
        if batch and (row < 0 or (len(batch) + 1) * size > words):
            vectors = _encoded(documents, batch, encoder, device)
            places = [
                (place, number, min(head, vectors.shape[1] - 1), min(governor, vectors.shape[1] - 1))
                for number, one in enumerate(batch)
                for place, head, governor in wanted[one]
            ]
            own, number, head, governor = (
                torch.tensor(column, device=device) for column in zip(*places, strict=True)
            )
            if found is None:
                kind = torch.bfloat16 if device.type == "cuda" else torch.float32
                found = torch.zeros((documents.mentions, 3, vectors.shape[-1]), device=device, dtype=kind)
            three = [vectors[number, head], vectors[number, governor], vectors[number, 0]]
            found[own] = torch.stack(three, 1).to(found.dtype)
            batch = []
        batch.append(row)
    assert found is not None
    return found


def _encoded(documents: Documents, rows: Sequence[int], encoder: FrozenEncoder, device: torch.device) -> Tensor:
    sentences = [documents.sentences[row] for row in rows]
    size = min(max(len(one.pieces) for one in sentences) + 2, LONGEST)
    words = max(len(one.first) for one in sentences)
    arrays = {name: np.zeros((len(rows), size), np.int64) for name in ("subwords", "shapes")}
    arrays |= {name: np.zeros((len(rows), words), np.int64) for name in ("first", "last")}
    mask = np.zeros((len(rows), size), np.float32)
    for number, one in enumerate(sentences):
        pieces = one.pieces[: size - 2]
        end = len(pieces) + 2
        arrays["subwords"][number, :end] = [START_PIECE, *pieces, END_PIECE]
        arrays["shapes"][number, 1 : end - 1] = one.shapes[: size - 2]
        for name in ("first", "last"):
            arrays[name][number, : len(one.first)] = np.minimum(getattr(one, name), size - 2)
        mask[number, :end] = 1
    given = {name: torch.from_numpy(value).to(device) for name, value in arrays.items()}
    return encoder(
        given["subwords"], given["shapes"], torch.from_numpy(mask).to(device), given["first"], given["last"]
    )
