"""Beam search against trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tupelo_training.facts.beam import beam_search, length_penalty

END = 0


class Markov:
    """Next tokens depend on the last two, by a table; rows follow their parents as a network's memory would."""

    def __init__(self, seed, items, beam, size, start=1):
        random = np.random.default_rng(seed)
        scores = random.normal(size=(items, size + 1, size + 1, size)) * 2
        self.table = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
        self.items, self.beam, self.size = items, beam, size
        self.last = np.full((items * beam, 2), size)

    def __call__(self, parents, tokens):
        self.last = np.stack([self.last[parents][:, 1], tokens], axis=1)
        item = np.arange(len(tokens)) // self.beam
        return self.table[item, self.last[:, 0], self.last[:, 1]].astype(np.float32)

    def value(self, item, tokens, start):
        total, before = 0.0, (self.size, start)
        for token in tokens:
            total += self.table[item, before[0], before[1], token]
            before = (before[1], token)
        return total


def best_of_all(model, item, start, longest, alpha):
    """Every sequence that ends, tried one by one."""
    rest = [token for token in range(model.size) if token != END]
    found = []
    for length in range(longest):
        for tokens in product(rest, repeat=length):
            total = model.value(item, (*tokens, END), start)
            found.append((total / length_penalty(length + 1, alpha), tokens))
    return max(found)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), alpha=st.sampled_from([0.0, 0.6, 1.0, 2.0]), items=st.integers(1, 3))
def test_a_wide_beam_finds_the_best_of_all(seed, alpha, items):
    size, longest = 4, 4
    beam = 3**longest
    found = beam_search(
        Markov(seed, items, beam, size), items, start=1, end=END, beam=beam, alpha=alpha, longest=longest
    )
    model = Markov(seed, items, beam, size)
    for item in range(items):
        worth, tokens = best_of_all(model, item, 1, longest, alpha)
        assert found[item][0].tokens == tokens
        assert found[item][0].worth == pytest.approx(worth, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), beam=st.integers(1, 5), alpha=st.sampled_from([0.0, 0.6]))
def test_hypotheses_are_what_they_say(seed, beam, alpha):
    """Steps add up to what the model says of the tokens, the best comes first, nothing comes twice."""
    found = beam_search(Markov(seed, 2, beam, 5), 2, start=1, end=END, beam=beam, alpha=alpha, longest=8)
    model = Markov(seed, 2, beam, 5)
    for item, best in enumerate(found):
        assert 1 <= len(best) <= beam
        assert len({one.tokens for one in best}) == len(best)
        for one in best:
            whole = (*one.tokens, END) if one.finished else one.tokens
            assert sum(one.steps) == pytest.approx(model.value(item, whole, 1), abs=1e-4)
            assert one.worth == pytest.approx(sum(one.steps) / length_penalty(len(whole), alpha), abs=1e-4)
        ended = [one.worth for one in best if one.finished]
        assert ended == sorted(ended, reverse=True)


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_one_is_never_worse_than_greedy(seed):
    """It follows the greedy path, and remembers where it could have ended on the way."""
    model = Markov(seed, 1, 1, 5)
    (best,) = beam_search(model, 1, start=1, end=END, beam=1, alpha=0.0, longest=10)
    before, tokens = (5, 1), []
    for _ in range(10):
        token = int(model.table[0, before[0], before[1]].argmax())
        tokens.append(token)
        before = (before[1], token)
        if token == END:
            break
    assert best[0].tokens == tuple(tokens)[: len(best[0].tokens)]
    if tokens[-1] == END:
        assert best[0].worth >= model.value(0, tokens, 1) - 1e-4


def test_items_do_not_disturb_each_other():
    together = beam_search(Markov(7, 3, 4, 5), 3, start=1, end=END, beam=4, alpha=0.6, longest=9)
    alone = Markov(7, 3, 4, 5)
    alone.table = alone.table[1:2]
    (second,) = beam_search(alone, 1, start=1, end=END, beam=4, alpha=0.6, longest=9)
    assert second == together[1]


def test_a_longer_output_gains_by_the_penalty():
    """Two steps of 0.7 against one of 0.5: the shorter one wins by probability, the longer one per length."""

    def step(parents, tokens):
        rows = np.full((len(tokens), 4), -1e9, dtype=np.float32)
        for row, token in enumerate(tokens):
            if token == 1:
                rows[row, [END, 2]] = np.log([0.5, 0.5])
            else:
                rows[row, [END, 3]] = np.log([0.9, 0.1])
        return rows

    short = beam_search(step, 1, start=1, end=END, beam=3, alpha=0.0, longest=5)[0][0]
    long = beam_search(step, 1, start=1, end=END, beam=3, alpha=1.0, longest=5)[0][0]
    assert short.tokens == ()
    assert long.tokens == (2,)


def test_what_never_ends_is_partial_and_says_so():
    def step(parents, tokens):
        rows = np.full((len(tokens), 3), -1e9, dtype=np.float32)
        rows[:, 2] = 0.0
        return rows

    (best,) = beam_search(step, 1, start=1, end=END, beam=2, alpha=0.6, longest=6)
    assert best[0].tokens == (2,) * 6
    assert not best[0].finished
