"""Texts for the support model: news, encyclopedia and other prose, each a list of sentences.

Nothing of QAGS is among them: articles of the XSum annotations that share a long run of words with an article or a
summary of QAGS are left out.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tupelo.nlp.syntax import DependencyTree

# Two texts that share a run of this many words are the same article, or one quotes the other.
RUN = 12
# One text in this many is held out for development, with all its claims.
ASIDE = 8
# Authors of claims about a text saw this many of its words, up to the end of a sentence.
SEEN = 480
_SPACES = re.compile(r"\s+([,.;:!?%)\]'’]|n't\b)|([(\[$£])\s+")


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    text: str


def plain(words: str) -> str:
    """Tokenized text as it would be written."""
    text = words.replace("``", '"').replace("''", '"').replace("-LRB-", "(").replace("-RRB-", ")")
    return _SPACES.sub(lambda match: match[1] or match[2], text)


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}


def judged_runs(data: Path) -> set[tuple[str, ...]]:
    """Every run of words of the first halves of QAGS (the second halves are nowhere here)."""
    found: set[tuple[str, ...]] = set()
    for part in ("cnndm", "xsum"):
        for line in (data / f"qags/mturk_{part}.first_half.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            found |= runs(item["article"])
            found |= runs(" ".join(sentence["sentence"] for sentence in item["summary_sentences"]))
    return found


def xsum_articles(data: Path, forbidden: set[tuple[str, ...]]) -> Iterator[Document]:
    csv.field_size_limit(10_000_000)
    seen = set()
    with gzip.open(data / "aggrefact/AggreFact-Unified-val.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["dataset"] == "xsumfaith" and row["doc"] and row["id"] not in seen:
                seen.add(row["id"])
                if not runs(row["doc"]) & forbidden:
                    yield Document(f"xsum:{row['id']}", " ".join(row["doc"].split()))


def wsj(data: Path) -> Iterator[Document]:
    with zipfile.ZipFile(data / "nltk/treebank.zip") as archive:
        for name in sorted(archive.namelist()):
            if re.search(r"/raw/wsj_\d+$", name):
                text = archive.read(name).decode("latin-1").replace(".START", "")
                if len(text) > 200:
                    yield Document(f"wsj:{name.rsplit('/', 1)[-1]}", " ".join(text.split()))


def brown(data: Path, kinds: str) -> Iterator[Document]:
    with zipfile.ZipFile(data / "nltk/brown.zip") as archive:
        for name in sorted(archive.namelist()):
            base = name.rsplit("/", 1)[-1]
            if re.fullmatch(rf"c[{kinds}]\d\d", base):
                tagged = archive.read(name).decode("latin-1").split()
                words = " ".join(item.rsplit("/", 1)[0] for item in tagged)
                yield Document(f"brown:{base}", plain(words))


def gum(data: Path) -> Iterator[Document]:
    for part in ("train", "dev"):
        name = ""
        sentences: list[str] = []
        with gzip.open(data / f"gum/gum-{part}.conllu.gz", "rt", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("# newdoc id = "):
                    if sentences:
                        yield Document(f"gum:{name}", " ".join(sentences))
                    name, sentences = line[14:].strip(), []
                elif line.startswith("# text = "):
                    sentences.append(line[9:].strip())
        if sentences:
            yield Document(f"gum:{name}", " ".join(sentences))


def redocred(data: Path) -> Iterator[Document]:
    for item in json.loads(gzip.decompress((data / "redocred/dev_revised.json.gz").read_bytes())):
        text = plain(" ".join(" ".join(sentence) for sentence in item["sents"]))
        yield Document(f"redocred:{item['title']}", text)


def knowledgenet(data: Path) -> Iterator[Document]:
    passages: dict[str, dict[int, str]] = {}
    with gzip.open(data / "knowledgenet/train_folds1-4.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            item = json.loads(line)
            passages.setdefault(item["documentId"], {})[item["passageStart"]] = item["passageText"]
    # Every passage alone says little that could be confused: those of ten documents make one text.
    texts = [" ".join(text for _, text in sorted(found.items())) for found in passages.values()]
    for number in range(0, len(texts), 10):
        yield Document(f"knowledgenet:{number}", " ".join(texts[number : number + 10]))


def texts_of(data: Path, forbidden: set[tuple[str, ...]]) -> Iterator[Document]:
    yield from xsum_articles(data, forbidden)
    yield from wsj(data)
    yield from redocred(data)
    yield from knowledgenet(data)
    yield from gum(data)
    yield from brown(data, "abc")


def excerpts(name: str, trees: Iterable[DependencyTree]) -> Iterator[tuple[str, list[DependencyTree]]]:
    """A text in parts as those saw them who wrote or judged claims: `NAME`, `NAME#1`, `NAME#2` …"""
    number, words = 0, 0
    part: list[DependencyTree] = []
    for tree in trees:
        length = len(tree.analysis.text.split())
        if part and words + length > SEEN:
            yield (f"{name}#{number}" if number else name), part
            number, words, part = number + 1, 0, []
        words += length
        part.append(tree)
    if part:
        yield (f"{name}#{number}" if number else name), part


def aside(documents: Iterable[Document]) -> Iterator[Document]:
    """Whether a text is held out of training, with all its claims."""
    for number, document in enumerate(documents):
        if number % ASIDE == 0:
            yield document


def shown(document: Document) -> str:
    """The beginning of a text, as those saw it who wrote claims about it."""
    return " ".join(document.text.split()[:SEEN])
