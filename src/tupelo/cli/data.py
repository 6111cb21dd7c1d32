"""`tupelo data`: the catalogue of public datasets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import click

from tupelo.api.data import CacheFolder, cached_path, dataset_info, datasets, fetch_dataset, markdown_page
from tupelo.cli.options import Json, print_result, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled

Document = Annotated[Json, "One JSON document."]


@click.group()
def data() -> None:
    """List, describe and download public datasets.

    \b
    Example:
      tupelo data list
    """


@command(datasets, name="list", group=data)
def list_datasets(
    run: Run[Any],
    markdown: Annotated[bool, "The whole catalogue as a page of documentation."] = False,
    as_json: Document = False,
) -> None:
    """List the datasets of the catalogue.

    \b
    Example:
      tupelo data list --task open-ie
    """
    if markdown:
        click.echo(markdown_page(), nl=False)
    else:
        print_result(run(), as_json)


@command(dataset_info, group=data)
def info(run: Run[Any], as_json: Document = False) -> None:
    """Describe a dataset: files, licence, citation, what is in the cache.

    \b
    Example:
      tupelo data info carb
    """
    print_result(run(), as_json)


@command(fetch_dataset, group=data)
def get(run: Run[Path]) -> None:
    """Download a dataset, or a part of it, and print the folder where it is.

    An interrupted download is resumed. Files whose checksum is
    known are verified; one that is wrong is not installed.

    \b
    Examples:
      tupelo data get carb --split dev
      tupelo data get carb --file gold/dev.tsv -o ./carb
      tupelo data get carb --split dev --from ~/downloads
    """
    click.echo(run(notice=warn))


@command(group=data)
def path(
    name: Annotated[str, Spelled.of("NAME")],
    path: Annotated[str | None, Spelled.of("[PATH]")] = None,
    *,
    cache: CacheFolder = None,
) -> None:
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
