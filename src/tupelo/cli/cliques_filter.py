"""`tupelo cliques filter`: keep the paraphrases that are worded most differently."""

from __future__ import annotations

import click

from tupelo.cli.options import AT_LEAST_ONE, INPUT, json_option, output_option, print_json, warn
from tupelo.cli.progress import progress_bar


@click.command("filter")
@click.argument("file", type=INPUT, metavar="FILE")
@output_option()
@click.option("--keep", default=3, show_default=True, type=AT_LEAST_ONE, help="Paraphrases to keep.")
@click.option(
    "--order",
    type=click.Choice(["paper", "released"]),
    default="paper",
    show_default=True,
    help="As the paper describes it, or as the released program does it.",
)
@json_option("Report what was removed and why; with -o, besides the file.")
def filter_command(file: str, output: str, keep: int, order: str, as_json: bool) -> None:
    """Remove paraphrases of each clique in FILE until a few that differ are left.

    \b
    Examples:
      tupelo cliques filter paraphrases.json -o cliques.json
      tupelo cliques filter paraphrases.json --keep 4 --order released --json

    While there are too many, the two paraphrases with the highest BLEU are compared, and one of them is
    removed: one that is shorter than two thirds of the original, or else the one with the higher sum of
    BLEU with all others. The original always stays. Tuples stay with their sentence.
    """
    from tupelo.api.robustness import filter as filter_cliques
    from tupelo.api.robustness import write_cliques

    with progress_bar() as progress:
        result = filter_cliques(file, keep=keep, order=order, progress=progress)
    if output != "-" or not as_json:
        write_cliques(result, output)
    if as_json:
        print_json(result.to_dict())
    else:
        warn(str(result))
