"""`tupelo check`: does a generated text agree with its source?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tupelo.api.checking import PAIR_FORMATS, Checker, Gate
from tupelo.api.files import write_text
from tupelo.cli.options import (
    AT_LEAST_ONE,
    FOLDER,
    INPUT,
    OUTPUT,
    SHARE,
    Whole,
    exit_after,
    json_option,
    limit_option,
    option_group,
    print_json,
    warn,
)
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
        help="With --pairs: where claims, evidence and scores go, as JSON lines.",
    ),
    click.option("--workers", type=AT_LEAST_ONE, default=1, show_default=True, help="With --pairs: processes."),
    click.option(
        "--work",
        type=FOLDER,
        metavar="DIR",
        help="With --pairs: where finished parts are kept; the same call resumes from them. [default: beside the "
        "output, removed at the end]",
    ),
)
checker_options = option_group(
    click.option("--extractor", default="default", show_default=True, help="What finds the claims."),
    click.option(
        "--network", metavar="NAME|FOLDER", help="Another support model: an installed one, or one that you trained."
    ),
    click.option(
        "--fact-acc",
        "fact_accuracy",
        multiple=True,
        metavar="NAME[=FOLDER]",
        help="Equation 1 as well, over the facts of classifier, sentence, binary, end-to-end, reduced, openie or "
        "openie-canonical; FOLDER is a model of your own. Repeat.",
    ),
)


gate_options = option_group(
    click.option(
        "--min-supported", type=SHARE, help="Exit with status 1 when a smaller share of the claims is supported."
    ),
    click.option(
        "--max-unsupported", type=Whole(0), metavar="N", help="Exit with status 1 when more claims are not supported."
    ),
    click.option(
        "--fail-on",
        multiple=True,
        type=click.Choice(["refuted", "unverifiable", "abstained"]),
        help="Exit with status 1 when any claim has this verdict. Repeat.",
    ),
)


@click.command()
@click.argument("generated", type=INPUT, required=False)
@click.option("--source", type=INPUT, multiple=True, help="The text to check against. Repeat for several.")
@click.option("--question", metavar="TEXT", default="", help="What the text answers.")
@collection_options
@json_option("One JSON document with every claim; with --pairs, the figures of all texts.")
@click.option("--html", type=OUTPUT, metavar="HTML", help="Write a page with the text beside its evidence.")
@checker_options
@limit_option
@gate_options
def check(
    generated: str | None,
    source: tuple[str, ...],
    question: str,
    as_json: bool,
    html: str | None,
    extractor: str,
    network: str | None,
    fact_accuracy: tuple[str, ...],
    limits: Limits,
    min_supported: float | None,
    max_unsupported: int | None,
    fail_on: tuple[str, ...],
    **collection: Any,
) -> None:
    """Check a generated text against its source, claim by claim.

    Every claim is supported, refuted or not verifiable, with the sentences of the source that decided. The score is
    the expected share of supported claims. A sentence that only says that it does not know is an abstention.

    \b
    Examples:
      tupelo check summary.txt --source article.txt
      tupelo check answer.md --source one.txt --source two.txt --question "Who founded Acme?" --html checked.html
      tupelo check summary.txt --source article.txt --min-supported 0.9 --fail-on refuted
      tupelo check --pairs answers.jsonl -o checked.jsonl --workers 4
    """
    pairs = collection["pairs"]
    if (pairs is None) == (generated is None) or (generated is None) != (not source):
        raise click.UsageError("give GENERATED with --source, or --pairs")
    if pairs is None and (collection["sources"] is not None or collection["work"] is not None):
        raise click.UsageError("--sources and --work belong to --pairs; the source of one text is --source")
    if pairs is not None and (html or question):
        raise click.UsageError("--html and --question are for one text; --pairs has the questions in its file")
    if pairs is not None and as_json and collection["output"] == "-":
        raise click.UsageError("--json with --pairs needs -o: the texts would be printed in between")
    gate = Gate(min_supported, max_unsupported, fail_on)
    if generated is None:
        with progress_bar() as progress:
            checker = Checker(network=network, extractor=extractor, fact_accuracy=fact_accuracy)
            found = checker.collection(
                pairs,
                collection["output"],
                format=collection["format_name"],
                sources=collection["sources"],
                workers=collection["workers"],
                work=collection["work"],
                progress=progress,
            )
        if as_json:
            print_json(found.to_dict())
        else:
            warn(str(found))
        _hold(gate.failure(found.counts, "no text has claims"))
        exit_after(found.failures)
        return
    checker = Checker(network=network, extractor=extractor, fact_accuracy=fact_accuracy, limits=limits)
    checked = checker(Path(generated), [Path(name) for name in source], question=question)
    if html:
        write_text(html, checked.page(f"{generated} against {', '.join(source)}"))
    if as_json:
        print_json(checked.to_dict())
    else:
        click.echo(str(checked))
    _hold(gate.failure(checked.counts(), checked.reason))


def _hold(failure: str) -> None:
    if failure:
        warn(failure)
        raise SystemExit(1)
