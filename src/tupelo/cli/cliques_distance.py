"""`tupelo cliques distance`: how far apart the syntax of sentences is."""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.cliques import parsing_options
from tupelo.cli.options import AT_LEAST_ONE, INPUT, NUMBER, json_option, print_json
from tupelo.cli.progress import progress_bar


@click.command()
@click.argument("file", type=INPUT, metavar="FILE")
@click.option(
    "--input",
    type=click.Choice(["cliques", "lines", "trees"]),
    default="cliques",
    show_default=True,
    help="Cliques (ROBUST JSON or tuples with groups), sentences one a line, or bracketed trees.",
)
@click.option(
    "--measure",
    default="hws",
    show_default=True,
    metavar="NAME",
    help="hws, the HWS distance, or kernel, the similarity by the convolution tree kernel.",
)
@click.option("--height", type=AT_LEAST_ONE, help="Levels of a tree that count. [default: hws 3, kernel all]")
@click.option("--discount", type=NUMBER, help="hws: weight of each further block, 0 to 1. [default: 0.5]")
@click.option("--variant", metavar="NAME", help="hws: revised, whole-blocks or released. [default: revised]")
@click.option("--decay", type=NUMBER, help="kernel: weight of each production, up to 1. [default: 0.5]")
@click.option("--each", is_flag=True, help="Every pair, one a line: clique, two sentence numbers, value.")
@json_option()
@parsing_options
def distance(file: str, each: bool, as_json: bool, **options: Any) -> None:
    """Compare the syntax of all sentences of each clique in FILE ('-' for standard input).

    \b
    Examples:
      tupelo cliques distance cliques.json
      tupelo cliques distance cliques.json --measure kernel --decay 0.3 --json
      tupelo cliques distance sentences.txt --input lines --each
      tupelo cliques distance parses.txt --input trees --variant released --each

    Prints the mean over cliques of the mean over their pairs. Sentences or trees without cliques
    count as one clique.
    """
    from tupelo.api.robustness import distances as clique_distances

    with progress_bar() as progress:
        result = clique_distances(file, progress=progress, **options)
    if as_json:
        print_json(result.to_dict())
    elif each:
        for row in result.rows():
            click.echo("\t".join(repr(value) for value in row.values()))
    else:
        click.echo(str(result))
