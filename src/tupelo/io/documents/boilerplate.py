"""Boilerplate of documents: menus, notices, footers, messages of programs, lists of references.

A linear model judges every block by its words, its look, its links and its place among the others. Its weights are
in `boilerplate.json`; `training/tupelo_training/boilerplate` fits them on written lines and marked documents.
Blocks that several pages of a site share are boilerplate whatever they say.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import pairwise, repeat
from math import exp
from typing import Any

from tupelo.core.blocks import Block, LeftOut
from tupelo.core.document import Document

# Words, numbers and marks.
_WORDS = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_{3,}")
_NUMBERS = re.compile(r"\d+")
_LABEL = re.compile(r"[^\W\d_][^:\n]{0,30}: \S")
_ADDRESS = re.compile(r"@\w|https?:|www\.")
_SEPARATORS = re.compile(r"[|·•›»>/]")
# *2 of 3* at the end, and white space within running heads.
_PAGE_OF = re.compile(r"(?<![/.\d])\d{1,3} ?(?:/|of|von|de|sur|z) ?\d{1,3}\W*$")
_GAP = " " * 6
_COOKIES = re.compile(r"\b(?:HTTP Cookie|HTML Local Storage|Pixel Tracker)\b")
_ENDS = ".?!:,;"
# The day and time before the words of a line in a chat or a log.
_STAMP = re.compile(
    r"^\u200e?[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? )?"
    r"(?:\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?)?[\])]?[ :–—-]{0,4}"
)
# Characters of a block that are looked at, and words of one whose pairs are.
_LOOKED_AT, _MOST_PAIRED, _LONGEST_FORM = 400, 12, 200
_LONG_PROSE = 150
# The least probability of a line within a paragraph, and the lines of paragraphs of which each is judged.
_SURE, _MOST_LINES, _SHORT_LINE = 0.8, 20, 60
# Letters of words that the model knows the beginning of.
_PREFIX = 5
_SIZES = (1, 2, 3, 5, 8, 13, 21, 40, 80)
_MEDIA = {
    "text/html": "page",
    "text/markdown": "markdown",
    "text/plain": "text",
    "message/rfc822": "mail",
    "text/vtt": "chat",
    "application/json": "chat",
    "application/x-ipynb+json": "notebook",
}
# Kinds of blocks that are data, whatever words are in them.
DATA = frozenset(["title", "table", "mail header", "code", "caption"])
CONTENT, SHARED = "content", "on many pages of the site"
# Blocks on this many pages of a folder, and on this share of them, belong to the site.
_LEAST_PAGES, _SHARE_OF_PAGES = 3, 0.3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A block before it is judged: its kind (`output` is that of code), its text, and the share of it in links."""

    kind: str
    text: str
    linked: float = 0.0
    level: int = 0


def medium_of(media_type: str) -> str:
    return _MEDIA.get(media_type, "office")


def reasons(candidates: Sequence[Candidate], medium: str) -> list[str | None]:
    """The reason for leaving out each block, `None` for content. A heading goes with all that is below it."""
    model = _model()
    found: list[str | None] = []
    for one, names in zip(candidates, features(candidates, medium), strict=True):
        if one.kind == "table" and _COOKIES.search(one.text):
            found.append("cookie notice")
            continue
        is_data = one.kind in DATA or (one.kind == "heading" and one.level <= 1)
        found.append(None if is_data else model.reason(names))
    for number, (one, below) in enumerate(pairwise(candidates)):
        # A heading right above a table is that of the table.
        if one.kind == "heading" and below.kind == "table":
            found[number] = None
        elif one.kind == "heading" and found[number] is not None:
            found[number] = found[number + 1] or found[number]
    if all(found):
        # A document is not all boilerplate.
        return [None] * len(found)
    return without_empty_sections([(one.kind, one.level) for one in candidates], found)


def without_empty_sections(blocks: Sequence[tuple[str, int]], found: list[str | None]) -> list[str | None]:
    """The reasons of blocks, given by kind and level, with those of headings above nothing else."""
    for number in range(len(blocks) - 2, -1, -1):
        kind, level = blocks[number]
        following = number + 1
        if kind != "heading" or found[number] is not None or level <= 1 or found[following] is None:
            continue
        while following < len(blocks) and found[following] is not None and not _closes(blocks[following], level):
            following += 1
        if following > number + 1 and (following == len(blocks) or _closes(blocks[following], level)):
            found[number] = found[number + 1]
    return found


