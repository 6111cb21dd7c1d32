"""Walking in trees, also in those that are none."""

from __future__ import annotations

import pytest

from tests.extract.parsed import parsed
from tupelo.core import Analysis, Word
from tupelo.nlp.syntax import DependencyTree, remembered

BOUGHT = parsed(
    "Ann bought ( red ) apples , quickly .",
    "Ann Ann PROPN NNP 2 nsubj",
    "bought buy VERB VBD 0 root",
    "( ( PUNCT -LRB- 4 punct",
    "red red ADJ JJ 6 amod",
    ") ) PUNCT -RRB- 4 punct",
    "apples apple NOUN NNS 2 obj",
    ", , PUNCT , 8 punct",
    "quickly quickly ADV RB 2 advmod",
    ". . PUNCT . 2 punct",
)


def circle(*heads: int) -> DependencyTree:
    words = tuple(Word("x", 2 * index, 2 * index + 1, head=head, deprel="dep") for index, head in enumerate(heads))
    return DependencyTree(Analysis(" ".join("x" * len(heads)), words))


def test_a_label_without_subtype_stands_for_all_its_subtypes() -> None:
    tree = DependencyTree(
        parsed("It was sold", "It it PRON PRP 3 nsubj:pass", "was be AUX VBD 3 aux:pass", "sold sell VERB VBN 0 root")
    )
    assert tree.child(2, "nsubj") == tree.child(2, "nsubj:pass") == 0
    assert tree.child(2, "nsubj:outer") is None
    assert tree.children(2, "aux", "nsubj") == [0, 1]


def test_a_subtree_can_leave_branches_out() -> None:
    tree = DependencyTree(BOUGHT)
    assert tree.subtree(5) == [2, 3, 4, 5]
    assert tree.subtree(5, {3}) == [5]


def test_the_head_of_a_phrase_is_attached_to_something_outside() -> None:
    tree = DependencyTree(BOUGHT)
    assert tree.head_of((2, 3, 4, 5)) == 5
    assert tree.head_of(range(9)) == 1
    assert tree.head_of(()) is None


@pytest.mark.parametrize(
    ("tokens", "trimmed"),
    [
        ([2, 3, 4], [2, 3, 4]),
        ([2, 3], [3]),
        ([3, 4], [3]),
        ([5, 6], [5]),
        ([6, 7, 8], [7]),
        ([2, 3, 4, 5, 6], [2, 3, 4, 5]),
        ([6, 8], []),
        ([], []),
    ],
)
def test_loose_marks_and_lone_brackets_are_trimmed(tokens: list[int], trimmed: list[int]) -> None:
    assert DependencyTree(BOUGHT).trim(tokens) == trimmed


def test_words_can_be_trimmed_as_well() -> None:
    assert DependencyTree(BOUGHT).trim([0, 1, 5], {"ann", "apples"}) == [1]


def test_the_apostrophe_of_an_owner_is_no_closing_quote() -> None:
    owners = parsed("the drivers ’", "the the DET DT 2 det", "drivers driver NOUN NNS 0 root", "’ ’ PART POS 2 case")
    assert DependencyTree(owners).trim([0, 1, 2]) == [0, 1, 2]


def test_a_circle_of_heads_is_walked_once() -> None:
    tree = circle(1, 2, 0)
    assert list(tree.path(0)) == [1, 2]
    assert tree.subtree(0) == [0, 1, 2]


def test_a_word_that_is_its_own_head_has_none() -> None:
    tree = circle(0, 0)
    assert tree.heads == [None, 0]
    assert list(tree.path(1)) == [0]


def test_results_are_remembered_per_tree_and_arguments() -> None:
    asked: list[int] = []

    @remembered
    def double(tree: DependencyTree, index: int) -> int:
        asked.append(index)
        return 2 * index

    first, second = DependencyTree(BOUGHT), DependencyTree(BOUGHT)
    assert [double(first, 1), double(first, 1), double(first, 2), double(second, 1)] == [2, 2, 4, 2]
    assert asked == [1, 2, 1]
