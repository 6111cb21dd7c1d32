"""Tuples as a table for spreadsheets: comma-separated values with a header, one tuple a row.

The arguments after the subject share a cell, with semicolons between them. Cells are guarded against being taken for
formulas as in all our CSV; see `core.results.csv_text`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.core.results import csv_text, without_guard
from tupelo.io.formats import TextFormat, described
from tupelo.io.lines import Fault, Lines, number_of

COLUMNS = ("subject", "relation", "arguments", "confidence", "negated", "modality", "document", "sentence")
_REQUIRED = frozenset(["subject", "relation", "arguments"])
# The longest cell; the parser's own limit is shorter than some sentences.
_LONGEST_CELL = 1 << 24
_FLAGS = {"": None, "true": True, "false": False}
_FLAG_TEXTS = {value: text for text, value in _FLAGS.items()}
_SEPARATOR = "; "
_SPECIAL = re.compile(r"[\\;]")
_ESCAPED = re.compile(r"\\([\\;])")
# An argument with its escaped characters, and the separator after it or the end.
_ARGUMENT = re.compile(r"((?:\\[\\;]|[^;])*)(; ?|\Z)")


def read(lines: Lines) -> Iterator[Record]:
    rows = _rows(lines)
    number, header = next(rows, (0, []))
    names = [name.strip().lower() for name in header]
    if number == 0:
        return
    if not _fits(names):
        hint = "Were the commas saved as semicolons?" if len(names) == 1 and ";" in names[0] else None
        lines.fault(number, f"header {', '.join(names)[:80]!r}", f"column names out of {', '.join(COLUMNS)}", hint)
        return
    sentence = Sentence("")

    def parse(row: Sequence[str]) -> Extraction:
        nonlocal sentence
        if len(row) != len(names):
            raise Fault(f"{len(row)} cell(s)", f"{len(names)}, as in the header")
        cells = dict(zip(names, map(without_guard, row), strict=True))
        text, document = cells.get("sentence", ""), cells.get("document") or None
        if (text, document) != (sentence.text, sentence.document_id):
            sentence = Sentence(text, document_id=document)
        return _extraction(cells, sentence)

    yield from lines.values(rows, parse)


def write(records: Iterable[Record]) -> Iterator[str]:
    yield csv_text(COLUMNS, ())
    for record in records:
        if isinstance(record, Extraction):
            cells = _cells(record)
            if any("\r" in cell or len(cell) >= _LONGEST_CELL for cell in cells):
                raise InputError(f"a cell of {record} holds a carriage return or is too long, which csv cannot hold")
            yield csv_text(cells, ())


def sniff(head: Sequence[str]) -> float:
    first = next((line for line in head if line.strip()), "")
    return float(_fits([name.strip().lower() for name in next(csv.reader([first]), [])]))


def _fits(names: Sequence[str]) -> bool:
    return _REQUIRED <= set(names) <= set(COLUMNS) and len(set(names)) == len(names)


def _rows(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line: quoted cells may hold line ends."""
    csv.field_size_limit(_LONGEST_CELL)
    last = 0

    def counted() -> Iterator[str]:
        nonlocal last
        for number, line in lines:
            last = number
            yield line + "\n"

    reader = csv.reader(counted(), strict=True)
    while True:
        number = last + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            lines.fault(number, f"broken CSV ({error})", "commas between cells, and quotes in pairs")
            continue
        if row:
            yield number, row


def _extraction(cells: Mapping[str, str], sentence: Sentence) -> Extraction:
    negated = cells.get("negated", "").lower()
    if negated not in _FLAGS:
        raise Fault(f"negated {cells['negated'][:40]!r}", "true, false or nothing")
    # The pattern also fits the nothing after the last argument.
    found = (match[1] for match in _ARGUMENT.finditer(cells["arguments"]) if match[0])
    arguments = tuple(Argument(_ESCAPED.sub(r"\1", text)) for text in found)
    return Extraction(
        sentence,
        Argument(cells["relation"]),
        Argument(cells["subject"]) if cells["subject"] or arguments else None,
        arguments,
        number_of(cells["confidence"]) if cells.get("confidence") else None,
        # Spreadsheets write these words in capitals.
        negated=_FLAGS[negated],
        modality=cells.get("modality") or None,
    )


def _cells(extraction: Extraction) -> list[str]:
    arguments = [part.text for part in extraction.arguments]
    if arguments == [""]:
        raise InputError(f"{extraction} has nothing but an empty subject, which csv cannot hold")
    return [
        arguments[0] if arguments else "",
        extraction.rel.text,
        _join_arguments(arguments[1:]),
        "" if extraction.confidence is None else repr(float(extraction.confidence)),
        _FLAG_TEXTS[extraction.negated],
        extraction.modality or "",
        extraction.sentence.document_id or "",
        extraction.sentence.text,
    ]


def _join_arguments(arguments: Sequence[str]) -> str:
    r"""All arguments as one cell.

    >>> print(_join_arguments(["to a fisherman", "in May; June"]))
    to a fisherman; in May\; June
    """
    joined = _SEPARATOR.join(_SPECIAL.sub(r"\\\g<0>", text) for text in arguments)
    # A semicolon at the end of a cell means nothing, so an empty last argument needs one of its own.
    return joined + ";" if arguments and not arguments[-1] else joined


FORMAT = TextFormat(read=read, write=write, sniff=sniff, **described("csv"))
