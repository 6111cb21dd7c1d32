"""Exact decoding of scores: highest-scoring spanning trees, label sequences and bracketings.

Every function takes a batch of sentences, padded to the longest, with their lengths. For most sentences the greedy
choice per word is already a valid structure and therefore the best one; only the others need the full algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]

_NEVER = np.float32(-1e9)


def best_trees(arc: Floats, lengths: Sequence[int]) -> Integers:
    """The head of each word in the best tree with exactly one root.

    `arc[b, d, h]` is the score of head `h` for word `d`; words count from 1, and 0 is the root. Row and column 0 of
    the result are 0.
    """
    size = arc.shape[1]
    scores = np.array(arc, dtype=np.float32)
    positions = np.arange(size)
    scores[:, positions, positions] = _NEVER
    limits = np.asarray(lengths)
    scores = np.where(positions[None, None, :] <= limits[:, None, None], scores, _NEVER)
    heads: Integers = scores.argmax(axis=2)
    heads[:, 0] = 0
    heads[positions[None, :] > limits[:, None]] = 0
    inside = (positions[None, :] >= 1) & (positions[None, :] <= limits[:, None])
    roots = ((heads == 0) & inside).sum(axis=1)
    # After this many jumps from head to head, every word of a tree has reached the root.
    reached = heads.copy()
    for _ in range(max(1, int(size).bit_length())):
        reached = np.take_along_axis(reached, reached, axis=1)
    broken = (roots != 1) | (reached != 0).any(axis=1)
    for sentence in np.flatnonzero(broken & (limits > 0)):
        end = int(limits[sentence]) + 1
        heads[sentence, :end] = best_tree(scores[sentence, :end, :end])
    return heads


def best_tree(scores: NDArray[np.floating]) -> Integers:
    """Heads of the spanning tree with one root and the highest sum of scores; `scores[d, h]`, 0 is the root.

    Chu and Liu 1965, Edmonds 1967. A penalty on every arc from the root, larger than any gain from the other arcs,
    leaves one such arc (Gabow and Tarjan 1984; Zmigrod et al. 2020 on why a plain search is wrong).
    """
    size = scores.shape[0]
    weights = scores.astype(np.float64)
    np.fill_diagonal(weights, -np.inf)
    usable = weights[1:][weights[1:] > float(_NEVER) / 2]
    spread = float(usable.max() - usable.min()) if usable.size else 0.0
    weights[weights <= float(_NEVER) / 2] = -np.inf
    weights[0] = -np.inf
    heads = _arborescence(weights)
    if (heads[1:] == 0).sum() == 1:
        # The best of all trees has one root. The penalty makes most words part of cycles, which takes much longer.
        return heads
    weights[1:, 0] -= (spread + 1.0) * size
    return _arborescence(weights)


def _arborescence(weights: NDArray[np.float64]) -> Integers:
    """Maximum spanning arborescence from node 0: a cycle becomes one word, the last, of a smaller tree."""
    heads: Integers = weights.argmax(axis=1)
    heads[0] = 0
    cycle = _find_cycle(heads)
    if cycle is None:
        return heads
    outside = np.setdiff1d(np.arange(len(weights)), cycle)
    count = outside.size
    # Entering the cycle at a word removes that word's arc inside the cycle.
    entering = weights[cycle[:, None], outside] - weights[cycle, heads[cycle]][:, None]
    leaving = weights[outside[:, None], cycle]
    smaller = np.full((count + 1, count + 1), -np.inf)
    smaller[:count, :count] = weights[outside[:, None], outside]
    smaller[count, :count] = entering.max(axis=0)
    smaller[:count, count] = leaving.max(axis=1)
    rest = _arborescence(smaller)
    inside = rest[1:count] == count
    heads[outside[1:]] = np.where(inside, cycle[leaving.argmax(axis=1)[1:]], np.append(outside, 0)[rest[1:count]])
    above = rest[count]
    heads[cycle[entering.argmax(axis=0)[above]]] = outside[above]
    return heads


def _find_cycle(heads: Integers) -> Integers | None:
    followers = heads.tolist()
    color = [0] * len(followers)
    color[0] = -1
    for start in range(1, len(followers)):
        node = start
        while color[node] == 0:
            color[node] = start
            node = followers[node]
        if color[node] == start:
            cycle = [node]
            while (following := followers[cycle[-1]]) != node:
                cycle.append(following)
            return np.array(sorted(cycle))
    return None


def best_labels(rel: Floats, heads: Integers, root_label: int) -> Integers:
    """The best relation of each chosen arc; `root_label` exactly where the head is the root.

    `rel[b, d, r, h]` is the score of relation `r` for the arc from `h` to `d`.
    """
    chosen = np.take_along_axis(rel, heads[:, :, None, None], axis=3)[..., 0]
    chosen = chosen.copy()
    chosen[:, :, root_label] = _NEVER
    labels = chosen.argmax(axis=2)
    return np.where(heads == 0, root_label, labels)


def certainty_of(arc: Floats, rel: Floats, heads: Integers, labels: Integers, lengths: Sequence[int]) -> Floats:
    """The probabilities of each word's head and of the label of its link, as the last axis."""
    positions = np.arange(arc.shape[1])
    inside = positions[None, None, :] <= np.asarray(lengths)[:, None, None]
    links = np.take_along_axis(rel, heads[:, :, None, None], axis=3)[..., 0]
    return np.stack([_share(np.where(inside, arc, _NEVER), heads), _share(links, labels)], axis=2)


