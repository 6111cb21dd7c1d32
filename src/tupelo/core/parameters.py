"""Notes on the parameters of a call that commands, and other skins, can offer.

A parameter whose type is `Annotated` with its help is an option of the command that makes the call:

    def mine_rules(triples: Triples, *, atoms: Annotated[int, Between(1, 2), "The longest body."] = 2) -> Rules:

Name, type and default come from the signature. What a type does not say is in further notes: a range, the allowed
values, what is read or written under a path, another name of the option. Where two notes of one kind meet, the last
one holds, so that a shared type can get its own help: `Annotated[Seed, "For the choice of negative examples."]`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import os
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tupelo.core.errors import InputError, OnError
from tupelo.core.limits import Limits, LimitsGiven


@dataclass(frozen=True, slots=True)
class Between:
    """A number in a range; `None` is no bound. The lower bound itself is excluded if `above`."""

    low: float | None = None
    high: float | None = None
    above: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number is in the range."""
        too_low = self.low is not None and (value <= self.low if self.above else value < self.low)
        return not too_low and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        least = f"more than {self.low:g}" if self.above else f"{self.low or 0:g}"
        return f"{least} to {self.high:g}" if self.high is not None else least if self.above else f"{least} or more"


@dataclass(frozen=True, slots=True)
class Among:
    """One of these values. A function returns them when they are asked for."""

    values: Sequence[str] | Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Spelled:
    """Names of the option, where they are not the name of the parameter, and the name of its value in the help."""

    options: tuple[str, ...] = ()
    value: str | None = None

    @classmethod
    def of(cls, *words: str) -> Spelled:
        """`--` words are names of the option, another one names the value.

        >>> Spelled.of("--json").options, Spelled.of("FMT").value
        (('--json',), 'FMT')
        """
        value = next((word for word in words if not word.startswith("-")), None)
        return cls(tuple(word for word in words if word.startswith("-")), value)


@dataclass(frozen=True, slots=True)
class Environment:
    """The variable of the environment that a value comes from if it is not given."""

    variable: str


class At(Enum):
    """The use of a path: input is a file or folder to read, output a file to write, place either to write."""

    INPUT = "input"
    OUTPUT = "output"
    FOLDER = "folder"
    SOURCE_FOLDER = "source folder"
    PLACE = "place"


PathLike = str | os.PathLike[str]
Input = Annotated[PathLike, At.INPUT]
Output = Annotated[PathLike, At.OUTPUT, Spelled.of("FILE"), "Where to write. [default: standard output]"]
Folder = Annotated[PathLike, At.FOLDER, Spelled.of("FOLDER")]
Count = Annotated[int, Between(1)]
Whole = Annotated[int, Between(0)]
Share = Annotated[float, Between(0, 1)]
Seed = Annotated[int, Between(0), "Same seed, same result."]

