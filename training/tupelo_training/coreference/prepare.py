"""Documents with the mentions that the shipped parser finds, as arrays: gold ones, and unlabelled ones for a teacher.

    python -m tupelo_training.coreference.prepare --data ../shared/data --work ANALYSES --output documents.npz

Mentions are those that the parser finds in raw text, for the network meets no others at work; a mention is of a gold
entity when its head is that of a gold mention. GUM marks all mentions, so one that is not gold refers to nothing;
LitBank and the worlds mark some kinds, and GAP one pronoun with two names, so there the others are not learnt.
"""

from __future__ import annotations

import gzip
import json
import pickle
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

import tupelo
from benchmarks.coref import PRONOUNS, overlap, place_mentions, raw_documents, read_gap
from benchmarks.who_is_who import WORLDS
from benchmarks.worlds import World, read_world
from tupelo.core import Analysis, Passage
from tupelo.io.analyses import read_analyses
from tupelo.nlp.mentions import Mentions, describe
from tupelo.nlp.subwords import Subwords
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.coreference import SOURCES
from tupelo_training.facts.sources import part_of
from tupelo_training.names.worlds import HERE, filled_world
from tupelo_training.options import option_parser
from tupelo_training.parser.chains import LEARNT, NEITHER, REFERRED, REFERS, UNKNOWN, span_head
from tupelo_training.parser.treebanks import is_open_document, lines_of

