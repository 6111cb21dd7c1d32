"""The support model of `tupelo check`: does the premise, as a source, support the hypothesis?

It is sensitive to roles, negation, modality and opposites, and was trained without any judged pair of relations.
Log odds are higher if both relations are known to be the same (`tupelo.inference.statements`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.core.numeric import sigmoid
from tupelo.core.protocols import SupportReader
from tupelo.inference.methods import ShippedEntailment
from tupelo.inference.statements import KNOWN, as_text, known_reason, with_arguments

Floats = NDArray[np.float64]
# Bound of the log odds of the support model.
SUREST = 5.0
_TINY = 1e-9


class Supported(ShippedEntailment):
    """Probability that the premise, read as a sentence, supports the hypothesis."""

    name: ClassVar[str] = "support"
    title: ClassVar[str] = "the support model of `tupelo check`, for triples too; a probability"
    reads_sentences: ClassVar[bool] = True

    @cached_property
    def _support(self) -> SupportReader:
        made: SupportReader = self._resources.require("support", self.name)()
        return made

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        found: list[float] = sigmoid(self._logits(pairs)).tolist()
        return found

    def _logits(self, pairs: Sequence[EntailmentPair]) -> Floats:
        return support_logits(pairs, self._support) + KNOWN * are_known(pairs)

    def explain(self, pair: EntailmentPair) -> list[str]:
        ((supported, refuted, neither),) = self._support.outcomes([_sentences(pair)])
        verdict = f"the premise supports it {supported:.2f}, refutes it {refuted:.2f}, neither {neither:.2f}"
        known = known_reason(pair)
        return [verdict] if known is None else [f"{known}: log odds {KNOWN:+.1f}", verdict]


def support_logits(pairs: Sequence[EntailmentPair], support: SupportReader) -> Floats:
    """Log odds that the premise supports the hypothesis, both as sentences."""
    supported = np.array([outcome[0] for outcome in support.outcomes(list(map(_sentences, pairs)))], dtype=np.float64)
    odds = np.log(np.maximum(supported, _TINY)) - np.log(np.maximum(1 - supported, _TINY))
    clipped: Floats = np.clip(odds, -SUREST, SUREST)
    return clipped


def are_known(pairs: Sequence[EntailmentPair]) -> NDArray[np.bool_]:
    """For every pair whether both relations are known to be the same."""
    return np.array([known_reason(pair) is not None for pair in pairs], dtype=bool)


def _sentences(pair: EntailmentPair) -> tuple[str, str]:
    return _sentence(pair.premise), _sentence(with_arguments(pair))


def _sentence(statement: Triple) -> str:
    text = " ".join(as_text(statement).split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
