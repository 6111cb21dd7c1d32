"""The default extractor: the rules propose, the judge says how probable each tuple is to be right.

All candidates come out, with that probability as confidence. Of the tuples that tell the same fact the fullest one
that can be trusted is the fact; the others, and those that say nothing on their own, are `minor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tupelo.core import Analysis, Extraction
from tupelo.core.protocols import Services
from tupelo.core.spec import require_known
from tupelo.extract.judge.facts import repeated
from tupelo.extract.judge.network import Judge, shipped_judge
from tupelo.extract.rules import RuleExtractor
from tupelo.extract.settings import extractor_part, require_no_argument
from tupelo.nlp.syntax import DependencyTree


class JudgedExtractor:
    """The rules and a judge."""

    name = "default"
    needs = RuleExtractor.needs | {"vectors"}

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._rules = RuleExtractor()
        self.version = judge.version
        self.min_confidence = judge.least_confidence

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        """One list per sentence."""
        for analysis in analyses:
            yield self._judged(*self._rules.propose(analysis))

    def _judged(self, found: list[Extraction], tree: DependencyTree) -> list[Extraction]:
        judgements = self._judge.judge(found, tree)
        judged = [
            replace(
                extraction,
                confidence=round(judgement.right, 4),
                minor=judgement.informative < self._judge.least_informative,
                extractor=self.name,
                extractor_version=self.version,
            )
            for extraction, judgement in zip(found, judgements, strict=True)
        ]
        shorter = repeated(judged, self.min_confidence)
        return [replace(item, minor=True) if place in shorter else item for place, item in enumerate(judged)]


@extractor_part("rules, and a judge that has learned which of their tuples readers call right")
def default_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> JudgedExtractor:
    """The extractor by its registered name."""
    require_no_argument(argument, "default")
    require_known(settings, [], "default")
    return JudgedExtractor(shipped_judge())
