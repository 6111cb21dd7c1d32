"""Wikidata's JSON dump: one item a line, between brackets, with a comma after each.

Names are the English label and aliases, what its people are called (`P1549`, demonym) and the title of the English
article. Facts are statements of normal and preferred rank (only the preferred where there are some) whose value is an
item or a date. Numbers, texts and addresses of other collections are left out: no name in a text can mean them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tupelo.core import FormatError
from tupelo.core.knowledge import ALIAS, LABEL, TITLE, Knowledge, KnownFact, Name

_LANGUAGE, _SITE, _DEMONYM = "en", "enwiki", "P1549"
_TIME = re.compile(r"\+(\d{4})-(\d{2})-(\d{2})T")
# Wikidata's numbers for how exactly a time is known.
_PARTS = {9: 1, 10: 2, 11: 3}


def read_line(line: str, source: str, number: int) -> Iterator[Knowledge]:
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        return
    try:
        item = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(source, number, "not JSON", "one item of Wikidata's JSON dump a line") from error
    if not isinstance(item, Mapping) or not isinstance(item.get("id"), str):
        raise FormatError(source, number, "no item with an id", "one item of Wikidata's JSON dump a line")
    try:
        yield from _item(item)
    except (AttributeError, KeyError, TypeError) as error:
        raise FormatError(
            source, number, f"an item of another form ({error})", "an item of Wikidata's JSON dump"
        ) from error


def _item(item: Mapping[str, Any]) -> Iterator[Knowledge]:
    name = item["id"]
    # What is empty is written as a list.
    if title := (item.get("sitelinks") or {}).get(_SITE):
        yield Name(name, title["title"], TITLE)
    if label := (item.get("labels") or {}).get(_LANGUAGE):
        yield Name(name, label["value"], LABEL)
    for alias in (item.get("aliases") or {}).get(_LANGUAGE, ()):
        yield Name(name, alias["value"], ALIAS)
    for relation, statements in (item.get("claims") or {}).items():
        for value in _best(statements):
            if relation == _DEMONYM:
                if isinstance(value, Mapping) and value.get("language") == _LANGUAGE:
                    yield Name(name, value["text"], ALIAS)
            elif isinstance(value, Mapping) and value.get("entity-type") == "item":
                yield KnownFact(name, relation, value.get("id") or f"Q{value['numeric-id']}")
            elif isinstance(value, Mapping) and "time" in value:
                found, parts = _TIME.match(value["time"]), _PARTS.get(value.get("precision", 11))
                if found and parts:
                    yield KnownFact(name, relation, "-".join(found.groups()[:parts]), is_date=True)


def _best(statements: list[Mapping[str, Any]]) -> Iterator[Any]:
    """The values of the statements that hold."""
    preferred = [statement for statement in statements if statement.get("rank") == "preferred"]
    for statement in preferred or statements:
        snak = statement["mainsnak"]
        if statement.get("rank") != "deprecated" and snak.get("snaktype") == "value":
            yield snak["datavalue"]["value"]
