"""Scorers: how good is what anybody's system produced? Every number carries a signature."""

from __future__ import annotations

from typing import Any

from tupelo.core import Registry
from tupelo.scorers.result import CurvePoint, Result, Score
from tupelo.scorers.scorer import ScoreOptions

# Scorers of tuples, then those that compare something else (their `reads` says what).
SCORERS: Registry[type[Any]] = Registry(
    "scorer",
    {
        "carb": "tupelo.scorers.carb:Carb",
        "oie2016": "tupelo.scorers.oie2016:Oie2016",
        "wire57": "tupelo.scorers.wire57:Wire57",
        "benchie": "tupelo.scorers.benchie:Benchie",
        "robust": "tupelo.scorers.robust:Robust",
        "clusters": "tupelo.scorers.clusters:ClusterScorer",
        "inference": "tupelo.scorers.inference:Inference",
        "coref": "tupelo.scorers.coref:CorefScorer",
        "factuality": "tupelo.scorers.factuality:FactualityScorer",
    },
)

__all__ = ["SCORERS", "CurvePoint", "Result", "Score", "ScoreOptions"]
