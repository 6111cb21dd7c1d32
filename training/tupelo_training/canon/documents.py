"""Names of documents whose entities people marked, as triples with gold labels, for the head of entities.

Two neighbouring names of a sentence and the words between them make a triple. A label is a document and the number of
an entity in it: names of two documents are neither one nor two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tupelo.core.canonical import GoldLabels, Phrase, TripleMention
from tupelo.core.sentence import Span
from tupelo_training.facts.sources import part_of, redocred
from tupelo_training.parser.treebanks import is_open, read_conllu

# Dates and numbers are told apart by rules.
_VALUES = frozenset(["TIME", "NUM"])
_MOST_WORDS = 7
_MOST_BETWEEN = 12
# First word, last word + 1, entity.
Marked = tuple[int, int, str]


def redocred_sentences(data: Path, parts: Iterable[str]) -> Iterator[tuple[str, Sequence[str], list[Marked]]]:
    """Document, words and marked names of sentences of Re-DocRED dev; parts as `part_of` divides it."""
    wanted = frozenset(parts)
    for document in redocred(data):
        if part_of(document.title) not in wanted:
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
        if is_open(example) and example.mentions is not None:
            marked = [
                (mention.first, mention.last + 1, mention.entity)
                for mention in example.mentions
                if all(example.upos[place] == "PROPN" for place in mention.core)
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
        for one, other in zip(names, names[1:], strict=False):
            if not one[1] < other[0] <= one[1] + _MOST_BETWEEN:
                continue
            id = f"{source} {len(mentions)}"
            mentions.append(
                TripleMention(id, phrase(*one[:2]), phrase(one[1], other[0]), phrase(*other[:2]), text)
            )
            for slot, (_, _, entity) in (("subject", one), ("object", other)):
                gold[slot][id] = frozenset([f"{document}\t{entity}"])
    return mentions, gold
