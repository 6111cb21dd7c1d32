"""Raw text for measuring: the documents of two treebanks in the data folder, as plain text files.

The sentences of a document are joined as they were written. More sentences than the treebanks have (about 28,000)
are made by repeating documents with the names in them changed, so that no document equals another and entities
grow in number as they do in real text.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
TREEBANKS = (
    "gum/gum-train.conllu.gz",
    "gum/gum-dev.conllu.gz",
    "gum/gum-test.conllu.gz",
    "gum/gentle.conllu.gz",
    "ud_ewt/en_ewt-train.conllu.gz",
    "ud_ewt/en_ewt-dev.conllu.gz",
    "ud_ewt/en_ewt-test.conllu.gz",
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}")


def treebank_documents(data: Path = DATA) -> Iterator[list[str]]:
    """The sentences of each document, as lists."""
    for name in TREEBANKS:
        sentences: list[str] = []
        with gzip.open(data / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("# newdoc") and sentences:
                    yield sentences
                    sentences = []
                elif line.startswith("# text = "):
                    sentences.append(line[len("# text = ") :].strip())
        if sentences:
            yield sentences


def documents(sentences: int, data: Path = DATA) -> Iterator[list[str]]:
    """Documents with so many sentences in all; the last one is cut."""
    originals = list(treebank_documents(data))
    left = sentences
    for lap in count():
        for original in originals:
            # Names get an ending per lap: Berlin, Berlina, Berlinb …
            ending = "" if lap == 0 else "".join(chr(97 + int(digit)) for digit in str(lap))
            document = [with_ending(text, ending) for text in original][:left]
            left -= len(document)
            yield document
            if left <= 0:
                return


def with_ending(text: str, ending: str) -> str:
    """A text whose names end differently."""
    return _NAME.sub(lambda found: found[0] + ending, text) if ending else text


def write_corpus(folder: Path, sentences: int, data: Path = DATA) -> int:
    """Write documents as text files and return how many there are."""
    number = 0
    for number, document in enumerate(documents(sentences, data), start=1):
        place = folder / f"{number // 1000:03d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:06d}.txt").write_text(" ".join(document) + "\n", "utf-8")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sentences", type=int, default=5000)
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    print(write_corpus(arguments.folder, arguments.sentences, arguments.data), "documents")


if __name__ == "__main__":
    main()
