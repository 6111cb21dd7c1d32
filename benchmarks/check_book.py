"""`tupelo check` against a book: seconds and memory as the source grows to 200 pages and beyond.

    python -m benchmarks.check_book [--words 10000 100000 400000] [--data ../shared/data] [--json]

The book is the raw text of two treebanks, one document after the other (500 words a page). The generated text is ten
sentences from all over the book (`true`), or the same ten, each with the name of the next one (`false`). Every run is
a process of its own; memory is its largest resident set.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA, treebank_documents

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}")
_LENGTH = range(8, 25)


def book(words: int, data: Path) -> list[list[str]]:
    """Documents with about so many words in all."""
    found: list[list[str]] = []
    left = words
    for document in treebank_documents(data):
        kept = []
        for sentence in document:
            kept.append(sentence)
            left -= len(sentence.split())
            if left <= 0:
                return [*found, kept]
        found.append(kept)
    return found


def claims(documents: list[list[str]], count: int = 10) -> tuple[list[str], list[str]]:
    """True sentences from all over the book, and the same with a name of another one."""
    named = [
        sentence
        for document in documents
        for sentence in document
        if len(sentence.split()) in _LENGTH and len(_NAME.findall(sentence)) == 1 and sentence.endswith(".")
    ]
    step = max(1, len(named) // count)
    true = named[::step][:count]
    names = [_NAME.findall(sentence)[0] for sentence in true]
    false = [
        _NAME.sub(names[(place + 1) % len(names)], sentence, count=1)
        for place, sentence in enumerate(true)
        if names[(place + 1) % len(names)] != names[place]
    ]
    return true, false


def measure(folder: Path, words: int, data: Path) -> dict[str, Any]:
    documents = book(words, data)
    true, false = claims(documents)
    source = folder / f"book-{words}.txt"
    source.write_text("\n\n".join(" ".join(document) for document in documents) + "\n", encoding="utf-8")
    row: dict[str, Any] = {
        "words": sum(len(sentence.split()) for document in documents for sentence in document),
        "pages": round(words / 500),
    }
    for label, sentences in (("true", true), ("false", false)):
        text = folder / f"{label}.txt"
        text.write_text(" ".join(sentences) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "tupelo", "check", str(text), "--source", str(source), "--json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{words} words: exit {done.returncode}: {done.stderr[-2000:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = json.loads(done.stdout)
        row[label] = {
            "seconds": round(time.monotonic() - started, 1),
            "cpu_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
            # Of the largest process so far: sizes are measured from small to large.
            "megabytes": round(after.ru_maxrss / 1024),
            **{name: found[name] for name in ("score", "supported", "refuted", "unverifiable")},
        }
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, nargs="+", default=[10_000, 100_000, 400_000])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="tupelo-book-") as name:
        for words in sorted(options.words):
            rows.append(measure(Path(name), words, options.data))
            if not options.json:
                print(json.dumps(rows[-1]), flush=True)
    if options.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
