"""The articles of Re-DocRED dev as raw text, with the entities and facts that people marked in them.

The 100 articles of the part `held-out` are those that no model of Tupelo has read (`part_of` of the training of the
fact models decides by title, and the parser's raw text leaves the same ones out); `develop` are the other 400.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tupelo_training.facts.sources import part_of

PARTS = ("held-out", "develop")
# Times and numbers are no nodes.
TYPES = frozenset(["PER", "ORG", "LOC", "MISC"])
_JOINED_BEFORE = frozenset(
    [",", ".", ";", ":", "!", "?", ")", "]", "}", "%", "'", "’", "n't", "'s", "’s", "...", "…"]
)
_JOINED_AFTER = frozenset(["(", "[", "{", "$", "£", "€", "#"])
_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m|t)$", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_POSSESSIVE = re.compile(r"['’]s?$")
_ARTICLES = frozenset(["a", "an", "the"])


@dataclass(frozen=True)
class Article:
    """`entities` has, for each, how often it is named how, names as they are compared.

    `facts` are pairs of them with evidence in one sentence, `properties` all facts with their Wikidata property.
    """

    title: str
    text: str
    entities: Sequence[Counter[str]]
    facts: Sequence[tuple[int, int]]
    properties: Sequence[tuple[int, str, int]] = ()


def plain_words(name: str) -> list[str]:
    """The words of a name without case, article before them and punctuation."""
    words = _WORD.findall(unicodedata.normalize("NFC", _POSSESSIVE.sub("", name.strip())).casefold())
    return words[1:] if words[:1] and words[0] in _ARTICLES else words


def plain(name: str) -> str:
    """A name as it is compared: *Al - Qaeda*, *al-Qaeda* and *the Al Qaeda* are one.

    >>> plain("the U.S. 's"), plain("Al - Qaeda")
    ('us', 'alqaeda')
    """
    return "".join(plain_words(name))


def raw_text(words: Iterable[str]) -> str:
    """Words as they are written in running text.

    >>> raw_text('He ( born 1963 ) won " the men \\'s cup " in 1997 - 8 .'.split())
    'He (born 1963) won "the men\\'s cup" in 1997-8.'
    """
    text, open_quote, glue = "", False, True
    for word in words:
        if not word.strip():
            continue
        closes = word == '"' and open_quote
        before = word in _JOINED_BEFORE or closes or word in ("-", "/") or bool(_CLITIC.match(word))
        text += word if glue or before else f" {word}"
        open_quote ^= word == '"'
        glue = word in _JOINED_AFTER or word in ("-", "/") or (word == '"' and not closes)
    return text


def read_articles(data: Path, part: str) -> Iterator[Article]:
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        items = json.load(stream)
    for item in items:
        if (part_of(item["title"]) == "held-out") == (part == "held-out"):
            entities = [
                Counter(plain(mention["name"]) for mention in mentions if mention["type"] in TYPES)
                for mentions in item["vertexSet"]
            ]
            facts = [
                (fact["h"], fact["t"])
                for fact in item["labels"]
                if len(fact["evidence"]) == 1 and entities[fact["h"]] and entities[fact["t"]]
            ]
            properties = [
                (fact["h"], fact["r"], fact["t"])
                for fact in item["labels"]
                if entities[fact["h"]] and entities[fact["t"]]
            ]
            yield Article(item["title"], " ".join(map(raw_text, item["sents"])), entities, facts, properties)
