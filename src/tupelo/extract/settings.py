"""An extractor by its registered name: its one-line description and its options, given as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tupelo.core import InputError, UnknownNameError
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


def require_known(settings: Mapping[str, str], known: Iterable[str], extractor: str) -> None:
    """Reject a setting that the extractor does not have."""
    names = list(known)
    for name in settings:
        if name not in names:
            if not names:
                raise InputError(f"setting '{name}': the extractor '{extractor}' has no settings")
            raise UnknownNameError.among(f"setting of '{extractor}'", name, names)


def require_no_argument(argument: str, extractor: str) -> None:
    """Reject `rules:something`."""
    if argument:
        raise InputError(f"'{extractor}:{argument}': the extractor '{extractor}' takes no argument")


def whole_number(settings: Mapping[str, str], name: str, default: int, least: int = 0) -> int:
    """Parse an integer setting."""
    return int(_number(settings, name, default, least, whole=True))


def number(settings: Mapping[str, str], name: str, default: float, least: float = 0.0) -> float:
    """Parse a float setting."""
    return _number(settings, name, default, least, whole=False)


def _number(settings: Mapping[str, str], name: str, default: float, least: float, whole: bool) -> float:
    text = settings.get(name)
    if text is None:
        return default
    try:
        value = float(int(text)) if whole else float(text)
    except (ValueError, OverflowError):
        value = float("nan")
    # NaN fails every comparison.
    if not least <= value < float("inf"):
        kind = "a whole number" if whole else "a number"
        raise InputError(f"setting '{name}' is '{text}', expected {kind}, {least} or more")
    return value
