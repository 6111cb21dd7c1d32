"""Statements without sentences: tables, labels and values, lines of a CV, prices, questions and answers.

`divide` splits a passage into the stretches that are prose, which a parser reads, and sentences of this room: the
line or the row of a table that states something, with its tuples. The parts of a tuple have exact places; what
comes from elsewhere (the header of a column, the title above) is implied. Every rule has a name of its own; where a
line may be read in several ways, the likeliest counts. Confidences are learned from judged tuples (`trust`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tupelo.core import Passage, SentenceTuples
from tupelo.core.blocks import Block
from tupelo.extract.structure.faq import question_tuples
from tupelo.extract.structure.headings import has_verb, is_general, is_sentence, subject_of
from tupelo.extract.structure.labels import line_tuples
from tupelo.extract.structure.people import GREETING, people_of
from tupelo.extract.structure.sentences import StructuredText
from tupelo.extract.structure.tables import table_tuples

__all__ = ["divide"]

# A line that says nothing, or the mark of an item.
_MARKS = re.compile(r"[\W_]*|\s*\(?\w{1,5}[.)]\s*")
_LONGEST_QUESTION, _LONGEST_CAPTION, _SHORT_LEAD = 150, 13, 6
_SENTENCES = re.compile(r"(?<=[.!?]) +(?=\w)")
# *OSLO, 3 May 2019 (Reuters) — *: the place and day of a report, which are no part of its first sentence.
_DATELINE = re.compile(r"[A-Z][A-Z .'’-]{2,30}(?:, [^\n—–]{1,40})?(?: \([^)\n]{1,30}\))? [—–] ")
# Kinds of blocks after which what was above a list is over.
_CLOSING = frozenset(["heading", "table"])
_NUMBERED = re.compile(r"(?:Table|Tab\.|Fig(?:ure|\.)) ?\d")
# Kinds of blocks that no words above introduce.
_UNLED = frozenset(["mail header", "title", "heading"])
# Kinds of blocks with sentences.
_PROSE = frozenset(["title", "heading", "paragraph", "item", "quote", "caption", "turn", "definition"])


def divide(passage: Passage) -> tuple[list[Passage], list[SentenceTuples]]:
    """The prose of a passage, and its sentences that are none, both in order. Without blocks, all is prose."""
    if not passage.blocks:
        return [passage], []
    text = StructuredText(passage)
    found: list[SentenceTuples] = []
    prose: list[tuple[int, int]] = []
    blocks = passage.blocks
    if not (passage.start or text.is_titled or blocks[0].path[1:]) and blocks[0].kind == "paragraph":
        # A title that is not set off from the text below it.
        opening = text.at(blocks[0].start, blocks[0].end).split("\n")[0].strip()
        is_title = opening[-1:] not in ".!?," and not any(mark in opening for mark in (":", "..", "  ", "\t"))
        text.opening = subject_of((opening,)) if is_title else None
    for number, block in enumerate(blocks):
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        is_after_items = block.kind == "paragraph" and number > 0 and blocks[number - 1].kind == "item"
        if is_after_items or block.kind in _UNLED or (block.kind == "turn" and not text.goes_on(block)):
            text.lead = None
        text.enter(block)
        text.follows_heading = number > 0 and blocks[number - 1].kind in ("heading", "title", "paragraph")
        is_lead = _is_lead(text, block, following)
        if block.kind == "table":
            found += table_tuples(text, block)
            prose += (place for cells in text.rows(block) for cell, place in cells if is_sentence(cell))
        elif block.kind in _PROSE or block.kind == "mail header":
            dateline = _DATELINE.match(text.at(block.start, min(block.end, block.start + 120)))
            taken = [(block.start, block.start + dateline.end())] if dateline and block.kind == "paragraph" else []
            for sentence, place in line_tuples(text, block, is_lead):
                found.append(sentence)
                taken.append(place)
            found += question_tuples(text, block, following)
            found += people_of(text, block)
            if block.kind in _PROSE:
                prose += _without(block, taken)
        if is_lead:
            lead = _SENTENCES.split(text.of(block).rstrip().rpartition("\n")[2])[-1].strip(" :*")
            text.lead = None if GREETING.match(lead) else lead
        elif block.kind not in ("item", "definition", "turn") and (
            block.kind in _CLOSING or text.of(block).rstrip()[-1:] in ".!?"
        ):
            text.lead = None
    found.sort(key=lambda sentence: sentence.start)
    return list(_stretches(passage, prose)), found


def _is_lead(text: StructuredText, block: Block, following: Block | None) -> bool:
    """Whether the last line of a block says what is below it: the words above a list, a caption, a question."""
    if block.kind not in ("paragraph", "caption", "turn") or following is None or following.kind == "heading":
        return False
    *before, line = _SENTENCES.split(text.of(block).rstrip().rpartition("\n")[2].strip())
    if block.kind == "turn" and not (following.kind == "turn" and text.goes_on(following) and text.lead is None):
        return False
    if line.endswith(":") or (line.endswith("?") and not before):
        return len(line) < _LONGEST_QUESTION
    words = line.split()
    if block.kind == "turn":
        return len(words) < _SHORT_LEAD and line[-1:].isalnum() and ":" not in line and not has_verb(line)
    is_short = "\n" not in text.of(block).strip() and len(words) < _LONGEST_CAPTION and line[-1:] not in ".,;!"
    is_short = is_short and (": " not in line or _NUMBERED.match(line) is not None)
    # Below the first words, which name what all is about, capitals throughout are a caption.
    is_caption = line.isupper() and len(line) > 3 and block is not text.passage.blocks[0]
    if is_short and (following.kind == "table" or is_caption):
        return True
    is_list = following.kind in ("item", "definition")
    return is_short and line[:1].isupper() and (is_list or is_general(line))


def _without(block: Block, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The block without the lines that are read otherwise."""
    start = block.start
    for begin, end in sorted(taken):
        if begin > start:
            yield start, begin
        start = max(start, end)
    if start < block.end:
        yield start, block.end


def _stretches(passage: Passage, places: list[tuple[int, int]]) -> Iterator[Passage]:
    """Prose with its neighbours where nothing is said between them, as it would be without blocks."""
    shift, text = passage.start, passage.text
    pending: tuple[int, int] | None = None
    for begin, end in places:
        if not text[begin - shift : end - shift].strip():
            continue
        if pending is not None and _is_layout(text[pending[1] - shift : begin - shift]):
            pending = pending[0], end
            continue
        if pending is not None:
            yield _stretch(passage, *pending)
        pending = begin, end
    if pending is not None:
        yield _stretch(passage, *pending)


def _is_layout(between: str) -> bool:
    """Whether nothing is said between two blocks: white space, bullets, numbers of items, rulers."""
    return len(between) < 200 and all(_MARKS.fullmatch(line) for line in between.split("\n"))


def _stretch(passage: Passage, begin: int, end: int) -> Passage:
    """A stretch with the marks of its first item and the white space around it, as it is in plain text."""
    shift, text = passage.start, passage.text
    line = text.rfind("\n", 0, begin - shift) + 1
    if _MARKS.fullmatch(text[line : begin - shift]) and ">" not in text[line : begin - shift]:
        begin = line + shift
    if not text[: begin - shift].strip():
        begin = shift
    if not text[end - shift :].strip():
        end = shift + len(text)
    return replace(passage, text=text[begin - shift : end - shift], start=begin, blocks=())
