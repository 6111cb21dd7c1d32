"""Tags to mentions, mentions to entities."""

from __future__ import annotations

import numpy as np
import pytest

from tupelo.factmodels.pairs import (
    BEGINNING,
    ENDING,
    EQUAL,
    INITIALS,
    NOTHING,
    PART,
    PEOPLE,
    TAGGED,
    TAGS,
    WORD,
    alike,
    entities_of,
    likeness,
)


def scores(*rows):
    table = np.zeros((len(rows), len(TAGS)))
    for place, row in enumerate(rows):
        for tag, value in row.items():
            table[place, TAGS.index(tag)] = value
    return table


def test_a_later_word_follows_a_first_one():
    tagged = TAGGED.spans(scores({"I-PER": 5, "B-PER": 4}, {"I-PER": 3}, {"O": 1}, {"I-LOC": 2, "B-LOC": 1.5}))
    assert tagged == [("PER", 0, 2), ("LOC", 3, 4)]


def test_types_do_not_change_within_a_mention():
    assert TAGGED.spans(scores({"B-PER": 3}, {"I-ORG": 2, "I-PER": 1.5})) == [("PER", 0, 2)]


def test_neighbours_are_two_mentions():
    assert TAGGED.spans(scores({"B-LOC": 2}, {"B-LOC": 2})) == [("LOC", 0, 1), ("LOC", 1, 2)]


def test_no_words():
    assert TAGGED.spans(scores()) == []
    assert entities_of([], []) == ([], [])


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("Ada Lovelace", "ADA LOVELACE", EQUAL),
        ("Ada", "Ada Lovelace", BEGINNING),
        ("Lovelace", "Ada Lovelace", ENDING),
        ("Lovelace King", "Ada Lovelace Noel King", PART),
        ("Oslo University", "University Hospital", WORD),
        ("U.N.", "United Nations", INITIALS),
        ("French", "France", PEOPLE),
        ("New Zealand", "New Zealander", PEOPLE),
        ("Oslo", "Bergen", NOTHING),
    ],
)
def test_likeness(one, two, expected):
    assert likeness(one.split(), two.split()) == expected
    assert likeness(two.split(), one.split()) == expected


def test_types_count():
    found = alike([(("Paris",), "LOC"), (("Paris",), "PER"), (("Paris",), "LOC")])
    assert found.tolist() == [[3, 2, 3], [2, 3, 2], [3, 2, 3]]


def test_equal_words_are_one_entity_whatever_the_links():
    assert entities_of([(("Oslo",), "LOC"), (("oslo",), "LOC")], [(0, 1, 0.0)]) == ([0, 0], ["LOC"])


def test_forms_are_joined_while_they_are_linked_on_average():
    mentions = [(("Ann", "Lee"), "PER"), (("Lee",), "PER"), (("Tom", "Lee"), "PER")]
    links = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.05)]
    assert entities_of(mentions, links) == ([0, 0, 1], ["PER", "PER"])
    assert entities_of(mentions, [(0, 1, 0.9), (1, 2, 0.8)]) == ([0, 0, 0], ["PER"])


def test_the_most_frequent_type_is_the_entitys():
    mentions = [(("Lee",), "ORG"), (("Lee",), "PER"), (("Ann", "Lee"), "PER")]
    assert entities_of(mentions, [(2, 0, 0.7), (2, 1, 0.6)]) == ([0, 0, 0], ["PER"])
