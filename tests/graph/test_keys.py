from __future__ import annotations

import pytest

from tupelo.graph.keys import entity_key, mention_key
from tupelo.nlp.languages.en.pronouns import UNNAMING_PRONOUNS


@pytest.mark.parametrize("pronoun", sorted(UNNAMING_PRONOUNS))
def test_unresolved_pronouns_differ_from_sentence_to_sentence(pronoun):
    assert mention_key(pronoun.title(), None, None, "s1") != mention_key(pronoun, None, None, "s2")
    assert mention_key(pronoun, "Ann Lee", "person", "s1") == entity_key("Ann Lee", None, "person")


def test_names_do_not_depend_on_their_sentence():
    assert mention_key("the Mill", None, None, "s1") == mention_key("Mill", None, None, "s2") == "mill"


@pytest.mark.parametrize(
    ("text", "resolved", "kind", "key"),
    [
        ("Mayor Ola Brekke", None, "person", "ola brekke"),
        ("Prime Minister Ola Brekke", None, "person", "ola brekke"),
        ("Lt. Gov. Ola Brekke", None, "person", "ola brekke"),
        ("she", "Mayor Ola Brekke", None, "ola brekke"),
        ("the President", None, "person", "president"),
        ("Queen Victoria", None, "person", "queen victoria"),
        ("Major League", None, "organization", "major league"),
        ("the general public", None, None, "general public"),
    ],
)
def test_titles_are_not_part_of_a_name(text, resolved, kind, key):
    assert entity_key(text, resolved, kind) == key
