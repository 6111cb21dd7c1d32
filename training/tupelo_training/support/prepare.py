"""Subwords, labels and premises of all training claims, as one file of arrays.

    python -m tupelo_training.support.prepare --data DATA --contrasts check_contrasts.tsv --output support.npz

Claims were written for this (`pairs.txt.gz`, `matched.txt.gz`, `written.txt.gz`, `relations.tsv.gz`), come from
public sets (`support.given`) or are made from parsed texts (`support.claims`) and frames (`support.frames`). Each is
read with the source in the form that `tupelo check` uses, the best sentences, and in others: a short text as a whole,
the best windows. Where a form may lack what a label rests on, it has none there: what teachers say of it is one.
"""

from __future__ import annotations

import random
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

import tupelo
from tupelo.api.text import Toolkit
from tupelo.checking.evidence import EvidenceIndex
from tupelo.nlp.encoder import Encoder, load_encoder
from tupelo.nlp.folder import find_model
from tupelo.nlp.model import AnalysisOptions
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.subwords import straight
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import words_of
from tupelo.robustness.rewrite import rewrites
from tupelo_training.options import option_parser
from tupelo_training.support.claims import ONE_SENTENCE, Store, claims_of
from tupelo_training.support.documents import Document, Runs, excerpts, passages_of, reported_runs, runs, texts_of
from tupelo_training.support.frames import Teller
from tupelo_training.support.given import (
    LEARNED,
    MATCHED,
    OLDER,
    PAIRS,
    RELATIONS,
    Cast,
    Given,
    Passage,
    document_claims,
    edited_summaries,
    names_by_type,
    pairs,
    read_relations,
    written_passages,
)
from tupelo_training.support.table import FOLDS, LONGEST_CLAIM, OPEN, ROOM, SUPPORTED, UNLABELLED, UNSUPPORTED
from tupelo_training.support.windows import best_windows

# One text in this many is held out, with all its claims.
ASIDE = 8
# A text of so many sentences is read whole; of a shorter one the best sentences miss nothing that matters.
WHOLE, SHORT = 20, 9
# Of the pairs of single sentences, how many are read among others of their set; captions would often be true of
# other photographs too.
AMONG_OTHERS, CAPTIONS = 0.4, ("snli", "cad")
# How often a claim about a short text is also read among sentences of others; with how many names a relation is read
# alone, and how often among others.
CROWDED, NAMED, SCENES = 0.5, 2, 8
# Sets that figures are taken on while training, and how many pairs of each at most.
DEVELOPMENT = ("dev_snli", "dev_conjnli", "dev_fm2", "dev_fever_symmetric")
DEVELOPMENT_DOCUMENTS = ("wice_dev", "begin_dev")
MOST = 2_000


def number_of(text: str) -> int:
    """A number that is always the same for a text, to divide texts into parts."""
    return zlib.crc32(text.encode())


@dataclass(frozen=True, slots=True)
class Part:
    """Where the claims about a text belong: held out or not, and in which third."""

    aside: bool
    fold: int


