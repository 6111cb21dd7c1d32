"""Raw text for the teachers to label: passages, stretches of documents and single sentences, as words.

What shares a run of eight words with a document of Re-DocRED that is measured on (`held-out`, `choose`) is left out,
here and of the labelled sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tupelo.nlp.pipeline import split_text
from tupelo_training.facts.sources import Document, _json, _json_lines, _words, part_of, redocred
from tupelo_training.support.documents import gum

RUN = 8
# Characters of a document that are read at once, and sentences of one stretch of GUM.
LONGEST = 2200
STRETCH = 10


class Measured:
    """Runs of words of the documents that are measured on."""

    def __init__(self, folder: Path) -> None:
        self._runs = {
            run
            for document in redocred(folder)
            if part_of(document.title) != "train"
            for run in _runs(word for sentence in document.sentences for word in sentence)
        }

    def __contains__(self, document: Document) -> bool:
        words = (word for sentence in document.sentences for word in sentence)
        return not self._runs.isdisjoint(_runs(words))


def _runs(words: Iterable[str]) -> set[tuple[str, ...]]:
    plain = [word.lower() for word in words if any(letter.isalnum() for letter in word)]
    return {tuple(plain[place : place + RUN]) for place in range(len(plain) - RUN + 1)}


def texts(folder: Path) -> Iterator[str]:
    for name in ("musique", "hotpotqa"):
        for item in _json_lines(folder / f"retrieval/{name}/passages.jsonl.gz"):
            yield item["text"][:LONGEST]
    for item in _json_lines(folder / "knowledgenet" / "test-no-facts.jsonl.gz"):
        yield item["documentText"][:LONGEST]
    for _, sentences in gum(folder):
        for start in range(0, len(sentences), STRETCH):
            yield " ".join(sentences[start : start + STRETCH])


def passages(folder: Path, single: int) -> Iterator[Document]:
    """Documents without entities: passages, and about `single` single sentences."""
    for text in dict.fromkeys(texts(folder)):
        sentences = [[word.text for word in one.words] for one in split_text(text)]
        if sum(map(len, sentences)) > 12:
            yield Document("silver", "", sentences)
    found = [
        tuple(item["tokens"])
        for name in ("val_wiki", "val_nyt")
        for items in _json(folder / "fewrel" / f"{name}.json.gz").values()
        for item in items
    ]
    found += [
        tuple(word for word, _, _ in _words(item["passageText"]))
        for item in _json_lines(folder / "knowledgenet" / "train_folds1-4.jsonl.gz")
    ]
    unique = sorted({words for words in found if 12 < len(words) < 120})
    for words in unique[:: max(1, len(unique) // single)]:
        yield Document("silver", "", [list(words)])