def _closes(block: tuple[str, int], level: int) -> bool:
    return block[0] == "heading" and block[1] <= level


def divided(candidates: Sequence[Candidate], medium: str) -> list[list[tuple[str, str | None]]]:
    """The parts of each block with their reasons: lines of a paragraph may be boilerplate by themselves."""
    whole = reasons(candidates, medium)
    lines = [_lines(one, reason is None) for one, reason in zip(candidates, whole, strict=True)]
    if sum(map(len, lines)) == len(lines):
        return [[(one.text, reason)] for one, reason in zip(candidates, whole, strict=True)]
    pieces = [replace(one, text=line) for one, own in zip(candidates, lines, strict=True) for line in own]
    # A line within content may be boilerplate, the lines below boilerplate may be content.
    alone = [
        len(own) > 1 and (reason is None) != ("\n" in line)
        for reason, own in zip(whole, lines, strict=True)
        for line in own
    ]
    named = features(pieces, medium, alone)
    model = _model()
    found: list[list[tuple[str, str | None]]] = []
    for reason, own in zip(whole, lines, strict=True):
        parts: list[tuple[str, str | None]] = []
        for line, names in zip(own, named, strict=False):
            line_reason = reason
            if names:
                # Within content only if that is sure.
                line_reason = model.reason(names, _SURE if reason is None else 0.0)
            if parts and parts[-1][1] == line_reason:
                parts[-1] = f"{parts[-1][0]}\n{line}", line_reason
            else:
                parts.append((line, line_reason))
        found.append(parts)
    return found


def _lines(one: Candidate, is_content: bool) -> list[str]:
    """The lines of a paragraph that are judged by themselves: the first and the last, and all of short ones."""
    lines = one.text.split("\n")
    if one.kind != "paragraph" or len(lines) == 1 or not all(map(str.strip, lines)):
        return [one.text]
    if is_content and len(lines) < _MOST_LINES and len(one.text) < _SHORT_LINE * len(lines):
        return lines
    last = len(lines) - is_content
    return ["\n".join(part) for part in (lines[:1], lines[1:last], lines[last:]) if part]


def without_shared(documents: Sequence[Document]) -> list[Document]:
    """Pages of a folder without the blocks that many of them share: those of the site."""
    folders: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        folders.setdefault(posixpath.dirname(document.source), []).append(number)
    found = list(documents)
    for numbers in folders.values():
        pages = [documents[number] for number in numbers]
        counts = Counter(key for page in pages for key in {_key(block.of(page.text)) for block in _shareable(page)})
        least = max(_LEAST_PAGES, len(pages) * _SHARE_OF_PAGES)
        shared = {key for key, count in counts.items() if count >= least}
        for number, page in zip(numbers, pages, strict=True):
            own = {block for block in _shareable(page) if _key(block.of(page.text)) in shared}
            if own and len(own) < len(page.blocks):
                found[number] = _without(page, own)
    return found


def _shareable(page: Document) -> list[Block]:
    """Blocks that may belong to the site of a page; plain text, mails and talk have none."""
    if medium_of(page.media_type) not in ("page", "markdown", "office"):
        return []
    return [block for block in page.blocks if block.kind not in DATA and block.end - block.start < _LOOKED_AT]


def _without(page: Document, own: Collection[Block]) -> Document:
    blocks: list[Block] = []
    left_out = [*page.left_out]
    pieces: list[str] = []
    size = 0
    for block in page.blocks:
        text = block.of(page.text)
        if block in own:
            left_out.append(LeftOut(text, SHARED, size, block.kind))
            continue
        start = size + (2 if size else 0)
        size = start + len(text)
        pieces.append(text)
        blocks.append(replace(block, start=start, end=size))
    return replace(page, text="\n\n".join(pieces), blocks=tuple(blocks), left_out=tuple(left_out))


