"""Options that several graph commands share, and base forms of asked relations."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tupelo.graph.filters import Filters

Command = TypeVar("Command", bound=Callable[..., Any])
STANCES = ("asserted", "possible", "denied")

graph_argument = click.argument("graph", type=click.Path(path_type=Path), metavar="GRAPH")


def filter_options(command: Command) -> Command:
    """Which edges count."""
    for option in reversed(
        (
            click.option(
                "--min-confidence",
                type=click.FloatRange(0, 1),
                default=0.0,
                show_default=True,
                metavar="C",
                help="Only edges at least this sure.",
            ),
            click.option(
                "--stance",
                "stances",
                type=click.Choice(STANCES),
                multiple=True,
                default=("asserted", "possible"),
                show_default=True,
                help="What the text claims, holds possible, or denies; repeat for more.",
            ),
            click.option("--since", metavar="TIME", help="Only edges with a time that is not over before this one."),
            click.option("--until", metavar="TIME", help="Only edges with a time that began by then."),
            click.option("--source", metavar="GLOB", help="Only edges from documents such as 'news/*'."),
        )
    ):
        command = option(command)
    return command


def filters_from(
    min_confidence: float, stances: tuple[str, ...], since: str | None, until: str | None, source: str | None
) -> Filters:
    from tupelo.graph.filters import Filters, first_day, last_day

    return Filters(
        min_confidence=min_confidence,
        stances=stances,
        since=first_day(since) if since else None,
        until=last_day(until) if until else None,
        source=source,
    )


@lru_cache(maxsize=256)
def base_forms(words: str) -> frozenset[str]:
    """What the first word of a relation may be the form of: "founds it" -> {"found it"}."""
    from tupelo.nlp.lemmas import Lemmatizer

    lemmatizer = Lemmatizer()
    first, *rest = words.lower().split() or [""]
    found = {lemmatizer.lemma(first, "VERB", tag) for tag in ("VB", "VBZ", "VBD", "VBN", "VBG")}
    return frozenset(" ".join([form, *rest]) for form in found if form)
