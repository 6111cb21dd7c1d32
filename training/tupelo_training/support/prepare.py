"""Subwords, labels and premises of all training claims, as one file of arrays.

    python -m tupelo_training.support.prepare --data DATA --output support.npz [--claims 3.4]

Most claims are made from parsed texts (`tupelo_training.support.claims`). Others come with a label: XSum summaries
with the words that annotators marked (Maynez et al. 2020), claims written for this purpose about the same texts
(`written.txt.gz`), splices that were judged (`spliced.tsv.gz`), RTE 1 to 3, texts of WebNLG that tell a part of
another text's facts or something else about the same subject, statements of Levy/Holt. Further splices have no label:
what teachers say of them is one.
"""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import tupelo
from tupelo.cliques.rewrite import rewrites
from tupelo.core import Analysis
from tupelo.facts.evidence import EvidenceIndex
from tupelo.facts.network import straight
from tupelo.nlp.encoder import Encoder, load_encoder
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import words_of
from tupelo_training.options import option_parser
from tupelo_training.support.claims import Store, claims_of
from tupelo_training.support.cuts import spliced_claims
from tupelo_training.support.documents import ASIDE, excerpts, judged_runs, runs, texts_of
from tupelo_training.support.given import (
    SPLICED,
    WRITTEN,
    judged_summaries,
    levyholt_pairs,
    rte,
    webnlg_pairs,
    written_claims,
)
from tupelo_training.support.splices import splices_of
from tupelo_training.support.table import FOLDS, KINDS, LONGEST_CLAIM, OPEN, ROOM, UNKNOWN, YES

