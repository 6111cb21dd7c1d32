"""The workflows of the forge: what schemas and zizmor (`make lint`) cannot know about this repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, page_name

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TARGETS = re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "CONTRIBUTING.md", ROOT / "README.md"], ids=page_name)
def test_the_makefile_has_every_target_that_is_named(path: Path):
    calls = re.findall(r"(?:run: |^\$ |^|`)make ((?:[a-z][\w-]*(?: |$|`))+)", path.read_text("utf-8"), re.MULTILINE)
    named = {target for call in calls for target in call.replace("`", " ").split()}
    assert named, "no call of make was found"
    assert named <= set(TARGETS)


@pytest.mark.parametrize("path", WORKFLOWS, ids=page_name)
def test_workflows_use_no_secrets_and_no_action_that_could_change(path: Path):
    text = path.read_text("utf-8")
    assert "secrets." not in text
    assert "\npermissions: {}\n" in text
    actions = re.findall(r"uses: (.+)", text)
    assert actions
    for action in actions:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_every_python_that_the_metadata_names_is_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    matrix = re.search(r"python: \[(.+)\]", (ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    assert matrix
    assert re.findall(r'"([\d.]+)"', matrix[1]) == named
    assert project["requires-python"] == f">={named[0]}"
