"""A project, as described by its TOML file: checked settings, paths inside the folder; creation of new projects."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.tasks import TASKS, AnnotationTask
from tupelo.core import InputError
from tupelo.io.files import InputFile, open_output
from tupelo.io.folders import copy_file, list_files, make_folder, packaged_files

FILE = "project.toml"


@dataclass(frozen=True, slots=True)
class Training:
    """`tutorial` is a file of steps; without one, nobody is trained."""

    tutorial: str | None = None


@dataclass(frozen=True, slots=True)
class Qualification:
    """`file` holds rows with their right answers; without one, nobody is tested."""

    file: str | None = None
    pass_mark: float = 0.7
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class Review:
    """The share of a batch that is checked, by how many reviewers, and the share that must be right."""

    sample: float = 0.4
    reviewers: int = 2
    accept: float = 0.9


@dataclass(frozen=True, slots=True)
class ControlItems:
    """The share of controls, the grade that passes one, and how many misses in a row send a person back."""

    share: float = 0.1
    pass_mark: float = 0.7
    misses: int = 2


@dataclass(frozen=True, slots=True)
class Preannotation:
    """The share of assignments that begin with a suggestion of this extractor."""

    share: float = 0.0
    extractor: str = "default"


@dataclass(frozen=True, slots=True)
class Serving:
    """The address under which people reach the server."""

    url: str = "http://127.0.0.1:8770"


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is fixed while the server runs. `folder` holds its files."""

    folder: Path
    name: str
    task: str
    items: tuple[str, ...] = ()
    database: str = "annotations.sqlite"
    guidelines: str | None = None
    overlap: int = 1
    batch_size: int = 20
    lease_minutes: float = 30.0
    seed: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    training: Training = Training()
    qualification: Qualification = Qualification()
    review: Review = Review()
    controls: ControlItems = ControlItems()
    preannotation: Preannotation = Preannotation()
    server: Serving = Serving()

    def path(self, name: str) -> Path:
        """The path of a project file. Projects are untrusted, so nothing outside the folder is accessible."""
        # Not `resolve`, which raises an error of its own for a link that leads to itself.
        root = Path(os.path.realpath(self.folder))
        found = Path(os.path.realpath(root / name))
        if not found.is_relative_to(root):
            raise InputError(f"{self.folder / FILE}: '{name}' leads out of the project, expected a file inside it")
        return found

    def database_address(self) -> str:
        """The address of the database: a server's as written, or a file inside the folder."""
        if "://" in self.database:
            if self.database.startswith("sqlite"):
                raise InputError(f"{self.folder / FILE}: database '{self.database}', expected the name of a file")
            return self.database
        return f"sqlite:///{self.path(self.database)}"

    def text(self, name: str | None) -> str:
        """A text file of the project, empty when none is named."""
        if name is None:
            return ""
        with InputFile(self.path(name)) as file:
            return file.lines().text()

    def tutorial(self) -> list[dict[str, Any]]:
        """The steps of the tutorial."""
        if self.training.tutorial is None:
            return []
        where = self.path(self.training.tutorial)
        steps = _parse(self.text(self.training.tutorial), where).get("steps", [])
        if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
            raise InputError(f"{where}: 'steps' is no list of tables, expected [[steps]]")
        for number, step in enumerate(steps, start=1):
            known = {"title": str, "text": str, "row": dict, "answer": dict, "explanation": str}
            for key, value in step.items():
                if key not in known or not isinstance(value, known[key]):
                    raise InputError(f"{where}: step {number}: '{key}', expected one of {', '.join(known)}")
            if "title" not in step or ("answer" in step and "row" not in step):
                raise InputError(f"{where}: step {number}: a title or a row is missing, expected both for practice")
        return steps

    def guideline_version(self) -> str:
        """A version that changes with the guidelines and the tutorial; every record names it."""
        both = self.text(self.guidelines) + "\0" + self.text(self.training.tutorial)
        return hashlib.sha256(both.encode()).hexdigest()[:12]


# The tables of the file that are classes of their own.
_SECTIONS: dict[str, type[Any]] = {
    entry.name: type(entry.default) for entry in fields(Project) if is_dataclass(entry.default)
}
# Shares and pass marks lie between 0 and 1; counts have these minimums.
_SHARES = {"pass_mark", "sample", "accept", "share"}
_LEAST = {"attempts": 1, "reviewers": 1, "misses": 1, "overlap": 1, "batch_size": 1, "lease_minutes": 0.01, "seed": 0}
_MOST = 100_000


def load_project(folder: str | os.PathLike[str]) -> Project:
    """Read `project.toml` of a folder."""
    where = Path(folder) / FILE
    with InputFile(where) as file:
        return read_project(Path(folder), file.lines().text())


def read_project(folder: Path, text: str) -> Project:
    where = folder / FILE
    tables = _parse(text, where)
    unknown = set(tables) - {"project", "task", *_SECTIONS}
    if unknown:
        raise InputError(f"{where}: unknown table [{min(unknown)}], expected project, task, {', '.join(_SECTIONS)}")
    main = _table(tables, "project", where)
    own = [entry.name for entry in fields(Project) if entry.name not in {"folder", "settings", *_SECTIONS}]
    values = _checked(main, "project", own, Project, where)
    for needed in ("name", "task"):
        if not values.get(needed):
            raise InputError(f"{where}: [project] without {needed}, expected one")
    values["task"] = TASKS.resolve(values["task"])
    for section, kind in _SECTIONS.items():
        entries = _table(tables, section, where)
        known = [entry.name for entry in fields(kind)]
        values[section] = kind(**_checked(entries, section, known, kind, where))
    project = Project(folder=folder, settings=_table(tables, "task", where), **values)
    check_address(project.server.url, f"{where}: [server] url")
    for name in (*project.items, project.guidelines, project.training.tutorial, project.qualification.file):
        if name is not None:
            project.path(name)
    return project


