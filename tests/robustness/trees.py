"""Small trees for tests: from brackets, and at random."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from tupelo.robustness.measures import DEFAULT_DECAY, prepare, similarity
from tupelo.robustness.trees import ConstituencyTree


def tree(text: str) -> ConstituencyTree:
    """A tree from brackets around labels: `S(NP(PRP) VP(VBD))`."""
    labels: list[str] = []
    children: list[list[int]] = []
    around: list[int] = []
    for label, bracket in re.findall(r"([^\s()]+)(\(?)|\)", text):
        if not label:
            around.pop()
            continue
        labels.append(label)
        children.append([])
        if around:
            children[around[-1]].append(len(labels) - 1)
        if bracket:
            around.append(len(labels) - 1)
    assert not around
    return ConstituencyTree(tuple(labels), tuple(tuple(each) for each in children))


def as_text(shape: tuple[str, tuple]) -> str:
    label, below = shape
    return f"{label}({' '.join(map(as_text, below))})" if below else label


_LABELS = st.sampled_from(["S", "NP", "VP", "X"])
_SHAPES = st.recursive(
    st.tuples(_LABELS, st.just(())),
    lambda below: st.tuples(_LABELS, st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=7,
)
# Few labels, so that trees have much in common.
TREES = _SHAPES.map(as_text).map(tree)
SEQUENCES = st.lists(_LABELS, max_size=14).map(tuple)


def tree_similarity(first: ConstituencyTree, second: ConstituencyTree, *, decay: float = DEFAULT_DECAY) -> float:
    """The normalised kernel of two trees."""
    return similarity(prepare(first, decay), prepare(second, decay), decay)
