from __future__ import annotations

import pytest

from tests.robustness.trees import tree
from tupelo.core import Analysis, InputError, Word
from tupelo.io.brackets import read
from tupelo.io.lines import Lines
from tupelo.robustness.trees import ConstituencyTree, plain_label, tree_of


def parsed(text: str) -> Analysis:
    return next(read(Lines([text])))


def test_a_tree_has_phrases_and_tags_but_neither_root_nor_words():
    found = tree_of(parsed("(ROOT (S (NP-SBJ (PRP She)) (VP (VBD sang))))"))
    assert found == tree("S(NP(PRP) VP(VBD))")


def test_a_root_with_several_phrases_leaves_several_trees():
    found = tree_of(parsed("(ROOT (NP (NN a)) (VP (VB b)))"))
    assert found.roots == [0, 2]
    assert found.levels(1) == ("NP", "VP")


def test_levels_go_from_the_top_and_stop_at_the_height():
    made = tree("S(NP(DT NN) VP(VBD NP(NN)))")
    assert made.levels(1) == ("S",)
    assert made.levels(3) == ("S", "NP", "VP", "DT", "NN", "VBD", "NP")
    assert made.levels() == (*made.levels(3), "NN")


def test_a_cut_tree_has_the_same_levels():
    made = tree("S(NP(DT NN) VP(VBD NP(NN)))")
    assert made.truncate(2) == tree("S(NP VP)")
    assert made.truncate(9) == made


@pytest.mark.parametrize(
    ("label", "plain"), [("NP-SBJ-1", "NP"), ("S|VP", "S"), ("-LRB-", "-LRB-"), ("WP$", "WP$"), ("NP=2", "NP")]
)
def test_function_marks_are_dropped(label, plain):
    assert plain_label(label) == plain


def test_a_sentence_without_constituents_is_an_error():
    with pytest.raises(InputError, match="no constituents for 'Hm'"):
        tree_of(Analysis("Hm", (Word("Hm", 0, 2),)))


def test_an_empty_sentence_is_an_empty_tree():
    assert tree_of(Analysis("", (), constituents=())) == ConstituencyTree((), ())
