"""Language data: words and tables by topic, as TOML files that say where they are from.

A file of `languages/en` is one topic. `source` says where its data is from; every other key is a table of words. A
string is words separated by white space, a list is phrases, a table maps words to words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


def word_set(words: str) -> frozenset[str]:
    """The set of whitespace-separated words of a text."""
    return frozenset(words.split())


def words(topic: str, name: str) -> frozenset[str]:
    """One set of words or phrases of the English data.

    >>> "never" in words("negation", "negating_adverbs")
    True
    """
    found = language_data(topic)[name]
    return word_set(found) if isinstance(found, str) else frozenset(found)


@cache
def language_data(topic: str) -> Mapping[str, Any]:
    """All tables of one topic."""
    return tomllib.loads(files("tupelo.nlp.languages.en").joinpath(f"{topic}.toml").read_text("utf-8"))
