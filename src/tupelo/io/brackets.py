"""Bracketed constituency trees, as the Penn Treebank writes them.

Trees may run over several lines. Empty elements (tag `-NONE-`) and phrases that consist of nothing else are dropped;
the escapes `-LRB-` and the like stay as they are written. Labels are kept whole (`NP-SBJ`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tupelo.core import Analysis, Constituent, InputError, Word
from tupelo.core.analysis import constituent_depths
from tupelo.io.lines import Lines

ROOT = "ROOT"
_PIECE = re.compile(r"[()]|[^\s()]+")
_EMPTY = "-NONE-"
_ESCAPES = {"(": "-LRB-", ")": "-RRB-"}


@dataclass(slots=True)
class _Reader:
    """One tree, read token by token. `open` has label, order and start of brackets, and whether they are phrases."""

    line: int
    open: list[tuple[str, int, int, bool]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)
    parts: list[tuple[int, int, Constituent]] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    opened: int = 0

    def take(self, piece: str) -> str | None:
        """Read a bracket or a word; returns what is wrong with it, if anything."""
        if piece == "(":
            if len(self.pending) > 1:
                return f"'(' after the word {self.pending[1]!r}"
            if self.open and not self.open[-1][3]:
                # A bracket inside a bracket: the outer one is a phrase, and what stood after it its label.
                _, order, start, _ = self.open.pop()
                self.open.append((self.pending[0] if self.pending else "", order, start, True))
                self.pending = []
            self.open.append(("", self.opened, len(self.words), False))
            self.opened += 1
        elif piece == ")":
            label, order, start, is_phrase = self.open.pop()
            if is_phrase:
                if len(self.words) > start:
                    self.parts.append((order, start, Constituent(label or ROOT, start, len(self.words))))
            elif len(self.pending) < 2:
                return "a bracket without a word"
            else:
                tag, word = self.pending
                self.pending = []
                if tag != _EMPTY:
                    self.words.append((tag, word))
        elif self.open and self.open[-1][3]:
            return f"the word {piece!r} without a tag of its own"
        else:
            self.pending.append(piece)
            if len(self.pending) > 2:
                return f"{len(self.pending)} words under one tag"
        return None


def read(lines: Lines) -> Iterator[Analysis]:
    """One analysis per tree; a faulty tree is reported with the line it goes wrong on, and left out."""
    reader: _Reader | None = None
    number = 0
    for number, line in lines:
        for piece in _PIECE.findall(line):
            if reader is None:
                if piece != "(":
                    lines.fault(number, f"{piece!r}", "'(', the start of a tree")
                    break
                reader = _Reader(number)
            wrong = reader.take(piece)
            if wrong is not None:
                lines.fault(number, wrong, "(LABEL …) around brackets, (TAG word) around a word")
                reader = None
                break
            if not reader.open:
                yield _analysis(reader)
                reader = None
    if reader is not None:
        lines.fault(number, f"the tree that starts on line {reader.line} does not end", "as many ')' as '('")


def _analysis(reader: _Reader) -> Analysis:
    words: list[Word] = []
    position = 0
    for tag, form in reader.words:
        words.append(Word(form, position, position + len(form), xpos=tag))
        position += len(form) + 1
    parts = [part for _, _, part in sorted(reader.parts, key=lambda entry: entry[0])]
    return Analysis(text=" ".join(form for _, form in reader.words), words=tuple(words), constituents=tuple(parts))


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    """One tree a line. A sentence without constituents cannot be written."""
    for analysis in analyses:
        yield bracketed(analysis) + "\n"


def bracketed(analysis: Analysis) -> str:
    """The tree of one sentence on one line.

    >>> words = (Word("He", 0, 2, xpos="PRP"), Word("ate", 3, 6, xpos="VBD"))
    >>> parts = (Constituent("S", 0, 2), Constituent("NP", 0, 1), Constituent("VP", 1, 2))
    >>> bracketed(Analysis("He ate", words, constituents=parts))
    '(S (NP (PRP He)) (VP (VBD ate)))'
    """
    parts = analysis.constituents
    if parts is None:
        raise InputError(f"no constituents for {analysis.text[:60]!r}; its parser gives none")
    constituent_depths(parts)
    pieces: list[str] = []
    ends: list[int] = []
    upcoming = 0
    for index, word in enumerate(analysis.words):
        while upcoming < len(parts) and parts[upcoming].start == index:
            pieces.append(f" ({parts[upcoming].label}")
            ends.append(parts[upcoming].end)
            upcoming += 1
        pieces.append(f" ({_plain(word.xpos or word.upos or 'X')} {_plain(word.text)})")
        while ends and ends[-1] == index + 1:
            pieces.append(")")
            ends.pop()
    text = "".join(pieces).lstrip()
    return text if parts else f"({ROOT}{''.join(pieces)})"


def _plain(text: str) -> str:
    """Brackets as their escapes; white space inside a word, which would split it, as underscores."""
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return "_".join(text.split()) or "_"
