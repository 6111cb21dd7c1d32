"""Texts for the support model, all of a licence that allows commercial use: encyclopedia, news, speech and more.

What is only measured on is not among them: `reported_runs` are the runs of words of those sets, and a text or claim
that shares one is left out by whoever reads it.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tupelo_training.parser.treebanks import is_open_document

# Two texts that share a run of this many words are the same article, or one quotes the other.
RUN = 12
# Authors of the older claims about a text saw this many of its words, up to the end of a sentence.
SEEN = 480
# Authors of the newer ones saw this many sentences of a document of GUM.
STRETCH = 14
_SPACES = re.compile(r"\s+([,.;:!?%)\]'’]|n't\b)|([(\[$£])\s+")
_WORDS = re.compile(r"\w+")

Runs = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    text: str


def plain(words: str) -> str:
    """Tokenized text as it would be written."""
    text = words.replace("``", '"').replace("''", '"').replace("-LRB-", "(").replace("-RRB-", ")")
    return _SPACES.sub(lambda match: match[1] or match[2], text)


def runs(text: str) -> Runs:
    words = _WORDS.findall(text.lower())
    return {tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}


def json_lines(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def reported_runs(data: Path, contrasts: Path) -> Runs:
    """Every run of words of QAGS (its first halves; the others are nowhere here), SummEdits and the contrast set."""
    found: Runs = set()
    for part in ("cnndm", "xsum"):
        for line in (data / f"qags/mturk_{part}.first_half.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            found |= runs(item["article"])
            found |= runs(" ".join(sentence["sentence"] for sentence in item["summary_sentences"]))
    for item in json_lines(data / "claims/summedits.jsonl.gz"):
        found |= runs(item["document"]) | runs(item["claim"])
    with contrasts.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            found |= runs(row["source"]) | runs(row["claim"])
    return found


def gum(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Documents of the training and development parts with their sentences, without those of closed genres."""
    for part in ("train", "dev"):
        found: dict[str, list[str]] = {}
        name = ""
        with gzip.open(data / f"gum/gum-{part}.conllu.gz", "rt", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("# newdoc id = "):
                    name = line[14:].strip()
                elif line.startswith("# text = "):
                    found.setdefault(name, []).append(line[9:].strip())
        yield from ((name, sentences) for name, sentences in found.items() if is_open_document(name))


def redocred(data: Path) -> Iterator[Document]:
    for item in json.loads(gzip.decompress((data / "redocred/dev_revised.json.gz").read_bytes())):
        text = plain(" ".join(" ".join(sentence) for sentence in item["sents"]))
        yield Document(f"redocred:{item['title']}", text)


def knowledgenet(data: Path) -> Iterator[Document]:
    passages: dict[str, dict[int, str]] = {}
    for item in json_lines(data / "knowledgenet/train_folds1-4.jsonl.gz"):
        passages.setdefault(item["documentId"], {})[int(item["passageStart"])] = item["passageText"]
    # Every passage alone says little that could be confused: those of ten documents make one text.
    texts = [" ".join(text for _, text in sorted(found.items())) for found in passages.values()]
    for number in range(0, len(texts), 10):
        yield Document(f"knowledgenet:{number}", " ".join(texts[number : number + 10]))


def texts_of(data: Path) -> Iterator[Document]:
    """Texts that claims are made from, and that the older written claims are about."""
    yield from redocred(data)
    yield from knowledgenet(data)
    yield from (Document(f"gum:{name}", " ".join(sentences)) for name, sentences in gum(data))


def passages_of(data: Path) -> Iterator[Document]:
    """Passages that newer written claims are about: of encyclopedias, and stretches of GUM."""
    for name in ("musique", "hotpotqa"):
        for item in json_lines(data / f"retrieval/{name}/passages.jsonl.gz"):
            yield Document(f"{name}:{item['id']}", f"{item['title']}\n{item['text']}")
    for name, sentences in gum(data):
        for start in range(0, len(sentences), STRETCH):
            yield Document(f"gum:{name}:{start}", " ".join(sentences[start : start + STRETCH]))
    yield from redocred(data)


def excerpts(name: str, sentences: Iterable[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """A text in parts as those saw them who wrote older claims: `NAME`, `NAME#1`, `NAME#2` …"""
    number, words = 0, 0
    part: list[str] = []
    for sentence in sentences:
        length = len(sentence.split())
        if part and words + length > SEEN:
            yield (f"{name}#{number}" if number else name), part
            number, words, part = number + 1, 0, []
        words += length
        part.append(sentence)
    if part:
        yield (f"{name}#{number}" if number else name), part
