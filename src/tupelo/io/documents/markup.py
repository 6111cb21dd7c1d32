"""Plain text, web pages, Markdown and notebooks, in blocks.

Text is UTF-8, or UTF-16 with a byte order mark, or in the encoding that the user names. Plain text stays as it is; of
Markdown the marks, links and front matter are dropped.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import IO

from tupelo.core import FormatError, InputError
from tupelo.core.blocks import Block, LeftOut
from tupelo.core.document import Document
from tupelo.io.documents import UTF8, Found, Reading, day_of, head_day, text_encoding
from tupelo.io.documents.boilerplate import Candidate, divided
from tupelo.io.documents.html import LINKS, Page, visible_text
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.lines import line_blocks
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault

_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_OTHER_ENCODING = "Name its encoding, for example --encoding cp1252."


def read_text(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole file as one document."""
    yield text_document(source, decode(reading.whole(stream, source), source, (UTF8, reading.encoding)))


def text_document(source: str, text: str) -> Document:
    """A document of plain text with its blocks; its title is that of the first line, if that is one."""
    judged = _judged(text, line_blocks(text))
    is_chat = any(block.kind == "turn" for block, _ in judged)
    title = judged[0][0].of(text) if judged and judged[0][0].kind == "title" else None
    first = next((number for number, (_, reason) in enumerate(judged) if reason is None), 0)
    if first and not is_chat:
        # Blocks above the title do not belong to the document: the rest is laid out by itself.
        start = text.rfind("\n", 0, judged[first][0].start) + 1
        rest = line_blocks(text[start:], start)
        judged = [*judged[:first], *_judged(text, rest)]
        title = next((block.of(text) for block in rest if block.kind == "title"), title)
    kept = [block for block, reason in judged if reason is None]
    left_out = [LeftOut(block.of(text), reason, block.start, block.kind) for block, reason in judged if reason]
    return Document(source, text, title=title, published=head_day(text), blocks=tuple(kept), left_out=tuple(left_out))


def _judged(text: str, blocks: Sequence[Block]) -> list[tuple[Block, str | None]]:
    """The blocks of a text and their parts, each with the reason for leaving it out."""
    medium = "chat" if any(block.kind == "turn" for block in blocks) else "text"
    candidates = [Candidate(block.kind, block.of(text), level=len(block.path)) for block in blocks]
    found: list[tuple[Block, str | None]] = []
    for block, parts in zip(blocks, divided(candidates, medium), strict=True):
        start = block.start
        for part, reason in parts:
            found.append((replace(block, start=start, end=start + len(part)), reason))
            start += len(part) + 1
    return found


def decode(data: bytes, source: str, encodings: tuple[str, ...]) -> str:
    """Bytes as text with plain line ends, in the first encoding that fits; raises at a byte that fits none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ("utf-16",)
    data = data.removeprefix(codecs.BOM_UTF8)
    *others, last = encodings
    for encoding in others:
        with suppress(UnicodeError):
            return _checked(data.decode(encoding), source)
    try:
        return _checked(data.decode(last), source)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x} at position {error.start:,} is not {last.upper()}"
        raise FormatError(source, line, found, f"{last.upper()} text", _OTHER_ENCODING) from None


def _checked(text: str, source: str) -> str:
    if "\0" in text:
        raise FormatError(source, text.count("\n", 0, text.index("\0")) + 1, "a NUL character", "text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_html(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole page as one document."""
    data = reading.whole(stream, source)
    declared = _declared(data)
    page = Page(decode(data, source, (declared,) if declared else (UTF8, reading.encoding)))
    layout = Layout(source, reading)
    page.lay_out(layout)
    yield layout.document("text/html", page.title, page.published)


def _declared(data: bytes) -> str | None:
    """The encoding that a page names for itself."""
    declared = _CHARSET.search(data[:4096])
    return text_encoding(declared[1].decode("ascii", "replace")) if declared else None


