"""BenchIE on cases small enough to score by hand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tupelo.core import Argument, Extraction, InputError, Record, Sentence, UnknownNameError
from tupelo.scorers import SCORERS
from tupelo.scorers.benchie import Benchie, expand, parse_slot
from tupelo.scorers.result import Score

approx = pytest.approx
ONE = Sentence("The old mill by the river burned down in May .", id="1")
TWO = Sentence("Nora sold her boat .", id="2")


def fact(cluster: str | None, *slots: str, sentence: Sentence = ONE) -> Extraction:
    subject, relation, object_ = map(Argument, slots)
    group = None if cluster is None else f"{sentence.id}/{cluster}"
    return Extraction(sentence, relation, subject, (object_,), group=group)


def triple(*slots: str, sentence: Sentence = ONE) -> Extraction:
    return fact(None, *slots, sentence=sentence)


def score(gold: Iterable[Record], predicted: Iterable[Record], **options: object) -> Score:
    return Benchie(**options).evaluate(gold, predicted).score()  # type: ignore[arg-type]


def forms(slot: str, **options: bool) -> set[str]:
    return set(expand(parse_slot(slot, **options)))


def hits(gold_slot: str, predicted_slot: str, **options: object) -> bool:
    """Whether an object slot is accepted."""
    result = score([fact("1", "mill", "burned", gold_slot)], [triple("mill", "burned", predicted_slot)], **options)
    return result.details["clusters_hit"] == 1


class TestOptionalWords:
    def test_words_without_brackets_are_required(self) -> None:
        assert forms("the old mill") == {"the old mill"}

    def test_each_optional_word_is_there_or_not(self) -> None:
        assert forms("[the] [old] mill") == {"the old mill", "the mill", "old mill", "mill"}

    def test_several_words_in_one_pair_of_brackets_go_together(self) -> None:
        assert forms("mill [by the river]") == {"mill by the river", "mill"}

    def test_a_word_that_touches_brackets_is_optional_as_a_whole(self) -> None:
        assert forms("John[,] Jr.") == {"John, Jr.", "Jr."}

    def test_a_bracket_ends_at_the_next_closing_one(self) -> None:
        # "[a [b]" is one optional part; "c]" has no partner and is dropped.
        assert forms("x [a [b] c] y") == {"x a b y", "x y"}

    def test_an_unpaired_word_is_dropped_unless_fixed(self) -> None:
        assert forms("the old] mill") == {"the mill"}
        assert forms("the [old mill") == {"the mill"}
        assert forms("the old] mill", keep_unpaired=True) == {"the old mill"}
        assert forms("the [old mill", keep_unpaired=True) == {"the old mill"}

    def test_everything_optional_can_be_empty(self) -> None:
        assert forms("[there]") == {"there", ""}

    def test_a_double_space_stays(self) -> None:
        assert forms("burned  [down] in") == {"burned  down in", "burned  in"}

    def test_unpaired_brackets_in_a_score(self) -> None:
        assert hits("the old] mill", "the mill")
        assert not hits("the old] mill", "the old mill")
        assert hits("the old] mill", "the old mill", fixes=["unpaired-brackets"])
        assert not hits("the old] mill", "the mill", fixes=["unpaired-brackets"])

    def test_a_slot_with_too_many_optional_parts_is_refused(self) -> None:
        gold = [fact("1", " ".join(f"[w{number}]" for number in range(21)), "is", "long")]
        assert score(gold, []).details["gold_forms"] == 2**21
        with pytest.raises(InputError, match="sentence '1' has a gold slot with more than 20 optional parts"):
            score(gold, [triple("w1", "is", "long")])


class TestMatching:
    def test_all_three_slots_must_be_equal(self) -> None:
        gold = [fact("1", "[the] mill", "burned", "[down]")]
        assert score(gold, [triple("mill", "burned", "down")]).recall == 1.0
        for wrong in (("roof", "burned", "down"), ("mill", "fell", "down"), ("mill", "burned", "up")):
            assert score(gold, [triple(*wrong)]).recall == 0.0

    def test_case_counts(self) -> None:
        assert not hits("May", "may")

    def test_outer_white_space_does_not_count(self) -> None:
        assert hits("May", " May ")
        assert hits("[in] May ", "May")

    def test_inner_white_space_counts(self) -> None:
        assert not hits("in  May", "in May")

    def test_lexical_ignores_the_borders_of_slots(self) -> None:
        gold = [fact("1", "[the] mill", "burned down [completely]", "in May")]
        shifted = triple("mill", "burned", "down in May")
        assert score(gold, [shifted]).recall == 0.0
        assert score(gold, [shifted], matcher="lexical").recall == 1.0

    def test_lexical_still_needs_every_word(self) -> None:
        gold = [fact("1", "[the] mill", "burned down", "in May")]
        for wrong in (("mill", "burned", "in May"), ("mill", "burned down", "in May today"), ("mill", "b", "c")):
            assert score(gold, [triple(*wrong)], matcher="lexical").recall == 0.0

    def test_lexical_keeps_the_spaces_around_an_empty_slot(self) -> None:
        gold = [fact("1", "mill", "burned", "[down]")]
        # "mill burned " with nothing after it, as for the same triple.
        assert score(gold, [triple("mill", "burned", "")], matcher="lexical").recall == 1.0
        assert score(gold, [triple("mill", "", "burned")], matcher="lexical").recall == 0.0

    def test_further_arguments_are_joined_to_the_object(self) -> None:
        gold = [fact("1", "mill", "burned", "down in May")]
        predicted = Extraction.of(ONE, "burned", ["mill", "down", "in May"])
        assert score(gold, [predicted]).recall == 1.0


class TestMinimalMode:
    def test_only_the_shortest_form_is_accepted(self) -> None:
        assert hits("[the] river [in May]", "river", mode="minimal")
        assert not hits("[the] river [in May]", "the river", mode="minimal")

    def test_double_spaces_that_arise_are_reduced(self) -> None:
        assert hits("a [b] [c] [d] e", "a e", mode="minimal")

    def test_no_space_is_left_at_the_ends(self) -> None:
        result = score(
            [fact("1", "mill", "burned", "[the] river [in May]")], [triple("mill", "burned", "river")], mode="minimal"
        )
        assert (result.details["clusters_hit"], result.details["whitespace_only_matches"]) == (1, 0)

    def test_round_brackets_go_too_where_there_are_square_ones(self) -> None:
        assert hits("[the] river (Elbe) bank", "river bank", mode="minimal")
        assert hits("the river (Elbe) bank", "the river (Elbe) bank", mode="minimal")

    def test_a_slot_without_optional_words_keeps_its_double_spaces(self) -> None:
        assert hits("a  b", "a  b", mode="minimal")
        assert not hits("a  b", "a b", mode="minimal")

    def test_an_unpaired_bracket_is_treated_as_in_full_mode(self) -> None:
        assert hits("[the] river [bank", "river", mode="minimal")


class TestCounts:
    gold = (
        fact("1", "[the] mill", "burned", "down"),
        fact("2", "[the] mill", "stood by", "[the] river"),
    )

    def test_the_worked_example(self) -> None:
        predicted = [
            triple("mill", "burned", "down"),
            triple("the mill", "burned", "down"),
            triple("mill", "stood", "by the river"),
        ]
        result = score(self.gold, predicted)
        assert (result.precision, result.recall, result.f1) == (approx(1 / 2), approx(1 / 2), approx(1 / 2))
        assert result.details == {
            "clusters": 2,
            "gold_triples": 2,
            "clusters_hit": 1,
            "false_positives": 1,
            "matching": 2,
            "predicted_in_gold_sentences": 3,
            "gold_forms": 2 + 2 * 2,
            "whitespace_only_matches": 0,
        }
        assert result.auc is None
        lexical = score(self.gold, predicted, matcher="lexical")
        assert (lexical.precision, lexical.recall) == (1.0, 1.0)

    def test_a_cluster_set_twice_counts_once_and_costs_nothing(self) -> None:
        result = score(self.gold, [triple("mill", "burned", "down")] * 5)
        assert (result.precision, result.recall) == (approx(1 / 1), approx(1 / 2))

    def test_any_triple_of_a_cluster_will_do(self) -> None:
        gold = [*self.gold, fact("1", "[the] mill", "burned down", "in May")]
        result = score(gold, [triple("mill", "burned down", "in May")])
        assert result.details["clusters_hit"] == 1
        assert (result.gold, result.details["gold_triples"]) == (2, 3)

    def test_of_several_clusters_the_first_is_set(self) -> None:
        gold = [fact("1", "[the] mill", "burned", "down"), fact("2", "the mill", "burned", "down")]
        result = score(gold, [triple("the mill", "burned", "down"), triple("mill", "burned", "down")])
        assert result.details["clusters_hit"] == 1

    def test_tuples_without_cluster_are_facts_of_their_own(self) -> None:
        gold = [triple("mill", "burned", "down"), triple("mill", "was", "old")]
        assert score(gold, [triple("mill", "burned", "down")]).recall == approx(1 / 2)


class TestWhiteSpaceQuirk:
    gold = (
        fact("1", "mill", "burned", "down"),
        fact("2", "mill", "fell", "down"),
        fact("3", "mill", "was", "old"),
    )

    @pytest.mark.parametrize("matcher", ["slot", "lexical"])
    def test_a_match_after_stripping_sets_the_last_cluster(self, matcher: str) -> None:
        predicted = [triple("mill", "burned ", "down"), triple("mill", "was", "old")]
        result = score(self.gold, predicted, matcher=matcher)
        assert result.details["clusters_hit"] == 1
        assert (result.details["whitespace_only_matches"], result.recall) == (1, approx(1 / 3))

    @pytest.mark.parametrize("matcher", ["slot", "lexical"])
    def test_with_the_fix_it_sets_the_cluster_that_it_matches(self, matcher: str) -> None:
        predicted = [triple("mill", "burned ", "down"), triple("mill", "was", "old")]
        result = score(self.gold, predicted, matcher=matcher, fixes=["whitespace-cluster"])
        assert result.details["clusters_hit"] == 2
        assert (result.details["whitespace_only_matches"], result.recall) == (1, approx(2 / 3))

    def test_spaces_in_gold_have_the_same_effect(self) -> None:
        gold = [fact("1", "mill", "burned ", "down"), *self.gold[1:]]
        predicted = [triple("mill", "burned", "down"), triple("mill", "was", "old")]
        assert score(gold, predicted).details["clusters_hit"] == 1

    def test_an_equal_triple_in_a_later_cluster_goes_first(self) -> None:
        gold = [fact("1", "mill", "burned ", "down"), fact("2", "mill", "burned", "down"), self.gold[2]]
        # Each sets the cluster in which it is written the same way; after stripping both would set the first.
        result = score(gold, [triple("mill", "burned", "down"), triple("mill", "burned ", "down")])
        assert result.details["clusters_hit"] == 2
        assert result.details["whitespace_only_matches"] == 0


class TestMeetingOfSentences:
    gold = (fact("1", "mill", "burned", "down"), fact("1", "Nora", "sold", "[her] boat", sentence=TWO))

    def test_by_id(self) -> None:
        predicted = [triple("Nora", "sold", "boat", sentence=Sentence("", id="2"))]
        assert score(self.gold, predicted).recall == approx(1 / 2)

    def test_by_text_when_predictions_have_no_id(self) -> None:
        predicted = [triple("Nora", "sold", "boat", sentence=Sentence(TWO.text))]
        assert score(self.gold, predicted).recall == approx(1 / 2)

    def test_unknown_ids_are_ignored(self) -> None:
        predicted = [triple("Nora", "sold", "boat", sentence=Sentence("", id="9")), triple("mill", "burned", "down")]
        result = score(self.gold, predicted)
        assert (result.precision, result.predicted) == (1.0, 2)
        assert result.details["predicted_in_gold_sentences"] == 1

    def test_a_triple_of_another_sentence_is_false(self) -> None:
        assert score(self.gold, [triple("Nora", "sold", "boat")]).details["false_positives"] == 1

    def test_predictions_for_a_sentence_without_clusters_are_false(self) -> None:
        result = score([self.gold[0], TWO], [triple("mill", "burned", "down"), triple("a", "b", "c", sentence=TWO)])
        assert (result.precision, result.recall) == (approx(1 / 2), approx(1 / 1))

    def test_equal_cluster_names_in_two_sentences_are_two_clusters(self) -> None:
        gold = [
            Extraction(ONE, Argument("burned"), Argument("mill"), (Argument("down"),), group="1"),
            Extraction(TWO, Argument("sold"), Argument("Nora"), (Argument("boat"),), group="1"),
        ]
        assert score(gold, []).details["clusters"] == 2


class TestEdges:
    def test_no_predictions_score_zero(self) -> None:
        result = score([fact("1", "mill", "burned", "down")], [])
        assert (result.precision, result.recall, result.f1) == (0.0, 0.0, 0.0)

    def test_no_gold_scores_zero(self) -> None:
        result = score([], [triple("mill", "burned", "down")])
        assert (result.precision, result.recall, result.f1, result.predicted) == (0.0, 0.0, 0.0, 1)

    def test_a_line_that_is_no_triple_is_a_member_that_nothing_matches(self) -> None:
        gold = [Extraction(ONE, Argument("mill, burned"), group="1/1")]
        result = score(gold, [triple("m", "i", "l")])
        assert (result.details["clusters"], result.details["false_positives"]) == (1, 1)

    def test_unknown_names_are_refused(self) -> None:
        with pytest.raises(UnknownNameError, match="no BenchIE matcher named 'exact'"):
            Benchie(matcher="exact")
        with pytest.raises(UnknownNameError, match="no BenchIE mode named 'short'"):
            Benchie(mode="short")
        with pytest.raises(InputError, match="no quirk named 'typo'"):
            Benchie(fixes=["typo"])

    def test_options_name_everything_that_changes_figures(self) -> None:
        assert Benchie(matcher="lexical", mode="minimal", fixes=["all"]).options() == {
            "match": "lexical",
            "mode": "minimal",
            "fixes": "unpaired-brackets+whitespace-cluster",
        }
        assert Benchie().options() == {"match": "slot", "mode": "full", "fixes": "none"}

    def test_it_is_registered(self) -> None:
        assert SCORERS.get("benchie") is Benchie


class TestResampling:
    gold = (*TestCounts.gold, fact("1", "Nora", "sold", "boat", sentence=TWO))
    predicted = (
        triple("mill", "burned", "down"),
        triple("mill", "x", "y"),
        triple("Nora", "sold", "boat", sentence=TWO),
    )

    def test_weights_of_one_change_nothing(self) -> None:
        evaluation = Benchie().evaluate(self.gold, self.predicted)
        assert evaluation.score(np.ones(2)) == evaluation.score()

    def test_weights_count_sentences_several_times(self) -> None:
        result = Benchie().evaluate(self.gold, self.predicted).score(np.array([3.0, 1.0]))
        assert result.precision == approx((3 * 1 + 1) / (3 * 2 + 1))
        assert result.recall == approx((3 * 1 + 1) / (3 * 2 + 1))

    def test_an_empty_resample_scores_zero(self) -> None:
        result = Benchie().evaluate(self.gold, self.predicted).score(np.zeros(2))
        assert (result.precision, result.recall, result.f1) == (0.0, 0.0, 0.0)
