"""Scores of factual accuracy beside what people said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tupelo.cli import tupelo
from tupelo.core import InputError
from tupelo.core.judgement import JudgedText
from tupelo.io.judgements import read_judgements
from tupelo.scorers.factuality import FactualityScore, FactualityScorer, balanced_accuracy, correlation, ranks


def judged(*scores: float, errors: tuple[str, ...] = ()) -> list[JudgedText]:
    return [
        JudgedText(str(place), "text", score=score, label=score == 1, error_types=() if score == 1 else errors)
        for place, score in enumerate(scores)
    ]


def agreement(texts: list[JudgedText], scores: dict[str, float | None], **options: Any) -> FactualityScore:
    return FactualityScorer(**options).evaluate(texts, scores)


def test_by_hand() -> None:
    texts = judged(1, 0, 0.5, 1, errors=("swap",))
    found = agreement(texts, {"0": 0.9, "1": 0.1, "2": 0.8, "3": 0.7})
    x, y = np.array([0.9, 0.1, 0.8, 0.7]) - 0.625, np.array([1, 0, 0.5, 1]) - 0.625
    assert found.pearson.value == pytest.approx((x @ y) / np.sqrt((x @ x) * (y @ y)))
    # Ranks 4 1 3 2 and 3.5 1 2 3.5.
    a, b = np.array([1.5, -1.5, 0.5, -0.5]), np.array([1, -1.5, -0.5, 1])
    assert found.spearman.value == pytest.approx((a @ b) / np.sqrt((a @ a) * (b @ b)))
    # At 0.7 both faithful texts are found and one of two others is refused.
    assert (found.balanced_accuracy, found.threshold) == (0.75, 0.7)
    assert found.recall_by_error == {"swap": 0.5}
    assert (found.n, found.left_out) == (4, 0)
    assert found.pearson.low is not None
    assert found.pearson.low <= found.pearson.value <= 1 + 1e-12


def test_texts_without_a_score_are_left_out_and_counted() -> None:
    texts = judged(1, 0, 0.5)
    scores: dict[str, float | None] = {"0": 1.0, "1": None, "2": 0.5}
    assert (agreement(texts, scores).n, agreement(texts, scores).left_out) == (2, 1)
    assert agreement(texts, scores, unscored=0.0).pearson.value == pytest.approx(1)


def test_a_missing_score_is_an_error() -> None:
    with pytest.raises(InputError, match="scores cover 1 of 2 texts; first missing: '1'"):
        agreement(judged(1, 0), {"0": 1.0})
    with pytest.raises(InputError, match="no text has a human score"):
        agreement([JudgedText("0", "text")], {})


def test_constant_scores_correlate_with_nothing() -> None:
    found = agreement(judged(1, 0, 1), {"0": 0.5, "1": 0.5, "2": 0.5})
    assert found.pearson.value is None
    assert found.balanced_accuracy == 0.5


def test_infinite_scores_correlate_with_nothing() -> None:
    assert correlation(np.array([1.0, np.inf, 2.0]), np.array([1.0, 2.0, 3.0])) is None


def test_one_kind_only_has_no_balanced_accuracy() -> None:
    assert agreement(judged(1, 1), {"0": 0.2, "1": 0.3}).balanced_accuracy is None


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=12))
def test_the_best_threshold_is_the_best(items: list[tuple[int, bool]]) -> None:
    scores, labels = np.array([float(score) for score, _ in items]), np.array([label for _, label in items])
    figure, threshold = balanced_accuracy(scores, labels, None)
    if figure is None:
        assert labels.all() or not labels.any()
        return
    singly = [balanced_accuracy(scores, labels, float(value))[0] for value in np.unique(scores)]
    assert figure == pytest.approx(max(value for value in singly if value is not None))
    called = scores >= threshold
    assert figure == pytest.approx(
        ((called & labels).sum() / labels.sum() + (~called & ~labels).sum() / (~labels).sum()) / 2
    )


@given(st.lists(st.integers(0, 4), min_size=2, max_size=10), st.lists(st.integers(0, 4), min_size=2, max_size=10))
def test_ranks_and_correlations_agree_with_scipy(left: list[int], right: list[int]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="needs scipy")
    size = min(len(left), len(right))
    x, y = np.array(left[:size], dtype=float), np.array(right[:size], dtype=float)
    assert ranks(x).tolist() == stats.rankdata(x).tolist()
    if x.std() and y.std():
        assert correlation(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        assert correlation(ranks(x), ranks(y)) == pytest.approx(stats.spearmanr(x, y).statistic)
    else:
        assert correlation(x, y) is None


def test_the_command(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        "".join(
            json.dumps({"source": "s", "generated": "g", "score": score, "label": score == 1}) + "\n"
            for score in (1, 0, 0.5)
        )
    )
    scores = tmp_path / "scores.tsv"
    scores.write_text("0\t0.9\n1\t0.2\n2\t0.4\n")
    result = CliRunner().invoke(tupelo, ["score", "factuality", str(pairs), str(scores), "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["n"] == 3
    assert document["pearson"] == pytest.approx(correlation(np.array([0.9, 0.2, 0.4]), np.array([1, 0, 0.5])))
    assert document["signature"].startswith("factuality|gold:pairs.jsonl@")
    plain = CliRunner().invoke(tupelo, ["score", "factuality", str(pairs), str(scores), "--threshold", "0.5"])
    assert "balanced accuracy 100.0 at 0.5" in plain.stdout


@pytest.mark.parametrize("part", ["cnndm", "xsum"])
def test_human_scores_of_qags_are_the_published_way(part: str, shared: Path) -> None:
    expected = json.loads((shared / "oracles/qags/human_first_half.json").read_text())[part]
    texts, _ = read_judgements(str(shared / f"data/qags/mturk_{part}.first_half.jsonl"), "qags")
    assert {text.id: text.score for text in texts} == expected
