"""How many questions does `graph ask` answer right, wrong, or not at all?

    python -m benchmarks.ask DOCUMENTS QUESTIONS [--graph FILE] [--min-confidence X] [--json] [--show]

DOCUMENTS is a file of records (`id`, `text`); a graph of it is built, or FILE is used if it exists. QUESTIONS is a
table separated by tabs with the columns `id`, `kind`, `question` and `answers`: alternatives separated by ` | `, the
parts of a list by ` & `, `yes`, `no`, or `none` where the documents have no answer. An answer is right if it equals
an alternative or contains it as whole words; a list if every part of it is among the answers, and no other. Articles,
case, punctuation and possessive endings do not count, and small numbers may be words. Silence is right for `none`.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tupelo.api.graph import Graph

_POSSESSIVE = re.compile(r"['’]s\b")
_MARKS = re.compile(r"[^\w ]")
_ARTICLE = re.compile(r"^(?:the|a|an) ")
NUMBERS = {
    word: str(n)
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}
OUTCOMES = ("right", "wrong", "silent")


def normal(text: str) -> str:
    words = _MARKS.sub("", _POSSESSIVE.sub("", text.lower())).strip()
    return " ".join(NUMBERS.get(word, word) for word in _ARTICLE.sub("", words).split())


def matches(answer: str, alternatives: str) -> bool:
    given = f" {normal(answer)} "
    return any(f" {normal(wanted)} " in given for wanted in alternatives.split(" | "))


def outcome(answers: Sequence[str], wanted: str) -> str:
    """`right`, `wrong` or `silent`.

    >>> outcome(["Acme"], "Acme | Acme Ltd"), outcome(["Ann"], "Ann & Bo"), outcome([], "Ann"), outcome([], "none")
    ('right', 'wrong', 'silent', 'right')
    """
    if not answers:
        return "right" if wanted == "none" else "silent"
    if " & " not in wanted:
        return "right" if matches(answers[0], wanted) else "wrong"
    parts = wanted.split(" & ")
    complete = all(any(matches(answer, part) for answer in answers) for part in parts)
    exact = all(any(matches(answer, part) for part in parts) for answer in answers)
    return "right" if complete and exact else "wrong"


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("documents", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--graph", type=Path, help="the graph [default: a temporary one]")
    parser.add_argument("--min-confidence", type=float, help="see graph ask")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true", help="print every question with its answer")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        file = options.graph or Path(temporary) / "kg.duckdb"
        graph = Graph.open(file) if file.exists() else Graph.build(options.documents, file)
        start = time.process_time()
        for row in read_table(options.questions):
            found = graph.ask(row["question"], min_confidence=options.min_confidence)
            result = outcome([item.answer for item in found], row["answers"])
            counts.setdefault(row["kind"], Counter())[result] += 1
            if options.show:
                given = "; ".join(f"{item.answer} ({item.confidence:.2f}) [{item.statement}]" for item in found)
                print(f"{row['id']} {result}: {row['question']} {given or '-'} | {row['answers']}", flush=True)
        seconds = time.process_time() - start
        graph.close()
    answerable = sum((count for kind, count in counts.items() if kind != "none"), Counter[str]())
    everything = sum(counts.values(), Counter[str]())
    rows = {**counts, "all with an answer": answerable, "all": everything}
    if options.json:
        print(json.dumps({"counts": rows, "cpu_seconds": seconds / everything.total()}, indent=2))
        return
    for name, count in rows.items():
        shares = (f"{kind} {count[kind]} ({100 * count[kind] / count.total():.0f} %)" for kind in OUTCOMES)
        print(f"{name:20}", "  ".join(shares))
    print(f"{seconds / everything.total():.2f} CPU seconds a question")


if __name__ == "__main__":
    main()
