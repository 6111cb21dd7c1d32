"""Skip-gram: one step against the formula, planted clusters, determinism, both ways of computing."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.neighbours import draw_queries, pairs_of
from tests.strategies import examples
from tupelo.core import InputError, UnknownNameError
from tupelo.core.vectors import Neighbour, Vectors
from tupelo_training.embed.neighbours import NearestNames, NeighbourListing, choose_index, nearest_names
from tupelo_training.embed.pairs import Arc, ContextPair, argument_pairs, count_pairs, relation_pairs, word_pairs
from tupelo_training.embed.skipgram import (
    LENGTH,
    SkipGramOptions,
    alias_table,
    encoded_start,
    form_directions,
    has_numba,
    learn_batch,
    random_start,
    smoothed,
    train,
)

needs_numba = pytest.mark.skipif(not has_numba(), reason="needs the extra scale (numba)")
WAYS = [pytest.param(True, marks=needs_numba, id="compiled"), pytest.param(False, id="plain")]


class Said:
    def __init__(self, subject, relation, object_, count=1):
        self.subject, self.relation, self.object, self.count = subject, relation, object_, count


def test_an_assertion_gives_its_relation_with_both_arguments():
    found = list(relation_pairs([Said("Chocolate", "is made  from", "the cocoa bean", 22)]))
    assert found == [("is made from", "x:chocolate", 22), ("is made from", "y:the cocoa bean", 22)]


def test_small_corpora_can_merge_arguments_with_or_without_the_forms_of_relations():
    said = [Said("Old chocolates", "was made from", "the cocoa beans")]
    assert [pair[:2] for pair in relation_pairs(said, heads=True)] == [
        ("was made from", "x:chocolate"),
        ("was made from", "y:bean"),
    ]
    assert [pair.target for pair in relation_pairs(said, base_forms=True)] == ["be make from"] * 2


def test_an_argument_gets_its_relation_with_and_without_the_other_argument():
    assert list(
        argument_pairs([Said("The Old Mill", "was built by", "his sons", 3), Said("She", "left", "Oslo")])
    ) == [
        ("old mill", "x:be build by", 3),
        ("old mill", "x:be build by:son", 3),
        ("sons", "y:be build by", 3),
        ("sons", "y:be build by:mill", 3),
        ("oslo", "y:leave", 1),
        ("oslo", "y:leave:she", 1),
    ]


def test_prepositions_are_collapsed_in_stanford_dependencies():
    game = [Arc("Game", None, "ROOT"), Arc("of", 0, "prep"), Arc("thrones", 1, "pobj")]
    assert list(word_pairs(game, 3)) == [("game", "pobj:of↓thrones", 3), ("thrones", "pobj:of↑game", 3)]


def test_prepositions_are_collapsed_in_universal_dependencies():
    sentence = [
        Arc("Moss", 1, "nsubj"),
        Arc("grows", None, "root"),
        Arc("in", 3, "case"),
        Arc("Assam", 1, "obl"),
        Arc(".", 1, "punct"),
    ]
    assert [tuple(pair[:2]) for pair in word_pairs(sentence)] == [
        ("grows", "nsubj↓moss"),
        ("moss", "nsubj↑grows"),
        ("grows", "obl:in↓assam"),
        ("assam", "obl:in↑grows"),
    ]


def test_a_preposition_without_object_is_an_ordinary_dependent():
    assert [pair.context for pair in word_pairs([Arc("fed", None, "root"), Arc("up", 0, "prep")])] == [
        "prep↓up",
        "prep↑fed",
    ]


def test_rare_targets_and_contexts_are_left_out():
    pairs = [ContextPair("a", "x", 3), ContextPair("a", "y"), ContextPair("b", "x"), ContextPair("a", "x")]
    table = count_pairs(pairs, min_target=2, min_context=2)
    assert (table.targets, table.contexts, table.counts.tolist()) == (("a",), ("x",), [4])
    assert count_pairs(pairs).targets == ("a", "b")
    assert count_pairs(pairs, min_target=2).contexts == ("x", "y")
    with pytest.raises(InputError, match="no pairs left of 3"):
        count_pairs(pairs, min_target=9, min_context=9)


@examples(20)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(1, 4)), min_size=1))
def test_counts_add_up_whatever_the_order(rows):
    pairs = [ContextPair(*row) for row in rows]
    table, mirrored = count_pairs(pairs), count_pairs(pairs[::-1])
    assert table.total == sum(pair.seen for pair in pairs)
    assert table.target_counts.sum() == table.context_counts.sum() == table.total
    assert (table.targets, table.contexts) == (mirrored.targets, mirrored.contexts)
    assert table.counts.tolist() == mirrored.counts.tolist()


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30), st.sampled_from([0.0, 0.75, 1.0]))
def test_the_alias_table_has_the_chances_that_were_asked_for(counts, power):
    chances = smoothed(np.array(counts), power)
    expected = [count**power / sum(other**power for other in counts) for count in counts]
    assert chances == pytest.approx(expected)
    table = alias_table(chances)
    found = table.keep / len(table.keep)
    np.add.at(found, table.other, (1 - table.keep) / len(table.keep))
    assert found == pytest.approx(expected, abs=1e-12)


def literal_step(targets, contexts, target, context, drawn, rate):
    """ContextPair by pair, the update of word2vec in plain Python."""
    targets, contexts = targets.astype(float).tolist(), contexts.astype(float).tolist()
    for t, c, negatives in zip(target, context, drawn, strict=True):
        change = [0.0] * len(targets[0])
        for position, offered in enumerate([c, *negatives]):
            if position and offered == c:
                continue
            product = sum(a * b for a, b in zip(targets[t], contexts[offered], strict=True))
            error = rate * ((position == 0) - 1 / (1 + math.exp(-product)))
            for d in range(len(change)):
                change[d] += error * contexts[offered][d]
                contexts[offered][d] += error * targets[t][d]
        targets[t] = [a + b for a, b in zip(targets[t], change, strict=True)]
    return targets, contexts


def random_vectors(seed=0):
    chance = np.random.default_rng(seed)
    return (chance.normal(size=(3, 5)).astype(np.float32), chance.normal(size=(4, 5)).astype(np.float32))


@pytest.mark.parametrize("drawn", [[], [1], [3, 2], [0, 1]])
def test_one_plain_step_is_the_literal_one(drawn):
    targets, contexts = random_vectors()
    expected = literal_step(targets, contexts, [1], [0], [drawn], 0.1)
    learn_batch(
        targets,
        contexts,
        np.array([1], np.int32),
        np.array([0], np.int32),
        np.array([drawn], np.int32).reshape(1, -1),
        0.1,
    )
    assert targets == pytest.approx(np.array(expected[0]), abs=1e-6)
    assert contexts == pytest.approx(np.array(expected[1]), abs=1e-6)


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize("negative", [None, 2, 0])
def test_compiled_steps_are_the_literal_ones(negative):
    from tupelo_training.embed.compiled import learn

    targets, contexts = random_vectors()
    # A table that can only draw one context makes the random part certain.
    keep, other = np.zeros(4), np.full(4, negative or 0, np.int32)
    drawn = [[] if negative is None else [negative]] * 3
    target, context = [1, 2, 1], [0, 3, 3]
    expected = literal_step(targets, contexts, target, context, drawn, 0.1)
    learn(
        (np.array(target, np.int32), np.array(context, np.int32)),
        (0, 3),
        (targets, contexts),
        (keep, other),
        0 if negative is None else 1,
        (0.1, 0.0),
        np.array([7], np.uint64),
        0,
    )
    assert targets == pytest.approx(np.array(expected[0]), abs=1e-5)
    assert contexts == pytest.approx(np.array(expected[1]), abs=1e-5)


@needs_numba
def test_compiled_draws_have_the_chances_of_the_table():
    from tupelo_training.embed.compiled import learn

    aliases = alias_table(smoothed(np.array([8, 4, 2, 1, 1]), 1.0))
    contexts = np.zeros((5, 1), np.float32)
    # Steps so small that nothing else changes: each draw moves its context by half of one.
    count = 40_000
    learn(
        (np.zeros(count, np.int32), np.full(count, 4, np.int32)),
        (0, count),
        (np.ones((1, 1), np.float32), contexts),
        (aliases.keep, aliases.other),
        1,
        (1e-6, 0.0),
        np.array([12345], np.uint64),
        0,
    )
    moved = contexts[:4, 0] / contexts[:4, 0].sum()
    assert moved == pytest.approx(np.array([8, 4, 2, 1]) / 15, abs=0.01)


def planted(clusters=4, targets=12, contexts=15, pairs=6000, seed=0):
    """Targets of a cluster share contexts that no other cluster has, apart from one pair in ten."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(pairs):
        cluster = chance.integers(clusters)
        source = chance.integers(clusters) if chance.random() < 0.1 else cluster
        found.append(ContextPair(f"t{cluster}-{chance.integers(targets)}", f"c{source}-{chance.integers(contexts)}"))
    return count_pairs(found)


