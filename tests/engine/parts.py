"""Small stages for the tests; in a module of their own, so that other processes can import them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253

from tupelo.core import InputError
from tupelo.core.stages import ERROR_COLUMN

LINES = pa.schema([("id", pa.string()), ("text", pa.string())])
WORDS = pa.schema([("id", pa.string()), ("word", pa.string()), ("length", pa.int64())])


@dataclass(frozen=True)
class Rows:
    """Rows that are there already; with a `fault` the input breaks after them."""

    key: str
    rows: tuple[tuple[str, str], ...]
    batch_size: int = 3
    fault: str | None = None

    def read(self) -> Iterator[pa.RecordBatch]:
        for first in range(0, len(self.rows), self.batch_size):
            chosen = self.rows[first : first + self.batch_size]
            yield pa.RecordBatch.from_pylist([{"id": id, "text": text} for id, text in chosen], schema=LINES)
        if self.fault:
            raise InputError(self.fault)


@dataclass(frozen=True)
class SplitWords:
    """Words of lines. *crash* raises, *kill* ends the process, *complain* yields a row with an error."""

    name: str = "words"
    version: str = "1"
    key: str = "id"
    options: Mapping[str, Any] = field(default_factory=dict)
    calls: str | None = None

    @property
    def input(self) -> pa.Schema:
        return LINES

    @property
    def output(self) -> pa.Schema:
        return WORDS

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = []
            for row in batch.to_pylist():
                if row["text"] == "crash":
                    raise ZeroDivisionError("no such\nword")
                if row["text"] == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                bad = "not a word" if row["text"] == "complain" else None
                found += [
                    {"id": row["id"], "word": word, "length": len(word), ERROR_COLUMN: bad}
                    for word in row["text"].split()
                ]
            yield pa.RecordBatch.from_pylist(found, schema=WORDS.append(pa.field(ERROR_COLUMN, pa.string())))


def partitions(count: int = 4, lines: int = 7) -> list[Rows]:
    return [
        Rows(f"part {number}", tuple((f"{number}.{line}", f"line {line} of {number}") for line in range(lines)))
        for number in range(count)
    ]


@dataclass(frozen=True)
class Sleep(SplitWords):
    """Makes the file that a record names, and sleeps for ten minutes."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            Path(batch.column("text")[0].as_py()).touch()
            time.sleep(600)
            yield batch
