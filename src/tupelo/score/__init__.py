"""Yardsticks: how good are tuples that anybody's extractor made? Every number carries a signature."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.score.metric import Metric
from tupelo.score.result import CurvePoint, Score

METRICS: Registry[type[Metric]] = Registry(
    "metric",
    {
        "carb": "tupelo.score.carb:Carb",
        "oie2016": "tupelo.score.oie2016:Oie2016",
        "wire57": "tupelo.score.wire57:Wire57",
        "benchie": "tupelo.score.benchie:Benchie",
        "robust": "tupelo.score.robust:Robust",
    },
)

__all__ = ["METRICS", "CurvePoint", "Score"]
