"""Scorers: how good is what anybody's system produced? Every number carries a signature."""

from __future__ import annotations

from typing import Any

from tupelo.core import Registry
from tupelo.scorers.result import CurvePoint, Result, Score
from tupelo.scorers.scorer import SHOWN, ScoreOptions

SCORERS: Registry[type[Any]] = Registry(
    "scorer", {name: f"{__name__}.{about['made']}" for name, about in SHOWN.items()}
)

__all__ = ["SCORERS", "CurvePoint", "Result", "Score", "ScoreOptions"]
