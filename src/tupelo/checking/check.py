"""Check every claim of a text against its source: supported, refuted, or unverifiable.

Claims are the tuples that an extractor finds in the text, except those contained in another one; a sentence without
tuples is one claim as a whole if it has a verb, a name or a number, or answers a question. Questions and lines that
end in a colon make no claims. A sentence that only says that the answer is not known is an abstention.

A network (`tupelo.checking.network`) reads every sentence, its pronouns replaced by names, with the sentences of the
source that are about it (`tupelo.checking.evidence`). What it predicts and what calculations give
(`tupelo.checking.calculations`) are the findings about a claim; a fitted curve makes them a probability, and the
probability decides the verdict.

If there is nothing to check, there is no verdict, and `reason` says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

from tupelo.checking.calculations import Calculation, Ledger, Outcome
from tupelo.checking.checked import (
    Checked,
    CheckedSentence,
    Claim,
    Curve,
    Findings,
    SourceSentence,
    Verdict,
    verdict_of,
)
from tupelo.checking.claims import ClaimedSentence, claims_of, has_words
from tupelo.checking.evidence import EvidenceIndex, stems
from tupelo.checking.network import ClaimReader, ClaimReading, Judgement
from tupelo.checking.plain import plain_text
from tupelo.extract.pipeline import ExtractionPipeline
from tupelo.names.coreference import find_references
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.pipeline import shipped_vocabulary, split_text
from tupelo.nlp.subwords import straight
from tupelo.nlp.syntax import DependencyTree


class Source:
    """The sentences of some passages, in order, with what a check looks up in them. Nothing of it is parsed."""

    def __init__(self, passages: Sequence[str], network: ClaimReader) -> None:
        found = [
            (number, one)
            for number, text in enumerate(passages)
            for one in split_text(straight(plain_text(text, code=True)))
            if one.words
        ]
        self.sentences = tuple(
            SourceSentence(passages[number][one.start : one.start + len(one.text)], number, one.start)
            for number, one in found
        )
        self.words = [[word.text for word in one.words] for _, one in found]
        # Sentences are split into subwords once, for every text that is checked against this source.
        self.subwords = [network.cut(one.text)[: network.room] for _, one in found]
        self.index = EvidenceIndex(self.words, list(map(len, self.subwords)))
        self.ledger = Ledger(self.words)

    @cached_property
    def fault(self) -> str:
        """The reason why nothing can be checked against it; empty if something can."""
        words = [word for sentence in self.words for word in sentence]
        if not self.sentences:
            return "the source is empty"
        if not is_english(words, shipped_vocabulary()):
            return "the source does not look like English"
        return "" if has_words(words) else "the source has no words"


# Collections often have several texts per source, which is split into sentences and subwords only once.
_SOURCES_KEPT = 8
_EVIDENCE = 2
_DOUBTED = 0.5
_MOST_SHOWN = 5


class ClaimChecker:
    """Checks texts against sources, one after the other, with models that stay loaded.

    With `coreference`, pronouns are linked to names if the parser can do that.
    """

    def __init__(self, pipeline: ExtractionPipeline, network: ClaimReader, *, coreference: bool = True) -> None:
        self._pipeline = pipeline
        self._network = network
        self._coreference = coreference
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(partial(Source, network=network))

    def __call__(self, text: str, passages: Sequence[str], question: str = "") -> Checked:
        """Check one text, which may answer a question; no claims if text or source is not in English."""
        source = self._source(tuple(passages))
        sentences = self._sentences(text, question)
        unread = Checked(
            text,
            tuple(CheckedSentence(one.written, one.start, ()) for one in sentences),
            tuple(passages),
            source.sentences,
        )
        # Parser and network are meaningless on sentences in other languages.
        if not is_english((word for one in sentences for word in one.words), shipped_vocabulary()):
            return replace(unread, reason="the text does not look like English")
        if source.fault:
            return replace(unread, reason=source.fault)
        checked = replace(unread, sentences=tuple(self._check(sentences, source)))
        if any(claim.verdict is not Verdict.ABSTAINED for claim in checked.claims):
            return checked
        silent = "the text says nothing that could be checked"
        return replace(checked, reason="the text says that it does not know" if checked.claims else silent)

    def _sentences(self, text: str, question: str) -> list[ClaimedSentence]:
        """The sentences of a text; its pronouns may refer to what a question before it names."""
        before = f"{straight(question)}\n\n" if question else ""
        # Analysed without markup and with straight quotation marks, and shown as it was written.
        analyses = list(self._pipeline.analyze(before + straight(plain_text(text)), coreference=self._coreference))
        return [
            ClaimedSentence.of(analysis, referents, text, len(before), question)
            for analysis, referents in zip(analyses, find_references(analyses), strict=True)
            if analysis.start >= len(before)
        ]

    def _check(self, sentences: Sequence[ClaimedSentence], source: Source) -> Iterator[CheckedSentence]:
        """Every sentence with its claims."""
        tuples = self._pipeline.extractor.extract(one.analysis for one in sentences)
        found = [claims_of(one, own) for one, own in zip(sentences, tuples, strict=True)]
        claiming = [one for one, claims in zip(sentences, found, strict=True) if claims and not one.abstains]
        read = iter(self._read(claiming, source))
        for one, claims in zip(sentences, found, strict=True):
            if one.abstains:
                yield CheckedSentence(one.written, one.start, (_abstention(one),))
            else:
                own = next(read) if claims else None
                made = () if own is None else tuple(own.claim(*claim) for claim in claims)
                yield CheckedSentence(one.written, one.start, made)

    def _read(self, sentences: Sequence[ClaimedSentence], source: Source) -> list[_Read]:
        """The judgements of sentences, all read at once, each with its evidence."""
        evidence = [source.index.best(one.spoken, self._network.room) for one in sentences]
        readings = [
            ClaimReading(tuple(subword for number in own for subword in source.subwords[number]), one.read)
            for one, own in zip(sentences, evidence, strict=True)
        ]
        judgements = self._network.judge(readings)
        return [
            _Read(one, source, own, judgement, self._network.curve)
            for one, own, judgement in zip(sentences, evidence, judgements, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with its source, the sentences of it that are its evidence, and the network's judgement."""

    sentence: ClaimedSentence
    source: Source
    evidence: tuple[int, ...]
    judgement: Judgement
    curve: Curve

    def claim(self, text: str, words: tuple[int, ...]) -> Claim:
        """One of its claims, with a verdict, evidence and what explains them."""
        tree = DependencyTree(self.sentence.analysis)
        calculations = self.source.ledger.calculate(tree, words, self.evidence)
        findings = self._findings(words, calculations)
        probability = self.curve.probability(findings)
        verdict = verdict_of(probability, findings)
        objections = [one for one in calculations if one.outcome is not Outcome.CONFIRMS]
        decisive = objections or calculations
        return Claim(
            text,
            words,
            self.sentence.spans(words),
            verdict,
            probability,
            findings,
            self._decisive(words, decisive),
            "; ".join(dict.fromkeys(one.text for one in decisive)) or self._reason(words, verdict),
        )

    def _findings(self, words: Sequence[int], calculations: Sequence[Calculation]) -> Findings:
        judgement, outcomes = self.judgement, {one.outcome for one in calculations}
        return Findings(
            judgement.supported,
            judgement.refuted,
            judgement.least_within([self.sentence.places[word] for word in words]),
            confirmed=outcomes == {Outcome.CONFIRMS},
            refutes=judgement.refuted > max(judgement.unknown, judgement.supported),
            contradicted=Outcome.CONTRADICTS in outcomes,
            disputed=Outcome.DISPUTES in outcomes,
        )

    def _decisive(self, words: Sequence[int], calculations: Sequence[Calculation]) -> tuple[int, ...]:
        """The sentences that decided: those of calculations, then those that share most with the claim."""
        spoken = [part for word in words for part in self._shown(word).split()]
        ranked = self.source.index.ranked(spoken, self.evidence, _EVIDENCE)
        return tuple(dict.fromkeys([*(one.sentence for one in calculations), *ranked]))[:_EVIDENCE]

    def _shown(self, word: int) -> str:
        start, end = self.sentence.places[word]
        return self.sentence.read[start:end]

    def _is_known(self, word: int) -> bool:
        return all(map(self.source.index.knows, self._shown(word).split()))

    def _reason(self, words: Sequence[int], verdict: Verdict) -> str:
        if verdict is Verdict.SUPPORTED:
            return ""
        said = self.sentence.words
        missing = [said[word] for word in words if stems([said[word]]) and not self._is_known(word)]
        if missing:
            return f"not in the source: {', '.join(missing[:_MOST_SHOWN])}"
        doubted = self._doubted(words)
        so = f": {', '.join(doubted[:_MOST_SHOWN])}" if doubted else ""
        return f"the source says otherwise{so}" if verdict is Verdict.REFUTED else f"the source does not say so{so}"

    def _doubted(self, words: Sequence[int]) -> list[str]:
        """The words that the evidence does not support."""
        said = self.sentence.words
        return [
            said[word]
            for word in words
            if said[word][:1].isalnum() and self.judgement.least_within([self.sentence.places[word]]) < _DOUBTED
        ]


def _abstention(sentence: ClaimedSentence) -> Claim:
    words = tuple(range(len(sentence.analysis.words)))
    return Claim(sentence.written, words, sentence.spans(words), Verdict.ABSTAINED)