def purity(vectors: Vectors) -> float:
    """How often the nearest neighbour is of the same cluster."""
    hits = [vectors.neighbours(name, 1)[0].name.partition("-")[0] == name.partition("-")[0] for name in vectors.names]
    return sum(hits) / len(hits)


@pytest.mark.slow
@pytest.mark.parametrize("compiled", WAYS)
def test_planted_clusters_are_found(compiled):
    options = SkipGramOptions(size=20, negatives=3, iterations=20, rate=0.05, compiled=compiled)
    found = train(planted(), options)
    assert purity(found.targets) == 1.0
    assert purity(found.contexts) > 0.95
    # The measure can fail: what training starts with is no better than chance.
    start = random_start(len(found.targets), options)
    assert purity(Vectors(found.targets.names, start)) < 0.6


@pytest.mark.parametrize("compiled", WAYS)
def test_the_same_seed_gives_the_same_bytes(compiled):
    options = SkipGramOptions(size=8, negatives=2, iterations=2, compiled=compiled)
    one, two = (train(planted(pairs=500), options).targets.matrix.tobytes() for _ in range(2))
    other = train(planted(pairs=500), SkipGramOptions(size=8, negatives=2, iterations=2, compiled=compiled, seed=2))
    assert one == two
    assert one != other.targets.matrix.tobytes()


