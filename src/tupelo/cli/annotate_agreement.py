"""`tupelo annotate agreement`: alpha, kappa and the agreement of tuples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tupelo.cli.annotate_project import database_option, open_desk, project_argument


@click.command()
@project_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option("--names", is_flag=True, help="Real names instead of annotator-1, annotator-2, …")
@database_option
def agreement(project: Path, as_json: bool, names: bool, database: str | None) -> None:
    """How far the annotators of PROJECT agree.

    \b
    Example:
      tupelo annotate agreement birds

    The grade is the mean agreement of two answers to the same item (for tuples CaRB's F1, both ways). Questions with
    labels also get Krippendorff's alpha with a 95 % bootstrap interval, and Fleiss' and Cohen's kappa.
    """
    with open_desk(project, database) as desk:
        from tupelo.annotate.answers import answered_items, counted_rows, pseudonyms, real_names
        from tupelo.annotate.quality import agreement as measure
        from tupelo.annotate.quality import insurgency_rates

        def work(connection: Any) -> dict[str, Any]:
            called = real_names(connection) if names else pseudonyms(desk, connection)
            answered = answered_items(counted_rows(connection), called)
            figures = measure(desk.task, answered, seed=desk.project.seed)
            return {**figures, "insurgency": insurgency_rates(desk.task, answered)}

        figures = desk.database.read(work)
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"{figures['items']} items with two answers or more, {figures['pairs']} pairs of answers")
    click.echo(f"agreement of two answers: {_figure(figures['grade'])}")
    for question, found in figures["questions"].items():
        low, high = _figure(found["alpha_low"]), _figure(found["alpha_high"])
        click.echo(f"{question} ({found['level']}, {found['units']} units)")
        click.echo(f"  Krippendorff's alpha {_figure(found['alpha'])}  [{low}, {high}]")
        click.echo(f"  Fleiss' kappa {_figure(found['fleiss'])}, equal answers {_figure(found['percent'])}")
        for pair, kappa in found["cohen"].items():
            click.echo(f"  Cohen's kappa {pair}: {_figure(kappa)}")
    for name, rate in figures["insurgency"].items():
        click.echo(f"insurgency of {name}: {_figure(rate)}")


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
