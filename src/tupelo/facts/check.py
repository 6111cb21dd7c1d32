"""Check every claim of a text against its source: supported, refuted, or unverifiable.

Claims are the tuples that an extractor finds in the text, except those contained in another one; a sentence without
tuples is one claim as a whole if it has a verb, a name or a number, or answers a question. Questions and lines that
end in a colon make no claims. A sentence that only says that the answer is not known is an abstention.

A network (`tupelo.facts.network`) reads every sentence, its pronouns replaced by names, with evidence in several
forms (`tupelo.facts.evidence`). What it predicts, the overlap of words with the source and calculations
(`tupelo.facts.calculations`) are the findings about a claim; a fitted curve makes them a probability, and the
probability decides the verdict (`tupelo.facts.calibration`).

If there is nothing to check, there is no verdict, and `reason` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tupelo.core import Extraction
from tupelo.core.protocols import ExtractingParser
from tupelo.extract.coreference import find_referents
from tupelo.facts.calculations import Calculation
from tupelo.facts.calibration import Curve, Findings, Verdict, verdict_of
from tupelo.facts.checked import Checked, CheckedSentence, Claim
from tupelo.facts.claims import ClaimedSentence, claims_of
from tupelo.facts.evidence import stems
from tupelo.facts.network import ClaimReader, Judgement, Reading, straight
from tupelo.facts.plain import plain_text
from tupelo.facts.source import Source
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.pipeline import shipped_vocabulary
from tupelo.nlp.syntax import DependencyTree

# Collections often have several texts per source, which is split and cut only once.
_SOURCES_KEPT = 8
_EVIDENCE = 2
_DOUBTED = 0.5
_MOST_SHOWN = 5
# The sentences of a form of evidence.
_Form = tuple[int, ...]


class ClaimChecker:
    """Checks texts against sources, one after the other, with models that stay loaded.

    `coreference`: the parser can link pronouns to names.
    """

    def __init__(self, toolkit: ExtractingParser, network: ClaimReader, *, coreference: bool = False) -> None:
        self._toolkit = toolkit
        self._network = network
        self._options = {"coreference": True} if coreference else {}
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(self._split)

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

    def _split(self, passages: tuple[str, ...]) -> Source:
        return Source(passages, self._network)

    def _sentences(self, text: str, question: str) -> list[ClaimedSentence]:
        """The sentences of a text; its pronouns may refer to what a question before it names."""
        needs = self._toolkit.extractor.needs
        before = f"{straight(question)}\n\n" if question else ""
        # Analysed without markup and with straight quotation marks, and shown as it was written.
        analyses = list(
            self._toolkit.analyze(
                before + straight(plain_text(text)),
                constituents="constituents" in needs,
                vectors="vectors" in needs,
                **self._options,
            )
        )
        return [
            ClaimedSentence.of(analysis, referents, text, len(before), question)
            for analysis, referents in zip(analyses, find_referents(analyses), strict=True)
            if analysis.start >= len(before)
        ]

    def _check(self, sentences: Sequence[ClaimedSentence], source: Source) -> Iterator[CheckedSentence]:
        """Every sentence with its claims."""
        found = [claims_of(one, tuples) for one, tuples in zip(sentences, self._tuples(sentences), strict=True)]
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
        """The judgements of sentences. All are read at once with one form of their evidence; those that it does not
        support beyond doubt are read with the other forms, again at once."""
        forms = [source.index.forms(one.spoken, self._network.room) for one in sentences]
        # The best window is shorter than the best sentences together.
        first = [own[:2][-1] for own in forms]
        found = self._judge(zip(sentences, [[form] for form in first], strict=True), source)
        rest = [
            [] if judged[form].is_sure else [one for one in own if one != form]
            for own, form, judged in zip(forms, first, found, strict=True)
        ]
        for judged, more in zip(found, self._judge(zip(sentences, rest, strict=True), source), strict=True):
            judged.update(more)
        return [
            _Read(one, source, tuple((form, judged[form]) for form in own if form in judged), self._network.curve)
            for one, own, judged in zip(sentences, forms, found, strict=True)
        ]

    def _judge(
        self, asked: Iterable[tuple[ClaimedSentence, Sequence[_Form]]], source: Source
    ) -> list[dict[_Form, Judgement]]:
        """The judgements of sentences for some forms of evidence each."""
        pairs = list(asked)
        readings = [
            Reading(tuple(subword for number in form for subword in source.subwords[number]), one.read)
            for one, forms in pairs
            for form in forms
        ]
        judgements = iter(self._network.judge(readings))
        return [{form: next(judgements) for form in forms} for _, forms in pairs]

    def _tuples(self, sentences: Sequence[ClaimedSentence]) -> Iterator[Sequence[Extraction]]:
        return self._toolkit.extractor.extract(one.analysis for one in sentences)


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with its source and the network's judgement for every form of its evidence, best sentences first."""

    sentence: ClaimedSentence
    source: Source
    forms: tuple[tuple[_Form, Judgement], ...]
    curve: Curve

    def claim(self, text: str, words: tuple[int, ...]) -> Claim:
        """One of its claims, with a verdict, evidence and what explains them."""
        evidence = sorted({number for form, _ in self.forms for number in form})
        tree = DependencyTree(self.sentence.analysis)
        calculations = self.source.ledger.calculate(tree, words, evidence)
        findings = self._findings(words, calculations)
        probability = self.curve.probability(findings)
        verdict = verdict_of(probability, findings)
        decisive = [one for one in calculations if one.confirms != findings.contradicted]
        return Claim(
            text,
            words,
            self.sentence.spans(words),
            verdict,
            probability,
            findings,
            self._evidence(words, verdict, decisive),
            "; ".join(one.text for one in decisive) or self._reason(words, verdict),
        )

    def _findings(self, words: Sequence[int], calculations: Sequence[Calculation]) -> Findings:
        places = [self.sentence.places[word] for word in words]
        judgements = [judgement for _, judgement in self.forms]
        best, *windows = (one.supported for one in judgements)
        said = self.sentence.words
        return Findings(
            best,
            max(windows, default=best),
            max(one.refuted for one in judgements),
            max(one.least_within(places) for one in judgements),
            self.source.share_of_words(said),
            self.source.share_of_trigrams(said),
            confirmed=bool(calculations) and all(one.confirms for one in calculations),
            refutes=any(one.refuted > max(one.unknown, one.supported) for one in judgements),
            contradicted=any(not one.confirms for one in calculations),
        )

    def _evidence(
        self, words: Sequence[int], verdict: Verdict, calculations: Sequence[Calculation]
    ) -> tuple[int, ...]:
        """The sentences that decided: those of calculations, then those of the form that speaks loudest."""
        form, _ = max(self.forms, key=lambda one: _weight(one[1], verdict))
        spoken = [part for word in words for part in self._shown(word).split()]
        ranked = self.source.index.ranked(spoken, form, _EVIDENCE)
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
        """The words that no form of evidence supports."""
        said = self.sentence.words
        return [
            said[word]
            for word in words
            if said[word][:1].isalnum()
            and max(judgement.least_within([self.sentence.places[word]]) for _, judgement in self.forms) < _DOUBTED
        ]


def _abstention(sentence: ClaimedSentence) -> Claim:
    words = tuple(range(len(sentence.analysis.words)))
    return Claim(sentence.written, words, sentence.spans(words), Verdict.ABSTAINED)


def _weight(judgement: Judgement, verdict: Verdict) -> float:
    return judgement.refuted if verdict is Verdict.REFUTED else judgement.supported
