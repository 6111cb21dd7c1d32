"""`tupelo cliques`: sentences that say the same in different words."""

from __future__ import annotations

import click

from tupelo.cli.lazy import LazyGroup

# Name of a command -> where it is, and its line in `tupelo cliques --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "analyze": ("tupelo.cli.cliques_analyze:analyze", "Tables and figures about cliques and systems, on one page."),
    "build": ("tupelo.cli.cliques_build:build", "Say gold sentences in other ways, with their tuples."),
    "distance": ("tupelo.cli.cliques_distance:distance", "How far apart the syntax of sentences is."),
    "filter": ("tupelo.cli.cliques_filter:filter_cliques", "Keep the paraphrases that are worded most differently."),
}


class Commands(LazyGroup):
    places = COMMANDS


@click.group(cls=Commands)
def cliques() -> None:
    """Sentences that say the same in different words (knowledge-invariant cliques).

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques distance cliques.json
      tupelo cliques filter paraphrases.json -o cliques.json
    """
