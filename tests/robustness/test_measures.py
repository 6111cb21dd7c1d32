from __future__ import annotations

import pytest

from benchmarks.plain_hws import hws_distance
from tests.robustness.trees import tree, tree_similarity
from tupelo.core.numeric import mean
from tupelo.robustness import MEASURES
from tupelo.robustness.measures import Hws, TreeKernel, within_cliques

FIRST, SECOND, THIRD = tree("S(NP VP(V) .)"), tree("S(NP VP(V NP) .)"), tree("S(PP NP VP(V) .)")


def test_the_registered_names_are_known():
    assert list(MEASURES) == ["hws", "kernel"]
    assert [MEASURES.get(name).name for name in MEASURES] == ["hws", "kernel"]


def test_every_pair_of_a_clique_is_compared_and_cliques_are_averaged():
    found = within_cliques([[FIRST, SECOND, THIRD], [FIRST], [SECOND, THIRD]], Hws())
    assert [clique.pairs for clique in found] == [((0, 1), (0, 2), (1, 2)), (), ((0, 1),)]
    pairs = [hws_distance(a, b) for a, b in ((FIRST, SECOND), (FIRST, THIRD), (SECOND, THIRD))]
    assert found[0].values == tuple(pairs)
    assert found[1].mean is None
    assert mean(syntax.mean for syntax in found) == pytest.approx((sum(pairs) / 3 + pairs[2]) / 2)


def test_the_kernel_is_taken_over_whole_trees_unless_they_are_cut():
    assert TreeKernel().compare([FIRST, SECOND], [(0, 1)])[0] == tree_similarity(FIRST, SECOND)
    assert TreeKernel(height=2).compare([FIRST, SECOND], [(0, 1)])[0] == 1.0


def test_cliques_of_one_sentence_have_no_mean():
    assert mean(syntax.mean for syntax in within_cliques([[FIRST]], Hws())) is None
