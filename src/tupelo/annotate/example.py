"""A new project: the worked example of its task, with the settings that were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.project import FILE, read_project, with_setting
from tupelo.annotate.tasks import TASKS
from tupelo.core import InputError
from tupelo.io.files import open_output
from tupelo.io.folders import copy_file, list_files, make_folder
from tupelo.io.packaged import packaged_files


def make_project(
    folder: Path, task: str, items: Sequence[Path], settings: Mapping[tuple[str, str], Any]
) -> list[str]:
    """Write the files of a project into a new or empty folder; their names come back."""
    task = TASKS.resolve(task)
    files = packaged_files("tupelo.annotate", f"examples/{task}")
    if FILE not in files:
        raise InputError(f"task '{task}' has no worked example, expected one of {', '.join(examples())}")
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
    # Whatever is wrong shows before a folder is there.
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


def examples() -> list[str]:
    """Tasks with a worked example."""
    found = packaged_files("tupelo.annotate", "examples")
    return sorted({name.partition("/")[0] for name in found})
