"""Names before imports: a table from a name to the place of a part, imported when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from tupelo.core.errors import UnknownNameError

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """Parts of one kind by name. Third-party packages join through the entry point group `tupelo.<kind>s`."""

    def __init__(self, kind: str, places: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self._places = dict(places)
        self._aliases = dict(aliases or {})

    def resolve(self, name: str) -> str:
        """The registered name that `name` stands for; raises with a suggestion when there is none."""
        resolved = self._aliases.get(name, name)
        if resolved in self._places or resolved in self._known:
            return resolved
        raise UnknownNameError.among(self.kind, name, self._known, self._aliases)

    def get(self, name: str) -> Part:
        """Import and return the part."""
        resolved = self.resolve(name)
        place = self._places.get(resolved) or self._known[resolved]
        module, _, attribute = place.partition(":")
        part: Any = getattr(import_module(module), attribute)
        return cast(Part, part)

    def aliases(self, name: str) -> list[str]:
        """Other names of a part, sorted."""
        return sorted(alias for alias, target in self._aliases.items() if target == name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __contains__(self, name: object) -> bool:
        return name in self._aliases or name in self._known

    @cached_property
    def _known(self) -> dict[str, str]:
        # Takes a while to import and to run; the names of our own parts are looked up without it.
        from importlib.metadata import entry_points

        places = dict(self._places)
        for entry in entry_points(group=f"tupelo.{self.kind}s"):
            # Our own names cannot be taken over by an installed package.
            places.setdefault(entry.name, entry.value)
        return places
