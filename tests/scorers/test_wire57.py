"""WiRe57 on cases small enough to score by hand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.scorers import SCORERS
from tupelo.scorers.result import Score
from tupelo.scorers.wire57 import Wire57

approx = pytest.approx
ONE = Sentence("The mill burned down in May.", id="MI 1")
TWO = Sentence("Nora sold her boat.", id="MI 2")


def argument(text: str) -> Argument:
    """Words in square brackets are inferred."""
    words = text.split()
    inferred = tuple(position for position, word in enumerate(words) if word.startswith("["))
    return Argument(text.replace("[", "").replace("]", ""), inferred=inferred)


def tuple_of(*parts: str, sentence: Sentence = ONE, extractor: str | None = None) -> Extraction:
    arg1, rel, *args = map(argument, parts)
    return Extraction(sentence, rel, arg1, tuple(args), extractor=extractor)


def score(gold: Iterable[Record], predicted: Iterable[Record], **options: object) -> Score:
    return Wire57(**options).evaluate(gold, predicted).score()  # type: ignore[arg-type]


def pair(gold: tuple[str, ...], predicted: tuple[str, ...], **options: object) -> tuple[float, float]:
    """Precision and recall of a corpus of one gold tuple and one prediction, which is the value of the pair."""
    result = score([tuple_of(*gold)], [tuple_of(*predicted)], **options)
    return result.precision, result.recall


NO_MATCH = (0.0, 0.0)


class TestPairs:
    def test_equal_tuples_are_perfect(self) -> None:
        assert pair(("the mill", "burned", "down"), ("the mill", "burned", "down")) == (1.0, 1.0)

    def test_words_are_counted_over_all_parts(self) -> None:
        gold, predicted = ("the old mill", "burned", "down in May"), ("mill", "has burned", "down")
        assert pair(gold, predicted) == (approx(3 / 4), approx(3 / 7))

    @pytest.mark.parametrize(
        "predicted", [("it", "burned", "down"), ("mill", "fell", "down"), ("mill", "burned", "up")]
    )
    def test_each_of_the_first_three_parts_must_share_a_word(self, predicted: tuple[str, ...]) -> None:
        assert pair(("mill", "burned", "down"), predicted) == NO_MATCH

    def test_words_in_another_part_do_not_count(self) -> None:
        assert pair(("mill", "burned", "down"), ("mill", "burned down", "x")) == NO_MATCH

    def test_case_counts(self) -> None:
        assert pair(("The mill", "burned", "down"), ("the mill", "burned", "down")) == (approx(3 / 4), approx(3 / 4))

    def test_an_inferred_part_needs_no_common_word(self) -> None:
        # 2 of 3 predicted words; gold asks for 2, because "[is]" is not in the sentence.
        assert pair(("mill", "[is]", "old"), ("mill", "was", "old")) == (approx(2 / 3), approx(2 / 2))

    def test_a_partly_inferred_part_needs_a_common_word(self) -> None:
        assert pair(("mill", "[is] burned", "down"), ("mill", "was", "down")) == NO_MATCH

    def test_an_empty_predicted_part_is_passed_over_where_gold_is_inferred(self) -> None:
        assert pair(("mill", "[is]", "old"), ("mill", "", "old")) == (approx(2 / 2), approx(2 / 2))

    def test_an_empty_predicted_part_is_passed_over_where_gold_is_empty(self) -> None:
        assert pair(("mill", "burned", ""), ("mill", "burned", " ")) == (approx(2 / 2), approx(2 / 2))

    def test_an_empty_predicted_part_is_no_match_otherwise(self) -> None:
        assert pair(("mill", "burned", "down"), ("mill", "burned", "")) == NO_MATCH

    def test_a_predicted_part_for_an_empty_gold_part_costs_precision(self) -> None:
        assert pair(("mill", "burned", ""), ("mill", "burned", "down")) == (approx(2 / 3), approx(2 / 2))

    def test_further_gold_arguments_lower_recall_when_they_are_missing(self) -> None:
        gold = ("mill", "burned", "down", "in May", "[quickly] at night")
        assert pair(gold, ("mill", "burned", "down")) == (approx(3 / 3), approx(3 / (3 + 2 + 2)))

    def test_further_arguments_need_no_common_word(self) -> None:
        assert pair(("mill", "burned", "down", "in May"), ("mill", "burned", "down", "there")) == (
            approx(3 / 4),
            approx(3 / 5),
        )

    def test_further_arguments_are_compared_by_position(self) -> None:
        gold = ("mill", "burned", "down", "in May", "at night")
        assert pair(gold, ("mill", "burned", "down", "at night", "in May")) == (approx(3 / 7), approx(3 / 7))

    def test_surplus_predicted_arguments_are_ignored(self) -> None:
        assert pair(("mill", "burned", "down"), ("mill", "burned", "down", "in May")) == (1.0, 1.0)

    def test_a_missing_second_argument_counts_as_empty(self) -> None:
        assert pair(("mill", "burned"), ("mill", "burned")) == (1.0, 1.0)
        assert pair(("mill", "burned", "down"), ("mill", "burned")) == NO_MATCH

    def test_a_pair_without_any_word_to_divide_by_does_not_match(self) -> None:
        assert pair(("[it]", "[is]", "[old]"), ("it", "is", "old")) == NO_MATCH
        assert pair(("[it]", "[is]", "[old]", "in May"), ("", "", "")) == NO_MATCH


class TestQuirks:
    def test_a_repeated_predicted_word_counts_each_time_unless_fixed(self) -> None:
        gold, predicted = ("mill", "burned", "down"), ("mill mill mill", "burned", "down")
        assert pair(gold, predicted) == (approx(5 / 5), approx(5 / 3))
        assert pair(gold, predicted, fixes=["repeated-words"]) == (approx(3 / 5), approx(3 / 3))

    def test_the_fix_lets_a_word_serve_as_often_as_gold_has_it(self) -> None:
        gold, predicted = ("the man the myth", "burned", "down"), ("the the the", "burned", "down")
        assert pair(gold, predicted, fixes=["repeated-words"]) == (approx((2 + 2) / 5), approx((2 + 2) / 6))

    def test_predicted_inferred_words_count_for_recall_unless_fixed(self) -> None:
        gold, predicted = ("mill", "[is]", "old"), ("mill", "is", "old")
        assert pair(gold, predicted) == (approx(3 / 3), approx(3 / 2))
        assert pair(gold, predicted, fixes=["inferred-words"]) == (approx(3 / 3), approx(2 / 2))

    def test_with_all_fixes_recall_cannot_exceed_one(self) -> None:
        gold, predicted = ("mill", "[is]", "old"), ("mill mill", "is", "old old")
        assert pair(gold, predicted, fixes=["all"]) == (approx(3 / 5), approx(2 / 2))


class TestSentences:
    def test_the_worked_example(self) -> None:
        gold = [tuple_of("the mill", "burned", "down"), tuple_of("the mill", "was", "old")]
        result = score(gold, [tuple_of("mill", "burned", "down")])
        assert (result.precision, result.recall) == (approx(1 / 1), approx((3 / 4) / 2))
        assert score(gold, [tuple_of("mill", "burned down", "slowly")]).f1 == 0.0

    def test_the_best_pair_is_chosen_first(self) -> None:
        gold = [tuple_of("mill", "burned", "down quickly"), tuple_of("mill", "burned", "down")]
        predicted = [tuple_of("mill", "burned", "down"), tuple_of("mill", "burned", "down quickly today")]
        evaluation = Wire57().evaluate(gold, predicted)
        # (1, 0) has F1 1; then only (0, 1) is free: 4 of 5 predicted words, 4 of 4 gold words.
        assert [match[:2] for match in evaluation.sentences[0].matches] == [(1, 0), (0, 1)]
        assert evaluation.score().precision == approx((1 + 4 / 5) / 2)

    def test_on_equal_values_gold_order_decides_then_the_order_of_predictions(self) -> None:
        gold = [tuple_of("mill", "burned", "down"), tuple_of("mill", "burned", "down")]
        predicted = [tuple_of("mill", "burned", "down"), tuple_of("mill", "burned", "down")]
        evaluation = Wire57().evaluate(gold, predicted)
        assert [match[:2] for match in evaluation.sentences[0].matches] == [(0, 0), (1, 1)]

    def test_every_prediction_counts_in_precision_and_every_gold_tuple_in_recall(self) -> None:
        gold = [tuple_of("mill", "burned", "down"), tuple_of("Nora", "sold", "boat", sentence=TWO)]
        predicted = [tuple_of("mill", "burned", "down"), tuple_of("x", "y", "z"), tuple_of("x", "y", "z")]
        result = score(gold, predicted)
        assert (result.precision, result.recall) == (approx(1 / 3), approx(1 / 2))
        assert result.f1 == approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
        assert result.auc is None

    def test_details_hold_the_mean_over_matches(self) -> None:
        gold = [tuple_of("mill", "burned", "down"), tuple_of("Nora", "sold", "her boat", sentence=TWO)]
        predicted = [tuple_of("mill", "burned", "down"), tuple_of("Nora", "sold", "boat", sentence=TWO)]
        result = score(gold, [*predicted, tuple_of("x", "y", "z")])
        assert result.details["matches"] == 2
        assert result.details["precision_of_matches"] == approx((1 + 1) / 2)
        assert result.details["recall_of_matches"] == approx((1 + 3 / 4) / 2)


class TestExactMatches:
    def counts(self, gold: Iterable[Record], predicted: Iterable[Record]) -> tuple[int, int]:
        details = score(gold, predicted).details
        return details["exact_matches_predicted"], details["exact_matches_gold"]

    def test_numerators_can_differ(self) -> None:
        gold, copy = tuple_of("mill", "burned", "down"), tuple_of("mill", "burned", "down")
        result = score([gold], [copy, copy])
        assert self.counts([gold], [copy, copy]) == (2, 1)
        assert (result.details["exact_precision"], result.details["exact_recall"]) == (2 / 2, 1 / 1)
        assert self.counts([gold, copy], [copy]) == (1, 2)

    def test_all_gold_arguments_must_be_there(self) -> None:
        gold = tuple_of("mill", "burned", "down", "in May", "at night")
        assert self.counts([gold], [tuple_of("mill", "burned", "down")]) == (0, 0)
        assert self.counts([gold], [tuple_of("mill", "burned", "down", "in May")]) == (0, 0)
        assert self.counts([gold], [tuple_of("mill", "burned", "down", "in May", "by day")]) == (0, 0)
        assert self.counts([gold], [tuple_of("mill", "burned", "down", "in May", "at night")]) == (1, 1)

    def test_surplus_predicted_arguments_do_not_matter(self) -> None:
        assert self.counts([tuple_of("mill", "burned", "down")], [tuple_of("mill", "burned", "down", "x")]) == (1, 1)

    def test_inferred_words_must_be_there_too(self) -> None:
        gold = [tuple_of("mill", "[is]", "old")]
        assert self.counts(gold, [tuple_of("mill", "was", "old")]) == (0, 0)
        assert self.counts(gold, [tuple_of("mill", "is", "old")]) == (1, 1)

    def test_white_space_counts(self) -> None:
        gold = [tuple_of("the mill", "burned", "down")]
        assert self.counts(gold, [tuple_of("the  mill", "burned", "down")]) == (0, 0)


class TestMeetingOfSentences:
    gold = (tuple_of("mill", "burned", "down"), tuple_of("Nora", "sold", "boat", sentence=TWO))

    def test_by_id_when_both_have_one(self) -> None:
        predicted = [tuple_of("mill", "burned", "down", sentence=Sentence("", id="MI 1"))]
        assert score(self.gold, predicted).recall == approx(1 / 2)

    def test_by_text_when_predictions_have_no_id(self) -> None:
        predicted = [tuple_of("mill", "burned", "down", sentence=Sentence(ONE.text))]
        assert score(self.gold, predicted).recall == approx(1 / 2)

    def test_by_text_when_gold_has_no_id(self) -> None:
        gold = [tuple_of("mill", "burned", "down", sentence=Sentence(ONE.text))]
        assert score(gold, [tuple_of("mill", "burned", "down")]).recall == 1.0

    def test_unknown_sentences_are_left_out(self) -> None:
        predicted = [
            tuple_of("mill", "burned", "down"),
            tuple_of("mill", "burned", "down", sentence=Sentence("", id="MI 9")),
            tuple_of("mill", "burned", "down", sentence=Sentence("Rain fell.")),
            tuple_of("mill", "burned", "down", sentence=Sentence("")),
        ]
        result = score(self.gold, predicted)
        assert (result.precision, result.predicted) == (1.0, 4)
        assert result.details["predicted_in_gold_sentences"] == 1

    def test_an_empty_text_is_no_text_to_meet_on(self) -> None:
        gold = [tuple_of("mill", "burned", "down", sentence=Sentence("", id="MI 1"))]
        predicted = [tuple_of("mill", "burned", "down", sentence=Sentence("", id="MI 9"))]
        assert score(gold, predicted).recall == 0.0

    def test_a_repeated_text_with_two_ids_is_two_sentences(self) -> None:
        again = Sentence(ONE.text, id="MI 3")
        gold = [tuple_of("mill", "burned", "down"), tuple_of("mill", "fell", "down", sentence=again)]
        by_id = score(gold, [tuple_of("mill", "fell", "down", sentence=Sentence("", id="MI 3"))])
        by_text = score(gold, [tuple_of("mill", "burned", "down", sentence=Sentence(ONE.text))])
        assert (by_id.recall, by_text.recall) == (approx(1 / 2), approx(1 / 2))

    def test_interleaved_records_of_a_sentence_belong_together(self) -> None:
        gold = [self.gold[0], self.gold[1], tuple_of("mill", "was", "old")]
        evaluation = Wire57().evaluate(gold, gold)
        assert list(evaluation.units) == ["MI 1", "MI 2"]
        assert [sentence.gold for sentence in evaluation.sentences] == [2, 1]


class TestSystems:
    gold = (tuple_of("mill", "burned", "down"),)
    predicted = (
        tuple_of("mill", "burned", "down", extractor="north"),
        tuple_of("x", "y", "z", extractor="south"),
        tuple_of("x", "y", "z", extractor="west"),
    )

    def test_one_of_several_can_be_chosen(self) -> None:
        assert score(self.gold, self.predicted, system="north").precision == 1.0
        assert score(self.gold, self.predicted, system="south").precision == 0.0

    def test_several_without_a_choice_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"come from 3 systems \(north, south, west\); name one"):
            score(self.gold, self.predicted)

    def test_a_system_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"no prediction comes from a system named 'east'. Known: north, south"):
            score(self.gold, self.predicted, system="east")

    def test_one_system_needs_no_choice(self) -> None:
        assert score(self.gold, self.predicted[:1]).precision == 1.0

    def test_the_choice_is_among_the_options(self) -> None:
        assert Wire57(system="north").options() == {"system": "north", "fixes": "none"}
        assert Wire57(fixes=["all"]).options() == {"fixes": "inferred-words+repeated-words"}


class TestEdges:
    def test_no_predictions_score_zero(self) -> None:
        result = score([tuple_of("mill", "burned", "down")], [])
        assert (result.precision, result.recall, result.f1, result.predicted) == (0.0, 0.0, 0.0, 0)
        assert score([tuple_of("mill", "burned", "down")], [], system="north").f1 == 0.0

    def test_no_gold_scores_zero(self) -> None:
        result = score([], [tuple_of("mill", "burned", "down")])
        assert (result.precision, result.recall, result.f1, result.gold) == (0.0, 0.0, 0.0, 0)

    def test_predictions_for_a_sentence_without_gold_tuples_lower_precision(self) -> None:
        gold = [tuple_of("mill", "burned", "down"), TWO]
        predicted = [tuple_of("mill", "burned", "down"), tuple_of("Nora", "sold", "boat", sentence=TWO)]
        assert score(gold, predicted).precision == approx(1 / 2)

    def test_bare_predicted_sentences_are_ignored(self) -> None:
        assert score([tuple_of("mill", "burned", "down")], [ONE, Sentence("", id="MI 7")]).predicted == 0

    def test_an_unknown_fix_is_refused(self) -> None:
        with pytest.raises(InputError, match="no quirk named 'typo'"):
            Wire57(fixes=["typo"])

    def test_it_is_registered(self) -> None:
        assert SCORERS.get("wire57") is Wire57


class TestResampling:
    gold = (tuple_of("the mill", "burned", "down"), tuple_of("Nora", "sold", "her boat", sentence=TWO))
    predicted = (
        tuple_of("mill", "burned", "down"),
        tuple_of("x", "y", "z"),
        tuple_of("Nora", "sold", "boat", sentence=TWO),
    )

    def test_weights_of_one_change_nothing(self) -> None:
        evaluation = Wire57().evaluate(self.gold, self.predicted)
        assert evaluation.score(np.ones(2)) == evaluation.score()

    def test_weights_count_sentences_several_times(self) -> None:
        result = Wire57().evaluate(self.gold, self.predicted).score(np.array([3.0, 1.0]))
        assert result.precision == approx((3 * 1 + 1) / (3 * 2 + 1))
        assert result.recall == approx((3 * (3 / 4) + 3 / 4) / (3 + 1))
        assert result.gold == 4

    def test_a_sentence_that_is_not_drawn_does_not_count(self) -> None:
        result = Wire57().evaluate(self.gold, self.predicted).score(np.array([0.0, 2.0]))
        assert (result.precision, result.recall) == (approx(2 / 2), approx((2 * 3 / 4) / 2))
