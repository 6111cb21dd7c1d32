"""Files of tuples as a whole: detection, defined oddities, and writing."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from tupelo.core import Extraction, FormatError, InputError, Sentence
from tupelo.io.formats import FORMATS, TextFormat, own
from tupelo.io.tuples import format_of_name, open_records, read_records, write_records

TAB_LINE = "Nora sold her boat .\t0.5\tsold\tNora\ther boat\n"
TEXT_FORMATS = [name for name in FORMATS if isinstance(FORMATS.get(name), TextFormat)]


def read_bytes(tmp_path: Path, content: bytes, format_name: str = "auto") -> list[object]:
    path = tmp_path / "input"
    path.write_bytes(content)
    return list(read_records(path, format_name))


def complaint(tmp_path: Path, content: bytes, format_name: str) -> str:
    """What a reader says against a file; nothing when it can be read."""
    try:
        read_bytes(tmp_path, content, format_name)
    except FormatError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", TEXT_FORMATS)
class TestEveryTextFormat:
    @pytest.fixture
    def sample(self, name: str) -> bytes:
        return FORMATS.get(name).sample_bytes()

    @pytest.mark.parametrize("end", [b"\r\n", b"\r"])
    def test_line_ends_make_no_difference(self, tmp_path: Path, name: str, sample: bytes, end: bytes) -> None:
        assert read_bytes(tmp_path, sample.replace(b"\n", end), name) == read_bytes(tmp_path, sample, name)

    def test_a_byte_order_mark_makes_no_difference(self, tmp_path: Path, name: str, sample: bytes) -> None:
        assert read_bytes(tmp_path, b"\xef\xbb\xbf" + sample, name) == read_bytes(tmp_path, sample, name)

    def test_a_missing_last_line_end_makes_no_difference(self, tmp_path: Path, name: str, sample: bytes) -> None:
        assert read_bytes(tmp_path, sample.rstrip(b"\n"), name) == read_bytes(tmp_path, sample, name)

    def test_gzip_makes_no_difference(self, tmp_path: Path, name: str, sample: bytes) -> None:
        assert read_bytes(tmp_path, gzip.compress(sample), name) == read_bytes(tmp_path, sample, name)

    def test_standard_input_makes_no_difference(
        self, tmp_path: Path, name: str, sample: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sample)))
        assert list(read_records("-", name)) == read_bytes(tmp_path, sample, name)

    def test_an_empty_file_has_no_tuples_or_is_refused(self, tmp_path: Path, name: str) -> None:
        if name in ("robust", "reoie2016", "wire57", "wire57-gold"):
            with pytest.raises(FormatError, match="input:1: the document ends here, expected a JSON"):
                read_bytes(tmp_path, b"", name)
        else:
            assert read_bytes(tmp_path, b"", name) == []

    def test_a_line_of_a_megabyte_is_read_or_refused_in_one_line(
        self, tmp_path: Path, name: str, sample: bytes
    ) -> None:
        message = complaint(tmp_path, sample + b"x" * 1_000_000 + b"\n", name)
        assert len(message) < 500

    def test_nul_bytes_are_read_or_refused_in_one_line(self, tmp_path: Path, name: str, sample: bytes) -> None:
        message = complaint(tmp_path, sample.replace(b"o", b"\0"), name)
        assert len(message.splitlines()) <= 1

    def test_a_collector_gets_every_fault_and_the_rest_is_read(
        self, tmp_path: Path, name: str, sample: bytes
    ) -> None:
        path = tmp_path / "input"
        path.write_bytes(sample + b"\xff\xff\n")
        faults: list[FormatError] = []
        with open_records(path, name, faults.append) as stream:
            records = list(stream.records)
        assert [error.line for error in faults] == [sample.count(b"\n") + 1]
        assert records == read_bytes(tmp_path, sample, name)


def test_parquet_works_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    content = FORMATS.get("parquet").sample_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert len(read_records("-")) == 5


class TestDetection:
    @pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"  \r\n"])
    def test_a_blank_file_has_no_tuples(self, tmp_path: Path, content: bytes) -> None:
        assert read_bytes(tmp_path, content) == []

    def test_a_few_faulty_lines_do_not_hide_the_format(self, tmp_path: Path) -> None:
        path = tmp_path / "input"
        path.write_text(TAB_LINE * 9 + "oops\n")
        with open_records(path) as stream:
            assert stream.format.name == "tab"

    def test_a_line_that_the_buffer_cuts_is_not_looked_at(self, tmp_path: Path) -> None:
        path = tmp_path / "input"
        path.write_text(TAB_LINE * 5000)
        with open_records(path) as stream:
            assert stream.format.name == "tab"

    def test_a_first_line_longer_than_the_buffer_is_looked_at(self, tmp_path: Path) -> None:
        path = tmp_path / "input"
        path.write_text("Nora " + TAB_LINE.replace("her boat\n", "her boat " * 200_000 + "\n"))
        with open_records(path) as stream:
            assert stream.format.name == "tab"

    def test_unknown_content_names_the_formats(self, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match=r"no known format fits its first lines; name one with --format \(jsonl, "
        ):
            read_bytes(tmp_path, b"just some words\n")

    def test_unknown_content_that_is_no_text_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"input:2: byte 0xff is not UTF-8"):
            read_bytes(tmp_path, b"words\n\xff\xfe")

    def test_a_text_that_the_buffer_cuts_inside_a_character_is_no_fault(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no known format"):
            read_bytes(tmp_path, b"x" + "é".encode() * 50_000)

    def test_twins_of_the_gold_layout_have_one_winner(self, tmp_path: Path) -> None:
        path = tmp_path / "input"
        path.write_text("Nora sold her boat .\tsold\tNora\ther boat\n")
        with open_records(path) as stream:
            assert stream.format.name == "carb"


def test_the_checksum_does_not_depend_on_how_far_was_read(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(TAB_LINE * 10)
    with open_records(path) as stream:
        early = stream.checksum()
    with open_records(path) as stream:
        list(stream.records)
        assert stream.checksum() == early


class TestWriting:
    def test_half_of_a_surrogate_pair_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"half of a surrogate pair in .*\\ud83d"):
            write_records(tmp_path / "out", [Extraction.of("a \ud83d b", "x", ["y"])], "jsonl")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("format_name", ["jsonl", "parquet", "tab"])
    def test_a_tuple_that_cannot_be_held_leaves_no_file(self, tmp_path: Path, format_name: str) -> None:
        good, bad = Extraction.of("a b", "x", ["y"]), Extraction.of("a \ud800", "x\t", ["y"])
        with pytest.raises(InputError):
            write_records(tmp_path / "out", [good, bad], format_name)
        assert list(tmp_path.iterdir()) == []

    def test_a_byte_order_mark_that_belongs_to_the_text_comes_back(self, tmp_path: Path) -> None:
        record = Sentence("\ufeffNora laughed .")
        write_records(tmp_path / "out", [record], "clausie")
        assert read_records(tmp_path / "out", "clausie") == [record]

    def test_numbers_beyond_64_bits_are_refused_by_parquet(self, tmp_path: Path) -> None:
        from tupelo.core import Argument

        record = Extraction(Sentence("a"), Argument("x", tokens=(2**70,)))
        with pytest.raises(InputError, match="cannot be held by Parquet"):
            write_records(tmp_path / "out", [record], "parquet")

    def test_parquet_is_written_in_row_groups(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import pyarrow.parquet as pq

        monkeypatch.setattr(own, "_ROWS_PER_GROUP", 50)
        record = Extraction.of("a b", "x", ["y"])
        write_records(tmp_path / "out", (record for _ in range(120)), "parquet")
        assert pq.ParquetFile(tmp_path / "out").metadata.num_row_groups == 3
        with open_records(tmp_path / "out") as stream:
            assert sum(1 for each in stream.records if each == record) == 120


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("a.jsonl", "jsonl"),
        ("a.jsonl.gz", "jsonl"),
        ("a.b.parquet", "parquet"),
        ("a.csv", "csv"),
        ("a.tsv", None),
        ("-", None),
    ],
)
def test_some_endings_stand_for_a_format(name: str, format_name: str | None) -> None:
    assert format_of_name(name) == format_name
