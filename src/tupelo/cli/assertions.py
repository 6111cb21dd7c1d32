"""`tupelo assertions`: who does what to whom, counted over whole corpora. One module per subcommand."""

from __future__ import annotations

import click

from tupelo.cli.lazy import LazyGroup


class AssertionCommands(LazyGroup):
    places = {  # noqa: RUF012, a table of names
        "ngrams": ("tupelo.cli.assertion_ngrams:ngrams", "Text or parses to syntactic n-grams."),
        "extract": ("tupelo.cli.assertion_tables:extract", "Syntactic n-grams to counted assertions."),
        "aggregate": ("tupelo.cli.assertion_tables:aggregate", "Add up files of assertions, drop rare relations."),
        "candidates": ("tupelo.cli.assertion_candidates:candidates", "Assertions that could answer a question."),
    }


@click.group(cls=AssertionCommands)
def assertions() -> None:
    """Assertions from syntactic n-grams, and answers to questions among them.

    \b
    Example:
      echo "Dogs chase cats." | tupelo assertions ngrams | tupelo assertions extract - --min-pairs 1
    """
