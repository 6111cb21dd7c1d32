"""Every claim of a generated text beside the best evidence in its source: supported, refuted, or not verifiable.

Claims are the tuples that an extractor finds in the generated text, without those whose words are all in another one;
a sentence without any is one claim as a whole.
The evidence for a claim is the sentence of the source that shares most content words with it, rare ones counting
more.

- *refuted*: sentences of the source that share the relation and two more content words all deny what the claim
  affirms, or the other way round; or where a number, date or name of the claim hangs on some word, the source only
  has others of its kind, one of them in a sentence about the same thing;
- *supported*: no such conflict, every number, date and name is in the source, and the probability of the claim, to
  which a network contributes (`tupelo.facts.network`), is at least `LEAST_PROBABILITY`. Where none reads along,
  support (`tupelo.facts.support`) must be at least `LEAST_SUPPORT`, and every name hang on the same word there or
  one further;
- *unverifiable*: everything else.

The score of a text is the mean over its sentences (`tupelo.facts.sentence_score`).
`accuracy` is the share of supported claims among those that are supported or refuted. Where there is nothing to check
both are `None`, and `reason` says why.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from tupelo.core import Analysis, Entity, Extraction
from tupelo.extract.marks.negation import is_negated
from tupelo.facts.calibration import Findings, least_within
from tupelo.facts.demonyms import DEMONYMS
from tupelo.facts.evidence import EvidenceIndex
from tupelo.facts.network import Judgement
from tupelo.facts.sentence_score import Parts, score_of
from tupelo.facts.support import CONTENT, Source, Support, content_lemmas
from tupelo.facts.values import FoundValue
from tupelo.facts.values import Verdict as ValueVerdict
from tupelo.nlp.syntax import DependencyTree

# Where annotators of QAGS say yes as often as no, in sentences of news summaries.
LEAST_SUPPORT = 0.54
# From here on 24 of 25 claims are true in held-out texts (`tupelo_training.support.calibrate`), and nine of ten
# sentences of QAGS.
LEAST_PROBABILITY = 0.75
DOUBTED = "the network doubts it"
# Content words that a sentence of the source must share with what a predicate says, to be about the same.
_ABOUT = 3
_LIGHT = frozenset(["be", "do", "get", "have"])
_NAMES = frozenset(["person", "organization", "place", "event", "work"])


class Verdict(Enum):
    """What a source says of a claim."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. `words` number those of the generated sentence; `evidence` a sentence of the source."""

    text: str
    words: tuple[int, ...]
    verdict: Verdict
    findings: Findings
    evidence: int | None
    reason: str

    @property
    def support(self) -> float:
        return self.findings.support

    @property
    def probability(self) -> float:
        return self.findings.probability


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the generated text with its claims; `missing` are the words that the source does not have."""

    text: str
    start: int
    parts: Parts | None
    claims: tuple[Claim, ...]
    missing: tuple[str, ...]

    @property
    def score(self) -> float | None:
        return None if self.parts is None else score_of(self.parts)


@dataclass(frozen=True, slots=True)
class Checked:
    """A generated text, checked against its source."""

    score: float | None
    accuracy: float | None
    sentences: tuple[CheckedSentence, ...]
    source: tuple[str, ...]
    reason: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(claim for sentence in self.sentences for claim in sentence.claims)

    def count(self, verdict: Verdict) -> int:
        return sum(claim.verdict is verdict for claim in self.claims)


class Network(Protocol):
    """What reads sentences of a source beside a claim; `tupelo.facts.network` has one."""

    @property
    def room(self) -> int: ...

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]: ...

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement: ...


class NetworkReader:
    """A network with the sentences of one source, indexed once."""

    def __init__(self, network: Network, source: Sequence[Analysis]) -> None:
        self._network = network
        self._pieces = [network.cut(analysis.text)[0][: network.room] for analysis in source]
        words = [[word.text for word in analysis.words] for analysis in source]
        self._index = EvidenceIndex(words, [len(pieces) for pieces in self._pieces])

    def __call__(self, sentence: Analysis) -> Judgement:
        """What the network says of a sentence."""
        chosen = self._index.choose([word.text for word in sentence.words], self._network.room)
        return self._network.judge([self._pieces[number] for number in chosen], sentence.text)


def check_text(
    generated: Sequence[Analysis],
    tuples: Sequence[Sequence[Extraction]],
    source: Iterable[Analysis],
    network: Network | None = None,
) -> Checked:
    """Check analysed sentences, with the tuples of each, against an analysed source."""
    index = Source(source)
    reader = NetworkReader(network, index.sentences) if network is not None and index.sentences else None
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
class _Sentence:
    """A sentence of the generated text, with what source and network say of it."""

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
    analysis: Analysis, tuples: Sequence[Extraction], source: Source, reader: NetworkReader | None
) -> CheckedSentence:
    tree = DependencyTree(analysis)
    support = source.support(tree)
    score = support.score()
    sentence = _Sentence(tree, support, source, None if reader is None or score is None else reader(analysis))
    kept = _widest([claim for item in tuples if (claim := _check_tuple(item, sentence)) is not None])
    if not kept and score is not None:
        kept = [_judge(analysis.text, tuple(range(tree.size)), None, sentence, score)]
    parts = None
    if score is not None:
        refuted = sum(claim.verdict is Verdict.REFUTED for claim in kept) / len(kept)
        parts = Parts(score, refuted, sentence.judgement)
    missing = tuple(analysis.words[place].text for place in support.missing())
    return CheckedSentence(analysis.text, analysis.start, parts, tuple(kept), missing)


def _widest(claims: Sequence[Claim]) -> list[Claim]:
    """Without claims whose words are all in another one: they say the same again, with less."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda item: -len(item.words)):
        if not any(set(claim.words) <= set(other.words) for other in kept):
            kept.append(claim)
    return sorted(kept, key=lambda item: (item.words, item.text))


