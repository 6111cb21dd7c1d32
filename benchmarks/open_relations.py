"""Relations that canonicalization joins on open text: how many are left, and pairs of them for blind readers.

    python -m benchmarks.open_relations build FOLDER [--part develop|measure]
    python -m benchmarks.open_relations count FOLDER
    python -m benchmarks.open_relations draw FOLDER [--pairs 200] [--seed 1]

`build` extracts the triples of 100 documents as `tupelo graph build` would read them: 60 of Re-DocRED dev, and 40 news
texts, biographies and travel guides of GUM. The part `measure` has articles of the held-out part of Re-DocRED, and
the other half of GUM: no rule, list or threshold was chosen by reading them. `count` canonicalizes these triples and
compares the relations with those of the lexical default, by base forms. `draw` writes `merged.tsv`, random pairs of
relations of the lexical default that canonicalization joins, each relation once worded and with a sentence that says
it, and `foils.tsv`, as many pairs that it keeps apart, half of them alike in their words.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import tupelo
from benchmarks.graph_corpus import DATA
from benchmarks.graph_redocred import read_articles

ARTICLES, OTHERS = 60, 40
GENRES = ("GUM_news", "GUM_bio", "GUM_voyage")


def gum_texts(data: Path) -> Iterator[tuple[str, str]]:
    """Name and text of documents of the chosen genres."""
    for name in ("train", "dev"):
        document, sentences = "", list[str]()
        with gzip.open(data / f"gum/gum-{name}.conllu.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("# newdoc id = "):
                    if document.startswith(GENRES):
                        yield document, " ".join(sentences)
                    document, sentences = line.split("=")[1].strip(), []
                elif line.startswith("# text = "):
                    sentences.append(line[len("# text = ") :].strip())
        if document.startswith(GENRES):
            yield document, " ".join(sentences)


def documents(data: Path, part: str) -> dict[str, str]:
    """Names and texts: articles of Re-DocRED, then of GUM, in an order that only names decide."""
    articles = read_articles(data, "held-out" if part == "measure" else "develop")
    encyclopedia = sorted((order_of(article.title), article.title, article.text) for article in articles)
    others = sorted((order_of(name), name, text) for name, text in gum_texts(data))
    half = len(others) // 2
    others = others[:half] if part == "measure" else others[half:]
    return {name: text for _, name, text in [*encyclopedia[: 100 - min(OTHERS, half)], *others[:OTHERS]]}


def order_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
