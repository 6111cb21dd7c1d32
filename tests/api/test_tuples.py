"""Reading, writing and converting from Python, and that the commands print what these calls return."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.api import tuples
from tupelo.core import Extraction, FormatError, InputError, Sentence, UnknownNameError
from tupelo.formats import column_format, list_formats

COMMANDS = {"convert", "formats"}

Capture = pytest.CaptureFixture[str]
TAB = "Ann lives in Oslo .\t0.9\tlives in\tAnn\tOslo\nBo & <Cy> sleep .\t0.5\tsleep\tBo & <Cy>\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tuples.tsv"
    path.write_text(TAB, "utf-8")
    return path


def test_paths_and_open_files_read_alike(path: Path) -> None:
    expected = tupelo.read(path)
    assert [str(record) for record in expected] == ["(Ann; lives in; Oslo)", "(Bo & <Cy>; sleep)"]
    assert (expected.format, expected.name, len(expected)) == ("tab", str(path), 2)
    packed = io.BytesIO(gzip.compress(TAB.encode()))
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        for source in (str(path), binary, text, io.StringIO(TAB), io.BytesIO(TAB.encode()), packed):
            found = tupelo.read(source, "tab")
            assert (list(found), found.checksum) == (list(expected), expected.checksum)
            if not isinstance(source, str):
                assert not source.closed


def test_records_in_memory_pass_through() -> None:
    records = [Extraction.of("He ate .", "ate", ["He"]), Sentence("It rained .")]
    found = tupelo.read(records)
    assert list(found) == records
    assert found.extractions == records[:1]
    assert tupelo.read(found) is found
    assert tupelo.read(iter(records)).checksum == found.checksum


def test_faulty_lines_are_raised_or_collected(tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(TAB + "no columns\n", "utf-8")
    with pytest.raises(FormatError, match=r"bad.tsv:3: 1 field"):
        tupelo.read(path, "tab")
    found = tupelo.read(path, "tab", on_error="skip")
    assert len(found) == 2
    assert [error.line for error in found.skipped if isinstance(error, FormatError)] == [3]
    assert found.to_dict()["skipped"] == [str(found.skipped[0])]
    with pytest.raises(InputError, match="expected 'raise' or 'skip'"):
        tupelo.read(path, "tab", on_error="ignore")  # type: ignore[arg-type]


def test_views_of_what_was_read(path: Path) -> None:
    found = tupelo.read(path)
    assert found.rows()[0] == {
        "sentence": "Ann lives in Oslo .",
        "arg1": "Ann",
        "rel": "lives in",
        "args": ["Oslo"],
        "confidence": 0.9,
    }
    assert found.to_arrow().num_rows == 2
    assert str(found) == "(Ann; lives in; Oslo)\n(Bo & <Cy>; sleep)"
    assert "Bo &amp; &lt;Cy&gt; sleep ." in found._repr_html_()
    assert "<Cy>" not in found._repr_html_()
    assert found[0:1] == (found[0],)


def test_large_files_are_read_while_iterating(path: Path) -> None:
    skipped: list[tupelo.TupeloError] = []
    with tupelo.formats.open_records(path, on_error="skip", skipped=skipped) as stream:
        assert [str(record) for record in stream] == ["(Ann; lives in; Oslo)", "(Bo & <Cy>; sleep)"]
    assert skipped == []


def test_writing_to_paths_and_open_files(path: Path, tmp_path: Path) -> None:
    found = tupelo.read(path)
    tupelo.write(found, tmp_path / "out.jsonl")
    assert list(tupelo.read(tmp_path / "out.jsonl")) == list(found)
    text, binary = io.StringIO(), io.BytesIO()
    tupelo.write(found, text, "tab")
    tupelo.write(found, binary, "tab")
    assert text.getvalue() == binary.getvalue().decode() == TAB
    with pytest.raises(InputError, match="does not say which format"):
        tupelo.write(found, tmp_path / "out.txt")


def test_conversion_reports_what_was_lost(path: Path, tmp_path: Path) -> None:
    reports: list[tuple[str, int, int | None]] = []
    notices: list[str] = []
    done = tupelo.convert(
        path,
        tmp_path / "gold.tsv",
        target_format="carb",
        progress=lambda *report: reports.append(report),
        notice=notices.append,
    )
    assert done.to_dict() == {
        "source_format": "tab",
        "target_format": "carb",
        "count": 2,
        "skipped": [],
        "losses": {"confidence": 2},
    }
    assert not done.complete
    assert notices == [f"reading {path} as tab"]
    assert reports[-1][1:] == (2, None)


def test_the_command_converts_like_the_call(capsys: Capture, path: Path, tmp_path: Path) -> None:
    outcome = run(capsys, "convert", path, tmp_path / "command.tsv", "--to", "carb")
    done = tupelo.convert(path, tmp_path / "call.tsv", target_format="carb")
    assert outcome.err == f"reading {path} as tab\n{done}\n"
    assert (tmp_path / "command.tsv").read_bytes() == (tmp_path / "call.tsv").read_bytes()


def test_the_command_lists_the_formats_of_the_call(capsys: Capture) -> None:
    assert json.loads(run(capsys, "formats", "--json").out) == list_formats().to_dict()
    assert json.loads(run(capsys, "formats", "ollie", "--json").out) == list_formats()["ollie"].to_dict()
    assert run(capsys, "formats", "ollie").out == f"{list_formats()['ollie']}\n\n"
    assert [row["name"] for row in list_formats().rows()] == list(tupelo.formats.FORMATS)
    assert "<table>" in list_formats()._repr_html_()
    assert "&lt;rel&gt;" in list_formats()["allennlp"]._repr_html_()
    with pytest.raises(UnknownNameError):
        list_formats()["crab"]


def test_a_format_of_ones_own_works_in_calls_and_commands(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tuples.FORMATS, "_registered", {})
    mine = column_format("mine", ["confidence", "arg1", "rel", "*args", "sentence.id"][:4], separator=";")
    tupelo.formats.FORMATS.register("mine", mine)
    path = tmp_path / "mine.txt"
    path.write_text("0.5;Ann;saw;Bo;today\n", "utf-8")
    assert str(tupelo.read(path, "mine")) == "(Ann; saw; Bo; today)"
    assert run(capsys, "convert", path, "-", "--from", "mine", "--to", "mine").out == path.read_text("utf-8")
    assert "mine" in [each["name"] for each in json.loads(run(capsys, "formats", "--json").out)]
    assert "Sample:\nNone." in run(capsys, "formats", "mine").out
    path.write_text("0.5,Ann\n", "utf-8")
    with pytest.raises(FormatError, match="expected confidence, arg1, relation and arguments, separated by semi"):
        tupelo.read(path, "mine")
    with pytest.raises(InputError, match="needs 1 or more"):
        tupelo.write([Extraction.of("It rains .", "rains")], io.StringIO(), "mine")
    with pytest.raises(InputError, match="holds a semicolon or line break"):
        tupelo.write([Extraction.of("A ; b", "is", ["a;", "b"])], io.StringIO(), "mine")
