"""Which arguments say when, which say where, and which say neither."""

from __future__ import annotations

import pytest

from tests.extract.parsed import parsed
from tupelo.core import Entity
from tupelo.extract.parts import role_of


def phrase(preposition: str, noun: str, upos: str = "NOUN", label: str | None = None) -> str | None:
    """The role of *PREPOSITION NOUN* in *Ann slept PREPOSITION NOUN*."""
    entities = (Entity(label, 3, 4),) if label else ()
    sentence = parsed(
        f"Ann slept {preposition} {noun}",
        "Ann Ann PROPN NNP 2 nsubj",
        "slept sleep VERB VBD 0 root",
        f"{preposition} {preposition} ADP IN 4 case",
        f"{noun} {noun.lower()} {upos} NN 2 obl",
        entities=entities,
    )
    return role_of(sentence, (2, 3))


@pytest.mark.parametrize(
    ("preposition", "noun"),
    [
        ("in", "1891"),
        ("in", "May"),
        ("at", "noon"),
        ("during", "lunch"),
        ("until", "dawn"),
        ("by", "Monday"),
        ("in", "1990s"),
    ],
)
def test_times_are_known_by_their_words(preposition: str, noun: str) -> None:
    assert phrase(preposition, noun) == "time"


def test_a_date_is_a_time_whatever_its_words() -> None:
    assert phrase("on", "Michaelmas", label="datetime") == "time"
    assert phrase("on", "Michaelmas") is None


@pytest.mark.parametrize("preposition", ["in", "at", "near", "from", "through"])
def test_named_places_after_a_preposition_of_place_are_locations(preposition: str) -> None:
    assert phrase(preposition, "Oslo", "PROPN", "place") == "location"


@pytest.mark.parametrize(("preposition", "noun"), [("with", "Oslo"), ("about", "Oslo"), ("as", "Oslo")])
def test_other_prepositions_make_no_location_of_a_place(preposition: str, noun: str) -> None:
    assert phrase(preposition, noun, "PROPN", "place") is None


def test_other_nouns_have_no_role() -> None:
    assert phrase("with", "joy") is None
    assert phrase("in", "silence") is None


@pytest.mark.parametrize(("adverb", "role"), [("yesterday", "time"), ("here", "location"), ("quietly", None)])
def test_adverbs_of_time_and_place_are_known(adverb: str, role: str | None) -> None:
    sentence = parsed(
        f"Ann slept {adverb}",
        "Ann Ann PROPN NNP 2 nsubj",
        "slept sleep VERB VBD 0 root",
        f"{adverb} {adverb} ADV RB 2 advmod",
    )
    assert role_of(sentence, (2,)) == role


def test_a_clause_after_when_is_a_time() -> None:
    sentence = parsed(
        "Ann slept when Bob left",
        "Ann Ann PROPN NNP 2 nsubj",
        "slept sleep VERB VBD 0 root",
        "when when SCONJ WRB 5 mark",
        "Bob Bob PROPN NNP 5 nsubj",
        "left leave VERB VBD 2 advcl",
    )
    assert role_of(sentence, (2, 3, 4)) == "time"


def test_a_subject_has_no_role() -> None:
    sentence = parsed(
        "Oslo sleeps",
        "Oslo Oslo PROPN NNP 2 nsubj",
        "sleeps sleep VERB VBZ 0 root",
        entities=(Entity("place", 0, 1),),
    )
    assert role_of(sentence, (0,)) is None
    assert role_of(sentence, ()) is None


@pytest.mark.parametrize(
    ("opening", "role"),
    [
        ("to", "purpose"),
        ("that", "result"),
        ("because", "reason"),
        ("by", "means"),
        ("when", "time"),
        ("where", "location"),
        ("as", None),
    ],
)
def test_clauses_say_when_where_what_for_why_and_how_by_their_opening(opening: str, role: str | None) -> None:
    sentence = parsed(
        f"Ann slept {opening} dream",
        "Ann Ann PROPN NNP 2 nsubj",
        "slept sleep VERB VBD 0 root",
        f"{opening} {opening} SCONJ IN 4 mark",
        "dream dream VERB VB 2 advcl",
    )
    assert role_of(sentence, (2, 3)) == role


def test_an_adverb_within_a_clause_opens_nothing() -> None:
    sentence = parsed(
        "Ann stayed because Bob once lived",
        "Ann Ann PROPN NNP 2 nsubj",
        "stayed stay VERB VBD 0 root",
        "because because SCONJ IN 6 mark",
        "Bob Bob PROPN NNP 6 nsubj",
        "once once ADV RB 6 advmod",
        "lived live VERB VBD 2 advcl",
    )
    assert role_of(sentence, (2, 3, 4, 5)) == "reason"
