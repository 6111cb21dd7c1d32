"""The catalogue of public datasets: where they are, what they are for, under which licence, whom to cite.

The entries are data, in the TOML tables beside this module, one per group.
Nothing here touches the network; `tupelo.io.fetch` does the downloading.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any
from urllib.parse import quote

from tupelo.core import InputError, UnknownNameError
from tupelo.core.errors import require_name
from tupelo.core.shipped import shipped_text

# Uses of a dataset; `tupelo data list --task` filters by these.
TASKS = ("open-ie", "canonicalization", "parsing", "lexicon", "inference", "factuality", "relations")

# The split of a file that is not divided, or that holds several splits at once.
WHOLE = "all"

# No archive of the catalogue comes near this; one that does is not what it claims to be.
UNPACK_LIMIT = 4 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpack:
    """Members of an archive, and the folder for them. `strip` leading folders of a member's name are dropped."""

    into: str
    members: tuple[str, ...] = ("*",)
    strip: int = 0
    limit: int = UNPACK_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """One file of a dataset.

    `size` and `sha256` are stated only where they are known for the file at `address`. `verified` is false when the
    address was not seen in any public index, nor named by its source or by another project, when the entry was
    written. `optional` files come only when they are asked for. `gold` names the gold standard that the file is.
    """

    path: str
    address: str
    split: str = WHOLE
    format: str | None = None
    size: int | None = None
    sha256: str | None = None
    verified: bool = True
    optional: bool = False
    gold: str = ""
    unpack: Unpack | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """Path, split, format and size for a table."""
        return self.path, self.split, self.format or "", "" if self.size is None else f"{self.size:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """One entry of the catalogue. `version` names the folder in the cache, so a new version never mixes with an old.

    `choose` marks datasets that are too large to be fetched as a whole.
    """

    name: str
    title: str
    purpose: str
    tasks: tuple[str, ...]
    licence: str
    citation: tuple[str, ...]
    homepage: str
    version: str
    files: tuple[DataFile, ...]
    note: str = ""
    choose: bool = False

    @property
    def splits(self) -> tuple[str, ...]:
        """Every split that some file belongs to, in the order of the files."""
        return tuple(dict.fromkeys(file.split for file in self.files))

    def to_dict(self) -> dict[str, Any]:
        """Everything but the files, and their number and size."""
        names = ("name", "title", "purpose", "tasks", "splits", "licence", "citation", "homepage", "version", "note")
        return {
            **{name: getattr(self, name) for name in names},
            "file_count": len(self.files),
            "bytes_known": sum(file.size for file in self.files if file.size is not None),
        }

    def select(self, splits: Sequence[str] = (), paths: Sequence[str] = ()) -> tuple[DataFile, ...]:
        """The files of these splits and with these paths; without either, all that are not optional."""
        known = {file.path for file in self.files}
        for split in splits:
            require_name(f"split of {self.name}", split, self.splits)
        for path in paths:
            if path not in known:
                raise UnknownNameError.among(
                    f"file of {self.name}", path, known, listed_by=f"tupelo data info {self.name}"
                )
        if splits or paths:
            return tuple(file for file in self.files if file.split in splits or file.path in paths)
        if self.choose:
            raise InputError(
                f"{self.name}: {len(self.files)} files are too much to fetch at once, expected --split "
                f"({', '.join(self.splits)}) or --file"
            )
        return tuple(file for file in self.files if not file.optional)


def read_table(table: Mapping[str, Any], source: str) -> Iterator[Dataset]:
    """The datasets of one table of the catalogue, as parsed from TOML.

    A file row gives `at`, an address or what follows the dataset's `base`.
    A row with `parts = 99` stands for 99 files, `{part}` being 00 to 98.
    """
    for name, fields in table.items():
        try:
            yield _dataset(name, dict(fields))
        except (TypeError, KeyError, ValueError) as error:
            raise InputError(f"{source}: {name}: {error}, expected an entry as described in Dataset") from error


_NAME, _VERSION = re.compile(r"[a-z0-9][a-z0-9-]*"), re.compile(r"[A-Za-z0-9][\w.-]*")


def _dataset(name: str, fields: dict[str, Any]) -> Dataset:
    base = fields.pop("base")
    files = tuple(file for row in fields.pop("files") for file in _files(dict(row), base))
    if not _NAME.fullmatch(name) or not _VERSION.fullmatch(fields["version"]):
        raise ValueError(f"name {name!r} or version {fields['version']!r} cannot be a folder")
    for key in ("tasks", "citation"):
        fields[key] = tuple(fields[key])
    return Dataset(name=name, files=files, **fields)


def _files(row: dict[str, Any], base: str) -> Iterator[DataFile]:
    at, parts, unpack = row.pop("at"), row.pop("parts", None), row.pop("unpack", None)
    address = at if "://" in at else base + quote(at, safe="/{}")
    if unpack is not None:
        row["unpack"] = Unpack(**{**unpack, "members": tuple(unpack.get("members", ("*",)))})
    if parts is None:
        yield DataFile(address=address, **row)
        return
    digits = len(str(parts - 1))
    for part in range(parts):
        number = str(part).zfill(digits)
        replaced = {**row, "path": row["path"].replace("{part}", number)}
        yield DataFile(address=address.replace("{part}", number), **replaced)


# The order of the tables is the order of `tupelo data list`.
_TABLES = ("open_ie", "canonicalization", "inference", "factuality", "relations", "syntax", "lexicon")


@cache
def catalogue() -> dict[str, Dataset]:
    """All datasets by name; the tables are read by the first call."""
    entries: dict[str, Dataset] = {}
    for table in _TABLES:
        for entry in read_table(tomllib.loads(shipped_text(__package__, f"{table}.toml")), f"{table}.toml"):
            if entry.name in entries:
                raise InputError(f"{table}.toml: {entry.name} is in the catalogue twice")
            entries[entry.name] = entry
    return entries


def dataset(name: str) -> Dataset:
    """The entry called `name`; an error with a suggestion when there is none."""
    require_name("dataset", name, catalogue())
    return catalogue()[name]


def markdown_page() -> str:
    """The whole of `docs/datasets.md`."""
    overview = markdown_table(
        ("name", "what it is", "for", "licence"),
        ((f"[{e.name}](#{e.name})", e.title, ", ".join(e.tasks), e.licence) for e in catalogue().values()),
    )
    sections = [_section(entry) for entry in catalogue().values()]
    introduction = shipped_text(__package__, "introduction.md")
    return "\n".join([introduction.format(count=len(catalogue())), overview, *sections])


def markdown_table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    return line(header) + line(("---",) * len(header)) + "".join(map(line, rows))


def _section(entry: Dataset) -> str:
    files = markdown_table(("file", "split", "format", "bytes", "checksum", "notes"), _rows(entry))
    facts = [
        f"- Home: <{entry.homepage}>, version {entry.version}",
        f"- Licence: {entry.licence}",
        *(f"- Cite: {citation}" for citation in entry.citation),
    ]
    note = [entry.note, ""] if entry.note else []
    return "\n".join([f"## {entry.name}", "", f"**{entry.title}.** {entry.purpose}", "", *facts, "", *note, files])


def _rows(entry: Dataset) -> Iterator[tuple[str, ...]]:
    for _, group in groupby(entry.files, key=lambda file: file.split):
        files = list(group)
        if entry.choose:
            yield _row(f"`{files[0].path}` to `{files[-1].path}` ({len(files)} files)", files[0])
        else:
            yield from (_row(f"`{file.path}`", file) for file in files)


def _row(name: str, file: DataFile) -> tuple[str, ...]:
    notes = [
        file.note,
        f"unpacked into `{file.unpack.into}/`" if file.unpack else "",
        "only with `--file`" if file.optional else "",
        "" if file.verified else "address not verified",
    ]
    _, split, form, size = file.cells()
    return (
        name,
        split,
        f"`{form}`" if form else "",
        size,
        "yes" if file.sha256 else "",
        "; ".join(filter(None, notes)),
    )
