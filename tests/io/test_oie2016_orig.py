"""OIE2016's plain gold files."""

from __future__ import annotations

from tupelo.core import Extraction, Record
from tupelo.io.formats.benchmarks import ORIG as FORMAT
from tupelo.io.lines import Lines


def read(*lines: str) -> list[Record]:
    return list(FORMAT.read(Lines([f"{line}\n" for line in lines], "gold.tsv")))


def test_arguments_follow_the_relation() -> None:
    assert read("The mill burned .\tburned\tThe mill\tin May") == [
        Extraction.of("The mill burned .", "burned", ["The mill", "in May"])
    ]


def test_fields_keep_their_spaces_and_no_argument_is_special() -> None:
    assert read(" The mill .\tburned \t mill\tC: he said\t\tx ") == [
        Extraction.of("The mill .", "burned ", [" mill", "C: he said", "", "x"])
    ]


def test_only_ascii_white_space_is_partial_from_the_line() -> None:
    assert read("The mill .\tburned\tmill\u00a0\x0c\r") == [Extraction.of("The mill .", "burned", ["mill\u00a0"])]


def test_a_tuple_may_have_no_argument() -> None:
    assert read("Rain fell .\tfell") == [Extraction.of("Rain fell .", "fell")]
