"""Rules between relations: every figure counted by hand."""

from __future__ import annotations

import pytest

import tupelo
from tupelo.api.canonical import mine_rules
from tupelo.core import InputError
from tupelo.relations.rules import RuleOptions

# Who was born where, where places are, and where people come from. Dag's country is unknown, Cem's is not the one of
# his birth.
BIRTHS = [
    ("ann", "born in", "oslo"),
    ("bo", "born in", "lima"),
    ("cem", "born in", "bonn"),
    ("dag", "born in", "oslo"),
    ("oslo", "in", "norway"),
    ("lima", "in", "peru"),
    ("bonn", "in", "germany"),
    ("ann", "from", "norway"),
    ("bo", "from", "peru"),
    ("cem", "from", "turkey"),
]


def rule_of(text: str, facts: list[tuple[str, str, str]], **options: float) -> tuple[float, ...] | None:
    for rule in mine_rules(facts, **options):
        if str(rule) == text:
            return rule.support, rule.head_coverage, rule.confidence, rule.pca_confidence
    return None


def test_a_path_of_two_relations():
    # The path leads from four people to a country; two of them, of three known, come from there.
    found = rule_of("born in(x, z) & in(z, y) => from(x, y)", BIRTHS)
    assert found == (2, pytest.approx(2 / 3), pytest.approx(2 / 4), pytest.approx(2 / 3))


def test_atoms_turned_round():
    born = [(o, "birthplace of", s) if r == "born in" else (s, r, o) for s, r, o in BIRTHS]
    found = rule_of("birthplace of(z, x) & in(z, y) => from(x, y)", born)
    assert found == (2, pytest.approx(2 / 3), pytest.approx(2 / 4), pytest.approx(2 / 3))
    both = [(o, "holds", s) if r == "in" else (s, r, o) for s, r, o in born]
    found = rule_of("birthplace of(z, x) & holds(y, z) => from(x, y)", both)
    assert found == (2, pytest.approx(2 / 3), pytest.approx(2 / 4), pytest.approx(2 / 3))


def test_an_inverse_relation():
    facts = [("ann", "teaches", "bo"), ("ann", "teaches", "cem"), ("dag", "teaches", "eli")]
    facts += [("bo", "taught by", "ann"), ("cem", "taught by", "ann"), ("bo", "taught by", "dag")]
    # Two of three pairs. Of `teaches` there are more objects than subjects, so it is y that must be known: (dag, bo)
    # counts, since someone teaches bo.
    assert rule_of("taught by(y, x) => teaches(x, y)", facts) == (2, 2 / 3, 2 / 3, 2 / 3)
    # `taught by` has three pairs, two subjects and two objects: x must be known, and nobody teaches eli.
    assert rule_of("teaches(y, x) => taught by(x, y)", facts) == (2, 2 / 3, 2 / 3, 1.0)
    assert rule_of("teaches(x, y) => taught by(x, y)", facts) is None


def test_the_more_functional_direction_decides_what_is_known():
    # One writer, many books: whether a book has a known writer decides, not whether the writer has a known book.
    facts = [("ann", "wrote", f"book {number}") for number in range(3)]
    facts += [("ann", "edited", "book 0"), ("ann", "edited", "book 1"), ("ann", "edited", "diary")]
    assert rule_of("edited(x, y) => wrote(x, y)", facts) == (2, 2 / 3, 2 / 3, 1.0)


def test_limits_leave_rules_out():
    text = "born in(x, z) & in(z, y) => from(x, y)"
    assert rule_of(text, BIRTHS, atoms=1) is None
    assert rule_of(text, BIRTHS, min_support=3) is None
    assert rule_of(text, BIRTHS, min_head_coverage=0.7) is None
    assert rule_of(text, BIRTHS, min_confidence=0.7) is None
    assert rule_of(text, BIRTHS, min_head_coverage=0.66, min_confidence=0.66) is not None
    with pytest.raises(InputError, match="bodies of 3 atoms, expected 1 or 2"):
        RuleOptions(atoms=3)


def test_a_fact_counts_once_whatever_its_case():
    twice = [*BIRTHS, ("Ann", "Born  in", "Oslo"), ("ANN", "from", "Norway")]
    assert mine_rules(twice).rules == mine_rules(BIRTHS).rules


def test_relations_that_imply_each_other_are_equal():
    facts = [(who, relation, "oslo") for who in ("ann", "bo") for relation in ("lives in", "resides in")]
    facts += [("cem", "lives in", "lima"), ("cem", "resides in", "rome")]
    found = mine_rules(facts, atoms=1)
    assert found.equal == [("lives in", "resides in", pytest.approx(2 / 3))]
    assert found.likely_equal == []


def test_relations_that_follow_from_the_same_path_are_likely_equal():
    facts = [*BIRTHS, ("ann", "citizen of", "norway"), ("bo", "citizen of", "peru")]
    assert ("citizen of", "from", pytest.approx(1.0 * 2 / 3)) in mine_rules(facts).likely_equal


def test_paths_are_a_source_of_side_information():
    facts = [*BIRTHS, ("ann", "holds the passport of", "norway"), ("bo", "holds the passport of", "peru")]
    chosen = {"words": 0, "rules": 0, "paths": 5, "side": 5, "structure": 0, "epochs": 200}

    def together(**other: float) -> bool:
        found = tupelo.canonicalize(facts, "side", tasks=["rpc"], threshold=0.5, settings={**chosen, **other})
        return any({"from", "holds the passport of"} <= set(cluster.forms) for cluster in found.relations)

    assert together()
    assert not together(paths=0)