def part_of(text: str, one_in: int = ASIDE) -> Part:
    """`one_in` texts are held out; 0 for none."""
    number = number_of(text)
    return Part(one_in > 0 and number % one_in == 0, number // 64 % FOLDS)


@dataclass(slots=True)
class Table:
    """Sentences once, claims with the numbers of the sentences that they are to be read with."""

    encoder: Encoder
    pieces: list[tuple[int, ...]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    claims: list[tuple[int, ...]] = field(default_factory=list)
    tokens: list[tuple[int, ...]] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    premises: list[list[int]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def cut(self, text: str) -> tuple[int, ...]:
        return self.encoder.cut(straight(text)).ids[1:-1][:ROOM]

    def sentence(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = len(self.pieces)
            self.pieces.append(self.cut(text))
        return self.known[text]

    def add(self, kind: str, premise: Sequence[str], given: Given, part: Part, label: int | None = None) -> None:
        """A claim to be read with some sentences; `label` where these sentences do not settle the given one."""
        cut = self.encoder.cut(straight(given.claim))
        ids, offsets = cut.ids[1:-1][:LONGEST_CLAIM], cut.offsets[1:-1][:LONGEST_CLAIM]
        if not ids or not premise:
            return
        settled = label is None
        marks = given.marks if settled else []
        self.tokens.append(
            tuple(next((value for low, high, value in marks if low <= start < high), OPEN) for start, _ in offsets)
        )
        self.claims.append(ids)
        self.labels.append(given.label if label is None else label)
        self.kinds.append(kind)
        self.premises.append([self.sentence(text) for text in premise])
        self.parts.append(part)

    def save(self, path: Path) -> None:
        arrays: dict[str, np.ndarray] = {}
        for name, rows, kind in (
            ("pieces", self.pieces, np.uint16),
            ("claims", self.claims, np.uint16),
            ("tokens", self.tokens, np.uint8),
            ("premises", self.premises, np.uint32),
        ):
            arrays[f"{name}.values"] = np.array([value for row in rows for value in row], kind)
            arrays[f"{name}.lengths"] = np.array([len(row) for row in rows], np.uint16)
        names = sorted(set(self.kinds))
        arrays["names"] = np.array(names)
        arrays["kinds"] = np.array([names.index(kind) for kind in self.kinds], np.uint8)
        arrays["labels"] = np.array(self.labels, np.uint8)
        arrays["aside"] = np.array([part.aside for part in self.parts], np.bool_)
        arrays["folds"] = np.array([part.fold for part in self.parts], np.uint8)
        np.savez_compressed(path, allow_pickle=False, **arrays)

    def __str__(self) -> str:
        """For each kind, how many claims have each label, and how many are held out."""
        learned, held_out = Counter[tuple[str, int]](), Counter[str]()
        for kind, label, part in zip(self.kinds, self.labels, self.parts, strict=True):
            learned[kind, label] += not part.aside
            held_out[kind] += part.aside
        return "\n".join(
            f"{kind}: {[learned[kind, label] for label in range(UNLABELLED + 1)]}, held out {held_out[kind]}"
            for kind in sorted(held_out)
        )


class Source:
    """A text as premises in several forms."""

    def __init__(self, table: Table, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self._table = table

    @cached_property
    def _lengths(self) -> list[int]:
        return [len(self._table.cut(sentence)) for sentence in self.sentences]

    @cached_property
    def _words(self) -> list[list[str]]:
        return [words_of(sentence) for sentence in self.sentences]

    @cached_property
    def _index(self) -> EvidenceIndex:
        return EvidenceIndex(self._words, self._lengths)

    @property
    def is_read_whole(self) -> bool:
        return len(self.sentences) <= WHOLE and sum(self._lengths) <= ROOM

    def filling(self, claim: str, room: int = ROOM) -> list[str]:
        """The best sentences, as many as fit."""
        return self._told(self._index.best(words_of(claim), room, len(self.sentences)))

    def forms(self, claim: str) -> list[list[str]]:
        """The few best sentences, then the best windows."""
        words = words_of(claim)
        windows = best_windows(words, self._words, self._lengths, ROOM)
        return [self._told(places) for places in dict.fromkeys((self._index.best(words, ROOM), *windows))]

    def around(self, place: int) -> list[str]:
        """A sentence with its neighbours."""
        return list(self.sentences[max(place - 1, 0) : place + 2])

    def _told(self, places: Iterable[int]) -> list[str]:
        return [self.sentences[place] for place in places]


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


class Building:
    """A table in the making."""

    def __init__(self, data: Path, forbidden: Runs, seed: int) -> None:
        self.table = Table(load_encoder())
        self._data = data
        self._chance = random.Random(seed)
        self._forbidden = forbidden
        self._splitter = Pipeline(find_model("en"), threads=1)
        self._sources: dict[str, Source] = {}

    def _is_free(self, *texts: str) -> bool:
        """Whether nothing that is only measured on is in these texts."""
        return not any(runs(text) & self._forbidden for text in texts)

    def _source(self, text: str) -> Source:
        if text not in self._sources:
            options = AnalysisOptions(syntax=False)
            found = self._splitter.map(straight(text), lambda analyses: [one.text for one in analyses], options)
            self._sources[text] = Source(self.table, list(found))
        return self._sources[text]

    def add_written(self, kind: str, path: Path) -> None:
        """Claims about short texts: whole, the best sentences, a window, and the best sentences of several texts."""
        public = {document.id: document.text for document in passages_of(self._data)}
        passages = [
            Passage(passage.id, passage.text or public[passage.id], passage.claims)
            for passage in written_passages(path)
            if passage.text or passage.id in public
        ]
        passages = [passage for passage in passages if self._is_free(passage.text)]
        for passage in passages:
            source, part = self._source(passage.text), part_of(passage.id)
            short = len(source.sentences) <= SHORT
            for given in passage.claims:
                if not self._is_free(given.claim):
                    continue
                best, *windows = source.forms(given.claim)
                whole = source.sentences if source.is_read_whole else source.filling(given.claim)
                self.table.add(kind, whole, given, part)
                if len(best) < len(source.sentences):
                    self.table.add(f"{kind}-best", best, given, part, None if short else UNLABELLED)
                    for window in windows[:1]:
                        self.table.add("window", window, given, part, UNLABELLED)
                if short and self._chance.random() < CROWDED:
                    self.table.add("crowded", self._crowded(passage, passages, given.claim), given, part)

    def add_relations(self, path: Path) -> None:
        """Statements about the same two things, alone and among others about the same ones; one in eight is held
        out."""
        cast, found = Cast(names_by_type(), self._chance), read_relations(path)
        for relation in found:
            part = part_of(relation.statements[0])
            for _ in range(NAMED):
                names = cast.pair(relation)
                for backward in (False, True):
                    premise, given = relation.told(names, backward)
                    self.table.add("relation", [premise], given, part)
            for _ in range(SCENES):
                others = self._chance.sample(found, self._chance.randint(2, 6))
                self.table.add("scene", *cast.scene(relation, [one for one in others if one is not relation]), part)

    def _crowded(self, passage: Passage, passages: Sequence[Passage], claim: str) -> list[str]:
        """The best sentences of a text and two others."""
        texts = [passage, *self._chance.sample(passages, 2)]
        self._chance.shuffle(texts)
        told = [sentence for one in texts for sentence in self._source(one.text).sentences]
        return Source(self.table, told).forms(claim)[0]

    def add_older(self, path: Path) -> None:
        """Claims about longer texts."""
        public: dict[str, Source] = {}
        for document in texts_of(self._data):
            for name, sentences in excerpts(document.id, self._source(document.text).sentences):
                public[name] = Source(self.table, sentences)
        for passage in written_passages(path):
            source, part = public.get(passage.id), part_of(passage.id.partition("#")[0])
            for given in passage.claims if source is not None else ():
                if source is not None and self._is_free(given.claim):
                    self._add_long("older", source, given, part)

    def _add_long(self, kind: str, source: Source, given: Given, part: Part) -> None:
        """A claim with as much as fits, and with the best few sentences and windows."""
        self.table.add(kind, source.filling(given.claim), given, part)
        for form in source.forms(given.claim)[:2]:
            if len(form) < len(source.sentences):
                self.table.add(f"{kind}-form", form, given, part, UNLABELLED)

    def add_frames(self, seed: int) -> None:
        """Claims from frames with their evidence; frames are held out as a whole."""
        for kind, told in Teller(seed).all():
            self.table.add(kind, told.premise, told.claim, part_of(told.frame))

    def add_pairs(self, name: str, share: float = 1.0, one_in: int = 0) -> None:
        """Pairs of sentences, some among others of the same set; `one_in` premises are held out."""
        found = [
            (premise, given)
            for premise, given in pairs(self._data, name)
            if number_of(premise) % 1000 < 1000 * share and self._is_free(premise, given.claim)
        ]
        others = [premise for premise, _ in found]
        for premise, given in found:
            told = [premise]
            if name not in CAPTIONS and self._chance.random() < AMONG_OTHERS:
                told += self._chance.sample(others, self._chance.randint(1, 4))
                self._chance.shuffle(told)
            self.table.add(name, told, given, part_of(premise, one_in))

    def add_documents(self, name: str, claims: Iterable[tuple[str, Given]], one_in: int) -> None:
        for document, given in claims:
            if self._is_free(document, given.claim):
                self._add_long(name, self._source(document), given, part_of(document, one_in))

    def add_development(self) -> None:
        """Public sets that nothing is learned from."""
        held_out = Part(True, 0)
        for name in DEVELOPMENT:
            found = list(pairs(self._data, name))
            for premise, given in self._chance.sample(found, min(MOST, len(found))):
                self.table.add(name, [premise], given, held_out)
        for name in DEVELOPMENT_DOCUMENTS:
            for document, given in document_claims(self._data, name):
                self.table.add(name, self._source(document).forms(given.claim)[0], given, held_out)

    @cached_property
    def _forest(self) -> dict[str, list[DependencyTree]]:
        nlp = tupelo.load(threads=1)
        return {one.id: parsed(nlp, one) for one in texts_of(self._data) if self._is_free(one.text)}

    def add_made(self, kind: str, per_sentence: float) -> None:
        """Claims made from the sentences of parsed texts."""
        store, counts = Store(), Counter[str]()
        for trees in self._forest.values():
            for tree in trees:
                store.add(tree)
                counts.update(tree.lowered)
        others = synonyms(self._data, counts)
        for name, trees in self._forest.items():
            if len(trees) < 2:
                continue
            source = Source(self.table, [tree.analysis.text for tree in trees])
            rewritten = {
                place: [made.text for made in rewrites(tree.analysis)]
                for place, tree in enumerate(trees)
                if 5 <= tree.size <= 40 and self._chance.random() < 0.25
            }
            count = round(per_sentence * len(trees))
            for claim in claims_of(trees, store, others, rewritten, self._chance, count):
                text, marks = joined(claim.words)
                given = Given(text, marks, SUPPORTED if claim.label > 0.5 else UNSUPPORTED)
                if claim.kind in ONE_SENTENCE and self._chance.random() < 0.5:
                    premise = source.around(claim.at)
                else:
                    premise = source.filling(text, self._chance.choice((ROOM // 3, ROOM)))
                self.table.add(kind, premise, given, part_of(name, 0))


def parsed(nlp: Toolkit, document: Document) -> list[DependencyTree]:
    analyses = nlp.analyze(straight(document.text), constituents=False)
    return [DependencyTree(analysis) for analysis in analyses if analysis.words]


def joined(words: Iterable[tuple[str, int]]) -> tuple[str, list[tuple[int, int, int]]]:
    text, marks = "", []
    for word, label in words:
        text += " " if text else ""
        marks.append((len(text), len(text) + len(word), label))
        text += word
    return text, marks


def main() -> None:
    parser = option_parser(__doc__, "data", "contrasts", "output")
    parser.add_argument("--written", type=Path, default=PAIRS, help="claims that were written about short texts")
    parser.add_argument("--older", type=Path, default=OLDER, help="claims that were written about longer texts")
    parser.add_argument("--matched", type=Path, default=MATCHED, help="the same, in pairs of a true and a false one")
    parser.add_argument("--relations", type=Path, default=RELATIONS, help="statements about two things in pairs")
    parser.add_argument("--made", type=float, default=1.0, help="claims made from each sentence")
    parser.add_argument("--more", type=float, default=0.0, help="further ones, for a network that learned from those")
    parser.add_argument("--snli", type=float, default=0.5, help="share of SNLI")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    data = options.data
    building = Building(data, reported_runs(data, options.contrasts), options.seed)
    building.add_made("made", options.made)
    for name in LEARNED:
        building.add_pairs(name, {"snli": options.snli, "conjnli": 0.5}.get(name, 1.0))
    building.add_pairs("dev_mnli", one_in=ASIDE)
    for name in ("factcg", "wice_tokens"):
        building.add_documents(name.partition("_")[0], document_claims(data, name), ASIDE if name == "factcg" else 0)
    building.add_documents("bump", edited_summaries(data), 2)
    building.add_development()
    building.add_older(options.older)
    building.add_written("written", options.written)
    building.add_written("matched", options.matched)
    building.add_relations(options.relations)
    building.add_frames(options.seed)
    building.add_made("made-more", options.more)
    print(building.table)
    building.table.save(options.output)


if __name__ == "__main__":
    main()
