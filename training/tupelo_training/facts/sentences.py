"""The paper's classifier: the probability of every relation for a pair that is marked in a sentence.

It needs no torch; `sentence_network` is the network that is trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis, InputError
from tupelo.core.numeric import sigmoid
from tupelo.factmodels.extract import Fact, FactOptions
from tupelo.factmodels.folder import FactModel
from tupelo.factmodels.methods import pair_fact
from tupelo.names.entities import DocumentEntity, EntityMention, find_entities
from tupelo.nlp.encoder import groups_of_equal_length

SUBJECT_MARK, OBJECT_MARK = "SUBJ", "OBJ"


def marked(text: str, subjects: Iterable[Sequence[int]], objects: Iterable[Sequence[int]]) -> str:
    """A sentence with marks around the mentions of subject and object, which must not overlap.

    >>> marked("Person1 was born in City1.", [(0, 7)], [(20, 25)])
    'SUBJ{Person1} was born in OBJ{City1}.'
    """
    marks = ((SUBJECT_MARK, subjects), (OBJECT_MARK, objects))
    spans = [(start, end, mark) for mark, mentions in marks for start, end in mentions]
    for start, end, mark in sorted(spans, reverse=True):
        text = f"{text[:start]}{mark}{{{text[start:end]}}}{text[end:]}"
    return text


def mark_pair(sentence: str, subject: tuple[int, int], object_: tuple[int, int]) -> str:
    """`marked` for one mention of each."""
    if subject[0] < object_[1] and object_[0] < subject[1]:
        raise InputError(f"spans {subject} and {object_} overlap, expected two mentions that lie apart")
    return marked(sentence, [subject], [object_])


class SentenceModel(FactModel):
    """The shipped classifier, or a folder that `tupelo facts train` wrote, for relations or for any at all."""

    kind, part = "sentence", "sentence"

    def _configure(self, config: Mapping[str, Any]) -> None:
        self._most_subwords = int(config["max_subwords"])
        self._own = bool(config["own_embeddings"])
        self.threshold = float(config.get("threshold", 0.5))

    def cut(self, marked: str) -> list[int]:
        """The subwords of a marked sentence, truncated to the part around the marks if it is long."""
        cut = self.subwords.cut_text(marked)
        room = self._most_subwords - 2
        if len(cut) > room:
            where = marked.find(f"{SUBJECT_MARK}{{"), marked.find(f"{OBJECT_MARK}{{")
            first = next((place for place, (_, start, _) in enumerate(cut) if start >= min(where)), 0)
            first = max(0, min(first - room // 8, len(cut) - room))
            cut = cut[first : first + room]
        return [self.subwords.start, *(subword for subword, _, _ in cut), self.subwords.end]

    def probabilities(self, marked: Iterable[str], *, batch_size: int = 64) -> NDArray[np.float32]:
        """[sentences, relations], in order; sentences of the same length share a batch."""
        subwords: Sequence[list[int]] = [self.cut(text) for text in marked]
        found = np.zeros((len(subwords), len(self.relations)), dtype=np.float32)
        for group in groups_of_equal_length([len(item) for item in subwords], batch_size):
            ids = np.array([subwords[index] for index in group], dtype=np.int64)
            inputs = {"subwords": ids} if self._own else {"vectors": self.embed(ids)}
            graph = self.graph("sentence.onnx", scores=len(self.relations))
            (scores,) = graph.run(["scores"], {**inputs, "mask": np.ones(ids.shape, dtype=np.float32)})
            found[group] = sigmoid(scores)
        return found


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
            pair_fact(
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
