"""The analyses of cliques, on numbers that can be redone by hand."""

from __future__ import annotations

import math

import pytest

from benchmarks.plain_hws import hws_distance
from tests.robustness.trees import tree, tree_similarity
from tupelo.core import Clique, Extraction, InputError, Sentence
from tupelo.io.brackets import read
from tupelo.io.lines import Lines
from tupelo.robustness.measures import Hws, SyntaxLikeness, TreeKernel
from tupelo.robustness.study import (
    Interval,
    StudyOptions,
    count_cliques,
    in_intervals,
    pearson,
    study,
    subset_correlation,
    variance_by_syntax,
    weigh,
)
from tupelo.scorers.carb import Unit
from tupelo.scorers.robust import CliqueResult, Robust, SentenceResult
from tupelo.scorers.tables import ReportTable
from tupelo.show.clique_study import ReportSection, report_page, sections

FIRST, SECOND, THIRD = tree("S(NP VP(V) .)"), tree("S(NP VP(V NP) .)"), tree("S(PP NP VP(V) .)")
FOREST = [[FIRST, SECOND], [FIRST, THIRD], [SECOND]]


def clique(name: str, *sentences: str) -> Clique:
    made = [Sentence(text, document_id=name) for text in sentences]
    tuples = []
    for each in made:
        plain = Extraction.of(each, "is", ["it", "so"])
        tuples.append((Extraction(plain.sentence, plain.rel, plain.arg1, plain.args, group=name),))
    return Clique(name, tuple(made), tuple(tuples))


CLIQUES = [clique("One .", "One .", "one one ."), clique("Two .", "Two .", "two two ."), clique("Three .", "Three .")]
RECORDS = [item for each in CLIQUES for found in each.extractions for item in found]


def result(*values: float) -> CliqueResult:
    unit = Unit("a", (), ())
    return CliqueResult(
        "c", tuple(SentenceResult(unit, place == 0, f1, f1, f1, f1) for place, f1 in enumerate(values))
    )


def test_sizes_are_counted():
    found = count_cliques(CLIQUES)
    assert (found.cliques, found.sentences, found.tuples) == (3, 5, 5)
    assert found.sentences_per_clique == 5 / 3
    # one two three and the full stop.
    assert (found.words_in_originals, found.words) == (4, 4)


def test_a_measure_is_taken_under_every_weight():
    curve = weigh(FOREST, lambda decay: TreeKernel(decay=decay), (0.5, 1.0))
    assert curve.clique_means[1] == (
        tree_similarity(FIRST, SECOND, decay=1.0),
        tree_similarity(FIRST, THIRD, decay=1.0),
        None,
    )
    assert curve.means[1] == pytest.approx(sum(curve.clique_means[1][:2]) / 2)
    low, quarter, half, high_quarter, high = curve.spread()[1]
    assert low <= quarter <= half <= high_quarter <= high
    assert (low, high) == (min(curve.clique_means[1][:2]), max(curve.clique_means[1][:2]))
    hws = weigh(FOREST, lambda discount: Hws(discount=discount), (0.2,))
    assert hws.clique_means[0][0] == hws_distance(FIRST, SECOND, discount=0.2)


def test_cliques_of_one_sentence_have_neither_mean_nor_spread():
    curve = weigh([[FIRST]], lambda decay: TreeKernel(decay=decay), (0.5,))
    assert curve.means == [None]
    assert all(math.isnan(value) for value in curve.spread()[0])


def test_values_are_averaged_in_equal_intervals():
    assert in_intervals([(0.0, 1.0), (0.1, 3.0), (0.5, 5.0), (1.0, 7.0)], 2) == [
        Interval(0.0, 0.5, 2, 2.0),
        Interval(0.5, 1.0, 2, 6.0),
    ]
    assert in_intervals([(0.3, 1.0), (0.3, 2.0)], 5) == [Interval(0.3, 0.3, 2, 1.5)]
    assert [each.mean for each in in_intervals([(0.0, 1.0), (1.0, 2.0)], 3)] == [1.0, None, 2.0]
    assert in_intervals([]) == []


def test_variance_is_set_against_syntax():
    # Variances 1/4, 0 and none; the last clique has no mean.
    results = [result(0.0, 1.0), result(0.5, 0.5), result(1.0)]
    found = variance_by_syntax(results, [0.2, 0.8, None], 2)
    assert [(each.count, each.mean) for each in found] == [(1, 0.25), (1, 0.0)]
    with pytest.raises(InputError, match="3 scored cliques, expected one for each of 1"):
        variance_by_syntax(results, [0.2])


def test_pearson_by_hand():
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert pearson([1, 2, 3], [1, 1, 1]) is None


def test_subsets_of_cliques_need_enough_of_them_and_a_seed():
    many = [result(0.01 * number) for number in range(100)]
    assert subset_correlation(many, seed=1) == subset_correlation(many, seed=1)
    assert subset_correlation(many, seed=1) != subset_correlation(many, seed=2)
    assert subset_correlation(many[:11]) is None


def test_likeness_turns_a_distance_round():
    analyses = list(read(Lines(["(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)) (. .))"])))
    assert SyntaxLikeness(Hws()).to(analyses)(analyses[0])[0] == 1.0
    far = SyntaxLikeness(Hws()).to(analyses)(analyses[0])[1]
    assert far == 1.0 - Hws().compare([*map(tree, ["S(NP(NN) VP(VB))", "S(NP(NN) VP(VB) .)"])], [(0, 1)])[0]
    assert SyntaxLikeness(TreeKernel()).to(analyses)(analyses[1])[1] == 1.0


@pytest.mark.slow
def test_a_study_has_every_part_that_there_is_material_for():
    pytest.importorskip("matplotlib", reason="needs matplotlib (pip install 'tupelo[plot]')")
    run = Robust().evaluate(RECORDS, RECORDS)
    bare = study(CLIQUES, FOREST, {}, StudyOptions(weights=(0.5, 1.0)))
    assert [part.name for part in sections(bare)] == ["size", "within", "weights"]
    steps: list[int] = []
    full = study(CLIQUES, FOREST, {"ours": run}, StudyOptions(weights=(0.5, 1.0)), steps.append)
    assert [part.name for part in sections(full)] == [
        "size",
        "within",
        "weights",
        "systems",
        "variance",
        "variance_by_hws",
        "variance_by_kernel",
    ]
    assert sum(steps) == 4
    for part in sections(full):
        if part.name not in ("size", "systems"):
            assert part.images["png"].startswith(b"\x89PNG")
            assert b"<svg" in part.images["svg"]
    assert full.to_dict()["systems"]["ours"]["robust"]["f1"] == 1.0
    # The same material gives the same bytes.
    assert [part.images for part in sections(bare)] == [part.images for part in sections(full)[:3]]


def test_the_page_stands_alone_and_escapes():
    part = ReportSection("one", "<One>", "a & b", ReportTable(("", "x<y"), (("a", "1"),)))
    part.__dict__["images"] = {"png": b"\x89PNG", "svg": b"<svg/>"}
    html = report_page("<title>", [part], ["hws|<script>"])
    assert "&lt;One&gt;" in html
    assert "<script>" not in html
    assert html.count("data:image/png;base64,") == 1
    # Shown, and to save.
    assert html.count("data:image/svg+xml;base64,") == 2
    assert "http" not in html.replace("http-equiv", "")
