"""The `csv` format: what a spreadsheet makes of it, and what comes back from one."""

from __future__ import annotations

from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.core import Extraction, InputError
from tupelo.io.formats import FORMATS
from tupelo.io.tuples import read_records, write_records

HEADER = "subject,relation,arguments,confidence,negated,modality,document,sentence\n"


def parts(*arguments: str) -> Extraction:
    return Extraction.of("Nora sold it .", "sold", arguments)


def words(path: Path) -> list[list[str]]:
    return [[part.text for part in record.arguments] for record in tupelo.read(path).extractions]


@pytest.mark.parametrize(
    ("arguments", "cells"),
    [
        (["Nora", "it", "in May"], "Nora,sold,it; in May,"),
        (["Nora"], "Nora,sold,,"),
        (["Nora", ""], "Nora,sold,;,"),
        (["Nora", "", ""], "Nora,sold,; ;,"),
        (["", "it", ""], ",sold,it; ;,"),
        (["Nora", "a; b", "c\\"], "Nora,sold,a\\; b; c\\\\,"),
        (["Nora", "\\;", ";"], "Nora,sold,\\\\\\;; \\;,"),
        (["=1+1", "-7", "@x"], "'=1+1,sold,'-7; @x,"),
        (["'=1", "-7"], "''=1,sold,-7,"),
        (["'tis", 'a "b", c'], '\'tis,sold,"a ""b"", c",'),
        (["two\nlines", " b "], '"two\nlines",sold, b ,'),
        ([], ",sold,,"),
    ],
)
def test_arguments_in_cells(arguments: list[str], cells: str, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    tupelo.write([parts(*arguments)], path)
    assert path.read_text("utf-8") == HEADER + cells + ",,,,Nora sold it .\n"
    assert words(path) == [arguments]


@pytest.mark.parametrize("arguments", [[""], ["a\rb"]])
def test_what_cannot_be_held_is_refused(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="csv cannot hold"):
        write_records(tmp_path / "out.csv", [parts(*arguments)], "csv")
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_a_spreadsheet_saved_is_read(tmp_path: Path) -> None:
    """With a mark, other line ends, capitals, columns in another order, and some of them gone."""
    path = tmp_path / "saved.csv"
    content = 'Relation,Arguments,Subject,Negated\r\nsold,"her ""boat""; ",Nora,FALSE\r\n\r\nleft,,Bo,TRUE\r\n'
    path.write_bytes(content.encode("utf-8-sig"))
    first, second = tupelo.read(path).extractions
    assert (first.rel.text, [part.text for part in first.arguments]) == ("sold", ["Nora", 'her "boat"'])
    assert (first.negated, second.negated, first.confidence) == (False, True, None)


def test_faulty_rows_are_skipped_with_the_number_of_their_first_line(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text('subject,relation,arguments\na,"b\nc",d\ne,f\ng,"h"i,j\nk,l,m\n', "utf-8")
    found = tupelo.read(path, "csv", on_error="skip")
    assert [record.rel.text for record in found.extractions] == ["b\nc", "l"]
    assert [getattr(fault, "line", None) for fault in found.skipped] == [4, 5]


def test_a_long_sentence_comes_back(tmp_path: Path) -> None:
    record = Extraction.of("word " * 40_000, "sold", ["Nora"])
    write_records(tmp_path / "long.csv", [record], "csv")
    assert read_records(tmp_path / "long.csv") == [record]


def test_the_ending_chooses_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, table = tmp_path / "in.jsonl", tmp_path / "out.csv"
    source.write_bytes(FORMATS.get("jsonl").sample_bytes())
    assert run(capsys, "convert", source, table).status == 0
    assert table.read_text("utf-8").startswith(HEADER)
    outcome = run(capsys, "convert", table, tmp_path / "back.jsonl")
    assert (outcome.status, outcome.err) == (0, f"reading {table} as csv\n")
