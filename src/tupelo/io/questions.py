"""Questions for answer candidates, and the candidates: text with tabs, or JSON Lines."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tupelo.io.files import InputFile
from tupelo.io.lines import Lines

QUESTION_FORM = "argument, relation and type of the answer, separated by tabs"


def read_questions(name: str | os.PathLike[str]) -> list[tuple[str, str, str]]:
    """Argument, relation and type of every question of a file."""
    with InputFile(name) as file:
        return list(read(file.lines()))


def read(lines: Lines) -> Iterator[tuple[str, str, str]]:
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != 3 or not all(field.strip() for field in fields):
            found = f"{len(fields)} field(s)" if len(fields) != 3 else "an empty field"
            lines.fault(number, found, QUESTION_FORM)
            continue
        yield fields[0].strip(), fields[1].strip(), fields[2].strip()
