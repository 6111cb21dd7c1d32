"""Facts written by pointing at names of a document: the end-to-end model and its method.

The model reads what the encoder of the shipped classifier makes of the entities that it finds, and walks over their
pairs in the order of the text. At every pair it writes a property or moves on, given all that it has written before.
So nothing is written that is not in the text or not in the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis
from tupelo.core.numeric import sigmoid
from tupelo.factmodels.extract import Fact, FactMethod, FactOptions
from tupelo.factmodels.folder import WEBNLG, FactModel, kind_of
from tupelo.factmodels.methods import PairMethod, marked_document
from tupelo.factmodels.metric import plain_phrase
from tupelo.factmodels.pairs import Calibration, Marked

Floats = NDArray[np.float32]
# From the first pair left and the facts so far (pair, property): [pairs left, properties + 1], moving on first.
Scorer = Callable[[int, list[tuple[int, int]]], NDArray[Any]]
_SMALLEST = 1e-9
# However little confidence is asked for: with less, nearly every pair would be written about.
_LEAST_EAGER = 0.1


def open_end_to_end(model: str | Path | None, options: FactOptions) -> FactMethod:
    """The shipped model points; `webnlg`, and folders that `tupelo facts train` wrote, write token by token."""
    if model is None or (model != WEBNLG and kind_of(model) == PointerModel.kind):
        return PointedMethod(model, options)
    from tupelo_training.facts.written import WrittenMethod

    return WrittenMethod(None if model == WEBNLG else model, options)


class Walk:
    """Writes where moving on is less likely than one minus `eager`; the properties of a pair in the model's order."""

    def __init__(self, eager: float) -> None:
        self._eager = eager

    def __call__(self, count: int, scorer: Scorer) -> list[tuple[int, int, float]]:
        """Facts in the order of writing: pair, property, and its probability given what is before it."""
        found: list[tuple[int, int, float]] = []
        place, last = 0, -1
        while place < count:
            scores = scorer(place, [(pair, relation) for pair, relation, _ in found]).astype(np.float64)
            scores[0, 1 : last + 2] = -np.inf
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            written = np.flatnonzero(1 - shares[:, 0] >= self._eager)
            if not len(written):
                break
            first = int(written[0])
            place += first
            last = int(shares[first, 1:].argmax())
            found.append((place, last, float(shares[first, 1 + last])))
        return found


def overlaps(pairs: NDArray[np.int64], facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[pairs, facts]: which ends are the same entity, as four bits; both are [.., 2] of subject and object."""
    same = pairs[:, None, :, None] == facts[None, :, None, :]
    found: NDArray[np.int64] = same.reshape(len(pairs), len(facts), 4) @ np.array([1, 2, 4, 8])
    return found


class PointerModel(FactModel):
    """The shipped end-to-end model, or one of the same kind from another folder."""

    kind, part = "pointer", "end-to-end"

    def _configure(self, config: Mapping[str, Any]) -> None:
        self.eager = float(config["eager"])
        self.calibration = Calibration(*map(float, config["calibration"]))

    def write(
        self, inputs: Mapping[str, NDArray[Any]], eager: float, subjects: Sequence[int] | None = None
    ) -> list[tuple[int, int, int, float]]:
        """Facts of a window in order: subject and object by number, property, and the calibrated probability.

        `inputs` come from the classifier (`PairModel.inputs`); with `subjects`, only these are written about.
        """
        (made,) = self.graph("pairs.onnx").run(["pairs"], inputs)
        count = len(made)
        about = range(count) if subjects is None else sorted(subjects)
        pairs = np.array([(a, b) for a in about for b in range(count) if a != b], np.int64).reshape(-1, 2)
        vectors: Floats = made[pairs[:, 0], pairs[:, 1]]
        step = self.graph("step.onnx", scores=len(self.relations) + 1)

        def scores(start: int, written: list[tuple[int, int]]) -> NDArray[Any]:
            # Nothing written stands before the first fact.
            chosen = [pair for pair, _ in written]
            given: dict[str, NDArray[Any]] = {
                "pairs": vectors[start:],
                "facts": np.concatenate([np.zeros((1, made.shape[2]), np.float32), vectors[chosen]]),
                "relations": np.array([0, *(relation + 1 for _, relation in written)], np.int64),
                "overlaps": overlaps(pairs[start:], np.concatenate([[(-1, -1)], pairs[chosen]])),
            }
            (found,) = step.run(["scores"], given)
            return found

        found = Walk(eager)(len(pairs), scores)
        return [(*pairs[place].tolist(), relation, self._calibrated(share)) for place, relation, share in found]

    def _calibrated(self, share: float) -> float:
        kept = min(max(share, _SMALLEST), 1 - _SMALLEST)
        return self.calibration.probability(float(np.log(kept / (1 - kept))))


class PointedMethod(PairMethod):
    """Facts that the pointing model writes about the entities that the classifier's network finds."""

    name = "end-to-end"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        super().__init__(None, options)
        self.pointer = PointerModel(model, threads=options.threads)
        self.version = f"{self.pointer.name} {self.pointer.version}"
        self._options = options

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        return self.about(sentences, self._options.subject)

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]:
        """Facts of one subject; of every subject if it is empty."""
        entities = self.entities(sentences)
        if self._options.reduced:
            sentences = [sentences[number] for number in with_pairs(marked_document(sentences, entities))]
            entities = self.entities(sentences)
        named = plain_phrase(subject)
        chosen = [number for number, one in enumerate(entities) if not named or plain_phrase(one.name) == named]
        found = self.written(marked_document(sentences, entities), chosen)
        least = self._options.min_confidence or 0.0
        return [
            self._fact(sentences, entities[one], entities[two], self.pointer.relations[relation], confidence)
            for (one, two, relation), confidence in found.items()
            if confidence >= least
        ]

    def written(self, document: Marked, subjects: Sequence[int]) -> dict[tuple[int, int, int], float]:
        """Subject, object and property by number, with the probability in the window that is surest."""
        least, pointer = self._options.min_confidence, self.pointer
        eager = pointer.eager if least is None else max(_LEAST_EAGER, sigmoid(pointer.calibration.odds(least)))
        best: dict[tuple[int, int, int], float] = {}
        for here, inputs in self.model.inputs(document):
            place = {entity: number for number, entity in enumerate(here)}
            about = [place[entity] for entity in subjects if entity in place]
            for a, b, relation, share in self.pointer.write(inputs, eager, about):
                key = (here[a], here[b], relation)
                best[key] = max(best.get(key, 0.0), share)
        return best


def with_pairs(document: Marked) -> list[int]:
    """The numbers of the sentences that mention two entities or more: the reduced input."""
    found, end = [], 0
    for number, words in enumerate(document.sentences):
        start, end = end, end + len(words)
        if len({mention.entity for mention in document.mentions if start <= mention.start < end}) > 1:
            found.append(number)
    return found
