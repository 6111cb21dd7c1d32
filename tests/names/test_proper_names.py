"""The names of a sentence, at its ends too."""

from __future__ import annotations

import pytest

from tests.parses import parsed
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
