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

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate, combinations, islice
from typing import TypeAlias

from tupelo.checking.calculations import Calculation, Ledger, Outcome
from tupelo.checking.checked import (
    SUPPORTED_FROM,
    Checked,
    CheckedSentence,
    Claim,
    Curve,
    Findings,
    SourceSentence,
    Verdict,
    odds,
    verdict_of,
)
from tupelo.checking.claims import ClaimedSentence, claims_of, has_words
from tupelo.checking.evidence import EvidenceIndex, stem, stems
from tupelo.checking.network import ClaimReader, ClaimReading, Judgement
from tupelo.checking.order import compare_order
from tupelo.checking.plain import plain_text
from tupelo.checking.reservations import Reservation, StatedClaim, has_reservation, vouches
from tupelo.core import Extraction
from tupelo.extract.pipeline import ExtractionPipeline
from tupelo.names.coreference import find_references
from tupelo.nlp.languages import words as listed
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.pipeline import shipped_vocabulary, split_text
from tupelo.nlp.subwords import straight
from tupelo.nlp.syntax import NOUNS, DependencyTree


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
        # Only sentences with reservations about a claim are ever parsed.
        self.tuples: dict[int, tuple[Extraction, ...]] = {}

    def parse(self, numbers: Iterable[int], pipeline: ExtractionPipeline) -> None:
        """Find the tuples of some sentences, once each."""
        wanted = sorted(set(numbers) - set(self.tuples))
        texts = [" ".join(straight(self.sentences[number].text).split()) for number in wanted]
        starts = [0, *accumulate(len(text) + 2 for text in texts)]
        analyses = list(pipeline.analyze("\n\n".join(texts), coreference=False)) if texts else []
        self.tuples.update(dict.fromkeys(wanted, ()))
        for analysis, found in zip(analyses, pipeline.extractor.extract(analyses), strict=True):
            number = wanted[bisect_right(starts, analysis.start) - 1]
            self.tuples[number] = (*self.tuples[number], *found)

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
# A claim that is less likely is about something else than the source; reservations are not looked for.
_FAR = 0.15
_NEARLY_ALL = 0.8
_LIST_MARKS, _MUTUAL = frozenset([",", "and", "or"]), listed("verbs", "mutual_verbs")
_MOST_SHOWN = 5
# A claim between two probabilities is reversed if a swap of names makes it at least the third, by these log odds.
_LEAST, _MOST, _SURELY, _MUCH, _PAIRS = 0.05, 0.9, 0.8, 1.5, 3
# Claims of a sentence: text and words.
_Parts: TypeAlias = Sequence[tuple[str, tuple[int, ...]]]


