"""Coreference figures, by hand, by brute force and by what must always hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import heappush
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tupelo.core import Analysis, InputError, Mention, UnknownNameError, Word
from tupelo.scorers.coref import CorefScore, CorefScorer, Partitions, heaviest_matching

METRICS = ("muc", "b3", "ceafe", "ceafm", "lea", "blanc", "mentions")


def document(clusters: Sequence[str], letters: str = "abcdefghijkl", name: str = "d") -> list[Analysis]:
    """One sentence a letter; `clusters` say which letters are mentions of one entity."""
    entity = {letter: number for number, cluster in enumerate(clusters) for letter in cluster}
    return [
        Analysis(
            letter,
            (Word(letter, 0, 1),),
            document_id=name,
            mentions=(Mention(entity[letter], 0, 1, 0, ""),) if letter in entity else (),
        )
        for letter in letters
    ]


def score(gold: Sequence[str], predicted: Sequence[str], singletons: str = "keep") -> CorefScore:
    return CorefScorer(singletons=singletons).evaluate(document(gold), document(predicted))


def figures(found: CorefScore, name: str) -> tuple[float, float, float]:
    one = found.figures[name]
    return one.recall, one.precision, one.f1


def f1(recall: Fraction, precision: Fraction) -> float:
    return float(2 * recall * precision / (recall + precision))


# The running example of Pradhan et al. (2014), section 4.
GOLD, RESPONSE = ["abc", "defg"], ["ab", "cd", "fghi"]
EXPECTED = {
    # abc is split into ab|c, defg into d|e|fg; ab is whole, cd split into c|d, fghi into fg|h|i.
    "muc": (Fraction((3 - 2) + (4 - 3), 2 + 3), Fraction((2 - 1) + (2 - 2) + (4 - 3), 1 + 1 + 3)),
    "b3": (
        (Fraction(2**2, 3) + Fraction(1, 3) + Fraction(1, 4) + Fraction(2**2, 4)) / 7,
        (Fraction(2**2, 2) + Fraction(1, 2) + Fraction(1, 2) + Fraction(2**2, 4)) / 8,
    ),
    # abc with ab, defg with fghi.
    "ceafm": (Fraction(2 + 2, 7), Fraction(2 + 2, 8)),
    "ceafe": ((Fraction(4, 5) + Fraction(4, 8)) / 2, (Fraction(4, 5) + Fraction(4, 8)) / 3),
    # Of the 3 links of abc the response has ab, of the 6 of defg it has fg.
    "lea": (
        (3 * Fraction(1, 3) + 4 * Fraction(1, 6)) / (3 + 4),
        (2 * Fraction(1, 1) + 2 * Fraction(0, 1) + 4 * Fraction(1, 6)) / (2 + 2 + 4),
    ),
    "mentions": (Fraction(6, 7), Fraction(6, 8)),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_example_of_the_reference_scorer(name: str) -> None:
    recall, precision = EXPECTED[name]
    assert figures(score(GOLD, RESPONSE), name) == pytest.approx((recall, precision, f1(recall, precision)))


def test_blanc_of_the_example_is_the_mean_of_both_kinds_of_links() -> None:
    # Inside clusters: gold 3 + 6, response 1 + 1 + 6, both ab and fg. Between: gold 3 * 4, response 28 - 8; in both
    # the 15 pairs of a b c d f g without ab, cd and fg (the response's) and without ac, bc, df and dg (gold's).
    inside, between = (Fraction(2, 9), Fraction(2, 8)), (Fraction(8, 12), Fraction(8, 20))
    expected = [(one + other) / 2 for one, other in zip(inside, between, strict=True)]
    assert figures(score(GOLD, RESPONSE), "blanc") == pytest.approx((*expected, (f1(*inside) + f1(*between)) / 2))


def test_the_conll_average_is_that_of_three() -> None:
    found = score(GOLD, RESPONSE)
    assert found.f1 == pytest.approx(sum(f1(*EXPECTED[name]) for name in ("muc", "b3", "ceafe")) / 3)


def test_singletons_count_unless_they_are_dropped() -> None:
    gold, predicted = ["ab", "c", "d"], ["ab", "c", "e"]
    kept, dropped = score(gold, predicted), score(gold, predicted, "drop")
    assert figures(kept, "muc") == figures(dropped, "muc") == (1.0, 1.0, 1.0)
    assert figures(kept, "b3") == pytest.approx((3 / 4, 3 / 4, 3 / 4))
    assert figures(kept, "ceafe") == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert figures(kept, "lea") == pytest.approx((3 / 4, 3 / 4, 3 / 4))
    assert all(figures(dropped, name) == (1.0, 1.0, 1.0) for name in METRICS)
    assert (kept.gold, kept.gold_clusters, dropped.gold, dropped.gold_clusters) == (4, 3, 2, 1)


def test_a_mention_that_is_dropped_with_its_cluster_is_missing_in_the_other() -> None:
    # The response links c to nothing: with singletons dropped it has no c at all.
    found = score(["abc"], ["ab", "c"], "drop")
    assert figures(found, "mentions") == pytest.approx((2 / 3, 1.0, 4 / 5))
    assert figures(found, "b3") == pytest.approx((Fraction(4, 3) / 3, 1, f1(Fraction(4, 9), Fraction(1))))


def test_documents_are_summed_before_dividing() -> None:
    gold = [*document(["ab"], name="one"), *document(["abcd", "ef"], name="two")]
    predicted = [*document(["ab", "cd"], name="one"), *document(["abc"], name="two")]
    found = CorefScorer().evaluate(gold, predicted)
    assert figures(found, "muc")[:2] == pytest.approx(((1 + 2) / (1 + 3 + 1), (1 + 0 + 2) / (1 + 1 + 2)))
    assert figures(found, "ceafe")[:2] == pytest.approx(((1 + 6 / 7) / 3, (1 + 6 / 7) / 3))
    assert found.documents == 2


def test_spans_are_compared_by_characters_without_white_space() -> None:
    words = (Word("Ann", 2, 5), Word("Lee", 6, 9), Word("left", 10, 14))
    one = Analysis("Ann Lee left", words, start=2, mentions=(Mention(0, 0, 2, 0, "person"),))
    split = [
        Analysis("Ann", (Word("Ann", 0, 3),), mentions=()),
        Analysis("Lee  left", (Word("Lee", 4, 7), Word("le", 9, 11), Word("ft", 11, 13)), start=4, mentions=()),
    ]
    joined = Analysis("AnnLee\n left", (Word("AnnLee", 0, 6), Word("left", 8, 12)), mentions=one.mentions)
    joined = replace(joined, mentions=(Mention(3, 0, 1, 0, "x"),))
    assert CorefScorer().evaluate([one], [joined]).figures["mentions"].f1 == 1.0
    assert CorefScorer().evaluate([one], split).figures["mentions"].recall == 0.0


def test_of_two_mentions_with_the_same_characters_the_first_counts() -> None:
    twice = Analysis("a", (Word("a", 0, 1),), mentions=(Mention(0, 0, 1, 0, ""), Mention(1, 0, 1, 0, "")))
    once = replace(twice, mentions=twice.mentions[:1] if twice.mentions else None)
    found = CorefScorer().evaluate([once], [twice])
    assert found.figures["b3"].precision == 1.0
    assert found.repeated == 1
    assert found.remarks() == ["1 mentions left out: a mention before them has the same characters"]


def test_nothing_on_both_sides_scores_zero_without_a_fault() -> None:
    found = score([], [])
    assert all(figures(found, name) == (0.0, 0.0, 0.0) for name in METRICS)
    assert CorefScorer().evaluate([], []).f1 == 0.0


def test_documents_are_matched_by_id_and_by_order_without_ids() -> None:
    gold = [*document(["ab"], name="one"), *document(["cd"], name="two")]
    turned = [*document(["cd"], name="two"), *document(["ab"], name="one")]
    assert CorefScorer().evaluate(gold, turned).f1 == 1.0
    nameless = [replace(analysis, document_id=None) for analysis in document(["ab"], name="one")]
    assert CorefScorer().evaluate(gold[:12], nameless).f1 == 1.0


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([("one", ["ab"]), ("two", [])], [("one", ["ab"])], "cover 1 of 2 gold documents; first missing: 'two'"),
        ([("one", ["ab"])], [("one", ["ab"]), ("two", [])], "document 'two' is predicted, expected only those"),
        (
            [("one", ["ab"]), ("two", [])],
            [(None, ["ab"])],
            r"2 document\(s\) of gold and 1 predicted, not all with ids",
        ),
        (
            [("one", ["ab"])],
            [("one", ["a"]), ("two", []), ("one", ["b"])],
            "document 'one' comes 2 times on the predicted side",
        ),
    ],
)
def test_documents_that_do_not_fit_are_named(gold: list, predicted: list, message: str) -> None:
    sides = [[a for name, clusters in side for a in document(clusters, name=name)] for side in (gold, predicted)]
    with pytest.raises(InputError, match=message):
        CorefScorer().evaluate(*sides)


def test_other_texts_and_texts_without_mentions_are_refused() -> None:
    with pytest.raises(InputError, match=r"document 'd': the texts differ at character 2 .*: 'c' and 'x', expected"):
        CorefScorer().evaluate(document(["ab"], "abc"), document(["ab"], "abx"))
    bare = [replace(analysis, mentions=None) for analysis in document(["ab"])]
    with pytest.raises(InputError, match="no mentions on the predicted side, expected those that"):
        CorefScorer().evaluate(document(["ab"]), bare)
    with pytest.raises(UnknownNameError, match="no choice for singletons named 'some'"):
        CorefScorer(singletons="some")


def clusterings(letters: str = "abcdefg") -> st.SearchStrategy[list[str]]:
    """Any partition of any of the letters."""
    numbers = st.lists(st.integers(0, 4), min_size=len(letters), max_size=len(letters))

    def build(owners: list[int]) -> list[str]:
        found = ("".join(a for a, owner in zip(letters, owners, strict=True) if owner == n) for n in range(4))
        return [cluster for cluster in found if cluster]

    return numbers.map(build)


@given(clusterings())
def test_gold_against_itself_is_perfect(gold: list[str]) -> None:
    found = score(gold, gold)
    linked = any(len(cluster) > 1 for cluster in gold)
    for name in METRICS:
        # Where nothing is linked MUC has nothing to count, and one mention alone has no link for BLANC.
        counts = linked if name == "muc" else len("".join(gold)) > 1 if name == "blanc" else bool(gold)
        assert figures(found, name) == pytest.approx((1.0,) * 3 if counts else (0.0,) * 3)


@given(clusterings(), clusterings())
def test_exchanging_the_sides_exchanges_precision_and_recall(gold: list[str], predicted: list[str]) -> None:
    there, back = score(gold, predicted), score(predicted, gold)
    for name in METRICS:
        recall, precision, harmonic = figures(there, name)
        assert figures(back, name) == pytest.approx((precision, recall, harmonic))
        assert 0 <= min(recall, precision) <= max(recall, precision) <= 1 + 1e-12


@given(clusterings(), clusterings(), st.randoms(use_true_random=False))
def test_the_names_of_entities_do_not_matter(gold: list[str], predicted: list[str], random) -> None:
    renamed = predicted[:]
    random.shuffle(renamed)
    one, other = score(gold, predicted), score(gold, renamed)
    for name in METRICS:
        assert figures(other, name) == pytest.approx(figures(one, name))


def links(clusters: Sequence[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for cluster in clusters for pair in combinations(cluster, 2)}


@given(clusterings(), clusterings())
def test_links_are_those_that_one_can_list(gold: list[str], predicted: list[str]) -> None:
    """BLANC and LEA, link by link."""
    sums = Partitions(gold, predicted).sums()
    every = [{frozenset(pair) for pair in combinations("".join(side), 2)} for side in (gold, predicted)]
    inside = [links(gold), links(predicted)]
    between = [all_of - own for all_of, own in zip(every, inside, strict=True)]
    for name, (left, right) in (("together", inside), ("apart", between)):
        both = len(left & right)
        assert sums[name] == (both, len(left), both, len(right))

    def resolved(side: Sequence[str], other: Sequence[str]) -> float:
        total = 0.0
        for cluster in side:
            own = links([cluster])
            total += len(cluster) * len(own & links(other)) / len(own) if own else float(cluster in other)
        return total

    assert sums["lea"][0] == pytest.approx(resolved(gold, predicted))
    assert sums["lea"][2] == pytest.approx(resolved(predicted, gold))


@given(clusterings(), clusterings())
def test_b3_is_the_mean_over_mentions(gold: list[str], predicted: list[str]) -> None:
    def share(mention: str) -> float:
        own = next(set(cluster) for cluster in gold if mention in cluster)
        other = next((set(cluster) for cluster in predicted if mention in cluster), set())
        return len(own & other) / len(own)

    assert Partitions(gold, predicted).sums()["b3"][0] == pytest.approx(sum(map(share, "".join(gold))))


@given(clusterings("abcdefghijkl"), clusterings("abcdefghijkl"))
@settings(max_examples=60)
def test_ceaf_is_the_best_of_all_assignments(gold: list[str], predicted: list[str]) -> None:
    padded = [*predicted, *[""] * len(gold)]

    def best(similarity) -> float:
        chosen = permutations(padded, len(gold))
        return max(sum(map(similarity, gold, others)) for others in chosen)

    sums = Partitions(gold, predicted).sums()
    assert sums["ceafm"][0] == best(lambda k, r: len(set(k) & set(r)))
    assert sums["ceafe"][0] == pytest.approx(best(lambda k, r: 2 * len(set(k) & set(r)) / (len(k) + len(r))))


@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 5)), st.integers(0, 9), max_size=20))
@settings(max_examples=60)
def test_the_heaviest_matching_is_the_best_of_all(weights: dict[tuple[int, int], float]) -> None:
    best = max(sum(weights.get(pair, 0) for pair in enumerate(columns)) for columns in permutations(range(6), 5))
    assert heaviest_matching(weights) == best


@pytest.mark.parametrize("apart", [True, False])
def test_the_work_of_a_matching_grows_with_the_edges(monkeypatch: pytest.MonkeyPatch, apart: bool) -> None:
    pushed = 0

    def count(*arguments) -> None:
        nonlocal pushed
        pushed += 1
        heappush(*arguments)

    monkeypatch.setattr("tupelo.scorers.coref.heappush", count)
    # A thousand rows with two columns each, which they share with nobody, or each with the next row.
    columns = (lambda row: (2 * row, 2 * row + 1)) if apart else (lambda row: (row, row + 1))
    weights = {(row, column): 1 + (7 * row + column) % 5 for row in range(1000) for column in columns(row)}
    assert heaviest_matching(weights) >= 2000
    assert pushed < 5 * len(weights)
