"""The layout of a document: blocks of its text, and what a reader of pages would skip, with the reason."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from tupelo.core.results import values_of

# Kinds of blocks.
BLOCK_KINDS = {
    "title": "the title of the document",
    "heading": "a heading; its path ends with itself",
    "paragraph": "running text",
    "item": "an item of a list",
    "definition": "a term and its definition, separated by a tab",
    "table": "rows, one a line, with tabs between cells; in plain text also bars or wide gaps",
    "quote": "words of somebody else",
    "code": "a program, or its output",
    "caption": "the caption of a figure or a table",
    "mail header": "sender, receivers, date and subject of a mail",
    "turn": "what somebody says in a conversation",
}
CELL_SEPARATOR = "\t"
_TAB = re.compile(CELL_SEPARATOR)
# Between the cells of a table in plain text.
_GAP = re.compile(r" *\| *| {2,}| ?\.{4,} ?")


@dataclass(frozen=True, slots=True)
class Block:
    """The characters `[start, end)` of a document that belong together, and their place in it.

    `path` is the title and the headings above, outermost first. A table has the `labels` of its columns where it has
    any; its first `header` rows are these labels. `speaker` is who wrote or said a block, at `time` (ISO 8601, or
    hours, minutes and seconds of a recording), to `audience`; `group` is the organization of the speaker.
    """

    kind: str
    start: int
    end: int
    path: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    header: int = 0
    speaker: str | None = None
    group: str | None = None
    audience: tuple[str, ...] = ()
    time: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in BLOCK_KINDS or not 0 <= self.start <= self.end:
            raise ValueError(f"block '{self.kind}' [{self.start}, {self.end}), expected a known kind and a span")

    def of(self, text: str) -> str:
        """The text of the block, given that of the document."""
        return text[self.start : self.end]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; those that are not known are left out."""
        values = values_of(self, *_NAMES).items()
        known = {name: list(value) if isinstance(value, tuple) else value for name, value in values if value}
        return known | {"start": self.start}


_NAMES = tuple(field.name for field in fields(Block))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of a document that is not in its text, why, and the place in the text where it would be."""

    text: str
    reason: str
    at: int = 0
    kind: str = "paragraph"


def blocks_between(blocks: Sequence[Block], start: int, end: int) -> list[Block]:
    """The blocks in a stretch of the text; one that crosses its ends is clipped, a table without its header rows."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, key=lambda block: block.start)
    return [
        block
        if start <= block.start and block.end <= end
        else replace(
            block,
            start=max(block.start, start),
            end=min(block.end, end),
            header=block.header if block.start >= start else 0,
        )
        for block in blocks[first:last]
    ]


# Between headings, outermost first, where they stand in one line.
BELOW = " › "


def heading_at(blocks: Sequence[Block], place: int) -> str | None:
    """The title and the headings above a place, or that begin there.

    >>> heading_at([Block("heading", 0, 6, ("Manual", "Wiring")), Block("paragraph", 8, 20, ("Manual", "Wiring"))], 9)
    'Manual › Wiring'
    """
    before = bisect_right(blocks, place, key=lambda block: block.start)
    return BELOW.join(blocks[before - 1].path) or None if before else None


def blocks_to_json(blocks: Iterable[Block]) -> str | None:
    """One line of JSON; paths are written once, where they change. `None` without blocks."""
    rows: list[dict[str, Any]] = []
    path: tuple[str, ...] | None = None
    for block in blocks:
        row = block.to_dict()
        if block.path == path:
            row.pop("path", None)
        elif path and not block.path:
            row["path"] = []
        path = block.path
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False) if rows else None


def blocks_of_json(text: str | None) -> list[Block]:
    """The opposite of `blocks_to_json`.

    >>> blocks_of_json(blocks_to_json([Block("item", 0, 4, ("A",)), Block("item", 5, 9, ("A",))]))[1].path
    ('A',)
    """
    found: list[Block] = []
    path: tuple[str, ...] = ()
    for row in json.loads(text) if text else ():
        path = tuple(row.pop("path", path))
        row |= {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
        found.append(Block(**row, path=path))
    return found


def table_rows(block: Block, text: str, offset: int = 0) -> Iterator[list[tuple[str, int]]]:
    """The rows of a table, header rows included: its cells with their places in the document.

    `text` begins at `offset` in the document.
    """
    place = block.start
    for line in text[block.start - offset : block.end - offset].split("\n"):
        gaps = _TAB if CELL_SEPARATOR in line else _GAP
        cells: list[tuple[str, int]] = []
        begin = 0
        for gap in gaps.finditer(line):
            if gaps is _TAB or gap.start():
                cells.append((line[begin : gap.start()], place + begin))
            begin = gap.end()
        yield [*cells, (line[begin:], place + begin)]
        place += len(line) + 1


# The unit of all amounts of a document.
TERMS = re.compile(
    r"(?i)\b(?:all )?(?:prices|amounts|figures|fees|rates)(?: are)? in [^\s,.;]+(?: (?:million|dollars|[$€£]))?"
)
# A number with marks, and up to three short words for its unit.
_NUMBER = re.compile(
    r"(?:(?:from|up to|over|under|about) )?+[(+\-–~<>≈]?\s*+(?:[$€£¥]\s*+)?\d[\d.,:/ \u00a0\u202f'’%–-]*+"
    r"(?:[%\w°²³/.$€£¥]{1,6}\s?){0,3}\)?"
)


def is_number(cell: str) -> bool:
    """Whether a cell is a number, an amount, a date or a time."""
    return _NUMBER.fullmatch(cell) is not None
