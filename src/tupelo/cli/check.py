"""`tupelo check`: does a generated text agree with its source?"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from tupelo.cli.progress import progress
from tupelo.cli.scoring import print_json
from tupelo.core import InputError
from tupelo.facts.check import Checked, Verdict
from tupelo.facts.checker import Checker
from tupelo.facts.page import check_page
from tupelo.io.files import open_output, write_text
from tupelo.io.judgements import FORMATS, read_judgements
from tupelo.io.text import read_whole
from tupelo.load import load
from tupelo.score.rouge import rouge

_MARKS = {Verdict.SUPPORTED: "+", Verdict.REFUTED: "x", Verdict.UNVERIFIABLE: "?"}


@click.command()
@click.argument("generated", required=False)
@click.option("--source", help="The text to check against.")
@click.option("--pairs", help="A file of texts with their sources, in place of GENERATED and --source.")
@click.option("--format", "format_name", default="pairs", show_default=True, type=click.Choice(sorted(FORMATS)))
@click.option(
    "-o", "--output", default="-", show_default=True, help="With --pairs: where the scores go, as JSON lines."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with every claim.")
@click.option("--html", metavar="HTML", help="Write a page with the claims beside their evidence.")
@click.option("--extractor", default="default", show_default=True, help="What finds the claims.")
@click.option("--no-network", is_flag=True, help="Without the support model: syntax, names and values alone.")
@click.option("--min-accuracy", type=float, help="Exit with status 1 when the accuracy is below (0 to 1).")
def check(
    generated: str | None,
    source: str | None,
    pairs: str | None,
    format_name: str,
    output: str,
    as_json: bool,
    html: str | None,
    extractor: str,
    no_network: bool,
    min_accuracy: float | None,
) -> None:
    """Check a generated text against its source, claim by claim.

    Every claim is supported, refuted or not verifiable, with the sentence of the source that speaks of it. The score
    is the mean support of the sentences; the accuracy is the share of supported claims among those that the source
    supports or refutes.

    \b
    Examples:
      tupelo check summary.txt --source article.txt
      tupelo check summary.txt --source article.txt --html checked.html
      tupelo check --pairs mturk_cnndm.jsonl --format qags -o scores.jsonl
    """
    if (pairs is None) == (generated is None) or (generated is None) != (source is None):
        raise click.UsageError("give GENERATED with --source, or --pairs")
    checker = Checker(load(extractor=extractor), None if no_network else "shipped")
    if pairs is not None:
        _check_pairs(checker, pairs, format_name, output, min_accuracy)
        return
    assert generated is not None
    assert source is not None
    text, known = read_whole(generated), read_whole(source)
    checked = checker(text, known)
    if html:
        write_text(html, check_page(f"{generated} against {source}", checked))
    if as_json:
        print_json({**_document(checked), "rouge": {name: item.f1 for name, item in rouge(text, known).items()}})
    else:
        _print_for_people(checked)
    _fail_below(min_accuracy, checked.accuracy)


def _check_pairs(checker: Checker, pairs: str, format_name: str, output: str, least: float | None) -> None:
    texts, _ = read_judgements(pairs, format_name)
    without = next((text.id for text in texts if text.source is None), None)
    if without is not None:
        raise InputError(f"{pairs}: text '{without}' comes without its source, expected a collection with sources")
    accuracies = []
    with open_output(output) as stream, progress("checking", len(texts)) as advance:
        for text in texts:
            checked = checker(" ".join(text.sentences) or text.generated, text.source or "")
            counts = {verdict.value: checked.count(verdict) for verdict in Verdict}
            line: dict[str, Any] = {"id": text.id, "score": checked.score, "accuracy": checked.accuracy, **counts}
            if checked.reason:
                line["reason"] = checked.reason
            stream.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode())
            if checked.accuracy is not None:
                accuracies.append(checked.accuracy)
            advance(1)
    _fail_below(least, sum(accuracies) / len(accuracies) if accuracies else None)


def _document(checked: Checked) -> dict[str, Any]:
    claims = [
        {
            **{name: value for name, value in asdict(claim).items() if name not in ("verdict", "evidence", "words")},
            "verdict": claim.verdict.value,
            "sentence": sentence.text,
            "evidence": None if claim.evidence is None else checked.source[claim.evidence],
        }
        for sentence in checked.sentences
        for claim in sentence.claims
    ]
    counts = {verdict.value: checked.count(verdict) for verdict in Verdict}
    return {
        "score": checked.score,
        "accuracy": checked.accuracy,
        "reason": checked.reason or None,
        **counts,
        "claims": claims,
    }


def _print_for_people(checked: Checked) -> None:
    for sentence in checked.sentences:
        click.echo(sentence.text)
        for claim in sentence.claims:
            note = f"  ({claim.reason})" if claim.reason else ""
            click.echo(f"  {_MARKS[claim.verdict]} {claim.probability:.2f}  {claim.text}{note}")
            if claim.evidence is not None and claim.verdict is not Verdict.UNVERIFIABLE:
                click.echo(f"            source: {checked.source[claim.evidence]}")
    score = "–" if checked.score is None else f"{checked.score:.3f}"
    accuracy = "–" if checked.accuracy is None else f"{checked.accuracy:.3f}"
    counts = ", ".join(f"{checked.count(verdict)} {verdict.value}" for verdict in Verdict)
    reason = f"; {checked.reason}" if checked.reason else ""
    click.echo(f"score {score}  accuracy {accuracy}   ({counts}{reason})")


def _fail_below(least: float | None, accuracy: float | None) -> None:
    if least is None:
        return
    if accuracy is None or accuracy < least:
        shown = "unknown" if accuracy is None else f"{accuracy:.4f}"
        click.echo(f"accuracy {shown} is below {least}", err=True)
        raise SystemExit(1)
