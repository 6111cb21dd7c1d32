"""`tupelo.check` and its relatives: the same as the command, from texts, files and memory."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

import tupelo
from tupelo.api.facts import fact_metrics
from tupelo.checking.stages import CheckPairs, partition_pairs
from tupelo.cli import tupelo as command
from tupelo.core import InputError, UnknownNameError
from tupelo.core.judgement import JudgedText

COMMANDS = {"check"}
SOURCE = "On Monday Rosa bought five apples at the market. She paid two dollars."
TEXT = "Rosa bought six apples. She paid two dollars."
OPTIONS = {"fact_accuracy": ["openie"]}


@pytest.fixture(scope="module")
def checker() -> tupelo.Checker:
    return tupelo.Checker(**OPTIONS)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text(TEXT, encoding="utf-8")
    source.write_text(SOURCE, encoding="utf-8")
    return generated, source


@pytest.mark.model
def test_the_command_prints_what_the_call_returns(checker, files) -> None:
    arguments = ["check", *map(str, (files[0], "--source", files[1])), "--fact-acc", "openie"]
    checked = checker(*files)
    as_json = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)
    assert json.loads(as_json.stdout) == checked.to_dict()
    for_people = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert for_people.stdout == f"{checked}\n"


@pytest.mark.model
def test_texts_paths_and_open_files_are_the_same(checker, files) -> None:
    expected = checker(TEXT, SOURCE).to_dict()
    assert checker(*files).to_dict() == expected
    assert checker(io.StringIO(TEXT), files[1]).to_dict() == expected
    assert tupelo.check(TEXT, [SOURCE], **OPTIONS).to_dict() == expected


@pytest.mark.model
def test_several_sources_and_a_question(checker, files, tmp_path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Rain fell in Oslo.", encoding="utf-8")
    checked = checker(files[0], [other, files[1]], question="What did Rosa buy?")
    assert {one["source"] for row in checked.rows() for one in row["evidence"]} == {1}
    arguments = ["check", str(files[0]), "--source", str(other), "--source", str(files[1]), "--json"]
    arguments += ["--question", "What did Rosa buy?", "--fact-acc", "openie"]
    printed = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert json.loads(printed) == checked.to_dict()


@pytest.mark.model
def test_views(checker) -> None:
    checked = checker(TEXT, SOURCE + " <b>Really</b>")
    table = checked.to_arrow()
    assert table.num_rows == len(checked.claims)
    assert table.column("verdict").to_pylist()[0] == "refuted"
    assert table.column("evidence").to_pylist()[0][0]["text"] == "On Monday Rosa bought five apples at the market."
    for page in (checked._repr_html_(), checked.page("<i>")):
        assert "<b>" not in page
        assert "<i>" not in page
        assert "&lt;b&gt;" in page
    assert "fact_acc openie" in str(checked)


@pytest.mark.model
def test_pairs_from_memory_and_from_a_file(checker, tmp_path) -> None:
    path = tmp_path / "pairs.jsonl"
    lines = [{"response": TEXT, "contexts": [SOURCE], "label": 0}, {"generated": "", "source": SOURCE}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    steps = []
    in_memory = [(TEXT, SOURCE), {"id": 1, "generated": "", "source": SOURCE}]
    found = [pair.to_dict() for pair in checker.pairs(in_memory, progress=lambda *step: steps.append(step))]
    assert steps == [("checking", 1, 2), ("checking", 2, 2)]
    assert [pair.to_dict() for pair in tupelo.Checker(**OPTIONS).pairs(path)] == found
    arguments = ["check", "--pairs", str(path), "--fact-acc", "openie"]
    printed = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert [json.loads(line) for line in printed.splitlines()] == found
    assert found[0]["refuted"] == 1
    assert found[1]["reason"]
    (unknown,) = checker.pairs([{"generated": TEXT}])
    assert unknown.to_dict()["reason"] == "its source is unknown"


@pytest.mark.model
def test_a_collection_is_checked_in_parts(tmp_path) -> None:
    pairs = [(TEXT, SOURCE), ("", SOURCE), (SOURCE, [SOURCE, "Rain fell."])] * 15
    output = tmp_path / "checked.jsonl"
    steps = []
    report = tupelo.Checker().collection(pairs, output, progress=lambda *step: steps.append(step))
    assert steps[-1] == ("checking", 2, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["checked.jsonl"]
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == [str(place) for place in range(45)]
    assert lines[:3] == [{**line, "id": str(place)} for place, line in enumerate(lines[3:6])]
    assert (report.texts, report.unscored) == (45, 15)
    assert report.counts["refuted"] == 15
    assert report.auc is None
    assert report.to_dict()["supported"] == report.counts["supported"]


@pytest.mark.model
def test_the_stage_travels_to_other_processes() -> None:
    stage = CheckPairs(extractor="rules", metrics=fact_metrics([("openie", None)]))
    assert pickle.loads(pickle.dumps(stage)) == stage  # noqa: S301
    assert stage.options != CheckPairs().options
    (partition,) = partition_pairs([JudgedText("a", "Rain fell.", passages=("Rain fell.", "It was cold."))])
    assert pickle.loads(pickle.dumps(partition)).key == partition.key  # noqa: S301
    (batch,) = stage(partition.read())
    assert json.loads(batch.to_pylist()[0]["line"])["fact_acc"] == {"openie": 1}


@pytest.mark.model
def test_what_cannot_be_checked_is_said_in_one_line(tmp_path) -> None:
    pair = {"id": "a", "generated": TEXT, "source": SOURCE}
    with pytest.raises(InputError, match="two texts with the id 'a', expected one each"):
        tupelo.Checker().collection([pair, pair], tmp_path / "checked.jsonl")
    with pytest.raises(UnknownNameError, match="no method of fact accuracy named 'magic'"):
        tupelo.Checker(fact_accuracy=["magic"])
    with pytest.raises(InputError, match="expected a folder with a support model"):
        tupelo.check(TEXT, SOURCE, network=tmp_path)
