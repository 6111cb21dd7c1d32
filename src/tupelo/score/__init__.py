"""Scorers: how good is what anybody's system produced? Every number carries a signature."""

from __future__ import annotations

from typing import Any

from tupelo.core import Registry
from tupelo.score.result import CurvePoint, Result, Score

# Scorers of tuples, then those that compare something else (their `reads` says what).
SCORERS: Registry[type[Any]] = Registry(
    "scorer",
    {
        "carb": "tupelo.score.carb:Carb",
        "oie2016": "tupelo.score.oie2016:Oie2016",
        "wire57": "tupelo.score.wire57:Wire57",
        "benchie": "tupelo.score.benchie:Benchie",
        "robust": "tupelo.score.robust:Robust",
        "clusters": "tupelo.score.clusters:ClusterScorer",
        "inference": "tupelo.score.inference:Inference",
        "coref": "tupelo.score.coref:CorefScorer",
        "factuality": "tupelo.score.factuality:FactualityScorer",
    },
)

__all__ = ["SCORERS", "CurvePoint", "Result", "Score"]
