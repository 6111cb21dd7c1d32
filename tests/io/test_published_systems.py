"""Outputs of the systems of the literature are read as they were written.

The bundled samples show the look of each; where the public outputs themselves
are beside the checkout, they are read to the last line.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tupelo.core import Extraction, FormatError
from tupelo.io.files import split_lines
from tupelo.io.formats import FORMATS, BinaryFormat
from tupelo.io.lines import Lines
from tupelo.io.tuples import read_records

# System -> the formats that its outputs are published in.
READ_AS = {
    "ClausIE": ("clausie",),
    "OLLIE": ("ollie",),
    "ReVerb": ("reverb",),
    "Stanford OpenIE": ("stanford",),
    "PropS": ("props",),
    "OpenIE 4": ("openie4",),
    "OpenIE 5": ("openie5",),
    "OpenIE 6": ("openie6", "allennlp"),
    "RnnOIE": ("oie2016-conll", "allennlp"),
    "MinIE": ("benchie", "wire57"),
    "SpanOIE": ("tab",),
}

# The public outputs: file, format, tuples in it.
PUBLIC = [
    ("carb/system_outputs/dev/openie5_output.txt", "openie5", 1_579),
    *(
        (f"oie2016/systems_output/dev/{system}_tabbed.txt.gz", "tab", tuples)
        for system, tuples in (
            ("clausie", 2_681),
            ("stanford", 4_123),
            ("openie4", 1_785),
            ("props", 1_460),
            ("ollie", 1_675),
            ("reverb", 864),
        )
    ),
    ("oie2016/dev.oie.conll.gz", "oie2016-conll", 1_673),
]
WIRE57 = "wire57/WiRe57_extractions_by_ollie_clausie_openie_stanford_minie_reverb_props-export.json"


@pytest.mark.parametrize("system", READ_AS)
def test_a_system_is_read_in_each_of_its_forms(system: str) -> None:
    for name in READ_AS[system]:
        chosen = FORMATS.get(name)
        assert not isinstance(chosen, BinaryFormat)
        text = chosen.sample_bytes().decode("utf-8")
        found = [item for item in chosen.read(Lines(split_lines(text), system)) if isinstance(item, Extraction)]
        assert found
        assert all(item.rel.text and item.arg1 is not None for item in found)


def test_the_guide_names_every_system_with_its_formats() -> None:
    page = (DOCS / "extraction.md").read_text("utf-8").partition("## Other systems")[2]
    for system, names in READ_AS.items():
        row = next(line for line in page.splitlines() if line.startswith("|") and system in line)
        assert all(f"`{name}`" in row for name in names), system


@pytest.mark.parametrize(("name", "format_name", "tuples"), PUBLIC, ids=[name for name, _, _ in PUBLIC])
def test_public_outputs_are_read_to_the_last_line(shared: Path, name: str, format_name: str, tuples: int) -> None:
    records = read_records(shared / "data" / name, format_name)
    assert sum(isinstance(record, Extraction) for record in records) == tuples


def test_the_outputs_in_wire57_are_told_apart(shared: Path) -> None:
    records = read_records(shared / "data" / WIRE57, "wire57")
    counts = Counter(record.extractor for record in records if isinstance(record, Extraction))
    assert counts == {
        "stanford": 371,
        "minie": 252,
        "clausie": 223,
        "props": 184,
        "ollie": 145,
        "openie": 101,
        "reverb": 79,
    }


def test_the_outputs_that_benchie_scored_are_read(shared: Path) -> None:
    folder = shared / "data/benchie/en/system_extractions"
    found = {path.name: read_records(path, "benchie") for path in sorted(folder.iterdir())}
    assert {"minie_explicit.dev.txt", "openie6_explicit.dev.txt", "clausie_explicit.dev.txt"} <= set(found)
    assert all(len(records) > 100 for records in found.values())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0.5 (a; b; c)", "a line that is no tuple"),
        ("0.5: (a)", "a tuple of one part"),
        ("nan: (a; b; c)", "nan|NaN|number"),
        ("1.2.3: (a; b; c)", "number"),
    ],
)
def test_a_faulty_line_of_openie6_is_named(line: str, message: str) -> None:
    chosen = FORMATS.get("openie6")
    assert not isinstance(chosen, BinaryFormat)
    with pytest.raises(FormatError, match=f"out.txt:2: .*(?:{message})"):
        list(chosen.read(Lines(["A sentence .", line], "out.txt")))
