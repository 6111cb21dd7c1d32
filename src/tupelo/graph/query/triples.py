"""The passages of a graph with the triples that they state, under the names that the graph has for the entities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from tupelo.core.triples import LinkedEntity, LinkedText, LinkedTriple, listed_once
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest

# Every passage in both queries, in the same order.
_PASSAGES = "passages JOIN documents USING (document_id)"
_MENTIONED = f"""
    SELECT source, passages.number, name, kind, type
    FROM {_PASSAGES}
    LEFT JOIN passage_entities USING (passage_id)
    LEFT JOIN entities USING (entity_id)
    LEFT JOIN ({finest()}) USING (entity_id)
    ORDER BY source, passages.number, passage_entities.mentions DESC, name
"""
_SAID = f"""
    WITH types AS ({finest()}),
    places AS (
        -- An argument and a name within it: the shorter one.
        SELECT tuple_id, referent_id, arg_min(starts[1], (ends[-1] - starts[1], position)) AS first,
            arg_min(ends[-1], (ends[-1] - starts[1], position)) AS last
        FROM mentions WHERE starts IS NOT NULL AND tuple_id IS NOT NULL GROUP BY ALL
    ),
    held AS (
        SELECT edge_id, list(text ORDER BY text) FILTER (role = 'time') AS times,
            list(text ORDER BY text) FILTER (role = 'location') AS places
        FROM qualifiers GROUP BY edge_id
    )
    SELECT source, passages.number, sentences.text AS sentence, sentences.position AS place,
        provenance.wording AS relation, provenance.confidence AS confidence, tuples.stance AS stance,
        subjects.name AS subject, subjects.kind AS subject_kind, subject_types.type AS subject_type,
        starts.first AS subject_start, starts.last AS subject_end,
        coalesce(objects.name, literals.text) AS object, coalesce(objects.kind, literals.kind) AS object_kind,
        coalesce(object_types.type, literals.label) AS object_type,
        finish.first AS object_start, finish.last AS object_end, held.times AS times, held.places AS places
    FROM {_PASSAGES}
    JOIN sentences ON sentences.document_id = passages.document_id
        AND sentences.position BETWEEN first_sentence AND last_sentence
    LEFT JOIN provenance ON provenance.sentence_id = sentences.sentence_id
    LEFT JOIN statements AS said ON said.edge_id = provenance.edge_id
    LEFT JOIN tuples ON tuples.tuple_id = provenance.tuple_id
    LEFT JOIN entities AS subjects ON subjects.entity_id = said.subject_id
    LEFT JOIN entities AS objects ON objects.entity_id = said.object_id
    LEFT JOIN literals ON literals.literal_id = said.object_id
    LEFT JOIN types AS subject_types ON subject_types.entity_id = said.subject_id
    LEFT JOIN types AS object_types ON object_types.entity_id = said.object_id
    LEFT JOIN places AS starts ON starts.tuple_id = tuples.tuple_id AND starts.referent_id = subject_ref
    LEFT JOIN places AS finish ON finish.tuple_id = tuples.tuple_id AND finish.referent_id = object_ref
    LEFT JOIN held ON held.edge_id = provenance.edge_id
    ORDER BY source, passages.number, sentences.position, tuples.position, object_start, provenance.edge_id
"""


def passage_triples(
    store: Store, *, stances: Collection[str], min_confidence: float, values: bool
) -> Iterator[LinkedText]:
    """The passages in the order of their documents; the id of a passage is its source and its number from 0."""
    mentioned = groupby(_rows(store, _MENTIONED), itemgetter("source", "number"))
    said = groupby(_rows(store, _SAID), itemgetter("source", "number"))
    kinds = ("name", "concept", *(("value",) if values else ()))
    for ((source, number), entities), (_, rows) in zip(mentioned, said, strict=True):
        named = [LinkedEntity(row["name"], row["type"] or "", row["kind"]) for row in entities if row["name"]]
        text, triples = _read(
            rows,
            lambda row: (
                row["stance"] in stances
                and (row["confidence"] is None or row["confidence"] >= min_confidence)
                and row["object_kind"] in kinds
            ),
        )
        linked = [end for triple in triples for end in (triple.subject, triple.object)]
        yield LinkedText(f"{source}#{number}", text, listed_once([*linked, *named]), tuple(triples))


def _rows(store: Store, sql: str) -> Iterator[Mapping[str, Any]]:
    for batch in store.batches(sql):
        yield from batch.to_pylist()


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
