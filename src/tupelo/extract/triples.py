"""Texts to triples of two entities and a label, as a graph would take them in, without a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from tupelo.core.document import Document
from tupelo.core.errors import warn_of_failures
from tupelo.core.stages import ERROR_COLUMN
from tupelo.core.triples import LinkedEntity, LinkedText, LinkedTriple, is_end, listed_once
from tupelo.extract.stages import ReadStatements

# Texts that are analysed together.
_BATCH = 32


def read_triples(
    read: ReadStatements, documents: Iterable[Document], *, stances: Collection[str], values: bool
) -> Iterator[LinkedText]:
    """One result per document, in order; names are linked within a document."""
    rest = iter(documents)
    while batch := list(islice(rest, _BATCH)):
        found: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
        failures: dict[int, list[str]] = defaultdict(list)
        passages = [
            {"document_id": str(number), "source": str(number), "number": 0, "start_at": 0, "text": document.text}
            for number, document in enumerate(batch)
        ]
        for row in read.rows(passages):
            if row["document_id"]:
                found[int(row["document_id"])].append(row)
            elif reason := row.get(ERROR_COLUMN):
                failures[int(row["source"])].append(reason)
        for number, document in enumerate(batch):
            warn_of_failures(failures[number])
            yield replace(_linked(document, found[number], stances, values), failures=tuple(failures[number]))


def _linked(
    document: Document, rows: Iterable[Mapping[str, Any]], stances: Collection[str], values: bool
) -> LinkedText:
    entities: list[LinkedEntity] = []
    triples: list[LinkedTriple] = []
    for row in rows:
        ends = [_entity(anchor, row["start_at"]) for anchor in row["anchors"]]
        made = [
            _triple(link, row, ends)
            for link in row["links"]
            if row["tuples"][link["tuple"]]["stance"] in stances
            and is_end(ends[link["subject"]], values=False)
            and is_end(ends[link["object"]], values=values)
        ]
        named = [end for end, anchor in zip(ends, row["anchors"], strict=True) if anchor["kind"] == "entity"]
        entities += [*named, *(end for triple in made for end in (triple.subject, triple.object))]
        triples += made
    return LinkedText(document.source, document.text, listed_once(entities), tuple(triples))


def _entity(anchor: Mapping[str, Any], sentence: int) -> LinkedEntity:
    name, label = anchor["name"] or anchor["text"], anchor["label"]
    return LinkedEntity(name, label, anchor["kind"], sentence + anchor["start"], sentence + anchor["end"])


def _triple(link: Mapping[str, Any], row: Mapping[str, Any], ends: Sequence[LinkedEntity]) -> LinkedTriple:
    said, start = row["tuples"][link["tuple"]], row["start_at"]
    arguments = [said["arg1"], *said["args"]]
    own = (link["subject"], link["object"])
    beside = [arguments[number] for number in link["beside"] if said["parts"][number] not in own]
    times, places = (tuple(one["text"] for one in beside if one.get("role") == role) for role in ("time", "location"))
    confidence = said.get("confidence") if link["confidence"] is None else link["confidence"]
    return LinkedTriple(
        ends[link["subject"]],
        link["relation"],
        ends[link["object"]],
        row["text"],
        start,
        start + len(row["text"]),
        confidence,
        said["stance"],
        times,
        places,
    )
