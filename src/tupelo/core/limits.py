"""Limits on inputs, beyond which they are refused: documents, archives, sentences.

Text and archives come from anywhere. A limit keeps time and memory bounded whatever they hold; what is beyond one is
skipped, and the report says which limit it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

from tupelo.core.errors import InputError, UnknownNameError
from tupelo.core.spec import read_pairs

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_VALUE = re.compile(r"(\d{1,18}) ?([KMG]?B)?", re.IGNORECASE)
# A short text that packs well does no harm: a page of spaces is no bomb.
_RATIO_FREE = 10 * 10**6


def _limit(default: int, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a run, each with a default that ordinary documents never reach.

    >>> Limits.of(["member=50MB", "depth=1"]).changes
    {'member': 50000000, 'depth': 1}
    """

    document: int = _limit(
        50 * 10**6, "bytes of one document: a text file, a page, a line of JSON, the text of a PDF"
    )
    member: int = _limit(100 * 10**6, "bytes of one file in an archive, unpacked")
    archive: int = _limit(8 * 10**9, "bytes of everything in an archive, unpacked")
    ratio: int = _limit(200, "unpacked bytes for each packed byte; the first 10 MB are free")
    members: int = _limit(100_000, "files in an archive")
    depth: int = _limit(2, "archives in each other: 1 reads no archive inside an archive")
    sentence: int = _limit(5_000, "characters of one sentence")

    def __post_init__(self) -> None:
        for item in fields(self):
            if getattr(self, item.name) < 1:
                raise InputError(f"limit {item.name}={getattr(self, item.name)}, expected 1 or more")

    @classmethod
    def of(cls, given: LimitsGiven) -> Limits:
        """Limits as they are, by name, or as users write them (`member=50MB`); the others keep their defaults."""
        if isinstance(given, Limits):
            return given
        known = cls.meanings()
        refusal = f"limit '{{}}', expected NAME=VALUE with one of {', '.join(known)}"
        pairs = given.items() if isinstance(given, Mapping) else read_pairs(given or (), refusal)
        values: dict[str, int] = {}
        for name, value in pairs:
            if name not in known:
                raise UnknownNameError.among("limit", name, known)
            values[name] = value if isinstance(value, int) else _number(name, value)
        return replace(cls(), **values)

    @classmethod
    def meanings(cls) -> dict[str, str]:
        """Every limit by name, with what it counts."""
        return {item.name: item.metadata["meaning"] for item in fields(cls)}

    @property
    def changes(self) -> dict[str, int]:
        """The limits that are not at their defaults."""
        return {
            item.name: getattr(self, item.name) for item in fields(self) if getattr(self, item.name) != item.default
        }

    def allowed(self, packed: int) -> int:
        """Maximum number of bytes that this many packed ones may unpack to."""
        return max(_RATIO_FREE, self.ratio * packed)


# Limits themselves, values by name (`{"member": "50MB"}`), lines of the form `member=50MB`, or nothing.
LimitsGiven: TypeAlias = Limits | Mapping[str, int | str] | Iterable[str] | None


class LimitError(InputError):
    """An input beyond a limit. `limit` is its name."""

    def __init__(self, source: str, limit: str, found: str, most: int) -> None:
        self.limit = limit
        super().__init__(f"{source}: {found}, expected at most {most:,} (limit {limit})")


def _number(name: str, value: str) -> int:
    found = _VALUE.fullmatch(value.strip())
    if found is None:
        raise InputError(f"limit {name}={value}, expected a number such as 1000, 500KB, 50MB or 2GB")
    return int(found[1]) * _UNITS[(found[2] or "").upper()]
