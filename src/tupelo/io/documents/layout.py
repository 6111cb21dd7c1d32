"""Assembles a document from its parts: every reader adds blocks in order, and the text with their places comes out.

Here is also what readers of all formats share: sections that are lists of references are left out, a title that is
repeated as the first heading is one, and rows of labels are recognised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tupelo.core.blocks import CELL_SEPARATOR, TERMS, Block, LeftOut, is_number
from tupelo.core.document import Document
from tupelo.core.limits import LimitError
from tupelo.io.documents import Reading, head_day
from tupelo.io.documents.boilerplate import Candidate, divided, medium_of

_GAP = "\n\n"
_REFERENCES = re.compile(
    r"(?:\d+[.)]?\s+)?(?:references|bibliography|works cited|literature(?: cited)?|external links)\W*", re.I
)
_CITED = re.compile(r"\[?\(?\d{1,3}[\]).]|.*(?:https?://|doi[: ./]|\b(?:19|20)\d\d\b)|\^", re.DOTALL)
_EDIT = re.compile(r" ?\[edit\]$")
_LONGEST_HEADING = 120
# *We* and *our* outside quotation marks; pages of an organization about itself; names in footers.
_OURS = re.compile(r"\b(?:[Ww]e|[Oo]ur|us)\b")
_IN_MARKS = re.compile(r"“[^”\n]{0,600}”|\"[^\"\n]{0,600}\"|«[^»\n]{0,600}»")
_LEAST_OURS = 2
_TITLE_PARTS = re.compile(r"(?<!\s)\s+[-–—|·•:»]\s+")
_OWN_PAGES = re.compile(
    r"(?i)(?:about(?: us)?|who we are|what we do|our (?:story|history|team|company|work|services|mission)"
    r"|contact(?: us)?|team|services|home|welcome|careers|jobs|faqs?|frequently asked questions|support"
    r"|help(?: cent(?:re|er))?)"
)
_NAME_PARTS = re.compile(rf"{_TITLE_PARTS.pattern}|[,(/©]|\n|\. |\s{{3,}}|\(c\)|[Cc]opyright|\b(?:19|20)\d\d\b")
# *Field notes of the* Barrow Digs Society; numbers of a name are short and late.
_OF_NAME = re.compile(r"^(?:[A-Z]?[a-z]+ ){1,3}(?:of|by|for) the ")
_LONG_NUMBER = re.compile(r"\d{3}|\d[./-]\d|^(?:\S+ ){0,2}\S*\d")
_NO_OWNER = re.compile(
    r"(?i)\b(?:confidential|draft|page|copy|internal|report|minutes|handbook|proceedings|cookies?|privacy|terms|menu"
    r"|newsletter|legal|contact|about|home|share|shop|all rights|log|sign|skip|read|next|back|our|your)\b"
)
_MOST_NAME_WORDS, _MOST_LEFT_OUT, _LONGEST_FOOTER = 9, 40, 300
_PRINTED = frozenset(["running header or footer", "page number"])
REFERENCE_LIST = "list of references"


class Layout:
    """The blocks of a document so far. `voice` are fields of `Block` that all further blocks have: speaker, time."""

    def __init__(self, source: str, reading: Reading) -> None:
        self._source, self._most = source, reading.limits.document
        self._keep_all = reading.boilerplate
        self._size = 0
        # Blocks to judge, each with its fields of `Block`; what is left out for sure has a reason instead.
        self._parts: list[tuple[Candidate, dict[str, Any] | str]] = []
        # Headings that are open, each with its level.
        self._above: list[tuple[int, str]] = []
        self._in_references = False
        # Whether a reader has judged what belongs to the content.
        self.is_judged = False
        self.voice: dict[str, Any] = {}

    def add(self, kind: str, text: str, linked: float = 0.0, **details: Any) -> None:
        """A block with its text and the share of it that is in links; one that is blank is none."""
        text = text.strip("\n ")
        if not text:
            return
        if self._in_references and kind in ("item", "paragraph") and _CITED.match(text):
            self.leave_out(text, REFERENCE_LIST, kind)
            return
        self._append(Candidate(kind, text, linked), details)

    def heading(self, text: str, level: int) -> None:
        text = _EDIT.sub("", " ".join(text.split()))
        if not text:
            return
        if len(text) > _LONGEST_HEADING:
            self.add("paragraph", text)
            return
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._above.append((level, text))
        self._in_references = _REFERENCES.fullmatch(text) is not None
        self._append(Candidate("title" if level == 0 else "heading", text, level=level), {})

    def table(self, rows: Sequence[Sequence[str]], header: int | None = None, caption: str = "") -> None:
        """A table of at least one row; `header` is its number of rows with labels, by default found by their look.

        Columns without any text are dropped, and so are empty rows.
        """
        clean = [[" ".join(cell.split()) for cell in row] for row in rows]
        if header is not None:
            header = sum(map(any, clean[:header]))
        clean = [row for row in clean if any(row)]
        width = max(map(len, clean), default=0)
        clean = [[*row, *[""] * (width - len(row))] for row in clean]
        used = [column for column in range(width) if any(row[column] for row in clean)]
        clean = [[row[column] for column in used] for row in clean]
        if caption:
            self.add("caption", " ".join(caption.split()))
        if not clean:
            return
        if len(used) == 1:
            for row in clean:
                self.add("paragraph", row[0])
            return
        count = header_rows(clean) if header is None else min(header, len(clean) - 1)
        # A label over several columns is in the first of them.
        heads = [_spread(row) if below else row for row, *below in (clean[at:count] for at in range(count))]
        labels = tuple(" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*heads, strict=True))
        text = "\n".join(CELL_SEPARATOR.join(row) for row in clean)
        self._append(Candidate("table", text), {"labels": labels, "header": count})

    def leave_out(self, text: str, reason: str, kind: str = "paragraph") -> None:
        """Something that is not part of the text, unless everything is kept."""
        text = text.strip()
        if text:
            self._parts.append((Candidate(kind, text), reason))

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._above)

    def _append(self, candidate: Candidate, details: dict[str, Any]) -> None:
        self._size += len(candidate.text) + len(_GAP)
        if self._size > self._most + len(_GAP):
            raise LimitError(self._source, "document", "more text", self._most)
        self._parts.append((candidate, {"path": self.path, **self.voice, **details}))

    def document(self, media_type: str, title: str | None = None, published: str | None = None) -> Document:
        """The document without its boilerplate; its title is in the path of every block."""
        blocks, left_out, text = self._assembled(medium_of(media_type))
        heads = [block for block in blocks if block.kind in ("title", "heading")]
        title = " ".join(title.split()) if title else None
        named = title or (heads[0].of(text) if heads and heads[0].start == 0 else None)
        owner = _owner(named, left_out, text) if named and not self.voice else None
        if named:
            unit = next((found[0] for one in left_out[:_MOST_LEFT_OUT] if (found := TERMS.search(one.text))), None)
            whole = " – ".join(filter(None, (named, owner, unit)))
            blocks = [replace(block, path=_below(whole, block.path)) for block in blocks]
        if heads and heads[0].start == 0 and named and _same(heads[0].of(text), named):
            blocks[0] = replace(blocks[0], kind="title")
        # Somebody who speaks in quotation marks does not count.
        says_we = len(_OURS.findall(_IN_MARKS.sub("", text))) >= _LEAST_OURS
        if media_type == "text/html" and says_we and (group := _group_of(named or "") or owner):
            blocks = [block if block.speaker else replace(block, group=group) for block in blocks]
        published = published or head_day(text)
        return Document(self._source, text, media_type, named, published, tuple(blocks), tuple(left_out))

    def _assembled(self, medium: str) -> tuple[list[Block], list[LeftOut], str]:
        """Blocks with their places, what is left out, and the text."""
        candidates = [one for one, details in self._parts if isinstance(details, dict)]
        whole: list[list[tuple[str, str | None]]] = [[(one.text, None)] for one in candidates]
        judged = iter(whole if self.is_judged else divided(candidates, medium))
        parts: list[tuple[Candidate, dict[str, Any] | str, str | None]] = []
        for one, details in self._parts:
            if isinstance(details, dict):
                parts += [(replace(one, text=text), details, reason) for text, reason in next(judged)]
            else:
                parts.append((one, details, details))
        blocks: list[Block] = []
        left_out: list[LeftOut] = []
        pieces: list[str] = []
        size = 0
        for one, details, reason in parts:
            if reason is not None and not self._keep_all:
                left_out.append(LeftOut(one.text, reason, size, one.kind if one.kind != "output" else "code"))
                continue
            start = size + (len(_GAP) if size else 0)
            size = start + len(one.text)
            pieces.append(one.text)
            kind = {"output": "code", "heading": "heading" if reason is None else "paragraph"}.get(one.kind, one.kind)
            blocks.append(Block(kind, start, size, **(details if isinstance(details, dict) else {"path": self.path})))
        return blocks, left_out, _GAP.join(pieces)


def _group_of(title: str) -> str | None:
    """The organization in the title of one of its own pages: *About us – Acme*."""
    others = [part for part in _TITLE_PARTS.split(title) if not _OWN_PAGES.fullmatch(part.strip())]
    return others[0].strip() if len(others) == 1 and others[0] != title else None


def _owner(title: str, left_out: Sequence[LeftOut], text: str) -> str | None:
    """The organization or site of a document: a name that is printed on every page, or below the text and in it."""
    known = f"{title} {text}".casefold()
    for one in (*left_out[:_MOST_LEFT_OUT], *left_out[_MOST_LEFT_OUT:][-_MOST_LEFT_OUT:]):
        for part in _NAME_PARTS.split(one.text[:_LONGEST_FOOTER]):
            words = (part := _OF_NAME.sub("", part.strip())).split()
            is_name = 1 < len(words) < _MOST_NAME_WORDS and words[0][:1].isupper()
            is_name = is_name and sum(word[:1].isupper() for word in words) > 1 and _LONG_NUMBER.search(part) is None
            is_name = is_name and all(word[:1].isupper() or len(word) < 4 for word in words if word.isalpha())
            is_name = is_name and 2 * sum(word.casefold() in title.casefold() for word in words) < len(words)
            if not is_name or _NO_OWNER.search(part):
                continue
            if one.reason in _PRINTED or " ".join(words[:2]).casefold() in known:
                return part
    return None


def _same(heading: str, title: str) -> bool:
    return title.casefold().startswith(heading.casefold()) or heading.casefold().startswith(title.casefold())


def _below(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The headings above a block, first the title, which may be longer than the first heading that has its words."""
    return (max(path[0], title, key=len), *path[1:]) if path and _same(path[0], title) else (title, *path)


