"""Runs a command as a user would, in this process: standard output, standard error and exit status."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from tupelo.cli import main


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    """Call `tupelo` with these arguments through its real entry point."""
    before = sys.argv
    sys.argv = ["tupelo", *map(str, arguments)]
    try:
        main()
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
    finally:
        sys.argv = before
    captured = capsys.readouterr()
    return Outcome(status, captured.out, captured.err)
