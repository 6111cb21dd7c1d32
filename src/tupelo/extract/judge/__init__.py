"""The default extractor: the rules propose, the judge says how probable each tuple is to be right.

All candidates come out, with that probability as confidence. Of the tuples that tell the same fact the fullest one
that can be trusted is the fact; the others, and those that say nothing on their own, are `minor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tupelo.core import Analysis, Extraction
from tupelo.core.protocols import Services
from tupelo.core.spec import require_known
from tupelo.extract import extractor_part, require_no_argument
from tupelo.extract.judge.network import Judge, shipped_judge
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.syntax import DependencyTree

# A difference in confidence that matters.
_MUCH = 0.2


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


def repeated(extractions: Sequence[Extraction], sure: float) -> set[int]:
    """The places of tuples whose fact is also in a fuller tuple of the same subject.

    The fuller one must be trusted: its confidence is at least `sure`, or not below that of the shorter one. Of tuples
    with the same words the one with the shortest relation counts, unless another is much more confident.
    """
    words = [_words(extraction) for extraction in extractions]
    subjects = [frozenset(extraction.arg1.tokens or ()) if extraction.arg1 else None for extraction in extractions]

    def tells(fuller: int, shorter: int) -> bool:
        full, short = extractions[fuller], extractions[shorter]
        if subjects[fuller] != subjects[shorter] or not words[shorter] <= words[fuller]:
            return False
        if full.minor or bool(full.negated) != bool(short.negated):
            return False
        if words[shorter] == words[fuller]:
            return _rank(full, fuller) > _rank(short, shorter)
        return full.counted_confidence >= min(sure, short.counted_confidence)

    places = range(len(extractions))
    return {place for place in places if any(tells(other, place) for other in places if other != place)}


def _words(extraction: Extraction) -> frozenset[int | str]:
    """The words of relation and arguments, implied ones as text."""
    found: set[int | str] = set()
    for part in (extraction.rel, *extraction.args):
        found.update(part.tokens or ())
        pieces = part.text.split()
        found.update(pieces[place].lower() for place in part.inferred if place < len(pieces))
    return frozenset(found)


def _rank(extraction: Extraction, place: int) -> tuple[float, int, int]:
    return (round(extraction.counted_confidence / _MUCH), -len(extraction.rel.text.split()), -place)


@extractor_part("rules, and a judge that has learned which of their tuples readers call right")
def default_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> JudgedExtractor:
    """The extractor by its registered name."""
    require_no_argument(argument, "default")
    require_known(settings, [], "default")
    return JudgedExtractor(shipped_judge())
