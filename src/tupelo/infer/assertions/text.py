"""Assertions as text, block by block, into tables: what other programs wrote joins ours in `aggregate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tupelo.core.assertion import ASSERTION_FORM, assertion_fault, assertion_schema
from tupelo.core.ngram import block_schema
from tupelo.infer.assertions.stage import split_block, with_complaints

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ReadAssertions:
    """Lines `subject<TAB>relation<TAB>object<TAB>count` in, assertions out."""

    name = "assertion-text"
    version = "1"
    key = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        return {}

    @property
    def input(self) -> pa.Schema:
        return block_schema()

    @property
    def output(self) -> pa.Schema:
        return assertion_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                yield self._read(row["source"], row["first_line"], row["block"])

    def _read(self, source: str, first_line: int, block: bytes) -> pa.RecordBatch:
        import pyarrow as pa

        lines, faults = split_block(block)
        rows: list[list[str]] = []
        for number, line in enumerate(lines.to_pylist()):
            text = line.removesuffix("\n")
            fault = assertion_fault(text) if line else None
            if fault is not None:
                faults.append((number, fault))
            elif line:
                rows.append(text.split("\t"))
        subjects, relations, objects, counts = ([row[column] for row in rows] for column in range(4))
        made = pa.record_batch([subjects, relations, objects, list(map(int, counts))], schema=assertion_schema())
        return made if not faults else with_complaints(made, source, first_line, sorted(faults), ASSERTION_FORM)
