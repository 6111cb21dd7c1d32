"""The catalogue of public datasets: which exist, which are on this machine, and how to get the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Annotated, Any

from tupelo.core import UnknownNameError
from tupelo.core.parameters import Among, At, Spelled, checked
from tupelo.core.progress import Progress
from tupelo.core.results import ResultList
from tupelo.io.catalogue import DATASETS, TASKS, Dataset, dataset
from tupelo.io.catalogue import markdown_page as markdown_page
from tupelo.io.fetch import FileState, dataset_folder, dataset_state, fetch_dataset, without_secrets
from tupelo.io.fetch import cached_path as cached_path

DatasetName = Annotated[str, Spelled.of("NAME")]
CacheFolder = Annotated[
    Path | None, At.FOLDER, Spelled.of("DIR"), "Cache folder. [default: TUPELO_CACHE, else the platform's]"
]


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A dataset of the catalogue and its local files. `str` returns a readable summary."""

    entry: Dataset
    folder: Path
    files: tuple[FileState, ...]

    @property
    def complete(self) -> bool:
        """Whether all required files are present with the right checksum."""
        return all(state.usable for state in self.files if not state.file.optional)

    def to_dict(self) -> dict[str, Any]:
        return {
            **_summary(self.entry),
            "folder": str(self.folder),
            "complete": self.complete,
            "files": [
                {
                    **asdict(state.file),
                    "address": without_secrets(state.file.address),
                    "cached": str(state.path) if state.present else None,
                    "checksum_right": state.verified,
                }
                for state in self.files
            ],
        }

    def __str__(self) -> str:
        entry = self.entry
        there = sum(state.usable for state in self.files)
        head = [
            ("name", entry.name),
            ("title", entry.title),
            ("for", f"{', '.join(entry.tasks)}: {entry.purpose}"),
            ("licence", entry.licence),
            *(("cite", citation) for citation in entry.citation),
            ("home", entry.homepage),
            ("version", entry.version),
            *([("note", entry.note)] if entry.note else []),
            ("cache", f"{self.folder} ({there} of {len(self.files)} files)"),
        ]
        header = ("file", "split", "format", "bytes", "cache", "address")
        rows = self._rows_by_split() if entry.choose else [_file_row(state) for state in self.files]
        notes = [f"{state.file.path}: {state.file.note}" for state in self.files if state.file.note]
        return "\n\n".join(filter(None, [_columns(head), _columns([header, *rows]), "\n".join(notes)]))

    def _rows_by_split(self) -> list[tuple[str, ...]]:
        """One row per split of a dataset with hundreds of similar files, with the address of the first."""
        rows = []
        for split in self.entry.splits:
            group = [state for state in self.files if state.file.split == split]
            name, *middle, _, address = _file_row(group[0])
            there = f"{sum(state.usable for state in group)} of {len(group)}"
            rows.append((f"{name} to {group[-1].file.path}", *middle, there, address))
        return rows

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


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
        """Download a dataset and return its folder; the options are those of `get_dataset`."""
        return get_dataset(name, **{"places": FetchPlaces(cache=self._cache), **options})

    def to_dict(self) -> list[dict[str, Any]]:
        return [
            {**_summary(entry), "cached": None if path is None else str(path)}
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
        return _columns([tuple(row) for row in rows[:1]] + [tuple(row.values()) for row in rows])


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
    return DatasetList([entry for entry in DATASETS.values() if task is None or task in entry.tasks], cache)


def dataset_info(name: DatasetName, *, cache: CacheFolder = None) -> DatasetInfo:
    """A dataset's files, licence and citation, and which files are in the cache; verifies their checksums."""
    entry = dataset(name)
    folder = dataset_folder(entry, cache)
    return DatasetInfo(entry, folder, dataset_state(entry, folder))


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchPlaces:
    """Destination and origin of the files of a dataset."""

    output: Annotated[Path | None, At.FOLDER, Spelled.of("DIR"), "Put the files there, not into the cache."] = None
    source: Annotated[
        Path | None,
        At.INPUT,
        Spelled.of("--from", "DIR"),
        "Take the files from this folder instead of the network; .gz forms are decompressed.",
    ] = None
    cache: CacheFolder = None


def get_dataset(
    name: DatasetName,
    *,
    splits: Annotated[Sequence[str], Spelled.of("--split"), "Only files of this split; repeat for more."] = (),
    files: Annotated[Sequence[str], Spelled.of("--file", "PATH"), "Only this file; repeat for more."] = (),
    places: FetchPlaces | None = None,
    force: Annotated[bool, "Fetch again what is there already."] = False,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Path:
    """Download a dataset, or some of its splits or files, and return its folder; `force` fetches again."""
    chosen = places or FetchPlaces()
    return fetch_dataset(
        name,
        splits=splits,
        paths=files,
        cache=chosen.cache,
        to=chosen.output,
        source=chosen.source,
        force=force,
        progress=progress,
        notice=notice,
    )


def _summary(entry: Dataset) -> dict[str, Any]:
    names = ("name", "title", "purpose", "tasks", "splits", "licence", "citation", "homepage", "version", "note")
    return {
        **{name: getattr(entry, name) for name in names},
        "file_count": len(entry.files),
        "bytes_known": sum(file.size for file in entry.files if file.size is not None),
    }


def _file_row(state: FileState) -> tuple[str, ...]:
    file = state.file
    condition = "optional" if file.optional else ""
    if state.present:
        condition = {True: "verified", False: "DAMAGED", None: "there"}[state.verified]
    return (
        file.path,
        file.split,
        file.format or "",
        f"{file.size:,}" if file.size is not None else "",
        condition,
        without_secrets(file.address) + ("" if file.verified else " (not verified)"),
    )


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Aligned columns; the last one has no width limit."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
