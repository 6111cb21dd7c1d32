"""`tupelo rules`: which relations of triples imply others."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.rules import Rules, mine_rules
from tupelo.cli.options import Json, show
from tupelo.cli.signature import Run, command


@command(mine_rules)
def rules(
    run: Run[Rules],
    as_json: Annotated[Json, "One JSON document with all rules, and relations that are equal by them."] = False,
) -> None:
    """Find rules between relations, as AMIE does.

    A rule has one or two atoms in its body: *lives in(x, y)* implies *resides in(x, y)*; *was born in(x, z)* and
    *is in(z, y)* imply *comes from(x, y)*. Prints support, head coverage, confidence, PCA confidence and the rule.

    \b
    Examples:
      tupelo rules triples.tsv
      tupelo rules triples.tsv --atoms 1 --min-support 10 --min-confidence 0.5 --json
    """
    show(run(), as_json)
