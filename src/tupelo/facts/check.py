"""Check every claim of a generated text against its source: supported, refuted, or unverifiable.

Claims are the tuples that an extractor finds in the generated text, except those contained in another one;
a sentence without tuples is one claim as a whole. The evidence for a claim is the sentence of the source that shares
most content words with it, rare ones counting more.

- *refuted*: sentences of the source that share the relation and two more content words all deny what the claim
  affirms, or vice versa; or where a number, date or name of the claim is attached to some word, the source only has
  others of its kind, one of them in a sentence about the same thing;
- *supported*: no such conflict, every number, date and name is in the source, and the probability of the claim, to
  which a network contributes (`tupelo.facts.network`), reaches its threshold. Without a network, support
  (`tupelo.facts.support`) must reach one, and every name be attached to the same word in the source, directly or
  over one other. Both thresholds are fitted (`tupelo.facts.calibration`);
- *unverifiable*: everything else.

The score of a text is the mean over its sentences. `accuracy` is the share of supported claims among those that are
supported or refuted. If there is nothing to check, both are `None`, and `reason` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tupelo.core import Analysis, Extraction
from tupelo.core.protocols import ExtractingParser
from tupelo.facts.calibration import Findings, SentenceFindings, fitted_constants, least_within
from tupelo.facts.checked import Checked, CheckedSentence, Claim, Verdict
from tupelo.facts.conflicts import find_conflict, names_within, values_within
from tupelo.facts.network import ClaimReader, Judgement, SourceReader, straight
from tupelo.facts.support import CONTENT, Source, Support, content_lemmas
from tupelo.nlp.languages.en.demonyms import DEMONYMS
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.syntax import DependencyTree

DOUBTED = "the network doubts it"
# Collections often have several texts per source, which is analysed only once.
_SOURCES_KEPT = 8


class ClaimChecker:
    """Checks texts against sources, one after the other, with models that stay loaded."""

    def __init__(self, toolkit: ExtractingParser, network: ClaimReader | None) -> None:
        self._toolkit = toolkit
        self._network = network
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(self._analyse)

    def __call__(self, generated: str, source: str) -> Checked:
        """Check one text and give a verdict on each claim; no claims if text or source is not in English."""
        sentences, known = self._analyse(generated), self._source(source)
        for analyses, name in ((sentences, "text"), (known, "source")):
            if not is_english(word.text for analysis in analyses for word in analysis.words):
                # Parser and extractor are meaningless on such sentences.
                unread = tuple(CheckedSentence(one.text, one.start, None, (), ()) for one in sentences)
                reason = f"the {name} does not look like English"
                return Checked(None, None, unread, tuple(one.text for one in known), reason)
        tuples = list(self._toolkit.extractor.extract(sentences))
        return check_text(sentences, tuples, known, self._network)

    def _analyse(self, text: str) -> tuple[Analysis, ...]:
        # Analysed with straight quotation marks, and shown as it was written.
        return tuple(
            replace(found, text=text[found.start : found.start + len(found.text)])
            for found in self._toolkit.analyze(straight(text), constituents=False)
        )


def check_text(
    generated: Sequence[Analysis],
    tuples: Sequence[Sequence[Extraction]],
    source: Iterable[Analysis],
    network: ClaimReader | None = None,
) -> Checked:
    """Check analysed sentences, with the tuples of each, against an analysed source."""
    index = Source(source)
    reader = SourceReader(network, index.sentences) if network is not None and index.sentences else None
    sentences = tuple(
        _check_sentence(analysis, found, index, reader) for analysis, found in zip(generated, tuples, strict=True)
    )
    texts = tuple(analysis.text for analysis in index.sentences)
    scores = [sentence.score for sentence in sentences if sentence.score is not None]
    if not texts:
        return Checked(None, None, sentences, texts, "the source is empty")
    if not scores:
        return Checked(None, None, sentences, texts, "the text says nothing that could be checked")
    verdicts = [claim.verdict for sentence in sentences for claim in sentence.claims]
    supported, refuted = (verdicts.count(kind) for kind in (Verdict.SUPPORTED, Verdict.REFUTED))
    accuracy = supported / (supported + refuted) if supported + refuted else None
    reason = "" if accuracy is not None else "no claim can be verified or refuted"
    return Checked(sum(scores) / len(scores), accuracy, sentences, texts, reason)


@dataclass(frozen=True, slots=True)
class _SentenceInSource:
    """A sentence of the generated text with its support in the source and the network's judgement."""

    tree: DependencyTree
    support: Support
    source: Source
    judgement: Judgement | None

    def findings(self, words: Sequence[int], score: float, in_conflict: bool) -> Findings:
        if self.judgement is None:
            return Findings(score, in_conflict)
        spans = [self.tree.analysis.span(word, word + 1) for word in words]
        least = least_within(self.judgement, [(span.start, span.end) for span in spans])
        return Findings(score, in_conflict, self.judgement.probability, least)


