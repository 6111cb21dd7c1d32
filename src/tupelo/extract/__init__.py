"""Analysed sentences to tuples. Extractors are known by name and imported when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Extractor, Services


class ExtractorFactory(Protocol):
    """Makes an extractor from what follows its name and a colon (`command:./program`), empty for the default.

    `settings` are named options as text; an extractor refuses names that it does not know. Two attributes are
    optional: `title`, a line for lists, and `needs_client`, true for one that talks to a program or to the network:
    it gets `services`, and stays in the first process. The others get `None`.
    """

    def __call__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> Extractor: ...


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
    """Whether an extractor talks to a program or to the network, for which it gets services."""
    return bool(getattr(EXTRACTORS.get(name), "needs_client", False))


__all__ = ["EXTRACTORS", "needs_client"]
