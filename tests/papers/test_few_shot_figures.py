"""The figures of the few-shot study, on numbers that can be redone by hand."""

from __future__ import annotations

import pytest

from papers.few_shot import FewShotOptions, FewShotRun, draw_pairs, summarize_runs
from tests.robustness.trees import tree
from tupelo.core import Clique, Extraction, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.robustness.measures import Hws, TreeKernel
from tupelo.scorers.robust import Robust

FIRST, SECOND, THIRD = tree("S(NP VP(V) .)"), tree("S(NP VP(V NP) .)"), tree("S(PP NP VP(V) .)")


def clique(name: str, *sentences: str) -> Clique:
    made = tuple(Sentence(text, document_id=name) for text in sentences)
    return Clique(name, made, tuple((Extraction.of(each, "is", ["it", "so"]),) for each in made))


def test_correlations_can_be_redone_by_hand() -> None:
    """Two cliques of two sentences; the second sentence of each is missed."""
    cliques = [clique("a", "a", "a a"), clique("b", "b", "b b")]
    gold = [record for each in cliques for record in each.records()]
    found = list(gather_cliques(gold))
    predicted = [found[0].records()[0], *map(_bare, (found[0].sentences[1], found[1].sentences[1]))]
    evaluation = Robust().evaluate(gold, [*predicted, found[1].records()[0]])
    trees = [FIRST, SECOND, THIRD]
    # Right sentences have FIRST, wrong ones SECOND; THIRD is shown for all.
    one = FewShotRun("9", "clique", None, evaluation, [[0, 1], [0, 1]], [[[2], [2]], [[2], [1]]])
    study = summarize_runs(found, [one], trees, FewShotOptions())
    hws, kernel = Hws(), TreeKernel()
    x = [*hws.compare(trees, [(0, 2), (1, 2), (0, 2), (1, 1)]).tolist()]
    mean = sum(x) / 4
    over, under = x[0] + x[2] - 2 * mean, x[1] + x[3] - 2 * mean
    spread = sum((value - mean) ** 2 for value in x) ** 0.5
    assert study.points[0].by_demonstrations["hws"] == pytest.approx((over - under) / 2 / spread)
    assert study.points[0].by_originals == {"hws": None, "kernel": None}
    low, high = sorted([(x[0] + x[1]) / 2, (x[2] + x[3]) / 2])
    assert (study.intervals["hws"][0].low, study.intervals["hws"][-1].high) == pytest.approx((low, high))
    values = kernel.compare(trees, [(0, 2), (1, 2), (0, 2), (1, 1)]).tolist()
    ends = sorted([(values[0] + values[1]) / 2, (values[2] + values[3]) / 2])
    assert (study.intervals["kernel"][0].low, study.intervals["kernel"][-1].high) == pytest.approx(ends)
    assert study.tuples_of_originals == 2
    assert study.statistics.tuples == 4


def _bare(sentence: Sentence) -> Sentence:
    return Sentence(sentence.text, document_id=sentence.text[0])


def test_pairs_are_of_different_cliques_that_are_large_enough() -> None:
    cliques = [clique("a", "a", "a a"), clique("b", "b"), clique("c", "c", "c c"), clique("d", "d", "d d", "d d d")]
    pairs = draw_pairs(cliques, 10, 2, lambda asked, shown: {asked.id, shown.id} != {"a", "c"}, seed=1)
    assert set(pairs) == {0, 1, 2, 3}
    assert pairs[0] == pairs[2] == 3
    assert all(asked != shown and shown != 1 for asked, shown in pairs.items())
    assert len(draw_pairs(cliques, 2, 2, lambda asked, shown: True, seed=1)) == 2
    assert draw_pairs(cliques, 3, 2, lambda asked, shown: True, seed=1) == draw_pairs(
        cliques, 3, 2, lambda asked, shown: True, seed=1
    )
