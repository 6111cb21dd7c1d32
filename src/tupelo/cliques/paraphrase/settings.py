"""Settings of paraphrasers, which come as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tupelo.core import InputError, UnknownNameError


def require_known(settings: Mapping[str, str], known: Iterable[str], name: str) -> None:
    """Refuse a setting that the paraphraser does not have."""
    names = list(known)
    for setting in settings:
        if setting not in names:
            raise UnknownNameError.among(f"setting of '{name}'", setting, names)


def whole_number(settings: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    text = settings.get(name, str(default))
    if not text.isdecimal() or int(text) < least:
        raise InputError(f"setting '{name}' is '{text}', expected a whole number, {least} or more")
    return int(text)


def number(settings: Mapping[str, str], name: str, default: float) -> float:
    text = settings.get(name, str(default))
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InputError(f"setting '{name}' is '{text}', expected a number, 0 or more")
    return value
