"""What `tupelo graph query` found, as a table for people, as JSON, as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tupelo.graph.evidence import Evidence

_WIDEST = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One answer: its cells, the sentences behind it, and everything about it as plain values."""

    cells: tuple[object, ...]
    sentences: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """All answers to one question. `about` are facts on the whole for the JSON form."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    about: Mapping[str, Any] = field(default_factory=dict)


def render(found: Found, form: str) -> str:
    return {"table": as_table, "json": as_json, "csv": as_csv}[form](found)


def as_json(found: Found) -> str:
    answers = [
        dict(line.record) or {name: _value(cell) for name, cell in zip(found.columns, line.cells, strict=True)}
        for line in found.lines
    ]
    return (
        json.dumps({**found.about, "columns": found.columns, "answers": answers}, ensure_ascii=False, indent=2) + "\n"
    )


def as_csv(found: Found) -> str:
    """A line per answer; with evidence, a line per sentence."""
    shown = any(line.sentences for line in found.lines)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*found.columns, *(("sentence", "source") if shown else ())])
    for line in found.lines:
        cells = ["" if cell is None else cell for cell in line.cells]
        for item in line.sentences or (None,):
            writer.writerow([*cells, *((item.sentence, item.source) if item else ("", "") if shown else ())])
    return buffer.getvalue()


def as_table(found: Found) -> str:
    if not found.lines:
        return "no answer\n"
    # A column in which nothing stands would only push the others apart.
    kept = [at for at in range(len(found.columns)) if any(line.cells[at] not in (None, "") for line in found.lines)]
    header = [found.columns[at] for at in kept]
    cells = [[_shown(line.cells[at]) for at in kept] for line in found.lines]
    numeric = [
        all(isinstance(line.cells[at], int | float) and not isinstance(line.cells[at], bool) for line in found.lines)
        for at in kept
    ]
    widths = [max(len(name), *(len(row[at]) for row in cells)) for at, name in enumerate(header)]

    def text(row: Sequence[str]) -> str:
        columns = zip(row, widths, numeric, strict=True)
        return "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in columns).rstrip()

    lines = [text(header), "  ".join("-" * width for width in widths)]
    for row, line in zip(cells, found.lines, strict=True):
        lines.append(text(row))
        lines += _below(line)
    return "\n".join(lines) + "\n"


def _below(line: Line) -> Iterator[str]:
    for note in line.notes:
        yield f"    {_printable(note)}"
    for item in line.sentences:
        said = f", says {item.speaker}" if item.speaker else ""
        yield _printable(f"    “{item.sentence}” ({item.source}:{item.position + 1}{said})")


def _value(cell: object) -> object:
    return cell if isinstance(cell, int | float | str | bool | list | dict | None) else str(cell)


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    text = _printable(f"{cell:.3f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _printable(text: str) -> str:
    """Without the characters that would move the cursor or change the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)
