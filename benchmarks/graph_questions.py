"""Does a graph answer questions that were written before anybody looked at it?

    python -m benchmarks.graph_questions CORPORA [--graphs FOLDER]

CORPORA is a folder with `news.jsonl` and `encyclopedia.jsonl` (`id`, `title`, `text`); a graph is built of each. For
every question of `graph_questions.tsv` the answers to its pattern, to the alternative pattern, and the first sentence
that a search for the question's words finds are printed beside the expected answer. `+` marks those that contain it:
a help for the reader, who decides whether the answer is useful.
"""

from __future__ import annotations

import argparse
import csv
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import tupelo
from benchmarks.graph_redocred import plain
from tupelo.core.errors import TupeloError
from tupelo_training.calibration import wilson_interval

QUESTIONS = Path(__file__).with_name("graph_questions.tsv")
SHOWN = 5
_ASKING = re.compile(
    r"(?i)\b(?:whose|whom|who|which|what|where|how|many|does|do|did|is|was|are|were|has|have|the|its)\b"
)


class Question(NamedTuple):
    """A question about an article, two patterns for it, and answers of which any is right, separated by `/`."""

    corpus: str
    id: str
    question: str
    pattern: str
    alternative: str
    answer: str

    def is_answered_by(self, text: str) -> bool:
        return any(plain(answer) in plain(text) for answer in self.answer.split("/"))


def read_questions() -> list[Question]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return [Question(*row) for row in csv.reader(lines[1:], delimiter="\t", quoting=csv.QUOTE_NONE)]


def answers(graph: tupelo.Graph, question: Question) -> Iterator[tuple[str, str, list[str]]]:
    """The ways to ask and what is asked, with the first answers to each, one line an answer."""
    for name, pattern in (("pattern", question.pattern), ("alternative", question.alternative)):
        try:
            yield name, pattern, shown(graph.query(pattern, limit=SHOWN).rows())
        except TupeloError as error:
            yield f"{name}: {error}", pattern, []
    words = " ".join(_ASKING.sub(" ", question.question).strip(" ?").split())
    yield "search", words, [note for item in graph.search(words, limit=1) for note in item.notes]


def shown(rows: Iterable[Mapping[str, object]]) -> list[str]:
    return [" | ".join(str(cell) for cell in row.values() if cell is not None) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--graphs", type=Path, help="where graphs are kept; one that is there is not built again")
    arguments = parser.parse_args()
    answered: Counter[str] = Counter()
    questions = read_questions()
    with tempfile.TemporaryDirectory(prefix="tupelo-questions-") as temporary:
        folder: Path = arguments.graphs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for corpus in dict.fromkeys(question.corpus for question in questions):
            file = folder / f"{corpus}.duckdb"
            if not file.exists():
                tupelo.Graph.build(arguments.corpora / f"{corpus}.jsonl", file)
            with tupelo.Graph.open(file) as graph:
                for number, question in enumerate(questions, start=1):
                    if question.corpus != corpus:
                        continue
                    print(f"\n{number}. {question.question}  [{question.answer}]  {question.id}")
                    right = set()
                    for name, asked, found in answers(graph, question):
                        print(f"  {name}: {asked}")
                        for line in found:
                            # A pattern that names the answer asks what joins it to the rest.
                            hit = question.is_answered_by(line if name == "search" else f"{line} {asked}")
                            print(f"    {'+' if hit else ' '} {line}")
                            right |= {name} if hit else set()
                    answered.update(right | ({"pattern or alternative"} if right - {"search"} else set()))
                    answered["any"] += bool(right)
    print()
    for name in ("pattern", "alternative", "pattern or alternative", "search", "any"):
        low, high = wilson_interval(answered[name], len(questions))
        print(f"{name:24} {answered[name]} of {len(questions)}  [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
