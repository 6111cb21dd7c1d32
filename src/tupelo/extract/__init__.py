"""Analysed sentences to tuples. Extractors are registered by name and imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Extractor, Services


class ExtractorFactory(Protocol):
    """Opens an extractor from the text after its name and a colon (`command:./program`), empty for the default.

    `settings` are named options as text; an extractor rejects unknown names. Two attributes are optional: `title`, a
    one-line description, and `needs_client`, true if the extractor talks to a program or the network. Such an
    extractor receives `services` and stays in the first process; the others receive `None`.
    """

    def __call__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> Extractor: ...


EXTRACTORS: Registry[ExtractorFactory] = Registry(
    "extractor",
    {
        "default": "tupelo.extract.judge:default_extractor",
        "rules": "tupelo.extract.rules:rule_extractor",
        "llm": "tupelo.extract.llm:llm_extractor",
        "command": "tupelo.extract.command:command_extractor",
    },
)


def needs_client(name: str) -> bool:
    """Whether an extractor talks to a program or the network and therefore needs services."""
    return bool(getattr(EXTRACTORS.get(name), "needs_client", False))


__all__ = ["EXTRACTORS", "needs_client"]
