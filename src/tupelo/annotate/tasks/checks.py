"""What rows and answers must look like: small checks that name what is wrong and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from json import dumps
from random import Random
from typing import Any

from tupelo.annotate.tasks.base import AnswerError
from tupelo.core import InputError

LONGEST_TEXT = 50_000
MOST_ENTRIES = 500
_LONGEST_ID = 200


def need_text(raw: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT, where: str | None = None) -> str:
    """A text that is there, has something to read, and that every database can store."""
    value = raw.get(name)
    if not isinstance(value, str) or not value.strip():
        raise AnswerError(f"'{name}' is {shortly(value)}, expected a text", where or name)
    if len(value) > longest:
        raise AnswerError(f"'{name}' has {len(value)} characters, expected at most {longest}", where or name)
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise AnswerError(f"'{name}' has a character that is no text, expected none", where or name)
    return value


def optional_text(raw: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT) -> str:
    """The text, or an empty one where there is none."""
    value = raw.get(name)
    return "" if value is None or (isinstance(value, str) and not value.strip()) else need_text(raw, name, longest)


def need_list(
    raw: Mapping[str, Any], name: str, least: int = 0, most: int = MOST_ENTRIES, where: str | None = None
) -> list[Any]:
    value = raw.get(name)
    if not isinstance(value, list) or not least <= len(value) <= most:
        found = f"a list of {len(value)}" if isinstance(value, list) else shortly(value)
        raise AnswerError(f"'{name}' is {found}, expected a list of {least} to {most}", where or name)
    return value


def need_object(value: Any, name: str, where: str | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise AnswerError(f"{name} is {shortly(value)}, expected an object", where)
    return value


def one_of(raw: Mapping[str, Any], name: str, choices: Sequence[Any], where: str | None = None) -> Any:
    value = raw.get(name)
    # 1 is not True, and a list is no choice.
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise AnswerError(
            f"'{name}' is {shortly(value)}, expected one of {', '.join(map(str, choices))}", where or name
        )
    return value


def only_fields(raw: Mapping[str, Any], *names: str) -> None:
    """Refuse what nobody asked for: a misspelt field would be lost without a word."""
    for name in raw:
        if name not in names:
            raise AnswerError(f"a field '{str(name)[:40]}', expected only {', '.join(names)}", str(name)[:40])


def id_of(row: Mapping[str, Any], content: Any) -> str:
    """The id of a row, or a name made from its content: the same content is the same item."""
    if row.get("id") is None:
        return content_id(content)
    if not isinstance(row["id"], str | int) or isinstance(row["id"], bool):
        raise InputError(f"'id' is {shortly(row['id'])}, expected a text or a number")
    return need_text({"id": str(row["id"])}, "id", _LONGEST_ID)


def content_id(content: Any) -> str:
    return sha256(dumps(content, ensure_ascii=True, sort_keys=True).encode()).hexdigest()[:16]


def unique(names: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{what} '{name[:60]}' is there twice, expected once")
        seen.add(name)


def shuffled(count: int, seed: str) -> list[int]:
    """The numbers below `count` in an order that only the seed decides."""
    order = list(range(count))
    Random(seed).shuffle(order)
    return order


def share_equal(expected: Mapping[Any, Any], given: Mapping[Any, Any]) -> float:
    """How many of the expected values were given."""
    return sum(given.get(name) == value for name, value in expected.items()) / len(expected) if expected else 1.0


def shortly(value: Any) -> str:
    return "missing" if value is None else repr(value)[:60]
