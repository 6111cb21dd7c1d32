"""The words of a text, for clicking on, and the parts of tuples that people make of them.

A *part* is a list of pieces in reading order. A number is a word of the sentence, a string is something typed: a word
that the sentence implies without saying it. `["is", 4, 5]` is "is", then the fifth and sixth words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from tupelo.annotate.tasks.base import AnswerError, is_storable
from tupelo.core import Argument, Span

WordSpan = tuple[int, int]
Piece = int | str

# Initials (U.S.), letters and digits with whatever holds them together (well-known, O'Neil, 3.5), or one sign alone.
_WORD = re.compile(r"\b(?:[^\W\d_]\.){2,}|\w+(?:[-'’.,/&@]\w+)*|[^\w\s]")
LONGEST_TYPED = 200


def words_of(text: str) -> tuple[WordSpan, ...]:
    """Start and end of every word, in characters.

    >>> text = "It's Ann's well-known shop."
    >>> [text[start:end] for start, end in words_of(text)]
    ["It's", "Ann's", 'well-known', 'shop', '.']
    """
    return tuple(match.span() for match in _WORD.finditer(text))


def part_text(text: str, words: Sequence[WordSpan], part: Iterable[Piece]) -> str:
    """The wording of a part. Neighbours in the sentence keep what stands between them, others get a space.

    >>> part_text("a well - known man", words_of("a well - known man"), ["the", 1, 2, 3, 4])
    'the well - known man'
    """
    made = ""
    before: Piece | None = None
    for piece in part:
        if isinstance(piece, int) and isinstance(before, int) and piece == before + 1:
            made += text[words[before][1] : words[piece][0]]
        elif made:
            made += " "
        made += text[slice(*words[piece])] if isinstance(piece, int) else piece
        before = piece
    return " ".join(made.split())


def check_part(part: Any, text: str, words: Sequence[WordSpan], name: str, where: str) -> list[Piece]:
    """The part, if it is valid for a sentence of these words. A plain string, as used in files, is accepted too."""
    if isinstance(part, str):
        part = find_part(text, words, part)
    if not isinstance(part, list) or not 0 < len(part) <= LONGEST_TYPED:
        raise AnswerError(f"the {name} is empty, expected at least one word", where)
    pieces: list[Piece] = []
    for piece in part:
        if isinstance(piece, str) and piece.strip() and len(piece) <= LONGEST_TYPED and is_storable(piece):
            pieces.append(" ".join(piece.split()))
        elif isinstance(piece, int) and not isinstance(piece, bool) and 0 <= piece < len(words):
            pieces.append(piece)
        else:
            raise AnswerError(
                f"the {name} has {str(piece)[:40]!r}, expected a word number below {len(words)} or "
                f"1 to {LONGEST_TYPED} typed characters",
                where,
            )
    return pieces


def show_words(text: str) -> list[list[str]]:
    """Each word with the text before it; no offsets, because browsers count characters differently."""
    shown, end = [], 0
    for start, stop in words_of(text):
        shown.append([text[end:start], text[start:stop]])
        end = stop
    return shown


def find_part(text: str, words: Sequence[WordSpan], wording: str) -> list[Piece]:
    """The part for `wording`: words of the sentence where they are found, typed ones otherwise.

    The longest run of the wording that occurs in the sentence is matched first, then the text on either side of it.

    >>> find_part("Ann is a painter", words_of("Ann is a painter"), "is the painter")
    [1, 'the', 3]
    """
    have = [text[start:end].casefold() for start, end in words]
    want = [wording[start:end] for start, end in words_of(wording)]
    joined: list[Piece] = []
    for piece in _aligned(have, [word.casefold() for word in want], want):
        # Adjacent typed pieces are one.
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return joined


def _aligned(have: Sequence[str], want: Sequence[str], typed: Sequence[str]) -> list[Piece]:
    begin, start, length = SequenceMatcher(None, want, have, autojunk=False).find_longest_match()
    if not length:
        return list(typed)
    return [
        *_aligned(have, want[:begin], typed[:begin]),
        *range(start, start + length),
        *_aligned(have, want[begin + length :], typed[begin + length :]),
    ]


def as_argument(text: str, words: Sequence[WordSpan], part: Sequence[Piece], role: str | None = None) -> Argument:
    """The part in the vocabulary of the package: wording, characters of the sentence, and implied words."""
    spans: list[Span] = []
    inferred: list[int] = []
    position = 0
    for index, piece in enumerate(part):
        if isinstance(piece, str):
            inferred.extend(range(position, position + len(piece.split())))
            position += len(piece.split())
            continue
        start, end = words[piece]
        neighbour = index > 0 and part[index - 1] == piece - 1
        if neighbour and spans:
            spans[-1] = Span(spans[-1].start, end)
        else:
            spans.append(Span(start, end))
        # Words without a space between them ("York" and ",") are one word of the wording.
        position += 0 if neighbour and words[piece - 1][1] == start else 1
    return Argument(part_text(text, words, part), role, spans=tuple(spans), inferred=tuple(inferred))
