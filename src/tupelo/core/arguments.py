"""Arguments of the wrong type end in one line, whatever call they were given to."""

from __future__ import annotations

import builtins
import inspect
import os
import reprlib
from collections.abc import Callable, Mapping
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tupelo.core.errors import InputError

Call = TypeVar("Call", bound=Callable[..., Any])
# Types that a value has or has not, with their names for people. An integer is a number, too.
_PLAIN: dict[Any, str] = {
    str: "text",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    os.PathLike: "a path",
    Mapping: "a mapping",
    NoneType: "None",
}


def checked(call: Call) -> Call:
    """Refuse arguments of a type that a parameter cannot have, by its annotation.

    Parameters whose annotation has anything but plain types are left to the call itself.

    >>> @checked
    ... def repeat(text: str, times: int | None = 2) -> str:
    ...     return text * (times or 1)
    >>> repeat("ab"), repeat("ab", times=None)
    ('abab', 'ab')
    >>> repeat(5)
    Traceback (most recent call last):
    ...
    tupelo.core.errors.InputError: text=5, expected text
    """
    signature = inspect.signature(call)

    @wraps(call)
    def wrapper(*positional: Any, **named: Any) -> Any:
        given = signature.bind(*positional, **named).arguments
        for name, kinds in _plain_parameters(call).items():
            if name in given and not _is_one_of(given[name], kinds):
                words = " or ".join(dict.fromkeys(_PLAIN[kind] for kind in kinds))
                raise InputError(f"{name}={reprlib.repr(given[name])}, expected {words}")
        return call(*positional, **named)

    return wrapper  # type: ignore[return-value]


@cache
def _plain_parameters(call: Callable[..., Any]) -> dict[str, tuple[Any, ...]]:
    """The parameters that can only have plain types, with these types."""
    hints = get_type_hints(call, localns=AnnotationNames(call.__globals__))
    found = {name: tuple(_members(hints[name])) for name in inspect.signature(call).parameters if name in hints}
    return {name: kinds for name, kinds in found.items() if all(kind in _PLAIN for kind in kinds)}


def _members(kind: Any) -> list[Any]:
    """The types of a union, without their parameters."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _members(get_args(kind)[0])
    if origin in (Union, UnionType):
        return [member for each in get_args(kind) for member in _members(each)]
    # Values of a literal type have an error of their own, with the values.
    return [object] if origin is Literal else [origin or kind]


def _is_one_of(value: object, kinds: tuple[Any, ...]) -> bool:
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, (*kinds, int) if float in kinds else kinds)


class AnnotationNames(dict[str, Any]):
    """Names in annotations; types that only a type checker imports stand for anything."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __missing__(self, name: str) -> Any:
        return self._names.get(name, getattr(builtins, name, _Anything))


class _Anything:
    def __class_getitem__(cls, _: object) -> type[_Anything]:
        return cls
