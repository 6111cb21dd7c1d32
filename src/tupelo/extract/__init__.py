"""Analysed sentences to tuples. Extractors are known by name and imported when they are asked for."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.core.protocols import ExtractorFactory

EXTRACTORS: Registry[ExtractorFactory] = Registry(
    "extractor",
    {
        "default": "tupelo.extract.default:default_extractor",
        "rules": "tupelo.extract.rules:rule_extractor",
        "neural": "tupelo.extract.neural:neural_extractor",
        "llm": "tupelo.extract.llm:llm_extractor",
        "command": "tupelo.extract.command:command_extractor",
    },
)

__all__ = ["EXTRACTORS"]
