"""Commands from typed functions: names, types, defaults and help of their options come from signatures.

`command(call)` makes the decorated function a command whose options are the annotated parameters of `call`, a
function of `tupelo.api` or a method of one of its classes (see `tupelo.core.parameters`), and after them those of the
decorated function itself. It gets `run`, which makes the call with the values that were given:

    @command(mine_rules)
    def rules(run: Run[Rules], as_json: Json = False) -> None:
        show(run(), as_json)

A parameter whose type is a dataclass stands for the fields of it. Parameters without a note are no options.
"""

from __future__ import annotations

import inspect
import sys
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from tupelo.cli.options import Finite, FiniteRange, InputPath, OutputPath, Whole
from tupelo.cli.progress import progress_bar
from tupelo.core.parameters import (
    Among,
    AnnotationNames,
    At,
    Between,
    Environment,
    Spelled,
    is_mapping,
    is_sequence,
    notes_of,
)
from tupelo.core.spec import read_pairs

Result = TypeVar("Result", covariant=True)
# The option that says where results go has a short form everywhere.
_SHORT = {"output": ("--output", "-o")}


class Run(Protocol[Result]):
    """Makes the call of a command with the values that were given, and others by name."""

    def __call__(self, **others: Any) -> Result: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, or a field of a dataclass, as its signature describes it."""

    name: str
    type: Any
    default: Any
    positional: bool
    several: bool = False

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def group(self) -> type[Any] | None:
        """The dataclass whose fields are meant, if they have notes."""
        if get_origin(self.type) is Annotated:
            return None
        kinds = (each for each in _members(self.type) if isinstance(each, type) and is_dataclass(each))
        return next((each for each in kinds if any(field.offered for field in _flat(_fields(each)))), None)

    @property
    def offered(self) -> bool:
        return get_origin(self.type) is Annotated


def command(
    call: Callable[..., Any] | None = None,
    *,
    opens: Callable[..., AbstractContextManager[Any]] | None = None,
    name: str | None = None,
    options: Iterable[str] = (),
    extra: Iterable[click.Option] = (),
    cls: type[click.Command] = click.Command,
    group: click.Group | None = None,
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of a function, with the parameters of `call` before its own, and add it to a group.

    `opens` makes what a method is called on. Parameters without a default are arguments, unless `options` names them;
    so are those whose value has a name in brackets. `extra` are options that do something of their own. A function
    that takes keywords gets the values of the call, too.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        own = parameters(function)[1 if call else 0 :]
        takes_all = inspect.getfullargspec(function).varkw is not None
        calls = [each for each in (opens, call) if each is not None]
        known = [each for made in calls for each in parameters(made)]
        # A note of its own takes the place of one in the call.
        ordered = {each.name: each for each in _flat(known)}
        ordered |= {each.name: each for each in _flat(own) if each.offered}
        made = [_click_parameter(each, each.name in options) for each in ordered.values() if each.offered]
        maker = call if inspect.isclass(call) else opens
        opening = {each.name for each in parameters(maker)} if maker else set()
        made.sort(key=lambda each: isinstance(each, click.Option) * (1 + (each.name in opening)))

        def callback(**values: Any) -> None:
            if call is None:
                positional, keywords = _arguments(function, values)
                function(*positional, **keywords)
                return
            mine = _arguments(function, values)[1]
            names = {each.name for each in _flat([*known, *own])}
            others = {key: value for key, value in values.items() if key not in names}
            if takes_all:
                mine = {**{each.name: values[each.name] for each in parameters(call) if each.name in values}, **mine}
            function(_bound(call, opens, values, others), **mine)

        result = cls(
            name or function.__name__.rstrip("_").replace("_", "-"),
            params=[*made, *extra],
            callback=callback,
            help=inspect.getdoc(function),
        )
        result.no_args_is_help = False
        if group is not None:
            group.add_command(result)
        return result

    return decorate


def _bound(
    call: Callable[..., Any],
    opens: Callable[..., AbstractContextManager[Any]] | None,
    values: Mapping[str, Any],
    others: Mapping[str, Any],
) -> Run[Any]:
    """The call with these values; a bar shows its progress if it reports any."""

    def run(**changes: Any) -> Any:
        chosen = {**values, **others, **changes}
        with ExitStack() as stack:
            positional, keywords = _arguments(call, chosen)
            placed = {*keywords, *(each.name for each in parameters(call) if each.several)}
            keywords |= {name: value for name, value in {**others, **changes}.items() if name not in placed}
            if "progress" in inspect.signature(call).parameters and "progress" not in changes:
                keywords["progress"] = stack.enter_context(progress_bar())
            if opens is not None:
                before, named = _arguments(opens, chosen)
                positional.insert(0, stack.enter_context(opens(*before, **named)))
            return call(*positional, **keywords)

    return run


def _arguments(call: Callable[..., Any], values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The values that a function takes: those of a repeated parameter, and others by name."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for each in parameters(call):
        if each.group is not None:
            chosen = {field.name: values[field.name] for field in _flat([each]) if field.name in values}
            given = values.get(each.name)
            keywords[each.name] = given if isinstance(given, each.group) else each.group(**chosen)
        elif each.name not in values:
            continue
        elif each.several:
            positional += values[each.name]
        else:
            keywords[each.name] = values[each.name]
    if positional:
        # Parameters before a repeated one have no name in the call.
        before = [each.name for each in parameters(call) if each.positional and not each.several]
        positional = [keywords.pop(name) for name in before if name in keywords] + positional
    return positional, keywords


def parameters(call: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function or of a constructor, but not the object of a method."""
    call = inspect.unwrap(call.__init__ if inspect.isclass(call) else getattr(call, "__func__", call))
    types = get_type_hints(call, localns=AnnotationNames(call.__globals__), include_extras=True)
    found = []
    for each in inspect.signature(call).parameters.values():
        if each.name in ("self", "cls") or each.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        found.append(
            Parameter(
                each.name,
                types[each.name],
                MISSING if each.default is inspect.Parameter.empty else each.default,
                each.kind is not inspect.Parameter.KEYWORD_ONLY,
                each.kind is inspect.Parameter.VAR_POSITIONAL,
            )
        )
    return found


