"""Vectors from characters: alike for alike phrases, the same for the same seed, never zero."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tupelo_training.canon import vocabulary
from tupelo_training.canon.vocabulary import ngram_vectors

NAMES = ["Ann Berg", "Berg, Ann", "ann  BERG", "Ann Bergh", "The University of Oslo", "University of Oslo", "Rio"]


def cosine(one: int, other: int, vectors: np.ndarray) -> float:
    return float(vectors[one] @ vectors[other])


def test_alike_phrases_are_near_and_others_far():
    vectors = ngram_vectors(NAMES, 512)
    assert cosine(0, 2, vectors) == pytest.approx(1, abs=1e-5)
    assert cosine(0, 1, vectors) > 0.4
    assert cosine(0, 3, vectors) > 0.5
    assert cosine(4, 5, vectors) > 0.7
    assert abs(cosine(0, 4, vectors)) < 0.25
    assert abs(cosine(5, 6, vectors)) < 0.25


def test_words_count_beside_their_letters():
    vectors = ngram_vectors(["ab cd", "cd ab", "abcd"], 2048)
    assert cosine(0, 1, vectors) > cosine(0, 2, vectors)


@settings(max_examples=15)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=20))
def test_any_text_has_a_direction_that_does_not_depend_on_the_chunk(texts):
    vectors = ngram_vectors(texts, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "_CHUNK", 3)
        assert ngram_vectors(texts, 16) == pytest.approx(vectors, abs=1e-5)


def test_the_seed_decides_and_progress_is_reported():
    steps: list[int] = []
    one, same, other = (ngram_vectors(NAMES, 8, seed=seed, advance=steps.append) for seed in (1, 1, 2))
    assert one.tobytes() == same.tobytes() != other.tobytes()
    assert steps == [len(NAMES)] * 3


def test_no_phrase_gives_no_vector():
    assert ngram_vectors([], 8).shape == (0, 8)
