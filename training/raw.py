"""Raw English sentences, already split into words, for training on the model's own analyses.

Wikipedia text from FewRel, QAMR and Re-DocRED and the sentences of SemEval 2010 task 8, all published under licences
that allow derived works. Test sentences of extraction benchmarks are in none of these files.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from training.treebanks import Example, lines_of

SHORTEST, LONGEST = 4, 60


def read_raw(data: Path) -> Iterator[Example]:
    seen: set[tuple[str, ...]] = set()
    for words in _sentences(data):
        if SHORTEST <= len(words) <= LONGEST and words not in seen:
            seen.add(words)
            yield Example(source="raw", words=words)


def read_news(data: Path) -> Iterator[Example]:
    """New York Times sentences of FewRel: never trained on, for the comparison with another pipeline."""
    seen: set[tuple[str, ...]] = set()
    for words in _fewrel(data / "fewrel/val_nyt.json.gz"):
        if words not in seen:
            seen.add(words)
            yield Example(source="news", words=words)


def _sentences(data: Path) -> Iterator[tuple[str, ...]]:
    yield from _fewrel(data / "fewrel/val_wiki.json.gz")
    yield from _fewrel(data / "fewrel/val_semeval.json.gz")
    for line in lines_of(data / "qamr/wiki-sentences.tsv.gz"):
        yield tuple(line.split("\t")[1].split())
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as file:
        for document in json.load(file):
            for sentence in document["sents"]:
                yield _clean(sentence)


def _fewrel(path: Path) -> Iterator[tuple[str, ...]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for items in json.load(file).values():
            for item in items:
                yield _clean(item["tokens"])


def _clean(tokens: list[str]) -> tuple[str, ...]:
    # Some tokens of these files hold a space or are one.
    return tuple(token for token in tokens if token.strip() and " " not in token)
