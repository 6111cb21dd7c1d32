"""A measure of syntax as extractors see it: how alike is a sentence to each of many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tupelo.cliques.measures import SyntaxMeasure
from tupelo.cliques.trees import tree_of
from tupelo.core import Analysis


class SyntaxLikeness:
    """Implements `tupelo.core.protocols.Likeness`. A distance becomes a likeness by taking it from 1."""

    def __init__(self, measure: SyntaxMeasure) -> None:
        self.measure = measure

    def to(self, analyses: Sequence[Analysis]) -> Callable[[Analysis], list[float]]:
        trees = [tree_of(analysis) for analysis in analyses]
        pairs = [(len(trees), position) for position in range(len(trees))]

        def compare(analysis: Analysis) -> list[float]:
            values: list[float] = self.measure.compare([*trees, tree_of(analysis)], pairs).tolist()
            return [1.0 - value for value in values] if self.measure.is_distance else values

        return compare
