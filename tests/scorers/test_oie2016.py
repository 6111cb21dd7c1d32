"""OIE2016 on cases small enough to score by hand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Extraction, InputError, Record, Sentence, UnknownNameError
from tupelo.scorers import SCORERS
from tupelo.scorers.oie2016 import Oie2016, match_first, match_most
from tupelo.scorers.result import CurvePoint, Score

approx = pytest.approx
MILL = "The mill burned down ."
NORA = "Nora sold the boat and kept the nets ."
OTHER = "Rain fell ."


def tuple_of(sentence: str, *parts: str, confidence: float | None = None) -> Extraction:
    return Extraction.of(sentence, parts[0], parts[1:], confidence=confidence)


def score(gold: Iterable[Record], predicted: Iterable[Record], **options: object) -> Score:
    return Oie2016(**options).evaluate(gold, predicted).score()  # type: ignore[arg-type]


def matches(gold: tuple[str, ...], predicted: tuple[str, ...], **options: object) -> bool:
    """Whether a pair of tuples counts as a match."""
    result = score([tuple_of(MILL, *gold)], [tuple_of(MILL, *predicted)], **options)
    return result.details["matched"] == 1


class TestTheWorkedExample:
    """Three sentences with 1, 2 and 3 gold tuples; the third has no prediction."""

    gold = (
        tuple_of("a", "burned", "mill", "down"),
        tuple_of("b", "sold", "Nora", "boat"),
        tuple_of("b", "kept", "Nora", "nets"),
        tuple_of("c", "fell", "rain"),
        tuple_of("c", "rose", "river"),
        tuple_of("c", "broke", "dam"),
    )
    predicted = (
        tuple_of("a", "burned", "mill", "down", confidence=0.9),
        tuple_of("b", "sold", "Nora", "boat", confidence=0.8),
        tuple_of("b", "has", "she", "fish", confidence=0.4),
    )

    def test_gold_of_an_unanswered_sentence_counts_squared(self) -> None:
        result = score(self.gold, self.predicted)
        assert result.details["gold_as_counted"] == 1 + 2 + 3 * 3
        assert result.gold == 6
        assert result.details["recall_multiplier"] == approx(2 / 12)

    def test_the_reported_point_is_the_best_one(self) -> None:
        result = score(self.gold, self.predicted)
        assert (result.precision, result.recall, result.threshold) == (approx(2 / 2), approx(2 / 12), 0.8)
        assert result.f1 == approx(2 * 1 * (1 / 6) / (1 + 1 / 6))

    def test_the_curve_ends_at_the_highest_threshold_with_full_recall(self) -> None:
        result = score(self.gold, self.predicted)
        assert list(result.curve) == [
            CurvePoint(1.0, approx(2 / 12), 0.8),
            CurvePoint(1.0, approx(1 / 12), 0.9),
            CurvePoint(1.0, 0.0, None),
        ]
        assert result.details["thresholds_dropped"] == 1

    def test_all_thresholds_can_be_kept_without_changing_a_figure(self) -> None:
        short = score(self.gold, self.predicted)
        full = score(self.gold, self.predicted, keep_all_thresholds=True)
        assert full.curve[0] == CurvePoint(approx(2 / 3), approx(2 / 12), 0.4)
        assert list(full.curve[1:]) == list(short.curve)
        assert (full.auc, full.f1, full.threshold) == (short.auc, short.f1, short.threshold)
        assert full.details["thresholds_dropped"] == 0

    def test_area_is_a_sum_of_trapezoids(self) -> None:
        worse_first = [*self.predicted[:2], tuple_of("b", "has", "she", "fish", confidence=0.85)]
        # At 0.9: 1/1 and 1/12; at 0.85: 1/2 and 1/12; at 0.8: 2/3 and 2/12.
        result = score(self.gold, worse_first)
        assert result.auc == approx((1 / 12) * (2 / 3 + 1 / 2) / 2 + (1 / 12) * (1 + 1) / 2)

    def test_details_count_sentences_and_predictions(self) -> None:
        result = score(self.gold, [*self.predicted, tuple_of("d", "is", "x")])
        assert result.predicted == 4
        assert result.details == {
            "gold_sentences": 3,
            "gold_sentences_without_prediction": 1,
            "predicted_in_gold_sentences": 3,
            "matched": 2,
            "gold_as_counted": 12,
            "recall_multiplier": approx(2 / 12),
            "thresholds_dropped": 1,
        }

    def test_squared_misses_can_be_fixed(self) -> None:
        result = score(self.gold, self.predicted, fixes=["squared-misses"])
        assert result.details["gold_as_counted"] == 6
        assert result.recall == approx(2 / 6)


class TestWordPairs:
    def test_exactly_half_of_the_gold_words_is_no_match(self) -> None:
        assert not matches(("burned", "mill", "down", "again"), ("burned", "mill"))
        assert matches(("burned", "mill", "down"), ("burned", "mill"))

    def test_words_may_be_in_any_slot(self) -> None:
        assert matches(("burned down", "mill"), ("mill", "burned", "down"))

    def test_case_counts(self) -> None:
        assert not matches(("burned", "mill"), ("Burned", "Mill"))

    def test_a_double_space_makes_an_empty_word(self) -> None:
        # One of two words is equal; the two empty pieces on each side add 2 x 2 pairs, and gold has 4 pieces.
        assert not matches(("burned", "mill"), ("burned", "roof"))
        assert matches(("burned", "  mill"), ("burned", "  roof"))

    def test_a_repeated_word_counts_again_unless_fixed(self) -> None:
        # "the" twice on each side: 4 pairs for 6 gold words.
        gold, predicted = ("sold", "the man", "the old boat"), ("kept", "the hen", "the nets")
        assert matches(gold, predicted)
        assert not matches(gold, predicted, fixes=["repeated-pairs"])

    def test_non_ascii_words_compare_as_they_are(self) -> None:
        assert matches(("küsst", "José"), ("küsst", "José"))
        assert not matches(("küsst", "José"), ("kusst", "Jose"))

    def test_official_name_means_the_same(self) -> None:
        assert Oie2016(matcher="lexicalMatch").options() == Oie2016().options()


class TestPredicate:
    def test_stop_words_case_and_punctuation_do_not_count(self) -> None:
        assert matches(("was burned , again", "x"), ("Burned", "y"), matcher="predicate")

    def test_order_counts(self) -> None:
        assert not matches(("gave back", "x"), ("back gave", "x"), matcher="predicate")

    def test_only_single_punctuation_marks_are_left_out(self) -> None:
        assert not matches(("burned ...", "x"), ("burned", "x"), matcher="predicate")

    def test_an_empty_word_stays(self) -> None:
        assert not matches(("burned  out", "x"), ("burned out", "x"), matcher="predicate")

    def test_lower_case_touches_ascii_only_unless_fixed(self) -> None:
        gold, predicted = ("ÉLIT", "x"), ("élit", "x")
        assert not matches(gold, predicted, matcher="predMatch")
        assert matches(gold, predicted, matcher="predMatch", fixes=["byte-text"])
        assert matches(("BURNED", "x"), ("burned", "x"), matcher="predMatch")


class TestCharacterPairs:
    def test_it_is_hardly_ever_false(self) -> None:
        assert matches(("x", "the mill"), ("y", "little"), matcher="character-pairs")

    def test_the_relation_does_not_count(self) -> None:
        assert not matches(("burned", "abc"), ("burned", "xyz"), matcher="character-pairs")

    def test_the_space_between_arguments_counts(self) -> None:
        # Gold "a b": three characters; of the prediction only the space and the a are equal.
        assert matches(("r", "a", "b"), ("r", "a", "c"), matcher="character-pairs")
        assert not matches(("r", "a", "b"), ("r", "a"), matcher="character-pairs")

    def test_a_repeated_character_counts_again_unless_fixed(self) -> None:
        # Two l against two l: 4 pairs for 5 gold characters.
        assert matches(("r", "hello"), ("r", "ll"), matcher="exactMatch")
        assert not matches(("r", "hello"), ("r", "ll"), matcher="exactMatch", fixes=["repeated-pairs"])

    def test_an_accented_letter_is_two_characters_unless_fixed(self) -> None:
        # é is C3 A9 and à is C3 A0: with x, 2 of 3 bytes are equal, but 1 of 2 letters.
        assert matches(("r", "éx"), ("r", "àx"), matcher="argMatch")
        assert not matches(("r", "éx"), ("r", "àx"), matcher="argMatch", fixes=["byte-text"])

    def test_gold_without_arguments_matches_nothing(self) -> None:
        assert not matches(("burned",), ("burned", "mill"), matcher="character-pairs")


class TestFirstMatch:
    gold = (tuple_of(MILL, "burned", "mill"), tuple_of(MILL, "burned", "roof"))
    # The first prediction fits both gold tuples, the second only the first.
    greedy = (
        tuple_of(MILL, "burned", "mill", "roof", confidence=0.5),
        tuple_of(MILL, "burned", "mill", "x y z", confidence=0.9),
    )

    def test_each_gold_tuple_takes_the_first_prediction_that_fits(self) -> None:
        result = score(self.gold, self.greedy)
        assert result.details["matched"] == 1
        assert result.recall == approx(1 / 2)
        # The one that was taken has confidence 0.5; the other is a false alarm above it.
        assert list(result.curve) == [
            CurvePoint(approx(1 / 2), approx(1 / 2), 0.5),
            CurvePoint(0.0, 0.0, 0.9),
            CurvePoint(1.0, 0.0, None),
        ]

    def test_with_the_fix_as_many_as_possible_match(self) -> None:
        result = score(self.gold, self.greedy, fixes=["first-match"])
        assert result.details["matched"] == 2
        assert (result.precision, result.recall) == (1.0, 1.0)

    def test_with_the_fix_confident_predictions_are_preferred(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill")]
        low, high = (tuple_of(MILL, "burned", "mill", confidence=c) for c in (0.2, 0.8))
        assert score(gold, [low, high]).curve[0].threshold == 0.2
        assert score(gold, [low, high], fixes=["first-match"]).curve[0].threshold == 0.8

    def test_a_prediction_serves_one_gold_tuple_only(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill"), tuple_of(MILL, "burned", "mill")]
        result = score(gold, [tuple_of(MILL, "burned", "mill")])
        assert result.details["matched"] == 1

    @given(st.lists(st.lists(st.integers(0, 4), unique=True), max_size=5))
    def test_the_fix_finds_the_largest_pairing(self, fits: list[list[int]]) -> None:
        best = max(
            sum(row in wishes for row, wishes in zip(rows, fits, strict=True))
            for rows in permutations(range(5), len(fits))
        )
        found = match_most(fits, list(range(len(fits))))
        assert len(found) == best
        assert len(match_first(fits, 5)) <= best


class TestKeys:
    def test_spaces_punctuation_and_bracket_names_do_not_count(self) -> None:
        gold = [tuple_of("The mill -LRB- old -RRB- burned .", "burned", "mill")]
        assert score(gold, [tuple_of("The mill (old) burned.", "burned", "mill")]).recall == 1.0

    def test_case_counts(self) -> None:
        gold = [tuple_of("The mill burned", "burned", "mill")]
        assert score(gold, [tuple_of("the mill burned", "burned", "mill")]).recall == 0.0

    def test_non_ascii_characters_are_dropped_unless_fixed(self) -> None:
        gold, predicted = [tuple_of("Café burned", "burned", "x")], [tuple_of("Caf burned", "burned", "x")]
        assert score(gold, predicted).recall == 1.0
        assert score(gold, predicted, fixes=["ascii-keys"]).recall == 0.0

    def test_the_later_of_two_colliding_gold_sentences_replaces_the_earlier_unless_fixed(self) -> None:
        gold = [
            tuple_of("Café burned", "burned", "a"),
            tuple_of("Café burned", "glowed", "a"),
            tuple_of("Cafè burned", "burned", "b"),
        ]
        predicted = [tuple_of("Caf burned", "burned", "b")]
        official = score(gold, predicted)
        assert (official.gold, official.recall) == (1, approx(1 / 1))
        joined = score(gold, predicted, fixes=["duplicate-sentences"])
        assert (joined.gold, joined.recall) == (3, approx(1 / 3))

    def test_the_later_of_two_colliding_predicted_sentences_replaces_the_earlier_unless_fixed(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill")]
        predicted = [tuple_of(MILL, "burned", "mill"), tuple_of("The mill burned down", "is", "x")]
        assert score(gold, predicted).recall == 0.0
        assert score(gold, predicted, fixes=["duplicate-sentences"]).recall == 1.0

    def test_a_repeated_sentence_with_the_same_text_is_one(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill"), tuple_of(NORA, "sold", "Nora"), tuple_of(MILL, "fell", "roof")]
        predicted = [tuple_of(MILL, "fell", "roof"), tuple_of(NORA, "sold", "Nora"), tuple_of(MILL, "burned", "mill")]
        evaluation = Oie2016().evaluate(gold, predicted)
        assert list(evaluation.units) == [MILL, NORA]
        assert evaluation.score().recall == approx(3 / 3)


class TestConfidence:
    gold = (tuple_of(MILL, "burned", "mill"),)

    def test_missing_confidence_counts_as_one(self) -> None:
        assert score(self.gold, [tuple_of(MILL, "burned", "mill")]).threshold == 1.0

    @pytest.mark.parametrize("value", [inf, -inf])
    def test_infinite_confidence_becomes_zero(self, value: float) -> None:
        assert score(self.gold, [tuple_of(MILL, "burned", "mill", confidence=value)]).threshold == 0.0

    def test_normalising_uses_the_range_of_the_whole_file(self) -> None:
        predicted = [
            tuple_of(MILL, "burned", "mill", confidence=-30.0),
            tuple_of(OTHER, "fell", "Rain", confidence=-10.0),
            tuple_of(OTHER, "fell", "x", confidence=-40.0),
        ]
        result = score(self.gold, predicted, normalize_confidence=True)
        assert result.threshold == (-30.0 + 40.0 + 0.001) / (-10.0 + 40.0 + 0.002)

    def test_normalising_with_an_infinite_limit_gives_zero(self) -> None:
        predicted = [tuple_of(MILL, "burned", "mill", confidence=-3.0), tuple_of(OTHER, "x", "y", confidence=-inf)]
        assert score(self.gold, predicted, normalize_confidence=True).threshold == 0.0

    def test_on_equal_f1_the_lowest_threshold_is_reported(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill"), tuple_of(MILL, "fell", "roof")]
        predicted = [
            tuple_of(MILL, "burned", "mill", confidence=0.9),
            tuple_of(MILL, "x", "y", confidence=0.5),
            tuple_of(MILL, "p", "q", confidence=0.5),
            tuple_of(MILL, "fell", "roof", confidence=0.4),
        ]
        # 0.9: P 1, R 1/2, F 2/3. 0.4: P 2/4, R 1, F 2/3.
        result = score(gold, predicted)
        assert (result.f1, result.threshold) == (approx(2 / 3), 0.4)


class TestEdges:
    def test_no_predictions_score_zero(self) -> None:
        result = score([tuple_of(MILL, "burned", "mill")], [])
        assert (result.precision, result.recall, result.f1, result.auc) == (0.0, 0.0, 0.0, 0.0)
        assert list(result.curve) == [CurvePoint(1.0, 0.0, None)]
        assert result.threshold is None

    def test_no_gold_scores_zero(self) -> None:
        result = score([], [tuple_of(MILL, "burned", "mill")])
        assert (result.precision, result.recall, result.f1, result.auc) == (0.0, 0.0, 0.0, 0.0)
        assert (result.gold, result.predicted) == (0, 1)

    def test_nothing_that_matches_scores_zero(self) -> None:
        result = score([tuple_of(MILL, "burned", "mill")], [tuple_of(MILL, "x", "y")])
        assert (result.precision, result.recall, result.f1, result.auc) == (0.0, 0.0, 0.0, 0.0)

    def test_predictions_for_sentences_without_gold_are_left_out(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill")]
        predicted = [tuple_of(OTHER, "fell", "Rain"), tuple_of(MILL, "burned", "mill")]
        assert score(gold, predicted).precision == 1.0

    def test_a_gold_sentence_known_to_have_no_tuple_makes_predictions_wrong(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill"), Sentence(OTHER)]
        predicted = [tuple_of(OTHER, "fell", "Rain"), tuple_of(MILL, "burned", "mill")]
        assert score(gold, predicted).precision == approx(1 / 2)

    def test_a_gold_sentence_without_tuples_replaces_nothing(self) -> None:
        gold = [tuple_of(MILL, "burned", "mill"), Sentence("The mill burned down")]
        assert score(gold, [tuple_of(MILL, "burned", "mill")]).recall == 1.0

    def test_a_predicted_sentence_without_tuples_is_unanswered(self) -> None:
        gold = [tuple_of(NORA, "sold", "Nora"), tuple_of(NORA, "kept", "Nora")]
        assert score(gold, [Sentence(NORA)]).details["gold_as_counted"] == 2 * 2

    def test_gold_against_itself_is_perfect(self) -> None:
        gold = TestTheWorkedExample.gold
        for matcher in ("word-pairs", "predicate", "character-pairs"):
            result = score(gold, gold, matcher=matcher)
            assert (result.precision, result.recall, result.auc) == (1.0, 1.0, 1.0)

    def test_an_unknown_matcher_is_refused(self) -> None:
        with pytest.raises(UnknownNameError, match="no OIE2016 matcher named 'exact'"):
            Oie2016(matcher="exact")

    def test_an_unknown_fix_is_refused(self) -> None:
        with pytest.raises(InputError, match="no quirk named 'typo'"):
            Oie2016(fixes=["typo"])

    def test_options_name_everything_that_changes_figures(self) -> None:
        metric = Oie2016(matcher="predMatch", normalize_confidence=True, keep_all_thresholds=True, fixes=["all"])
        assert metric.options() == {
            "match": "predicate",
            "confidence": "normalized",
            "thresholds": "all",
            "fixes": "ascii-keys+byte-text+duplicate-sentences+first-match+repeated-pairs+squared-misses",
        }

    def test_it_is_registered(self) -> None:
        assert SCORERS.get("oie2016") is Oie2016


class TestResampling:
    gold = TestTheWorkedExample.gold
    predicted = TestTheWorkedExample.predicted

    def test_weights_of_one_change_nothing(self) -> None:
        evaluation = Oie2016().evaluate(self.gold, self.predicted)
        once, official = evaluation.score(np.ones(3)), evaluation.score()
        assert (once.precision, once.recall, once.f1, once.auc, once.gold) == (
            official.precision,
            official.recall,
            official.f1,
            official.auc,
            official.gold,
        )

    @pytest.mark.parametrize("times", [(2, 0, 1), (0, 3, 0), (1, 1, 4), (0, 0, 2)])
    def test_weights_give_the_score_of_a_corpus_with_copies(self, times: tuple[int, ...]) -> None:
        def copies(records: tuple[Extraction, ...]) -> list[Extraction]:
            return [
                Extraction.of(
                    f"{record.sentence.text}{'x' * number}",
                    record.rel.text,
                    [str(argument) for argument in record.arguments],
                    confidence=record.confidence,
                )
                for record in records
                for number in range(times["abc".index(record.sentence.text)])
            ]

        resampled = Oie2016().evaluate(self.gold, self.predicted).score(np.array(times, dtype=float))
        repeated = score(copies(self.gold), copies(self.predicted))
        assert (resampled.precision, resampled.recall, resampled.auc) == (
            repeated.precision,
            repeated.recall,
            repeated.auc,
        )
        assert (resampled.threshold, resampled.gold) == (repeated.threshold, repeated.gold)

    def test_the_threshold_of_a_resample_is_a_confidence_that_was_drawn(self) -> None:
        gold = [tuple_of(text, "burned", "mill") for text in ("a", "b", "c")]
        predicted = [
            tuple_of("a", "burned", "mill", confidence=0.9),
            tuple_of("b", "burned", "mill", confidence=0.5),
            *[tuple_of("c", "x", "y", confidence=0.2)] * 5,
            tuple_of("c", "burned", "mill", confidence=0.1),
        ]
        # Without b: 1/1 and 1/2 at 0.9, but 2/7 and 2/2 at 0.1.
        result = Oie2016().evaluate(gold, predicted).score(np.array([1.0, 0.0, 1.0]))
        assert (result.f1, result.threshold) == (approx(2 / 3), 0.9)
