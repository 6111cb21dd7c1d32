"""Draw tuples that were read from tables, lists and labels and are shown by default, as items for blind readers.

Documents are those of a folder, or of `documents_set` those with even numbers, whose single tuples nobody else looks
at: rules do not change after a sheet was drawn. The sheet has each document as text, with its items below it: an id,
the line and the tuple. With `--sentences`, the items are sentences of the pages of `../shared/data/wild` instead, one
half of the whole text and one of the blocks that are kept. The key says where an item is from, by which rule.

    python -m benchmarks.documents_sheet SHEET KEY [--documents FOLDER] [--count N] [--sentences]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import tupelo
from benchmarks.documents import HERE
from tupelo.core.document import Document
from tupelo.extract.structure import divide

WILD = Path("../shared/data/wild")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n+")
# Characters of a document and of a line that readers see, and the probability from which tuples are shown.
_LONGEST_TEXT, _LONGEST_LINE = 14_000, 300
LEAST = 0.6

# What readers see, and what the key says.
Item = tuple[tuple[str, ...], str]


def wild_pages(*, boilerplate: bool) -> Iterator[Document]:
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(WILD.glob("*/pages.jsonl.gz")):
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    path = Path(folder, f"{row['id']}.md")
                    path.write_text(row["text"], "utf-8")
                    yield from tupelo.documents.read(path, boilerplate=boilerplate)


def held() -> Iterator[Path]:
    for file in sorted(HERE.glob("*.jsonl")):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if row["split"] == "held":
                yield HERE / row["file"]


def tuple_items(path: Path) -> Iterator[Item]:
    """The line and the tuple of all tuples of a document that are shown."""
    for document in tupelo.documents.read(path):
        for passage in document.passages():
            for sentence in divide(passage)[1]:
                line = " / ".join(sentence.sentence.text.split("\n"))[:_LONGEST_LINE]
                for one in sentence.extractions:
                    if (one.confidence or 1.0) >= LEAST:
                        parts = [one.arg1.text if one.arg1 else "", one.rel.text]
                        parts += [f"[{part.role}: {part.text}]" if part.role else part.text for part in one.args]
                        parts += ["[negated]"] if one.negated else []
                        yield (f"from the line «{line}»", f"({'; '.join(parts)})"), f"{one.rule}\t{one.confidence}"


def tuple_sheet(paths: Iterator[Path], count: int, rng: random.Random) -> tuple[list[str], list[str]]:
    """The lines of the sheet and of the key."""
    every = [(path, item) for path in paths for item in tuple_items(path)]
    chosen: dict[Path, list[Item]] = {}
    for path, item in rng.sample(every, min(count, len(every))):
        chosen.setdefault(path, []).append(item)
    names = sorted(chosen)
    rng.shuffle(names)
    sheet: list[str] = []
    key: list[str] = []
    for path in names:
        texts = dict.fromkeys(f"{one.title or ''}\n{one.text}" for one in tupelo.documents.read(path))
        sheet += [f"\n########## DOCUMENT {path}\n", "\n\n----- next part -----\n\n".join(texts)[:_LONGEST_TEXT]]
        sheet.append("\n########## STATEMENTS of this document\n")
        for shown, said in chosen[path]:
            key.append(f"{len(key) + 1}\t{path}\t{said}")
            sheet.append("\t".join((str(len(key)), *shown)))
    return sheet, key


def sentence_items(name: str, boilerplate: bool) -> Iterator[Item]:
    for page in wild_pages(boilerplate=boilerplate):
        for text in (" ".join(one.split()) for one in _SENTENCES.split(page.text)):
            if text:
                yield (text,), name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("key", type=Path)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--documents", type=Path, help="a folder; by default the held documents of the set")
    parser.add_argument("--sentences", action="store_true")
    parser.add_argument("--seed", type=int, default=40)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    if given.sentences:
        halves = (list(sentence_items(name, keep)) for name, keep in (("before", True), ("after", False)))
        chosen = [item for half in halves for item in rng.sample(half, given.count // 2)]
        rng.shuffle(chosen)
        sheet = ["\t".join((str(number), *shown)) for number, (shown, _) in enumerate(chosen, 1)]
        key = [f"{number}\t{said}" for number, (_, said) in enumerate(chosen, 1)]
    else:
        folder = given.documents
        paths = held() if folder is None else (path for path in sorted(folder.rglob("*")) if path.stat().st_size)
        sheet, key = tuple_sheet((path for path in paths if path.is_file()), given.count, rng)
    given.sheet.write_text("\n".join(sheet) + "\n", "utf-8")
    given.key.write_text("\n".join(key) + "\n", "utf-8")


if __name__ == "__main__":
    main()
