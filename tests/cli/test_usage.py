"""Help and hints: `tupelo help`, names of options from other programs, ranges in help."""

from __future__ import annotations

import pytest

from tests.cli.runner import run


@pytest.mark.parametrize("command", [(), ("graph",), ("graph", "build")], ids=" ".join)
def test_help_is_a_word_too(capsys, command):
    found = run(capsys, "help", *command)
    assert found == run(capsys, *command, "--help")
    assert (found.status, found.err) == (0, "")


def test_help_of_an_unknown_command_is_an_error(capsys):
    assert run(capsys, "help", "nothing").status == 2


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("extract", "--jobs", "2"), "--workers"),
        (("graph", "build", "--n-jobs", "2"), "--workers"),
        (("graph", "build", "--processes=2"), "--workers"),
        (("graph", "export", "--to", "rdf"), "--format"),
        (("graph", "stats", "--top", "3"), "--limit"),
        (("graph", "retrieve", "--plan"), "--explain"),
        (("graph", "query", "--neighbors", "Ann"), "--neighbours"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_an_option_of_other_programs_names_ours(capsys, arguments, meant):
    found = run(capsys, *arguments)
    assert (found.status, found.out) == (2, "")
    assert found.err.endswith(f". Did you mean '{meant}'?\n")


def test_an_option_is_named_only_where_it_exists(capsys):
    found = run(capsys, "formats", "--processes", "2")
    assert found.status == 2
    assert "--workers" not in found.err


@pytest.mark.parametrize("command", [("infer",), ("canonicalize",), ("embed", "relations")], ids=" ".join)
def test_a_number_without_bounds_has_no_range(capsys, command):
    shown = run(capsys, *command, "--help").out
    assert "FLOAT " in shown
    assert "None" not in shown


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_number_without_bounds_is_finite(capsys, number):
    found = run(capsys, "infer", "Ann ran.", "Ann moved.", "--min-score", number)
    assert found.status == 2
    assert "is not a finite number" in found.err
