"""Raw English sentences, split into words, for training on the model's own analyses.

Wikipedia (FewRel, QAMR, Re-DocRED, PAWS, QNLI, passages of MuSiQue and HotpotQA, GAP), SemEval 2010 task 8, web text
of KnowledgeNet, science texts of SciTail, fiction, talk, letters and reports of MNLI, fiction of LitBank, and the
sentences of the sets of names. All allow commercial use. Test sentences of extraction benchmarks are in none of these
files.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

from tupelo.nlp.tokens import tokenize
from tupelo_training.facts.sources import part_of
from tupelo_training.parser.name_sets import SETS, read_set
from tupelo_training.parser.treebanks import Example, lines_of

SHORTEST, LONGEST = 4, 60
_END = re.compile(r"(?<=[.!?])[\"”’)]* +(?=[\"“‘(]?[A-Z])")


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
            if part_of(document["title"]) != "held-out":
                yield from map(_clean, document["sents"])
    for line in lines_of(data / "knowledgenet/train_folds1-4.jsonl.gz"):
        yield _words(json.loads(line)["passageText"])
    for name in ("mnli", "dev_mnli", "scitail", "dev_qnli", "paws"):
        for line in lines_of(data / f"nli/{name}.jsonl.gz"):
            yield from map(_words, _END.split(json.loads(line)["premise"]))
    for name in ("musique", "hotpotqa"):
        for line in lines_of(data / f"retrieval/{name}/passages.jsonl.gz"):
            yield from map(_words, _END.split(json.loads(line)["text"]))
    with gzip.open(data / "coref/gap-development.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from map(_words, _END.split(row["Text"]))
    words: list[str] = []
    for line in lines_of(data / "coref/litbank.conll.gz"):
        if line.startswith("#") or not line.strip():
            yield _clean(words)
            words = []
        else:
            words.append(line.split("\t")[3])
    for name in SETS:
        yield from (words for words, _, _ in read_set(data, name))


def _fewrel(path: Path) -> Iterator[tuple[str, ...]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for items in json.load(file).values():
            for item in items:
                yield _clean(item["tokens"])


def _words(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end, _ in tokenize(text))


def _clean(tokens: list[str]) -> tuple[str, ...]:
    # Some tokens of these files hold a space or are one.
    return tuple(token for token in tokens if token.strip() and " " not in token)
