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

# What `tupelo extract --list` says about each.
TITLES = {
    "default": "the combination of rules and the learned extractor that does best",
    "rules": "clauses of the dependency tree; every tuple names its rule",
    "neural": "the learned extractor alone",
    "llm": "llm:MODEL, a language model behind any OpenAI-compatible endpoint",
    "command": "command:PROGRAM, any program that reads sentences and writes tuples",
}

# Extractors that talk to a program or to the network. They do their own waiting, so they stay in the first process.
TALKS_OUTSIDE = frozenset({"llm", "command"})

__all__ = ["EXTRACTORS", "TALKS_OUTSIDE", "TITLES"]
