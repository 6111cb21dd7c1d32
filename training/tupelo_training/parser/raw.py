"""Raw English sentences, split into words, for training on the model's own analyses.

Wikipedia text from FewRel, QAMR, Re-DocRED and LSOIE, the sentences of SemEval 2010 task 8, web text from
KnowledgeNet, one text of every WebNLG entry, and the Brown corpus. Test sentences of extraction benchmarks are in
none of these files.
"""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tupelo.nlp.tokens import tokenize
from tupelo_training.parser.treebanks import Example, lines_of

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
    for name in ("wiki", "science"):
        for line in lines_of(data / f"lsoie/lsoie_{name}_eval.oie"):
            yield tuple(line.split("\t")[0].split())
    for line in lines_of(data / "knowledgenet/train_folds1-4.jsonl.gz"):
        yield _words(json.loads(line)["passageText"])
    for line in lines_of(data / "webnlg/webnlg-v1.6-en-train.jsonl.gz"):
        yield from (_words(text) for text in json.loads(line)["texts"][:1])
    with zipfile.ZipFile(data / "nltk/brown.zip") as corpus:
        for name in corpus.namelist():
            if re.fullmatch(r"brown/c[a-r]\d\d", name):
                for line in corpus.read(name).decode().splitlines():
                    yield _words(" ".join(token.rsplit("/", 1)[0] for token in line.split()))


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
