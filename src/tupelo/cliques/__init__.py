"""Knowledge-invariant cliques: how far sentences that say the same lie apart, which to keep, what they show."""

from __future__ import annotations

from tupelo.cliques.measures import SyntaxMeasure
from tupelo.core import Registry

MEASURES: Registry[type[SyntaxMeasure]] = Registry(
    "syntax_measure",
    {
        "hws": "tupelo.cliques.measures:Hws",
        "kernel": "tupelo.cliques.measures:TreeKernel",
    },
)

__all__ = ["MEASURES", "SyntaxMeasure"]