def _parse(text: str, where: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: {error}, expected TOML") from error


def _table(tables: Mapping[str, Any], name: str, where: Path) -> dict[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{where}: '{name}' is no table, expected [{name}]")
    return table


def _checked(table: Mapping[str, Any], section: str, known: Sequence[str], kind: type, where: Path) -> dict[str, Any]:
    """The entries of a table, each of the type and within the bounds of its field."""
    types = {entry.name: str(entry.type) for entry in fields(kind)}
    checked: dict[str, Any] = {}
    for key, value in table.items():
        place = f"{where}: [{section}] {key}"
        if key not in known:
            raise InputError(f"{place}: no such setting, expected one of {', '.join(known)}")
        if types[key].startswith("tuple"):
            if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
                raise InputError(f"{place}: expected a list of names of files")
            checked[key] = tuple(value)
        elif types[key].startswith("str"):
            if not isinstance(value, str):
                raise InputError(f"{place} = {value!r}, expected text")
            checked[key] = value
        else:
            checked[key] = _number(key, value, types[key] == "int", place)
    return checked


def _number(key: str, value: Any, whole: bool, place: str) -> float:
    low, high = (0, 1) if key in _SHARES else (_LEAST[key], _MOST)
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        raise InputError(f"{place} = {value!r}, expected a {'whole ' * whole}number from {low} to {high}")
    return value


def check_address(url: str, place: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise InputError(f"{place} = {url!r}, expected an address such as https://annotate.example.org")


def with_address(project: Project, host: str, port: int, names: Sequence[str], url: str | None) -> Project:
    """The project as it is served at `host` and `port`; `names` are further names of this machine."""
    own = project.server != Serving()
    if url is not None:
        check_address(url, "--url")
        if own and url.rstrip("/") != project.server.url.rstrip("/"):
            place = project.folder / FILE
            raise InputError(f"{place}: url = '{project.server.url}', but --url is '{url}'; expected one address")
    elif not own:
        url = f"http://{_reachable_name(host, names)}:{port}"
    return project if url is None else replace(project, server=Serving(url))


def _reachable_name(host: str, names: Sequence[str]) -> str:
    """The name to put into links: one that was given, else the address listened on, else this machine's own."""
    if names:
        return names[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return f"[{host}]" if address.version == 6 else host


def below(project: Project, name: str) -> Project:
    """The project as it is served under a path of its own."""
    return replace(project, server=Serving(f"{project.server.url.rstrip('/')}/{name}"))


def with_setting(text: str, section: str, key: str, value: str | float | Sequence[str]) -> str:
    """The text of a project file with one setting changed; comments and everything else stay as they are."""
    written = f"{key} = {json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)}"
    lines = text.split("\n")
    inside, place = False, len(lines)
    for number, line in enumerate(lines):
        if line.strip().startswith("["):
            if inside:
                place = number
                break
            inside = line.strip() == f"[{section}]"
        elif inside and line.partition("=")[0].strip() == key:
            lines[number] = written
            return "\n".join(lines)
    if not inside:
        return "\n".join([*lines, f"[{section}]", written, ""])
    while place > 0 and not lines[place - 1].strip():
        place -= 1
    return "\n".join([*lines[:place], written, *lines[place:]])


def make_project(
    folder: Path, task: str, items: Sequence[Path], settings: Mapping[tuple[str, str], Any]
) -> list[str]:
    """Write the files of a project into a new or empty folder and return their names."""
    task = TASKS.resolve(task)
    files = example_files(TASKS.get(task), task)
    if folder.exists() and (not folder.is_dir() or list_files(folder)):
        raise InputError(f"{folder}: there is something already, expected a new folder")
    text = files[FILE].decode("utf-8")
    own = tuple(path.name for path in items)
    if len(set(own)) < len(own) or set(own) & {FILE, *files} - set(read_project(folder, text).items):
        raise InputError("two files of the same name, expected different ones")
    if own:
        for name in read_project(folder, text).items:
            del files[name]
        text = with_setting(text, "project", "items", own)
    for (section, key), value in settings.items():
        if value is not None:
            text = with_setting(text, section, key, value)
    # Report any error before creating the folder.
    project, kind = read_project(folder, text), TASKS.get(task)
    for path in items:
        items_of_rows(kind, read_rows(kind.reads, str(path)), project.settings, str(path))
    make_folder(folder)
    for path in items:
        copy_file(path, folder / path.name)
    for name, data in {**files, FILE: text.encode("utf-8")}.items():
        with open_output(folder / name) as stream:
            stream.write(data)
    return sorted([*files, *own])


def example_files(task: AnnotationTask, name: str) -> dict[str, bytes]:
    """The worked example of a task: its own `example`, or the one that ships; without either, a bare project file."""
    own = getattr(task, "example", None)
    if own is not None:
        return {file: text.encode("utf-8") for file, text in own.items()}
    bare = f'[project]\nname = "{name}"\ntask = "{name}"\nitems = []\n'
    return packaged_files("tupelo.annotate", f"examples/{name}") or {FILE: bare.encode("utf-8")}
