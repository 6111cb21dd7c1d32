"""CaRB by hand: the paper's own examples, and each special rule on the smallest case that shows it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plain_carb import score as plain_score
from tupelo.core import Extraction, InputError, UnknownNameError
from tupelo.scorers.carb import Carb, CarbEvaluation, sentence_key, split_to_binary, split_to_binary_copies
from tupelo.scorers.carb_matchers import MATCHERS, OFFICIAL_NAMES, PlainTuple, build_matcher
from tupelo.scorers.result import Score

SENTENCE = "I ate an apple and an orange ."


def tuples(*items: tuple[str, ...] | tuple[object, ...], sentence: str = SENTENCE) -> list[Extraction]:
    """Tuples as (relation, argument…) with an optional number at the end as confidence."""
    made = []
    for rel, *rest in items:
        confidence = float(rest.pop()) if rest and isinstance(rest[-1], float) else None
        made.append(Extraction.of(sentence, str(rel), [str(text) for text in rest], confidence=confidence))
    return made


def score(gold: list[Extraction], predicted: list[Extraction], **options: object) -> Score:
    return Carb(**options).evaluate(gold, predicted).score()  # type: ignore[arg-type]


def fit(gold: tuple[str, ...], predicted: tuple[str, ...], matcher: str = "binary-lenient", *fixes: str):
    built = build_matcher(matcher, frozenset(fixes))
    return built.match(built.prepare(gold[0], gold[1:]), built.prepare(predicted[0], predicted[1:]))


class TestPaperExamples:
    gold = tuples(("ate", "I", "an apple"), ("ate", "I", "an orange"))

    def test_one_tuple_for_two_facts_has_full_recall_and_low_precision(self):
        found = score(self.gold, tuples(("ate", "I", "an apple and an orange")))
        # Table 2 prints 0.57 and 1.
        assert (found.precision, found.recall) == (4 / 7, 1.0)

    def test_one_of_two_facts_has_full_precision_and_part_of_the_recall(self):
        found = score(self.gold, tuples(("ate", "I", "an apple")))
        # Table 2 prints 1 and 0.87: (4/4 + 3/4) / 2 is 0.875.
        assert (found.precision, found.recall) == (1.0, (4 / 4 + 3 / 4) / 2)

    def test_the_same_tuple_is_perfect(self):
        found = score(tuples(("ate", "I", "an apple")), tuples(("ate", "I", "an apple")))
        assert (found.precision, found.recall, found.f1, found.auc) == (1.0, 1.0, 1.0, 1.0)

    def test_shuffled_slots_score_nothing(self):
        # Table 3: (ate; an apple; I), that is relation "an apple" between "ate" and "I".
        found = score(tuples(("ate", "I", "an apple")), tuples(("an apple", "ate", "I")))
        assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)


class TestMatchers:
    def test_arguments_after_the_first_count_as_one(self):
        gold, predicted = ("gave", "he", "her", "a book", "in May"), ("gave", "he", "her a book in May")
        assert fit(gold, predicted) == (1.0, 1.0)
        # Slot by slot: gave 1/1, he 1/1, her 1 of 5; "a book in May" of gold finds no third argument.
        assert fit(gold, predicted, "lenient") == (3 / 7, 3 / 7)

    def test_a_repeated_word_counts_as_often_as_both_sides_have_it(self):
        assert fit(("is", "a", "b b b"), ("is", "a", "b b c")) == (4 / 5, 4 / 5)

    def test_words_are_compared_with_their_case(self):
        assert fit(("ate", "I", "Apple"), ("ate", "I", "apple")) == (2 / 3, 2 / 3)

    def test_a_left_over_be_counts_for_any_form_of_be(self):
        assert fit(("is", "a", "b"), ("be", "a", "b")) == (1.0, 1.0)
        assert fit(("ran", "a", "b"), ("be", "a", "b")) == (0.0, 0.0)

    def test_be_can_be_counted_twice_unless_fixed(self):
        gold, predicted = ("is", "a", "b"), ("is be", "a", "b")
        assert fit(gold, predicted) == (4 / 4, 4 / 3)
        assert fit(gold, predicted, "binary-lenient", "be-counted-twice") == (3 / 4, 3 / 3)

    def test_a_missing_second_argument_is_no_match(self):
        assert fit(("ate", "I", "an apple"), ("ate", "I")) == (0.0, 0.0)

    def test_a_gold_tuple_with_one_argument_needs_only_one(self):
        assert fit(("slept", "I"), ("slept", "I", "long")) == (1.0, 1.0)
        assert fit(("slept", "I"), ("slept", "I", "long"), "binary-lenient", "extra-arguments-free") == (2 / 3, 1.0)

    def test_speech_may_swap_its_arguments(self):
        assert fit(("said", "he", "it rains"), ("said", "it rains", "he")) == (1.0, 1.0)
        assert fit(("shouted", "he", "it rains"), ("shouted", "it rains", "he")) == (1 / 4, 1 / 4)

    def test_a_substring_is_taken_for_speech_unless_fixed(self):
        gold, predicted = ("padded", "a b", "c"), ("padded", "c", "a b")
        assert fit(gold, predicted) == (1.0, 1.0)
        assert fit(gold, predicted, "binary-lenient", "speech-by-substring") == (1 / 4, 1 / 4)

    def test_slots_need_no_common_relation_word(self):
        assert fit(("ate", "I", "an apple"), ("had", "I", "an apple"), "slots") == (3 / 4, 3 / 4)
        assert fit(("ate", "I"), ("ate", "I", "it"), "slots") == (2 / 3, 2 / 2)
        assert fit(("", ""), ("ate", "I"), "slots") == (0.0, 0.0)

    def test_strict_wants_a_common_word_in_both_arguments(self):
        gold = ("ate", "I", "an apple", "today")
        assert fit(gold, ("ate", "you", "an apple"), "strict") == (0.0, 0.0)
        assert fit(gold, ("ate", "I", "an apple", "now"), "strict") == (4 / 5, 4 / 5)
        assert fit(("is", "I", "old"), ("be", "I", "old"), "strict") == (0.0, 0.0)

    def test_binary_strict_joins_first(self):
        assert fit(("ate", "I", "x", "an apple"), ("ate", "I", "an apple"), "binary-strict") == (4 / 4, 4 / 5)

    def test_predicates_are_equal_without_stop_words(self):
        assert fit(("was the Founder of", "a", "b"), ("founder", "x", "y"), "predicate") == (1.0, 1.0)
        assert fit(("founder", "a", "b"), ("founders", "x", "y"), "predicate") == (0.0, 0.0)

    def test_word_pairs_count_repetitions_again_unless_fixed(self):
        gold, predicted = ("ate", "I", "b c d e"), ("ate ate ate ate", "x", "y")
        assert fit(gold, predicted, "word-pairs") == (1.0, 1.0)  # 4 pairs of 6 gold words
        assert fit(gold, predicted, "word-pairs", "repeated-pairs") == (0.0, 0.0)  # 1 of 6

    def test_character_pairs_match_nearly_everything(self):
        assert fit(("ate", "I", "an apple"), ("ran", "a plane", "x"), "character-pairs") == (1.0, 1.0)
        assert fit(("ate",), ("ate", "x"), "character-pairs") == (0.0, 0.0)

    def test_exact_means_exact(self):
        assert fit(("ate", "I", "an apple"), ("ate", "I", "an apple"), "exact") == (1.0, 1.0)
        assert fit(("ate", "I", "an apple"), ("ate", "I", "an", "apple"), "exact") == (0.0, 0.0)

    def test_official_names_are_aliases(self):
        assert {Carb(matcher=name).matcher for name in OFFICIAL_NAMES} < set(MATCHERS)
        with pytest.raises(UnknownNameError, match="no CaRB matcher named 'lexical'"):
            Carb(matcher="lexical")


class TestSentences:
    def test_keys_ignore_spaces_punctuation_and_bracket_names(self):
        assert sentence_key("A -LRB- b -RRB- , c .") == sentence_key("A(b), c") == "Abc"
        assert sentence_key("Ä – x") == "Ä–x"

    def test_predictions_for_other_sentences_only_add_thresholds(self):
        gold = tuples(("ate", "I", "an apple"))
        predicted = tuples(("ate", "I", "an apple", 0.5))
        elsewhere = tuples(("ran", "you", "home", 0.9), sentence="Another one .")
        alone, both = score(gold, predicted), score(gold, predicted + elsewhere)
        assert (both.f1, both.auc, both.predicted) == (alone.f1, alone.auc, 2)
        assert [tuple(point) for point in both.curve] == [(1.0, 0.0, 0.9), (1.0, 1.0, 0.5)]

    def test_a_gold_sentence_without_prediction_lowers_recall_only(self):
        gold = tuples(("ate", "I", "an apple")) + tuples(("ran", "you", "home"), sentence="You ran home .")
        found = score(gold, tuples(("ate", "I", "an apple")))
        assert (found.precision, found.recall) == (1.0, 1 / 2)
        assert found.details["gold_sentences_without_prediction"] == 1

    def test_of_duplicated_sentences_the_later_wins_unless_fixed(self):
        gold = tuples(("ate", "I", "an apple")) + tuples(("ate", "I", "an orange"), sentence=SENTENCE + "!")
        predicted = tuples(("ate", "I", "an orange"))
        assert score(gold, predicted).gold == 1
        fixed = score(gold, predicted, fixes=["duplicate-sentences"])
        assert (fixed.gold, fixed.recall) == (2, (3 / 4 + 1) / 2)

    def test_one_sentence_spelt_the_same_twice_is_one_sentence(self):
        gold = tuples(("ate", "I", "an apple")) + tuples(("x", "y", "z"), sentence="Between .")
        gold += tuples(("ate", "I", "an orange"))
        assert score(gold, []).details["gold_sentences"] == 2


class TestCorners:
    gold = tuples(("ate", "I", "an apple"))

    def test_no_predictions_score_zero(self):
        found = score(self.gold, [])
        assert (found.auc, found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0, 0.0)
        assert (found.threshold, len(found.curve), found.predicted) == (None, 0, 0)

    def test_no_gold_gives_precision_one_and_recall_zero(self):
        found = score([], tuples(("ate", "I", "an apple")))
        assert (found.auc, found.precision, found.recall, found.f1) == (0.0, 1.0, 0.0, 0.0)

    def test_neither_side_scores_zero(self):
        assert score([], []).f1 == 0.0

    def test_nothing_matches_scores_zero(self):
        found = score(self.gold, tuples(("ran", "you", "home")))
        assert (found.auc, found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0, 0.0)

    def test_one_threshold_has_area_recall_times_mean_of_one_and_precision(self):
        found = score(self.gold, tuples(("ate", "I", "an orange"), ("ran", "I", "home")))
        assert (found.precision, found.recall) == (3 / 4 / 2, 3 / 4)
        assert found.auc == pytest.approx(3 / 4 * (1 + 3 / 8) / 2)

    def test_a_missing_confidence_counts_as_one(self):
        found = score(self.gold, tuples(("ate", "I", "an apple"), ("ate", "I", "an orange", 0.5)))
        assert found.threshold == 1.0

    def test_infinite_confidences_are_thresholds_like_others(self):
        found = score(self.gold, tuples(("ate", "I", "an apple", -math.inf), ("x", "y", "z", math.inf)))
        assert (found.threshold, found.recall) == (-math.inf, 1.0)

    def test_nan_cannot_even_be_made(self):
        with pytest.raises(ValueError, match="NaN"):
            Extraction.of(SENTENCE, "ate", ["I"], confidence=math.nan)

    def test_of_equal_f1_the_lowest_threshold_is_reported(self):
        predicted = tuples(("ate", "I", "an apple", 0.9)) + tuples(("x", "y", "z", 0.1), sentence="Elsewhere .")
        assert score(self.gold, predicted).threshold == 0.1

    def test_unknown_fixes_are_refused(self):
        with pytest.raises(InputError, match="no quirk named 'everything'"):
            Carb(fixes=["everything"])


class TestBinary:
    item = PlainTuple("gave", ("he", "her", "a book", "in May", "At noon"), 1.0)

    def test_the_released_split_repeats_the_last_form(self):
        assert split_to_binary_copies(self.item) == [PlainTuple("gave her At", ("he", "noon"), 1.0)] * 4

    def test_the_described_split_keeps_every_argument(self):
        assert split_to_binary(self.item) == [
            PlainTuple("gave", ("he", "her"), 1.0),
            PlainTuple("gave her", ("he", "a book"), 1.0),
            PlainTuple("gave her in", ("he", "May"), 1.0),
            PlainTuple("gave her At", ("he", "noon"), 1.0),
        ]

    def test_two_arguments_stay(self):
        short = PlainTuple("ate", ("I", "it"), 1.0)
        assert split_to_binary(short) == split_to_binary_copies(short) == [short]

    def test_the_option_changes_both_sides_and_the_fix_changes_the_option(self):
        gold = tuples(("gave", "he", "her", "a book"))
        predicted = tuples(("gave", "he", "her"))
        assert score(gold, predicted, binary=True).gold == 2
        # Released: both gold copies are (gave her; he, a book); the prediction shares gave, he of 3 words.
        assert score(gold, predicted, binary=True).recall == pytest.approx(2 / 5)
        fixed = score(gold, predicted, binary=True, fixes=["binary-copies"])
        assert fixed.recall == pytest.approx((1 + 2 / 5) / 2)


def test_single_match_uses_a_prediction_once_for_recall():
    gold = tuples(("ate", "I", "an apple"), ("ate", "I", "an orange"))
    predicted = tuples(("ate", "I", "an apple and an orange"))
    assert score(gold, predicted).recall == 1.0
    assert score(gold, predicted, single_match=True).recall == 1 / 2


WORDS = st.sampled_from(["a", "b", "c", "d", "be", "is", "said", "told"])
PHRASE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
ITEM = st.tuples(PHRASE, st.lists(PHRASE, max_size=3).map(tuple), st.sampled_from([0.1, 0.2, 0.5, 0.9, 1.0]))
CORPUS = st.lists(
    st.tuples(st.lists(ITEM, min_size=1, max_size=4), st.lists(ITEM, max_size=5)), min_size=1, max_size=5
)


def evaluate(corpus) -> CarbEvaluation:
    gold = [Extraction.of(f"s{n}", r, a) for n, (items, _) in enumerate(corpus) for r, a, _ in items]
    predicted = [
        Extraction.of(f"s{n}", r, a, confidence=c) for n, (_, items) in enumerate(corpus) for r, a, c in items
    ]
    return Carb().evaluate(gold, predicted)


@pytest.mark.slow
@given(CORPUS)
def test_the_plain_algorithm_gives_the_same_figures(corpus):
    found, plain = evaluate(corpus).score(), plain_score(corpus)
    assert found.precision == plain["precision"]
    assert found.recall == plain["recall"]
    assert found.auc == pytest.approx(plain["auc"], abs=1e-12)


@given(CORPUS)
def test_running_differences_agree_with_sums_in_order(corpus):
    evaluation = evaluate(corpus)
    ones = evaluation.score(weights=_ones(evaluation))
    found = evaluation.score()
    assert ones.f1 == pytest.approx(found.f1, abs=1e-12)
    assert ones.auc == pytest.approx(found.auc, abs=1e-12)


@given(CORPUS, st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(corpus, random):
    shuffled = list(corpus)
    random.shuffle(shuffled)
    assert evaluate(shuffled).score().f1 == pytest.approx(evaluate(corpus).score().f1, abs=1e-12)


@pytest.mark.slow
@given(CORPUS)
def test_a_weight_of_two_is_the_same_as_a_sentence_twice(corpus):
    weights = _ones(evaluate(corpus))
    weights[0] = 2
    weighted = evaluate(corpus).score(weights)
    repeated = evaluate([*corpus, corpus[0]]).score()
    assert weighted.f1 == pytest.approx(repeated.f1, abs=1e-12)
    assert weighted.auc == pytest.approx(repeated.auc, abs=1e-12)


def _ones(evaluation: CarbEvaluation):
    import numpy as np

    return np.ones(len(evaluation.units))
