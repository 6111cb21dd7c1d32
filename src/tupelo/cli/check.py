"""`tupelo check`: does a generated text agree with its source?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tupelo.api.checking import PAIR_FORMATS, Checker, mean
from tupelo.api.files import write_lines, write_text
from tupelo.cli.options import INPUT, OUTPUT, SHARE, json_option, limit_option, option_group, print_json, warn
from tupelo.cli.progress import progress_bar
from tupelo.core.limits import Limits

collection_options = option_group(
    click.option(
        "--pairs", type=INPUT, help="A file of texts with their sources, in place of GENERATED and --source."
    ),
    click.option("--format", "format_name", default="pairs", show_default=True, type=click.Choice(PAIR_FORMATS)),
    click.option(
        "--sources", type=INPUT, metavar="FILE", help="Sources of --pairs by id: AggreFact's CSV, or JSON lines."
    ),
    click.option(
        "-o",
        "--output",
        type=OUTPUT,
        default="-",
        show_default=True,
        help="With --pairs: where the scores go, as JSON lines.",
    ),
)
checker_options = option_group(
    click.option("--extractor", default="default", show_default=True, help="What finds the claims."),
    click.option("--no-network", is_flag=True, help="Without the support model: syntax, names and values alone."),
    click.option(
        "--fact-acc",
        "fact_accuracy",
        multiple=True,
        metavar="NAME[=FOLDER]",
        help="Equation 1 as well, over the facts of classifier, sentence, binary, end-to-end, reduced, openie or "
        "openie-canonical; FOLDER is a model of your own. Repeat.",
    ),
)


@click.command()
@click.argument("generated", type=INPUT, required=False)
@click.option("--source", type=INPUT, help="The text to check against.")
@collection_options
@json_option("One JSON document with every claim.")
@click.option("--html", type=OUTPUT, metavar="HTML", help="Write a page with the claims beside their evidence.")
@checker_options
@limit_option
@click.option("--min-accuracy", type=SHARE, help="Exit with status 1 when the accuracy is below (0 to 1).")
def check(
    generated: str | None,
    source: str | None,
    as_json: bool,
    html: str | None,
    extractor: str,
    no_network: bool,
    fact_accuracy: tuple[str, ...],
    limits: Limits,
    min_accuracy: float | None,
    **collection: Any,
) -> None:
    """Check a generated text against its source, claim by claim.

    Every claim is supported, refuted or not verifiable, with the sentence of the source that is its best evidence.
    The score is the mean support of the sentences; the accuracy is the share of supported claims among those that the
    source supports or refutes.

    \b
    Examples:
      tupelo check summary.txt --source article.txt
      tupelo check summary.txt --source article.txt --html checked.html
      tupelo check summary.txt --source article.txt --fact-acc classifier --min-accuracy 0.9
      tupelo check --pairs mturk_cnndm.jsonl --format qags -o scores.jsonl
    """
    pairs = collection["pairs"]
    if (pairs is None) == (generated is None) or (generated is None) != (source is None):
        raise click.UsageError("give GENERATED with --source, or --pairs")
    if collection["sources"] is not None and pairs is None:
        raise click.UsageError("--sources belongs to --pairs; the source of one text is --source")
    if pairs is not None and (as_json or html):
        raise click.UsageError("--json and --html are for one text; --pairs always writes JSON lines")
    checker = Checker(network=not no_network, extractor=extractor, fact_accuracy=fact_accuracy, limits=limits)
    if generated is None or source is None:
        accuracy = mean(_write_pairs(checker, **collection))
        _fail_below(min_accuracy, accuracy, "no text could be checked")
        return
    checked = checker(Path(generated), Path(source))
    if html:
        write_text(html, checked.page(f"{generated} against {source}"))
    if as_json:
        print_json(checked.to_dict())
    else:
        click.echo(str(checked))
    _fail_below(min_accuracy, checked.accuracy, checked.reason)


def _write_pairs(
    checker: Checker, pairs: str, format_name: str, sources: str | None, output: str
) -> list[float | None]:
    """Write a line for each text and return the accuracies."""
    accuracies: list[float | None] = []
    with progress_bar() as progress:

        def lines() -> Iterator[str]:
            for pair in checker.pairs(pairs, format=format_name, sources=sources, progress=progress):
                accuracies.append(pair.accuracy)
                yield json.dumps(pair.to_dict(), ensure_ascii=False)

        write_lines(output, lines())
    return accuracies


def _fail_below(least: float | None, accuracy: float | None, reason: str) -> None:
    if least is None or (accuracy is not None and accuracy >= least):
        return
    known = f"is unknown ({reason}), asked for" if accuracy is None else f"{accuracy:.4f} is below"
    warn(f"accuracy {known} {least}")
    raise SystemExit(1)
