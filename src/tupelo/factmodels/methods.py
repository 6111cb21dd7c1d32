"""The methods of the shipped classifier: the relations of every pair of entities, or whether there is any.

Those of Goodrich et al., marked sentences and facts that a network writes, are in `tupelo_training.facts`, beside the
code that trains their models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from tupelo.core import Analysis, InputError
from tupelo.factmodels.extract import METHODS, RELATED, Fact, FactEvidence, FactMethod, FactOptions
from tupelo.factmodels.folder import WEBNLG, Relation, kind_of
from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel, PairScores
from tupelo.names.entities import (
    CLASSIFIER_TYPES,
    DocumentEntity,
    EntityMention,
    tagged_entities,
)


def open_classifier(model: str | Path | None, options: FactOptions) -> FactMethod:
    """Scores every pair of entities; a folder may hold a model of whole documents or of marked sentences."""
    if model is None or kind_of(model) != "sentence":
        return PairMethod(model, options)
    return METHODS.get("sentence")(model, options)


def usual_method(model: str | Path | None) -> str:
    """The method that a model is for; `end-to-end` without one."""
    writes = model is None or model == WEBNLG or kind_of(model) in ("writer", "pointer")
    return "end-to-end" if writes else "classifier"


def open_binary(model: str | Path | None, options: FactOptions) -> FactMethod:
    """Predicts only which entities are related at all."""
    if model is None or kind_of(model) != "sentence":
        return RelatedMethod(model, options)
    method: Any = METHODS.get("sentence")(model, options)
    relations = [relation.name for relation in method.model.relations]
    if relations != [RELATED]:
        raise InputError(
            f"{model}: a classifier of {len(relations)} relation(s), expected a binary one "
            "(`tupelo facts train --model binary`)"
        )
    return cast(FactMethod, method)


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
        return pair_fact(sentences, (one, first), (two, second), relation, confidence, evidence)


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


def _span_in_document(sentences: Sequence[Analysis], mention: EntityMention) -> tuple[int, int]:
    words = sentences[mention.sentence].words
    return words[mention.start].start, words[mention.end - 1].end


def pair_fact(
    sentences: Sequence[Analysis],
    subject: tuple[DocumentEntity, EntityMention],
    object_: tuple[DocumentEntity, EntityMention],
    relation: Relation,
    confidence: float,
    evidence: Iterable[int],
) -> Fact:
    """A relation between two entities, each with a mention; `evidence` are sentences by number."""
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
        evidence_of(sentences, evidence),
    )


def evidence_of(sentences: Sequence[Analysis], numbers: Iterable[int]) -> tuple[FactEvidence, ...]:
    """The sentences with these numbers, in order, without duplicates."""
    chosen = [sentences[number] for number in sorted(set(numbers))]
    return tuple(FactEvidence(one.text, one.start, one.start + len(one.text)) for one in chosen)
