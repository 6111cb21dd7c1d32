"""Which name an argument is, and what only describes it."""

from __future__ import annotations

import pytest

from tupelo.core import Analysis, Argument, Entity, Word
from tupelo.extract.stages import named


def analysis(tagged: str, *entities: Entity) -> Analysis:
    """`word/UPOS/XPOS` for every word, single spaces between them."""
    words, at = [], 0
    for item in tagged.split():
        text, upos, xpos = item.split("/")
        words.append(Word(text, at, at + len(text), upos=upos, xpos=xpos))
        at += len(text) + 1
    return Analysis(" ".join(word.text for word in words), tuple(words), entities=entities)


@pytest.mark.parametrize(
    ("tagged", "entity", "expected"),
    [
        ("the/DET/DT company/NOUN/NN Nordlys/PROPN/NNP", Entity("organization", 2, 3), ("organization", "Nordlys")),
        (
            "former/ADJ/JJ captain/NOUN/NN Ole/PROPN/NNP Berg/PROPN/NNP",
            Entity("person", 2, 4),
            ("person", "Ole Berg"),
        ),
        ("the/DET/DT Hague/PROPN/NNP", Entity("place", 1, 2), ("place", None)),
        ("northern/ADJ/JJ Italy/PROPN/NNP", Entity("place", 1, 2), (None, None)),
        ("young/ADJ/JJ voter/NOUN/NN Americans/PROPN/NNPS", Entity("person", 2, 3), (None, None)),
        ("mayor/NOUN/NN of/ADP/IN Nordlys/PROPN/NNP", Entity("organization", 2, 3), (None, None)),
        ("Nordlys/PROPN/NNP shares/NOUN/NNS", Entity("organization", 0, 1), (None, None)),
        ("new/ADJ/JJ Nordlys/PROPN/NNP", Entity("organization", 1, 2), (None, None)),
    ],
)
def test_a_name_with_a_description_before_it_is_that_name(tagged, entity, expected):
    sentence = analysis(tagged, entity)
    part = Argument(sentence.text, tokens=tuple(range(len(sentence.words))))
    assert named(part, sentence) == expected