class ClaimChecker:
    """Checks texts against sources, one after the other, with models that stay loaded.

    With `coreference`, pronouns are linked to names if the parser can do that. A claim whose probability is in the
    band `undecided`, from one threshold to the other, gets no verdict.
    """

    def __init__(
        self,
        pipeline: ExtractionPipeline,
        network: ClaimReader,
        *,
        coreference: bool = True,
        undecided: tuple[float, float] | None = None,
    ) -> None:
        self._pipeline = pipeline
        self._network = network
        self._coreference = coreference
        self._undecided = undecided
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(partial(Source, network=network))

    def __call__(self, text: str, passages: Sequence[str], question: str = "", said: str = "") -> Checked:
        """Check one text, which may answer a question and go on from what was `said`.

        There are no claims if text or source is not in English.
        """
        source = self._source(tuple(passages))
        sentences = self._sentences(text, question, said)
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
        if checked.least is not None:
            return checked
        silent = "the text says nothing that could be checked"
        return replace(checked, reason="the text says that it does not know" if checked.claims else silent)

    def _sentences(self, text: str, question: str, said: str) -> list[ClaimedSentence]:
        """The sentences of a text; its pronouns may refer to what was asked and said before it."""
        before = "".join(f"{straight(plain_text(part))}\n\n" for part in (question, said) if part)
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
        claiming = [(one, own) for one, own in zip(sentences, found, strict=True) if own and not one.abstains]
        made = iter(self._claims(claiming, source))
        for one, own in zip(sentences, found, strict=True):
            if one.abstains:
                words = tuple(range(len(one.words)))
                silent = Claim(one.written, words, one.spans(words), Verdict.ABSTAINED)
                yield CheckedSentence(one.written, one.start, (silent,))
            else:
                yield CheckedSentence(one.written, one.start, next(made) if own else ())

    def _claims(
        self, sentences: Sequence[tuple[ClaimedSentence, _Parts]], source: Source
    ) -> Iterator[tuple[Claim, ...]]:
        """The claims of every sentence, with their verdicts."""
        read = self._read([sentence for sentence, _ in sentences], source)
        drafts = [[_Draft(own, *part) for part in parts] for own, (_, parts) in zip(read, sentences, strict=True)]
        drafts = self._by_parts(drafts)
        self._find_reservations([draft for own in drafts for draft in own], source)
        self._find_reversals([draft for own in drafts for draft in own], source)
        self._find_contradictions([draft for own in drafts for draft in own])
        return (tuple(draft.claim().decided(self._undecided) for draft in own) for own in drafts)

    def _read(self, sentences: Sequence[ClaimedSentence], source: Source) -> list[_Read]:
        """The judgements of sentences, all read at once, each with its evidence."""
        evidence = [source.index.best(one.spoken, self._network.room) for one in sentences]
        sentences = [
            one.reworded(source.ledger.wordings(one.words, own)) for one, own in zip(sentences, evidence, strict=True)
        ]
        return self._judge(sentences, source, evidence)

    def _judge(
        self, sentences: Sequence[ClaimedSentence], source: Source, evidence: Sequence[tuple[int, ...]]
    ) -> list[_Read]:
        readings = [
            ClaimReading(tuple(subword for number in own for subword in source.subwords[number]), one.read)
            for one, own in zip(sentences, evidence, strict=True)
        ]
        judgements = self._network.judge(readings) if readings else []
        return [
            _Read(one, source, own, judgement, self._network.curve)
            for one, own, judgement in zip(sentences, evidence, judgements, strict=True)
        ]

    def _by_parts(self, drafts: Sequence[list[_Draft]]) -> list[list[_Draft]]:
        """The same, where a sentence that is not supported as a whole is read claim by claim, to find what fails.

        If each of its claims is supported, it fails as a whole, by what connects them.
        """
        failing = [
            place
            for place, own in enumerate(drafts)
            if len(own) > 1 and any(draft.probability < SUPPORTED_FROM for draft in own)
        ]
        parts = [draft for place in failing for draft in drafts[place] if not draft.is_whole]
        if not parts:
            return list(drafts)
        source, alone = parts[0].read.source, [draft.read.sentence.part(draft.words) for draft in parts]
        near = [source.index.best(draft.spoken, self._network.room // 2, _EVIDENCE) for draft in parts]
        read = iter(self._judge(alone, source, near))
        found = list(drafts)
        for place in failing:
            own = [
                draft if draft.is_whole else replace(draft, read=replace(next(read), evidence=draft.read.evidence))
                for draft in drafts[place]
            ]
            if any(draft.probability < SUPPORTED_FROM for draft in own):
                found[place] = own
        return found

    def _find_reservations(self, drafts: Sequence[_Draft], source: Source) -> None:
        """Find the reservations with which the source has claims that have none."""
        asked = [draft for draft in drafts if draft.probability >= _FAR and not draft.stated.is_reserved]
        reserving = {draft: draft.reserving() for draft in asked}
        source.parse({number for own in reserving.values() for number in own}, self._pipeline)
        for draft, own in reserving.items():
            found = [draft.stated.reservation(number, source.words[number], source.tuples[number]) for number in own]
            # A sentence that states it plainly is enough.
            draft.reservation = found[0] if found and all(found) else None

    def _find_reversals(self, drafts: Sequence[_Draft], source: Source) -> None:
        """Find the claims that are far more likely with two names in each other's place."""
        near = (one for one in drafts if _LEAST <= one.read.judgement.supported < _MOST and one.reservation is None)
        asked = [(draft, sentence) for draft in near for sentence in draft.reversed()]
        read = self._judge([one for _, one in asked], source, [draft.read.evidence for draft, _ in asked])
        for (draft, sentence), other in zip(asked, read, strict=True):
            found = other.judgement.supported
            if found >= _SURELY and odds(found) - odds(draft.read.judgement.supported) >= _MUCH:
                said = f"the source has it the other way round: {sentence.read}"
                draft.reservation = Reservation(said, next(iter(draft.decisive), 0), denies=True)

    def _find_contradictions(self, drafts: Sequence[_Draft]) -> None:
        """Find the sentences that refute, read alone, claims that the network refutes."""
        asked = [(draft, number) for draft in drafts if draft.verdict is Verdict.REFUTED for number in draft.near]
        if not asked:
            return
        source = asked[0][0].read.source
        read = self._judge([draft.read.sentence for draft, _ in asked], source, [(number,) for _, number in asked])
        for draft, _ in asked:
            draft.refuting = ()
        for (draft, number), alone in zip(asked, read, strict=True):
            if alone.judgement.refutes:
                draft.refuting = (*(draft.refuting or ()), number)


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with its source, the sentences of it that are its evidence, and the network's judgement."""

    sentence: ClaimedSentence
    source: Source
    evidence: tuple[int, ...]
    judgement: Judgement
    curve: Curve


@dataclass(eq=False)
class _Draft:
    """A claim whose verdict is being found: its words in a sentence that was read.

    `refuting` are the sentences of the source that refute it alone; `None` if nobody looked for them.
    """

    read: _Read
    text: str
    words: tuple[int, ...]
    reservation: Reservation | None = None
    refuting: tuple[int, ...] | None = None

    @cached_property
    def tree(self) -> DependencyTree:
        return DependencyTree(self.read.sentence.analysis)

    @property
    def is_whole(self) -> bool:
        """Whether it has nearly all words of its sentence."""
        said = [word for word in range(self.tree.size) if self.tree.text(word)[:1].isalnum()]
        return len(self.words) >= _NEARLY_ALL * len(said)

    def reversed(self) -> list[ClaimedSentence]:
        """Its sentence with two names of the source in each other's place, for the first pairs where that matters."""
        names, heads = combinations(filter(self._is_name, self.words), 2), self.tree.heads
        mutual = {word for word in self.words if self.tree.upos(word) == "VERB" and self.tree.lemmas[word] in _MUTUAL}
        pairs = ((a, b) for a, b in names if heads[b] != a and mutual.isdisjoint((heads[a], heads[b])))
        return [self._swapped(*pair) for pair in islice(pairs, _PAIRS)]

    def _is_name(self, word: int) -> bool:
        """Whether a word is the head of a name, or stands for one, that the source has."""
        tree, head = self.tree, self.tree.heads[word]
        if tree.upos(word) == "PRON":
            return self._shown(word) not in (tree.text(word), "") and tree.labels[word] != "nmod:poss"
        is_whole = tree.base[word] not in ("compound", "flat") or head is None or tree.upos(head) != "PROPN"
        return tree.upos(word) == "PROPN" and is_whole and self._is_known(word)

    def _swapped(self, one: int, other: int) -> ClaimedSentence:
        sentence, said, ends = self.read.sentence, self.read.sentence.read, []
        for head in (one, other):
            parts = [head, *(part for part in self.tree.children(head, "compound", "flat") if part in self.words)]
            ends.append((sentence.places[min(parts)][0], sentence.places[max(parts)][1]))
        (start, end), (first, last) = sorted(ends)
        swapped = said[first:last] + said[end:first] + said[start:end]
        return replace(sentence, read=said[:start] + swapped + said[last:])

    @property
    def stated(self) -> StatedClaim:
        return StatedClaim(self.tree, self.words)

    @cached_property
    def calculations(self) -> list[Calculation]:
        source, evidence = self.read.source, self.read.evidence
        found = source.ledger.calculate(self.tree, self.words, evidence)
        return [*found, *compare_order(self.spoken, source.words, evidence), *self._unlisted()]

    @cached_property
    def spoken(self) -> list[str]:
        """Its words, with names for pronouns."""
        return [part for word in self.words for part in self._shown(word).split()]

    @property
    def findings(self) -> Findings:
        judgement, outcomes = self.read.judgement, {one.outcome for one in self.calculations}
        denied = self.reservation is not None and self.reservation.denies
        return Findings(
            judgement.supported,
            judgement.refuted,
            judgement.least_within([self.read.sentence.places[word] for word in self.words]),
            confirmed=outcomes == {Outcome.CONFIRMS},
            refutes=judgement.refutes and self.refuting != (),
            contradicted=Outcome.CONTRADICTS in outcomes or denied,
            overstated=self.reservation is not None and not denied,
            lacking=Outcome.LACKS in outcomes,
        )

    @property
    def probability(self) -> float:
        return self.read.curve.probability(self.findings)

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.probability, self.findings)

    def claim(self) -> Claim:
        """The claim with its verdict, evidence and what explains them."""
        verdict = self.verdict
        reserved = self.reservation.text if self.reservation is not None else ""
        reason = reserved or "; ".join(dict.fromkeys(one.text for one in self._deciding)) or self._reason(verdict)
        spans = self.read.sentence.spans(self.words)
        return Claim(self.text, self.words, spans, verdict, self.probability, self.findings, self.decisive, reason)

    @property
    def _deciding(self) -> list[Calculation]:
        """The calculations that decide: objections before confirmations."""
        is_supported = self.probability >= SUPPORTED_FROM
        agreeing = [Outcome.CONFIRMS, *([Outcome.LACKS] if is_supported else ())]
        return [one for one in self.calculations if one.outcome not in agreeing] or self.calculations

    def reserving(self) -> list[int]:
        """The sentences of the source that share most with the claim, if all of them have words of reservation."""
        source, best = self.read.source, self.decisive[:1]
        vouched = vouches(self.read.sentence.words)
        return [number for number in best if vouched or has_reservation(source.words[number])]

    def _unlisted(self) -> Iterator[Calculation]:
        """Members of a list that the source does not name, where it names another one of the list."""
        tree = self.tree
        for word in self.words:
            others = [tree.text(other) for other in _listed_with(tree, word)]
            if not others or self._is_known(word):
                continue
            for number in self.read.evidence:
                named = next((name for name in others if _is_listed(name, self.read.source.words[number])), None)
                if named is not None:
                    yield Calculation(f"the source names {named}, not {tree.text(word)}", Outcome.LACKS, number)
                    break

    @property
    def decisive(self) -> tuple[int, ...]:
        """The sentences that decided: those that refute or have calculations, then those that share most."""
        ranked = self.read.source.index.ranked(self.spoken, self.read.evidence, _EVIDENCE)
        calculated = (one.sentence for one in self._deciding if one.sentence is not None)
        return tuple(dict.fromkeys([*calculated, *(self.refuting or ()), *ranked]))[:_EVIDENCE]

    @property
    def near(self) -> tuple[int, ...]:
        """The sentences that decided, and others that share words with the claim."""
        sharing = self.read.source.index.sharing(self.spoken, self.read.evidence)
        return tuple(dict.fromkeys([*self.decisive, *sharing]))[: 2 * _EVIDENCE]

    def _shown(self, word: int) -> str:
        start, end = self.read.sentence.places[word]
        return self.read.sentence.read[start:end]

    def _is_known(self, word: int) -> bool:
        return all(map(self.read.source.index.knows, self._shown(word).split()))

    def _reason(self, verdict: Verdict) -> str:
        if verdict is Verdict.SUPPORTED:
            return ""
        said = self.read.sentence.words
        missing = [
            said[word]
            for word in self.words
            if stems([said[word]]) and not self._is_known(word) and self._shown(word) == said[word]
        ]
        if missing:
            return f"not in the source: {', '.join(missing[:_MOST_SHOWN])}"
        doubted = self._doubted()
        so = f": {', '.join(doubted[:_MOST_SHOWN])}" if doubted else ""
        return f"the source says otherwise{so}" if verdict is Verdict.REFUTED else f"the source does not say so{so}"

    def _doubted(self) -> list[str]:
        """The words that the evidence does not support."""
        said = self.read.sentence.words
        return [
            said[word]
            for word in self.words
            if said[word][:1].isalnum()
            and self.read.judgement.least_within([self.read.sentence.places[word]]) < _DOUBTED
        ]


def _is_listed(name: str, words: Sequence[str]) -> bool:
    """Whether a sentence has a word beside a comma, *and* or *or*."""
    places = (place for place, word in enumerate(words) if stem(word) == stem(name))
    return any(not _LIST_MARKS.isdisjoint(words[max(place - 2, 0) : place + 2]) for place in places)


def _listed_with(tree: DependencyTree, word: int) -> list[int]:
    """The other members of a list of nouns that a word is a member of."""
    head = tree.heads[word]
    first = head if tree.base[word] == "conj" and head is not None else word
    found = [first, *(one for one in tree.children(first, "conj"))]
    return [one for one in found if one != word] if all(tree.upos(one) in NOUNS for one in found) else []
