"""`tupelo data`: the catalogue of public datasets."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from tupelo.cli.progress import progress
from tupelo.io.catalogue import DATASETS, TASKS, Dataset, dataset
from tupelo.io.fetch import FileState, cached_path, dataset_folder, dataset_state, fetch_dataset, without_secrets

Command = TypeVar("Command", bound=Callable[..., Any])


def cache_option(command: Command) -> Command:
    return click.option(
        "--cache",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Cache folder. [default: TUPELO_CACHE, else the platform's]",
    )(command)


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


@click.group()
def data() -> None:
    """List, describe and download public datasets.

    \b
    Example:
      tupelo data list
    """


@data.command("list")
@click.option("--task", type=click.Choice(TASKS), help="Only datasets for this task.")
@click.option("--markdown", is_flag=True, help="The whole catalogue as a page of documentation.")
@json_option
@cache_option
def list_datasets(task: str | None, markdown: bool, as_json: bool, cache: Path | None) -> None:
    """List the datasets of the catalogue.

    \b
    Example:
      tupelo data list --task open-ie
    """
    if markdown:
        from tupelo.io.catalogue.page import markdown_page

        click.echo(markdown_page(), nl=False)
        return
    entries = [entry for entry in DATASETS.values() if task is None or task in entry.tasks]
    cached = {entry.name: cached_path(entry.name, cache=cache) for entry in entries}
    if as_json:
        _print_json([{**_summary(entry), "cached": _text(cached[entry.name])} for entry in entries])
        return
    header = ("name", "task", "splits", "cached", "what it is")
    rows = [
        (
            entry.name,
            ", ".join(entry.tasks),
            ", ".join(entry.splits),
            "yes" if cached[entry.name] else "",
            entry.title,
        )
        for entry in entries
    ]
    click.echo(_columns([header, *rows]))


@data.command()
@click.argument("name")
@json_option
@cache_option
def info(name: str, as_json: bool, cache: Path | None) -> None:
    """Describe a dataset: files, licence, citation, what is in the cache.

    \b
    Example:
      tupelo data info carb
    """
    entry = dataset(name)
    folder = dataset_folder(entry, cache)
    states = dataset_state(entry, folder)
    if as_json:
        _print_json(
            {
                **_summary(entry),
                "folder": str(folder),
                "complete": all(state.usable for state in states if not state.file.optional),
                "files": [_file_json(state) for state in states],
            }
        )
    else:
        click.echo(_description(entry, folder, states))


@data.command()
@click.argument("name")
@click.option("--split", "splits", multiple=True, help="Only files of this split; repeat for more.")
@click.option("--file", "paths", multiple=True, metavar="PATH", help="Only this file; repeat for more.")
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="Put the files there, not into the cache.")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Take the files from this folder instead of the network; .gz forms are decompressed.",
)
@click.option("--force", is_flag=True, help="Fetch again what is there already.")
@cache_option
def get(
    name: str,
    splits: tuple[str, ...],
    paths: tuple[str, ...],
    to: Path | None,
    source: Path | None,
    force: bool,
    cache: Path | None,
) -> None:
    """Download a dataset, or a part of it, and print the folder where it is.

    A download that was cut goes on where it stopped. Files whose checksum is
    known are verified; one that is wrong is not installed.

    \b
    Examples:
      tupelo data get carb --split dev
      tupelo data get carb --file gold/dev.tsv --to ./carb
      tupelo data get carb --split dev --from ~/downloads
    """
    folder = fetch_dataset(
        name,
        splits=splits,
        paths=paths,
        cache=cache,
        to=to,
        source=source,
        force=force,
        progress=progress,
        notice=lambda message: click.echo(message, err=True),
    )
    click.echo(folder)


@data.command()
@click.argument("name")
@click.argument("path", required=False)
@cache_option
def path(name: str, path: str | None, cache: Path | None) -> None:
    """Print where a dataset, or one of its files, is in the cache.

    Exit status 1 when it is not there.

    \b
    Examples:
      tupelo data path carb
      tupelo data path carb gold/dev.tsv
    """
    found = cached_path(name, path, cache=cache)
    if found is None:
        wanted = f"{name} --file {path}" if path else name
        click.echo(f"tupelo: not in the cache; get it with: tupelo data get {wanted}", err=True)
        sys.exit(1)
    click.echo(found)


def _print_json(document: Any) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _summary(entry: Dataset) -> dict[str, Any]:
    known = [file.size for file in entry.files if file.size is not None]
    return {
        "name": entry.name,
        "title": entry.title,
        "purpose": entry.purpose,
        "tasks": entry.tasks,
        "splits": entry.splits,
        "licence": entry.licence,
        "citation": entry.citation,
        "homepage": entry.homepage,
        "version": entry.version,
        "note": entry.note,
        "file_count": len(entry.files),
        "bytes_known": sum(known),
    }


def _file_json(state: FileState) -> dict[str, Any]:
    file = state.file
    return {
        **asdict(file),
        "address": without_secrets(file.address),
        "cached": str(state.path) if state.present else None,
        "checksum_right": state.verified,
    }


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Aligned columns; the last one may be as long as it likes."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _description(entry: Dataset, folder: Path, states: Sequence[FileState]) -> str:
    there = sum(state.usable for state in states)
    head = [
        ("name", entry.name),
        ("title", entry.title),
        ("for", f"{', '.join(entry.tasks)}: {entry.purpose}"),
        ("licence", entry.licence),
        *(("cite", citation) for citation in entry.citation),
        ("home", entry.homepage),
        ("version", entry.version),
        *([("note", entry.note)] if entry.note else []),
        ("cache", f"{folder} ({there} of {len(states)} files)"),
    ]
    header = ("file", "split", "format", "bytes", "cache", "address")
    rows = _kind_rows(entry, states) if entry.choose else [_file_row(state) for state in states]
    notes = [f"{state.file.path}: {state.file.note}" for state in states if state.file.note]
    return "\n\n".join(filter(None, [_columns(head), _columns([header, *rows]), "\n".join(notes)]))


def _file_row(state: FileState) -> tuple[str, ...]:
    file = state.file
    return (
        file.path,
        file.split,
        file.format or "",
        f"{file.size:,}" if file.size is not None else "",
        _condition(state),
        without_secrets(file.address) + ("" if file.verified else " (not verified)"),
    )


def _kind_rows(entry: Dataset, states: Sequence[FileState]) -> list[tuple[str, ...]]:
    """One row for each split of a dataset with hundreds of equal files, with the address of the first."""
    rows = []
    for split in entry.splits:
        group = [state for state in states if state.file.split == split]
        name, *middle, _, address = _file_row(group[0])
        there = f"{sum(state.usable for state in group)} of {len(group)}"
        rows.append((f"{name} to {group[-1].file.path}", *middle, there, address))
    return rows


def _condition(state: FileState) -> str:
    if not state.present:
        return "optional" if state.file.optional else ""
    return {True: "verified", False: "DAMAGED", None: "there"}[state.verified]