def _check_sentence(
    analysis: Analysis, tuples: Sequence[Extraction], source: Source, reader: SourceReader | None
) -> CheckedSentence:
    tree = DependencyTree(analysis)
    support = source.support(tree)
    score = support.score()
    sentence = _SentenceInSource(tree, support, source, None if reader is None or score is None else reader(analysis))
    kept = _widest([claim for item in tuples if (claim := _check_tuple(item, sentence)) is not None])
    if not kept and score is not None:
        kept = [_judge(analysis.text, tuple(range(tree.size)), None, sentence, score)]
    findings = None
    if score is not None:
        refuted = sum(claim.verdict is Verdict.REFUTED for claim in kept) / len(kept)
        findings = SentenceFindings(score, refuted, sentence.judgement)
    missing = tuple(analysis.words[place].text for place in support.missing())
    return CheckedSentence(analysis.text, analysis.start, findings, tuple(kept), missing)


def _widest(claims: Sequence[Claim]) -> list[Claim]:
    """Discard claims whose words are all in another one: they only repeat a part of it."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda item: -len(item.words)):
        if not any(set(claim.words) <= set(other.words) for other in kept):
            kept.append(claim)
    return sorted(kept, key=lambda item: (item.words, item.text))


def _check_tuple(extraction: Extraction, sentence: _SentenceInSource) -> Claim | None:
    parts = [part for part in (extraction.arg1, extraction.rel, *extraction.args) if part is not None]
    tree = sentence.tree
    words = sorted({token for part in parts for token in part.tokens or () if token < tree.size})
    score = sentence.support.score(frozenset(words))
    if score is None:
        return None
    text = "; ".join(part.text for part in parts)
    return _judge(text, tuple(words), _head(extraction.rel.tokens or (), tree), sentence, score)


def _head(words: Sequence[int], tree: DependencyTree) -> int | None:
    """The head of a relation: its first verb, noun or adjective whose own head is not one of them."""
    own = [word for word in words if tree.words[word].upos in ("VERB", "NOUN", "ADJ")]
    return next((word for word in own if tree.heads[word] not in own), None)


def _judge(
    text: str, words: tuple[int, ...], relation: int | None, sentence: _SentenceInSource, score: float
) -> Claim:
    tree, support, source = sentence.tree, sentence.support, sentence.source
    evidence = source.best_evidence(content_lemmas(tree, words))
    conflict, place = find_conflict(words, relation, tree, support, source)
    evidence = evidence if place is None else place
    findings = sentence.findings(words, score, bool(conflict))
    if conflict:
        verdict, reason = Verdict.REFUTED, conflict
    elif _is_supported(words, findings, sentence):
        verdict, reason = Verdict.SUPPORTED, ""
    else:
        verdict, reason = Verdict.UNVERIFIABLE, _doubt(words, findings, sentence)
    return Claim(text, words, verdict, findings, evidence, reason)


def _is_supported(words: Sequence[int], findings: Findings, sentence: _SentenceInSource) -> bool:
    tree, support, source = sentence.tree, sentence.support, sentence.source
    if not _has_values(words, tree, support, source):
        return False
    if sentence.judgement is not None:
        return findings.probability >= fitted_constants().least_probability
    return findings.support >= fitted_constants().least_support and _links_names(words, tree, source)


def _doubt(words: Sequence[int], findings: Findings, sentence: _SentenceInSource) -> str:
    """Why a claim is not supported although nothing contradicts it."""
    missing = [sentence.tree.words[place].text for place in sentence.support.missing(frozenset(words))]
    if missing:
        return f"not in the source: {', '.join(missing)}"
    if sentence.judgement is not None and findings.support >= fitted_constants().least_support:
        return DOUBTED
    return "the source has the words but does not link them so"


def _has_values(words: Sequence[int], tree: DependencyTree, support: Support, source: Source) -> bool:
    """Whether the source gives every number, date, name and country of a claim."""
    for place in support.missing(frozenset(words)):
        country = DEMONYMS.get((tree.lowered[place],))
        if country is None and tree.words[place].upos == "PROPN":
            return False
        if country is not None and not source.has_words(country.lower().split()):
            return False
    return all(known for _, known in values_within(words, support))


def _links_names(words: Sequence[int], tree: DependencyTree, source: Source) -> bool:
    """Whether the source links every name of a claim to its head."""
    return all(
        source.links_nearly(tree.lemmas[place], tree.lemmas[above])
        for entity, above in names_within(words, tree)
        for place in range(entity.start, entity.end)
        if tree.heads[place] == above and tree.words[above].upos in CONTENT and tree.words[place].upos in CONTENT
    )
