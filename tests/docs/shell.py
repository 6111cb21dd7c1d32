"""Commands of the pages, run inside the process of the tests: a start of Python for each would take most of the time.

`tupelo …`, `echo … | tupelo …` and `tupelo … > FILE` run here; every other line is left to bash.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tests.docs.pages import run_in_shell
from tupelo.cli import _run


@dataclass(frozen=True, slots=True)
class Done:
    """Exit status and what a terminal would show."""

    returncode: int
    stdout: str


def run_line(line: str, folder: Path) -> Done:
    """A command as a reader would type it in a folder."""
    words = _words(line)
    if words is None:
        done = run_in_shell(line, folder)
        return Done(done.returncode, done.stdout)
    given, arguments, target = words
    shown = _stream()
    printed = shown if target is None else _stream()
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, {"TUPELO_CACHE": str(folder / "cache")}),
        patch.object(sys, "argv", ["tupelo", *arguments]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(shown),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        status = _run()
    if target is not None:
        (folder / target).write_text(_text(printed), "utf-8")
    return Done(status, _text(shown))


def _words(line: str) -> tuple[str, list[str], str | None] | None:
    """Standard input, arguments of `tupelo`, and the file for its output; `None` for what only a shell can run."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return None
    given, target = "", None
    if words[:1] == ["echo"] and words[2:3] == ["|"]:
        given, words = words[1] + "\n", words[3:]
    if len(words) > 2 and words[-2] == ">":
        words, target = words[:-2], words[-1]
    if words[:1] != ["tupelo"] or any(set(word) <= set("();<>|&") for word in words) or "$" in line or "*" in line:
        return None
    return given, words[1:], target


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
