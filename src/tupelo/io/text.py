"""Plain text in blocks of bounded size, whatever the length of its lines."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from tupelo.core import InputError, Passage, TupeloError
from tupelo.core.document import Document
from tupelo.core.errors import wrong_type
from tupelo.core.limits import LimitError, Limits
from tupelo.io.documents import ENDINGS, Reading, format_of
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.lines import line_blocks
from tupelo.io.documents.stage import read_file
from tupelo.io.files import InputFile, not_utf8, read_pieces

_BLOCK_BYTES = 1 << 16
# A block ends after a blank line; where none comes for this long, after any line; then after any space.
_PATIENCE = 200_000
_BREAKS = ("\n\n", "\n", " ")
# About 1,500 sentences, or five seconds of work.
_LARGE_BYTES = 200_000


def read_passages(
    names: Sequence[str],
    *,
    lines: bool,
    limits: Limits | None = None,
    failed: Callable[[TupeloError], None] | None = None,
) -> Iterator[Passage]:
    """The text of files, or their lines; offsets count through each file.

    Passages of several files carry the name of their file. Pages, PDF and other documents that are no plain text are
    read as a graph reads them, and offsets count through the text of each document. What cannot be read is raised,
    or handed to `failed`, and the others are read.
    """
    for name in names:
        document_id = name if len(names) > 1 else None
        try:
            if not lines and format_of(name) not in (None, "text"):
                yield from _document_passages(name, document_id, limits, failed)
            else:
                yield from _text_passages(name, document_id, limits, lines)
        except TupeloError as error:
            if failed is None:
                raise
            failed(error)


def _text_passages(name: str, document_id: str | None, limits: Limits | None, lines: bool) -> Iterator[Passage]:
    with InputFile(name, limits) as file:
        if lines:
            position = 0
            for _, line in file.lines():
                yield Passage(line, position, document_id)
                position += len(line) + 1
        else:
            for text, position in read_blocks(file):
                yield Passage(text, position, document_id, tuple(line_blocks(text, position)))


def _document_passages(
    name: str, document_id: str | None, limits: Limits | None, failed: Callable[[TupeloError], None] | None = None
) -> Iterator[Passage]:
    file = {"path": name, "source": name, "format": format_of(name) or ""}
    for found in read_file(file, Reading(limits or Limits())):
        if isinstance(found, TupeloError):
            if failed is None:
                raise found
            failed(found)
        elif isinstance(found, Document):
            for passage in found.passages():
                yield replace(passage, document_id=document_id)


def is_large(names: Sequence[str]) -> bool:
    """Whether files hold so much text that starting more processes pays; what has no size counts as small."""
    size = 0
    for name in names:
        try:
            size += os.stat(name).st_size
        except OSError:
            continue
    return size >= _LARGE_BYTES


def read_blocks(file: InputFile) -> Iterator[tuple[str, int]]:
    """The text of a file cut where no sentence should be, each block with its position in characters.

    Joined together the blocks are the text, line ends included; a byte order mark at the start is not part of it.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    pending, position, lines = "", 0, 1
    while True:
        data = file.binary.read(_BLOCK_BYTES)
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            good = error.object[: error.start]
            raise not_utf8(file.name, lines + good.count(b"\n"), error.object[error.start]) from None
        lines += text.count("\n")
        pending += text
        if not data:
            break
        for mark in _BREAKS if len(pending) > _PATIENCE else _BREAKS[:1]:
            cut = pending.rfind(mark)
            if cut >= 0:
                cut += len(mark)
                yield pending[:cut], position
                pending, position = pending[cut:], position + cut
                break
        else:
            if len(pending) > 2 * _PATIENCE:
                yield pending, position
                pending, position = "", position + len(pending)
    if pending:
        yield pending, position


def text_of(given: str | Path | IO[str], limits: Limits | None = None) -> str:
    """A text that is a string, or in a file that is named by a path or open."""
    if isinstance(given, str):
        return given
    if isinstance(given, Path):
        if format_of(given.name) in (None, "text"):
            return read_whole(str(given), limits)
        return "\n\n".join(passage.text for passage in _document_passages(str(given), None, limits))
    if not hasattr(given, "read"):
        raise wrong_type(given, "a text, a Path or an open file")
    return given.read()


def read_whole(name: str, limits: Limits | None = None) -> str:
    """The text of a file at once, if it is not longer than a document may be."""
    most = (limits or Limits()).document
    pieces: list[str] = []
    with InputFile(name, limits) as file:
        for text, position in read_blocks(file):
            pieces.append(text)
            if position + len(text) > most:
                raise LimitError(file.name, "document", "a longer text", most)
    return "".join(pieces)


def read_folder(name: str, limits: Limits | None = None) -> dict[str, str]:
    """The texts of all documents below a folder, by the names of their files."""
    found: dict[str, str] = {}
    for file in find_documents([name]).files:
        texts = (passage.text for passage in read_passages([file.path], lines=False, limits=limits))
        found[file.source] = "".join(texts)
    if not found:
        raise InputError(f"{name}: holds no documents, expected {', '.join(ENDINGS)}")
    return found


def is_database(name: str) -> bool:
    """Whether a file is a database of DuckDB, as graphs are."""
    try:
        return next(read_pieces(name, 0, 12, 12), b"")[8:] == b"DUCK"
    except InputError:
        return False
