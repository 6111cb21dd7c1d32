"""Facts by the document-level classifier: every pair of entities, wherever in the document they stand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tupelo.core import Analysis
from tupelo.facts.extract import RELATED, Fact, Options, evidence_of
from tupelo.facts.extract_entities import CLASSIFIER_TYPES, DocumentEntity, EntityMention, find_entities
from tupelo.facts.models.pairs import Marked, Mention, PairModel


def marked_document(sentences: Sequence[Analysis], entities: Sequence[DocumentEntity]) -> Marked:
    """A document as the network takes it. Pronouns were no mentions where it learned."""
    first = [0]
    for sentence in sentences:
        first.append(first[-1] + len(sentence.words))
    return Marked(
        tuple(tuple(word.text for word in sentence.words) for sentence in sentences),
        tuple(CLASSIFIER_TYPES.get(entity.label, "unknown") for entity in entities),
        tuple(
            Mention(first[mention.sentence] + mention.start, first[mention.sentence] + mention.end, number)
            for number, entity in enumerate(entities)
            for mention in entity.mentions
            if not mention.pronoun
        ),
    )


class PairMethod:
    """Relations of every pair of entities."""

    name = "classifier"

    def __init__(self, model: str | Path | None, options: Options) -> None:
        self.model = PairModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._least = options.least_confidence

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        entities = find_entities(sentences)
        model = self.model
        least = model.threshold if self._least is None else model.calibration.odds(self._least)
        best: dict[tuple[int, int, int], float] = {}
        for here, scores in model.windows(marked_document(sentences, entities)):
            for a, b, number in np.argwhere(scores.relations >= least).tolist():
                key = (here[a], here[b], number)
                best[key] = max(best.get(key, -np.inf), float(scores.relations[a, b, number]))
        return [
            _fact(
                sentences,
                entities,
                subject,
                object_,
                model.relations[number].id,
                model.relations[number].name,
                model.calibration.probability(odds),
            )
            for (subject, object_, number), odds in best.items()
        ]


class RelatedMethod(PairMethod):
    """Which pairs have any relation at all (the binary classifier)."""

    name = "binary"

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        entities = find_entities(sentences)
        calibration = self.model.related_calibration
        least = self.model.related_threshold if self._least is None else calibration.odds(self._least)
        best: dict[tuple[int, int], float] = {}
        for here, scores in self.model.windows(marked_document(sentences, entities)):
            for a, b in np.argwhere(scores.related >= least).tolist():
                best[here[a], here[b]] = max(best.get((here[a], here[b]), -np.inf), float(scores.related[a, b]))
        return [
            _fact(sentences, entities, a, b, RELATED, RELATED, calibration.probability(odds))
            for (a, b), odds in best.items()
        ]


def _fact(
    sentences: Sequence[Analysis],
    entities: Sequence[DocumentEntity],
    subject: int,
    object_: int,
    property_id: str,
    relation: str,
    confidence: float,
) -> Fact:
    one, two = entities[subject], entities[object_]
    first, second = nearest_mentions(one, two)
    together = {mention.sentence for mention in one.mentions} & {mention.sentence for mention in two.mentions}
    return Fact(
        one.name,
        property_id,
        relation,
        two.name,
        confidence,
        one.label,
        two.label,
        characters_of(sentences, first),
        characters_of(sentences, second),
        evidence_of(sentences, together or {first.sentence, second.sentence}),
    )


def nearest_mentions(one: DocumentEntity, two: DocumentEntity) -> tuple[EntityMention, EntityMention]:
    """The two mentions that stand closest together; of equals the earliest."""
    return min(
        ((a, b) for a in one.mentions for b in two.mentions),
        key=lambda pair: (abs(pair[0].sentence - pair[1].sentence), abs(pair[0].start - pair[1].start)),
    )


def characters_of(sentences: Sequence[Analysis], mention: EntityMention) -> tuple[int, int]:
    words = sentences[mention.sentence].words
    return words[mention.start].start, words[mention.end - 1].end