def _share(scores: Floats, chosen: Integers) -> Floats:
    """The softmax of the chosen score of each row."""
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    shares: Floats = np.take_along_axis(powers, chosen[:, :, None], axis=2)[..., 0] / powers.sum(axis=2)
    return shares


class EntityDecoder:
    """Best sequences of `O`, `B-x` and `I-x` in which `I-x` only continues what `B-x` began."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        kinds = [label.partition("-") for label in labels]
        self._may_start = np.array([prefix != "I" for prefix, _, _ in kinds])
        self._may_follow = np.array(
            [
                [prefix != "I" or (before in ("B", "I") and name == earlier) for prefix, _, name in kinds]
                for before, _, earlier in kinds
            ]
        )

    def decode(self, scores: Floats, lengths: Sequence[int]) -> list[list[tuple[str, int, int]]]:
        """The entities of each sentence as type and words `[start, end)`, counted from 0.

        `scores[b, w, e]`; position 0 is the root and is skipped.
        """
        return [self.spans(scores[index, 1 : length + 1]) for index, length in enumerate(lengths)]

    def spans(self, scores: NDArray[np.floating]) -> list[tuple[str, int, int]]:
        """The entities of the words of one sentence, for `scores[w, e]`."""
        path: Integers = scores.argmax(axis=1)
        if len(path) and not (self._may_start[path[0]] and self._may_follow[path[:-1], path[1:]].all()):
            path = self._best_path(scores)
        return self._runs(path) if path.any() else []

    def _best_path(self, scores: NDArray[np.floating]) -> Integers:
        forbidden = np.where(self._may_follow, 0.0, -np.inf)
        total = np.where(self._may_start, scores[0].astype(np.float64), -np.inf)
        back = np.zeros(scores.shape, dtype=np.int64)
        for position in range(1, scores.shape[0]):
            steps = total[:, None] + forbidden
            back[position] = steps.argmax(axis=0)
            total = steps.max(axis=0) + scores[position]
        path = np.zeros(scores.shape[0], dtype=np.int64)
        path[-1] = total.argmax()
        for position in range(scores.shape[0] - 1, 0, -1):
            path[position - 1] = back[position, path[position]]
        return path

    def _runs(self, path: Integers) -> list[tuple[str, int, int]]:
        spans: list[tuple[str, int, int]] = []
        name, start = "", 0
        for position, label_index in enumerate([*path.tolist(), None]):
            prefix, _, kind = (self.labels[label_index] if label_index is not None else "O").partition("-")
            if name and prefix != "I":
                spans.append((name, start, position))
                name = ""
            if prefix == "B":
                name, start = kind, position
        return spans


def best_bracketings(span: Floats, lengths: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The spans `[start, end)` of each sentence's best binary tree, in pre-order, words counted from 0.

    `span[b, i, j]` is the score of words i to j, counted from 1 and both inclusive. CKY, one diagonal of the chart at
    a time for the whole batch; one-word spans are in every tree and are also listed.
    """
    batch, size, _ = span.shape
    most = size - 1
    # Best sums by start and length, and the same by end and length: both halves of a split are then plain slices.
    by_start = np.zeros((batch, most + 1, most + 1), dtype=np.float32)
    by_end = np.zeros((batch, most + 1, most + 1), dtype=np.float32)
    splits = np.zeros((batch, most + 1, most + 1), dtype=np.int32)
    starts = np.arange(most + 1)
    for length in range(1, most + 1):
        count = most - length + 1
        begin = starts[:count]
        own = span[:, begin + 1, begin + length]
        if length > 1:
            sums = by_start[:, :count, 1:length] + by_end[:, length:, 1:length][:, :, ::-1]
            best = sums.argmax(axis=2)
            splits[:, :count, length] = best + 1
            own = own + np.take_along_axis(sums, best[:, :, None], axis=2)[:, :, 0]
        by_start[:, :count, length] = own
        by_end[:, length:, length] = own
    trees: list[list[tuple[int, int]]] = []
    for index, sentence_length in enumerate(lengths):
        cuts = splits[index].tolist()
        tree: list[tuple[int, int]] = []
        pending = [(0, int(sentence_length))] if sentence_length else []
        while pending:
            start, end = pending.pop()
            tree.append((start, end))
            if end - start > 1:
                middle = start + cuts[start][end - start]
                pending.append((middle, end))
                pending.append((start, middle))
        trees.append(tree)
    return trees
