"""Language data: words and tables by topic, as TOML files that say where they are from.

A file of `languages/en` is one topic. `source` says where its data is from; every other key is a table. A string is
words separated by white space, or one row per line; a list is phrases; a table maps a label to its words or phrases.
A set that a single module needs is read there with `words`; sets that several share are names of the modules beside
the files, mostly those of their tables in capitals (`word_names`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tupelo.core.shipped import declared, shipped_text


def words(topic: str, *names: str) -> frozenset[str]:
    """The words or phrases of one or more tables of the English data.

    >>> "never" in words("negation", "negating_adverbs")
    True
    """
    return frozenset(word for name in names for word in _split(language_data(topic)[name]))


def word_names(module: str, *topics: str) -> Callable[[str], frozenset[str]]:
    """The `__getattr__` of a module: the words of each table of these topics, by the name of the table in capitals.

    >>> from tupelo.nlp.languages.en.grammar import NEGATIONS
    >>> NEGATIONS == words("negation", "negations")
    True
    """

    def find(name: str) -> frozenset[str]:
        for topic in topics:
            if name.isupper() and name.lower() in language_data(topic):
                # From here on a name of the module, which is twenty times as quick to look up.
                vars(sys.modules[module])[name] = found = words(topic, name.lower())
                return found
        raise AttributeError(f"no table '{name.lower()}' in {', '.join(topics)}")

    return find


def labels(topic: str, name: str) -> dict[str, str]:
    """The label of every word or phrase of a table that maps labels to words.

    >>> labels("modality", "modal_adverbs")["perhaps"]
    'possible'
    """
    return {word: label for label, found in language_data(topic)[name].items() for word in _split(found)}


def rows(topic: str, name: str, separator: str | None = None) -> list[list[str]]:
    """The lines of a text, each split at a separator, or at white space.

    >>> rows("inflection", "verbs")[0]
    ['arise', 'arose', 'arisen']
    """
    lines = language_data(topic)[name].strip().splitlines()
    return [[cell.strip() for cell in line.split(separator)] for line in lines]


@cache
def language_data(topic: str) -> Mapping[str, Any]:
    """All tables of one topic, as TOML has them."""
    return declared("tupelo.nlp.languages.en.", f"{topic}.toml")


def language_text(name: str) -> str:
    """The text of a file of the English data."""
    return shipped_text("tupelo.nlp.languages.en", name)


def word_set(words: str) -> frozenset[str]:
    """The set of whitespace-separated words of a text."""
    return frozenset(words.split())


def _split(found: str | list[str]) -> list[str]:
    return found.split() if isinstance(found, str) else found