def _spread(row: list[str]) -> list[str]:
    """A row of labels of which some have several columns, with each in all of them; that of the names is alone."""
    second = next((place for place, label in enumerate(row) if place and label), len(row))
    spread = list(row)
    for place in range(second + 1, len(row)):
        spread[place] = row[place] or spread[place - 1]
    return spread


def header_rows(rows: Sequence[Sequence[str]]) -> int:
    """1 if the first row has the labels of the columns, by its look: every cell filled, none a number, no cell twice.

    >>> header_rows([["Name", "Age"], ["Ann", "31"], ["Bo", "40"]]), header_rows([["Ann", "31"], ["Bo", "40"]])
    (1, 0)
    """
    first, *others = rows
    if (
        others
        and others[0][0] in ("", first[0])
        and all(others[0][1:])
        and len(set(first)) < len(first)
        and len(others) > 1
    ):
        # Labels over labels: *Net sales* over *2024* and *2025*.
        return 2
    over = [label for label in first[1:] if label]
    is_over = len(over) > 1 and all(len(label.split()) < 4 and not any(map(str.isdigit, label)) for label in over)
    if is_over and len(others) > 1 and not all(first[1:]) and all(others[0]):
        # Labels over labels, each in the first of its columns: *Hours* over *Mon* and *Tue*.
        return 2 if header_rows(others) == 1 and not any(map(is_number, first)) else 0
    years = [cell for cell in first[1:] if _YEAR.fullmatch(cell)]
    if len(years) > 1 and len(years) == len(first) - 1 and years == sorted(set(years), reverse=years[0] > years[-1]):
        return 1 if others and not is_number(first[0]) else 0
    filled = [cell for cell in first[1:] if cell]
    half = len(first) // 2
    # Two tables side by side: *Home, Score, Away, Score*.
    is_double = half > 1 and first[1:half] == first[half + 1 :] not in [row[half + 1 :] for row in others]
    is_repeated = len(set(first)) < len(first) and not is_double
    if not others or len(filled) < len(first) - 1 or is_repeated or _has_number(first, others):
        return 0
    if any("@" in cell or "://" in cell for cell in first):
        return 0
    if any(len(cell) > 60 or (cell.endswith((".", ":")) and len(cell.split()) > 3) for cell in first):
        return 0
    if len(first) == 2:
        # Two columns are labels and values more often than not; a header is known by columns that differ from it.
        column = [row[1] for row in others if row[1]]
        numeric = sum(map(is_number, column))
        return int(len(column) > 1 and 4 * numeric >= 3 * len(column) and not first[0].endswith(":"))
    return 1


def _has_number(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether a row of a table has a number that is no label: one without words, or one like those below it."""
    for place, cell in enumerate(first):
        column = [row[place] for row in others if place < len(row) and row[place]]
        plain = sum(is_number(one) and not any(map(str.isalpha, one)) for one in column)
        if is_number(cell) and not (any(map(str.isalpha, cell)) and len(first) > 2 and 2 * plain > len(column)):
            return True
    return False


_YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d(?:[/–-](?:20)?\d\d)?")
