"""Relation phrases without a parser: base forms, and the properties of a phrase."""

from __future__ import annotations

import pytest

from tupelo.relations.phrases import base_form, base_relation, read_phrase


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("did not join", "negated", True),
        ("didn't join", "negated", True),
        ("joined", "negated", False),
        ("may cause", "weak", True),
        ("must cause", "weak", False),
        ("was built by", "passive", True),
        ("is the author of", "passive", False),
        ("is the author of", "copular", True),
        ("built", "past", True),
        ("builds", "past", False),
        ("began to compose", "staged", True),
        ("is used in", "preposition", "in"),
        ("uses", "preposition", None),
        ("has been widely used in", "content", ("widely", "use")),
        ("is in", "content", ("be", "in")),
    ],
)
def test_phrases_are_taken_apart(text, field, value):
    assert getattr(read_phrase(text), field) == value


@pytest.mark.parametrize(
    ("forms", "base"),
    [
        (("was born in", "is born in", "had been born in", "be bear in"), "be bear in"),
        (("causes", "may cause", "has caused", "did cause", "is causing", "had been causing"), "cause"),
        (("is being used by", "was used by"), "be use by"),
        (("does not cause", "could not cause", "has not caused"), "not cause"),
        (("has", "had a"), "have"),
        (("did in", "does in"), "do in"),
        (("may", "may"), "may"),
    ],
)
def test_forms_of_a_relation_are_one(forms, base):
    assert {base_relation(form) for form in forms} == {base}


def test_base_forms():
    words = "kills was composed using countries in thing having studied"
    assert [base_form(word) for word in words.split()] == [
        "kill",
        "be",
        "compose",
        "use",
        "country",
        "in",
        "thing",
        "have",
        "study",
    ]
