"""`tupelo data`: the catalogue of public datasets."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tupelo.api.data import TASKS, FetchPlaces, cached_path, dataset_info, datasets, get_dataset, markdown_page
from tupelo.cli.options import InputPath, OutputPath, json_option, print_json, warn
from tupelo.cli.progress import progress_bar

cache_option = click.option(
    "--cache",
    type=OutputPath(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Cache folder. [default: TUPELO_CACHE, else the platform's]",
)


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
@json_option("One JSON document.")
@cache_option
def list_datasets(task: str | None, markdown: bool, as_json: bool, cache: Path | None) -> None:
    """List the datasets of the catalogue.

    \b
    Example:
      tupelo data list --task open-ie
    """
    if markdown:
        click.echo(markdown_page(), nl=False)
        return
    known = datasets(task, cache=cache)
    if as_json:
        print_json(known.to_dict())
    else:
        click.echo(known)


@data.command()
@click.argument("name")
@json_option("One JSON document.")
@cache_option
def info(name: str, as_json: bool, cache: Path | None) -> None:
    """Describe a dataset: files, licence, citation, what is in the cache.

    \b
    Example:
      tupelo data info carb
    """
    described = dataset_info(name, cache=cache)
    if as_json:
        print_json(described.to_dict())
    else:
        click.echo(described)


@data.command()
@click.argument("name")
@click.option("--split", "splits", multiple=True, help="Only files of this split; repeat for more.")
@click.option("--file", "paths", multiple=True, metavar="PATH", help="Only this file; repeat for more.")
@click.option(
    "--to",
    type=OutputPath(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Put the files there, not into the cache.",
)
@click.option(
    "--from",
    "source",
    type=InputPath(path_type=Path),
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

    An interrupted download is resumed. Files whose checksum is
    known are verified; one that is wrong is not installed.

    \b
    Examples:
      tupelo data get carb --split dev
      tupelo data get carb --file gold/dev.tsv --to ./carb
      tupelo data get carb --split dev --from ~/downloads
    """
    with progress_bar() as progress:
        folder = get_dataset(
            name,
            splits=splits,
            files=paths,
            places=FetchPlaces(output=to, source=source, cache=cache),
            force=force,
            progress=progress,
            notice=warn,
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
        warn(f"tupelo: not in the cache; get it with: tupelo data get {wanted}")
        sys.exit(1)
    click.echo(found)
