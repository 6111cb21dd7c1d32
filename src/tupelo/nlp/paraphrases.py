"""Words and phrases of a language that can replace each other, and where: `languages/en/paraphrases.txt`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tupelo.nlp.languages import language_text


@dataclass(frozen=True, slots=True)
class FramedPhrase:
    """A phrase in a frame, and what can replace it there; `nouns` restrict its subject or object unless empty.

    `source` names where it comes from.
    """

    frame: str
    words: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]
    nouns: frozenset[str] = frozenset()
    source: str = "table"


# The wordings by their first word.
Lexicon = Mapping[str, tuple[FramedPhrase, ...]]


@lru_cache(maxsize=1)
def shipped_lexicon() -> Lexicon:
    """The table that ships."""
    return by_first_word(
        wording for line in language_text("paraphrases.txt").splitlines() for wording in read_line(line)
    )


def by_first_word(wordings: Iterable[FramedPhrase]) -> dict[str, tuple[FramedPhrase, ...]]:
    found: dict[str, list[FramedPhrase]] = {}
    for wording in wordings:
        found.setdefault(wording.words[0], []).append(wording)
    return {word: tuple(each) for word, each in found.items()}


def read_line(line: str) -> list[FramedPhrase]:
    """The wordings of a line; none of a note.

    >>> [(each.words, each.others) for each in read_line("vt: buy; purchase > get")]
    [(('buy',), (('purchase',), ('get',))), (('purchase',), (('buy',), ('get',)))]
    """
    head, colon, rest = line.partition(":")
    if not colon or line.startswith("#"):
        return []
    frame, _, nouns = head.partition("{")
    both, _, only = rest.partition(">")
    first, last = (
        tuple(tuple(phrase.split()) for phrase in part.split(";") if phrase.strip()) for part in (both, only)
    )
    return [
        FramedPhrase(
            frame.strip(),
            words,
            (*(other for other in first if other != words), *last),
            frozenset(nouns.strip(" }").split()),
        )
        for words in first
    ]
