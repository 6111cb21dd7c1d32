"""Tables as CSV: nothing in them is a formula, and everything can be read back."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.small import Said, World, write_graph
from tupelo.api.graph import Graph
from tupelo.core.results import csv_text


def cells(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "－"])
def test_a_formula_becomes_text(start):
    formula = f"{start}cmd|' /C calc'!A1"
    assert cells(csv_text(["name", formula], [[formula, 1]])) == [["name", f"'{formula}"], [f"'{formula}", "1"]]


def test_numbers_and_plain_text_stay_as_they_are():
    row = [-1, -0.25, 1e-05, "-7", "+3.5", True, None, "'tis", "a = b", "Ann-Marie", ""]
    assert cells(csv_text([], [row]))[1] == [
        *("-1", "-0.25", "1e-05", "-7", "+3.5", "True", "", "'tis", "a = b", "Ann-Marie", "")
    ]


@given(st.lists(st.text(alphabet="=+-@'\t\r\nab1＝", max_size=5), min_size=1, max_size=4))
def test_what_was_written_can_be_read_back(row):
    written = cells(csv_text(["x"], [row]))[1:]
    plain = [re.sub("^'('*[=+\\-@\t\r\n＝＋－＠])", r"\1", cell) for cell in written[0] or [""]]
    assert plain == row


def test_answers_of_a_graph_hold_no_formula(tmp_path):
    formula = "=HYPERLINK(1)"
    path = write_graph(tmp_path / "kg.duckdb", World([Said(formula, "@links", "+to", f"{formula} links.")]))
    with Graph.open(path) as graph:
        rows = cells(graph.query("?a ?r ?b", evidence=True).to_csv())
    assert any(cell.startswith("'=") for cell in rows[1])
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