@needs_numba
def test_several_threads_find_the_clusters_too():
    options = SkipGramOptions(size=20, negatives=3, iterations=20, rate=0.05, threads=2)
    assert purity(train(planted(), options).targets) == 1.0


def test_progress_covers_every_pair():
    told = []
    train(planted(pairs=300), SkipGramOptions(size=4, iterations=3, compiled=False), told.append)
    assert sum(told) == 900


def test_counts_of_any_size_are_sampled():
    """Memory grows with the distinct pairs: a trillion of one pair is a draw like any other."""
    table = count_pairs([ContextPair("a", "x", 10**12), ContextPair("b", "y"), ContextPair("b", "x", 2)])
    told = []
    found = train(table, SkipGramOptions(size=4, iterations=2, sample=1000, compiled=False), told.append)
    assert (table.total, sum(told)) == (10**12 + 3, 2000)
    start = random_start(2, SkipGramOptions(size=4))
    moved = np.abs(found.targets.matrix - start).max(axis=1)
    assert moved[0] > 0
    assert moved[1] == 0  # three of a trillion are not drawn


@pytest.mark.parametrize("compiled", WAYS)
def test_training_moves_given_vectors_by_their_contexts(compiled):
    shared = [ContextPair(name, f"x{number}", 10**6) for name in ("bought", "got") for number in range(20)]
    apart = [ContextPair("sang", f"z{number}", 10**6) for number in range(20)]
    table = count_pairs([*shared, *apart, ContextPair("hummed", "z1")])
    start = 2 * np.eye(4, dtype=np.float32)
    options = SkipGramOptions(iterations=1, sample=20_000, negatives=5, rate=0.005, compiled=compiled)
    found = train(table, options, start=start).targets
    assert found.names == ("bought", "got", "sang", "hummed")
    assert found.cosine("bought", "got") > found.cosine("bought", "sang") + 0.2
    # What is never drawn stays where it was, and the vectors that were given are the caller's.
    assert found.matrix[3].tolist() == [0, 0, 0, 2]
    assert start.tolist() == (2 * np.eye(4)).tolist()


