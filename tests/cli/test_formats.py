"""`tupelo formats` as a user runs it."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run
from tupelo.io.formats import FIELDS, FORMATS

Capture = pytest.CaptureFixture[str]


def test_every_format_is_listed_with_its_title(capsys: Capture) -> None:
    outcome = run(capsys, "formats")
    assert outcome.status == 0
    listed = [line.split(None, 1) for line in outcome.out.split("\n\n")[0].splitlines()]
    assert listed == [[name, FORMATS.get(name).title] for name in FORMATS]


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_has_a_page_with_layout_notes_and_sample(capsys: Capture, name: str) -> None:
    chosen = FORMATS.get(name)
    outcome = run(capsys, "formats", name)
    assert outcome.status == 0
    assert outcome.out.startswith(f"{name}: {chosen.title}\n")
    assert chosen.layout in outcome.out
    assert " ".join(chosen.notes.split()) in " ".join(outcome.out.split())
    assert outcome.out.partition("\nSample:\n")[2].strip()


def test_an_alias_leads_to_its_format(capsys: Capture) -> None:
    assert run(capsys, "formats", "openiefive").out == run(capsys, "formats", "openie5").out
    assert "\nAlso       openiefive\n" in run(capsys, "formats", "openie5").out


def test_json_is_one_document(capsys: Capture) -> None:
    described = json.loads(run(capsys, "formats", "--json").out)
    assert [each["name"] for each in described] == list(FORMATS)
    one = json.loads(run(capsys, "formats", "tab", "--json").out)
    assert one in described
    assert one["keeps"] == ["confidence"]
    assert one["sample"].startswith("The old mill")
    assert next(each for each in described if each["name"] == "jsonl")["keeps"] == list(FIELDS)


def test_an_unknown_format_gets_a_suggestion(capsys: Capture) -> None:
    outcome = run(capsys, "formats", "crab")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("tupelo: no format named 'crab'. Did you mean 'carb'? Known: ")


def test_the_example_of_the_help_works_as_typed(capsys: Capture) -> None:
    text = run(capsys, "formats", "--help").out
    for line in text.splitlines():
        if line.strip().startswith("tupelo formats"):
            assert run(capsys, *line.split()[1:]).status == 0
