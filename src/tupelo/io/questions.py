"""Files of questions: JSON lines with `id` and `question`."""

from __future__ import annotations

import os

from tupelo.core import FormatError
from tupelo.io.files import InputFile
from tupelo.io.json_items import line_objects


def read_questions(name: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Id and text of every question, in order. `-` is standard input."""
    found: dict[str, str] = {}
    with InputFile(name) as file:
        for number, item in line_objects(file.lines()):
            key, question = item.get("id"), item.get("question")
            if not isinstance(key, str | int) or isinstance(key, bool):
                raise FormatError(file.name, number, "no id", "a string or a number under 'id'")
            if not isinstance(question, str) or not question.strip():
                raise FormatError(file.name, number, "no question", "a text under 'question'")
            if str(key) in found:
                raise FormatError(file.name, number, f"id '{key}' comes twice", "every question once")
            found[str(key)] = question
    return list(found.items())
