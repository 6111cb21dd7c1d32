"""The methods that find facts: every pair of entities, marked sentences, or facts written from the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tupelo.core import Analysis, InputError
from tupelo.factmodels.extract import RELATED, Fact, FactEvidence, FactMethod, FactOptions
from tupelo.factmodels.folder import Relation, kind_of
from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel, PairScores
from tupelo.factmodels.sentence import SentenceModel, mark_pair
from tupelo.factmodels.writer import WriterModel, WrittenFact
from tupelo.names.entities import (
    CLASSIFIER_TYPES,
    DocumentEntity,
    EntityMention,
    find_entities,
    tagged_entities,
)


def open_classifier(model: str | Path | None, options: FactOptions) -> FactMethod:
    """Scores every pair of entities; a folder may hold a model of whole documents or of marked sentences."""
    if model is None or kind_of(model) != "sentence":
        return PairMethod(model, options)
    return SentenceMethod(model, options)


def open_binary(model: str | Path | None, options: FactOptions) -> FactMethod:
    """Predicts only which entities are related at all."""
    if model is None or kind_of(model) != "sentence":
        return RelatedMethod(model, options)
    method = SentenceMethod(model, options)
    relations = [relation.name for relation in method.model.relations]
    if relations != [RELATED]:
        raise InputError(
            f"{model}: a classifier of {len(relations)} relation(s), expected a binary one "
            "(`tupelo facts train --model binary`)"
        )
    return method


class PairMethod:
    """Relations of every pair of entities, anywhere in the document."""

    name = "classifier"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        self.model = PairModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._least = options.min_confidence
        self._relations = self.model.relations
        self._threshold, self._calibration = self.model.threshold, self.model.calibration

    def _scores(self, scores: PairScores) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return scores.relations

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        entities = self.entities(sentences)
        return [
            self._fact(sentences, entities[one], entities[two], relation, probability)
            for one, two, relation, probability in self.scored(sentences, entities)
        ]

    def entities(self, sentences: Sequence[Analysis]) -> list[DocumentEntity]:
        """The entities of a document, as the network finds them."""
        marked = self.model.mark([[word.text for word in sentence.words] for sentence in sentences])
        mentions = [(mention.start, mention.end, mention.entity) for mention in marked.mentions]
        return tagged_entities(sentences, marked.types, mentions)

    def scored(
        self, sentences: Sequence[Analysis], entities: Sequence[DocumentEntity]
    ) -> Iterator[tuple[int, int, Relation, float]]:
        """Two entities by number, a relation from the first to the second, and its probability."""
        least = self._threshold if self._least is None else self._calibration.odds(self._least)
        best: dict[tuple[int, int, int], float] = {}
        for here, window in self.model.windows(marked_document(sentences, entities)):
            scores = self._scores(window)
            for a, b, number in np.argwhere(scores >= least).tolist():
                key = (here[a], here[b], number)
                best[key] = max(best.get(key, -np.inf), float(scores[a, b, number]))
        for (one, two, number), odds in best.items():
            yield one, two, self._relations[number], self._calibration.probability(odds)

    def _fact(
        self,
        sentences: Sequence[Analysis],
        one: DocumentEntity,
        two: DocumentEntity,
        relation: Relation,
        confidence: float,
    ) -> Fact:
        # The two closest mentions; ties go to the earliest.
        first, second = min(
            ((a, b) for a in one.mentions for b in two.mentions),
            key=lambda pair: (abs(pair[0].sentence - pair[1].sentence), abs(pair[0].start - pair[1].start)),
        )
        together = {mention.sentence for mention in one.mentions} & {mention.sentence for mention in two.mentions}
        evidence = together or {first.sentence, second.sentence}
        return _pair_fact(sentences, (one, first), (two, second), relation, confidence, evidence)


class RelatedMethod(PairMethod):
    """Pairs that have any relation at all (the binary classifier)."""

    name = "binary"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        super().__init__(model, options)
        self._relations = [Relation(RELATED)]
        self._threshold, self._calibration = self.model.related_threshold, self.model.related_calibration

    def _scores(self, scores: PairScores) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return scores.related[:, :, None]


def marked_document(sentences: Sequence[Analysis], entities: Sequence[DocumentEntity]) -> Marked:
    """A document as the network reads it, without pronouns: its training data has none among the mentions."""
    first = [0]
    for sentence in sentences:
        first.append(first[-1] + len(sentence.words))
    return Marked(
        tuple(tuple(word.text for word in sentence.words) for sentence in sentences),
        tuple(CLASSIFIER_TYPES.get(entity.label, "unknown") for entity in entities),
        tuple(
            MarkedMention(first[mention.sentence] + mention.start, first[mention.sentence] + mention.end, number)
            for number, entity in enumerate(entities)
            for mention in entity.mentions
            if not mention.pronoun
        ),
    )


class SentenceMethod:
    """The paper's classifier: pairs of entities in one sentence, marked and read one by one.

    A pair that occurs in several sentences has the relation if it holds in one of them. The binary
    classifier is the same network with a single output.
    """

    name = "sentence"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        self.model = SentenceModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._least = self.model.threshold if options.min_confidence is None else options.min_confidence

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        pairs = pairs_in_sentences(find_entities(sentences))
        marked = [
            mark_pair(sentences[a.sentence].text, _span_in_sentence(sentences, a), _span_in_sentence(sentences, b))
            for _, _, a, b in pairs
        ]
        best: dict[tuple[DocumentEntity, DocumentEntity, int], tuple[float, EntityMention, EntityMention]] = {}
        evidence: dict[tuple[DocumentEntity, DocumentEntity, int], set[int]] = {}
        for (one, two, a, b), row in zip(pairs, self.model.probabilities(marked), strict=True):
            for number in (row >= self._least).nonzero()[0].tolist():
                key = (one, two, number)
                evidence.setdefault(key, set()).add(a.sentence)
                if key not in best or row[number] > best[key][0]:
                    best[key] = float(row[number]), a, b
        return [
            _pair_fact(
                sentences, (one, a), (two, b), self.model.relations[number], confidence, evidence[one, two, number]
            )
            for (one, two, number), (confidence, a, b) in best.items()
        ]


def pairs_in_sentences(
    entities: Sequence[DocumentEntity],
) -> list[tuple[DocumentEntity, DocumentEntity, EntityMention, EntityMention]]:
    """Two entities and one mention of each in the same sentence, in both directions, once per sentence."""
    found = []
    for one in entities:
        for two in entities:
            if one is two:
                continue
            for sentence in sorted({m.sentence for m in one.mentions} & {m.sentence for m in two.mentions}):
                a = next(m for m in one.mentions if m.sentence == sentence)
                b = next(m for m in two.mentions if m.sentence == sentence)
                if a.end <= b.start or b.end <= a.start:
                    found.append((one, two, a, b))
    return found


def _span_in_sentence(sentences: Sequence[Analysis], mention: EntityMention) -> tuple[int, int]:
    span = sentences[mention.sentence].span(mention.start, mention.end)
    return span.start, span.end


def _span_in_document(sentences: Sequence[Analysis], mention: EntityMention) -> tuple[int, int]:
    words = sentences[mention.sentence].words
    return words[mention.start].start, words[mention.end - 1].end


def _pair_fact(
    sentences: Sequence[Analysis],
    subject: tuple[DocumentEntity, EntityMention],
    object_: tuple[DocumentEntity, EntityMention],
    relation: Relation,
    confidence: float,
    evidence: Iterable[int],
) -> Fact:
    (one, first), (two, second) = subject, object_
    return Fact(
        one.name,
        relation.id,
        relation.name,
        two.name,
        confidence,
        one.label,
        two.label,
        _span_in_document(sentences, first),
        _span_in_document(sentences, second),
        _evidence(sentences, evidence),
    )


def _evidence(sentences: Sequence[Analysis], numbers: Iterable[int]) -> tuple[FactEvidence, ...]:
    """The sentences with these numbers, in order, without duplicates."""
    chosen = [sentences[number] for number in sorted(set(numbers))]
    return tuple(FactEvidence(one.text, one.start, one.start + len(one.text)) for one in chosen)


class WrittenMethod:
    """Facts written by the end-to-end model, which reads whole sentences, as many at a time as it was trained on."""

    name = "end-to-end"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        self.model = WriterModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._options = options

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        return self.about(sentences, self._options.subject)

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]:
        """Facts of one subject; of every subject if it is empty."""
        options = self._options
        # A model that was trained on reduced input gets reduced input.
        is_reduced = options.reduced or self.model.reduced
        numbers = reduced(sentences) if is_reduced else range(len(sentences))
        sizes = [len(self.model.subwords.cut_text(sentence.text)) for sentence in sentences]
        parts = list(chunks(sentences, list(numbers), sizes, self.model.window))
        written = self.model.write(
            [part.text for part in parts], [subject] * len(parts), beam=options.beam, alpha=options.alpha
        )
        best: dict[tuple[str, str, str], Fact] = {}
        for part, found in zip(parts, written, strict=True):
            for one in found:
                fact = part.fact(sentences, one)
                key = (fact.subject, fact.property, fact.object)
                if fact.confidence >= (options.min_confidence or 0.0) and (
                    key not in best or fact.confidence > best[key].confidence
                ):
                    best[key] = fact
        return list(best.values())


def reduced(sentences: Sequence[Analysis]) -> list[int]:
    """Indices of the sentences in which an entity was found: the paper's reduced input."""
    return [number for number, sentence in enumerate(sentences) if sentence.entities]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some sentences as one text; `starts` are their offsets in it."""

    text: str
    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def fact(self, sentences: Sequence[Analysis], one: WrittenFact) -> Fact:
        """A fact written from this text, with spans of the document."""
        found = (one.subject_span, one.object_span)
        subject_span, object_span = (None if span is None else self.place(sentences, span) for span in found)
        numbers = {self.sentence(span[0]) for span in found if span is not None}
        return Fact(
            one.subject,
            one.relation.id,
            one.relation.name,
            one.object,
            one.probability,
            subject_span=subject_span,
            object_span=object_span,
            evidence=_evidence(sentences, numbers or set(self.numbers)),
        )

    def sentence(self, place: int) -> int:
        """The index of the sentence at a character of the text."""
        return self.numbers[bisect_right(self.starts, place) - 1]

    def place(self, sentences: Sequence[Analysis], span: tuple[int, int]) -> tuple[int, int]:
        """Map characters of the text to characters of the document."""
        row = bisect_right(self.starts, span[0]) - 1
        shift = sentences[self.numbers[row]].start - self.starts[row]
        return span[0] + shift, span[1] + shift


def chunks(sentences: Sequence[Analysis], numbers: Sequence[int], sizes: Sequence[int], room: int) -> Iterator[Chunk]:
    """Group neighbouring sentences, up to `room` subwords; a longer sentence is a chunk by itself."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and sum(sizes[one] for one in groups[-1]) + sizes[number] <= room:
            groups[-1].append(number)
        else:
            groups.append([number])
    for group in groups:
        texts = [sentences[number].text for number in group]
        starts = [0]
        for text in texts[:-1]:
            starts.append(starts[-1] + len(text) + 1)
        yield Chunk(" ".join(texts), tuple(starts), tuple(group))
