"""Draw tuples that were read from tables, lists and labels, as items for blind readers.

Documents are those of `documents_set` with even numbers, whose single tuples nobody else looks at: rules do not
change after a sheet was drawn. With `--sentences`, the items are sentences of the pages of `../shared/data/wild`
instead, one half of the whole text and one of the blocks that are kept. The sheet has an id, the context and the
item; the key says where an item is from, by which rule.

    python -m benchmarks.documents_sheet SHEET KEY [--count N] [--sentences]
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
# Characters of a document before and after the line of a tuple.
_AROUND = 160

# What readers see (title, text around, item), and what the key says.
Item = tuple[tuple[str, ...], str]


def wild_pages(*, boilerplate: bool) -> Iterator[Document]:
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(WILD.glob("*/pages.jsonl.gz")):
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    path = Path(folder, f"{row['id']}.md")
                    path.write_text(row["text"], "utf-8")
                    yield from tupelo.documents.read(path, boilerplate=boilerplate)


def held() -> Iterator[Document]:
    for file in sorted(HERE.glob("*.jsonl")):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if row["split"] == "held":
                yield from tupelo.documents.read(HERE / row["file"])


def tuple_items() -> Iterator[Item]:
    for document in held():
        for passage in document.passages():
            for sentence in divide(passage)[1]:
                begin, end = sentence.start, sentence.start + len(sentence.sentence.text)
                pieces = (document.text[max(0, begin - _AROUND) : begin], document.text[begin:end])
                around = [*pieces, document.text[end : end + _AROUND]]
                before, line, after = (" / ".join(" ".join(row.split()) for row in one.split("\n")) for one in around)
                for one in sentence.extractions:
                    parts = [one.arg1.text if one.arg1 else "", one.rel.text]
                    parts += [f"[{part.role}: {part.text}]" if part.role else part.text for part in one.args]
                    shown = document.title or "", f"… {before} >>> {line} <<< {after} …", f"({'; '.join(parts)})"
                    yield shown, f"{document.source}\t{one.rule}\t{one.confidence}"


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
    parser.add_argument("--sentences", action="store_true")
    parser.add_argument("--seed", type=int, default=40)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    if given.sentences:
        halves = (list(sentence_items(name, keep)) for name, keep in (("before", True), ("after", False)))
        chosen = [item for half in halves for item in rng.sample(half, given.count // 2)]
    else:
        chosen = rng.sample(list(tuple_items()), given.count)
    rng.shuffle(chosen)
    rows = [("\t".join((str(number), *shown)), f"{number}\t{key}") for number, (shown, key) in enumerate(chosen, 1)]
    given.sheet.write_text("".join(f"{shown}\n" for shown, _ in rows), "utf-8")
    given.key.write_text("".join(f"{key}\n" for _, key in rows), "utf-8")


if __name__ == "__main__":
    main()