def features(
    candidates: Sequence[Candidate], medium: str, wanted: Iterable[bool] = repeat(True)
) -> Iterator[list[str]]:
    """The names of what is true of each block, none for those that are not wanted."""
    if medium == "text" and 2 * sum(one.kind == "turn" for one in candidates) > len(candidates):
        medium = "chat"
    sizes = [len(one.text.split()) for one in candidates]
    prose = [
        number
        for number, one in enumerate(candidates)
        if len(one.text) >= _LONG_PROSE and one.linked < 0.3 and one.kind not in DATA
    ]
    counts = Counter(_key(one.text) for one in candidates)
    looks = [f"{_links(one.linked)} {_size(size)}" for one, size in zip(candidates, sizes, strict=True)]
    for (number, one), is_wanted in zip(enumerate(candidates), wanted, strict=False):
        if not is_wanted:
            yield []
            continue
        text = one.text[:_LOOKED_AT]
        text = _STAMP.sub("", text) or text
        tokens = ["0" if token.isdigit() else token.lower() for token in _WORDS.findall(text)]
        place = _place(number, len(candidates))
        found = {f"w {token}" for token in tokens}
        found |= {f"p {token[:_PREFIX]}" for token in tokens if len(token) >= _PREFIX}
        if len(tokens) < 4:
            found.add(f"all {' '.join(tokens)}")
        if len(tokens) <= _MOST_PAIRED:
            found |= {f"w {first} {second}" for first, second in pairwise(["^", *tokens, "$"])}
        capital = "upper" if text.isupper() else "capital" if text[:1].isupper() else "lower"
        found |= {
            f"size {_size(sizes[number])}",
            f"end {text[-1:] if text[-1:] in _ENDS else ''}",
            f"end {text[-1:] if text[-1:] in _ENDS else ''} {_size(sizes[number])}",
            capital,
            f"kind {one.kind} {medium}",
            f"links {looks[number]}",
            f"place {place}",
            f"place {place} {medium}",
            f"before {looks[number - 1] if number else ''}",
            f"after {looks[number + 1] if number + 1 < len(looks) else ''}",
        }
        if _LABEL.match(text):
            found.add("label")
        if _ADDRESS.search(text):
            found.add("address")
        if len(_SEPARATORS.findall(text)) > 1:
            found.add("separators")
        if _PAGE_OF.search(text):
            found.add("page of")
        if _GAP in text:
            found.add(f"gap {one.kind}")
        found |= {f"form {reason}" for reason, form in _forms() if len(text) < _LONGEST_FORM and form.search(text)}
        if counts[_key(one.text)] > 1:
            found.add(f"again {medium}")
        if prose:
            found.add("above" if number < prose[0] else "below" if number > prose[-1] else "among")
        yield sorted(found)


def _key(text: str) -> str:
    """The same for texts that differ in numbers and white space."""
    return " ".join(_NUMBERS.sub("0", text).split())


def _links(share: float) -> str:
    return "none" if share < 0.05 else "some" if share < 0.5 else "most"


def _size(words: int) -> int:
    return next((size for size in _SIZES if words <= size), 999)


def _place(number: int, count: int) -> str:
    left = count - 1 - number
    return f"first {number}" if number < 3 and number <= left else f"last {left}" if left < 3 else "middle"


@dataclass(frozen=True, slots=True)
class Model:
    """Weights of features: numbers of classes, and the weight for each. The first class is content."""

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    threshold: float
    weights: dict[str, tuple[list[int], list[float]]]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Model:
        return cls(tuple(data["classes"]), tuple(data["bias"]), data["threshold"], data["weights"])

    def reason(self, names: Iterable[str], least: float = 0.0) -> str | None:
        scores = self._scores(names)
        return self._best(scores) if _share(scores) >= max(self.threshold, least) else None

    def best(self, names: Iterable[str]) -> str:
        """The most likely reason, given that there is one."""
        return self._best(self._scores(names))

    def share(self, names: Iterable[str]) -> float:
        """The probability of boilerplate."""
        return _share(self._scores(names))

    def _best(self, scores: Sequence[float]) -> str:
        return self.classes[max(range(1, len(scores)), key=scores.__getitem__)]

    def _scores(self, names: Iterable[str]) -> list[float]:
        scores = list(self.bias)
        for name in names:
            if (own := self.weights.get(name)) is not None:
                for place, weight in zip(*own, strict=True):
                    scores[place] += weight
        return scores


def _share(scores: Sequence[float]) -> float:
    highest = max(scores)
    shares = [exp(score - highest) for score in scores]
    return 1 - shares[0] / sum(shares)


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """Patterns of texts that belong to a site, with their reasons."""
    data = tomllib.loads(resources.files(__package__).joinpath("boilerplate.toml").read_text("utf-8"))
    return [(reason, re.compile(form, re.IGNORECASE)) for reason, form in data["texts"].items()]


@cache
def _model() -> Model:
    return Model.of(json.loads(resources.files(__package__).joinpath("boilerplate.json").read_text("utf-8")))
