"""Evidence that is chosen by words, and the network that reads it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.facts.trees import parsed
from tupelo.facts.evidence import EvidenceIndex, stem
from tupelo.facts.network import Judgement, SourceReader, SupportNetwork, load_network

SENTENCES = [
    ["A", "van", "was", "robbed", "in", "Glasgow"],
    ["The", "weather", "was", "fine"],
    ["Police", "arrested", "three", "robbers"],
    ["It", "rained"],
]


def index(lengths: int = 5) -> EvidenceIndex:
    return EvidenceIndex(SENTENCES, [lengths] * len(SENTENCES))


def test_sentences_that_share_rare_words_come_first() -> None:
    assert index().choose(["The", "police", "of", "Glasgow"], 5) == [0]
    assert index().choose(["robbers", "were", "arrested"], 5) == [2]


def test_a_claim_from_two_sentences_finds_both_in_order() -> None:
    assert index().choose(["Police", "arrested", "robbers", "of", "a", "van", "in", "Glasgow"], 10) == [0, 2]


def test_first_sentences_fill_the_room_that_is_left() -> None:
    assert index().choose(["It", "rained"], 15) == [0, 1, 3]
    assert index().choose([], 10) == [0, 1]


def test_nothing_fits_into_no_room() -> None:
    assert index().choose(["Glasgow"], 4) == []
    assert EvidenceIndex([], []).choose(["Glasgow"], 9) == []


@given(
    st.lists(st.lists(st.sampled_from(["ab", "c", "dog", "dogs", "12", "34"]), max_size=4), max_size=6),
    st.integers(0, 12),
)
def test_what_is_chosen_has_room_and_is_in_order(sentences: list[list[str]], room: int) -> None:
    lengths = [len(words) for words in sentences]
    chosen = EvidenceIndex(sentences, lengths).choose(["dog", "12"], room)
    assert chosen == sorted(set(chosen))
    assert sum(lengths[number] for number in chosen) <= room


def test_endings_do_not_count_but_digits_do() -> None:
    assert stem("robbed") == stem("Robbery")
    assert stem("1998") != stem("1997")


@pytest.fixture(scope="module")
def network() -> SupportNetwork:
    return load_network()


SOURCE = "On Monday Rosa bought five apples at the market in Oslo. The market closed at noon."


def test_the_network_tells_a_true_claim_from_a_false_one(network: SupportNetwork) -> None:
    pieces = [network.cut(SOURCE)[0]]
    true, false = (
        network.judge(pieces, text) for text in ("Rosa bought apples in Oslo.", "Rosa sold bread in Paris.")
    )
    assert true.probability > 0.5 > false.probability
    assert true.least > false.least
    worst = min(false.subwords, key=lambda piece: piece[2])
    assert "Rosa sold bread in Paris."[worst[0] : worst[1]] in ("sold", "bread", "Paris", ".")


def test_a_claim_has_the_same_figures_again_and_a_long_one_is_partial(network: SupportNetwork) -> None:
    pieces = [network.cut(SOURCE)[0]]
    assert network.judge(pieces, "Rosa left.") == network.judge(pieces, "Rosa left.")
    assert len(network.judge(pieces * 50, "word " * 500).subwords) == 64


class Watched:
    """A network that notes how much it is given to read."""

    room = 40

    def __init__(self) -> None:
        self.read: list[int] = []

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        return tuple(range(len(text.split()))), ()

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement:
        self.read.append(sum(map(len, sentences)))
        return Judgement(0.5, ())


def test_a_whole_book_is_read_only_where_it_matters() -> None:
    page = [
        parsed(f"Ann/Ann/PROPN/2/nsubj saw/see/VERB/0/root {n}/{n}/NUM/4/nummod dogs/dog/NOUN/2/obj")
        for n in range(4000)
    ]
    network = Watched()
    read = SourceReader(network, page)
    assert read(page[1234]).probability == pytest.approx(0.5)
    assert len(network.read) == 1
    assert network.read[0] <= network.room
    assert 1234 in read._index.choose([word.text for word in page[1234].words], network.room)
