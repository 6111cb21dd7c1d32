"""Cluster metrics by hand and against the definitions word for word."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import plain_clusters as plain
from hypothesis import given, settings
from hypothesis import strategies as st

from tupelo.core import InputError
from tupelo.score import cluster_pairs as clusters_module
from tupelo.score.clusters import ClusterScorer, Figures

overlapping = st.lists(st.lists(st.integers(0, 14), max_size=8), max_size=8)


@st.composite
def partitions(draw):
    labels = draw(st.lists(st.integers(0, 5), min_size=1, max_size=15))
    return [[e for e, label in enumerate(labels) if label == wanted] for wanted in sorted(set(labels))]


def values(figures: Figures) -> tuple[float, float]:
    return figures.precision, figures.recall


def test_the_worked_example():
    score = ClusterScorer().flat(["abc", "de"], ["ab", "cde"])
    assert values(score.macro) == (1 / 2, 1 / 2)
    assert values(score.micro) == (4 / 5, 4 / 5)
    assert values(score.pair) == (2 / 4, 2 / 4)
    assert score.average == pytest.approx((1 / 2 + 4 / 5 + 1 / 2) / 3)
    assert score.average_of_two == pytest.approx((4 / 5 + 1 / 2) / 2)
    assert (score.gold, score.predicted, score.largest) == (2, 2, 3)


@given(gold=overlapping, predicted=overlapping)
def test_overlapping_clusters_score_as_the_definitions_say(gold, predicted):
    score = ClusterScorer().flat(gold, predicted)
    assert values(score.macro) == pytest.approx((plain.macro(gold, predicted), plain.macro(predicted, gold)))
    assert values(score.micro) == pytest.approx((plain.micro(gold, predicted), plain.micro(predicted, gold)))
    assert values(score.pair) == pytest.approx(plain.pair(gold, predicted))


@given(gold=overlapping, predicted=overlapping)
def test_many_kinds_of_elements_score_as_few_do(gold, predicted):
    expected = ClusterScorer().flat(gold, predicted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters_module, "_FEW_KINDS", 0)
        patch.setattr(clusters_module, "_BLOCK", 2)
        assert ClusterScorer().flat(gold, predicted) == expected


@given(gold=overlapping, predicted=overlapping)
def test_with_a_fix_every_pair_counts_once(gold, predicted):
    score = ClusterScorer(fixes=["pairs-per-cluster"]).flat(gold, predicted)
    assert values(score.pair) == pytest.approx(plain.distinct_pairs(gold, predicted))


@given(gold=overlapping, predicted=overlapping)
def test_with_a_fix_macro_is_a_share(gold, predicted):
    score = ClusterScorer(fixes=["macro-shared"]).flat(gold, predicted)
    inside = [
        any(known <= set(g) for g in gold)
        for p in predicted
        if (known := {e for e in p if any(e in g for g in gold)})
    ]
    assert score.macro.precision == pytest.approx(sum(inside) / len(predicted) if predicted else 0.0)


@given(gold=partitions(), predicted=partitions())
def test_partitions_have_shares_between_0_and_1_and_roles_exchange(gold, predicted):
    score, swapped = ClusterScorer().flat(gold, predicted), ClusterScorer().flat(predicted, gold)
    for name in ("macro", "micro", "pair"):
        one, other = getattr(score, name), getattr(swapped, name)
        assert 0 <= one.precision <= 1
        if len({e for c in gold for e in c}) == len({e for c in predicted for e in c}):
            assert values(one) == pytest.approx(values(other)[::-1])


@given(clusters=partitions())
def test_gold_scored_against_itself_is_perfect(clusters):
    score = ClusterScorer(fixes=["no-pairs"]).flat(clusters, clusters)
    assert values(score.macro) == values(score.micro) == (1.0, 1.0)
    expected = 1.0 if any(len(cluster) > 1 for cluster in clusters) else 0.0
    assert values(score.pair) == (expected, expected)


@given(gold=overlapping, predicted=overlapping, seed=st.randoms(use_true_random=False))
def test_the_order_of_clusters_and_members_is_irrelevant(gold, predicted, seed):
    before = ClusterScorer().flat(gold, predicted)
    for side in (gold, predicted):
        seed.shuffle(side)
        for cluster in side:
            seed.shuffle(cluster)
    assert ClusterScorer().flat(gold, predicted) == before


def test_no_pairs_and_nothing_predicted():
    alone = ClusterScorer().flat(["ab"], ["a", "b"])
    assert values(alone.pair) == (1e-6, 1e-6)
    assert values(ClusterScorer(fixes=["no-pairs"]).flat(["ab"], ["a", "b"]).pair) == (0.0, 0.0)
    empty = ClusterScorer().flat(["ab"], [])
    assert values(empty.macro) == values(empty.micro) == (0.0, 0.0)
    assert (empty.macro.f1, empty.largest) == (0.0, 0)
    assert ClusterScorer().flat([], []).predicted == 0


def test_unknown_elements_cost_precision_in_micro_and_pair_only():
    score = ClusterScorer().flat(["ab"], ["abx"])
    assert score.macro.precision == 1.0
    assert score.micro.precision == 2 / 3
    assert score.pair.precision == 1 / 3


def test_a_cluster_of_unknown_elements_adds_nothing_to_macro():
    assert ClusterScorer().flat(["ab"], ["ab", "xy"]).macro.precision == 1 / 2


@st.composite
def trees(draw):
    count = draw(st.integers(1, 12))
    roots, children = list(range(count)), []
    while len(roots) > 1:
        one = roots.pop(draw(st.integers(0, len(roots) - 1)))
        other = roots.pop(draw(st.integers(0, len(roots) - 1)))
        children.append((one, other))
        roots.append(count + len(children) - 1)
    return count, np.array(children, dtype=np.int64).reshape(-1, 2)


@given(tree=trees(), gold=st.lists(st.sets(st.integers(0, 13), min_size=1), max_size=6))
@settings(max_examples=80)
def test_a_tree_scores_as_the_list_of_its_nodes(tree, gold):
    count, children = tree
    nodes: list[set[int]] = [{leaf} for leaf in range(count)]
    for left, right in children.tolist():
        nodes.append(nodes[left] | nodes[right])
    metric = ClusterScorer()
    found = metric.tree(gold, list(range(count)), children)
    assert found.to_dict() == pytest.approx(metric.hierarchy(gold, nodes, total=count).to_dict())
    wide = [node for node in nodes if 2 <= len(node) < count]
    classes = [cluster for cluster in gold if len(cluster) > 1]
    assert found.gold_to_predicted == pytest.approx(plain.jaccard(classes, wide))
    assert found.predicted_to_gold == pytest.approx(plain.jaccard(wide, classes) if classes else 0.0)
    assert (found.gold, found.predicted) == (len(classes), len(wide))


def test_sorensen_is_that_of_the_means():
    score = ClusterScorer().hierarchy(["ab", "cd"], ["abc", "cd", "abcd"], total=4)
    assert score.gold_to_predicted == pytest.approx((2 / 3 + 1) / 2)
    assert score.sorensen[0] == pytest.approx(2 * (5 / 6) / (1 + 5 / 6))


def test_an_unknown_fix_is_refused():
    with pytest.raises(InputError, match="no quirk named 'pears'"):
        ClusterScorer(fixes=["pears"])
