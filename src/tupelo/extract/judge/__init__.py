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
from tupelo.extract.judge.network import Judge, shipped_judge
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.syntax import DependencyTree

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
        # The same words are as sure wherever the relation ends, and a gapped clause is as sure as the first.
        surest: dict[object, float] = {}
        for item, judgement in zip(found, judgements, strict=True):
            for key in (_fact(item), item.rel.tokens):
                surest[key] = max(surest.get(key, 0.0), judgement.good)
        shorter, judged = repeated(found), []
        for place, (item, judgement) in enumerate(zip(found, judgements, strict=True)):
            confidence = surest[item.rel.tokens if item.rule == "gapped" else _fact(item)]
            reasons = (*item.reasons, *judgement.reasons)
            if place in shorter:
                # It is complete only if the fuller one is not right.
                confidence = min(judgement.signed, confidence)
                reasons += (Reason("confidence", "a fuller tuple of the sentence tells the same"),) if reasons else ()
            confidence = round(confidence, 4)
            minor = judgement.right >= _RIGHT and confidence < self.min_confidence
            item = replace(item, extractor=self.name, extractor_version=self.version, reasons=reasons)
            judged.append(replace(item, confidence=confidence, minor=minor))
        return judged


def repeated(extractions: Sequence[Extraction]) -> set[int]:
    """The places of tuples whose fact is also in a fuller tuple.

    Both have one predicate, and the subject of the shorter one is that of the fuller one or a part of it. Of tuples
    with the same words the one with the shortest relation counts.
    """
    facts = [_fact(extraction) for extraction in extractions]
    relations = [frozenset(extraction.rel.tokens or ()) for extraction in extractions]
    sizes = [len(extraction.rel.text.split()) for extraction in extractions]

    def tells(fuller: int, shorter: int) -> bool:
        (more, _, whole, full_denied), (less, _, part, denied) = facts[fuller], facts[shorter]
        if denied != full_denied or not less <= more:
            return False
        one_predicate = not relations[fuller].isdisjoint(relations[shorter])
        if whole != part:
            return one_predicate and whole is not None and part is not None and part < whole
        if more == less:
            return (sizes[fuller], fuller) < (sizes[shorter], shorter)
        return one_predicate or not (relations[fuller] and relations[shorter])

    places = range(len(extractions))
    return {place for place in places if any(tells(other, place) for other in places if other != place)}


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
