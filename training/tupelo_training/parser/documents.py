"""Prepared documents as tables on the device: what each mention may refer to, and what it does refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tupelo.nlp.mentions import CANDIDATES, Mentions, candidates, compare
from tupelo_training.parser.batches import BUCKETS, Batch, Corpus
from tupelo_training.parser.chains import LEARNT, NEITHER, REFERRED, REFERS, UNKNOWN
from tupelo_training.parser.prepare import CHAIN_SOURCES

BUCKET = BUCKETS.index((68, 104))
SENTENCES, MENTIONS, WORDS = 40, 320, 900


@dataclass(frozen=True, slots=True)
class Document:
    """Some sentences of a document (rows of the corpus) with the mentions in them."""

    source: str
    rows: np.ndarray
    mentions: Mentions
    entity: np.ndarray
    purpose: np.ndarray

    def part(self, first: int, last: int) -> Document:
        """Sentences `[first, last)`; what refers to something before them is not learnt."""
        inside = (self.mentions.sentence >= first) & (self.mentions.sentence < last)
        before = np.unique(self.entity[self.mentions.sentence < first])
        chosen = np.flatnonzero(inside)
        columns = {field.name: getattr(self.mentions, field.name)[chosen] for field in fields(Mentions)}
        columns["sentence"] = columns["sentence"] - first
        entity, purpose = self.entity[chosen], self.purpose[chosen].copy()
        seen: set[int] = set()
        for place, own in enumerate(entity.tolist()):
            if own in before and own not in seen and purpose[place] == LEARNT:
                purpose[place] = REFERRED
            seen.add(own)
        return Document(self.source, self.rows[first:last], Mentions(**columns), entity, purpose)


@dataclass(frozen=True, slots=True)
class ChainBatch:
    """Sentences, and the mentions in them: place, class, document, candidates, features, and the right answers."""

    sentences: Batch
    word: Tensor  # [B, M] place among the words of all sentences
    kinds: Tensor
    document: Tensor
    pairs: Tensor  # [B, M, C]
    features: Tensor
    open: Tensor  # [B, M, C] candidates that count
    right: Tensor  # [B, M, C]
    learnt: Tensor  # [B, M] 1 where there is something to learn
    alone: Tensor  # [B, M] 1 where nothing may be the answer

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return self.word, self.kinds, self.document, self.pairs, self.features


def read_documents(prepared: Path, corpus: Corpus) -> Iterator[Document]:
    """All documents, without the sentences that the corpus leaves out."""
    with np.load(prepared / "chains.npz") as file:
        stored = {name: file[name] for name in file.files}
    sentence_ends, mention_ends = np.cumsum(stored["sentences"]), np.cumsum(stored["mentions"])
    for number, source in enumerate(stored["source"].tolist()):
        chosen = stored["rows"][sentence_ends[number] - stored["sentences"][number] : sentence_ends[number]]
        rows = corpus.row_of(chosen, BUCKET)
        own = slice(mention_ends[number] - stored["mentions"][number], mention_ends[number])
        columns = {field.name: stored[field.name][own] for field in fields(Mentions)}
        kept = np.flatnonzero(rows[columns["sentence"]] >= 0)
        columns = {name: values[kept] for name, values in columns.items()}
        entity, purpose = stored["entity"][own][kept].astype(np.int64), stored["purpose"][own][kept]
        renumbered = np.cumsum(rows >= 0) - 1
        columns["sentence"] = renumbered[columns["sentence"]]
        yield Document(CHAIN_SOURCES[source], rows[rows >= 0], Mentions(**columns), entity, purpose)


def parts(document: Document, lengths: np.ndarray) -> Iterator[Document]:
    """The document in parts that fit into a table."""
    mentions = np.bincount(document.mentions.sentence, minlength=len(document.rows))
    first = words = found = 0
    for place, row in enumerate(document.rows):
        full = place - first >= SENTENCES or words + lengths[row] > WORDS or found + mentions[place] > MENTIONS
        if full and place > first:
            yield document.part(first, place)
            first, words, found = place, 0, 0
        words, found = words + int(lengths[row]), found + int(mentions[place])
    if first < len(document.rows):
        yield document.part(first, len(document.rows))


class DocumentTables:
    """Parts of documents, several short ones side by side, with everything that is learnt from them."""

    def __init__(self, corpus: Corpus, documents: Sequence[Document], device: torch.device) -> None:
        self._corpus, self._device = corpus, device
        pieces = [
            part
            for document in documents
            for part in parts(document, corpus.lengths)
            if len(part.mentions) and len(part.mentions) <= MENTIONS and np.isin(part.purpose, (LEARNT, REFERS)).any()
        ]
        self._groups: list[list[Document]] = []
        for piece in pieces:
            last = self._groups[-1] if self._groups else []
            sentences = sum(len(other.rows) for other in last) + len(piece.rows)
            mentions = sum(len(other.mentions) for other in last) + len(piece.mentions)
            if last and sentences <= SENTENCES and mentions <= MENTIONS and piece.source == last[0].source:
                last.append(piece)
            else:
                self._groups.append([piece])
        tables = [self._table(group) for group in self._groups]
        self._tables = {
            name: torch.from_numpy(np.stack([table[name] for table in tables])).to(device) for name in tables[0]
        }
        self.count = len(tables)

    def _table(self, group: Sequence[Document]) -> dict[str, np.ndarray]:
        words = BUCKETS[BUCKET][0] + 1
        table = {
            "rows": np.full(SENTENCES, group[0].rows[0], np.int64),
            "word": np.zeros(MENTIONS, np.int64),
            "kinds": np.zeros(MENTIONS, np.int64),
            "document": np.full(MENTIONS, -1, np.int64),
            "pairs": np.zeros((MENTIONS, CANDIDATES), np.int64),
            "open": np.zeros((MENTIONS, CANDIDATES), bool),
            "right": np.zeros((MENTIONS, CANDIDATES), bool),
            "learnt": np.zeros(MENTIONS, np.float32),
            "alone": np.zeros(MENTIONS, np.float32),
        }
        features = []
        sentences = start = 0
        for number, one in enumerate(group):
            end = start + len(one.mentions)
            found = answers(one)
            table["rows"][sentences : sentences + len(one.rows)] = one.rows
            table["word"][start:end] = (one.mentions.sentence + sentences) * words + one.mentions.head + 1
            table["kinds"][start:end] = one.mentions.kind
            table["document"][start:end] = number
            table["pairs"][start:end] = np.maximum(found.pairs, 0) + start
            for name in ("open", "right", "learnt", "alone"):
                table[name][start:end] = getattr(found, name)
            features.append(found.features)
            sentences, start = sentences + len(one.rows), end
        table["features"] = np.zeros((MENTIONS, CANDIDATES, features[0].shape[-1]), bool)
        table["features"][:start] = np.concatenate(features)
        return table

    def batches(self, size: int, seed: int) -> Iterator[tuple[int, Tensor]]:
        order = np.random.default_rng(seed).permutation(self.count)
        for start in range(0, self.count - size + 1, size):
            yield 0, torch.from_numpy(order[start : start + size]).to(self._device, non_blocking=True)

    def cut(self, chosen: Tensor) -> ChainBatch:
        taken = {name: table.index_select(0, chosen) for name, table in self._tables.items()}
        sentences = self._corpus.cut(BUCKET, taken["rows"].flatten())
        words = BUCKETS[BUCKET][0] + 1
        offset = torch.arange(len(chosen), device=chosen.device)[:, None] * (SENTENCES * words)
        return ChainBatch(
            sentences,
            taken["word"] + offset,
            *(taken[name] for name in ("kinds", "document", "pairs", "features", "open", "right", "learnt", "alone")),
        )


@dataclass(frozen=True, slots=True)
class Answers:
    pairs: np.ndarray
    features: np.ndarray
    open: np.ndarray
    right: np.ndarray
    learnt: np.ndarray
    alone: np.ndarray


def answers(document: Document) -> Answers:
    """Candidates of every mention, and which of them are right."""
    mentions, entity, purpose = document.mentions, document.entity, document.purpose
    pairs = candidates(mentions)
    there = pairs >= 0
    other = np.maximum(pairs, 0)
    counted = there & (purpose[other] != NEITHER)
    refers = (purpose == REFERS)[:, None]
    counted &= ~refers | (purpose[other] == REFERRED)
    right = counted & (entity[other] == entity[:, None]) & (entity != UNKNOWN)[:, None]
    learnt = (purpose == LEARNT) | ((purpose == REFERS) & right.any(-1))
    return Answers(pairs, compare(mentions, pairs), counted, right, learnt, purpose != REFERS)
