"""Sentences in which a pair of entities is marked, as `tupelo facts dataset` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tupelo.core import FormatError, InputError

SUBJECT_MARK, OBJECT_MARK = "SUBJ", "OBJ"


@dataclass(frozen=True, slots=True)
class MarkedExample:
    """A sentence with `SUBJ{…}` and `OBJ{…}`, and the property of the pair; `None` for no relation."""

    marked: str
    property: str | None


def marked_examples(items: Iterable[tuple[int, Any]], source: str) -> Iterator[MarkedExample]:
    """Read examples from numbered JSON objects with `marked` and `property`."""
    expected = f'an object with "marked" ({SUBJECT_MARK}{{…}} and {OBJECT_MARK}{{…}} in a sentence) and "property"'
    for line, item in items:
        if not isinstance(item, dict) or not isinstance(item.get("marked"), str) or "property" not in item:
            raise FormatError(source, line, "no marked sentence with its property", expected)
        if f"{SUBJECT_MARK}{{" not in item["marked"] or f"{OBJECT_MARK}{{" not in item["marked"]:
            raise FormatError(source, line, "a sentence without both marks", expected)
        if item["property"] is not None and not (isinstance(item["property"], str) and item["property"]):
            raise FormatError(source, line, f"property {item['property']!r}", "a name, or null for no relation")
        yield MarkedExample(item["marked"], item["property"])


def marked(text: str, subjects: Iterable[Sequence[int]], objects: Iterable[Sequence[int]]) -> str:
    """A sentence with marks around the mentions of subject and object, which must not overlap.

    >>> marked("Person1 was born in City1.", [(0, 7)], [(20, 25)])
    'SUBJ{Person1} was born in OBJ{City1}.'
    """
    marks = ((SUBJECT_MARK, subjects), (OBJECT_MARK, objects))
    spans = [(start, end, mark) for mark, mentions in marks for start, end in mentions]
    for start, end, mark in sorted(spans, reverse=True):
        text = f"{text[:start]}{mark}{{{text[start:end]}}}{text[end:]}"
    return text


def mark_pair(sentence: str, subject: tuple[int, int], object_: tuple[int, int]) -> str:
    """`marked` for one mention of each."""
    if subject[0] < object_[1] and object_[0] < subject[1]:
        raise InputError(f"spans {subject} and {object_} overlap, expected two mentions that lie apart")
    return marked(sentence, [subject], [object_])
