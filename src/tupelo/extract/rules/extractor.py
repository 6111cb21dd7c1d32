"""The rules as an extractor: the best candidates of a sentence, with their marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tupelo.core import Analysis, Extraction, InputError, Sentence
from tupelo.core.protocols import Outside
from tupelo.extract.marks import mark
from tupelo.extract.parts import make_part, sentence_of
from tupelo.extract.rules.candidates import Candidate, candidates
from tupelo.extract.rules.confidence import confidence_of
from tupelo.extract.settings import require_known, require_no_argument
from tupelo.extract.tree import Tree

SHAPES = ("whole", "pieces", "all")


class RuleExtractor:
    """Tuples by rules. `shape` says whether a clause makes one tuple, one tuple a fact, or both."""

    name = "rules"
    version = "1"
    needs = frozenset(["tags", "lemmas", "heads", "entities"])

    def __init__(self, *, shape: str = "whole", floor: float = 0.0) -> None:
        if shape not in SHAPES:
            raise InputError(f"shape '{shape}', expected one of {', '.join(SHAPES)}")
        self.shape = shape
        self.floor = floor

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        """One list per sentence, surest tuples first in the order of their words."""
        for analysis in analyses:
            yield self._extract(analysis)

    def _extract(self, analysis: Analysis) -> list[Extraction]:
        tree = Tree(analysis)
        sentence = sentence_of(analysis)
        found: dict[tuple[str, ...], Extraction] = {}
        for candidate in self.choose(candidates(analysis, tree)):
            confidence = confidence_of(candidate, tree)
            if confidence < self.floor:
                continue
            extraction = self.build(candidate, analysis, sentence, confidence)
            key = (extraction.rel.text, *(argument.text for argument in extraction.arguments))
            if key not in found:
                found[key] = mark(extraction, analysis, tree)
        return list(found.values())

    def choose(self, found: list[Candidate]) -> list[Candidate]:
        """The candidates of the shape that was asked for. A clause with one complement has only one shape."""
        if self.shape == "all":
            return found
        if self.shape == "whole":
            return [candidate for candidate in found if candidate.shape != "piece"]
        in_pieces = {candidate.predicate for candidate in found if candidate.shape == "piece"}
        return [
            candidate for candidate in found if candidate.shape != "whole" or candidate.predicate not in in_pieces
        ]

    def build(
        self, candidate: Candidate, analysis: Analysis, sentence: Sentence, confidence: float
    ) -> Extraction:
        """The tuple of a candidate."""
        arguments = tuple(
            make_part(analysis, pieces, role)
            for pieces, role in zip(candidate.complements, candidate.roles, strict=True)
        )
        return Extraction(
            sentence,
            make_part(analysis, candidate.relation),
            make_part(analysis, candidate.subject),
            arguments,
            confidence=confidence,
            extractor=self.name,
            extractor_version=self.version,
            rule=candidate.rule,
        )


def rule_extractor(argument: str, settings: Mapping[str, str], outside: Outside | None) -> RuleExtractor:
    """The extractor by its registered name."""
    require_no_argument(argument, "rules")
    require_known(settings, ["shape"], "rules")
    return RuleExtractor(shape=settings.get("shape", "whole"))
