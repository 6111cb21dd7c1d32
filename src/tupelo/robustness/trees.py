"""Constituency trees as the syntactic measures see them: labels and children, without words.

A node is a phrase or the tag of a word. The node `ROOT` above a sentence (also
`TOP`, `S1` or an empty label) is skipped. Labels lose what
follows the category: `NP-SBJ` and `NP=2` are `NP`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core import Analysis, InputError
from tupelo.core.analysis import constituent_depths

# Root labels of the Penn Treebank and its parsers.
_ABOVE_SENTENCES = frozenset({"ROOT", "TOP", "S1", ""})
_MARKS = "-=|"
DEFAULT_HEIGHT = 3


@dataclass(frozen=True, slots=True)
class ConstituencyTree:
    """Labels in pre-order and, for each node, its children from left to right."""

    labels: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]

    def levels(self, height: int | None = None) -> tuple[str, ...]:
        """The labels level by level from the top, the first `height` levels or all.

        >>> tree = ConstituencyTree(("S", "NP", "PRP", "VP", "VBD"), ((1, 3), (2,), (), (4,), ()))
        >>> tree.levels(2)
        ('S', 'NP', 'VP')
        """
        return tuple(self.labels[node] for node in self._topmost(height))

    def truncate(self, height: int) -> ConstituencyTree:
        """The first `height` levels as a tree."""
        kept = sorted(self._topmost(height))
        place = {node: position for position, node in enumerate(kept)}
        children = tuple(tuple(place[child] for child in self.children[node] if child in place) for node in kept)
        return ConstituencyTree(tuple(self.labels[node] for node in kept), children)

    def _topmost(self, height: int | None) -> list[int]:
        found: list[int] = []
        level, depth = self.roots, 0
        while level and (height is None or depth < height):
            found += level
            level = [child for node in level for child in self.children[node]]
            depth += 1
        return found

    @property
    def roots(self) -> list[int]:
        """Nodes without a parent: several when a parse has no node around the whole sentence."""
        below = {child for children in self.children for child in children}
        return [node for node in range(len(self.labels)) if node not in below]


def plain_label(label: str) -> str:
    """The category of a label: `NP-SBJ` is `NP`, `-LRB-` stays.

    >>> plain_label("NP-SBJ=1"), plain_label("-LRB-"), plain_label("PRP$")
    ('NP', '-LRB-', 'PRP$')
    """
    if label[:1] in _MARKS:
        return label
    for mark in _MARKS:
        label = label.partition(mark)[0]
    return label


def tree_of(analysis: Analysis) -> ConstituencyTree:
    """The tree of an analysed sentence, without its words."""
    parts = analysis.constituents
    if parts is None:
        raise InputError(f"no constituents for {analysis.text[:60]!r}; its parser makes none")
    labels: list[str] = []
    children: list[list[int]] = []
    # (node, end) of the phrases around the current word; a node of -1 is skipped.
    around: list[tuple[int, int]] = []

    def add(label: str) -> int:
        labels.append(label)
        children.append([])
        above = next((node for node, _ in reversed(around) if node >= 0), None)
        if above is not None:
            children[above].append(len(labels) - 1)
        return len(labels) - 1

    constituent_depths(parts)
    upcoming = 0
    for index, word in enumerate(analysis.words):
        while around and around[-1][1] <= index:
            around.pop()
        while upcoming < len(parts) and parts[upcoming].start == index:
            part = parts[upcoming]
            above_sentence = part.label in _ABOVE_SENTENCES and not labels
            around.append((-1 if above_sentence else add(plain_label(part.label)), part.end))
            upcoming += 1
        add(plain_label(word.xpos or word.upos or "X"))
    return ConstituencyTree(tuple(labels), tuple(tuple(each) for each in children))
