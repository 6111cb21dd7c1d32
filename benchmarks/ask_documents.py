"""The articles that the questions `dev` and `held` in `benchmarks/ask_questions` are about, for `benchmarks.ask`.

DATA has `redocred/dev_revised.json.gz` and `gum/gum-{dev,test}.conllu.gz`. `ask_questions/documents.tsv` names the
documents of each part. Re-DocRED's tokens are put together again; of GUM's documents the first characters are taken.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

QUESTIONS = Path(__file__).parent / "ask_questions"
_MOST_CHARACTERS = 6000
_BEFORE = re.compile(r" ([.,;:!?%)\]'’]|'s|n't|’s)")
_AFTER = re.compile(r"([(\[$]) ")
_QUOTED = re.compile(r'" ([^"]*?) "')
_LINE = re.compile(r"\s*\n\s*")
_NO_LETTER = re.compile(r"\W+")


def untokenized(words: list[str]) -> str:
    """
    >>> untokenized(["Ann", "(", "Lee", ")", ",", "said", "."])
    'Ann (Lee), said.'
    """
    return _QUOTED.sub(r'"\1"', _AFTER.sub(r"\1", _BEFORE.sub(r"\1", " ".join(words))))


def articles(data: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        for row in json.load(stream):
            yield (
                row["title"],
                f"{row['title']}\n\n{' '.join(map(untokenized, row['sents']))}"[
                    : len(row["title"]) + 2 + _MOST_CHARACTERS
                ],
            )


def treebank(data: Path) -> Iterator[tuple[str, str]]:
    for part in ("dev", "test"):
        texts: dict[str, list[str]] = {}
        with gzip.open(data / f"gum/gum-{part}.conllu.gz", "rt", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("# newdoc id"):
                    name = line.split("=")[1].strip()
                    texts[name] = []
                elif line.startswith("# text ="):
                    texts[name].append(line.split("=", 1)[1].strip())
                elif line.startswith("# newpar"):
                    texts[name].append("\n")
        for name, lines in texts.items():
            yield name, _LINE.sub("\n", " ".join(lines)).strip()[:_MOST_CHARACTERS]


def documents(data: Path, part: str) -> Iterator[dict[str, str]]:
    """The documents of a part as records."""
    with (QUESTIONS / "documents.tsv").open(encoding="utf-8", newline="") as stream:
        wanted = [row["document"] for row in csv.DictReader(stream, delimiter="\t") if row["part"] == part]
    texts = {**dict(articles(data)), **dict(treebank(data))}
    for name in sorted(wanted, key=lambda name: _NO_LETTER.sub("_", name)):
        yield {"id": _NO_LETTER.sub("_", name), "text": f"{texts[name]}\n"}