def _flat(given: Iterable[Parameter]) -> Iterable[Parameter]:
    """Parameters, with the fields of a dataclass in its place."""
    for each in given:
        yield from [each] if each.group is None else _flat(_fields(each.group))


def _fields(kind: type[Any]) -> list[Parameter]:
    """The fields of a dataclass as parameters."""
    known = ChainMap(*(vars(sys.modules[each.__module__]) for each in kind.__mro__))
    types = get_type_hints(kind, localns=AnnotationNames(known), include_extras=True)
    return [
        Parameter(
            each.name,
            types[each.name],
            each.default_factory() if each.default_factory is not MISSING else each.default,
            positional=False,
        )
        for each in fields(kind)
        if each.init
    ]


def _members(kind: Any) -> list[Any]:
    """The types of a union but `None`; the type itself if it is none."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        return [each for member in get_args(kind) if member is not NoneType for each in _members(member)]
    return [kind]


def _click_parameter(given: Parameter, is_option: bool) -> click.Parameter:
    """The argument or option of a command for a parameter."""
    notes = notes_of(given.type)
    members = _members(given.type)
    spelled = [note for note in notes if isinstance(note, Spelled)]
    names = next((note.options for note in reversed(spelled) if note.options), None)
    value = next((note.value for note in reversed(spelled) if note.value), None)
    sequences = [each for each in members if is_sequence(each)]
    own = get_args(given.type)[1:] if given.offered else ()
    is_path = any(isinstance(note, At) for note in own)
    if is_path and len(sequences) < len(members):
        # A file, or what a program has in memory.
        sequences, members = [], [each for each in members if not is_sequence(each)]
    settings: dict[str, Any] = {"metavar": value}
    if not is_path and any(is_mapping(each) for each in members):
        settings |= {"callback": _named_values}
        repeated = True
        members = [str]
    else:
        repeated = given.several or bool(sequences)
        if sequences:
            members = _members(get_args(sequences[0])[0])
    if get_origin(members[0]) is tuple:
        settings["nargs"] = len(get_args(members[0]))
        members = _members(get_args(members[0])[0])
    settings["type"] = _click_type(members, notes)
    if repeated and value is not None and "," in value:
        repeated, settings["type"] = False, Separated(settings["type"])
    named = names is not None or is_option or given.name in _SHORT
    bracketed = value is not None and value.startswith("[")
    if given.positional and (given.required or bracketed) and not named:
        return click.Argument([given.name], required=not bracketed, nargs=-1 if repeated else 1, **settings)
    spelling = names or _SHORT.get(given.name) or (f"--{given.name.rstrip('_').replace('_', '-')}",)
    settings |= {"help": next((note for note in reversed(notes) if isinstance(note, str)), None)}
    if members == [bool]:
        return _flag(given, spelling, names is not None, settings)
    default = None if given.default is MISSING else given.default
    if isinstance(settings["type"], Separated):
        default = None if default is None else ",".join(map(str, default))
    shown = default not in (None, "", "-") and default != ()
    settings["envvar"] = next((note.variable for note in notes if isinstance(note, Environment)), None)
    settings |= {"required": given.required, "show_default": shown, "multiple": repeated}
    if not repeated or default:
        settings["default"] = default
    return click.Option([*spelling, given.name], **settings)


class Separated(click.ParamType[Any]):
    """Several values with commas between, numbers in order, without repetition."""

    name = "list"

    def __init__(self, item: Any) -> None:
        self.item = click.types.convert_type(item)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        items = [self.item(part.strip(), param, ctx) for part in value.split(",") if part.strip()]
        return tuple(sorted(set(items)) if isinstance(self.item, Whole) else dict.fromkeys(items))


def option_of(name: str, kind: Any, default: Any) -> click.Option:
    """An option by itself."""
    made = _click_parameter(Parameter(name, kind, default, positional=False), is_option=True)
    assert isinstance(made, click.Option)
    return made


def _flag(given: Parameter, spelling: tuple[str, ...], named: bool, settings: dict[str, Any]) -> click.Option:
    """A flag that turns on what is off by default, or off what is on."""
    about = {"help": settings["help"]}
    if any("/" in each for each in spelling):
        return click.Option([*spelling, given.name], default=given.default, **about)
    if given.default is True:
        spelling = spelling if named else (f"--no-{spelling[0].removeprefix('--')}",)
        return click.Option([*spelling, given.name], is_flag=True, flag_value=False, default=True, **about)
    return click.Option([*spelling, given.name], is_flag=True, default=False, **about)


def _click_type(members: list[Any], notes: list[Any]) -> Any:
    for note in reversed(notes):
        if isinstance(note, Among):
            return click.Choice(note.values() if callable(note.values) else note.values)
        if isinstance(note, At):
            return _path_type(note, Path if members == [Path] else None)
    if get_origin(members[0]) is Literal:
        return click.Choice(get_args(members[0]))
    span = next((note for note in reversed(notes) if isinstance(note, Between)), Between())
    if members[0] is int:
        low, high = (None if bound is None else int(bound) for bound in (span.low, span.high))
        return Whole(low, high)
    if members[0] is float:
        unbounded = span.low is None and span.high is None
        return Finite() if unbounded else FiniteRange(span.low, span.high, min_open=span.above)
    return str


def _path_type(at: At, path_type: type[Path] | None) -> click.Path:
    if at is At.INPUT:
        return InputPath(allow_dash=True, path_type=path_type)
    if at is At.SOURCE_FOLDER:
        return click.Path(exists=True, file_okay=False, path_type=path_type)
    if at is At.FOLDER:
        return OutputPath(file_okay=False, path_type=path_type)
    if at is At.PLACE:
        return OutputPath(allow_dash=True, path_type=path_type)
    return OutputPath(dir_okay=False, allow_dash=True, path_type=path_type)


def _named_values(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    return dict(read_pairs(values, f"'{{}}' is not {option.metavar}"))
