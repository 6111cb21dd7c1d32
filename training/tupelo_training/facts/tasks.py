"""What is learned: examples packed into arrays, the loss of a batch, and the files of the finished model."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo.core import InputError
from tupelo.facts.models.examples import MarkedExample, TextExample
from tupelo.facts.models.folder import Relation
from tupelo.nlp.subwords import Subwords
from tupelo_training.facts.model_files import Files, sentence_files, writer_files
from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes
from tupelo_training.facts.writer_network import BETWEEN, END, MARKS, NEXT, START, FactWriter, WriterSizes

RELATED = "related"
MOST_PIECES = 512
# What a writer may write by itself, and which names it knows the spelling of; copying needs neither.
_MOST_GENERATED = 12_000
_MOST_NAMES = 20_000

# Pieces [batch, pieces] to vectors: the shared embeddings.
Embed = Callable[[Any], Any]


class Packed:
    """Rows of small numbers, end to end; millions of examples need room for their pieces alone."""

    def __init__(self) -> None:
        self._numbers, self._ends = array("I"), [0]

    def append(self, row: Iterable[int]) -> None:
        self._numbers.extend(row)
        self._ends.append(len(self._numbers))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> list[int]:
        return self._numbers[self._ends[number] : self._ends[number + 1]].tolist()


def padded(rows: Sequence[Sequence[int]], filler: int = 0) -> Tensor:
    table = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)


class Task(Protocol):
    """A network with its examples."""

    network: nn.Module

    def __len__(self) -> int: ...

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor: ...

    def files(self, name: str, version: str) -> Files: ...


class MarkedTask:
    """The relation classifier, or with `binary` the classifier of any relation at all."""

    network: SentenceReader

    def __init__(
        self,
        examples: Iterable[MarkedExample],
        subwords: Subwords,
        sizes: dict[str, Any],
        *,
        binary: bool,
        embed: Embed | None,
        names: dict[str, str],
    ) -> None:
        found: dict[str, int] = {}
        self._rows, self._labels = Packed(), []
        self._embed = embed
        seen: dict[str, int] = {}
        for example in examples:
            # One sentence may hold several relations of the pair, a line for each.
            number = seen.setdefault(example.marked, len(seen))
            if number == len(self._rows):
                pieces = [piece for piece, _, _ in subwords.cut_text(example.marked)][: MOST_PIECES - 2]
                self._rows.append([subwords.start, *pieces, subwords.end])
                self._labels.append(set[int]())
            if example.property is not None:
                key = RELATED if binary else example.property
                self._labels[number].add(found.setdefault(key, len(found)))
        if not found:
            raise InputError("no example has a property, expected at least one relation to learn")
        order = sorted(found)
        place = {found[key]: number for number, key in enumerate(order)}
        self._labels = [{place[one] for one in labels} for labels in self._labels]
        self._relations = [_relation(key, names) for key in order]
        self.network = SentenceReader(SentenceSizes(relations=len(order), **sizes))

    def __len__(self) -> int:
        return len(self._rows)

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor:
        pieces = padded([self._rows[row] for row in rows])
        gold = torch.zeros(len(rows), len(self._relations))
        for number, row in enumerate(rows):
            gold[number, list(self._labels[row])] = 1.0
        mask = (pieces > 0).float()
        given = pieces if self._embed is None else torch.from_numpy(self._embed(pieces.numpy()))
        scores = self.network(given.to(device), mask.to(device))
        return functional.binary_cross_entropy_with_logits(scores.float(), gold.to(device), reduction="sum") / len(
            rows
        )

    def files(self, name: str, version: str) -> Files:
        return sentence_files(self.network, self._relations, name=name, version=version)


class WritingTask:
    """The end-to-end model; every example with its subject in front."""

    network: FactWriter

    def __init__(
        self,
        examples: Iterable[TextExample],
        subwords: Subwords,
        sizes: dict[str, Any],
        *,
        pieces: int,
        embed: Embed | None,
        reduced: bool,
        names: dict[str, str],
    ) -> None:
        self._sources, targets = Packed(), []
        self._embed, self._reduced, self._pieces = embed, reduced, pieces
        spelled: Counter[str] = Counter()
        relations: dict[str, int] = {}
        longest_source = 0

        def cut(text: str) -> list[int]:
            return [piece for piece, _, _ in subwords.cut_text(text)]

        for example in examples:
            about = cut(example.subject)[: MOST_PIECES // 4]
            front = [subwords.start, *about, *([subwords.end] if about else [])]
            source = [*front, *cut(example.text)[: MOST_PIECES - len(front) - 1], subwords.end]
            longest_source = max(longest_source, len(source))
            self._sources.append(source)
            target = []
            for subject, relation, object_ in example.facts:
                spelled.update((subject, object_))
                target.append((cut(subject), relations.setdefault(relation, len(relations)), cut(object_)))
            targets.append(target)
        if not relations:
            raise InputError("no example has a fact, expected at least one relation to learn")
        order = sorted(relations)
        place = {relations[key]: number for number, key in enumerate(order)}
        self._relations = [_relation(key, names) for key in order]
        self._targets = Packed()
        for target in targets:
            tokens = [pieces + START]
            for number, (first, kind, second) in enumerate(target):
                tokens += [pieces + NEXT] if number else []
                tokens += [*first, pieces + BETWEEN, pieces + MARKS + place[kind], pieces + BETWEEN, *second]
            self._targets.append([*tokens, pieces + END][:MOST_PIECES])
        common: Counter[int] = Counter()
        for name, count in spelled.items():
            common.update(dict.fromkeys(cut(name), count))
        self._generated = sorted(piece for piece, _ in common.most_common(_MOST_GENERATED))
        self._names = [
            name for name, _ in sorted(spelled.items(), key=lambda item: (-item[1], item[0]))[:_MOST_NAMES]
        ]
        self._window = min(longest_source, MOST_PIECES - 16)
        longest = min(MOST_PIECES, 16 + max(len(self._targets[row]) for row in range(len(self._targets))) * 5 // 4)
        self.network = FactWriter(
            WriterSizes(
                relations=len(order), generated=len(self._generated), pieces=pieces, longest=longest, **sizes
            ),
            self._generated,
        )

    def __len__(self) -> int:
        return len(self._sources)

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor:
        source = padded([self._sources[row] for row in rows])
        tokens = padded([self._targets[row] for row in rows], -1).to(device)
        mask = (source > 0).float().to(device)
        before, after = tokens[:, :-1].clamp(min=0), tokens[:, 1:]
        if self._embed is None:
            given, looks = source, torch.zeros(())
        else:
            given = torch.from_numpy(self._embed(source.numpy()))
            flat = before.clamp(max=self._pieces - 1).reshape(-1, 1).cpu().numpy()
            looks = torch.from_numpy(self._embed(flat)[:, 0]).view(*before.shape, -1).to(device)
        memory = self.network.encode(given.to(device), mask)
        written, copied, gate = self.network.decode(before, looks, memory, mask)
        real = (after >= 0).float()
        found = self.network.log_probability(after.clamp(min=0), written, copied, gate, source.to(device))
        return -(found * real).sum() / real.sum()

    def files(self, name: str, version: str) -> Files:
        return writer_files(
            self.network,
            self._relations,
            self._generated,
            self._names,
            name=name,
            version=version,
            window=self._window,
            reduced=self._reduced,
        )


def _relation(key: str, names: dict[str, str]) -> Relation:
    """A property such as P19 is shown by its name where one is known."""
    if key[:1] == "P" and key[1:].isdigit():
        return Relation(names.get(key, key), key)
    return Relation(key)
