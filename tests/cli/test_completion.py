"""What the shell completes, as the page of commands sets it up."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.docs.pages import DOCS

pytestmark = pytest.mark.process


def run(**variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "from tupelo.cli import main; main()"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.model
@pytest.mark.parametrize(
    ("words", "expected"),
    [("tupelo gr", "graph"), ("tupelo score ca", "carb"), ("tupelo extract --extr", "--extractor")],
    ids=["command", "subcommand", "option"],
)
def test_commands_and_options_are_completed(words: str, expected: str):
    place = str(len(words.split()) - 1)
    printed = run(_TUPELO_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=place)
    assert f"plain,{expected}" in printed.splitlines()


def test_every_shell_of_the_page_has_a_script():
    shells = re.findall(r"_TUPELO_COMPLETE=(\w+_source)", (DOCS / "commands.md").read_text("utf-8"))
    assert shells == ["bash_source", "zsh_source", "fish_source"]
    # The script for bash is printed only where a new enough bash is installed.
    for shell in shells[1:]:
        assert "_TUPELO_COMPLETE=" in run(_TUPELO_COMPLETE=shell)