class Spelling:
    """An encoder that sees which letters a phrase has, and nothing of their order."""

    def encode(self, texts):
        counts = [[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.pad(np.array(counts, dtype=np.float32), ((0, 0), (0, 374)))


def test_the_form_of_a_relation_counts_beside_the_encoder():
    names = ("went to", "ran to", "went from", "sees", "is seen by", "did not go", "go")
    plain = Vectors(names, encoded_start(names, Spelling()))
    marked = Vectors(names, encoded_start(names, Spelling(), relations=True))
    assert np.linalg.norm(plain.matrix, axis=1) == pytest.approx(np.full(7, LENGTH))

    def gain(one, other):
        return marked.cosine(one, other) - plain.cosine(one, other)

    assert gain("went to", "ran to") > gain("went to", "went from") + 0.1
    assert gain("go", "sees") > gain("sees", "is seen by") + 0.05
    assert gain("go", "sees") > gain("did not go", "go") + 0.02
    forms = form_directions(("went to", "ran to", "went from"), 400)
    assert forms[0].tolist() == forms[1].tolist() != forms[2].tolist()


def test_a_start_has_at_most_the_numbers_of_the_encoder():
    names = ("went to", "went from", "sees")
    full, short = encoded_start(names, Spelling()), encoded_start(names, Spelling(), 3)
    assert (full.shape, short.shape) == ((3, 400), (3, 3))
    # Three rows differ in two directions, which three numbers keep.
    centred = full - full.mean(axis=0)
    assert short @ short.T == pytest.approx(centred @ centred.T, abs=1e-4)
    with pytest.raises(InputError, match="vectors of 500 numbers, expected at most the 400 of the encoder"):
        encoded_start(names, Spelling(), 500)


def test_what_is_listed_can_be_limited():
    names = ("was born in", "were born in", "grew up in", "is from", "sold")
    matrix = np.array([[1, 0], [1, 0.1], [1, 0.5], [1, 0.9], [-1, 0]], dtype=np.float32)
    vectors = Vectors(names, matrix, (90, 5, 40, 2, 7))

    def listed(**limits):
        found = nearest_names(vectors, ["was born in"], NeighbourListing(**limits)).found["was born in"]
        return [item.name for item in found]

    assert listed() == ["were born in", "grew up in", "is from", "sold"]
    assert listed(min_cosine=0.0) == ["were born in", "grew up in", "is from"]
    assert listed(min_seen=5) == ["were born in", "grew up in", "sold"]
    # More neighbours are asked for when the nearest ones are not listed.
    assert listed(count=1, distinct=True) == ["grew up in"]
    assert listed(count=1, min_seen=6) == ["grew up in"]
    with pytest.raises(InputError, match="have no counts of names"):
        nearest_names(Vectors(names, matrix), ["sold"], NeighbourListing(min_seen=2))


def test_queries_and_pairs_for_readers_are_drawn_by_the_seed_alone():
    names = [f"name {number}" for number in range(150)]
    queries = draw_queries(names, {"name 7"}, 1)
    assert queries == draw_queries(names[::-1], {"name 7"}, 1) != draw_queries(names, {"name 7"}, 2)
    assert len(set(queries)) == 100
    assert "name 7" not in queries
    found = NearestNames({name: [Neighbour(f"near {name}", 0.9)] for name in queries})
    near, foils = pairs_of(found, names, 1)
    assert (len(near), len(foils)) == (50, 25)
    for line in near:
        one, other = line.split("\t")
        assert f"near {one}" == other or f"near {other}" == one
    assert all(set(line.split("\t")) & set(queries) for line in foils)


def test_pairs_that_do_not_fit_go_to_disk(tmp_path):
    pairs = [
        ContextPair(f"target {number % 501}", f"context {number % 997}", number % 5 + 1) for number in range(9000)
    ]
    kept = {"min_target": 40, "min_context": 20}
    plain, spilled = count_pairs(pairs, **kept), count_pairs(pairs, **kept, scratch=str(tmp_path))
    assert (tmp_path / "pairs.duckdb").exists()
    for one, other in zip(astuple(plain), astuple(spilled), strict=True):
        assert np.array_equal(one, other)


def test_options_are_checked():
    with pytest.raises(InputError, match="sample is 0"):
        SkipGramOptions(sample=0)
    with pytest.raises(InputError, match="size is 0"):
        SkipGramOptions(size=0)
    with pytest.raises(InputError, match="several threads need compiled training"):
        train(planted(pairs=50), SkipGramOptions(size=2, threads=2, compiled=False))


def test_an_index_finds_what_comparing_everything_finds():
    pytest.importorskip("faiss")
    vectors = Vectors(
        tuple(f"n{i}" for i in range(300)), np.random.default_rng(0).normal(size=(300, 16)).astype("f4")
    )
    index = choose_index(vectors, "approximate")
    for name in vectors.names[:20]:
        exact, near = vectors.neighbours(name, 5), index.neighbours(name, 5)
        assert [item.name for item in near] == [item.name for item in exact]
        assert [item.cosine for item in near] == pytest.approx([item.cosine for item in exact], abs=1e-5)
    with pytest.raises(UnknownNameError):
        index.neighbours("nobody")
    assert choose_index(vectors) is vectors
