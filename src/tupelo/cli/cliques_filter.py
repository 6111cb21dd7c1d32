"""`tupelo cliques filter`: keep the paraphrases that are worded most differently."""

from __future__ import annotations

from collections import Counter

import click

from tupelo.cli.clique_files import read_cliques
from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.cliques.filter import DEFAULT_KEEP, ORDERS, PAPER, Filtered, diversify
from tupelo.core import Clique


@click.command("filter")
@click.argument("file", metavar="FILE")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option("--keep", default=DEFAULT_KEEP, show_default=True, type=click.IntRange(1), help="Paraphrases to keep.")
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=PAPER,
    show_default=True,
    help="As the paper tells it, or as the released program does it.",
)
@click.option("--json", "as_json", is_flag=True, help="Report what was removed and why; with -o, besides the file.")
def filter_cliques(file: str, output: str, keep: int, order: str, as_json: bool) -> None:
    """Thin out the paraphrases of each clique in FILE until few that differ are left.

    \b
    Examples:
      tupelo cliques filter paraphrases.json -o cliques.json
      tupelo cliques filter paraphrases.json --keep 4 --order released --json

    While there are too many, the two paraphrases with the highest BLEU are looked at, and one of them
    goes: one that is shorter than two thirds of the original, or else the one with the higher sum of
    BLEU with all others. The original always stays. Tuples go with their sentence.
    """
    cliques = read_cliques(file)
    found = []
    with progress("comparing", total=len(cliques)) as advance:
        for clique in cliques:
            original, *paraphrases = [sentence.text for sentence in clique.sentences]
            found.append(diversify(original, paraphrases, keep=keep, order=order))
            advance(1)
    if output != "-" or not as_json:
        _write(output, cliques, found)
    if as_json:
        print_json(_document(cliques, found, keep, order))
    else:
        reasons = Counter(removal.reason for each in found for removal in each.removed)
        counts = ", ".join(f"{count:,} for {reason}" for reason, count in sorted(reasons.items())) or "none"
        left = sum(len(each.kept) for each in found)
        click.echo(f"{len(cliques):,} cliques, {left:,} paraphrases kept; removed: {counts}", err=True)


def _write(output: str, cliques: list[Clique], found: list[Filtered]) -> None:
    from tupelo.io.tuples import write_records

    kept = [
        record
        for clique, each in zip(cliques, found, strict=True)
        for position in (0, *(place + 1 for place in each.kept))
        for record in (clique.extractions[position] or (clique.sentences[position],))
    ]
    write_records(output, kept, "robust")


def _document(cliques: list[Clique], found: list[Filtered], keep: int, order: str) -> dict[str, object]:
    return {
        "keep": keep,
        "order": order,
        "cliques": [
            {
                "clique": clique.id,
                "kept": [clique.sentences[place + 1].text for place in each.kept],
                "removed": [
                    {
                        "sentence": clique.sentences[removal.position + 1].text,
                        "reason": removal.reason,
                        "partner": None if removal.partner is None else clique.sentences[removal.partner + 1].text,
                        "bleu": removal.bleu,
                    }
                    for removal in each.removed
                ],
            }
            for clique, each in zip(cliques, found, strict=True)
        ],
    }
