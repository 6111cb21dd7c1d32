"""The diversified filter on the example of the paper (Appendix A.2.2) and on small cases."""

from __future__ import annotations

import pytest

from tupelo.core import UnknownNameError
from tupelo.robustness.diversity import bleu_matrix, diversify

pytest.importorskip("sacrebleu", reason="needs sacrebleu (pip install 'tupelo[cliques]')")

# Table 3 of the paper.
ORIGINAL = "In 1840, he was appointed to command his regiment, a post he held for nearly fourteen years."
PARAPHRASES = (
    "1840, the regiment's commander, which he held for nearly 14 years.",
    "In 1840 he took command of the regiment and held it for nearly 14 years.",
    "When he was 14 years old, he became a member of the regiment.",
    "1840, the command of the regiment, which he held for nearly 14 years.",
    "The regiment, then, in 1840, the rank of captain, which he held for nearly 14 years.",
)


def test_the_example_of_the_paper_goes_as_the_paper_tells_it():
    filtered = diversify(ORIGINAL, PARAPHRASES)
    assert filtered.kept == (1, 2, 4)
    assert [(gone.position, gone.reason, gone.partner) for gone in filtered.removed] == [
        (3, "bleu", 0),
        (0, "bleu", 4),
    ]
    sums = [sum(row) for row in bleu_matrix(PARAPHRASES)]
    # The paper prints 136.9 and 158.7; its BLEU is not exactly ours.
    assert sums[0] == pytest.approx(136.9, abs=2)
    assert sums[3] == pytest.approx(158.7, abs=4)


def test_the_released_order_drops_by_length_first_and_keeps_the_same():
    filtered = diversify(ORIGINAL, PARAPHRASES, order="released")
    assert filtered.kept == (1, 2, 4)
    assert [(gone.position, gone.reason) for gone in filtered.removed] == [(0, "length"), (3, "bleu")]


@pytest.mark.parametrize("order", ["paper", "released"])
def test_nothing_goes_when_there_are_few(order):
    filtered = diversify("a b c d e f", ["a b c", "b c d e", "x"], order=order)
    assert (filtered.kept, filtered.removed) == ((0, 1, 2), ())


def test_of_a_similar_pair_the_short_sentence_goes():
    long = "the old mill by the river burned down last night"
    filtered = diversify(long, ["the old mill by the river", long, "nobody saw it", "a fire took the mill"], keep=3)
    # 6 words of 10 are below two thirds, though the longer one has the higher sum.
    assert [(gone.position, gone.reason, gone.partner) for gone in filtered.removed] == [(0, "length", 1)]


def test_the_one_of_a_pair_with_the_higher_sum_goes():
    sentences = ["a b c d e f g", "a b c d e f h", "a b c d x y z"]
    filtered = diversify("a b c d e f g", [*sentences, "b c d e f g k"], keep=3)
    assert [gone.position for gone in filtered.removed] == [0]


def test_the_released_order_passes_over_the_sentence_after_one_that_it_drops():
    words = "one two three four five six seven eight nine"
    shorts = ["one two", "three four", "five six"]
    longs = [
        "seven eight nine one two three four",
        "one two three four five six seven",
        "six five four three two one nine",
    ]
    filtered = diversify(words, [*shorts, *longs], order="released")
    assert [gone.position for gone in filtered.removed if gone.reason == "length"] == [0, 2]
    assert filtered.kept == (1, 3, 5)


def test_without_any_common_word_the_released_order_drops_the_first():
    filtered = diversify(
        "a b c d e f g h", ["a b c d e f", "g h i j k l", "m n o p q r", "s t u v w x"], order="released"
    )
    assert filtered.kept == (1, 2, 3)


def test_an_unknown_order_is_named():
    with pytest.raises(UnknownNameError, match="Known: paper, released"):
        diversify("a", ["b"], order="random")
