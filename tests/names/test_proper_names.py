"""The names of a sentence, at its ends too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.parses import parsed
from tupelo.core import Entity
from tupelo.names.proper_names import proper_names
from tupelo.nlp.syntax import DependencyTree


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Cuisine/cuisine/NOUN/0/root :/:/PUNCT/1/punct Italian/Italian/ADJ/1/appos", ["Italian"]),
        ("They/they/PRON/2/nsubj eat/eat/VERB/0/root Italian/Italian/ADJ/2/obj", ["Italian"]),
        (
            "Thu/Thu/PROPN/0/root Mar/Mar/PROPN/1/flat 2010/2010/NUM/1/nummod Aleksey/Aleksey/PROPN/1/flat",
            ["Thu Mar"],
        ),
    ],
)
def test_the_first_and_the_last_word_of_a_sentence_may_be_names(sentence: str, names: list[str]) -> None:
    assert [name.text for name in proper_names(DependencyTree(parsed(sentence)))] == names


def test_a_capitalized_modifier_before_a_name_belongs_to_it() -> None:
    tree = DependencyTree(
        parsed(
            "We/we/PRON/2/nsubj saw/see/VERB/0/root Rolling/roll/VERB/5/amod Big/big/PROPN/5/compound "
            "Hills/Hill/PROPN/2/obj"
        )
    )
    assert [name.text for name in proper_names(tree)] == ["Rolling Big Hills"]


@pytest.mark.parametrize(
    ("sentence", "entity", "name"),
    [
        (
            "Pope/Pope/PROPN/4/nsubj John/John/PROPN/1/flat Paul/Paul/PROPN/1/flat II/II/PROPN/1/flat "
            "died/die/VERB/0/root",
            Entity("person", 0, 4),
            "Pope John Paul II",
        ),
        (
            "They/they/PRON/2/nsubj sang/sing/VERB/0/root ``/``/PUNCT/6/punct Your/your/PRON/5/nmod:poss "
            "Disco/disco/NOUN/6/nsubj Needs/need/VERB/2/ccomp You/you/PRON/6/obj ''/''/PUNCT/6/punct",
            Entity("work", 4, 5),
            "Your Disco Needs You",
        ),
        (
            "The/the/DET/3/det 24th/24th/ADJ/3/amod Division/Division/PROPN/4/nsubj left/leave/VERB/0/root",
            Entity("organization", 2, 3),
            "24th Division",
        ),
        (
            "The/the/DET/4/det Railroad/Railroad/PROPN/3/compound Revival/Revival/PROPN/4/compound "
            "Tour/Tour/PROPN/5/nsubj began/begin/VERB/0/root",
            Entity("event", 1, 3),
            "Railroad Revival Tour",
        ),
        (
            "Former/former/ADJ/3/amod Labour/Labour/PROPN/3/compound Minister/minister/NOUN/4/nsubj "
            "left/leave/VERB/0/root",
            Entity("organization", 1, 2),
            "Labour",
        ),
    ],
)
def test_a_name_is_read_with_words_that_the_recogniser_missed(sentence: str, entity: Entity, name: str) -> None:
    tree = DependencyTree(replace(parsed(sentence), entities=(entity,)))
    assert [one.text for one in proper_names(tree)] == [name]


def test_a_nickname_in_quotation_marks_is_part_of_a_name() -> None:
    tree = DependencyTree(
        replace(
            parsed(
                "Robert/Robert/PROPN/8/nsubj (/(/PUNCT/4/punct ``/``/PUNCT/4/punct Bob/Bob/PROPN/1/appos "
                "''/''/PUNCT/4/punct )/)/PUNCT/4/punct Lee/Lee/PROPN/1/flat spoke/speak/VERB/0/root"
            ),
            entities=(Entity("person", 0, 1), Entity("person", 3, 4), Entity("person", 6, 7)),
        )
    )
    assert [(one.start, one.end, one.label) for one in proper_names(tree)] == [(0, 7, "person")]


def test_a_name_may_begin_with_a_small_letter() -> None:
    tree = DependencyTree(
        replace(parsed("eBay/eBay/PROPN/2/nsubj grew/grow/VERB/0/root"), entities=(Entity("organization", 0, 1),))
    )
    assert [one.text for one in proper_names(tree)] == ["eBay"]


def test_a_country_of_two_names_is_one() -> None:
    tree = DependencyTree(
        replace(
            parsed(
                "Bosnia/Bosnia/PROPN/4/nsubj and/and/CCONJ/3/cc Herzegovina/Herzegovina/PROPN/1/conj "
                "voted/vote/VERB/0/root"
            ),
            entities=(Entity("place", 0, 1), Entity("place", 2, 3)),
        )
    )
    assert [(one.text, one.label) for one in proper_names(tree)] == [("Bosnia and Herzegovina", "place")]
