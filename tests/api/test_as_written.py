"""Names are spelled as the text spells them, from the parser to the graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.extract.parts import is_true_to

pytestmark = pytest.mark.model

NAMES = (
    "Fawzi al-Odah",
    "Nazanin Zaghari-Ratcliffe",
    "Shaquille O'Neal",
    "Jean-Claude Van Damme",
    "J. K. Rowling",
    "Coca-Cola",
    "AT&T",
    "O'Neill's brother",
    "the U.S.-led coalition",
)
# Ways in which words joined with spaces would spell them.
MISSPELT = (" - ", " 's", " & ", "K .", "n 't")


@pytest.fixture(scope="module")
def text() -> str:
    return "\n\n".join(f"{name} visited St. John's in 2010. The mayor praised {name} there." for name in NAMES)


@pytest.mark.parametrize("form", ["table", "jsonl", "tab"])
def test_every_format_spells_names_as_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, form: str
) -> None:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    outcome = run(capsys, "extract", tmp_path / "text.txt", "--extractor", "rules", "--format", form)
    assert outcome.status == 0
    shown = outcome.out
    if form == "jsonl":
        rows = [json.loads(line) for line in shown.splitlines()]
        parts = [part["text"] for row in rows for part in (row["arg1"], *row["args"])]
        assert not [name for name in NAMES if name not in parts]
        shown = "\n".join(parts)
    assert not [name for name in NAMES if name not in shown]
    assert not [wrong for wrong in MISSPELT if wrong in shown]


def test_a_pronoun_stands_for_the_name_as_written() -> None:
    text = "Nazanin Zaghari-Ratcliffe praised Oslo. She left the country in 2010."
    resolved = [part.resolved for found in tupelo.load().extract(text) for part in found.arguments if part.resolved]
    assert set(resolved) == {"Nazanin Zaghari-Ratcliffe"}


def test_words_that_a_line_break_divides_are_whole() -> None:
    text = "The commit-\ntee praised the long-\nterm plans of Ann Zaghari-\nRatcliffe in the capital of Iran."
    parsed = tupelo.load(extractor="rules")
    (analysis,) = parsed.analyze(text)
    committee = analysis.words[1]
    assert (committee.text, text[committee.start : committee.end]) == ("committee", "commit-\ntee")
    parts = [part for found in parsed.extract(text) for part in found.arguments]
    assert "The committee" in [part.text for part in parts]
    assert any("long-term plans of Ann Zaghari-Ratcliffe" in part.text for part in parts)
    assert all(is_true_to(part, found.sentence) for found in parsed.extract(text) for part in found.arguments)


def test_graphs_and_clusters_spell_names_as_written(tmp_path: Path, text: str) -> None:
    with tupelo.Graph.build({"note": text}, tmp_path / "kg.duckdb", nlp=tupelo.load(extractor="rules")) as kg:
        nodes = set(kg.sql("SELECT name FROM entities").to_arrow().column("name").to_pylist())
    assert not [name for name in NAMES if name.removeprefix("the ") not in nodes]
    tuples = list(tupelo.load(extractor="rules").extract(text))
    names = {cluster.name for cluster in tupelo.canonicalize(tuples).clusters}
    assert not [wrong for wrong in MISSPELT for name in (*nodes, *names) if wrong in name]
