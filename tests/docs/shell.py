"""Commands and scripts of the pages, run inside the process of the tests: a start of Python for each takes most time.

`tupelo …`, `echo … | tupelo …` and `tupelo … > FILE` run here; every other line is left to bash.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shlex
import sys
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tests.docs.pages import run_in_shell
from tupelo.cli import _run


@dataclass(frozen=True, slots=True)
class Done:
    """Exit status and what a terminal would show; of scripts, standard error apart."""

    returncode: int
    stdout: str
    stderr: str = ""


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


def run_script(script: Path, folder: Path) -> Done:
    """A Python script as a reader would start it in a folder, where a warning is an error."""
    shown, complaints = _stream(), _stream()
    with (
        contextlib.chdir(folder),
        patch.object(sys, "argv", [str(script)]),
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(complaints),
        warnings.catch_warnings(),
        # Some scripts run an event loop, and in this thread the browser of other tests may have one.
        ThreadPoolExecutor(1) as thread,
    ):
        warnings.simplefilter("error")
        status = thread.submit(_status, script).result()
    return Done(status, _text(shown), _text(complaints))


def _status(script: Path) -> int:
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0


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
