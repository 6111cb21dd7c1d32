"""The passages of a graph with the triples that they state, under the names that the graph has for the entities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from tupelo.core.shipped import queries
from tupelo.core.triples import LinkedEntity, LinkedText, LinkedTriple, is_end, listed_once
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest

_SQL = queries(__name__)


def passage_triples(
    store: Store, *, stances: Collection[str], min_confidence: float, values: bool
) -> Iterator[LinkedText]:
    """The passages in the order of their documents; the id of a passage is its source and its number from 0."""
    mentioned = groupby(store.stream(_SQL["mentioned"].format(finest=finest())), itemgetter("source", "number"))
    said = groupby(store.stream(_SQL["said"].format(finest=finest())), itemgetter("source", "number"))
    for ((source, number), entities), (_, rows) in zip(mentioned, said, strict=True):
        named = [LinkedEntity(row["name"], row["type"] or "", row["kind"]) for row in entities if row["name"]]
        text, triples = _read(
            rows,
            lambda row: (
                row["stance"] in stances
                and (row["confidence"] is None or row["confidence"] >= min_confidence)
                and is_end(_end(row, "subject", 0), values=False)
                and is_end(_end(row, "object", 0), values=values)
            ),
        )
        linked = [end for triple in triples for end in (triple.subject, triple.object)]
        yield LinkedText(f"{source}#{number}", text, listed_once([*linked, *named]), tuple(triples))


def _read(
    rows: Iterable[Mapping[str, Any]], counts: Callable[[Mapping[str, Any]], bool]
) -> tuple[str, list[LinkedTriple]]:
    """The text of a passage, which is its sentences with spaces between them, and its triples."""
    text, triples = "", []
    for _, own in groupby(rows, itemgetter("place")):
        stated = list(own)
        sentence = stated[0]["sentence"]
        text += f" {sentence}" if text else sentence
        start = len(text) - len(sentence)
        triples += [_triple(row, start) for row in stated if row["subject"] and counts(row)]
    return text, triples


def _triple(row: Mapping[str, Any], start: int) -> LinkedTriple:
    sentence = row["sentence"]
    return LinkedTriple(
        _end(row, "subject", start),
        row["relation"],
        _end(row, "object", start),
        sentence,
        start,
        start + len(sentence),
        row["confidence"],
        row["stance"],
        tuple(row["times"] or ()),
        tuple(row["places"] or ()),
    )


def _end(row: Mapping[str, Any], role: str, sentence: int) -> LinkedEntity:
    name, first, last = row[role], row[f"{role}_start"], row[f"{role}_end"]
    # The place of a literal is not kept, and that of an argument begins with its preposition.
    if (found := row["sentence"].find(name, first or 0, last)) >= 0:
        first, last = found, found + len(name)
    kind, label = row[f"{role}_kind"], row[f"{role}_type"] or ""
    return LinkedEntity(name, label, kind, *(None if at is None else sentence + at for at in (first, last)))
