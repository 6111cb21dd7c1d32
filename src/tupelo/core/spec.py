"""Parts and their settings as users write them: `name:argument`, and `NAME=VALUE` for each setting.

A part whose settings are the keyword parameters of its constructor gets them typed by `typed_settings`. A part that
is opened from text settings reads them one by one, after `require_known`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from tupelo.core.errors import InputError, UnknownNameError

T = TypeVar("T")
N = TypeVar("N", int, float)
_SWITCHES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def split_spec(text: str) -> tuple[str, str]:
    """The name of a part and its argument, which is empty where none is given.

    >>> split_spec("llm:gpt-4o:mini"), split_spec("rules")
    (('llm', 'gpt-4o:mini'), ('rules', ''))
    """
    name, _, argument = text.partition(":")
    return name, argument


def read_pairs(texts: Iterable[str], refusal: str = "'{}' is not NAME=VALUE") -> Iterator[tuple[str, str]]:
    """The two sides of every `NAME=VALUE`; a text without `=` or without a name is an error with that message."""
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(refusal.format(text))
        yield name.strip(), value


def typed_settings(make: Callable[..., Any], settings: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Keyword arguments for `make`: names are those of its parameters, text is converted to the type of the default.

    `owner` is what the settings belong to, for messages: "method 'encoder'".
    """
    known = inspect.signature(make).parameters
    typed: dict[str, Any] = {}
    for key, value in settings.items():
        name = key.replace("-", "_")
        if name not in known:
            options = ", ".join(f"{option}={known[option].default}" for option in known) or "(it has none)"
            raise InputError(f"'{key}={value}' is no setting of {owner}, expected one of: {options}")
        typed[name] = _as_type_of(known[name].default, value, key)
    return typed


def build_part(name: str, make: Callable[..., T], options: Mapping[str, Any]) -> T:
    """The part with these options; an option that it does not have is refused by name."""
    known = inspect.signature(make).parameters
    for key in options:
        if key not in known:
            raise InputError(f"{name} has no option --{key.replace('_', '-')}")
    return make(**options)


def _as_type_of(default: Any, value: Any, key: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        if isinstance(default, bool):
            return _SWITCHES[value.lower()]
        return type(default)(value) if isinstance(default, int | float) else value
    except (KeyError, ValueError):
        raise InputError(f"'{key}={value}' has a value of the wrong kind, expected one like {default}") from None


def require_known(settings: Iterable[str], known: Iterable[str], owner: str) -> None:
    """Reject a setting that the part named `owner` does not have."""
    names = list(known)
    for name in settings:
        if not names:
            raise InputError(f"setting '{name}': '{owner}' has no settings")
        if name not in names:
            raise UnknownNameError.among(f"setting of '{owner}'", name, names)


def whole_number(settings: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    """Parse an integer setting."""
    return _number(settings, name, default, least, int, "a whole number")


def number(settings: Mapping[str, str], name: str, default: float, least: float = 0.0) -> float:
    """Parse a float setting."""
    return _number(settings, name, default, least, float, "a number")


def _number(
    settings: Mapping[str, str], name: str, default: N, least: N, kind: Callable[[str], N], expected: str
) -> N:
    text = settings.get(name)
    if text is None:
        return default
    try:
        if least <= (value := kind(text)) < math.inf:
            return value
    except ValueError:
        pass
    raise InputError(f"setting '{name}' is '{text}', expected {expected}, {least:g} or more")


def one_of(settings: Mapping[str, str], name: str, known: Sequence[str]) -> str:
    """Parse a setting with a few values, the first of which is the default."""
    value = settings.get(name, known[0])
    if value not in known:
        raise InputError(f"setting '{name}' is '{value}', expected {' or '.join(known)}")
    return value
