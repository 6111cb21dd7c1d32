"""The shipped encoder: pieces, offsets, vectors, and the same numbers in any company."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from tupelo.nlp.encoder import Encoder, groups_of_equal_length, load_encoder
from tupelo.nlp.subwords import _runs


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder()


def test_pieces_know_their_characters(encoder: Encoder) -> None:
    text = "Émile Zola’s\tunbelievability, 東京!"
    pieces = encoder.cut(text)
    words = [text[start:end] for start, end in pieces.offsets[1:-1]]
    assert words == ["Émile", "Z", "ola", "’", "s", "un", "bel", "ie", "va", "bility", ",", "東", "京", "!"]
    assert pieces.offsets[0] == pieces.offsets[-1] == (0, 0)


def test_lines_and_tabs_part_words(encoder: Encoder) -> None:
    assert encoder.cut("cat\nfood").ids == encoder.cut("cat food").ids == encoder.cut("cat\t food").ids


@examples(200)
@given(st.text(max_size=60))
def test_offsets_lie_in_the_text_and_go_forward(encoder: Encoder, text: str) -> None:
    spans = encoder.cut(text).offsets[1:-1]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@pytest.mark.model
def test_paraphrases_are_closer_than_strangers(encoder: Encoder) -> None:
    born, native, kills = encoder.encode(["was born in", "is a native of", "kills bacteria"])
    assert born @ native > born @ kills + 0.2


@pytest.mark.model
def test_vectors_have_length_one_even_for_nothing(encoder: Encoder) -> None:
    vectors = encoder.encode(["", " ", "\x00", "word " * 2000])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.model
def test_company_changes_nothing(encoder: Encoder) -> None:
    texts = ["one", "two words", "two more", "a phrase of five words", "one", "x" * 300]
    together = encoder.encode(texts)
    assert np.array_equal(together, np.concatenate([encoder.encode([text]) for text in texts]))


@pytest.mark.model
def test_vectors_are_the_mean_of_the_states(encoder: Encoder) -> None:
    texts = ["The river froze.", "Ice", "It thawed in May, they say."]
    means = np.stack([states.vectors[-1].mean(axis=0) for states in encoder.states(texts)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    assert np.allclose(encoder.encode(texts), means, atol=1e-6)


def test_a_pair_is_one_input_with_two_segments(encoder: Encoder) -> None:
    pieces, segments = encoder.cut_pair("Ann left", "Bob stayed on")
    assert segments == (0, 0, 0, 0, 1, 1, 1, 1)
    assert len(pieces.ids) == len(pieces.offsets) == len(segments)
    long, kinds = encoder.cut_pair("a " * 900, "b " * 900)
    assert len(long.ids) == len(kinds) == 512


def test_nothing_gives_nothing(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)
    assert list(encoder.states([])) == []


def test_groups_hold_every_index_once() -> None:
    groups = list(groups_of_equal_length([3, 1, 3, 3, 1], 2))
    assert groups == [[1, 4], [0, 2], [3]]


@given(st.text(st.characters(min_codepoint=0, max_codepoint=126), max_size=40))
def test_plain_text_is_split_as_all_text_is(text: str) -> None:
    # What is not all ASCII is looked at character by character.
    assert _runs(f"{text} é")[:-1] == _runs(text)
