"""`tupelo rules`: which relations of triples imply others."""

from __future__ import annotations

import click

from tupelo.api.rules import mine_rules
from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    SHARE,
    format_option,
    json_option,
    on_error_option,
    print_json,
    report_skipped,
)
from tupelo.core.errors import OnError


@click.command()
@click.argument("triples", type=INPUT)
@click.option("--atoms", type=click.IntRange(1, 2), default=2, show_default=True, help="The longest body.")
@click.option(
    "--min-support", type=AT_LEAST_ONE, default=2, show_default=True, help="Pairs that body and head share."
)
@click.option("--min-head-coverage", type=SHARE, default=0.01, show_default=True, help="Least share of the head.")
@click.option("--min-confidence", type=SHARE, default=0.1, show_default=True, help="Least PCA confidence.")
@format_option("combo, cesi, okg, tsv or tuples.")
@on_error_option()
@json_option("One JSON document with all rules, and relations that are equal by them.")
def rules(
    triples: str,
    atoms: int,
    min_support: int,
    min_head_coverage: float,
    min_confidence: float,
    format: str,
    on_error: OnError,
    as_json: bool,
) -> None:
    """Find rules between relations, as AMIE does.

    A rule has one or two atoms in its body: *lives in(x, y)* implies *resides in(x, y)*; *was born in(x, z)* and
    *is in(z, y)* imply *comes from(x, y)*. Prints support, head coverage, confidence, PCA confidence and the rule.

    \b
    Examples:
      tupelo rules triples.tsv
      tupelo rules triples.tsv --atoms 1 --min-support 10 --min-confidence 0.5 --json
    """
    found = mine_rules(
        triples,
        atoms=atoms,
        min_support=min_support,
        min_head_coverage=min_head_coverage,
        min_confidence=min_confidence,
        format=format,
        on_error=on_error,
    )
    report_skipped(found.skipped)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(str(found))
