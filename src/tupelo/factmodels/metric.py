"""`fact_acc` over any extractor: Equation 1 of Goodrich et al. (KDD 2019) on two texts.

| name | facts |
| --- | --- |
| `openie` | tuples of the Open IE extractor as they are worded (Section 5.2) |
| `openie-canonical` | the same with pronouns by name and relations that mean the same made one, over both texts |
| `classifier` | a relation for every pair of entities (Section 4.1) |
| `sentence` | the same by the paper's own classifier of marked sentences |
| `binary` | whether two entities are related at all (Section 4.3) |
| `end-to-end`, `reduced` | facts that a network writes, from all sentences or those with two entities (Section 4.2) |

Each can be replaced: anything that returns triples for analysed sentences is a `FactSource`.

The binary classifier has its own filter, as in the paper: only pairs of entities that both texts mention count;
accuracy is the share of pairs related by the generated text that the source relates too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from tupelo.core import Analysis, Argument, Extraction, InputError, Triple
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.judgement import FactAccuracy
from tupelo.core.protocols import Canonicalizer, Extractor, Parser
from tupelo.extract.parts import pieces_of
from tupelo.extract.pipeline import ExtractionPipeline
from tupelo.factmodels.extract import METHODS, RELATED, FactMethod, FactOptions, SubjectMethod
from tupelo.names.coreference import resolve
from tupelo.names.entities import mentions_of
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.values import Agreement, Value, values_in, words_of


def fact_accuracy(generated: Iterable[Triple], source: Iterable[Triple]) -> FactAccuracy:
    """Equation 1 over two sets of facts, those of a generated text and of its source.

    Only claims that the source can verify or refute count: those whose subject and relation occur together in a fact
    of the source. Accuracy is the share of these claims whose object the source has as well; without any it is
    unknown, with the reason, rather than 0 or 1. Phrases are compared without case, determiners and punctuation;
    phrases with numbers or dates by value.

    >>> said, known = Triple("Brad Pitt", "born in", "1961"), Triple("Brad Pitt", "born in", "1963")
    >>> fact_accuracy([said], [known]).value, fact_accuracy([known], [known]).value
    (0.0, 1.0)
    """
    claims = list({(*_about(fact), plain_phrase(fact.object)): fact for fact in generated}.values())
    objects: dict[tuple[str, str], list[str]] = {}
    for fact in source:
        objects.setdefault(_about(fact), []).append(fact.object)
    supported, refuted, unverifiable = [], [], []
    for claim in claims:
        known = objects.get(_about(claim))
        if known is None:
            unverifiable.append(claim)
        elif any(same_phrase(claim.object, candidate) for candidate in known):
            supported.append(claim)
        else:
            refuted.append(claim)
    return FactAccuracy.of(supported, refuted, unverifiable)


def _about(fact: Triple) -> tuple[str, str]:
    return plain_phrase(fact.subject), plain_phrase(fact.relation)


def plain_phrase(phrase: str) -> str:
    """Lower case, without determiners and punctuation.

    >>> plain_phrase("The “Cage”")
    'cage'
    """
    words = ("".join(letter for letter in word if letter.isalnum()) for word in phrase.casefold().split())
    return " ".join(word for word in words if word and word not in ARTICLES)


def same_phrase(left: str, right: str) -> bool:
    """Whether two phrases have equal words, or equal values and no other difference."""
    if plain_phrase(left) == plain_phrase(right):
        return True
    (own, own_rest), (other, other_rest) = _values_and_rest(left), _values_and_rest(right)
    if not own or len(own) != len(other) or own_rest != other_rest:
        return False
    return all(one.compare(its) is Agreement.SAME for one, its in zip(own, other, strict=True))


def _values_and_rest(phrase: str) -> tuple[list[Value], str]:
    words = words_of(phrase)
    found = values_in(words)
    taken = {place for item in found for place in range(item.start, item.end)}
    rest = " ".join(word for place, word in enumerate(words) if place not in taken)
    return [item.value for item in found], plain_phrase(rest)


# Words that change the tense, degree or truth of a relation, but not its identity.
_PASSING = frozenset(["ADV", "PART", "PUNCT", "DET", "INTJ"])
_AUXILIARIES = frozenset(["aux", "mark", "discourse"])
OPEN_IE = ("openie", "openie-canonical")


def metric_names() -> tuple[str, ...]:
    """Open IE, every registered method of facts, and the end-to-end model on reduced input."""
    return (*OPEN_IE, *METHODS, "reduced")


class FactSource(Protocol):
    """Finds the facts of the sentences of one text. `subject` is the topic, if known."""

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]: ...


@dataclass(frozen=True, slots=True)
class FactMetric:
    """Equation 1 over the facts of a source. With `both`, facts of the two texts are normalized together first."""

    parser: Parser
    facts: FactSource
    both: Callable[[list[Triple], list[Triple]], tuple[list[Triple], list[Triple]]] | None = None
    # A pair of entities counts if both texts mention both.
    by_pairs: bool = False

    def __call__(self, generated: str, source: str, subject: str = "") -> FactAccuracy:
        """The accuracy of a text; `None` with a reason if nothing can be checked."""
        said, known = (tuple(self.parser.analyze(text, constituents=False)) for text in (generated, source))
        return self.compare(said, known, subject)

    def compare(self, generated: Sequence[Analysis], source: Sequence[Analysis], subject: str = "") -> FactAccuracy:
        """The same for analysed sentences."""
        for sentences, name in ((generated, "text"), (source, "source")):
            if not is_english(word.text for one in sentences for word in one.words):
                return FactAccuracy(None, reason=f"the {name} does not look like English")
        said, known = self.facts(generated, subject), self.facts(source, subject)
        if self.both is not None:
            said, known = self.both(said, known)
        if self.by_pairs:
            return _pair_accuracy(said, known, mentioned(source))
        return fact_accuracy(said, known)


def fact_metric(
    name: str,
    pipeline: ExtractionPipeline,
    *,
    model: str | Path | None = None,
    options: FactOptions | None = None,
    canonicalizer: Callable[[], Canonicalizer] | None = None,
) -> FactMetric:
    """A metric by name; `model` is a folder of your own in place of the shipped one.

    `canonicalizer` opens the method that `openie-canonical` requires. It should cluster relations only: in one or two
    texts, most names of one type are distinct entities, and clusters would make a wrong name equal to the right one.
    """
    if name == "openie":
        return FactMetric(pipeline.parser, OpenFacts(pipeline.extractor, resolved=False))
    if name == "openie-canonical":
        if canonicalizer is None:
            raise InputError("'openie-canonical' without a method of canonicalization, expected one for relations")
        return FactMetric(pipeline.parser, OpenFacts(pipeline.extractor), both=CanonicalFacts(canonicalizer()))
    chosen = options or FactOptions()
    reduced = name == "reduced"
    if reduced:
        chosen = replace(chosen, reduced=True)
    method = METHODS.get("end-to-end" if reduced else name)(model, chosen)
    return FactMetric(pipeline.parser, MethodFacts(method), by_pairs=name == "binary")


@dataclass(frozen=True, slots=True)
class FactMetrics:
    """Metrics by name, each with the folder of its model, `None` for the shipped one.

    It can be pickled if `canonicalizer` can; every process opens the metrics for itself.
    """

    methods: tuple[tuple[str, str | None], ...]
    canonicalizer: Callable[[], Canonicalizer]

    def of(self, pipeline: ExtractionPipeline) -> dict[str, FactMetric]:
        return {
            name: fact_metric(name, pipeline, model=folder, canonicalizer=self.canonicalizer)
            for name, folder in self.methods
        }


@dataclass(frozen=True, slots=True)
class MethodFacts:
    """The facts of a trained method (`tupelo.factmodels.extract`)."""

    method: FactMethod

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        # The end-to-end model takes the subject as input; the others find the facts of every subject.
        if subject and isinstance(self.method, SubjectMethod):
            found = self.method.about(sentences, subject)
        else:
            found = self.method(sentences)
        facts = [fact.triple() for fact in found]
        return [fact for fact in facts if not subject or plain_phrase(fact.subject) == plain_phrase(subject)]


@dataclass(frozen=True, slots=True)
class OpenFacts:
    """Open IE tuples as triples: relation in base form and pronouns by name where `resolved`, else as worded."""

    extractor: Extractor
    resolved: bool = True

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        found = list(self.extractor.extract(sentences))
        if self.resolved:
            found = resolve(sentences, found)
        return [
            triple
            for analysis, tuples in zip(sentences, found, strict=True)
            for extraction in tuples
            if (triple := self._triple(extraction, analysis)) is not None
            and (not subject or plain_phrase(triple.subject) == plain_phrase(subject))
        ]

    def _triple(self, extraction: Extraction, analysis: Analysis) -> Triple | None:
        if extraction.arg1 is None:
            return None
        if not self.resolved:
            return Triple(
                extraction.arg1.text, extraction.rel.text, " ".join(argument.text for argument in extraction.args)
            )
        denial = "not " if extraction.negated else ""
        return Triple(
            extraction.arg1.resolved or extraction.arg1.text,
            denial + relation_lemma(extraction.rel, analysis),
            " ".join(argument.resolved or argument.text for argument in extraction.args),
        )


@dataclass(frozen=True, slots=True)
class CanonicalFacts:
    """Replaces phrases of two lists of triples by the name of their cluster, so that synonyms are equal."""

    canonicalizer: Canonicalizer

    def __call__(self, said: list[Triple], known: list[Triple]) -> tuple[list[Triple], list[Triple]]:
        triples = [*said, *known]
        mentions = [
            TripleMention(str(number), Phrase(triple.subject), Phrase(triple.relation), Phrase(triple.object or "-"))
            for number, triple in enumerate(triples)
        ]
        made = self.canonicalizer.canonicalize(mentions)
        names = {
            (member.mention, member.slot): cluster.name for cluster in made.clusters for member in cluster.members
        }
        renamed = [
            Triple(
                names.get((str(number), "subject"), triple.subject),
                names.get((str(number), "relation"), triple.relation),
                names.get((str(number), "object"), triple.object) if triple.object else "",
            )
            for number, triple in enumerate(triples)
        ]
        return renamed[: len(said)], renamed[len(said) :]


def relation_lemma(rel: Argument, analysis: Analysis) -> str:
    """The lemmas that identify the relation.

    Tense, modal verbs, negation and adverbs are omitted; passive auxiliaries and the copula of a noun are kept, since
    the roles of the arguments depend on them. Implied words keep their positions.
    """
    kept: list[str] = []
    for item in pieces_of(rel):
        if isinstance(item, str):
            text = item.lower()
            kept.append({"is": "be", "was": "be", "are": "be", "were": "be", "has": "have"}.get(text, text))
            continue
        word = analysis.words[item]
        base = (word.deprel or "").partition(":")[0]
        if word.deprel == "aux:pass":
            kept.append("be")
        elif base in _AUXILIARIES or (word.upos in _PASSING and base != "compound"):
            continue
        else:
            kept.append((word.lemma or word.text).lower())
    return " ".join(kept) or rel.text.lower()


def mentioned(sentences: Sequence[Analysis]) -> frozenset[str]:
    """The full names of the entities of a text, normalized for comparison."""
    return frozenset(plain_phrase(mention.name) for found in mentions_of(sentences) for mention in found)


def _pair_accuracy(said: Sequence[Triple], known: Sequence[Triple], entities: frozenset[str]) -> FactAccuracy:
    """Section 4.3.2: the share of pairs related by a text and mentioned by the source that the source relates too."""
    pairs = {_pair(fact): fact for fact in said}
    related = {_pair(fact) for fact in known}
    found = entities | {name for pair in related for name in pair}
    checked = {pair: fact for pair, fact in pairs.items() if pair <= found}
    return FactAccuracy.of(
        (Triple(fact.subject, RELATED, fact.object) for pair, fact in checked.items() if pair in related),
        (Triple(fact.subject, RELATED, fact.object) for pair, fact in checked.items() if pair not in related),
        (fact for pair, fact in pairs.items() if pair not in checked),
    )


def _pair(fact: Triple) -> frozenset[str]:
    return frozenset((plain_phrase(fact.subject), plain_phrase(fact.object)))
