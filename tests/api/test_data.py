"""The catalogue from Python, and that the commands print what these calls return."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.core import UnknownNameError
from tupelo.io.fetch import FetchPlaces, fetch_dataset

COMMANDS = {"data list", "data info", "data get"}

Capture = pytest.CaptureFixture[str]


@pytest.mark.model
def test_the_command_lists_what_the_call_returns(capsys: Capture, tmp_path: Path) -> None:
    known = tupelo.datasets("open-ie", cache=tmp_path)
    printed = run(capsys, "data", "list", "--task", "open-ie", "--json", "--cache", tmp_path).out
    assert json.loads(printed) == json.loads(json.dumps(known.to_dict()))
    assert run(capsys, "data", "list", "--task", "open-ie", "--cache", tmp_path).out == f"{known}\n"
    assert {"carb"} <= {entry.name for entry in known}
    assert known.to_arrow().num_rows == len(known) == len(known[:])
    assert "<th>what it is</th>" in known._repr_html_()


@pytest.mark.model
def test_the_command_describes_what_the_call_returns(capsys: Capture, tmp_path: Path) -> None:
    described = tupelo.datasets(cache=tmp_path).info("carb")
    printed = run(capsys, "data", "info", "carb", "--json", "--cache", tmp_path).out
    assert json.loads(printed) == json.loads(json.dumps(described.to_dict()))
    assert run(capsys, "data", "info", "carb", "--cache", tmp_path).out == f"{described}\n"
    assert not described.complete
    assert described._repr_html_().startswith("<pre>name")


def test_a_dataset_comes_from_a_local_folder(capsys: Capture, tmp_path: Path) -> None:
    file = (
        next(file for file in tupelo.datasets(cache=tmp_path).info("carb").entry.files if file.sha256 is None) or None
    )
    assert file is not None
    source = tmp_path / "downloads" / file.path
    source.parent.mkdir(parents=True)
    source.write_bytes(b"x" * (file.size or 1))
    notices: list[str] = []
    places = FetchPlaces(source=tmp_path / "downloads", cache=tmp_path / "cache")
    folder = fetch_dataset("carb", files=[file.path], places=places, notice=notices.append)
    assert (folder / file.path).is_file()
    assert len(notices) == 1
    outcome = run(capsys, "data", "get", "carb", "--file", file.path, "--cache", tmp_path / "cache")
    assert outcome.out == f"{folder}\n"


def test_an_unknown_task_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'open-ie'"):
        tupelo.datasets("open-ia")


def test_an_unknown_dataset_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'carb'"):
        tupelo.datasets().info("crab")
