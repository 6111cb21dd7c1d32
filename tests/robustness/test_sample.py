"""Target parses from a parallel corpus."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import InputError
from tupelo.robustness.sample import SyntaxSampler, parse_string, weighted_rouge
from tupelo.robustness.trees import ConstituencyTree

PLAIN = ConstituencyTree(("S", "NP", "PRP", "VP", "VBD", "NP", "DT"), ((1, 3), (2,), (), (4, 5), (), (6,), ()))
FRONTED = ConstituencyTree(("S", "PP", "NP", "VP", "VBD"), ((1, 2, 3), (), (), (4,), ()))
CLEFT = ConstituencyTree(("S", "NP", "VP", "SBAR"), ((1, 2), (), (3,), ()))


def test_a_parse_string_has_labels_down_to_the_height() -> None:
    assert parse_string(PLAIN, 3) == "(S (NP (PRP)) (VP (VBD) (NP)))"
    assert parse_string(PLAIN, 1) == "(S)"


def test_weighted_rouge_by_hand() -> None:
    # ( S ( NP ) ( VP ) ) has 9 pieces, ( S ( NP ) ) has 6, and all of them in order are in the longer one.
    one, other = "(S (NP) (VP))", "(S (NP))"
    first = 2 * (6 / 9) * (6 / 6) / (6 / 9 + 6 / 6)
    # Of the 5 pairs of the shorter one only ") )" comes later in the longer one, which has it too.
    second = 2 * (5 / 8) * (5 / 5) / (5 / 8 + 5 / 5)
    longest = 2 * 6 / (9 + 6)
    assert weighted_rouge(one, other) == pytest.approx(0.2 * first + 0.3 * second + 0.5 * longest)


@given(st.sampled_from([PLAIN, FRONTED, CLEFT]), st.sampled_from([PLAIN, FRONTED, CLEFT]))
def test_weighted_rouge_is_one_for_equal_parses_only(one: ConstituencyTree, other: ConstituencyTree) -> None:
    value = weighted_rouge(parse_string(one), parse_string(other))
    assert 0 <= value <= 1 + 1e-9
    assert (value == pytest.approx(1)) == (one == other)


def test_the_nearest_source_comes_first() -> None:
    sampler = SyntaxSampler([(FRONTED, CLEFT), (PLAIN, CLEFT)], sources=1)
    assert sampler.nearest(PLAIN) == [parse_string(PLAIN)]
    assert sampler.nearest(FRONTED) == [parse_string(FRONTED)]


def test_targets_are_drawn_by_how_often_they_stand_beside_the_source() -> None:
    pairs = [(PLAIN, CLEFT)] * 9 + [(PLAIN, FRONTED)]
    counts: Counter[str] = Counter()
    for seed in range(300):
        drawn = SyntaxSampler(pairs, sources=1, targets=1, seed=seed).draw(PLAIN)
        counts[drawn[0].parse] += 1
    # 270 of 300 on average, with a standard deviation of 5.2.
    assert 245 <= counts[parse_string(CLEFT)] <= 290
    assert counts.total() == 300


def test_no_target_is_drawn_twice_and_shares_are_those_of_the_corpus() -> None:
    pairs = [(PLAIN, CLEFT)] * 3 + [(PLAIN, FRONTED)] + [(FRONTED, CLEFT)]
    drawn = SyntaxSampler(pairs).draw(PLAIN)
    assert len({target.parse for target in drawn}) == len(drawn) == 2
    assert {target.parse: target.share for target in drawn if target.source == parse_string(PLAIN)} == {
        parse_string(CLEFT): 3 / 4,
        parse_string(FRONTED): 1 / 4,
    }


def test_ten_paraphrases_come_from_two_sources() -> None:
    targets = [ConstituencyTree(("S", f"X{number}"), ((1,), ())) for number in range(20)]
    pairs = [(source, target) for source in (PLAIN, FRONTED) for target in targets]
    drawn = SyntaxSampler(pairs, seed=3).draw(PLAIN)
    # Five each; one that both sources have is asked for once.
    assert 5 <= len(drawn) <= 10
    assert drawn == SyntaxSampler(pairs, seed=3).draw(PLAIN)
    assert drawn != SyntaxSampler(pairs, seed=4).draw(PLAIN)


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(InputError, match="without pairs"):
        SyntaxSampler([])
