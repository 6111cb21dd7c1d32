"""COMBO's JSON: one array, every item a triple with its sentence, entities, classes and relation label.

Jiang et al., "COMBO: A Complete Benchmark for Open KG Canonicalization" (EACL
2023). The sentence is rebuilt from its tokens with single spaces, and token
spans become character spans. Items with the same `tri_id` are one element, as
in the published evaluation.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.sentence import Span
from tupelo.io.json_items import array_items
from tupelo.io.lines import Lines
from tupelo.io.triples.base import Collected, Complain, TripleFile


def read(lines: Lines) -> TripleFile:
    collected = Collected()
    for line, item in array_items(lines):

        def complain(found: str, expected: str, line: int = line) -> None:
            lines.fault(line, found, expected)

        read_item(item, collected, complain)
    return collected.file()


def read_item(item: Any, collected: Collected, complain: Complain) -> None:
    if not isinstance(item, dict):
        return complain("an item that is no object", 'an object with "text", "h", "r", "t" and "tri_id"')
    tokens = item.get("text")
    if not _is_words(tokens):
        return complain("'text' is missing or no list of tokens", "a list of tokens")
    number = item.get("tri_id")
    if not isinstance(number, int | str) or isinstance(number, bool):
        return complain("'tri_id' is missing", "the id of the triple")
    phrases: dict[str, Phrase] = {}
    for key in ("h", "r", "t"):
        part = item.get(key)
        if not isinstance(part, dict) or not _is_words(part.get("name")):
            return complain(f"'{key}.name' is missing or no list of tokens", "a list with at least one token")
        place = part.get("pos")
        if not _is_place(place, len(tokens)):
            return complain(f"'{key}.pos' is {place!r}", f"[start, end) inside the {len(tokens)} tokens of 'text'")
        phrases[key] = Phrase(" ".join(part["name"]), _characters(tokens, place))
    labels: dict[str, Any] = {}
    for key, subtask in (("h", "subject"), ("t", "object")):
        entity, classes = item[key].get("id"), item[key].get("instance")
        if entity is not None:
            labels[subtask] = [str(entity)]
        if isinstance(classes, list) and classes:
            labels[f"{subtask}-type"] = [str(name) for name in classes]
    if item["r"].get("label") is not None:
        labels["relation"] = [str(item["r"]["label"])]
    mention = TripleMention(str(number), phrases["h"], phrases["r"], phrases["t"], " ".join(tokens))
    collected.add(mention, labels)


def _is_words(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) and word.strip() for word in value)


def _is_place(value: Any, length: int) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(edge, int) and not isinstance(edge, bool) for edge in value)
        and 0 <= value[0] < value[1] <= length
    )


def _characters(tokens: list[str], place: list[int]) -> Span:
    start = sum(len(token) + 1 for token in tokens[: place[0]])
    return Span(start, start + sum(len(token) + 1 for token in tokens[place[0] : place[1]]) - 1)
