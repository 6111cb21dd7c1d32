"""Cluster metrics by hand and against the definitions word for word."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tupelo
from benchmarks import plain_clusters as plain
from papers.hierarchies import tree_scores
from tests.strategies import examples
from tupelo.core import InputError
from tupelo.scorers import cluster_pairs as clusters_module
from tupelo.scorers.clusters import ClusterScorer
from tupelo.scorers.result import Figures

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
@examples(80)
def test_a_tree_scores_as_the_list_of_its_nodes(tree, gold):
    count, children = tree
    nodes: list[set[int]] = [{leaf} for leaf in range(count)]
    for left, right in children.tolist():
        nodes.append(nodes[left] | nodes[right])
    metric = ClusterScorer()
    found = tree_scores(gold, list(range(count)), children)
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


def _folder(folder, gold: dict[str, str]) -> str:
    rows = "hamm\tplay\tsoccer\nhamm\tmake\tbeer\nmia hamm\tplay\tsoccer\nball\tis\tround\n"
    (folder / "triples.txt").write_text(f"4\n{rows}", encoding="utf-8")
    for name, content in gold.items():
        (folder / name).write_text(content, encoding="utf-8")
    return str(folder)


def _entities(folder, *clusters: list[tuple[str, str, str]]) -> str:
    """What `tupelo canonicalize` writes: id of the triple, slot and words of every member."""
    rows = [
        {"kind": "entity", "members": [{"mention": i, "slot": slot, "text": text} for i, slot, text in members]}
        for members in clusters
    ]
    (folder / "found.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(folder / "found.jsonl")


def test_reverb_folders_score_every_subject_and_ambiguous_phrases_by_mention(tmp_path):
    # Gold: {hamm 1, mia hamm 3} the player, {hamm 2} the town, {ball 4}. Found: {hamm 1, hamm 2, mia hamm 3} {ball}.
    heads = "/m/mia\t2\thamm|71\tmia hamm|90\n/m/town\t1\thamm|72\n/m/ball\t1\tball|5\n"
    others = "/m/soccer\t2\tsoccer|71\tsoccer|90\n/m/beer\t1\tbeer|72\n/m/round\t1\tround|5\n"
    gold = _folder(tmp_path, {"gold_npclust.txt": heads, "gold_npclust_all.txt": heads + others})
    hamms = [("1", "subject", "hamm"), ("2", "subject", "hamm"), ("3", "subject", "mia hamm")]
    rest = (
        [("1", "object", "soccer"), ("3", "object", "soccer")],
        [("2", "object", "beer")],
        [("4", "object", "round")],
    )
    found = _entities(tmp_path, hamms, [("4", "subject", "ball")], *rest)
    figures = tupelo.score("clusters", gold, found).subtasks
    subject = figures["subject"]
    assert (subject["elements"], subject["covered"]) == (4, 4)
    assert subject["macro"] == {"precision": 1 / 2, "recall": 3 / 3, "f1": 2 / 3}
    assert subject["micro"] == {"precision": 3 / 4, "recall": 4 / 4, "f1": 6 / 7}
    assert subject["pair"] == {"precision": 1 / 3, "recall": 1 / 1, "f1": 1 / 2}
    # Subjects and objects together, as the program of CUVA scores all noun phrases: 8 mentions.
    mention = figures["mention"]
    assert mention["macro"]["precision"] == 4 / 5
    assert mention["micro"]["precision"] == 7 / 8
    assert mention["pair"] == {"precision": 2 / 4, "recall": 2 / 2, "f1": 2 / 3}
    # A file of phrases, as that program writes it, says the same of their mentions.
    phrases = tmp_path / "phrases.tsv"
    phrases.write_text("0\thamm\tmia hamm\n1\tball\n", encoding="utf-8")
    bare = tupelo.score("clusters", f"{gold}/gold_npclust.txt", str(phrases)).subtasks["clusters"]
    assert {kind: bare[kind] for kind in ("macro", "micro", "pair")} == {
        kind: subject[kind] for kind in ("macro", "micro", "pair")
    }


def test_nell_folders_score_distinct_phrases_of_gold_only(tmp_path):
    # 'ball', 'round' and 'beer' have no gold: neither precision nor recall knows them.
    gold = _folder(tmp_path, {"gold_npclust.txt": "c0\t2\thamm\tmia hamm\nc1\t1\tsoccer\n"})
    hamms = [("1", "subject", "hamm"), ("2", "subject", "hamm"), ("4", "subject", "ball"), ("1", "object", "soccer")]
    found = _entities(tmp_path, hamms, [("3", "subject", "mia hamm"), ("2", "object", "beer")])
    phrase = tupelo.score("clusters", gold, found).subtasks["phrase"]
    assert (phrase["elements"], phrase["covered"], phrase["predicted_clusters"]) == (3, 3, 2)
    # {hamm soccer} {mia hamm} against {hamm, mia hamm} {soccer}.
    assert phrase["macro"] == {"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2}
    assert phrase["micro"] == {"precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}
    assert phrase["pair"] == {"precision": 0 / 1, "recall": 0 / 1, "f1": 0}
