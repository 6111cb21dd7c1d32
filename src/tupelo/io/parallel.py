"""Parallel corpora of paraphrases: two sentences, or two bracketed trees, a line, with a tab between them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from tupelo.core import Analysis
from tupelo.io import brackets
from tupelo.io.files import InputFile
from tupelo.io.lines import Lines

Pair = tuple[Analysis, Analysis]


def read(lines: Lines, analyze: Callable[[Iterable[str]], Iterable[Analysis]]) -> Iterator[Pair]:
    """Both sides of each line with their trees; sentences are parsed, trees are read as they are."""
    sentences: list[str] = []
    trees: list[Analysis] = []
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != 2 or not all(field.strip() for field in fields):
            lines.fault(number, f"{len(fields)} field(s)", "a sentence, a tab and its paraphrase")
            continue
        if all(field.lstrip().startswith("(") for field in fields):
            pair = [tree for field in fields for tree in _tree(lines, number, field)]
            if len(pair) != 2:
                lines.fault(number, f"{len(pair)} tree(s)", "one tree before the tab and one behind it")
                continue
            trees.extend(pair)
        else:
            sentences.extend(field.strip() for field in fields)
    both = [*trees, *analyze(sentences)]
    yield from zip(both[::2], both[1::2], strict=True)


def _tree(lines: Lines, number: int, text: str) -> list[Analysis]:
    """The trees of one field; a fault in it is reported with the line of the corpus."""
    faults: list[tuple[str, str]] = []
    found = list(
        brackets.read(Lines([text], lines.source, lambda error: faults.append((error.found, error.expected))))
    )
    for what, expected in faults[:1]:
        lines.fault(number, what, expected)
    return found


def read_parallel(name: str | os.PathLike[str], analyze: Callable[[Iterable[str]], Iterable[Analysis]]) -> list[Pair]:
    """A whole corpus; `-` is standard input, gzip is told by its content."""
    with InputFile(name) as file:
        return list(read(file.lines(), analyze))
