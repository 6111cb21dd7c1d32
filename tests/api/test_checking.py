"""`tupelo.check` and its relatives: the same as the command, from texts, files and memory."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import tupelo
from tupelo.cli import tupelo as command
from tupelo.core import InputError, UnknownNameError

COMMANDS = {"check"}
SOURCE = "On Monday Rosa bought five apples at the market. She paid two dollars."
TEXT = "Rosa bought six apples. She paid two dollars."
OPTIONS = {"network": False, "fact_accuracy": ["openie"]}


@pytest.fixture(scope="module")
def checker() -> tupelo.Checker:
    return tupelo.Checker(**OPTIONS)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text(TEXT, encoding="utf-8")
    source.write_text(SOURCE, encoding="utf-8")
    return generated, source


def test_the_command_prints_what_the_call_returns(checker, files) -> None:
    arguments = ["check", *map(str, (files[0], "--source", files[1])), "--no-network", "--fact-acc", "openie"]
    checked = checker(*files)
    as_json = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)
    assert json.loads(as_json.stdout) == checked.to_dict()
    for_people = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert for_people.stdout == f"{checked}\n"


def test_texts_paths_and_open_files_are_the_same(checker, files) -> None:
    expected = checker(TEXT, SOURCE).to_dict()
    assert checker(*files).to_dict() == expected
    assert checker(io.StringIO(TEXT), files[1]).to_dict() == expected
    assert tupelo.check(TEXT, SOURCE, **OPTIONS).to_dict() == expected


def test_views(checker) -> None:
    checked = checker(TEXT, SOURCE + " <b>Really</b>")
    table = checked.to_arrow()
    assert table.num_rows == len(checked.claims)
    assert table.column("verdict").to_pylist()[0] == "refuted"
    for page in (checked._repr_html_(), checked.page("<i>")):
        assert "<b>" not in page
        assert "<i>" not in page
        assert "&lt;b&gt;Really" in page
    assert "fact_acc openie" in str(checked)


def test_pairs_from_memory_and_from_a_file(checker, tmp_path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        "".join(json.dumps({"generated": text, "source": SOURCE}) + "\n" for text in (TEXT, "")), encoding="utf-8"
    )
    steps = []
    in_memory = [(TEXT, SOURCE), {"id": 1, "generated": "", "source": SOURCE}]
    found = [pair.to_dict() for pair in checker.pairs(in_memory, progress=lambda *step: steps.append(step))]
    assert steps == [("checking", 1, 2), ("checking", 2, 2)]
    assert [pair.to_dict() for pair in tupelo.check_pairs(path, **OPTIONS)] == found
    arguments = ["check", "--pairs", str(path), "--no-network", "--fact-acc", "openie"]
    printed = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert [json.loads(line) for line in printed.splitlines()] == found
    assert found[0]["refuted"] == 1
    assert found[1]["reason"]
    (unknown,) = checker.pairs([{"generated": TEXT}])
    assert unknown.to_dict()["reason"] == "its source is unknown"
    assert checker.score([TEXT], [SOURCE]) == [found[0]["score"]]


def test_what_cannot_be_checked_is_said_in_one_line(tmp_path) -> None:
    with pytest.raises(UnknownNameError, match="no method of fact accuracy named 'magic'"):
        tupelo.Checker(fact_accuracy=["magic"])
    with pytest.raises(InputError, match="expected a folder with a support model"):
        tupelo.check(TEXT, SOURCE, network=tmp_path)
