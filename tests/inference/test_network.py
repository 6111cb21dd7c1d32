"""The network that reads pairs: what it is shown, and that nothing around a pair changes what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.inference.methods.learned import SHIPPED, EntailmentWeights, read_pair
from tupelo.nlp.encoder import load_encoder
from tupelo.nlp.folder import find_model


@pytest.fixture(scope="module")
def encoder():
    return load_encoder()


@pytest.fixture(scope="module")
def network(encoder):
    return EntailmentWeights(find_model(SHIPPED)).network(encoder)


def pieces(reading, span, vocabulary):
    return [vocabulary[number] for number in reading.ids[slice(*span)]]


def test_relations_are_found_among_the_pieces(encoder):
    vocabulary = encoder.folder.vocabulary()
    reading = read_pair(Triple("A  bee", "stings", "Bo"), Triple("Bo", "was stung by", "a bee"), encoder)
    assert " ".join(pieces(reading, (0, len(reading.ids)), vocabulary)) == (
        "[CLS] a bee | sting ##s | bo [SEP] bo | was stung by | a bee [SEP]"
    )
    assert pieces(reading, reading.first, vocabulary) == ["sting", "##s"]
    assert pieces(reading, reading.second, vocabulary) == ["was", "stung", "by"]
    assert reading.segments == (0,) * 9 + (1,) * 9


texts = st.text(st.characters(codec="utf-8"), max_size=30)


@pytest.mark.slow
@given(st.tuples(texts, texts, texts), st.tuples(texts, texts, texts))
@examples(50)
def test_anything_can_be_read(premise, hypothesis):
    reading = read_pair(Triple(*premise), Triple(*hypothesis), load_encoder())
    assert len(reading.ids) == len(reading.segments) <= 512
    for start, end in (reading.first, reading.second):
        assert 0 <= start < end <= len(reading.ids)


def test_a_very_long_argument_is_partial_and_the_relations_stay(encoder):
    reading = read_pair(Triple("so " * 2_000, "ends", "x"), Triple("x", "is ended by", "so " * 2_000), encoder)
    assert len(reading.ids) <= 512
    assert reading.first[1] > reading.first[0] > 0
    assert reading.second[1] - reading.second[0] == 3


VERBS = ("heals", "is useful in", "was widely used against", "met")
PAIRS = [
    EntailmentPair(Triple(subject, one, "wounds"), Triple(subject, other, "wounds"))
    for subject in ("Moss", "The old honey of the hills")
    for one in VERBS
    for other in VERBS
]


@pytest.mark.model
def test_a_pair_scores_the_same_in_any_batch(network):
    together = network.logits(PAIRS)
    assert network.logits([*PAIRS[::-1], *PAIRS])[: len(PAIRS)] == pytest.approx(together[::-1], abs=1e-5)
    assert [network.logits([pair])[0] for pair in PAIRS[::5]] == pytest.approx(together[::5].tolist(), abs=1e-5)
    assert np.isfinite(together).all()
    assert network.logits([]).shape == (0,)


@pytest.mark.model
def test_it_knows_direction(network):
    def logit(premise, hypothesis):
        return network.logits([EntailmentPair(Triple(*premise), Triple(*hypothesis))])[0]

    capital, city = ("Oslo", "is the capital of", "Norway"), ("Oslo", "is a city in", "Norway")
    assert logit(capital, city) > logit(city, capital)
