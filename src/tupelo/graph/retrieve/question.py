"""The names in a question, and the words that say what is asked about them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from tupelo.graph.store.passages import name_form
from tupelo.nlp.languages.en.grammar import FREQUENT_WORDS, STOP_WORDS

_PART = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+")
# Words of the longest name that is looked for.
_LONGEST = 12


@dataclass(frozen=True, slots=True)
class NameSpan:
    """Some words of a question that may be a name: its form, and the numbers `[start, end)` of the words."""

    form: str
    start: int
    end: int


def possible_names(question: str) -> Iterator[NameSpan]:
    """Runs of words that may be a name, the longest first: at least one has a capital or a digit."""
    parts = list(_PART.finditer(question))
    words = [_WORD.findall(part.group()) for part in parts]
    marked = [any(letter.isupper() or letter.isdigit() for word in own for letter in word) for own in words]
    for length in range(min(_LONGEST, len(parts)), 0, -1):
        for start in range(len(parts) - length + 1):
            end = start + length
            if any(marked[start:end]) and _looks_like_name(list(chain.from_iterable(words[start:end]))):
                form = name_form(question[parts[start].start() : parts[start + length - 1].end()])
                if form not in STOP_WORDS:
                    yield NameSpan(form, start, start + length)


def _looks_like_name(words: Sequence[str]) -> bool:
    """Whether words of which one has a capital or a digit may be a name. *Who*, *The first*, *of Oslo* are none."""
    if words[0] in STOP_WORDS or words[-1] in STOP_WORDS:
        return False
    if len(words) == 1:
        return words[0][0].isupper() and words[0].lower() not in STOP_WORDS
    return len(words) > 2 or words[0].lower() not in STOP_WORDS or words[-1][0].isupper()


def chosen_names(spans: Iterator[NameSpan] | Sequence[NameSpan], known: Collection[str]) -> tuple[str, ...]:
    """The forms that are known, longer names before shorter ones, without names inside another.

    >>> chosen_names(list(possible_names("Who founded North Ferries?")), {"north ferries", "north"})
    ('north ferries',)
    """
    taken: set[int] = set()
    found: dict[str, None] = {}
    for span in spans:
        places = set(range(span.start, span.end))
        if span.form in known and not places & taken:
            taken |= places
            found[span.form] = None
    return tuple(found)


def question_words(question: str) -> list[str]:
    """The words that are searched for, each once. The most frequent ones, in nearly every passage, are not.

    >>> question_words("When was the firm founded?")
    ['when', 'firm', 'founded']
    """
    words = dict.fromkeys(word.lower() for word in _WORD.findall(question))
    return [word for word in words if word not in FREQUENT_WORDS] or list(words)


def other_words(question: str, names: Collection[str]) -> list[str]:
    """The words that belong to no name: relations and kinds of things, without grammar.

    >>> other_words("Who founded North Ferries?", ["north ferries"])
    ['founded']
    """
    named = {word for name in names for word in name.split()}
    return [word for word in question_words(question) if word not in STOP_WORDS and name_form(word) not in named]
