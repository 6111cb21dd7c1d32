"""Analysed sentences to tuples. Extractors are known by name and imported when they are asked for."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.core.protocols import ExtractorFactory

EXTRACTORS: Registry[ExtractorFactory] = Registry(
    "extractor",
    {
        "default": "tupelo.extract.neural:default_extractor",
        "rules": "tupelo.extract.rules:rule_extractor",
        "neural": "tupelo.extract.neural:neural_extractor",
        "llm": "tupelo.extract.llm:llm_extractor",
        "command": "tupelo.extract.command:command_extractor",
    },
)


def needs_client(name: str) -> bool:
    """Whether an extractor talks to a program or to the network; it then stays in the first process."""
    return bool(getattr(EXTRACTORS.get(name), "needs_client", False))


__all__ = ["EXTRACTORS", "needs_client"]
