"""`tupelo bench`: every Open IE benchmark at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import click

from tupelo.api.bench import BenchCard, NoGoldError, benchmarks
from tupelo.api.bench import bench as run_benchmarks
from tupelo.api.files import write_text
from tupelo.cli.compare import TableFiles
from tupelo.cli.options import Json, list_option, print_json, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Output, Spelled


@dataclass(frozen=True, slots=True)
class CardFiles:
    """The card, and the figures behind it."""

    card: Annotated[Output | None, Spelled.of("JSON"), "Write the card, which `tupelo leaderboard` reads."] = None
    sentences: Annotated[Output | None, Spelled.of("CSV"), "Write the figures of every sentence."] = None

    def write(self, found: Any) -> bool:
        """Write those that were asked for; whether one of them took standard output."""
        for name, content in ((self.card, found.json), (self.sentences, found.sentence_csv)):
            if name:
                write_text(name, content())
        return "-" in (self.card, self.sentences)


def _titles() -> dict[str, str]:
    return {name: each.title for name, each in benchmarks().items()}


@command(run_benchmarks, extra=[list_option(_titles, "List the benchmarks and exit.")])
def bench(
    run: Run[BenchCard],
    system: Annotated[tuple[str, ...], Spelled.of("EXTRACTOR|FILES…")],
    files: CardFiles,
    tables: TableFiles,
    as_json: Annotated[Json, "The card as JSON."] = False,
) -> None:
    """Score a system on every Open IE benchmark whose gold standard is at hand.

    EXTRACTOR is a name that `tupelo extract` takes; it then reads the gold sentences. FILES are the output of any
    system: each may hold sentences of several benchmarks, or belong to one, as in `carb=predictions.tsv`. Gold
    standards come from `tupelo data get` or from --data. Prints 95 % bootstrap intervals, and figures by length,
    arity and source of the sentences.

    \b
    Examples:
      tupelo bench rules --split dev
      tupelo bench predictions.tsv --only carb --only oie2016 --latex table.tex
      tupelo bench carb=a.tsv benchie=b.txt --card ours.json
    """
    try:
        found = run()
    except NoGoldError as error:
        warn(f"tupelo: {error}\nNext: {error.next_step}")
        raise SystemExit(2) from None
    taken = [each.write(found) for each in (files, tables)]
    if as_json:
        print_json(found.to_dict())
    elif not any(taken):
        click.echo(found)
    for line in found.remarks():
        warn(line)
