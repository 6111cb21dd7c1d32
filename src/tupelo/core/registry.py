"""Names before imports: tables from a name to the place of a part, imported when asked for.

Besides registries of parts there are two tables, which the front door fills. A room offers calls that `api` defines
and that it may not import (`tupelo.robustness.build`). A value asks for a view of itself (`html`, `page`, `plot`)
without importing a renderer, so that a program that draws nothing loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from tupelo.core.errors import UnknownNameError
from tupelo.core.spec import split_spec

Part = TypeVar("Part")


def import_part(place: str) -> Any:
    """The attribute that `"module:attribute"` names."""
    module, attribute = split_spec(place)
    return getattr(import_module(module), attribute)


class Registry(Generic[Part]):
    """Parts of one kind by name.

    `places` maps a name to `"module:attribute"`. Other packages add parts through the entry point group
    (`tupelo.<kind>s` unless given), a running program through `register`. What a command must know of a part,
    such as the line that describes it, is an attribute of the part: see `title`.
    """

    def __init__(
        self,
        kind: str,
        places: Mapping[str, str],
        aliases: Mapping[str, str] | None = None,
        *,
        group: str | None = None,
    ) -> None:
        self.kind = kind
        self.group = group or f"tupelo.{kind}s"
        self._places = dict(places)
        self._aliases = dict(aliases or {})
        self._registered: dict[str, Part] = {}

    def register(self, name: str, part: Part) -> Part:
        """Add a part for this process. Names that are taken are refused.

        >>> letters: Registry[str] = Registry("letter", {})
        >>> letters.register("alpha", "α"), list(letters)
        ('α', ['alpha'])
        """
        if name in self:
            raise ValueError(f"there is a {self.kind} named '{name}' already")
        self._registered[name] = part
        return part

    def resolve(self, name: str) -> str:
        """The registered name that `name` stands for; raises with a suggestion when there is none."""
        resolved = self._aliases.get(name, name)
        if resolved in self._places or resolved in self._registered or resolved in self._installed:
            return resolved
        raise UnknownNameError.among(self.kind.replace("-", " ").replace("_", " "), name, list(self), self._aliases)

    def is_registered(self, name: str) -> bool:
        """Whether a part was registered by the running program, so that other processes do not know it."""
        return self._aliases.get(name, name) in self._registered

    def get(self, name: str) -> Part:
        """Import and return the part."""
        resolved = self.resolve(name)
        if resolved in self._registered:
            return self._registered[resolved]
        place = self._places.get(resolved) or self._installed[resolved]
        return cast(Part, import_part(place))

    def title(self, name: str) -> str:
        """The line that describes a part: its `title`, else the first line of its documentation."""
        part = self.get(name)
        return str(getattr(part, "title", "")) or (part.__doc__ or "").strip().partition("\n")[0]

    def titles(self) -> dict[str, str]:
        """Every part by name, with the line that describes it."""
        return {name: self.title(name) for name in self}

    def aliases(self, name: str) -> list[str]:
        """Other names of a part, sorted."""
        return sorted(alias for alias, target in self._aliases.items() if target == name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._places, *self._installed, *self._registered)))

    def __contains__(self, name: object) -> bool:
        return name in self._aliases or name in list(self)

    @cached_property
    def _installed(self) -> dict[str, str]:
        # Takes a while to import and to run; the names of our own parts are looked up without it.
        from importlib.metadata import entry_points

        # Our own names cannot be taken over by an installed package.
        return {entry.name: entry.value for entry in entry_points(group=self.group) if entry.name not in self._places}


# Room -> name -> "module:attribute".
_calls: dict[str, Mapping[str, str]] = {}


def add_calls(room: str, places: Mapping[str, str]) -> None:
    """Offer calls in a room: `add_calls("package.room", {"build": "package.api.room:build"})`."""
    _calls[room] = places


def call_of(room: str, name: str) -> Any:
    """The call that a room offers by this name, for its `__getattr__`."""
    if name not in _calls.get(room, {}):
        raise AttributeError(f"module '{room}' has no attribute '{name}'")
    return import_part(_calls[room][name])


def calls_of(room: str) -> list[str]:
    """The names that a room offers, for its `__dir__`."""
    return sorted(_calls.get(room, {}))


# "Class.view" -> "module:function"; the function takes the value and the arguments of the caller.
_views: dict[str, str] = {}


def add_views(places: Mapping[str, str]) -> None:
    """Add renderers: `{"Score.plot": "package.module:function"}`."""
    _views.update(places)


def view(value: object, name: str, *arguments: object) -> str:
    """A view of a value as text, by the renderer of its class or of the nearest class that it derives from."""
    return str(_renderer(type(value), name)(value, *arguments))


class Shown:
    """A value that notebooks show as HTML, by the view `html` of its class."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return view(self, "html")


def picture(value: object, image_type: str, *arguments: object) -> bytes:
    """The plot of a value as an image file: `png`, `svg` or `pdf`."""
    return bytes(_renderer(type(value), "plot")(value, image_type, *arguments))


def _renderer(kind: type, name: str) -> Callable[..., Any]:
    for owner in kind.__mro__:
        if place := _views.get(f"{owner.__name__}.{name}"):
            found: Callable[..., Any] = import_part(place)
            return found
    raise LookupError(f"{kind.__name__} has no view '{name}'")
