"""Occurrences of one wording that are two things."""

from __future__ import annotations

import numpy as np
import pytest

from tests.canon.mentions import mention
from tupelo.canon.context import Array
from tupelo.canon.forms import SenseEvidence, evidence_of, senses
from tupelo.core.canonical import Slot

TEXAS = mention(1, "Paris", "is a town in", "Texas")
FRANCE = mention(2, "Paris", "is the capital of", "France")
EUROPE = mention(3, "Paris", "is a city in", "Europe")
SILENT = mention(4, "Paris", "grew", "quickly")


def plain_vectors(count: int) -> Array:
    return np.eye(count, 8, dtype=np.float32)


@pytest.mark.parametrize(
    ("triple", "slot", "expected"),
    [
        (TEXAS, "subject", SenseEvidence(is_person=False, place="texas")),
        (SILENT, "subject", SenseEvidence()),
        (mention(1, "Jordan", "is a singer from", "Oslo"), "subject", SenseEvidence(is_person=True)),
        (mention(1, "Ann", "ate", "the apple"), "object", SenseEvidence(is_name=False)),
        (mention(1, "Ann", "left", "Apple"), "object", SenseEvidence(is_name=True)),
        # Countries win cups as people do.
        (mention(1, "Jordan", "was the winner of", "the cup"), "subject", SenseEvidence()),
    ],
)
def test_what_a_triple_says_of_a_thing(triple: object, slot: Slot, expected: SenseEvidence) -> None:
    assert evidence_of(triple, slot) == expected  # type: ignore[arg-type]


def test_lower_case_says_nothing_where_names_have_it_too() -> None:
    assert evidence_of(mention(1, "Ann", "met", "washington"), "object", cased=False) == SenseEvidence()


def test_towns_in_different_places_are_two_and_the_rest_follows_its_context() -> None:
    triples = [TEXAS, FRANCE, EUROPE, SILENT]
    vectors = plain_vectors(4)
    vectors[3] = vectors[1]
    evidence = [evidence_of(triple, "subject") for triple in triples]
    assert senses(["paris"] * 4, evidence, vectors.__getitem__).tolist() == [0, 1, 1, 1]


def test_one_odd_triple_of_many_makes_no_sense_of_its_own() -> None:
    evidence = [SenseEvidence(is_person=False), *[SenseEvidence(is_person=True)] * 10]
    assert not senses(["bill gates"] * 11, evidence, np.ones((11, 2), dtype=np.float32).__getitem__).any()
    assert senses(["bill gates"] * 2, evidence[:2], plain_vectors(2).__getitem__).tolist() == [0, 1]


def test_without_a_contradiction_a_wording_has_one_sense() -> None:
    evidence = [evidence_of(triple, "subject") for triple in (FRANCE, EUROPE, SILENT)]
    assert senses(["paris"] * 3, evidence, plain_vectors(3).__getitem__).tolist() == [0, 0, 0]
    assert not senses(
        ["paris", "oslo"], [SenseEvidence(True), SenseEvidence(False)], plain_vectors(2).__getitem__
    ).any()