def _check_tuple(extraction: Extraction, sentence: _Sentence) -> Claim | None:
    parts = [part for part in (extraction.arg1, extraction.rel, *extraction.args) if part is not None]
    tree = sentence.tree
    words = sorted({token for part in parts for token in part.tokens or () if token < tree.size})
    score = sentence.support.score(frozenset(words))
    if score is None:
        return None
    text = "; ".join(part.text for part in parts)
    return _judge(text, tuple(words), _head(extraction.rel.tokens or (), tree), sentence, score)


def _head(words: Sequence[int], tree: DependencyTree) -> int | None:
    """The word of a relation that says most: its first verb, noun or adjective that no other word of it governs."""
    own = [word for word in words if tree.words[word].upos in ("VERB", "NOUN", "ADJ")]
    return next((word for word in own if tree.heads[word] not in own), None)


def _judge(text: str, words: tuple[int, ...], relation: int | None, sentence: _Sentence, score: float) -> Claim:
    tree, support, source = sentence.tree, sentence.support, sentence.source
    evidence = source.best_evidence(content_lemmas(tree, words))
    conflict, place = _conflict(words, relation, tree, support, source)
    evidence = evidence if place is None else place
    findings = sentence.findings(words, score, bool(conflict))
    if conflict:
        verdict, reason = Verdict.REFUTED, conflict
    elif _is_supported(words, findings, sentence):
        verdict, reason = Verdict.SUPPORTED, ""
    else:
        verdict, reason = Verdict.UNVERIFIABLE, _doubt(words, findings, sentence)
    return Claim(text, words, verdict, findings, evidence, reason)


def _is_supported(words: Sequence[int], findings: Findings, sentence: _Sentence) -> bool:
    tree, support, source = sentence.tree, sentence.support, sentence.source
    if not _has_values(words, tree, support, source):
        return False
    if sentence.judgement is not None:
        return findings.probability >= LEAST_PROBABILITY
    return findings.support >= LEAST_SUPPORT and _links_names(words, tree, source)


