"""Facts by the paper's classifier: pairs of entities that stand in one sentence, marked and read one by one.

A pair that stands together in several sentences has the relation if one of them says so. The binary classifier is the
same network with a single output; `open_classifier` and `open_binary` take a folder of either kind, or the shipped
model of whole documents where none is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tupelo.core import Analysis, InputError
from tupelo.facts.extract import RELATED, Fact, FactMethod, Options, evidence_of
from tupelo.facts.extract_entities import DocumentEntity, EntityMention, find_entities
from tupelo.facts.extract_pairs import PairMethod, RelatedMethod, characters_of
from tupelo.facts.models.folder import kind_of
from tupelo.facts.models.sentence import SentenceModel, mark_pair


class SentenceMethod:
    name = "sentence"

    def __init__(self, model: str | Path | None, options: Options) -> None:
        if model is None:
            raise InputError(
                "method sentence: no weights are shipped, expected a folder that `tupelo facts train` wrote"
            )
        self.model = SentenceModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._least = self.model.threshold if options.least_confidence is None else options.least_confidence

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        pairs = list(pairs_in_sentences(find_entities(sentences)))
        marked = [
            mark_pair(sentences[a.sentence].text, _span(sentences, a), _span(sentences, b)) for _, _, a, b in pairs
        ]
        chances = self.model.probabilities(marked)
        best: dict[tuple[int, int, int], tuple[float, EntityMention, EntityMention]] = {}
        said: dict[tuple[int, int, int], set[int]] = {}
        names: dict[int, DocumentEntity] = {}
        for (one, two, a, b), row in zip(pairs, chances, strict=True):
            names[id(one)], names[id(two)] = one, two
            for number in (row >= self._least).nonzero()[0].tolist():
                key = (id(one), id(two), number)
                said.setdefault(key, set()).add(a.sentence)
                if key not in best or row[number] > best[key][0]:
                    best[key] = float(row[number]), a, b
        facts = []
        for (one_id, two_id, number), (chance, a, b) in best.items():
            one, two, relation = names[one_id], names[two_id], self.model.relations[number]
            facts.append(
                Fact(
                    one.name,
                    relation.id,
                    relation.name,
                    two.name,
                    chance,
                    one.label,
                    two.label,
                    characters_of(sentences, a),
                    characters_of(sentences, b),
                    evidence_of(sentences, said[one_id, two_id, number]),
                )
            )
        return facts


def open_classifier(model: str | Path | None, options: Options) -> FactMethod:
    """The classifier of a folder: of whole documents or of marked sentences, whichever it holds."""
    if model is None or kind_of(model) != "sentence":
        return PairMethod(model, options)
    return SentenceMethod(model, options)


def open_binary(model: str | Path | None, options: Options) -> FactMethod:
    """The binary classifier of a folder."""
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


def pairs_in_sentences(
    entities: Sequence[DocumentEntity],
) -> list[tuple[DocumentEntity, DocumentEntity, EntityMention, EntityMention]]:
    """Two entities and one mention of each in the same sentence, both ways, once per sentence."""
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


def _span(sentences: Sequence[Analysis], mention: EntityMention) -> tuple[int, int]:
    """Characters of the sentence."""
    span = sentences[mention.sentence].span(mention.start, mention.end)
    return span.start, span.end
