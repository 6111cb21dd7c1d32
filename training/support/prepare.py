"""Pieces, labels and premises of all training claims, as one file of arrays.

    python -m training.support.prepare --data DATA --output support.npz [--claims 24]

Claims are made from parsed texts (`training.support.claims`); others were judged or written by people: XSum summaries
with the words that annotators marked (Maynez et al. 2020), RTE 1 to 3, texts of WebNLG that tell a part of another
text's facts or something else about the same subject, statements of Levy/Holt.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import tupelo
from training.support.claims import NO, OPEN, YES, Store, claims_of
from training.support.documents import (
    Document,
    brown,
    gum,
    judged_runs,
    knowledgenet,
    redocred,
    rte,
    runs,
    wsj,
    xsum_articles,
)  # fmt: skip
from tupelo.cliques.rewrite import rewrites
from tupelo.core import Analysis
from tupelo.extract.tree import Tree
from tupelo.facts.evidence import EvidenceIndex
from tupelo.facts.values import words_of
from tupelo.nlp.encoder import Encoder, load_encoder

ROOM = 256
LONGEST_CLAIM = 64
# A text of every so many is kept aside for development, with all its claims.
ASIDE = 8
KINDS = (
    "short", "synonym", "rewrite", "joined", "same-subject", "name", "digit", "word", "denied", "roles", "crossed",
    "added", "stranger", "judged", "rte", "webnlg", "levyholt",
)  # fmt: skip


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
    aside: list[bool] = field(default_factory=list)

    def sentence(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = len(self.pieces)
            self.pieces.append(self.encoder.cut(text).ids[1:-1][:ROOM])
        return self.known[text]

    def add(
        self,
        claim: str,
        marks: Sequence[tuple[int, int, int]],
        label: float,
        kind: str,
        premise: list[int],
        aside: bool,
    ) -> None:
        """`marks` are characters of the claim with their label; the rest is as open as the label is mixed."""
        cut = self.encoder.cut(claim)
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
        self.aside.append(aside)

    def save(self, path: Path) -> None:
        def flat(rows: Sequence[Sequence[int]], kind: type) -> dict[str, np.ndarray]:
            return {
                "values": np.array([value for row in rows for value in row], kind),
                "lengths": np.array([len(row) for row in rows], np.uint16),
            }

        arrays: dict[str, np.ndarray] = {}
        for name, rows, kind in (
            ("pieces", self.pieces, np.uint16), ("claims", self.claims, np.uint16),
            ("tokens", self.tokens, np.uint8), ("premises", self.premises, np.uint32),
        ):  # fmt: skip
            arrays |= {f"{name}.{part}": array for part, array in flat(rows, kind).items()}
        arrays["labels"] = np.array(self.labels, np.float16)
        arrays["kinds"] = np.array(self.kinds, np.uint8)
        arrays["aside"] = np.array(self.aside, np.bool_)
        np.savez_compressed(path, **arrays)


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

    def premise(self, claim: str) -> list[int]:
        return [self.numbers[place] for place in self.index.choose(words_of(claim), ROOM)]


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


def judged_summaries(
    data: Path, sources: Mapping[str, Source], forbidden: set[tuple[str, ...]]
) -> Iterator[tuple[str, str, list[tuple[int, int, int]], float]]:
    """Document, summary, marks of words and the share of people who found nothing wrong."""
    people: dict[tuple[str, str, str], dict[str, list[tuple[int, int]]]] = {}
    path = data / "xsum_hallucination/hallucination_annotations_xsum_summaries.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            spans = people.setdefault((row["bbcid"], row["system"], row["summary"]), {}).setdefault(
                row["worker_id"], []
            )
            if row["hallucination_type"] != "NULL":
                start = int(row["hallucinated_span_start"]) - 1
                spans.append((max(start, 0), int(row["hallucinated_span_end"])))
    for (document, _, summary), workers in people.items():
        if f"xsum:{document}" not in sources or runs(summary) & forbidden:
            continue
        marks = []
        for match in re.finditer(r"\S+", summary):
            wrong = sum(
                any(low < match.end() and match.start() < high for low, high in spans) for spans in workers.values()
            ) / len(workers)
            marks.append((match.start(), match.end(), YES if wrong < 0.34 else NO if wrong > 0.6 else OPEN))
        yield f"xsum:{document}", summary, marks, sum(not spans for spans in workers.values()) / len(workers)


def webnlg_pairs(data: Path, chance: random.Random) -> Iterator[tuple[str, str, bool]]:
    entries = []
    with gzip.open(data / "webnlg/webnlg-v1.6-en-train.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            item = json.loads(line)
            if item["texts"]:
                entries.append((frozenset(map(tuple, item["triples"])), item["texts"]))
    about: dict[str, list[int]] = {}
    for number, (facts, _) in enumerate(entries):
        for subject in sorted({fact[0] for fact in facts}):
            about.setdefault(subject, []).append(number)
    for number, (facts, texts) in enumerate(entries):
        others = [
            other for subject in sorted({fact[0] for fact in facts}) for other in about[subject] if other != number
        ]
        inside = [other for other in others if entries[other][0] <= facts]
        outside = [other for other in others if not entries[other][0] <= facts]
        # The nearest of those that say more: one fact too many.
        near = [other for other in outside if len(entries[other][0] - facts) == 1]
        if len(texts) > 1:
            one, two = chance.sample(texts, 2)
            yield one, two, True
        if inside:
            yield chance.choice(texts), chance.choice(entries[chance.choice(inside)][1]), True
        for options in (near, outside):
            if options:
                yield chance.choice(texts), chance.choice(entries[chance.choice(options)][1]), False


def levyholt_pairs(data: Path) -> Iterator[tuple[str, str, bool]]:
    for line in (data / "levyholt/dev/dev_s.txt").read_text(encoding="utf-8").splitlines():
        premise, claim, label = line.split("\t")[:3]
        yield premise.replace(",", " ") + " .", claim.replace(",", " ") + " .", label.strip().startswith("T")


def texts_of(data: Path, forbidden: set[tuple[str, ...]]) -> Iterator[Document]:
    yield from xsum_articles(data, forbidden)
    yield from wsj(data)
    yield from redocred(data)
    yield from knowledgenet(data)
    yield from gum(data)
    yield from brown(data, "abc")


def parsed(data: Path, forbidden: set[tuple[str, ...]]) -> list[tuple[str, tuple[Analysis, ...]]]:
    nlp = tupelo.load(threads=1)
    return [(item.id, tuple(nlp.analyze(item.text, constituents=False))) for item in texts_of(data, forbidden)]


def build(data: Path, documents: Sequence[tuple[str, Sequence[Analysis]]], per_sentence: float, seed: int) -> Table:
    chance = random.Random(seed)
    forbidden = judged_runs(data)
    table = Table(load_encoder())
    store, counts = Store(), Counter[str]()
    forest = {name: [Tree(analysis) for analysis in analyses if analysis.words] for name, analyses in documents}
    for trees in forest.values():
        for tree in trees:
            store.add(tree)
            counts.update(tree.lowered)
    others = synonyms(data, counts)
    sources: dict[str, Source] = {}
    for number, (name, trees) in enumerate(forest.items()):
        if len(trees) < 2:
            continue
        aside = number % ASIDE == 0
        source = sources[name] = source_of(table, [tree.analysis.text for tree in trees])
        rewritten = {
            place: [made.text for made in rewrites(tree.analysis)]
            for place, tree in enumerate(trees)
            if 5 <= tree.size <= 40 and chance.random() < 0.25
        }
        for claim in claims_of(trees, store, others, rewritten, chance, round(per_sentence * len(trees))):
            text, marks = joined(claim.words)
            table.add(text, marks, claim.label, claim.kind, source.premise(text), aside)
    places = {name: number for number, name in enumerate(forest)}
    for name, summary, marks, label in judged_summaries(data, sources, forbidden):
        table.add(summary, marks, label, "judged", sources[name].premise(summary), places[name] % ASIDE == 0)
    pairs = [
        *(("rte", *pair) for pair in rte(data)),
        *(("webnlg", *pair) for pair in webnlg_pairs(data, chance)),
        *(("levyholt", *pair) for pair in levyholt_pairs(data)),
    ]
    for number, (kind, premise, claim, label) in enumerate(pairs):
        if not (runs(premise) | runs(claim)) & forbidden:
            marks = [(0, len(claim), YES)] if label else []
            table.add(claim, marks, float(label), kind, [table.sentence(premise)], number % ASIDE == 0)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--claims", type=float, default=3.0, help="made from each sentence")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    documents = parsed(options.data, judged_runs(options.data))
    build(options.data, documents, options.claims, options.seed).save(options.output)


if __name__ == "__main__":
    main()
