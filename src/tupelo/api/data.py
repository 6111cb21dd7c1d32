"""The catalogue of public datasets: which exist, which are on this machine, and how to get the rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from tupelo.core import UnknownNameError
from tupelo.core.parameters import Among, checked
from tupelo.core.results import ResultList, aligned_columns
from tupelo.io.catalogue import TASKS, Dataset, catalogue
from tupelo.io.catalogue import markdown_page as markdown_page
from tupelo.io.fetch import CacheFolder as CacheFolder
from tupelo.io.fetch import FetchPlaces
from tupelo.io.fetch import cached_path as cached_path
from tupelo.io.fetch import dataset_info as dataset_info
from tupelo.io.fetch import fetch_dataset as fetch_dataset
from tupelo.io.fetch.store import DatasetInfo


class DatasetList(ResultList[Dataset]):
    """Datasets of the catalogue, in order, with their folders in the cache; `info` describes one, `get` loads it."""

    def __init__(self, entries: Sequence[Dataset], cache: Path | None = None) -> None:
        super().__init__(entries)
        self._cache = cache
        self._cached = [cached_path(entry.name, cache=cache) for entry in entries]

    def info(self, name: str) -> DatasetInfo:
        """A dataset's files, licence and citation, and which files are in the cache; verifies their checksums."""
        return dataset_info(name, cache=self._cache)

    def get(self, name: str, **options: Any) -> Path:
        """Download a dataset and return its folder; the options are those of `tupelo.io.fetch.fetch_dataset`."""
        return fetch_dataset(name, **{"places": FetchPlaces(cache=self._cache), **options})

    def to_dict(self) -> list[dict[str, Any]]:
        return [
            {**entry.to_dict(), "cached": None if path is None else str(path)}
            for entry, path in zip(self, self._cached, strict=True)
        ]

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "name": entry.name,
                "task": ", ".join(entry.tasks),
                "splits": ", ".join(entry.splits),
                "cached": "yes" if path else "",
                "what it is": entry.title,
            }
            for entry, path in zip(self, self._cached, strict=True)
        ]

    def __str__(self) -> str:
        rows = self.rows()
        return aligned_columns([tuple(row) for row in rows[:1]] + [tuple(row.values()) for row in rows])


@checked
def datasets(
    task: Annotated[str | None, Among(TASKS), "Only datasets for this task."] = None, *, cache: CacheFolder = None
) -> DatasetList:
    """The public datasets of the catalogue, or those for one task of `TASKS`.

    >>> "carb" in [entry.name for entry in datasets("open-ie")]
    True
    """
    if task is not None and task not in TASKS:
        raise UnknownNameError.among("task", task, TASKS)
    return DatasetList([entry for entry in catalogue().values() if task is None or task in entry.tasks], cache)
