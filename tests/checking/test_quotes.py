"""Quotation marks of every keyboard mean the same, and texts are shown as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.api.checking import Checker
from tupelo.nlp.subwords import straight


@given(st.text(alphabet=st.sampled_from("ab `'\"“”‘’«»„‚\n")))
def test_no_character_moves(text: str) -> None:
    made = straight(text)
    assert len(made) == len(text)
    assert not set(made) & set("`“”‘’«»„‚")
    letters = [(place, letter) for place, letter in enumerate(text) if letter in "ab\n"]
    assert [(place, letter) for place, letter in enumerate(made) if letter in "ab\n"] == letters


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


@pytest.mark.model
@pytest.mark.parametrize("written", ["``It was Tom,'' said Rosa.", "“It was Tom,” said Rosa."])
def test_other_marks_change_no_verdict(checker: Checker, written: str) -> None:
    source = "“It was Tom,” said Rosa. She’d seen him in Oslo."
    checked = checker(written, source)
    plain = checker('"It was Tom," said Rosa.', source)
    assert [claim.verdict for claim in checked.claims] == [claim.verdict for claim in plain.claims]
    assert checked.score == pytest.approx(plain.score, abs=1e-6)
    assert "".join(sentence.text for sentence in checked.sentences) == written
    assert checked.source[0].text.startswith("“It was Tom,”")
