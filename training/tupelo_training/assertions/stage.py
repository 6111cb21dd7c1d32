"""Stages for an engine: blocks of lines to assertions, from syntactic n-grams (steps 2 to 8) or from text.

Nearly all n-grams assert nothing. Every line is checked for its form by one regular expression, a second one keeps
those that could pass step 2, both in compiled code over the whole block; only these are parsed. Since steps 2
to 7 do not look at words, their result is cached for each sequence of tags, labels and heads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tupelo.core.assertion import ASSERTION_FORM, COUNT_DIGITS, assertion_fault, assertion_schema
from tupelo.core.errors import InputError
from tupelo.core.stages import ERROR_COLUMN, Failure
from tupelo_training.assertions.files import block_schema
from tupelo_training.assertions.lines import LINE_FORM, Token, line_fault, tree_fault
from tupelo_training.assertions.steps import OBJECTS, SUBJECTS, find_parts

if TYPE_CHECKING:
    import pyarrow as pa


_COUNT = f"[0-9]{{1,{COUNT_DIGITS}}}"
_HEAD = "(?:0|[1-9][0-9]*)"
_TOKEN = rf"[^ \t\n]+/[^/ \t\n]+/[^/ \t\n]+/{_HEAD}"
_LINE = rf"^[^\t\n]+\t{_TOKEN}(?: {_TOKEN})*\t{_COUNT}(?:\t{_COUNT},{_COUNT})*\n?$"
# A subject, a verb at the root and an object at the end; matches are parsed.
_PROMISING = (
    rf"/(?:{'|'.join(sorted(SUBJECTS))})/[0-9]+ (?:[^\t]* )?[^ \t]+/V[^/ \t]*/[^/ \t]+/0 "
    rf"(?:[^\t]* )?[^ \t]+/[^/ \t]+/(?:{'|'.join(sorted(OBJECTS))})/[0-9]+\t"
)
# Malformed lines of a block that are reported one by one.
_REPORTED = 20
_MORE = "{} more malformed line(s) up to line {}"
_KEY = re.compile("[0-9a-f]{32}")
_MORE_PATTERN = re.compile(r"(\d+) more malformed line\(s\) up to line \d+")

Parts = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]


Columns = tuple[list[str], list[str], list[str], list[int]]
# Malformed lines, counted from 0, with the fault.
LineFaults = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class BlockStage:
    """Blocks of lines in, assertions out, in the order of the lines, counts not yet summed; malformed lines fail.

    `form` describes a line, and `read` returns the columns of assertions in a block, and its malformed lines.
    """

    name: str
    form: str
    read: Callable[[bytes], tuple[Columns, LineFaults]]

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
        import pyarrow as pa

        for batch in batches:
            for row in batch.to_pylist():
                columns, faults = self.read(row["block"])
                rows = pa.record_batch([*columns], schema=assertion_schema())
                yield _with_errors(rows, row["source"], row["first_line"], faults, self.form) if faults else rows


def read_block(block: bytes) -> tuple[Columns, LineFaults]:
    """Assertions from lines `subject<TAB>relation<TAB>object<TAB>count`."""
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
    return (subjects, relations, objects, list(map(int, counts))), sorted(faults)


def extract_block(block: bytes) -> tuple[Columns, LineFaults]:
    """Steps 2 to 8 for every line of a block.

    Every line must have the form of an n-gram. That its heads form a tree is checked only for lines that could pass
    step 2.
    """
    import numpy as np
    import pyarrow.compute as pc

    lines, faults = split_block(block)
    formed = pc.match_substring_regex(lines, _LINE)
    for number in np.flatnonzero(~formed.to_numpy(zero_copy_only=False)).tolist():
        text = lines[number].as_py()
        # A line that is not UTF-8 was blanked and has its fault already.
        if text:
            faults.append((number, line_fault(text) or "cannot be read"))
    promising = pc.and_(formed, pc.match_substring_regex(lines, _PROMISING))
    numbers = np.flatnonzero(promising.to_numpy(zero_copy_only=False))
    columns: Columns = ([], [], [], [])
    for number, line in zip(numbers.tolist(), lines.take(numbers).to_pylist(), strict=True):
        _, text, total = line.split("\t", 3)[:3]
        tokens = [token.rsplit("/", 3) for token in text.split(" ")]
        parts = _parts_of_shape("/".join([f"{pos}/{label}/{head}" for _, pos, label, head in tokens]))
        if parts is None:
            continue
        if isinstance(parts, str):
            faults.append((number, line_fault(line) or parts))
            continue
        words = [token[0] for token in tokens]
        for column, (start, end) in zip(columns[:3], parts, strict=True):
            column.append(" ".join(words[start:end]))
        columns[3].append(int(total))
    return columns, sorted(faults)


# From n-grams, and from text that was written before.
EXTRACT_ASSERTIONS = BlockStage("assertions", LINE_FORM, extract_block)
READ_ASSERTIONS = BlockStage("assertion-text", ASSERTION_FORM, read_block)


@lru_cache(maxsize=1 << 18)
def _parts_of_shape(shape: str) -> Parts | str | None:
    """Steps 2 to 7, or the fault of the tree."""
    fields = shape.split("/")
    tokens = [
        Token("", pos, label, int(head))
        for pos, label, head in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    ]
    fault = tree_fault(tokens)
    return fault[1] if fault is not None else find_parts(tokens)


def split_block(block: bytes) -> tuple[pa.StringArray, LineFaults]:
    """The lines of a block with their ends, and the faults of those that are not UTF-8, which are blanked."""
    import numpy as np
    import pyarrow as pa

    if b"\r\n" in block:
        block = block.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
    if not block.endswith(b"\n") and block:
        ends = np.append(ends, len(block))
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    lines = pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(block))
    try:
        lines.validate(full=True)
        return lines, []
    except pa.ArrowInvalid:
        return _blank_what_is_no_text(block)


def _blank_what_is_no_text(block: bytes) -> tuple[pa.StringArray, LineFaults]:
    import pyarrow as pa

    texts: list[str] = []
    faults: LineFaults = []
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n")):
        try:
            texts.append(line.decode("utf-8") + "\n")
        except UnicodeDecodeError as error:
            faults.append((number, f"byte 0x{line[error.start]:02x} is not UTF-8"))
            texts.append("")
    return pa.array(texts, pa.string()), faults


def _with_errors(rows: pa.RecordBatch, source: str, first_line: int, faults: LineFaults, form: str) -> pa.RecordBatch:
    """The rows and below them the malformed lines, in the form in which an engine collects failures."""
    import pyarrow as pa

    listed = [(f"{source}:{first_line + line}", f"{reason}, expected {form}") for line, reason in faults]
    if len(faults) > _REPORTED:
        more = _MORE.format(len(faults) - _REPORTED, first_line + faults[-1][0])
        listed = [*listed[:_REPORTED], (source, more)]
    blank = {"subject": "", "relation": "", "object": "", "count": 0}
    fields = [*rows.schema, pa.field("source", pa.string()), pa.field(ERROR_COLUMN, pa.string())]
    good = [{**row, "source": source, ERROR_COLUMN: None} for row in rows.to_pylist()]
    bad = [{**blank, "source": where, ERROR_COLUMN: reason} for where, reason in listed]
    return pa.RecordBatch.from_pylist([*good, *bad], schema=pa.schema(fields))


def count_malformed(failures: Iterable[Failure]) -> int:
    """The number of skipped lines, including those that were not reported one by one."""
    return sum(int(more[1]) if (more := _MORE_PATTERN.fullmatch(failure.reason)) else 1 for failure in failures)


def describe_failures(failures: Iterable[Failure]) -> list[str]:
    """One line per failure. The reason of a truncated file has its place."""
    # An engine names a truncated partition by its key, which is meaningless to users.
    return [failure.reason if _KEY.fullmatch(failure.record) else str(failure) for failure in failures]


def refuse(failures: Sequence[Failure]) -> InputError:
    """The error if lines may not be skipped: the first malformed line and their number."""
    first, count = describe_failures(failures[:1])[0], count_malformed(failures)
    more = f" ({count - 1:,} more malformed line(s))" if count > 1 else ""
    return InputError(f"{first}{more}. Use --on-error skip to go on without such lines")