_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_FRONT_DATE = re.compile(r"^(?:date|published): *[\"']?(.{10})", re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:(.+)$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6}) +(.*)$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+) *$")
_RULE = re.compile(r"^ {0,3}(?:[-*_] *){3,}$|^[ |:+-]+$")
_TABLE_RULE = re.compile(r"^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$")
_BULLET = re.compile(r"^ *(?:[-*+]|\d{1,9}[.)]) +")
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+")
_CELL_END = re.compile(r"(?<!\\)\|")
_BADGE = re.compile(r"^\s*(?:\[?!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)(?:\]\([^)\n]{0,2000}\))?\s*)+$")
_LINK = re.compile(r"\[[^\[\]\n]{1,200}\]\([^()\n]{0,500}\)")
# Longest link, code or emphasis. Without bounds, marks that open and never close take quadratic time.
_INLINE = (
    (re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)"), ""),
    (re.compile(r"\[([^\[\]\n]{1,500})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,500}\])"), r"\1"),
    (re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$", re.MULTILINE), ""),
    (re.compile(r"<((?:https?|mailto):[^<>\s]+)>"), r"\1"),
    (re.compile(r"(?<!`)(`++)(.{1,500}?)(?<!`)\1(?!`)"), r"\2"),
    (re.compile(r"(\*{1,3}|~~)(?=\S)(.{1,500}?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|~>-])"), r"\1"),
)


def read_markdown(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole file as one document; its title is that of the front matter or the first heading."""
    text = decode(reading.whole(stream, source), source, (UTF8, reading.encoding))
    title = published = None
    if front := _FRONT.match(text):
        text = text[front.end() :]
        title, published = (_first(pattern, front[1]) for pattern in (_FRONT_TITLE, _FRONT_DATE))
        title, published = title and title.strip(" \"'"), published and day_of(published)
    layout = Layout(source, reading)
    lay_out_markdown(layout, text)
    yield layout.document("text/markdown", title, published)


def lay_out_markdown(layout: Layout, text: str) -> None:
    """Add the blocks of Markdown: a heading, a list, a fence and a table each begin one."""
    pending: list[str] = []
    kind = "paragraph"
    lines = deque(text.split("\n"))

    def end(following: str = "paragraph") -> None:
        nonlocal kind
        _add_prose(layout, kind, "\n".join(pending))
        pending.clear()
        kind = following

    while lines:
        line = lines.popleft()
        if opened := _FENCE.match(line):
            end()
            layout.add("code", "\n".join(_fenced(lines, opened[1])))
        elif heading := _HEADING.match(line):
            end()
            words = heading[2].rstrip()
            # Closing marks stand apart from the words.
            bare = words.rstrip("#")
            words = bare.rstrip() if not bare or bare[-1] == " " else words
            layout.heading(_plain(words), len(heading[1]))
        elif pending and kind == "paragraph" and (under := _UNDERLINE.match(line)) and len(pending) == 1:
            words = pending.pop()
            layout.heading(_plain(words), 1 if under[1][0] == "=" else 2)
        elif pending and _TABLE_RULE.match(line) and "|" in pending[-1]:
            header = pending.pop()
            end()
            rows = [_cells(header)]
            while lines and "|" in lines[0]:
                rows.append(_cells(lines.popleft()))
            layout.table(rows, 1)
        elif not line.strip() or (_RULE.match(line) and not (lines and _TABLE_RULE.match(lines[0]))):
            end()
        elif _BADGE.match(line):
            end()
            layout.leave_out(line.strip(), "picture")
        elif _QUOTE.match(line):
            if kind != "quote":
                end("quote")
            pending.append(_QUOTE.sub("", line).strip())
        elif _BULLET.match(line):
            end("item")
            pending.append(_BULLET.sub("", line).strip())
        else:
            if kind == "quote" or (kind == "item" and line.startswith(("**", "__"))):
                end()
            pending.append(line.strip())
    end()


def _add_prose(layout: Layout, kind: str, text: str) -> None:
    bare = _LINK.sub("", text)
    linked = 1 - len(bare) / max(1, len(text))
    is_contents = kind == "item" and "](#" in text and not any(map(str.isalpha, bare))
    text = _plain(text)
    if is_contents:
        layout.leave_out(text, LINKS, kind)
        return
    if "<" in text:
        # Markdown may hold HTML. Line ends mean more here than there.
        text = visible_text(text.replace("\n", "<br>"))
    layout.add(kind, text, linked)


def _fenced(lines: deque[str], fence: str) -> Iterator[str]:
    while lines:
        line = lines.popleft()
        closed = _FENCE.match(line)
        if closed and closed[1].startswith(fence):
            return
        yield line


def _cells(row: str) -> list[str]:
    return [
        _plain(cell.strip().replace("\\|", "|"))
        for cell in _CELL_END.split(row.strip().removeprefix("|").removesuffix("|"))
    ]


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None


def _plain(text: str) -> str:
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return text


def read_notebook(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """A Jupyter notebook: its Markdown, its code, and the tables and texts that its code gave."""
    try:
        notebook = json_value(decode(reading.whole(stream, source), source, (UTF8,)))
    except Fault as fault:
        raise FormatError(source, fault.line or 1, *fault.args) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InputError(f"{source}: no list of cells, expected a notebook of format 4")
    layout = Layout(source, reading)
    for cell in cells:
        text = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            lay_out_markdown(layout, text)
        elif cell.get("cell_type") == "code":
            layout.add("code", text)
            for output in cell.get("outputs") or ():
                if isinstance(output, dict):
                    _add_output(layout, output)
        else:
            layout.leave_out(text, "raw cell", "code")
    yield layout.document("application/x-ipynb+json")


def _add_output(layout: Layout, output: dict[str, object]) -> None:
    data = output.get("data")
    data = data if isinstance(data, dict) else {}
    if output.get("name") == "stderr":
        layout.leave_out(_joined(output.get("text")), "messages of the code", "code")
    elif output.get("output_type") == "error":
        layout.leave_out(_joined(output.get("traceback")), "error of the code", "code")
    elif "<table" in (markup := _joined(data.get("text/html"))):
        page = Page(markup)
        page.lay_out(layout)
    elif "text/markdown" in data:
        lay_out_markdown(layout, _joined(data["text/markdown"]))
    else:
        layout.add("output", _joined(data.get("text/plain") or output.get("text")))


def _joined(lines: object) -> str:
    """A text of a notebook, which may be a list of lines."""
    if isinstance(lines, list):
        return "".join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""
