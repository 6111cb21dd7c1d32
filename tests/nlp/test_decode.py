from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tupelo.nlp.decode import EntityDecoder, best_bracketings, best_labels, best_tree, best_trees
from tupelo.nlp.names import whole_names

SEEDS = range(40)


def is_single_rooted_tree(heads: list[int]) -> bool:
    if sum(head == 0 for head in heads[1:]) != 1:
        return False
    for node in range(1, len(heads)):
        steps = 0
        while node != 0:
            node, steps = heads[node], steps + 1
            if steps > len(heads):
                return False
    return True


def brute_force_tree(scores: np.ndarray) -> float:
    size = scores.shape[0]
    best = -np.inf
    for choice in product(range(size), repeat=size - 1):
        heads = [0, *choice]
        if is_single_rooted_tree(heads):
            best = max(best, sum(scores[d, heads[d]] for d in range(1, size)))
    return best


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_is_the_best_of_all_single_rooted_trees(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 6))
    scores = random.normal(size=(size, size)).astype(np.float32) * 3
    heads = best_tree(scores).tolist()
    assert is_single_rooted_tree(heads)
    total = sum(scores[d, heads[d]] for d in range(1, size))
    assert total == pytest.approx(brute_force_tree(scores), abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_does_not_change_a_tree(seed: int) -> None:
    random = np.random.default_rng(seed)
    arc = random.normal(size=(3, 9, 9)).astype(np.float32)
    lengths = [8, 3, 5]
    together = best_trees(arc, lengths)
    for index, length in enumerate(lengths):
        alone = best_trees(arc[index : index + 1, : length + 1, : length + 1], [length])
        assert together[index, : length + 1].tolist() == alone[0].tolist()
        assert is_single_rooted_tree(alone[0].tolist())
        assert not together[index, length + 1 :].any()


def test_two_words_that_both_want_the_root_share_one() -> None:
    arc = np.array([[[0, 0, 0], [9, 0, 1], [8, 2, 0]]], dtype=np.float32)
    assert best_trees(arc, [2]).tolist() == [[0, 0, 1]]


def test_a_long_sentence_full_of_cycles_gets_a_tree() -> None:
    random = np.random.default_rng(5)
    assert is_single_rooted_tree(best_tree(random.normal(size=(201, 201))).tolist())


def test_only_the_root_is_called_root() -> None:
    rel = np.zeros((1, 3, 2, 3), dtype=np.float32)
    rel[0, :, 0, :] = 5  # the label "root" looks best everywhere
    heads = np.array([[0, 0, 1]])
    assert best_labels(rel, heads, root_label=0).tolist()[0][1:] == [0, 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_entity_sequence_is_the_best_of_all_valid_ones(seed: int) -> None:
    labels = ("O", "B-person", "I-person", "B-place", "I-place")
    decoder = EntityDecoder(labels)
    scores = np.random.default_rng(seed).normal(size=(1, 5, 5)).astype(np.float32)

    def is_valid(path: tuple[int, ...]) -> bool:
        before = "O"
        for index in path:
            if labels[index].startswith("I-") and before[2:] != labels[index][2:]:
                return False
            before = labels[index]
        return True

    def value(path: tuple[int, ...]) -> float:
        return float(sum(scores[0, position + 1, index] for position, index in enumerate(path)))

    best = max((path for path in product(range(5), repeat=4) if is_valid(path)), key=value)
    wanted: list[tuple[str, int, int]] = []
    for position, index in enumerate(best):
        prefix, _, name = labels[index].partition("-")
        if prefix == "B":
            wanted.append((name, position, position + 1))
        elif prefix == "I":
            wanted[-1] = (name, wanted[-1][1], position + 1)
    assert decoder.decode(scores, [4]) == [wanted]


def brute_force_bracketing(span: np.ndarray, start: int, end: int) -> float:
    own = float(span[start + 1, end])
    if end - start == 1:
        return own
    return own + max(
        brute_force_bracketing(span, start, middle) + brute_force_bracketing(span, middle, end)
        for middle in range(start + 1, end)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bracketing_is_the_best_of_all_binary_trees(seed: int) -> None:
    random = np.random.default_rng(seed)
    lengths = [6, 1, 4]
    span = random.normal(size=(3, 7, 7)).astype(np.float32)
    for index, tree in enumerate(best_bracketings(span, lengths)):
        assert len(tree) == len(set(tree)) == 2 * lengths[index] - 1
        total = sum(float(span[index, start + 1, end]) for start, end in tree)
        assert total == pytest.approx(brute_force_bracketing(span[index], 0, lengths[index]), abs=1e-4)


def test_a_sentence_without_words_has_no_structure() -> None:
    assert best_trees(np.zeros((1, 1, 1), dtype=np.float32), [0]).tolist() == [[0]]
    assert best_bracketings(np.zeros((1, 1, 1), dtype=np.float32), [0]) == [[]]
    assert EntityDecoder(["O", "B-x", "I-x"]).decode(np.zeros((1, 1, 3), dtype=np.float32), [0]) == [[]]


@pytest.mark.parametrize(
    ("words", "entities", "wanted"),
    [
        ("College/PROPN of/ADP Law/PROPN", [("organization", 0, 2), ("other", 2, 3)], [("organization", 0, 3)]),
        ("Governor/PROPN of/ADP Virginia/PROPN", [("person", 0, 2), ("place", 2, 3)], [("place", 2, 3)]),
        ("Vice/PROPN President/PROPN", [("person", 0, 2)], []),
        ("President/PROPN Ada/PROPN Byron/PROPN", [("person", 0, 3)], [("person", 1, 3)]),
        ("Google/PROPN of/ADP course/NOUN", [("organization", 0, 2)], [("organization", 0, 1)]),
        ("the/DET president/NOUN", [("person", 1, 2)], []),
        ("two/NUM of/ADP May/PROPN", [("number", 0, 2), ("datetime", 2, 3)], [("number", 0, 2), ("datetime", 2, 3)]),
        ("Gone/VERB with/ADP it/PRON", [("work", 0, 3)], [("work", 0, 3)]),
        ("Ada/PROPN Bob/PROPN", [("person", 0, 1), ("person", 1, 2)], [("person", 0, 1), ("person", 1, 2)]),
    ],
)
def test_names_that_cannot_be_whole_are_mended(
    words: str, entities: list[tuple[str, int, int]], wanted: list[tuple[str, int, int]]
) -> None:
    forms, upos = zip(*(word.split("/") for word in words.split()), strict=True)
    assert whole_names(entities, forms, upos) == wanted
    assert whole_names(wanted, forms, upos) == wanted
