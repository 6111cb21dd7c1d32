"""How many questions does `graph ask` answer right, wrong, or not at all, and is its confidence a probability?

    python -m benchmarks.ask --part develop|held [--data ../shared/data] [--graphs FOLDER] [--show] [--save]

Four sets of questions, each with a development and a held-out part: `business` and `technical`
(`benchmarks/business`), `everyday` (mails, minutes, questions and answers, chats, web pages and Word files of
`benchmarks/documents_set`) and `articles` (encyclopedia and other articles, from DATA; see
`benchmarks.ask_documents`). Graphs are built, or taken from FOLDER. Answers in the tables of questions:
alternatives separated by ` | `, the parts of a list by ` & `, `yes`, `no`, or `none` where the documents have no
answer. An answer is right if it equals an alternative or contains it as whole words; a list if every part of it is
among the answers, and no other. Articles, prepositions before an answer, case, punctuation and possessive endings
do not count, and small numbers may be words. Silence is right for `none`.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.ask_documents import QUESTIONS, documents
from benchmarks.results import add_save_option, save
from tupelo.api.graph import BuildOptions, Graph
from tupelo.graph.retrieve.ask import bare
from tupelo_training.calibration import calibration_bins, calibration_error

DATA = Path("../shared/data")
SETS = ("business", "technical", "everyday", "articles")
DEVELOPMENT = tuple(f"{name} develop" for name in SETS)
_SURE = 0.8
_BUSINESS = Path("benchmarks/business")
_EVERYDAY = Path("benchmarks/documents_set")
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
    return any(f" {normal(bare(wanted))} " in given for wanted in alternatives.split(" | "))


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


def questions_of(name: str) -> list[dict[str, str]]:
    """The questions of a set: its name and its part."""
    kind, part = name.split()
    if kind in ("everyday", "articles"):
        short = "dev" if part == "develop" else "held"
        return read_table(QUESTIONS / f"{'everyday-' if kind == 'everyday' else ''}{short}.tsv")
    folder = _BUSINESS / ("technical" if kind == "technical" else part)
    rows = map(json.loads, (folder / "questions.jsonl").read_text("utf-8").splitlines())
    # Of the technical documents, those with an even number are held out; questions without one, half by half.
    odd = {"develop": 1, "held": 0}[part]
    return [
        {**row, "answers": " | ".join(row["answers"]) or "none"}
        for row in rows
        if kind == "business" or int((row.get("doc") or row["id"][1:])[:2]) % 2 == odd
    ]


def texts_of(name: str, data: Path, folder: Path) -> Any:
    """The documents of a set, as `Graph.build` takes them."""
    kind, part = name.split()
    if kind in ("business", "technical"):
        return _BUSINESS / ("technical" if kind == "technical" else part) / "documents"
    short = "dev" if part == "develop" else "held"
    if kind == "everyday":
        rows = read_table(QUESTIONS / "documents.tsv")
        chosen = folder / f"{kind}-{part}"
        chosen.mkdir(exist_ok=True)
        for row in (row for row in rows if row["part"] == f"everyday-{short}"):
            shutil.copy(_EVERYDAY / row["document"], chosen / row["document"].replace("/", "-"))
        return chosen
    file = folder / f"{kind}-{part}.jsonl"
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in documents(data, short)), "utf-8")
    return file


class AskedQuestion(NamedTuple):
    """A question of a set with the answers that it got."""

    row: dict[str, str]
    answers: list[Any]

    @property
    def confidence(self) -> float:
        return self.answers[0].confidence if self.answers else 0.0

    @property
    def outcome(self) -> str:
        return outcome([item.answer for item in self.answers], self.row["answers"])


def asked_set(
    name: str, graphs: Path, data: Path = DATA, *, min_confidence: float | None = None
) -> Iterator[AskedQuestion]:
    """Ask the questions of a set."""
    file = graphs / f"{name.replace(' ', '-')}.duckdb"
    if not file.exists():
        Graph.build(texts_of(name, data, graphs), file, options=BuildOptions(vectors=True)).close()
    with Graph.open(file) as graph:
        for row in questions_of(name):
            yield AskedQuestion(row, list(graph.ask(row["question"], min_confidence=min_confidence, explain=True)))


def figures(name: str, asked: Sequence[AskedQuestion]) -> list[str]:
    """A row of the table."""
    answerable = Counter(one.outcome for one in asked if one.row["answers"] != "none")
    left = Counter(one.outcome for one in asked if one.row["answers"] == "none")
    given = [one for one in asked if one.answers]
    sure = [one.outcome == "right" for one in given if one.confidence >= _SURE]
    traps = Counter(one.outcome for one in asked if one.row["kind"] == "role-trap")
    bins = calibration_bins([one.confidence for one in given], [one.outcome == "right" for one in given])
    total = max(answerable.total(), 1)
    return [
        name,
        *(f"{answerable[kind]} ({100 * answerable[kind] / total:.0f} %)" for kind in OUTCOMES),
        f"{left['right']} of {left.total()}",
        f"{sum(sure)} of {len(sure)}",
        f"{calibration_error(bins) or 0:.3f}",
        f"{traps['right']} of {traps['right'] + traps['wrong']}" if traps else "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", choices=["develop", "held"], required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--graphs", type=Path, help="folder of the graphs [default: a temporary one]")
    parser.add_argument("--min-confidence", type=float, help="see graph ask")
    parser.add_argument("--show", action="store_true", help="print every question with its answer")
    add_save_option(parser)
    options = parser.parse_args()
    everything: list[AskedQuestion] = []
    table = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.graphs or Path(temporary)
        for name in (f"{kind} {options.part}" for kind in SETS):
            asked = list(asked_set(name, folder, options.data, min_confidence=options.min_confidence))
            everything += asked
            table.append(figures(name, asked))
            print(*table[-1], sep="  ", flush=True)
            for one in asked if options.show else ():
                given = "; ".join(f"{item.answer} ({item.confidence:.2f}) [{item.statement}]" for item in one.answers)
                print(f"{one.row['id']} {one.outcome}: {one.row['question']} {given or '-'} | {one.row['answers']}")
    table.append(figures(f"**all, {options.part}**", everything))
    print(*table[-1], sep="  ")
    header = [
        "questions",
        *OUTCOMES,
        "without an answer, left unanswered",
        "right at 0.8 or more",
        "calibration error",
    ]
    if options.save:
        save(f"retrieval-answers-{options.part}", [*header, "role traps right, of those answered"], table)


if __name__ == "__main__":
    main()