FILLED = range(1, 9)
# What is kept aside of LitBank and of GAP's development part: one in so many documents.
ASIDE = {"litbank": 9, "gap": 6}
MODEL = Path(tupelo.__file__).with_name("models") / "en"
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document, the entity of each of its mentions and what it is for, and what is measured on it."""

    source: str
    analyses: Sequence[Analysis]
    mentions: Mentions
    entity: np.ndarray
    purpose: np.ndarray
    measured: Answer = field(default_factory=dict)


def heads_of(analyses: Sequence[Analysis]) -> tuple[list[DependencyTree], Mentions]:
    trees = [DependencyTree(one) for one in analyses]
    return trees, describe(trees, [sorted({one.head for one in analysis.mentions or ()}) for analysis in analyses])


def labelled(
    source: str,
    analyses: Sequence[Analysis],
    marked: Sequence[tuple[int, int, int, int]],
    unmarked: int,
    measured: Callable[[Mentions], Answer] = lambda _: {},
) -> Prepared:
    """`marked` are (sentence, first word, last word, entity); mentions beside them are for `unmarked`."""
    trees, mentions = heads_of(analyses)
    sizes: defaultdict[int, int] = defaultdict(int)
    for *_, entity in marked:
        sizes[entity] += 1
    known: dict[tuple[int, int], int] = {}
    for sentence, first, last, entity in marked:
        place = sentence, span_head(trees[sentence], first, last)
        if place not in known or sizes[known[place]] < sizes[entity]:
            known[place] = entity
    places = zip(mentions.sentence.tolist(), mentions.head.tolist(), strict=True)
    entity = np.array([known.get(place, UNKNOWN) for place in places], np.int64)
    purpose = np.where(entity == UNKNOWN, unmarked, LEARNT)
    return Prepared(source, analyses, mentions, entity, purpose, measured(mentions))


def inked(analyses: Sequence[Analysis]) -> list[tuple[int, int, int, int]]:
    """Sentence, number, start and end of every word in characters without white space."""
    found, position = [], 0
    for number, analysis in enumerate(analyses):
        places = [*accumulate((not character.isspace() for character in analysis.text), initial=position)]
        position = places[-1]
        spans = (analysis.span(word, word + 1) for word in range(len(analysis.words)))
        found += [(number, word, places[span.start], places[span.end]) for word, span in enumerate(spans)]
    return found


def counted(analyses: Sequence[Analysis]) -> list[tuple[int, int, int, int]]:
    """The same in characters of the document."""
    return [
        (number, word, analysis.start + span.start, analysis.start + span.end)
        for number, analysis in enumerate(analyses)
        for word, span in ((word, analysis.span(word, word + 1)) for word in range(len(analysis.words)))
    ]


def words_in(
    words: Sequence[tuple[int, int, int, int]], spans: Mapping[tuple[int, int], int]
) -> list[tuple[int, int, int, int]]:
    """Spans of characters with their entities as words of one sentence."""
    starts = np.array([one[2] for one in words])
    ends = np.array([one[3] for one in words])
    found = []
    for (start, end), entity in spans.items():
        first, last = int(np.searchsorted(ends, start, side="right")), int(np.searchsorted(starts, end)) - 1
        if first <= last:
            last = max(place for place in range(first, last + 1) if words[place][0] == words[first][0])
            found.append((words[first][0], words[first][1], words[last][1], entity))
    return found


def stored(path: Path, texts: Mapping[str, str]) -> dict[str, list[Analysis]]:
    """The sentences of raw texts with mentions, from a file where there is one."""
    if not path.exists():
        with tupelo.load() as nlp:
            found = nlp.pipe_analyses(list(texts.values()), constituents=False, coreference=True)
            path.write_bytes(pickle.dumps(dict(zip(texts, map(list, found), strict=True))))
    result: dict[str, list[Analysis]] = pickle.loads(path.read_bytes())  # noqa: S301 - written above
    return result


def gum(data: Path, work: Path, part: str) -> Iterator[Prepared]:
    path = data / f"gum/gum-{part}.conllu.gz"
    texts = {name: text for name, text in raw_documents(path) if part == "dev" or is_open_document(name)}
    gold: defaultdict[str, list[Analysis]] = defaultdict(list)
    for analysis in read_analyses(path):
        gold[str(analysis.document_id)].append(analysis)
    for name, analyses in stored(work / f"gum-{part}.pickle", texts).items():
        spans = {one.span: one.entity for one in place_mentions(gold[name])}
        measure = _pronouns(gold[name], analyses) if part == "dev" else lambda _: {}
        yield labelled(f"gum-{part}", analyses, words_in(inked(analyses), spans), LEARNT, measure)


def _pronouns(gold: Sequence[Analysis], analyses: Sequence[Analysis]) -> Callable[[Mentions], Answer]:
    """Which mentions would be right for each pronoun, as `benchmarks.coref` counts."""

    def measured(mentions: Mentions) -> Answer:
        found = place_mentions(analyses)
        numbers = _numbers(analyses, mentions)
        wanted = place_mentions(gold)
        rows = []
        for pronoun in (one for one in wanted if one.is_pronoun):
            same = [one for one in wanted if one.entity == pronoun.entity and one is not pronoun]
            is_counted = any(
                m.is_proper and m.span[0] < pronoun.span[0] and not overlap(m.span, pronoun.span) for m in same
            )
            own = next((number for one, number in zip(found, numbers, strict=True) if one.span == pronoun.span), -1)
            right = [
                number
                for one, number in zip(found, numbers, strict=True)
                if any(one.span == m.span or overlap(one.head, m.head) for m in same)
            ]
            rows.append([PRONOUNS[pronoun.text.lower()], is_counted, own, right])
        named = [number for one, number in zip(found, numbers, strict=True) if one.name is not None]
        starts = {number: one.span[0] for one, number in zip(found, numbers, strict=True)}
        return {"pronouns": rows, "named": named, "starts": [starts.get(n, -1) for n in range(len(mentions))]}

    return measured


def _numbers(analyses: Sequence[Analysis], mentions: Mentions) -> list[int]:
    """The row of each mention of the analyses, in their order."""
    place = {key: row for row, key in enumerate(zip(mentions.sentence.tolist(), mentions.head.tolist(), strict=True))}
    return [place[number, one.head] for number, analysis in enumerate(analyses) for one in analysis.mentions or ()]


def litbank(data: Path, work: Path) -> Iterator[Prepared]:
    books: list[tuple[list[list[str]], list[tuple[int, int, int, int]]]] = []
    opened: defaultdict[int, list[int]] = defaultdict(list)
    for line in lines_of(data / "coref/litbank.conll.gz"):
        if line.startswith("#begin"):
            books.append(([[]], []))
        elif not line.strip():
            if books[-1][0][-1]:
                books[-1][0].append([])
            opened.clear()
        elif not line.startswith("#"):
            (sentences, marks), fields_ = books[-1], line.split("\t")
            place = len(sentences[-1])
            sentences[-1].append(fields_[3].replace(" ", "_"))
            for mark in fields_[-1].strip("_").split("|"):
                entity = int(mark.strip("()") or -1)
                if mark.startswith("("):
                    opened[entity].append(place)
                if mark.endswith(")") and opened[entity]:
                    marks.append((len(sentences) - 1, opened[entity].pop(), place, entity))
    path = work / "litbank.pickle"
    if not path.exists():
        passages = [
            Passage(" ".join(words), 0, f"{number:03}")
            for number, (sentences, _) in enumerate(books)
            for words in sentences
            if words
        ]
        with tupelo.load() as nlp:
            found = list(nlp.parser.analyze(passages, pretokenized=True, constituents=False, coreference=True))
        path.write_bytes(pickle.dumps(found))
    grouped: defaultdict[int, list[Analysis]] = defaultdict(list)
    for analysis in pickle.loads(path.read_bytes()):  # noqa: S301 - written above
        grouped[int(analysis.document_id)].append(analysis)
    for number, (sentences, marks) in enumerate(books):
        kept = [place for place, words in enumerate(sentences) if words]
        if len(kept) != len(grouped[number]):
            raise ValueError(f"LitBank {number}: {len(grouped[number])} sentences, expected {len(kept)}")
        source = "litbank-dev" if number % ASIDE["litbank"] == 0 else "litbank"
        yield labelled(source, grouped[number], marks, REFERRED)


def gap(data: Path, work: Path) -> Iterator[Prepared]:
    rows = {row["ID"]: row for row in read_gap(data / "coref/gap-development.tsv.gz")}
    found = stored(work / "gap.pickle", {name: row["Text"] for name, row in rows.items()})
    for number, (name, row) in enumerate(rows.items()):
        source = "gap-dev" if number % ASIDE["gap"] == 0 else "gap"
        analyses = found[name]
        _, mentions = heads_of(analyses)
        numbers, placed = _numbers(analyses, mentions), place_mentions(analyses, count_blanks=True)
        start = int(row["Pronoun-offset"])
        spans = {side: (int(row[f"{side}-offset"]), int(row[f"{side}-offset"]) + len(row[side])) for side in "AB"}
        sides = {
            side: [n for one, n in zip(placed, numbers, strict=True) if overlap(one.name or one.head, spans[side])]
            for side in "AB"
        }
        own = next(
            (n for one, n in zip(placed, numbers, strict=True) if one.span == (start, start + len(row["Pronoun"]))),
            -1,
        )
        entity = np.full(len(mentions), UNKNOWN, np.int64)
        purpose = np.full(len(mentions), NEITHER)
        meant = [side for side in "AB" if row[f"{side}-coref"] == "TRUE"]
        for side in "AB":
            entity[sides[side]], purpose[sides[side]] = "AB".index(side), REFERRED
        if own >= 0 and meant and sides["A"] and sides["B"] and not {own} & {*sides["A"], *sides["B"]}:
            entity[own], purpose[own] = "AB".index(meant[0]), REFERS
        answer = {"own": own, "A": sides["A"], "B": sides["B"], "meant": meant}
        yield Prepared(source, analyses, mentions, entity, purpose, {"gap": answer})


def worlds(work: Path) -> Iterator[Prepared]:
    kept = [read_world(path) for path in sorted((HERE / "worlds").glob("*.txt"))]
    aside = [*(read_world(path) for path in sorted(WORLDS.glob("*.txt"))), read_world(WORLDS / "develop")]
    filled = [filled_world(number) for number in FILLED]
    for source, several in (("worlds", kept), ("worlds-dev", aside), ("filled", filled)):
        for world in several:
            yield from _of_world(source, world, work)


def _of_world(source: str, world: World, work: Path) -> Iterator[Prepared]:
    found = stored(work / f"{world.name}.pickle", {one.name: one.text[one.body :] for one in world.documents})
    numbers: dict[str, int] = {}
    for one in world.documents:
        spans = {
            (mention.start - one.body, mention.end - one.body): numbers.setdefault(mention.entity, len(numbers))
            for mention in one.mentions
            if mention.start >= one.body
        }
        yield labelled(source, found[one.name], words_in(counted(found[one.name]), spans), REFERRED)


def raw_texts(data: Path) -> Iterator[tuple[str, str]]:
    """Texts of several sentences whose licences allow commercial use, without labels."""
    for name in ("musique", "hotpotqa"):
        for line in lines_of(data / f"retrieval/{name}/passages.jsonl.gz"):
            item = json.loads(line)
            yield f"{name} {item['id']}", item["text"]
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        for item in json.load(stream):
            if part_of(item["title"]) != "held-out":
                from benchmarks.graph_redocred import raw_text

                yield f"redocred {item['title']}", " ".join(map(raw_text, item["sents"]))
    for number, line in enumerate(lines_of(data / "knowledgenet/train_folds1-4.jsonl.gz")):
        text = json.loads(line)["passageText"]
        if text.count(". ") >= 1:
            yield f"knowledgenet {number}", text
    for name, text in raw_documents(data / "ud_ewt/en_ewt-train.conllu.gz"):
        yield name, text


def raw(data: Path, work: Path) -> Iterator[Prepared]:
    for analyses in stored(work / "raw.pickle", dict(raw_texts(data))).values():
        prepared = labelled("raw", analyses, [], REFERRED)
        if len(prepared.mentions) > 2:
            yield prepared


# Columns that hold keys of words, which need only be told apart inside a document.
_KEYS = ("text", "lemma", "acronym", "tokens")


def flat(documents: Sequence[Prepared], subwords: Subwords) -> dict[str, np.ndarray]:
    """All documents as arrays, one entry per document, sentence, word, piece or mention."""
    columns: defaultdict[str, list[np.ndarray]] = defaultdict(list)
    lists: defaultdict[str, list[int]] = defaultdict(list)
    for one in documents:
        lists["source"].append(SOURCES.index(one.source))
        lists["sentences"].append(len(one.analyses))
        lists["mentions"].append(len(one.mentions))
        for analysis in one.analyses:
            lists["words"].append(len(analysis.words))
            for word in analysis.words:
                pieces, shape = subwords.cut(word.text)
                lists["piece"] += pieces
                lists["pieces"].append(len(pieces))
                lists["shape"].append(shape)
        keys = np.concatenate([getattr(one.mentions, name).reshape(-1) for name in _KEYS])
        codes = np.searchsorted(np.unique(np.append(keys, 0)), keys)
        place = 0
        for column in (column.name for column in fields(Mentions)):
            values = getattr(one.mentions, column)
            if column in _KEYS:
                values = codes[place : place + values.size].reshape(values.shape)
                place += values.size
            columns[column].append(values.astype(np.uint16 if column in _KEYS else np.int16))
        columns["entity"].append(one.entity.astype(np.int32))
        columns["purpose"].append(one.purpose.astype(np.uint8))
    arrays = {name: np.concatenate(parts) for name, parts in columns.items()}
    kinds = {"piece": np.uint16, "shape": np.uint8, "pieces": np.uint8, "source": np.uint8}
    return arrays | {name: np.array(values, kinds.get(name, np.int32)) for name, values in lists.items()}


def main() -> None:
    options = option_parser(__doc__, "data", "work", "output").parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    documents = [
        *gum(options.data, options.work, "train"),
        *gum(options.data, options.work, "dev"),
        *litbank(options.data, options.work),
        *gap(options.data, options.work),
        *worlds(options.work),
        *raw(options.data, options.work),
    ]
    documents = [one for one in documents if len(one.mentions)]
    subwords = Subwords((MODEL / "vocab.txt").read_text("utf-8").splitlines())
    arrays = flat(documents, subwords)
    np.savez_compressed(options.output, allow_pickle=False, **arrays)
    measured = {str(number): one.measured for number, one in enumerate(documents) if one.measured}
    options.output.with_suffix(".json").write_text(json.dumps(measured), "utf-8")
    for name in SOURCES:
        own = [one for one in documents if one.source == name]
        learnt = sum(int(np.isin(one.purpose, (LEARNT, REFERS)).sum()) for one in own)
        known = sum(int((one.entity != UNKNOWN).sum()) for one in own)
        mentions = sum(len(one.mentions) for one in own)
        print(f"{name}: {len(own)} documents, {mentions} mentions, {known} known, {learnt} learnt")


if __name__ == "__main__":
    main()
