"""Directions in which a relation may answer for another one."""

from __future__ import annotations

import pytest

from tupelo.core.entailment import RelationSignature
from tupelo.relations.roles import directions


@pytest.mark.parametrize(
    ("asked", "offered", "allowed"),
    [
        ("founded", "established", [False]),
        ("founded", "was founded by", [True]),
        ("founded", "was founded in", []),
        ("wrote", "wrote for", []),
        ("was born in", "was born at", [False]),
        ("killed", "died in", []),
        ("bought", "sold", []),
        ("bought", "tried to buy", []),
        ("bought", "did not buy", []),
        ("is member of", "has members", []),
        ("bought", "is owned by", [False, True]),
    ],
)
def test_words_decide_in_which_direction_a_relation_may_answer(asked, offered, allowed):
    found = directions(RelationSignature(offered), RelationSignature(asked))
    assert [turned for turned, _ in found] == allowed


def test_types_decide_before_voice():
    person, firm = frozenset({"person"}), frozenset({"organization"})
    works = RelationSignature("works for", person, firm)
    assert list(directions(RelationSignature("employs", firm, person), works)) == [(True, False)]
    assert list(directions(RelationSignature("is employed by", person, firm), works)) == [(False, False)]
    assert list(directions(RelationSignature("sued", firm, firm), works)) == []