def _doubt(words: Sequence[int], findings: Findings, sentence: _Sentence) -> str:
    """Why a claim that nothing contradicts is not called supported."""
    missing = [sentence.tree.words[place].text for place in sentence.support.missing(frozenset(words))]
    if missing:
        return f"not in the source: {', '.join(missing)}"
    if sentence.judgement is not None and findings.support >= LEAST_SUPPORT:
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
    return all(known for _, known in _values(words, support))


def _links_names(words: Sequence[int], tree: DependencyTree, source: Source) -> bool:
    """Whether the source links every name of a claim to the word it hangs on."""
    return all(
        source.links_nearly(tree.lemmas[place], tree.lemmas[above])
        for entity, above in _names(words, tree)
        for place in range(entity.start, entity.end)
        if tree.heads[place] == above and tree.words[above].upos in CONTENT and tree.words[place].upos in CONTENT
    )


def _conflict(
    words: Sequence[int], relation: int | None, tree: DependencyTree, support: Support, source: Source
) -> tuple[str, int | None]:
    """What in the source contradicts the claim, in words, and in which sentence; empty when nothing does."""
    lemmas = set(content_lemmas(tree, words))
    denial = _other_polarity(words, relation, tree, source)
    if denial is not None:
        return denial
    found = [
        conflict
        for conflict in (_other_value(words, lemmas, tree, support, source), _other_name(words, lemmas, tree, source))
        if conflict is not None
    ]
    return ("; ".join(reason for reason, _ in found), found[0][1]) if found else ("", None)


def _other_polarity(
    words: Sequence[int], relation: int | None, tree: DependencyTree, source: Source
) -> tuple[str, int] | None:
    """A predicate that the source has, about the same things, denied where the claim affirms it, or the other way
    round.

    The relation is compared by all words of the claim; what it only tells of, verbs with subjects of their own (*said
    that pilots would not accept*) and nouns (*had no plans to sell*), by what hangs on them.
    """
    if relation is not None:
        lemmas = set(content_lemmas(tree, words))
        negated = is_negated(tree, [relation], [])
        known = [place for place in source.places(tree.lemmas[relation]) if source.shares(place[0], lemmas, _ABOUT)]
        if all(is_negated(source.trees[number], [place], []) != negated for number, place in known):
            for number, place in known:
                other = source.trees[number]
                if not (
                    _is_narrower(tree, relation, content_lemmas(other))
                    if negated
                    else _is_narrower(other, place, lemmas)
                ):
                    return ("the source affirms it" if negated else "the source denies it"), number
    chosen = set(words)
    for word in words:
        if word == relation or not _tells(tree, word):
            continue
        lemmas = set(content_lemmas(tree, [place for place in tree.subtree(word) if place in chosen]))
        known = [
            (number, place)
            for number, place in source.places(tree.lemmas[word])
            if source.trees[number].words[place].upos == tree.words[word].upos
            and source.shares(number, lemmas, _ABOUT)
        ]
        negated = _is_denied(tree, word)
        if known and all(_is_denied(source.trees[number], place) != negated for number, place in known):
            return f"the source {'affirms' if negated else 'denies'} “{tree.words[word].text}”", known[0][0]
    return None


def _is_narrower(tree: DependencyTree, predicate: int, lemmas: Collection[str]) -> bool:
    """Whether an object is of a special kind, *a second prize*, that other words do not tell: to deny it is not to
    deny *a prize*."""
    return any(
        tree.lemmas[place] not in lemmas
        for thing in tree.children(predicate, "obj", "nsubj:pass")
        for place in tree.children(thing, "amod", "nummod", "compound")
    )


def _tells(tree: DependencyTree, place: int) -> bool:
    """A noun that is there (*no plans* of a claim may be others than the source's), or a verb that says something by
    itself and has its own subject."""
    if tree.words[place].upos == "NOUN":
        return not _is_denied(tree, place)
    return (
        tree.words[place].upos == "VERB"
        and tree.lemmas[place] not in _LIGHT
        and tree.child(place, "nsubj", "nsubj:pass") is not None
    )


