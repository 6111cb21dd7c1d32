"""Where sentences end.

A blank line always ends a sentence. A single line break ends one unless the
line was merely wrapped: it was, when the first word of the next line would not
have fitted into the widest line of the paragraph. Inside a paragraph a small
linear model decides for every gap between two words, from the words around it
and their shapes. `training/tupelo_training/parser/lexicon.py` fits its weights to treebanks; they
are a table from the name of a feature to a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tupelo.nlp.tokens import Token

# Nobody wraps lines that are narrower than this: such short lines are lists, verses, addresses.
_NARROWEST_WRAP = 45
_CLOSERS = frozenset("\"'”’)]}»*")
_OPENERS = frozenset("\"'“‘([{«`")
_PARAGRAPH = re.compile(r"(?:[^\S\n]*\n){2,}")
BIAS = "bias"


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of text that no sentence crosses: paragraphs, and lines that were not wrapped.

    >>> text = "A heading\\n\\nSome text."
    >>> [text[start:end] for start, end in paragraphs(text)]
    ['A heading', 'Some text.']
    """
    if "\n" not in text:
        if text:
            yield 0, len(text)
        return
    position = 0
    for match in _PARAGRAPH.finditer(text):
        if match.start() > position:
            yield from _lines_of_paragraph(text, position, match.start())
        position = match.end()
    if position < len(text):
        yield from _lines_of_paragraph(text, position, len(text))


def _lines_of_paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    position = start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        lines.append((position, stop))
        position = stop + 1
    widest = max((stop - begin for begin, stop in lines), default=0)
    begin = start
    for (left_start, left_end), (right_start, right_end) in pairwise(lines):
        first_word = re.match(r"\S*", text[right_start : min(right_end, right_start + 200)])
        width = left_end - left_start + 1 + (first_word.end() if first_word else 0)
        if widest < _NARROWEST_WRAP or width <= widest or not text[right_start:right_end].strip():
            if left_end > begin:
                yield begin, left_end
            begin = right_start
    if end > begin:
        yield begin, end


class Splitter:
    """Cuts the words of a paragraph into sentences."""

    def __init__(self, weights: Mapping[str, float], longest: int = 1_000) -> None:
        self._weights = dict(weights)
        # A "sentence" of more words is cut at this many, so that memory stays bounded for any input.
        self._longest = longest

    def split(self, text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """Sentences as stretches `[start, end)` of `tokens`."""
        weights = self._weights.get
        begin = 0
        forms = [text[start:end] for start, end, _ in tokens]
        for index in range(len(tokens) - 1):
            if index + 1 - begin >= self._longest:
                yield begin, index + 1
                begin = index + 1
                continue
            features = gap_features(forms, tokens, index, begin)
            if features is not None and sum([weights(feature, 0.0) for feature in features]) > 0:
                yield begin, index + 1
                begin = index + 1
        if begin < len(tokens):
            yield begin, len(tokens)


def gap_features(forms: Sequence[str], tokens: Sequence[Token], index: int, begin: int) -> list[str] | None:
    """What is known about the gap after word `index` in a sentence that began at word `begin`.

    `None` where no sentence can end: between a word and a word in lower
    case, and inside a stretch without white space unless at a mark.
    """
    before, after = forms[index], forms[index + 1]
    glued = tokens[index][1] == tokens[index + 1][0]
    is_word = before[-1].isalnum()
    if is_word and (glued or after[0].islower()):
        return None
    core = index
    while core > begin and forms[core] in _CLOSERS:
        core -= 1
    mark = forms[core]
    shape_after = _shape(after)
    following = forms[index + 2] if index + 2 < len(forms) else "$"
    upcoming = index + 1
    while upcoming + 1 < len(forms) and forms[upcoming] in _OPENERS:
        upcoming += 1
    real_shape = _shape(forms[upcoming])
    closed = "c" if core < index else ""
    end_kind = _shape(mark) if is_word or mark[-1].isalnum() else mark[-3:]
    gap = "g" if glued else "s"
    length = index - begin
    size = "0" if length < 1 else "1" if length < 3 else "2" if length < 6 else "3" if length < 15 else "4"
    before_mark = forms[core - 1] if core > begin else "^"
    kind = f"{end_kind}{closed}{gap}"
    return [
        BIAS,
        f"k={kind}",
        f"k,s={kind},{shape_after}",
        f"k,r={kind},{real_shape},{size}",
        f"k,a={end_kind},{after.lower()}",
        f"b={before.lower()}",
        f"b,s={before.lower()},{shape_after}",
        f"m={end_kind},{before_mark.lower()}",
        f"m,s={end_kind},{_shape(before_mark)},{real_shape}",
        f"a={after.lower()}",
        f"a,f={after.lower()},{following.lower()}",
        f"s,f={kind},{shape_after},{_shape(following)}",
        f"b,a={before.lower()},{after.lower()}",
        f"z={size},{kind}",
        f"u={forms[upcoming].lower()},{end_kind}",
        f"p={_shape(before_mark)},{_shape(mark)},{shape_after},{_shape(following)}",
    ]


def _shape(form: str) -> str:
    first = form[0]
    if first.isupper():
        if len(form) == 1:
            return "X"
        return "XX" if form.isupper() else "Xx"
    if first.islower():
        return "x." if form[-1] == "." else "x"
    if first.isdigit():
        return "9" if form.isdigit() else "9:"
    return form[:2]
