"""`tupelo check`: does a generated text agree with its source?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tupelo.api.text import load
from tupelo.cli.progress import progress
from tupelo.cli.scoring import print_json
from tupelo.core import InputError
from tupelo.facts.check import Checked, Verdict
from tupelo.facts.checker import Checker
from tupelo.facts.page import check_page
from tupelo.io.files import open_output, write_text
from tupelo.io.judgements import FORMATS, completed, read_by_id, read_judgements
from tupelo.io.text import read_whole
from tupelo.score.rouge import rouge

if TYPE_CHECKING:
    from tupelo.api.text import Toolkit
    from tupelo.core.judgement import JudgedText
    from tupelo.facts.accuracy import Accuracy
    from tupelo.facts.metric import FactMetric

_MARKS = {Verdict.SUPPORTED: "+", Verdict.REFUTED: "x", Verdict.UNVERIFIABLE: "?"}


@click.command()
@click.argument("generated", required=False)
@click.option("--source", help="The text to check against.")
@click.option("--pairs", help="A file of texts with their sources, in place of GENERATED and --source.")
@click.option("--format", "format_name", default="pairs", show_default=True, type=click.Choice(sorted(FORMATS)))
@click.option("--sources", metavar="FILE", help="Sources of --pairs by id: AggreFact's CSV, or JSON lines.")
@click.option(
    "-o", "--output", default="-", show_default=True, help="With --pairs: where the scores go, as JSON lines."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with every claim.")
@click.option("--html", metavar="HTML", help="Write a page with the claims beside their evidence.")
@click.option("--extractor", default="default", show_default=True, help="What finds the claims.")
@click.option("--no-network", is_flag=True, help="Without the support model: syntax, names and values alone.")
@click.option(
    "--fact-acc",
    "methods",
    multiple=True,
    metavar="NAME[=FOLDER]",
    help="Equation 1 as well, over the facts of classifier, sentence, binary, end-to-end, reduced, openie or "
    "openie-canonical; FOLDER is a model of your own. Repeat.",
)
@click.option(
    "--min-accuracy", type=click.FloatRange(0, 1), help="Exit with status 1 when the accuracy is below (0 to 1)."
)
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
    methods: tuple[str, ...],
    sources: str | None,
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
      tupelo check summary.txt --source article.txt --fact-acc classifier --min-accuracy 0.9
      tupelo check --pairs mturk_cnndm.jsonl --format qags -o scores.jsonl
    """
    if (pairs is None) == (generated is None) or (generated is None) != (source is None):
        raise click.UsageError("give GENERATED with --source, or --pairs")
    if sources is not None and pairs is None:
        raise click.UsageError("--sources belongs to --pairs; the source of one text is --source")
    if pairs is not None and (as_json or html):
        raise click.UsageError("--json and --html are for one text; --pairs always writes JSON lines")
    toolkit = load(extractor=extractor)
    metrics = _metrics(methods, toolkit)
    checker = Checker(toolkit, None if no_network else "shipped")
    if pairs is not None:
        _check_pairs(checker, metrics, _read_pairs(pairs, format_name, sources), output, min_accuracy)
        return
    assert generated is not None
    assert source is not None
    text, known = read_whole(generated), read_whole(source)
    checked = checker(text, known)
    accuracies = {name: metric(text, known) for name, metric in metrics.items()}
    if html:
        write_text(html, check_page(f"{generated} against {source}", checked))
    if as_json:
        overlap = {name: item.f1 for name, item in rouge(text, known).items()}
        facts = {"fact_acc": {name: _fact_acc(found) for name, found in accuracies.items()}} if accuracies else {}
        print_json({**_document(checked), "rouge": overlap, **facts})
    else:
        _print_for_people(checked, accuracies)
    _fail_below(min_accuracy, checked.accuracy, checked.reason)


def _metrics(given: tuple[str, ...], toolkit: Toolkit) -> dict[str, FactMetric]:
    from tupelo.facts.metric import NAMES, fact_metric

    opened = {}
    for one in given:
        name, _, folder = one.partition("=")
        if name not in NAMES:
            raise click.UsageError(f"--fact-acc {one}: expected one of {', '.join(NAMES)}")
        opened[name] = fact_metric(name, toolkit, model=folder or None)
    return opened


def _fact_acc(found: Accuracy) -> dict[str, Any]:
    """The value of Equation 1 with the facts behind it, or the reason why there is none."""
    facts = {
        kind: [[fact.subject, fact.relation, fact.object] for fact in getattr(found, kind)]
        for kind in ("supported", "refuted", "unverifiable")
    }
    return {"value": found.value, "reason": found.reason or None, **facts}


def _read_pairs(pairs: str, format_name: str, sources: str | None) -> list[JudgedText]:
    texts, _ = read_judgements(pairs, format_name)
    if sources is not None:
        known = read_by_id(sources, "source")
        found, _ = completed(texts, known, {})
        by_id = {text.id: text for text in found}
        return [by_id.get(text.id, text) for text in texts]
    without = next((text.id for text in texts if text.source is None), None)
    if without is not None:
        raise InputError(
            f"{pairs}: text '{without}' comes without its source, expected a collection with sources, or a file with "
            "them (--sources)"
        )
    return texts


def _check_pairs(
    checker: Checker, metrics: Mapping[str, FactMetric], texts: list[JudgedText], output: str, least: float | None
) -> None:
    accuracies = []
    with open_output(output) as stream, progress("checking", len(texts)) as advance:
        for text in texts:
            line: dict[str, Any] = {"id": text.id, "score": None, "accuracy": None, "reason": "its source is unknown"}
            if text.source is not None:
                generated = " ".join(text.sentences) or text.generated
                checked = checker(generated, text.source)
                counts = {verdict.value: checked.count(verdict) for verdict in Verdict}
                line = {"id": text.id, "score": checked.score, "accuracy": checked.accuracy, **counts}
                if metrics:
                    line["fact_acc"] = {
                        name: metric(generated, text.source).value for name, metric in metrics.items()
                    }
                if checked.reason:
                    line["reason"] = checked.reason
                if checked.accuracy is not None:
                    accuracies.append(checked.accuracy)
            stream.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode())
            advance(1)
    _fail_below(least, sum(accuracies) / len(accuracies) if accuracies else None, "no text could be checked")


def _document(checked: Checked) -> dict[str, Any]:
    claims = [
        {
            "text": claim.text,
            "verdict": claim.verdict.value,
            "support": claim.support,
            "probability": claim.probability,
            "reason": claim.reason,
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


def _print_for_people(checked: Checked, accuracies: Mapping[str, Accuracy]) -> None:
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
    for name, found in accuracies.items():
        if found.value is None:
            click.echo(f"fact_acc {name} –   ({found.reason})")
            continue
        click.echo(f"fact_acc {name} {found.value:.3f}   ({len(found.supported)} of {found.checked} facts)")
        for fact in found.refuted:
            click.echo(f"  x {fact.subject}; {fact.relation}; {fact.object}")


def _fail_below(least: float | None, accuracy: float | None, reason: str) -> None:
    if least is None or (accuracy is not None and accuracy >= least):
        return
    known = f"is unknown ({reason}), asked for" if accuracy is None else f"{accuracy:.4f} is below"
    click.echo(f"accuracy {known} {least}", err=True)
    raise SystemExit(1)