def _is_denied(tree: DependencyTree, place: int) -> bool:
    """*would not accept*; *no plans*."""
    if tree.words[place].upos == "NOUN":
        return any(tree.lowered[child] == "no" for child in tree.below[place])
    return is_negated(tree, [place], [])


def _other_value(
    words: Sequence[int], lemmas: set[str], tree: DependencyTree, support: Support, source: Source
) -> tuple[str, int] | None:
    """A number or date that hangs on the same word in a sentence about the same thing, where none is the same."""
    for item, _ in _values(words, support):
        above = _governor(tree, item.start, item.end)
        if above is None:
            continue
        own = {tree.lemmas[place] for place in range(item.start, item.end)}
        hanging = [
            (number, candidate)
            for number, place in source.dependents(tree.lemmas[above])
            for candidate in source.values[number]
            if candidate.start <= place < candidate.end
        ]
        verdicts = [candidate.value.compare(item.value) for _, candidate in hanging]
        if ValueVerdict.SAME in verdicts:
            continue
        for (number, candidate), verdict in zip(hanging, verdicts, strict=True):
            if verdict is ValueVerdict.DIFFERENT and source.shares(number, lemmas, min(2, len(lemmas - own))):
                known = _phrase(source.trees[number], candidate.start, candidate.end)
                return f"the source has {known}, not {_phrase(tree, item.start, item.end)}", number
    return None


def _values(words: Sequence[int], support: Support) -> list[tuple[FoundValue, bool]]:
    """The numbers and dates that lie within a claim, and whether the source gives them."""
    chosen = set(words)
    return [(item, known) for item, known in support.values if chosen.issuperset(range(item.start, item.end))]


def _other_name(
    words: Sequence[int], lemmas: Collection[str], tree: DependencyTree, source: Source
) -> tuple[str, int] | None:
    """A name of the same type in the same place of the same word, in a sentence about the same thing."""
    for entity, above in _names(words, tree):
        slot = _slot(tree, entity, above)
        own = _telling_words(tree, entity)
        filled = [
            (number, candidate, _telling_words(source.trees[number], candidate))
            for number, place in source.dependents(tree.lemmas[above])
            for candidate in source.trees[number].analysis.entities or ()
            if candidate.start <= place < candidate.end
            and _slot(source.trees[number], candidate, source.trees[number].heads[place]) == slot
        ]
        if any(own & known for _, _, known in filled):
            continue
        for number, candidate, _ in filled:
            if candidate.label == entity.label and source.shares(number, lemmas, 2):
                its = source.trees[number].analysis.phrase(candidate)
                return f"the source has {its}, not {tree.analysis.phrase(entity)}", number
    return None


def _names(words: Sequence[int], tree: DependencyTree) -> list[tuple[Entity, int]]:
    """The names that lie within a claim, each with the word that it hangs on."""
    chosen = set(words)
    return [
        (entity, above)
        for entity in tree.analysis.entities or ()
        if entity.label in _NAMES
        and chosen.issuperset(range(entity.start, entity.end))
        and (above := _governor(tree, entity.start, entity.end)) is not None
    ]


def _governor(tree: DependencyTree, start: int, end: int) -> int | None:
    """The word outside `[start, end)` that a phrase hangs on."""
    outside = (tree.heads[place] for place in range(start, end))
    return next((head for head in outside if head is not None and not start <= head < end), None)


def _slot(tree: DependencyTree, entity: Entity, above: int | None) -> str:
    """How a name hangs on its governor: its preposition, or the label of the dependency."""
    top = next((place for place in range(entity.start, entity.end) if tree.heads[place] == above), entity.start)
    marker = tree.child(top, "case")
    return tree.base[top] if marker is None else tree.lemmas[marker]


def _telling_words(tree: DependencyTree, entity: Entity) -> set[str]:
    """The words of a name without its articles and prepositions."""
    return {
        tree.lowered[place]
        for place in range(entity.start, entity.end)
        if tree.words[place].upos in ("PROPN", "NOUN", "ADJ", "NUM")
    }


def _phrase(tree: DependencyTree, start: int, end: int) -> str:
    return tree.analysis.span(start, end).of(tree.analysis.text)
