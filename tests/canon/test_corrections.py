"""What people decided holds, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tupelo.canon.canonicalizer import corrected
from tupelo.core import FormatError, InputError
from tupelo.core.canonical import PhraseCorrection
from tupelo.io.clusters import read_corrections
from tupelo.io.lines import Lines
from tupelo_training.canon.cuts import link_edges

FORMS = ["Biden", "Joe Biden", "Joseph Biden", "Hunter Biden", "Obama", "Biden"]
IDS = ["1", "2", "3", "4", "5", "6"]
# Biden and Joe Biden first, then Joseph, then Hunter.
TREE = link_edges(6, [(0, 5, 0.0), (0, 1, 0.2), (0, 2, 0.3), (0, 3, 0.6)], "single")


def cut(threshold: float) -> NDArray[np.int64]:
    return TREE.labels(threshold)


def must(left: str, right: str) -> PhraseCorrection:
    return PhraseCorrection(True, "entity", left, right)


def cannot(left: str, right: str) -> PhraseCorrection:
    return PhraseCorrection(False, "entity", left, right)


def labels(*corrections: PhraseCorrection, threshold: float = 0.7) -> list[int]:
    return corrected(cut, threshold, corrections, FORMS, IDS).tolist()


def test_without_corrections_nothing_changes() -> None:
    assert labels() == [0, 0, 0, 0, 1, 0]
    assert labels(cannot("nobody", "Biden")) == [0, 0, 0, 0, 1, 0]


def test_a_cluster_is_partial_lower_until_the_two_part() -> None:
    assert labels(cannot("hunter biden", "Joe  Biden")) == [0, 0, 0, 1, 2, 0]


def test_what_no_threshold_parts_leaves_alone() -> None:
    assert labels(cannot("Biden|1", "Biden|6")) == [0, 0, 0, 0, 1, 2]


def test_clusters_come_together() -> None:
    assert labels(must("Obama", "Hunter Biden")) == [0, 0, 0, 0, 0, 0]
    assert labels(must("Obama", "Hunter Biden"), threshold=0.1) == [0, 1, 2, 3, 3, 0]


def test_a_link_never_breaks_another_decision() -> None:
    # Hunter must not be with Joe; Obama must be with Hunter, and Joe with Biden.
    found = labels(cannot("Hunter Biden", "Joe Biden"), must("Obama", "Hunter Biden"), must("Joe Biden", "Biden"))
    assert found == [0, 0, 0, 1, 1, 0]


def test_a_chain_of_links_stays_whole() -> None:
    # c and d are one by themselves; a must be with b and with c, and must not be with d.
    tree = link_edges(4, [(2, 3, 0.25)])
    decided = [must("a", "b"), must("a", "c"), cannot("a", "d")]
    assert corrected(tree.labels, 0.5, decided, list("abcd"), list("1234")).tolist() == [0, 0, 0, 1]


def test_contradictions_are_refused() -> None:
    with pytest.raises(InputError, match="corrections contradict each other: 'Biden' and 'Joseph Biden'"):
        labels(must("Biden", "Joe Biden"), must("Joe Biden", "Joseph Biden"), cannot("Biden", "Joseph Biden"))


names = st.sampled_from("abcdef")


@given(
    edges=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0.01, 0.99)), max_size=15),
    musts=st.lists(st.tuples(names, names), max_size=3),
    cannots=st.lists(st.tuples(names, names), max_size=3),
)
def test_all_decisions_hold_or_are_refused(
    edges: list[tuple[int, int, float]], musts: list[tuple[str, str]], cannots: list[tuple[str, str]]
) -> None:
    tree = link_edges(6, edges)
    corrections = [must(*pair) for pair in musts] + [cannot(*pair) for pair in cannots]
    own_cut: Callable[[float], NDArray[np.int64]] = tree.labels
    try:
        found = corrected(own_cut, 0.5, corrections, list("abcdef"), list("123456"))
    except InputError:
        return
    label = dict(zip("abcdef", found.tolist(), strict=True))
    assert all(label[left] == label[right] for left, right in musts)
    assert all(label[left] != label[right] for left, right in cannots)


def test_the_file() -> None:
    text = ["# decided in May", "", "must-link\tentity\tJoe Biden\tBiden", "cannot-link\trelation\tis in|3\tis in|9"]
    first, second = read_corrections(Lines(text, "c.tsv"))
    assert first == must("Joe Biden", "Biden")
    assert (second.together, second.kind, second.left) == (False, "relation", "is in|3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("must-link\tentity\ta", "c.tsv:1: 3 field"),
        ("should-link\tentity\ta\tb", "c.tsv:1: link 'should-link', expected must-link or cannot-link"),
        ("must-link\tverb\ta\tb", "c.tsv:1: kind 'verb', expected one of entity"),
        ("must-link\tentity\t \tb", "c.tsv:1: an empty phrase"),
    ],
)
def test_a_bad_file(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_corrections(Lines([line], "c.tsv")))
