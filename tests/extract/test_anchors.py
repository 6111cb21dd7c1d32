"""What a sentence names, counts and speaks of."""

from __future__ import annotations

import pytest

from tests.extract.linking import anchors_of
from tupelo.core import Analysis, Word
from tupelo.extract.anchors import find_anchors


def texts(text: str, kind: str) -> list[str]:
    return [anchor.text for anchor in anchors_of(text) if anchor.kind == kind]


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("President Barack Obama visited the University of Oslo.", ["Barack Obama", "University of Oslo"]),
        ("Kenya's Eliud Kipchoge won the Berlin Marathon.", ["Kenya", "Eliud Kipchoge", "Berlin Marathon"]),
        ("The Norwegian painter Edvard Munch lived in Berlin.", ["Norwegian", "Edvard Munch", "Berlin"]),
        ("The South African company bought Siemens.", ["South African", "Siemens"]),
        ("The mayor spoke with the President on Monday.", []),
        ("She won two medals at the 2008 Summer Olympics in Beijing.", ["2008 Summer Olympics", "Beijing"]),
        ("Ubisoft published Beyond Good and Evil.", ["Ubisoft", "Beyond Good and Evil"]),
    ],
)
def test_names_are_clean(text, names):
    assert texts(text, "name") == names


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("The old factory, which closed in 2009, made wooden toys (mostly trains).", ["old factory", "wooden toys"]),
        ("The government of Kenya signed an agreement.", ["government of Kenya", "agreement"]),
        ("He sold his boat.", ["boat"]),
        ("OSLO (Reuters) -Swedish troops found old weapons.", ["Swedish troops", "old weapons"]),
        ("The cost-of-living crisis hit poor families.", ["cost-of-living crisis", "poor families"]),
        ("Most butterflies need the most common plants.", ["butterflies", "common plants"]),
    ],
)
def test_concepts_are_trimmed_to_their_core(text, concepts):
    assert texts(text, "concept") == concepts


@pytest.mark.model
def test_a_value_takes_what_it_counts():
    assert texts("The station employs fourteen people and opened in March 2011.", "value") == [
        "fourteen people",
        "March 2011",
    ]


@pytest.mark.model
def test_clauses_and_quotations_are_statements():
    assert texts("Ola Brekke said that the council would buy the old cannery.", "statement") == [
        "the council would buy the old cannery"
    ]


@pytest.mark.model
def test_pronouns_are_no_concepts():
    assert texts("She sold it to them.", "concept") == []
    assert texts("She sold it to them.", "pronoun") == ["She", "it", "them"]


def test_a_sentence_that_nobody_parsed_has_no_anchors():
    assert find_anchors(Analysis("Oslo", (Word("Oslo", 0, 4),)), []) == []
