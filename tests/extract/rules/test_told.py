"""What a sentence says and what it does not say on its own.

`told.tsv` has one sentence a line, a part of a tuple that the rules must make, and one that no tuple may have.
`told.conllu` holds the parses, made by the shipped model.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.parsed import told
from tupelo.core import Analysis
from tupelo.io.conllu import ConlluParser

HERE = Path(__file__).parent
ROWS = [row.split("\t") for row in (HERE / "told.tsv").read_text(encoding="utf-8").splitlines()[1:]]


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    text = (HERE / "told.conllu").read_text(encoding="utf-8")
    return {analysis.text: analysis for analysis in ConlluParser().analyze(text)}


@pytest.mark.parametrize(("sentence", "expected", "unsaid"), ROWS, ids=[row[0] for row in ROWS])
def test_a_sentence_is_told_as_far_as_it_asserts(
    analyses: dict[str, Analysis], sentence: str, expected: str, unsaid: str
) -> None:
    found = told(analyses[sentence], shape="all")
    assert any(expected in line for line in found), found
    assert not unsaid or not any(unsaid.lower() in line.lower() for line in found), found
