"""The catalogue of public datasets: where they are, what they are for, under which licence, whom to cite.

The entries are data, in the TOML tables beside this module, one per group.
Nothing here touches the network; `tupelo.io.fetch` does the downloading.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files

from tupelo.core import InputError, UnknownNameError
from tupelo.io.catalogue.entry import TASKS, WHOLE, DataFile, Dataset, Unpack, read_table

# The order of the tables is the order of `tupelo data list`.
_TABLES = ("open_ie", "canonicalization", "inference", "factuality", "relations", "syntax", "lexicon")


class Catalogue(Mapping[str, Dataset]):
    """Datasets by name; the tables are read when the first one is asked for."""

    def __getitem__(self, name: str) -> Dataset:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @cached_property
    def _entries(self) -> dict[str, Dataset]:
        entries: dict[str, Dataset] = {}
        for table in _TABLES:
            text = files(__package__).joinpath(f"{table}.toml").read_text("utf-8")
            for entry in read_table(tomllib.loads(text), f"{table}.toml"):
                if entry.name in entries:
                    raise InputError(f"{table}.toml: {entry.name} is in the catalogue twice")
                entries[entry.name] = entry
        return entries


DATASETS: Mapping[str, Dataset] = Catalogue()


def dataset(name: str) -> Dataset:
    """The entry called `name`; an error with a suggestion when there is none."""
    try:
        return DATASETS[name]
    except KeyError:
        raise UnknownNameError.among("dataset", name, DATASETS) from None


__all__ = ["DATASETS", "TASKS", "WHOLE", "Catalogue", "DataFile", "Dataset", "Unpack", "dataset"]
