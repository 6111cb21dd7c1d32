"""`tupelo convert` as a user runs it."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.runner import run
from tupelo.io.formats import FORMATS
from tupelo.io.tuples import read_records

pytestmark = pytest.mark.model

Capture = pytest.CaptureFixture[str]
TAB = "Nora sold her boat .\t0.5\tsold\tNora\ther boat\n"
BAD = "Nora sold her boat .\n"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "openie5_output.txt"
    path.write_bytes(FORMATS.get("openie5").sample_bytes())
    return path


def test_the_example_of_the_help_works_as_typed(
    capsys: Capture, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = run(capsys, "convert", "--help").out
    example = next(line for line in text.splitlines() if "tupelo convert" in line and "Usage" not in line)
    outcome = run(capsys, *example.split()[1:])
    assert outcome == (0, "", "reading openie5_output.txt as openie5\n")
    assert len(read_records("tuples.jsonl")) == 3


def test_what_is_dropped_is_named_with_its_count(capsys: Capture, sample: Path, tmp_path: Path) -> None:
    outcome = run(capsys, "convert", sample, tmp_path / "out", "--from", "openie5", "--to", "tab")
    assert outcome.status == 0
    assert outcome.err.splitlines() == [
        "dropped context of 1 record(s): tab cannot hold them",
        "dropped extractor of 3 record(s): tab cannot hold them",
        "dropped roles of 1 record(s): tab cannot hold them",
        "dropped spans of 3 record(s): tab cannot hold them",
    ]


def test_nothing_is_said_when_nothing_is_dropped(capsys: Capture, sample: Path, tmp_path: Path) -> None:
    assert run(capsys, "convert", sample, tmp_path / "out", "--from", "openie5", "--to", "openie5") == (0, "", "")
    assert (tmp_path / "out").read_text() == sample.read_text()


@pytest.mark.parametrize(("to", "status"), [("tab", 1), ("jsonl", 0)])
def test_strict_turns_dropped_fields_into_status_1_and_changes_nothing_else(
    capsys: Capture, sample: Path, tmp_path: Path, to: str, status: int
) -> None:
    arguments = ["convert", sample, "-", "--from", "openie5", "--to", to]
    plain, strict = run(capsys, *arguments), run(capsys, *arguments, "--strict")
    assert (plain.status, strict.status) == (0, status)
    assert plain[1:] == strict[1:]


def test_a_faulty_line_stops_it_and_leaves_no_file(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "in.tsv"
    path.write_text(TAB + BAD + TAB)
    outcome = run(capsys, "convert", path, tmp_path / "out.jsonl", "--from", "tab")
    assert outcome.status == 2
    assert outcome.err.startswith(f"tupelo: {path}:2: 1 field(s), expected sentence, confidence, relation")
    assert outcome.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_on_error_skip_lists_and_counts_what_it_skipped(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "in.tsv"
    path.write_bytes(TAB.encode() + BAD.encode() + b"\xff\n" + TAB.encode())
    arguments = ["convert", path, tmp_path / "out.jsonl", "--from", "tab", "--on-error", "skip"]
    outcome = run(capsys, *arguments)
    assert outcome.status == 0
    first, second, last = outcome.err.splitlines()
    assert first.startswith(f"skipped {path}:2: 1 field(s)")
    assert second.startswith(f"skipped {path}:3: byte 0xff is not UTF-8")
    assert last == "skipped 2 in all"
    assert len(read_records(tmp_path / "out.jsonl")) == 2
    assert run(capsys, *arguments, "--strict").status == 1


def test_a_tuple_that_cannot_be_held_stops_it_and_is_named(capsys: Capture, sample: Path, tmp_path: Path) -> None:
    outcome = run(capsys, "convert", sample, tmp_path / "out", "--from", "openie5", "--to", "clausie")
    assert outcome == (
        2,
        "",
        "tupelo: (Nora; sold; her boat; to a fisherman) has 3 argument(s), but clausie holds exactly 2\n",
    )
    assert list(tmp_path.iterdir()) == [sample]


def test_a_tuple_that_cannot_be_held_is_skipped_on_request(capsys: Capture, sample: Path, tmp_path: Path) -> None:
    outcome = run(
        capsys, "convert", sample, tmp_path / "out", "--from", "openie5", "--to", "clausie", "--on-error", "skip"
    )
    assert outcome.status == 0
    assert "skipped (Nora; sold; her boat; to a fisherman) has 3 argument(s)" in outcome.err
    assert len(read_records(tmp_path / "out", "clausie")) == 2


def test_standard_streams_and_gzip_work(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TAB.encode()))))
    outcome = run(capsys, "convert", "-", "-", "--to", "jsonl")
    assert outcome.status == 0
    assert outcome.err == "reading <stdin> as tab\n"
    assert json.loads(outcome.out)["rel"] == {"text": "sold"}
    (tmp_path / "in.tsv").write_text(TAB)
    assert run(capsys, "convert", tmp_path / "in.tsv", tmp_path / "out.jsonl.gz", "--from", "tab").status == 0
    assert json.loads(gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()))["confidence"] == 0.5


def test_a_file_can_be_converted_onto_itself(capsys: Capture, sample: Path) -> None:
    assert run(capsys, "convert", sample, sample, "--from", "openie5", "--to", "jsonl").status == 0
    assert len(read_records(sample, "jsonl")) == 3


def test_the_target_format_must_be_known_from_somewhere(capsys: Capture, sample: Path, tmp_path: Path) -> None:
    outcome = run(capsys, "convert", sample, tmp_path / "out.txt")
    assert outcome.status == 2
    assert "name one with --to" in outcome.err


@pytest.mark.parametrize("option", ["--from", "--to"])
def test_an_unknown_format_gets_a_suggestion(capsys: Capture, sample: Path, tmp_path: Path, option: str) -> None:
    outcome = run(capsys, "convert", sample, tmp_path / "out.jsonl", option, "openie55")
    assert outcome.status == 2
    assert outcome.err.startswith("tupelo: no format named 'openie55'. Did you mean 'openie5'? Known: allennlp, ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("source", [name for name in FORMATS if name not in ("benchie", "wire57")])
def test_every_sample_becomes_jsonl_and_comes_back(capsys: Capture, tmp_path: Path, source: str) -> None:
    original = tmp_path / "original"
    original.write_bytes(FORMATS.get(source).sample_bytes())
    assert run(capsys, "convert", original, tmp_path / "a.jsonl", "--from", source).status == 0
    outcome = run(capsys, "convert", tmp_path / "a.jsonl", tmp_path / "back", "--to", source)
    assert outcome == (0, "", f"reading {tmp_path / 'a.jsonl'} as jsonl\n")
    assert read_records(tmp_path / "back", source) == read_records(original, source)


def test_prepositions_go_to_the_relation_as_in_carb(capsys: Capture, tmp_path: Path) -> None:
    rows = [("was born", "Ann", "in Oslo", "in May"), ("sold", "Ann", "her boat"), ("gave", "Ann", "in")]
    lines = ["\t".join(("Ann .", "0.5", *row)) + "\n" for row in rows]
    (tmp_path / "tuples.tsv").write_text("".join(lines))
    done = run(
        capsys, "convert", tmp_path / "tuples.tsv", "-", "--from", "tab", "--to", "tab", "--prepositions", "relation"
    )
    assert done.status == 0
    assert [line.split("\t")[2:] for line in done.out.splitlines()] == [
        ["was born in", "Ann", "Oslo", "in May"],
        *(list(row) for row in rows[1:]),
    ]


def test_an_unknown_format_names_the_option_of_this_command(capsys: Capture, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text("Hello.\n", encoding="utf-8")
    outcome = run(capsys, "convert", source, tmp_path / "out.jsonl")
    assert outcome.status == 2
    assert "no known format fits its first lines; name one with --from (source_format=) (jsonl, " in outcome.err
