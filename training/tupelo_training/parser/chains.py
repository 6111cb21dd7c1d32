"""Documents with coreference: GUM's, LitBank's and GAP's, as sentences with the mentions that are known.

GUM marks every mention in gold trees. LitBank marks people, places, organizations and vehicles, and GAP two names for
one pronoun; their sentences are parsed here, and a mention is known by the head of its words.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tupelo.core import Analysis, Passage, Word
from tupelo.nlp.mentions import Mentions, describe
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.parser.treebanks import Example, lines_of

# What a mention is for: it is learnt and may be referred to; it may only be referred to; neither; or it is known to
# refer to one of the others.
LEARNT, REFERRED, NEITHER, REFERS = range(4)
UNKNOWN = -1
_MARK = re.compile(r"\((\d+)\)?|(\d+)\)")


@dataclass(frozen=True, slots=True)
class Chains:
    """A document: its sentences, its mentions, the entity of each (or `UNKNOWN`), and what each is for."""

    source: str
    sentences: tuple[Example, ...]
    mentions: Mentions
    entity: np.ndarray
    purpose: np.ndarray


def analysis_of(example: Example) -> Analysis:
    """A treebank's sentence as the parser would give it."""
    upos, xpos = example.upos or (), example.xpos or ()
    heads, deprels = example.heads or (), example.deprels or ()
    words, position = [], 0
    for index, text in enumerate(example.words):
        head = heads[index] - 1 if heads[index] else None
        words.append(
            Word(
                text, position, position + len(text), text.lower(), upos[index], xpos[index], "", head, deprels[index]
            )
        )
        position += len(text) + 1
    return Analysis(text=" ".join(example.words), words=tuple(words), start=0)


def span_head(tree: DependencyTree, first: int, last: int) -> int:
    inside = range(first, last + 1)
    return next((word for word in inside if tree.heads[word] not in inside and tree.base[word] != "punct"), first)


def chains_of(
    source: str,
    sentences: Sequence[Example],
    trees: Sequence[DependencyTree],
    marked: Sequence[Iterable[tuple[int, int, int]]],
    *,
    others: bool = False,
) -> Chains:
    """`marked`: (first, last, entity) in every sentence. Of mentions with one head the one of the larger entity stays

    With `others`, nouns and pronouns that are not marked take part, as something that is not meant.
    """
    sizes: dict[int, int] = defaultdict(int)
    for marks in marked:
        for _, _, entity in marks:
            sizes[entity] += 1
    entities: list[dict[int, int]] = []
    for tree, marks in zip(trees, marked, strict=True):
        chosen: dict[int, int] = {}
        for first, last, entity in marks:
            head = span_head(tree, first, last)
            if head not in chosen or sizes[chosen[head]] < sizes[entity]:
                chosen[head] = entity
        if others:
            chosen |= {head: UNKNOWN for head in nominal_heads(tree) if head not in chosen}
        entities.append(chosen)
    mentions = describe(trees, entities)
    entity = np.array([entities[s][h] for s, h in zip(mentions.sentence, mentions.head, strict=True)], np.int64)
    return Chains(source, tuple(sentences), mentions, entity, np.where(entity == UNKNOWN, REFERRED, LEARNT))


def nominal_heads(tree: DependencyTree) -> Iterator[int]:
    """Words that may head a mention, by the tree alone."""
    for index in range(tree.size):
        if tree.upos(index) in ("NOUN", "PROPN", "PRON") and tree.base[index] not in ("compound", "flat", "fixed"):
            yield index


def gum_chains(examples: Iterable[Example]) -> Iterator[Chains]:
    documents: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        documents[example.document].append(example)
    for sentences in documents.values():
        trees = [DependencyTree(analysis_of(example)) for example in sentences]
        marked = [
            [(mention.first, mention.last, int(mention.entity)) for mention in example.mentions or ()]
            for example in sentences
        ]
        yield chains_of(sentences[0].source, sentences, trees, marked)


def parsed(parser: Pipeline, sentences: Sequence[Sequence[str]], source: str) -> list[tuple[Example, DependencyTree]]:
    passages = (Passage(" ".join(words), 0) for words in sentences)
    found = parser.analyze(passages, pretokenized=True, constituents=False)
    return [(Example(source=source, words=tuple(w.text for w in a.words)), DependencyTree(a)) for a in found]


def litbank_chains(data: Path, parser: Pipeline) -> Iterator[Chains]:
    sentences: list[list[str]] = [[]]
    marked: list[list[tuple[int, int, int]]] = [[]]
    opened: dict[int, list[int]] = defaultdict(list)
    for line in lines_of(data / "coref/litbank.conll.gz"):
        if line.startswith("#begin"):
            sentences, marked = [[]], [[]]
        elif line.startswith("#end"):
            kept = [(words, marks) for words, marks in zip(sentences, marked, strict=True) if words]
            pairs = parsed(parser, [words for words, _ in kept], "litbank")
            yield chains_of(
                "litbank", [e for e, _ in pairs], [t for _, t in pairs], [marks for _, marks in kept], others=True
            )
        elif not line.strip():
            sentences.append([])
            marked.append([])
            opened.clear()
        else:
            fields = line.split("\t")
            place = len(sentences[-1])
            sentences[-1].append(fields[3].replace(" ", "_"))
            for match in _MARK.finditer(fields[-1]):
                if match.group(1):
                    entity = int(match.group(1))
                    if match.group().endswith(")"):
                        marked[-1].append((place, place, entity))
                    else:
                        opened[entity].append(place)
                elif opened[int(match.group(2))]:
                    entity = int(match.group(2))
                    marked[-1].append((opened[entity].pop(), place, entity))


def gap_rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def gap_chains(path: Path, parser: Pipeline, source: str) -> Iterator[Chains]:
    """One document for each pronoun with an answer; every mention of a name counts, whichever of them was marked."""
    for row in gap_rows(path):
        right = [name for name in "AB" if row[f"{name}-coref"] == "TRUE"]
        if not right:
            continue
        analyses = list(parser.analyze([Passage(row["Text"], 0)], constituents=False))
        trees = [DependencyTree(analysis) for analysis in analyses]
        entities = [dict.fromkeys(nominal_heads(tree), UNKNOWN) for tree in trees]
        for number, name in enumerate("AB"):
            for at in re.finditer(rf"\b{re.escape(row[name])}\b", row["Text"]):
                _mark(analyses, trees, entities, at.start(), at.end(), number)
        start = int(row["Pronoun-offset"])
        _mark(analyses, trees, entities, start, start + len(row["Pronoun"]), 2)
        mentions = describe(trees, entities)
        entity = np.array([entities[s][h] for s, h in zip(mentions.sentence, mentions.head, strict=True)], np.int64)
        if {0, 1, 2} - set(entity.tolist()):
            continue
        purpose = np.where(entity == 2, REFERS, np.where(entity == UNKNOWN, NEITHER, REFERRED))
        entity = np.where(entity == 2, "AB".index(right[0]), entity)
        examples = tuple(Example(source="gap", words=tuple(word.text for word in a.words)) for a in analyses)
        yield Chains(source, examples, mentions, entity, purpose)


def _mark(
    analyses: Sequence[Analysis],
    trees: Sequence[DependencyTree],
    entities: Sequence[dict[int, int]],
    start: int,
    end: int,
    entity: int,
) -> None:
    for number, analysis in enumerate(analyses):
        inside = [index for index, word in enumerate(analysis.words) if word.start < end and start < word.end]
        if inside:
            entities[number][span_head(trees[number], inside[0], inside[-1])] = entity
