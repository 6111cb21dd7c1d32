"""Draw tuples that were read from tables, lists and labels, as items for blind readers.

Documents are those of `documents_set` with odd numbers and pages of `../shared/data/wild`. With `--sentences`, the
items are sentences of the wild pages instead: of the whole text (`before`) and of the blocks that are kept (`after`).

    python -m benchmarks.documents_sheet FILE [--count N] [--sentences]
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


def wild_pages(*, boilerplate: bool) -> Iterator[Document]:
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(WILD.glob("*/pages.jsonl.gz")):
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    path = Path(folder, f"{row['id']}.md")
                    path.write_text(row["text"], "utf-8")
                    yield from tupelo.documents.read(path, boilerplate=boilerplate)


def develop() -> Iterator[Document]:
    for file in sorted(HERE.glob("*.jsonl")):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if row["split"] == "develop":
                yield from tupelo.documents.read(HERE / row["file"])


def tuple_items() -> Iterator[str]:
    """Title, line and tuple, with tabs between them."""
    for document in [*develop(), *wild_pages(boilerplate=False)]:
        for passage in document.passages():
            for sentence in divide(passage)[1]:
                said = " ".join(sentence.sentence.text.split())[:200]
                for one in sentence.extractions:
                    parts = [one.arg1.text if one.arg1 else "", one.rel.text, *(part.text for part in one.args)]
                    yield f"{document.title or ''}\t{said}\t({'; '.join(parts)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--sentences", action="store_true")
    parser.add_argument("--seed", type=int, default=40)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    if not given.sentences:
        items = list(tuple_items())
        given.file.write_text("\n".join(rng.sample(items, given.count)) + "\n", "utf-8")
        return
    for name, keep in (("before", True), ("after", False)):
        texts = [
            " ".join(one.split()) for page in wild_pages(boilerplate=keep) for one in _SENTENCES.split(page.text)
        ]
        chosen = rng.sample([text for text in texts if text], given.count)
        given.file.with_name(f"{given.file.stem}-{name}.txt").write_text("\n".join(chosen) + "\n", "utf-8")


if __name__ == "__main__":
    main()
