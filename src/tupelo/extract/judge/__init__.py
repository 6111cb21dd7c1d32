"""The default extractor: the rules propose, the judge says which of their tuples a reader of the sentence keeps.

All candidates come out. The confidence is the probability that a tuple is right and complete: it says something on
its own, and of the tuples that tell the same fact it is the fullest one that can be trusted. Those below the least
confidence that are more likely right than wrong are `minor`: another one tells it better, or they say too little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tupelo.core import Analysis, Extraction, Reason
from tupelo.core.protocols import Services
from tupelo.core.spec import require_known
from tupelo.extract import extractor_part, require_no_argument
from tupelo.extract.judge.features import words_of
from tupelo.extract.judge.network import Judge, TupleJudgement, shipped_judge
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.syntax import DependencyTree

# A difference in confidence that matters.
_MUCH = 0.2
# More likely right than wrong.
_RIGHT = 0.5


class JudgedExtractor:
    """The rules and a judge."""

    name = "default"
    explains = True
    needs = RuleExtractor.needs | {"vectors"}

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._rules = RuleExtractor()
        self.version = judge.version
        self.min_confidence = judge.least_confidence

    def extract(self, analyses: Iterable[Analysis], *, explain: bool = False) -> Iterator[list[Extraction]]:
        """One list per sentence."""
        for analysis in analyses:
            yield self._judged(*self._rules.propose(analysis, explain=explain))

    def _judged(self, found: list[Extraction], tree: DependencyTree) -> list[Extraction]:
        judgements = self._judge.judge(found, tree)
        judged = [
            replace(
                extraction,
                confidence=round(judgement.good, 4),
                minor=judgement.informative < self._judge.least_informative,
                reasons=(*extraction.reasons, *judgement.reasons),
                extractor=self.name,
                extractor_version=self.version,
            )
            for extraction, judgement in zip(found, judgements, strict=True)
        ]
        # The same words are as sure wherever the relation ends, and a gapped clause is as sure as the first.
        surest: dict[object, float] = {}
        for item in judged:
            for key in (_fact(item), item.rel.tokens):
                surest[key] = max(surest.get(key, 0.0), item.counted_confidence)
        keys = [item.rel.tokens if item.rule == "gapped" else _fact(item) for item in judged]
        judged = [replace(item, confidence=surest[key]) for item, key in zip(judged, keys, strict=True)]
        shorter = repeated(judged, self.min_confidence)
        return [self._of_set(item, judgements[place], repeats=place in shorter) for place, item in enumerate(judged)]

    def _of_set(self, item: Extraction, judgement: TupleJudgement, *, repeats: bool) -> Extraction:
        """A tuple among the others of its sentence: one that repeats another is not complete, however right it is."""
        confidence, reasons = item.counted_confidence, item.reasons
        if repeats:
            reasons += (Reason("confidence", "a fuller tuple of the sentence tells the same"),) if reasons else ()
            confidence = min(round(judgement.signed, 4), self._judge.below_least)
        is_minor = judgement.right >= _RIGHT and confidence < self.min_confidence
        return replace(item, confidence=confidence, minor=is_minor, reasons=reasons)


def repeated(extractions: Sequence[Extraction], sure: float) -> set[int]:
    """The places of tuples whose fact is also in a fuller tuple of the same subject.

    The fuller one must be trusted: its confidence is at least `sure`, or not below that of the shorter one. Of tuples
    with the same words the one with the shortest relation counts, unless another is much more confident.
    """
    facts = [_fact(extraction) for extraction in extractions]

    def tells(fuller: int, shorter: int) -> bool:
        full, short = extractions[fuller], extractions[shorter]
        (more, *of_full), (less, *of_short) = facts[fuller], facts[shorter]
        if of_full[1:] != of_short[1:] or not less <= more:
            return False
        if more == less:
            return _rank(full, fuller) > _rank(short, shorter)
        return not full.minor and full.counted_confidence >= min(sure, short.counted_confidence)

    places = range(len(extractions))
    return {place for place in places if any(tells(other, place) for other in places if other != place)}


def _rank(extraction: Extraction, place: int) -> tuple[float, int, int]:
    return (round(extraction.counted_confidence / _MUCH), -len(extraction.rel.text.split()), -place)


def _fact(extraction: Extraction) -> tuple[frozenset[int | str], bool, frozenset[int] | None, bool]:
    """The words of a tuple, whether its object is a noun inside an argument, its subject, whether it is denied."""
    subject = frozenset(extraction.arg1.tokens or ()) if extraction.arg1 else None
    nested = (extraction.rule or "").endswith("/nested")
    return words_of(extraction), nested, subject, bool(extraction.negated)


@extractor_part("rules, and a judge that has learned which of their tuples readers call right")
def default_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> JudgedExtractor:
    """The extractor by its registered name."""
    require_no_argument(argument, "default")
    require_known(settings, [], "default")
    return JudgedExtractor(shipped_judge())
