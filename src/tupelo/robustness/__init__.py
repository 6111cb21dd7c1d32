"""Knowledge-invariant cliques: `build` them, `filter` them, measure `distances` and `analyze` what they show."""

from __future__ import annotations

from typing import Any

from tupelo.core import Registry
from tupelo.core.registry import call_of, calls_of
from tupelo.core.spec import build_part
from tupelo.robustness.measures import SyntaxMeasure

MEASURES: Registry[type[SyntaxMeasure]] = Registry(
    "syntax_measure",
    {
        "hws": "tupelo.robustness.measures:Hws",
        "kernel": "tupelo.robustness.measures:TreeKernel",
    },
)


def build_measure(name: str, **options: Any) -> SyntaxMeasure:
    """Return a measure by name; options that are `None` keep their defaults."""
    measure = MEASURES.get(name)
    given = {option: value for option, value in options.items() if value is not None}
    return build_part(name, measure, given)


__all__ = ["MEASURES", "SyntaxMeasure", "build_measure"]


def __getattr__(name: str) -> Any:
    return call_of(__name__, name)


def __dir__() -> list[str]:
    return [*__all__, *calls_of(__name__)]
