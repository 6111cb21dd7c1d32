"""Analysed sentences to tuples. Extractors are registered by name and imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol

from tupelo.core import InputError, Registry
from tupelo.core.protocols import Extractor, Services
from tupelo.core.spec import split_spec


class ExtractorFactory(Protocol):
    """Opens an extractor from the text after its name and a colon (`command:./program`), empty for the default.

    `settings` are named options as text; an extractor rejects unknown names. Two attributes are optional: `title`, a
    one-line description, and `needs_client`, true if the extractor talks to a program or the network. Such an
    extractor receives `services` and stays in the first process; the others receive `None`.
    """

    def __call__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> Extractor: ...


@dataclass(frozen=True, slots=True)
class ExtractorPart:
    """A function that opens an extractor, with the metadata that commands need: an `ExtractorFactory`."""

    make: Callable[[str, Mapping[str, str], Services | None], Extractor]
    title: str
    needs_client: bool = False

    def __call__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> Extractor:
        return self.make(argument, settings, services)


def extractor_part(title: str, *, needs_client: bool = False) -> Callable[..., ExtractorPart]:
    """Decorate a function that opens an extractor."""
    return partial(ExtractorPart, title=title, needs_client=needs_client)


def require_no_argument(argument: str, extractor: str) -> None:
    """Reject `rules:something`."""
    if argument:
        raise InputError(f"'{extractor}:{argument}': the extractor '{extractor}' takes no argument")


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


@dataclass(frozen=True, slots=True)
class ExtractorRecipe:
    """An extractor by its registered name, its argument and its settings; any process can open it."""

    name: str
    argument: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: str, settings: Mapping[str, str] | None = None) -> ExtractorRecipe:
        """From `NAME` or `NAME:ARGUMENT`; an unknown name is an error."""
        name, argument = split_spec(text)
        return cls(EXTRACTORS.resolve(name), argument, tuple(sorted((settings or {}).items())))

    @property
    def is_portable(self) -> bool:
        """Whether other processes can open it: it needs no client, and is known beyond the running program."""
        return not needs_client(self.name) and not EXTRACTORS.is_registered(self.name)

    def extractor(self, services: Callable[[], Services] | None = None) -> Extractor:
        """Open the extractor: once per process, or with its own services if it needs a client."""
        if services is not None and needs_client(self.name):
            return EXTRACTORS.get(self.name)(self.argument, dict(self.settings), services())
        return _open_extractor(self)


@lru_cache(maxsize=4)
def _open_extractor(recipe: ExtractorRecipe) -> Extractor:
    return EXTRACTORS.get(recipe.name)(recipe.argument, dict(recipe.settings), None)


__all__ = ["EXTRACTORS", "ExtractorRecipe", "extractor_part", "needs_client", "require_no_argument"]
