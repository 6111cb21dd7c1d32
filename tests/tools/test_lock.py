"""The lock file fits `pyproject.toml`, and the comparison finds what does not."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tools.lock import LOCK, compile_command, extras, problems

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SMALL: dict[str, Any] = {
    "project": {
        "dependencies": ["click>=8.1"],
        "optional-dependencies": {
            "train": ["torch==2.13.0"],
            "stanza": ["stanza>=1.10"],
            "plot": ["Some_Plots>=3"],
            "facts": ["tupelo-facts-en"],
        },
    },
    "dependency-groups": {"test": ["pytest>=8.0", {"include-group": "more"}], "more": ["more>=1"]},
}
GOOD = "".join(
    f"{line} \\\n    --hash=sha256:{'0' * 64}\n"
    for line in (
        "click==8.5",
        "more==1.0 ; python_full_version < '3.12'",
        "more==2.0",
        "pytest==9.0",
        "some-plots==3.1",
    )
)


def test_the_lock_fits_the_project():
    assert list(problems(PYPROJECT, (ROOT / LOCK).read_text("utf-8"))) == []


def test_what_is_locked_is_what_make_installs():
    """A test that needs an extra would otherwise skip in every run."""
    (line,) = (line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "--group test" in line)
    (listed,) = re.findall(r'"\.\[(.+?)\]"', line)
    assert {*listed.split(",")} - {"facts", "ask"} == {*extras(PYPROJECT)}
    assert {*re.findall(r"--group (\S+)", line), "core-test"} == {*PYPROJECT["dependency-groups"]}


def test_a_lock_with_all_that_is_asked_for_fits():
    assert list(problems(SMALL, GOOD)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("click==8.5", "other==8.5", "click is missing"),
        ("more==2.0", "more==0.9", "more 0.9, but pyproject.toml asks for more>=1"),
        ("pytest==9.0", "pytest>=9.0", "no version or no SHA-256 in 'pytest>=9.0"),
        (f"8.5 \\\n    --hash=sha256:{'0' * 64}\n", "8.5\n", "no version or no SHA-256 in 'click==8.5'"),
        ("click==8.5", "click @ https://example.org/click.whl", "holds an address"),
    ],
    ids=["missing", "too-old", "not-pinned", "no-sum", "address"],
)
def test_what_does_not_fit_is_named(old: str, new: str, problem: str):
    assert old in GOOD
    found = list(problems(SMALL, GOOD.replace(old, new)))
    assert any(problem in line for line in found), found


def test_a_new_lock_is_made_from_every_group_and_extra_that_tests_use():
    command = " ".join(compile_command(SMALL, "python"))
    assert "--extra train --extra plot --group test --group more" in command
    assert "stanza" not in command
    assert "facts" not in command