Format = Annotated[str, Spelled.of("FMT"), "Format of the input; `tupelo formats` lists them."]
ParserName = Annotated[
    str, Spelled.of("NAME"), "The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu."
]
ExtractorName = Annotated[str, Spelled.of("NAME"), "default, rules or another one of `tupelo extract --list`."]
EngineName = Annotated[
    str, Spelled.of("NAME"), "local, or a Spark master such as spark://HOST:7077, local[2] or yarn."
]
Workers = Annotated[int, Between(1), Spelled.of("--workers", "N"), "Processes to work in."]
Work = Annotated[
    PathLike | None,
    At.FOLDER,
    Spelled.of("FOLDER"),
    "Where finished parts are kept; the same call resumes. [default: beside the output, removed at the end]",
]
Threads = Annotated[int | None, Between(1), "Threads of each process. [default: all cores; 1 in a pool]"]
BatchSize = Annotated[int, Between(1), "Sentences per batch."]
Device = Annotated[str, "cpu, cuda, or auto: a GPU where there is one."]
Lines = Annotated[bool, "Every line is one sentence."]
Pretokenized = Annotated[bool, "Every line is one sentence, its words separated by single spaces."]
Skipping = Annotated[OnError, "What to do with a faulty line: stop, or skip it and list it on standard error."]
SkippingDocuments = Annotated[
    OnError, "What to do with a document that cannot be read: stop, or name it, go on, and exit with status 1."
]
Coreference = Annotated[bool, Spelled.of("--no-coref"), "Leave pronouns and short names unresolved."]
MinConfidence = Annotated[float, Between(0, 1), Spelled.of("C"), "Only edges with at least this confidence."]
MinRank = Annotated[
    float, Between(0, 1), Spelled.of("R"), "Only edges of at least this rank; 0.5: worth reading by themselves."
]
AsOf = Annotated[
    date | str | None, Spelled.of("TIME"), "Only what held, or had happened, at this time: 2015, 2015-06, 2015-06-30."
]
About = Annotated[
    Literal["names", "all"], "Statements about things with names only, or about described things and concepts, too."
]
Host = Annotated[str, "The address to listen on."]
Port = Annotated[int, Between(0, 65535), "0 takes a free one."]
AllowedHosts = Annotated[Iterable[str], Spelled.of("--allow-host", "NAME"), "Another name of this machine."]
Settings = Annotated[Mapping[str, str] | None, Spelled.of("--set", "NAME=VALUE")]
Fixes = Annotated[
    Sequence[str],
    Spelled.of("--fix", "QUIRK"),
    "Correct a defect of the original program; repeat, or 'all'. `--list-quirks` names them.",
]
SizeLimits = Annotated[
    LimitsGiven,
    Spelled.of("--max", "NAME=VALUE"),
    f"Change what is too large to be read, such as document=200MB: {', '.join(Limits.meanings())}. Repeat for more.",
]


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
    """Refuse arguments of a type that a parameter cannot have, and numbers out of its range, by its annotation.

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
    repeated = {each.name for each in signature.parameters.values() if each.kind is each.VAR_POSITIONAL}
    shown = [each.replace(annotation=_without_notes(each.annotation)) for each in signature.parameters.values()]

    @wraps(call)
    def wrapper(*positional: Any, **named: Any) -> Any:
        given = signature.bind(*positional, **named).arguments
        plain, ranges = _expected(call)
        for name, kinds in plain.items():
            values = given.get(name, ()) if name in repeated else [given[name]] if name in given else ()
            for value in values:
                if not _is_one_of(value, kinds):
                    words = " or ".join(dict.fromkeys(_PLAIN[kind] for kind in kinds))
                    raise InputError(f"{name}={reprlib.repr(value)}, expected {words}")
        for name, span in ranges.items():
            require_range(name, given.get(name), span)
        return call(*positional, **named)

    # For `help`.
    wrapper.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    return wrapper  # type: ignore[return-value]


def require_range(name: str, value: object, span: Between) -> None:
    """Refuse a number out of a range."""
    if isinstance(value, int | float) and not span.holds(value):
        raise InputError(f"{name}={value}, expected {span}")


def _without_notes(annotation: Any) -> Any:
    """An annotation as it is written, with the types alone where they have notes.

    >>> _without_notes("Annotated[Count | None, Spelled.of('N'), 'At most N.']")
    'Count | None'
    """
    if not isinstance(annotation, str) or "Annotated[" not in annotation:
        return annotation
    return ast.unparse(_TypesAlone().visit(ast.parse(annotation, mode="eval")))


class _TypesAlone(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Visit the first item of `Annotated[…]` in its place."""
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            found: ast.AST = self.visit(node.slice.elts[0])
            return found
        return self.generic_visit(node)


@cache
def _expected(call: Callable[..., Any]) -> tuple[dict[str, tuple[Any, ...]], dict[str, Between]]:
    """The types of the parameters that can only have plain ones, and the ranges of those that are numbers."""
    hints = get_type_hints(call, localns=AnnotationNames(call.__globals__), include_extras=True)
    hints.pop("return", None)
    kinds = {name: tuple(_members(hint)) for name, hint in hints.items()}
    plain = {name: members for name, members in kinds.items() if all(kind in _PLAIN for kind in members)}
    notes = {name: [note for note in notes_of(hint) if isinstance(note, Between)] for name, hint in hints.items()}
    return plain, {name: found[-1] for name, found in notes.items() if found}


def notes_of(kind: Any) -> list[Any]:
    """The notes on a type, those of the items of a sequence and of the members of a union first."""
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *notes = get_args(kind)
        return [*notes_of(inner), *notes]
    if origin in (Union, UnionType):
        return [note for member in get_args(kind) for note in notes_of(member)]
    return notes_of(get_args(kind)[0]) if is_sequence(kind) else []


def is_sequence(kind: Any) -> bool:
    """Whether a type is that of several values."""
    origin = get_origin(kind)
    if origin is tuple:
        return get_args(kind)[-1] is Ellipsis
    return inspect.isclass(origin) and issubclass(origin, Iterable) and not is_mapping(kind)


def is_mapping(kind: Any) -> bool:
    """Whether a type is that of values by name."""
    origin = get_origin(kind)
    return inspect.isclass(origin) and issubclass(origin, Mapping)


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
