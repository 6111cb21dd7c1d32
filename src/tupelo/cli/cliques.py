"""`tupelo cliques`: sentences with the same meaning in different words."""

from __future__ import annotations

import click

from tupelo.cli.groups import LazyGroup
from tupelo.cli.options import AT_LEAST_ONE, INPUT, option_group

# Name of a command -> where it is, and its line in `tupelo cliques --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "analyze": ("tupelo.cli.cliques_analyze:analyze", "Tables and figures about cliques and systems, on one page."),
    "build": ("tupelo.cli.cliques_build:build", "Paraphrase gold sentences, with their tuples."),
    "distance": ("tupelo.cli.cliques_distance:distance", "How far apart the syntax of sentences is."),
    "filter": ("tupelo.cli.cliques_filter:filter_command", "Keep the paraphrases that are worded most differently."),
    "study": ("tupelo.cli.cliques_study:study", "Ask a language model about cliques, with more and more examples."),
}

# Where the trees of sentences come from.
parsing_options = option_group(
    click.option(
        "--trees",
        type=INPUT,
        metavar="FILE",
        help="Bracketed trees of all sentences, in the order of the cliques, instead of parsing.",
    ),
    click.option("--parser", default="en", show_default=True, metavar="NAME", help="As in `tupelo analyze`."),
    click.option("--processes", type=AT_LEAST_ONE, default=1, show_default=True, help="Processes that parse."),
)


class Commands(LazyGroup):
    places = COMMANDS


@click.group(cls=Commands)
def cliques() -> None:
    """Sentences with the same meaning in different words (knowledge-invariant cliques).

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques distance cliques.json
      tupelo cliques filter paraphrases.json -o cliques.json
    """
