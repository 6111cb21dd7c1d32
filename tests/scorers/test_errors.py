"""Error classes on tuples that show one error each, and the page that lists them."""

from __future__ import annotations

import re

import pytest

from tupelo.core import Extraction, Sentence
from tupelo.scorers.carb import Carb
from tupelo.scorers.carb_matchers import PlainTuple
from tupelo.scorers.errors import ErrorClass, analyse_errors, classify, count_errors, pair_tuples
from tupelo.show.score_pages import error_page

TEXT = "Ann sold the old house to Bo in May ."


def item(rel: str, *args: str) -> PlainTuple:
    return PlainTuple(rel, args, 1.0)


GOLD = item("sold", "Ann", "the old house to Bo")


@pytest.mark.parametrize(
    ("predicted", "errors"),
    [
        (GOLD, []),
        (item("sold", "Ann", "the old house", "to Bo"), []),
        (item("bought", "Ann", "the old house to Bo"), [ErrorClass.WRONG_RELATION]),
        (item("sold", "Ann", "the old house to Bo in May"), [ErrorClass.ARGUMENT_TOO_LONG]),
        (item("sold", "Ann", "the house"), [ErrorClass.ARGUMENT_TOO_SHORT]),
        (item("sold", "Ann", "the old house to Eve"), [ErrorClass.ARGUMENT_TOO_LONG, ErrorClass.ARGUMENT_TOO_SHORT]),
        (item("sold", "the old house to Bo", "Ann"), [ErrorClass.SWAPPED_ARGUMENTS]),
        (
            item("gave", "Ann", "the old house"),
            [ErrorClass.WRONG_RELATION, ErrorClass.ARGUMENT_TOO_SHORT],
        ),
    ],
)
def test_a_pair_gets_every_class_that_applies(predicted, errors):
    assert list(classify(GOLD, predicted)) == errors


def test_tuples_without_partner_are_missed_or_spurious():
    pairs = pair_tuples([GOLD, item("is", "house", "old")], [GOLD, item("ran", "Zoe", "home")])
    assert [pair.errors for pair in pairs] == [(), (ErrorClass.MISSED,), (ErrorClass.SPURIOUS,)]


def test_the_best_pair_is_taken_first():
    near, exact = item("sold", "Ann", "the old house"), GOLD
    (first, second) = pair_tuples([GOLD], [near, exact])
    assert (first.predicted, first.errors) == (exact, ())
    assert second.predicted == near


def test_the_worst_sentence_comes_first_and_thresholds_apply():
    gold = [Extraction.of(f"s{n}", "ate", ["I", "it"]) for n in range(3)]
    predicted = [
        Extraction.of("s0", "ate", ["I", "it"], confidence=0.9),
        Extraction.of("s1", "ate", ["I", "it"], confidence=0.1),
        Extraction.of("s2", "ate", ["I", "something"], confidence=0.9),
    ]
    reports = analyse_errors(gold, predicted, threshold=0.5)
    assert [report.sentence for report in reports] == ["s1", "s2", "s0"]
    assert count_errors(reports)[ErrorClass.MISSED] == 1
    assert reports[2].f1 == 1.0


def test_predictions_that_know_only_the_sentence_id_find_their_sentence():
    gold = [Extraction.of(Sentence(TEXT, id="7"), "sold", ["Ann", "it"])]
    predicted = [Extraction.of(Sentence("", id="7"), "sold", ["Ann", "it"])]
    assert analyse_errors(gold, predicted)[0].f1 == 1.0


def test_a_sentence_without_gold_tuples_is_reported_too():
    (report,) = analyse_errors([Sentence(TEXT)], [Extraction.of(TEXT, "sold", ["Ann", "it"])])
    assert [pair.errors for pair in report.pairs] == [(ErrorClass.SPURIOUS,)]


def render(gold: list[Extraction], predicted: list[Extraction]) -> str:
    score = Carb().evaluate(gold, predicted).score().signed("carb|<sig>", records=(gold, predicted))
    return error_page(score, "A & B")


def test_the_page_escapes_everything_that_comes_from_files():
    hostile = "<script>alert('x')</script> \"quoted\" & more"
    gold = [Extraction.of(hostile, hostile, [hostile, hostile])]
    page = render(gold, [Extraction.of(hostile, hostile, [hostile])])
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in page
    assert "A &amp; B" in page
    assert "carb|&lt;sig&gt;" in page


def test_the_page_marks_common_words_once_each():
    gold = [Extraction.of(TEXT, "sold", ["Ann", "the the house"])]
    page = render(gold, [Extraction.of(TEXT, "sold", ["Ann", "the old house"])])
    marked = re.findall(r"<mark>(\w+)</mark>", page)
    # Both sides mark sold, Ann, one "the" and house.
    assert sorted(marked) == sorted(["sold", "Ann", "the", "house"] * 2)


def test_the_page_names_each_class_of_the_summary():
    page = render([Extraction.of(TEXT, "sold", ["Ann", "it"])], [])
    assert all(f"<td>{error}</td>" in page for error in ErrorClass)
