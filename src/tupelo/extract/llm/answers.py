"""Strict parsing of language model answers, with repairs that change no word.

An answer is a list of tuples *(predicate, subject, object, time, place)*, separated by semicolons. Models deviate
from this format; known variants are accepted: code fences, numbering and bullets, an introduction before the first
bracket, other brackets, quotation marks, one tuple per line, a JSON list of lists or of objects, a truncated last
tuple. The sentence decides whether a comma is inside a part or between parts. Everything else is an error that says
what was found.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError

MOST_PARTS = 5
# With more commas than this between the parts of a tuple, it is none; joining them would take long.
_MOST_COMMAS = 60
_OPEN, _CLOSE = "([<{（【", ")]>}）】"
_NOTHING = frozenset({"", "none", "n/a", "no tuples", "no relational tuples", "no tuples found", "null", "empty"})
_FENCE = re.compile(r"```[\w-]*")
_PIECE = re.compile(r"\w+|[^\w\s]")
_BETWEEN = re.compile(r"[\s;,.\d•*-]+")
_COMMA = re.compile(r",(?!\d{3}\b)")
_LABEL = re.compile(r"(?:predicate|subject|object|time|place|location)\s*[:=]\s*", re.IGNORECASE)
_EMPTY = re.compile(r"[\s().;\[\]]+")
_QUOTES = "\"'`“”‘’«»*"
_KEYS = (
    ("predicate", "relation", "rel", "verb"),
    ("subject", "arg1", "subj"),
    ("object", "arg2", "obj"),
    ("time", "when", "date"),
    ("place", "location", "where", "loc"),
)


class ReplyError(InputError):
    """An answer that is not a list of tuples."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Tuples as parts, the predicate first; `None` is an empty part. `repairs` lists what was repaired."""

    tuples: tuple[tuple[str | None, ...], ...]
    repairs: tuple[str, ...] = ()


def read_answer(text: str, sentence: str, *, finished: bool = True) -> Answer:
    """The tuples of an answer about a sentence.

    >>> read_answer("(lives in, Ann, Paris, France)", "Ann lives in Paris, France.").tuples
    (('lives in', 'Ann', 'Paris, France'),)
    """
    repairs: list[str] = []
    bare = _FENCE.sub("", text).strip()
    if bare != text.strip():
        repairs.append("code fence")
    rows = _from_json(bare)
    if rows is not None:
        repairs.append("JSON")
    else:
        if _EMPTY.sub(" ", bare).strip().casefold() in _NOTHING:
            return Answer((), tuple(repairs))
        spaced = _spaced(sentence)
        rows = [list(_split_parts(body, spaced)) for body in _bodies(bare, finished, repairs)]
    tuples = []
    for parts in rows:
        cleaned = [_clean(part) for part in parts]
        while cleaned and not cleaned[-1]:
            cleaned.pop()
        if not cleaned:
            continue
        if len(cleaned) > MOST_PARTS:
            raise ReplyError(
                f"a tuple of {len(cleaned)} parts ({_shown(', '.join(map(str, cleaned)))}), expected 2 to 5"
            )
        if len(cleaned) < 2 or not cleaned[0] or not cleaned[1]:
            raise ReplyError(
                f"the tuple ({_shown(', '.join(map(str, cleaned)))}), expected a predicate and a subject"
            )
        tuples.append(tuple(cleaned))
    return Answer(tuple(tuples), tuple(dict.fromkeys(repairs)))


def _bodies(text: str, finished: bool, repairs: list[str]) -> list[str]:
    """The text between the outer brackets of each tuple."""
    bodies: list[str] = []
    outside: list[str] = []
    depth, start = 0, 0
    for position, character in enumerate(text):
        if character in _OPEN:
            if depth == 0:
                start = position + 1
                if character != "(":
                    repairs.append("other brackets")
            depth += 1
        elif character in _CLOSE and depth:
            depth -= 1
            if depth == 0:
                bodies.append(text[start:position])
        elif depth == 0:
            outside.append(character)
    if depth:
        if finished and not bodies:
            raise ReplyError(f"a bracket that is never closed in {_shown(text)!r}, expected (…); (…)")
        # The answer was truncated in the middle of a tuple; half a tuple may be wrong.
        repairs.append("half a tuple left out")
    if not bodies and not depth:
        raise ReplyError(f"{_shown(text)!r}, expected (predicate, subject, object); …")
    said = _BETWEEN.sub("", "".join(outside))
    if said:
        repairs.append("words around the tuples")
    return bodies


def _split_parts(body: str, spaced: str) -> list[str]:
    """The parts of a tuple. Where semicolons are used, commas are part of the text.

    `spaced` is the sentence: a comma that is in it does not separate.
    """
    if ";" in body:
        return body.split(";")
    if "|" in body:
        return body.split("|")
    parts = [part.strip() for part in _outer_commas(body)]
    while 3 < len(parts) <= _MOST_COMMAS:
        for position in range(1, len(parts) - 1):
            joined = f"{parts[position]}, {parts[position + 1]}"
            if parts[position] and parts[position + 1] and _spaced(_clean(joined) or "") in spaced:
                parts[position : position + 2] = [joined]
                break
        else:
            return parts
    return parts


def _outer_commas(body: str) -> list[str]:
    """Split at commas that are neither inside quotation marks nor inside a number."""
    quotes, position, last = body.count('"'), 0, 0
    parts: list[str] = []
    for comma in _COMMA.finditer(body):
        quotes -= body.count('"', position, comma.start())
        position = comma.start()
        # Inside quotation marks where an odd number of them follows.
        if quotes % 2 == 0:
            parts.append(body[last:position])
            last = comma.end()
    return [*parts, body[last:]]


def _spaced(text: str) -> str:
    """Words and punctuation separated by single spaces, regardless of the original spacing."""
    return f" {' '.join(_PIECE.findall(text.casefold()))} "


def _clean(part: str | None) -> str | None:
    if part is None:
        return None
    text = " ".join(part.split())
    if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        text = text.strip(_QUOTES).strip()
    if (label := _LABEL.match(text)) is not None:
        text = text[label.end() :]
    return None if text.casefold() in ("", "none", "n/a", "null", "-", "_", "unknown") else text


def _from_json(text: str) -> list[list[str | None]] | None:
    """A JSON list of lists or of objects; `None` when it is something else."""
    if not text.startswith(("[", "{")):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        value = lists[0] if len(lists) == 1 else [value]
    rows: list[list[str | None]] = []
    for item in value:
        if isinstance(item, dict):
            rows.append([_named(item, names) for names in _KEYS])
        elif isinstance(item, list) and all(part is None or isinstance(part, str) for part in item):
            rows.append(list(item))
        else:
            return None
    return rows


def _named(item: dict[str, Any], names: tuple[str, ...]) -> str | None:
    lowered = {str(key).casefold(): value for key, value in item.items()}
    for name in names:
        value = lowered.get(name)
        if isinstance(value, str):
            return value
    return None


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:80]}…"
