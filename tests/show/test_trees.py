from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from tupelo.core import Analysis, Constituent, Entity, InputError, Word
from tupelo.show.trees import draw

DOGS = Analysis(
    "Dogs chase <cats>\x00",
    (
        Word("Dogs", 0, 4, upos="NOUN", xpos="NNS", head=1, deprel="nsubj"),
        Word("chase", 5, 10, upos="VERB", xpos="VBP", deprel="root"),
        Word("<cats>\x00", 11, 18, upos="NOUN", xpos="NNS", head=1, deprel="obj"),
    ),
    constituents=(Constituent("S", 0, 3), Constituent("NP", 0, 1), Constituent("VP", 1, 3), Constituent("NP", 2, 3)),
    entities=(Entity("person", 0, 1),),
)


def texts(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_is_well_formed_and_shows_words_tags_relations_phrases_and_entities() -> None:
    shown = texts(draw(DOGS))
    assert {
        "Dogs",
        "chase",
        "<cats>\ufffd",
        "NOUN",
        "VERB",
        "nsubj",
        "obj",
        "root",
        "S",
        "NP",
        "VP",
        "person",
    } <= set(shown)
    assert shown.count("NP") == 2


def test_each_tree_can_be_drawn_alone() -> None:
    assert "nsubj" not in texts(draw(DOGS, dependencies=False))
    assert "VP" not in texts(draw(DOGS, constituents=False))


def test_a_sentence_without_trees_is_refused() -> None:
    bare = Analysis("Dogs", (Word("Dogs", 0, 4),))
    with pytest.raises(InputError, match="expected a sentence with dependencies or constituents"):
        draw(bare)
    with pytest.raises(InputError, match="at least one word"):
        draw(Analysis("", ()))


def test_the_picture_holds_everything_that_is_drawn() -> None:
    root = ElementTree.fromstring(draw(replace(DOGS, constituents=None)))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(element.attrib["x"]) <= width
        assert 0 <= float(element.attrib["y"]) <= height
