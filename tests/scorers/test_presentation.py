"""Signatures, tables and pictures."""

from __future__ import annotations

import sys

import pytest

from tupelo.core import Extraction, InputError, MissingExtraError
from tupelo.core.version import __version__
from tupelo.scorers.carb import Carb
from tupelo.scorers.result import Score, file_mark, harmonic_mean, signature
from tupelo.scorers.tables import Leaderboard, ReportTable, percent
from tupelo.show.plots import draw_curves
from tupelo.show.tables import page, table

GOLD = [Extraction.of("I ate it .", "ate", ["I", "it"])]
SCORE = Carb().evaluate(GOLD, [Extraction.of("I ate it .", "ate", ["I", "it"], confidence=0.5)]).score()
WITHOUT_CURVE = Score(scorer="wire57", precision=0.5, recall=0.25, f1=1 / 3, auc=None, gold=4, predicted=2)


def test_a_signature_names_data_options_and_version():
    made = signature("carb", {"match": "exact", "binary": True}, {"gold": file_mark("a/b.tsv", "0123456789")})
    assert made == f"carb|gold:b.tsv@01234567|match:exact|binary:yes|v:{__version__}"


def test_separators_in_file_names_cannot_forge_a_signature():
    made = signature("carb", {}, {"gold": file_mark("a|v:9 x\n.tsv", "00")})
    assert made == f"carb|gold:a%7Cv%3A9%20x%0A.tsv@00|v:{__version__}"


def test_every_option_of_the_scorer_is_signed():
    assert dict(Carb(fixes=["all"], binary=True).options()) == {
        "match": "binary-lenient",
        "binary": True,
        "recall": "multi",
        "fixes": "+".join(sorted(Carb.quirks)),
    }


def test_the_json_summary_has_the_documented_keys_in_order():
    keys = ["scorer", "precision", "recall", "f1", "auc", "gold", "predicted", "signature"]
    assert list(SCORE.to_dict()) == keys


def test_a_leaderboard_shows_auc_only_when_a_system_has_one():
    assert Leaderboard("carb", {"a": WITHOUT_CURVE}).table().header == ("system", "P", "R", "F1", "tuples")
    both = Leaderboard("carb", {"a": WITHOUT_CURVE, "b": SCORE}).table()
    assert both.rows[0] == ("a", "50.0", "25.0", "33.3", "–", "2")


def test_tables_line_up_and_escape():
    made = ReportTable(("system", "P"), (("a|b", "1.0"), ("<i>", "10.0")), ("note",))
    assert made.text() == "system     P\n------  ----\na|b      1.0\n<i>     10.0\n\nnote\n"
    assert "| a\\|b | 1.0 |" in made.markdown()
    assert "&lt;i&gt;" in made._repr_html_()


def test_html_is_one_document_without_foreign_parts():
    text = page("x", table(["a"], [["b"]]))
    assert text.count("<html") == 1
    assert "http" not in text


def test_percent_of_nothing_is_a_dash():
    assert (percent(None), percent(0.12345)) == ("–", "12.3")


def test_the_harmonic_mean_of_nothing_is_zero():
    assert harmonic_mean(0.0, 0.0) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_curves_are_drawn_in_each_kind_and_the_same_each_time(kind, magic):
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    image = draw_curves({"a": SCORE, "b": SCORE}, kind)
    assert image.startswith(magic)
    assert image == draw_curves({"a": SCORE, "b": SCORE}, kind)


def test_a_scorer_without_curve_cannot_be_drawn():
    with pytest.raises(InputError, match="no precision-recall curve"):
        draw_curves({"a": WITHOUT_CURVE})
    with pytest.raises(InputError, match="cannot draw a 'gif' file"):
        draw_curves({"a": SCORE}, "gif")


def test_without_the_plot_extra_the_way_to_get_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"drawing needs an extra: pip install 'tupelo\[plot\]'"):
        draw_curves({"a": SCORE})