ROOMS = (ROOM // 3, 2 * ROOM // 3, ROOM)


@dataclass(frozen=True, slots=True)
class Part:
    """Where a claim belongs by the number of its text: held out or not, and in which third."""

    number: int

    @property
    def aside(self) -> bool:
        return self.number % ASIDE == 0

    @property
    def fold(self) -> int:
        return self.number % FOLDS


@dataclass(slots=True)
class Table:
    """Sentences once, claims with the numbers of the sentences that they are to be read with."""

    encoder: Encoder
    pieces: list[tuple[int, ...]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    claims: list[tuple[int, ...]] = field(default_factory=list)
    tokens: list[tuple[int, ...]] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    premises: list[list[int]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def sentence(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = len(self.pieces)
            self.pieces.append(self.encoder.cut(straight(text)).ids[1:-1][:ROOM])
        return self.known[text]

    def add(
        self,
        claim: str,
        marks: Sequence[tuple[int, int, int]],
        label: float,
        kind: str,
        premise: list[int],
        part: Part,
    ) -> None:
        """`marks` are characters of the claim with their label; the rest is as open as the label is mixed."""
        cut = self.encoder.cut(straight(claim))
        ids, offsets = cut.ids[1:-1][:LONGEST_CLAIM], cut.offsets[1:-1][:LONGEST_CLAIM]
        if not ids or not premise:
            return
        tokens = []
        for start, _ in offsets:
            found = next((value for low, high, value in marks if low <= start < high), OPEN)
            tokens.append(found)
        self.claims.append(ids)
        self.tokens.append(tuple(tokens))
        self.labels.append(label)
        self.kinds.append(KINDS.index(kind))
        self.premises.append(premise)
        self.parts.append(part)

    def save(self, path: Path) -> None:
        def flat(rows: Sequence[Sequence[int]], kind: type) -> dict[str, np.ndarray]:
            return {
                "values": np.array([value for row in rows for value in row], kind),
                "lengths": np.array([len(row) for row in rows], np.uint16),
            }

        arrays: dict[str, np.ndarray] = {}
        for name, rows, kind in (
            ("pieces", self.pieces, np.uint16),
            ("claims", self.claims, np.uint16),
            ("tokens", self.tokens, np.uint8),
            ("premises", self.premises, np.uint32),
        ):
            arrays |= {f"{name}.{part}": array for part, array in flat(rows, kind).items()}
        arrays["labels"] = np.array(self.labels, np.float16)
        arrays["kinds"] = np.array(self.kinds, np.uint8)
        arrays["aside"] = np.array([part.aside for part in self.parts], np.bool_)
        arrays["folds"] = np.array([part.fold for part in self.parts], np.uint8)
        np.savez_compressed(path, allow_pickle=False, **arrays)


def joined(words: Iterable[tuple[str, int]]) -> tuple[str, list[tuple[int, int, int]]]:
    text, marks = "", []
    for word, label in words:
        text += " " if text else ""
        marks.append((len(text), len(text) + len(word), label))
        text += word
    return text, marks


@dataclass(frozen=True, slots=True)
class Source:
    """A text as premises: numbers of its sentences, and their index."""

    numbers: list[int]
    index: EvidenceIndex

    def premise(self, claim: str, room: int = ROOM) -> list[int]:
        return [self.numbers[place] for place in self.index.choose(words_of(claim), room)]


def source_of(table: Table, sentences: Sequence[str]) -> Source:
    numbers = [table.sentence(text) for text in sentences]
    lengths = [len(table.pieces[number]) for number in numbers]
    return Source(numbers, EvidenceIndex([words_of(text) for text in sentences], lengths))


def synonyms(data: Path, counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Pairs of PPDB whose words are both frequent in the texts, and are not forms of one word."""
    table: dict[str, list[str]] = {}
    with zipfile.ZipFile(data / "nltk/mwa_ppdb.zip") as archive:
        name = next(name for name in archive.namelist() if "ppdb-1.0" in name)
        for line in archive.read(name).decode("utf-8").splitlines():
            one, _, other = line.partition("\t")
            if one.isalpha() and other.isalpha() and counts.get(one, 0) >= 8 and counts.get(other, 0) >= 8:
                table.setdefault(one, []).append(other)
                table.setdefault(other, []).append(one)
    return {word: others for word, others in table.items() if len(others) <= 12}


def parsed(data: Path, forbidden: set[tuple[str, ...]]) -> list[tuple[str, tuple[Analysis, ...]]]:
    nlp = tupelo.load(threads=1)
    return [(item.id, tuple(nlp.analyze(item.text, constituents=False))) for item in texts_of(data, forbidden)]


class Building:
    """A table in the making, with the sources that its claims are about."""

    def __init__(self, data: Path, documents: Sequence[tuple[str, Sequence[Analysis]]], seed: int) -> None:
        self.table = Table(load_encoder())
        self._data = data
        self._chance = random.Random(seed)
        self._forbidden = judged_runs(data)
        self._forest = {
            name: [DependencyTree(analysis) for analysis in analyses if analysis.words]
            for name, analyses in documents
        }
        self._parts = {name: Part(number) for number, name in enumerate(self._forest)}
        self._sources: dict[str, Source] = {}

    def add_made(self, per_sentence: float) -> None:
        store, counts = Store(), Counter[str]()
        for trees in self._forest.values():
            for tree in trees:
                store.add(tree)
                counts.update(tree.lowered)
        others = synonyms(self._data, counts)
        for name, trees in self._forest.items():
            if len(trees) < 2:
                continue
            source = self._sources[name] = source_of(self.table, [tree.analysis.text for tree in trees])
            rewritten = {
                place: [made.text for made in rewrites(tree.analysis)]
                for place, tree in enumerate(trees)
                if 5 <= tree.size <= 40 and self._chance.random() < 0.25
            }
            count = round(per_sentence * len(trees))
            for claim in claims_of(trees, store, others, rewritten, self._chance, count):
                text, marks = joined(claim.words)
                # Some are read with less of the source: sources may be short, and reading is quicker then.
                premise = source.premise(text, self._chance.choice(ROOMS))
                self.table.add(text, marks, claim.label, claim.kind, premise, self._parts[name])

    def add_judged(self) -> None:
        for name, summary, marks, label in judged_summaries(self._data, self._sources, self._forbidden):
            premise = self._sources[name].premise(summary)
            self.table.add(summary, marks, label, "judged", premise, self._parts[name])

    def add_written(self, claims: Iterable[tuple[str, str, Sequence[tuple[int, int, int]], bool]], kind: str) -> None:
        seen: dict[str, Source] = {}
        for name, claim, marks, label in claims:
            document = name.partition("#")[0]
            if document not in self._sources or runs(claim) & self._forbidden:
                continue
            if name not in seen:
                for part, trees in excerpts(document, self._forest[document]):
                    seen[part] = source_of(self.table, [tree.analysis.text for tree in trees])
            self.table.add(claim, marks, float(label), kind, seen[name].premise(claim), self._parts[document])

    def add_spliced(self, path: Path) -> None:
        texts = {document.id: document.text for document in texts_of(self._data, self._forbidden)}
        self.add_written(spliced_claims(path, texts), "spliced")

    def add_splices(self, per_sentence: float) -> None:
        for name, source in self._sources.items():
            trees = self._forest[name]
            for text in splices_of(trees, round(per_sentence * len(trees)), self._chance):
                premise = source.premise(text, self._chance.choice(ROOMS))
                self.table.add(text, [], UNKNOWN, "splice", premise, self._parts[name])

    def add_pairs(self) -> None:
        pairs = [
            *(("rte", *pair) for pair in rte(self._data)),
            *(("webnlg", *pair) for pair in webnlg_pairs(self._data, self._chance)),
            *(("levyholt", *pair) for pair in levyholt_pairs(self._data)),
        ]
        for number, (kind, premise, claim, label) in enumerate(pairs):
            if not (runs(premise) | runs(claim)) & self._forbidden:
                marks = [(0, len(claim), YES)] if label else []
                numbers = [self.table.sentence(premise)]
                self.table.add(claim, marks, float(label), kind, numbers, Part(number))


def main() -> None:
    parser = option_parser(__doc__, "data", "output")
    parser.add_argument("--written", type=Path, default=WRITTEN, help="claims that were written about the texts")
    parser.add_argument("--spliced", type=Path, default=SPLICED, help="splices that were judged")
    parser.add_argument("--claims", type=float, default=3.4, help="made from each sentence")
    parser.add_argument("--splices", type=float, default=0.6, help="made for each sentence, without a label")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    documents = parsed(options.data, judged_runs(options.data))
    building = Building(options.data, documents, options.seed)
    building.add_made(options.claims)
    building.add_judged()
    building.add_written(written_claims(options.written), "written")
    building.add_spliced(options.spliced)
    building.add_splices(options.splices)
    building.add_pairs()
    building.table.save(options.output)


if __name__ == "__main__":
    main()
