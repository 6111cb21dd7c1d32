"""Names of documents whose entities people marked, as triples with gold labels, for the head of entities.

Two neighbouring names of a sentence and the words between them make a triple. A label is a document and the number of
an entity in it: names of two documents are neither one nor two.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from tupelo.core.canonical import GoldLabels, Phrase, TripleMention
from tupelo.core.extraction import Span
from tupelo_training.facts.sources import part_of, redocred
from tupelo_training.parser.treebanks import is_open, read_conllu

# Dates and numbers are told apart by rules.
_VALUES = frozenset(["TIME", "NUM"])
DOCUMENTS = 140
_MOST_WORDS = 7
_MOST_BETWEEN = 12
# First word, last word + 1, entity.
Marked = tuple[int, int, str]


def document_pools(data: Path) -> list[tuple[list[TripleMention], GoldLabels]]:
    """Names of 140 documents of Re-DocRED dev that are not held out, and of GUM's training part."""
    return [
        as_triples(redocred_sentences(data, ("train", "choose"), DOCUMENTS), "redocred"),
        as_triples(gum_sentences(data, "train"), "gum"),
    ]


def redocred_sentences(
    data: Path, parts: Iterable[str], count: int
) -> Iterator[tuple[str, Sequence[str], list[Marked]]]:
    """Document, words and marked names of the sentences of some documents; parts as `part_of` divides Re-DocRED."""
    wanted = frozenset(parts)
    found = [document for document in redocred(data) if part_of(document.title) in wanted]
    titles = sorted({document.title for document in found})
    random.Random(0).shuffle(titles)
    chosen = frozenset(titles[:count])
    for document in found:
        if document.title not in chosen:
            continue
        start = 0
        for words in document.sentences:
            inside = [
                (first - start, end - start, str(entity))
                for first, end, entity in document.mentions
                if start <= first and end <= start + len(words) and document.types[entity] not in _VALUES
            ]
            yield document.title, words, inside
            start += len(words)


def gum_sentences(data: Path, part: str) -> Iterator[tuple[str, Sequence[str], list[Marked]]]:
    """The same for the names in a part of GUM; only documents whose licence allows it."""
    for example in read_conllu(data / f"gum/gum-{part}.conllu.gz", "gum"):
        if is_open(example) and example.mentions is not None and example.upos is not None:
            tags = example.upos
            marked = [
                (mention.first, mention.last + 1, mention.entity)
                for mention in example.mentions
                if all(tags[place] == "PROPN" for place in mention.core)
            ]
            yield example.document, example.words, marked


def as_triples(
    sentences: Iterable[tuple[str, Sequence[str], list[Marked]]], source: str
) -> tuple[list[TripleMention], GoldLabels]:
    """Triples of neighbouring names, and the entities of their subjects and objects."""
    mentions: list[TripleMention] = []
    gold: dict[str, dict[str, frozenset[str]]] = {"subject": {}, "object": {}}
    for document, words, marked in sentences:
        starts = [0]
        for word in words:
            starts.append(starts[-1] + len(word) + 1)
        text = " ".join(words)

        def phrase(first: int, end: int, starts: Sequence[int] = starts, text: str = text) -> Phrase:
            span = Span(starts[first], starts[end] - 1)
            return Phrase(text[span.start : span.end], span)

        names = [one for one in sorted(marked) if 0 < one[1] - one[0] <= _MOST_WORDS]
        for one, other in pairwise(names):
            if not one[1] < other[0] <= one[1] + _MOST_BETWEEN:
                continue
            id = f"{source} {len(mentions)}"
            mentions.append(TripleMention(id, phrase(*one[:2]), phrase(one[1], other[0]), phrase(*other[:2]), text))
            for slot, (_, _, entity) in (("subject", one), ("object", other)):
                gold[slot][id] = frozenset([f"{document}\t{entity}"])
    return mentions, gold
