"""An extractor by its registered name: a function that opens it, with its one-line description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tupelo.core import InputError
from tupelo.core.protocols import Extractor, Services


@dataclass(frozen=True, slots=True)
class ExtractorPart:
    """A function that opens an extractor, with the metadata that commands need: an `ExtractorFactory`."""

    make: Callable[[str, Mapping[str, str], Services | None], Extractor]
    title: str
    needs_client: bool = False

    def __call__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> Extractor:
        return self.make(argument, settings, services)


def extractor_part(
    title: str, *, needs_client: bool = False
) -> Callable[[Callable[[str, Mapping[str, str], Services | None], Extractor]], ExtractorPart]:
    """Decorate a function that opens an extractor."""
    return lambda function: ExtractorPart(function, title, needs_client)


def require_no_argument(argument: str, extractor: str) -> None:
    """Reject `rules:something`."""
    if argument:
        raise InputError(f"'{extractor}:{argument}': the extractor '{extractor}' takes no argument")
