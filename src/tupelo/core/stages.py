"""Values that pass between a stage, an engine and the workspace of finished parts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tupelo.core.errors import TupeloError

if TYPE_CHECKING:
    import pyarrow as pa

# A stage may add this column to what it yields: a row in which it is not null is no result but a complaint.
ERROR_COLUMN = "error"
# And this one: where it is not null, the row says what was skipped on purpose. The record itself is complete.
NOTE_COLUMN = "note"


@dataclass(frozen=True, slots=True)
class Step:
    """A table made by SQL from tables that are there already, written in DuckDB's dialect.

    `parameters` are bound to `$name` in the text. Add `order by` where the
    order of rows in the finished file matters: no engine promises one.
    """

    name: str
    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """A record that a stage could not take, and why. The rest of its partition was done without it."""

    stage: str
    record: str
    reason: str

    def __str__(self) -> str:
        # Many reasons begin with the place already.
        return self.reason if self.reason.startswith(self.record) else f"{self.record}: {self.reason}"


@dataclass(slots=True)
class UnfinishedPart:
    """A file (or folder) that is being written; it gets its name when it is complete. The manifest has `about`."""

    path: str
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FinishedPart:
    """A finished partition: one Parquet file, or a folder of them where an engine writes several."""

    name: str
    files: tuple[str, ...]
    rows: int
    failures: tuple[Failure, ...] = ()
    notes: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The output of a stage or a step: finished partitions in order, all of one schema."""

    schema: pa.Schema
    parts: tuple[FinishedPart, ...] = ()

    @property
    def files(self) -> list[str]:
        return [file for part in self.parts for file in part.files]

    @property
    def patterns(self) -> list[str]:
        """The files for DuckDB, which takes names for patterns."""
        return [file_pattern(file) for file in self.files]

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    @property
    def failures(self) -> list[Failure]:
        return [failure for part in self.parts for failure in part.failures]

    @property
    def notes(self) -> list[Failure]:
        """Records that were skipped on purpose."""
        return [note for part in self.parts for note in part.notes]


class StepError(TupeloError, RuntimeError):
    """A step that an engine could not run."""

    def __init__(self, step: Step, engine: str, reason: str) -> None:
        super().__init__(f"step '{step.name}' failed in {engine}: {reason}. Its SQL: {' '.join(step.sql.split())}")


_SPECIAL = re.compile(r"([*?[])")


def file_pattern(name: str) -> str:
    """The pattern that matches a file of this name and no other.

    >>> file_pattern("work[1]/a.parquet")
    'work[[]1]/a.parquet'
    """
    return _SPECIAL.sub(r"[\1]", name)


def fingerprint(*parts: object) -> str:
    """A name for work that is the same whenever its parts are: 32 hexadecimal digits.

    >>> fingerprint("split", "1", {"lines": True}) == fingerprint("split", "1", {"lines": True})
    True
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
