"""CESI's JSON lines: a ReVerb triple a line, with source sentences, an entity linker's guess and gold links.

Vashishth, Jain and Talukdar, "CESI: Canonicalizing Open Knowledge Bases using
Embeddings and Side Information" (WWW 2018). Only subjects and objects have
gold labels; `NULL` means that there is none. Triples of which a part is empty after normalisation
are left out, as CESI leaves them out.
"""

from __future__ import annotations

from typing import Any

from tupelo.core.canonical import Phrase, TripleMention
from tupelo.io.json_items import line_items
from tupelo.io.lines import Lines
from tupelo.io.triples.base import Collected, TripleFile
from tupelo.io.triples.places import find_phrase


def read(lines: Lines) -> TripleFile:
    collected = Collected()
    for number, item in line_items(lines):
        fault = _fault(item)
        if fault is not None:
            lines.fault(number, *fault)
            continue
        if all(part.strip() for part in item["triple"]):
            collected.add(_mention(item), _labels(item))
    return collected.file()


def _fault(item: Any) -> tuple[str, str] | None:
    if not isinstance(item, dict):
        return "a line that is no object", 'an object with "_id" and "triple"'
    if not isinstance(item.get("_id"), int | str):
        return "'_id' is missing", "the id of the triple"
    triple = item.get("triple")
    if not (isinstance(triple, list) and len(triple) == 3 and all(isinstance(part, str) for part in triple)):
        return "'triple' is missing or not three strings", "[subject, relation, object]"
    return None


def _mention(item: dict[str, Any]) -> TripleMention:
    sentences = item.get("src_sentences") or [""]
    sentence = sentences[0] if isinstance(sentences[0], str) else ""
    subject, relation, object_ = (
        Phrase(part, find_phrase(part, sentence)) for part in map(str.strip, item["triple"])
    )
    linker = item.get("entity_linking") or {}
    links = (linker.get("subject"), linker.get("object"))
    return TripleMention(str(item["_id"]), subject, relation, object_, sentence, links)


def _labels(item: dict[str, Any]) -> dict[str, Any]:
    links = item.get("true_link") or {}
    return {slot: [links[slot]] for slot in ("subject", "object") if links.get(slot) not in (None, "NULL", "")}
