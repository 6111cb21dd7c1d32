"""Files about who is who: tables of names, and corrections.

| file | a line |
| --- | --- |
| aliases, TSV | canonical name, alias, and perhaps the type of thing and the rule `never`, separated by tabs |
| aliases, JSON lines | `{"canonical": "…", "alias": "…", "type": "…", "rule": "…"}`, type and rule where wanted |
| corrections, TSV | `same` or `different`, and two names, each perhaps with its document: `Paris@travel.txt` |
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from tupelo.core import InputError
from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.statement import NEVER, VERDICTS, Alias, Correction
from tupelo.io.files import InputFile
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault

_EXPECTED = "a canonical name, an alias and perhaps a type and a rule, separated by tabs"
_NO_TABS = "Were the tabs saved as spaces?"
_TYPES = f"one of {', '.join(sorted(ENTITY_TYPES))}"
_CORRECTION = "same or different and two names, separated by tabs"


def read_aliases(name: str | os.PathLike[str]) -> tuple[Alias, ...]:
    """The aliases of a file. A name that stands for two others is a fault."""
    with InputFile(name) as file:
        lines = file.lines()
        found: dict[tuple[str, str | None, str | None], Alias] = {}
        for number, alias in lines.parsed(lines.filled(), _alias):
            known = found.setdefault((alias.alias, alias.canonical if alias.rule else alias.label, alias.rule), alias)
            if known != alias:
                wrong = f"'{alias.alias}' stands for '{alias.canonical}' and, in an earlier line, '{known.canonical}'"
                lines.fault(number, wrong, "one canonical name for each alias")
        return tuple(found.values())


def _alias(line: str) -> Alias:
    read = _json_fields if line.startswith("{") else _fields
    canonical, alias, label, rule = (value.strip() for value in read(line))
    if not canonical or not alias:
        raise Fault("an empty name", _EXPECTED)
    if label and label not in ENTITY_TYPES:
        raise Fault(f"type '{label}'", _TYPES)
    if rule and rule != NEVER:
        raise Fault(f"rule '{rule}'", f"{NEVER}, or nothing")
    return Alias(canonical, alias, label or None, rule or None)


def _fields(line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) not in (2, 3, 4):
        raise Fault(f"{len(fields)} field(s)", _EXPECTED, _NO_TABS if len(fields) == 1 else None)
    return [*fields, "", ""][:4]


def _json_fields(line: str) -> list[str]:
    item: Any = json_value(line)
    fields = [item.get("canonical"), item.get("alias"), item.get("type") or "", item.get("rule") or ""]
    if not all(isinstance(value, str) for value in fields):
        raise Fault("a value that is missing or no text", 'strings "canonical" and "alias", and perhaps "type"')
    return fields


def read_corrections(name: str | os.PathLike[str]) -> tuple[Correction, ...]:
    with InputFile(name) as file:
        lines = file.lines()
        return tuple(lines.values(lines.filled(), _correction))


def _correction(line: str) -> Correction:
    fields = line.split("\t")
    if len(fields) != 3:
        raise Fault(f"{len(fields)} field(s)", _CORRECTION, _NO_TABS if len(fields) == 1 else None)
    if fields[0] not in VERDICTS:
        raise Fault(f"verdict '{fields[0]}'", " or ".join(VERDICTS))
    try:
        return Correction.of(*fields)
    except InputError as error:
        raise Fault(*str(error).split(", expected ", 1)) from error


def corrections_text(corrections: Iterable[Correction]) -> str:
    """Corrections as `read_corrections` reads them."""
    return "".join("\t".join(correction.written) + "\n" for correction in corrections)
