from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Analysis, Constituent, FormatError, InputError, Word
from tupelo.io import brackets
from tupelo.io.lines import Lines


def read(text: str) -> list[Analysis]:
    return list(brackets.read(Lines(text.splitlines(keepends=True), "trees.ptb")))


def test_a_tree_is_its_phrases_in_pre_order() -> None:
    (analysis,) = read("(ROOT (S (NP (PRP He))\n   (VP (VBD ate) (NP (NN soup)))\n   (. .)))")
    assert [(part.label, part.start, part.end) for part in analysis.constituents or ()] == [
        ("ROOT", 0, 4),
        ("S", 0, 4),
        ("NP", 0, 1),
        ("VP", 1, 3),
        ("NP", 2, 3),
    ]
    assert [(word.text, word.xpos) for word in analysis.words] == [
        ("He", "PRP"),
        ("ate", "VBD"),
        ("soup", "NN"),
        (".", "."),
    ]
    assert brackets.bracketed(analysis) == "(ROOT (S (NP (PRP He)) (VP (VBD ate) (NP (NN soup))) (. .)))"


def test_unary_chains_keep_their_order() -> None:
    line = "(ROOT (S (VP (VB Go))))"
    assert brackets.bracketed(read(line)[0]) == line


def test_empty_elements_are_dropped_with_the_phrases_that_hold_nothing_else() -> None:
    (analysis,) = read("( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))")
    assert brackets.bracketed(analysis) == "(ROOT (S (VP (VB Go))))"


def test_brackets_in_words_are_escaped() -> None:
    analysis = Analysis("(", (Word("(", 0, 1, xpos="-LRB-"),), constituents=(Constituent("ROOT", 0, 1),))
    assert brackets.bracketed(analysis) == "(ROOT (-LRB- -LRB-))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(S (NP (NN dog))\n",
            r"trees\.ptb:1: the tree that starts on line 1 does not end, expected as many '\)' as",
        ),
        ("dog (S)\n", r"trees\.ptb:1: 'dog', expected '\(', the start of a tree"),
        ("(S (NN dog)\n(NN))\n", r"trees\.ptb:2: a bracket without a word"),
        ("(S (NN dog) cat)\n", r"trees\.ptb:1: the word 'cat' without a tag of its own"),
        ("(S (NN big dog))\n", r"trees\.ptb:1: 3 words under one tag"),
        ("(S (NN dog (NN cat)))\n", r"trees\.ptb:1: '\(' after the word 'dog'"),
    ],
)
def test_a_faulty_tree_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(text)


def test_a_sentence_without_a_tree_cannot_be_written() -> None:
    with pytest.raises(InputError, match="no constituents for 'Go'"):
        brackets.bracketed(Analysis("Go", (Word("Go", 0, 2),)))


def test_a_tree_of_any_depth_is_read_and_written() -> None:
    line = "(X " * 5000 + "(NN deep)" + ")" * 5000
    assert brackets.bracketed(read(line)[0]) == line


nested = st.recursive(
    st.sampled_from(["(NN dog)", "(VB go)", "(. .)"]),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(NP {' '.join(parts)})"),
    max_leaves=12,
).filter(lambda tree: tree.startswith("(NP"))


@given(nested)
def test_reading_and_writing_a_tree_changes_nothing(tree: str) -> None:
    assert brackets.bracketed(read(tree)[0]) == tree
