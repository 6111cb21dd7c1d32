"""Evidence that is chosen by words, and the network that reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.checking.reader import WordReader
from tupelo.checking.check import Source
from tupelo.checking.evidence import EvidenceIndex, stem
from tupelo.checking.network import ClaimReading, Judgement, SupportNetwork, load_network
from tupelo.nlp.encoder import groups_of_similar_length

SENTENCES = [
    ["A", "van", "was", "robbed", "in", "Glasgow"],
    ["The", "weather", "was", "fine"],
    ["Police", "arrested", "three", "robbers"],
    ["It", "rained"],
]


def index(lengths: int = 5) -> EvidenceIndex:
    return EvidenceIndex(SENTENCES, [lengths] * len(SENTENCES))


def test_sentences_that_share_rare_words_come_first() -> None:
    assert index().best(["The", "police", "of", "Glasgow"], 5) == (0,)
    assert index().best(["robbers", "were", "arrested"], 5) == (2,)


@pytest.mark.model
def test_a_claim_from_two_sentences_finds_both_in_order() -> None:
    assert index().best(["Police", "arrested", "robbers", "of", "a", "van", "in", "Glasgow"], 10) == (0, 2)


def test_first_sentences_fill_what_is_left() -> None:
    assert index().best(["It", "rained"], 15) == (0, 1, 3)
    assert index().best([], 100, most=2) == (0, 1)


def test_nothing_fits_into_no_room() -> None:
    assert index().best(["Glasgow"], 4) == ()
    assert EvidenceIndex([], []).best(["Glasgow"], 9) == ()


def test_evidence_covers_what_the_sentences_before_do_not() -> None:
    assert index().ranked(["police", "robbers", "Glasgow", "van"], range(4), 3) == (0, 2)
    assert index().ranked(["robbers"], range(4), 3) == (0,)


@pytest.mark.model
@given(
    st.lists(st.lists(st.sampled_from(["ab", "c", "dog", "dogs", "12", "34"]), max_size=4), max_size=9),
    st.integers(0, 12),
)
def test_what_is_chosen_has_room_and_is_in_order(sentences: list[list[str]], room: int) -> None:
    lengths = [len(words) for words in sentences]
    chosen = EvidenceIndex(sentences, lengths).best(["dog", "12"], room)
    assert len(chosen) <= 5
    assert list(chosen) == sorted(set(chosen))
    assert sum(lengths[number] for number in chosen) <= room


def test_endings_do_not_count_but_digits_do() -> None:
    assert stem("robbed") == stem("Robbery")
    assert stem("1998") != stem("1997")


@pytest.mark.model
def test_a_whole_book_is_read_only_where_it_matters() -> None:
    source = Source([" ".join(f"Ann saw {number} dogs." for number in range(4000))], WordReader())
    chosen = source.index.best(["Ann", "saw", "1234", "dogs"], 40)
    assert len(chosen) <= 5
    assert 1234 in chosen


def test_a_claim_has_the_least_likely_piece_of_its_own_words() -> None:
    judgement = Judgement(0.4, 0.3, 0.3, ((0, 4, 0.9), (5, 9, 0.1), (10, 14, 0.7)))
    assert judgement.least_within([(0, 4), (10, 14)]) == 0.7
    assert judgement.least_within([(5, 14)]) == 0.1
    assert judgement.least_within([]) == 0.4


@pytest.mark.model
@given(st.lists(st.integers(3, 450), max_size=60))
def test_batches_have_every_row_once_little_padding_and_a_bounded_size(lengths: list[int]) -> None:
    batches = list(groups_of_similar_length(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[place] for place in batch)
        assert len(batch) * longest <= 4096
        assert all(lengths[place] >= 0.9 * longest for place in batch)


@pytest.fixture(scope="module")
def network() -> SupportNetwork:
    return load_network()


SOURCE = "On Monday Rosa bought five apples at the market in Oslo. The market closed at noon."


@pytest.mark.model
def test_the_network_tells_a_true_claim_from_a_false_one(network: SupportNetwork) -> None:
    evidence = network.cut(SOURCE)
    texts = ("Rosa bought apples in Oslo.", "Rosa sold bread in Paris.")
    true, false = network.judge([ClaimReading(evidence, text) for text in texts])
    assert true.supported > 0.5 > false.supported
    for judgement in (true, false):
        assert judgement.supported + judgement.refuted + judgement.unknown == pytest.approx(1)
    spans = [texts[1][low:high] for low, high, _ in false.subwords]
    assert "".join(spans) == "Rosasoldbreadin" + "Paris."


@pytest.mark.model
def test_a_judgement_does_not_depend_on_what_is_read_beside_it(network: SupportNetwork) -> None:
    evidence = network.cut(SOURCE)
    readings = [ClaimReading(evidence[: 8 + 2 * size], f"Rosa bought {size} apples.") for size in range(6)]
    together = network.judge(readings)
    for reading, found in zip(readings, together, strict=True):
        (alone,) = network.judge([reading])
        assert alone.supported == pytest.approx(found.supported, abs=2e-3)
        assert [low for low, _, _ in alone.subwords] == [low for low, _, _ in found.subwords]
    assert network.judge([]) == []


@pytest.mark.model
def test_long_claims_and_sources_are_cut(network: SupportNetwork) -> None:
    (found,) = network.judge([ClaimReading(network.cut(SOURCE) * 50, "word " * 500)])
    assert len(found.subwords) == 64


def test_the_curve_of_the_shipped_network_prefers_support(network: SupportNetwork) -> None:
    from tupelo.checking.checked import Findings

    good, bad = Findings(0.95, 0.01, 0.95), Findings(0.02, 0.6, 0.02)
    assert network.curve.probability(good) > 0.5 > network.curve.probability(bad)
