"""Sentences that say the same thing in different words, with their tuples (ROBUST)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tupelo.core.extraction import Extraction, Record, Sentence


@dataclass(frozen=True, slots=True)
class Clique:
    """A knowledge-invariant clique. The first sentence is the original, the others are paraphrases."""

    id: str
    sentences: tuple[Sentence, ...]
    extractions: tuple[tuple[Extraction, ...], ...]

    def __post_init__(self) -> None:
        if len(self.sentences) != len(self.extractions):
            raise ValueError("a clique needs one list of extractions per sentence")

    def records(self) -> list[Record]:
        """The tuples, and the sentences without any, in order; each knows its clique."""
        found: list[Record] = []
        for sentence, extractions in zip(self.sentences, self.extractions, strict=True):
            found += (replace(extraction, group=self.id) for extraction in extractions)
            if not extractions:
                found.append(replace(sentence, document_id=self.id))
        return found


def member_records(clique: str, text: str, tuples: Sequence[Sequence[str]]) -> Iterator[Record]:
    """The tuples of a sentence of a clique, relation first, or the sentence alone if there are none."""
    sentence = Sentence(text, document_id=clique)
    if not tuples:
        yield sentence
    for relation, *arguments in tuples:
        yield replace(Extraction.of(sentence, relation, arguments), group=clique)


def gather_cliques(records: Iterable[Record]) -> Iterator[Clique]:
    """Group records into cliques by `Extraction.group` (`Sentence.document_id` for bare sentences).

    Sentences keep their order of first appearance. A record without a group
    makes a clique of its own sentence, so any set of tuples can be seen as cliques.
    """
    cliques: dict[str, dict[Sentence, list[Extraction]]] = {}
    for record in records:
        sentence = record.sentence
        group = sentence.document_id if isinstance(record, Sentence) else record.group
        members = cliques.setdefault(sentence.text if group is None else group, {})
        found = members.setdefault(sentence, [])
        if isinstance(record, Extraction):
            found.append(record)
    for name, members in cliques.items():
        yield Clique(name, tuple(members), tuple(tuple(found) for found in members.values()))
