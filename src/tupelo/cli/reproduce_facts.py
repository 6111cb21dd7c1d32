"""`tupelo reproduce facts`: the experiments of Goodrich et al. (KDD 2019) on any data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.progress import progress
from tupelo.cli.scoring import print_json
from tupelo.core import InputError

if TYPE_CHECKING:
    from tupelo.core.judgement import JudgedText
    from tupelo.facts.metric import FactMetric
    from tupelo.load import Toolkit

# As printed in the paper: Table 2, accuracy; Tables 7 and 8, Spearman.
PRINTED_CORRUPTION = {
    "rouge1": 97.08, "rouge2": 94.06, "rougeL": 96.02, "openie": 87.26, "binary": 46.75, "classifier": 59.30,
    "end-to-end": 65.44, "reduced": 57.10,
}  # fmt: skip
PRINTED_EXPECTED = 30.97
PRINTED_CORRELATION = {
    "rouge1": (0.583, 0.384), "rouge2": (0.639, 0.435), "rougeL": (0.634, 0.339), "openie": (0.258, 0.128),
    "binary": (0.596, 0.200), "classifier": (0.523, 0.250), "end-to-end": (0.645, 0.314), "reduced": (0.668, 0.453),
}  # fmt: skip
_RELATIONS_SHOWN = 10


@click.command()
@click.option("--texts", metavar="FILE", help="Table 2: texts to corrupt, JSON lines with `text`, or KnowledgeNet.")
@click.option("--count", default=1000, show_default=True, type=click.IntRange(1), help="How many of them.")
@click.option("--gold", metavar="FILE", help="Tables 3 to 5: texts with facts, as `facts dataset` writes them.")
@click.option("--judged", metavar="FILE", help="Tables 7 and 8, and alpha: texts with human judgements.")
@click.option(
    "--format", "format_name", default="qags", show_default=True, help="Of --judged, as in score factuality."
)
@click.option(
    "--method", "methods", multiple=True, metavar="NAME",
    help="openie, openie-canonical, classifier, binary, end-to-end or reduced; repeat. [default: all that ship]",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, type=int, help="For the swaps and the intervals.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def facts(
    texts: str | None, count: int, gold: str | None, judged: str | None, format_name: str,
    methods: tuple[str, ...], seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Factual accuracy: Tables 2 to 5, 7 and 8 of Goodrich et al. (2019), and Krippendorff's alpha.

    The paper's articles and judgements are not public, so each experiment takes a file: texts in which names are
    swapped, texts with known facts, texts that people judged. Its printed figures stand beside ours.

    \b
    Examples:
      tupelo reproduce facts --texts articles.jsonl --count 1000
      tupelo reproduce facts --judged mturk_cnndm.jsonl --format qags --method openie
      tupelo reproduce facts --gold examples/end_to_end.jsonl.gz --method classifier
    """
    from tupelo.facts.checker import Checker
    from tupelo.load import load

    if texts is None and gold is None and judged is None:
        raise click.UsageError("give at least one of --texts, --gold and --judged")
    toolkit = load()
    metrics, missing = _metrics(methods, toolkit)
    report: dict[str, Any] = {"missing": missing}
    if texts is not None:
        # The accuracy of claims does without the network.
        report["corruption"] = _corruption(texts, count, seed, toolkit, Checker(toolkit, None), metrics)
    if gold is not None:
        report["facts"] = _gold(gold, toolkit, metrics)
    if judged is not None:
        report["judged"] = _judged(judged, format_name, seed, Checker(toolkit), metrics)
    if as_json:
        print_json(report)
    else:
        _print(report)


def _metrics(names: tuple[str, ...], toolkit: Toolkit) -> tuple[dict[str, FactMetric], dict[str, str]]:
    """The metrics that can be opened; those that cannot, with the reason. A metric that was asked for must open."""
    from tupelo.facts.metric import NAMES, fact_metric

    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise click.UsageError(f"no method named '{unknown[0]}'. Known: {', '.join(NAMES)}")
    opened, missing = {}, {}
    for name in names or NAMES:
        try:
            opened[name] = fact_metric(name, toolkit)
        except InputError as error:
            if names:
                raise
            missing[name] = str(error)
    return opened, missing


def _overlaps(generated: str, source: str) -> Mapping[str, float]:
    from tupelo.score.rouge import rouge

    return {name: overlap.f1 for name, overlap in rouge(generated, source).items()}


def _corruption(
    name: str, count: int, seed: int, toolkit: Toolkit, checker: Any, metrics: Mapping[str, FactMetric]
) -> dict[str, Any]:
    from tupelo.facts.experiments import Corruption
    from tupelo.io.fact_texts import read_texts

    experiment = Corruption(toolkit, checker, metrics, _overlaps, seed=seed)
    with progress("corrupting", count) as advance:
        result = experiment.run(read_texts(name), count, advance)
    return {
        "texts": result.texts,
        "expected": result.mean_expected,
        "printed_expected": PRINTED_EXPECTED / 100,
        "metrics": {
            metric: {
                "accuracy": column.mean,
                "gap": result.gap(metric),
                "texts": len(column.values),
                "printed": PRINTED_CORRUPTION[metric] / 100 if metric in PRINTED_CORRUPTION else None,
            }
            for metric, column in result.columns.items()
        },
    }


def _gold(name: str, toolkit: Toolkit, metrics: Mapping[str, FactMetric]) -> dict[str, Any]:
    from tupelo.io.fact_texts import read_gold
    from tupelo.score.fact_sets import count_facts

    rows = list(read_gold(name))
    analysed = [tuple(toolkit.analyze(row.text, constituents=False)) for row in rows]
    found: dict[str, Any] = {}
    for metric, measure in metrics.items():
        predicted = [
            (measure.facts(sentences, row.subject), row.facts) for row, sentences in zip(rows, analysed, strict=True)
        ]
        whole, by_relation = count_facts(predicted, related=metric == "binary")
        found[metric] = {
            "precision": whole.precision,
            "recall": whole.recall,
            "f1": whole.f1,
            "relations": {
                relation: {"precision": part.precision, "recall": part.recall, "f1": part.f1, "gold": part.gold}
                for relation, part in by_relation.items()
                if part.gold
            },
        }
    return {"texts": len(rows), "metrics": found}


def _judged(
    name: str, format_name: str, seed: int, checker: Any, metrics: Mapping[str, FactMetric]
) -> dict[str, Any]:
    from tupelo.io.judgements import read_judgements
    from tupelo.score.agreement import krippendorff_alpha
    from tupelo.score.factuality import agreement

    texts, _ = read_judgements(name, format_name)
    scores = _scores(texts, checker, metrics)
    units = [unit for text in texts for unit in text.answers]
    level = "nominal" if any(not answer.lstrip("-").isdigit() for unit in units for answer in unit) else "ordinal"
    answers: list[tuple[Any, ...]] = [tuple(map(int, unit)) for unit in units] if level == "ordinal" else list(units)
    found = {}
    for metric, given in scores.items():
        agreed = agreement(texts, given, seed=seed)
        found[metric] = {
            "pearson": agreed.pearson.value,
            "pearson_interval": [agreed.pearson.low, agreed.pearson.high],
            "spearman": agreed.spearman.value,
            "spearman_interval": [agreed.spearman.low, agreed.spearman.high],
            "n": agreed.n,
            "printed": PRINTED_CORRELATION.get(metric),
        }
    return {
        "texts": len(texts),
        "alpha": krippendorff_alpha(answers, level) if units else None,
        "alpha_level": level,
        "metrics": found,
    }


def _scores(
    texts: list[JudgedText], checker: Any, metrics: Mapping[str, FactMetric]
) -> dict[str, dict[str, float | None]]:
    from tupelo.facts.experiments import CHECK

    scores: dict[str, dict[str, float | None]] = {}

    def note(metric: str, text: JudgedText, value: float | None) -> None:
        scores.setdefault(metric, {})[text.id] = value

    with progress("checking", len(texts)) as advance:
        for text in texts:
            if text.source is None:
                raise InputError(f"text '{text.id}' comes without its source, expected a collection with sources")
            note(CHECK, text, checker(text.generated, text.source).score)
            for metric, measure in metrics.items():
                note(metric, text, measure(text.generated, text.source).value)
            for metric, value in _overlaps(text.generated, text.source).items():
                note(metric, text, value)
            advance(1)
    return scores


def _print(report: Mapping[str, Any]) -> None:
    for line in _lines(report):
        click.echo(line)


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if (part := report.get("corruption")) is not None:
        aim = part["expected"]
        yield f"Table 2: {part['texts']} texts, expected accuracy {_percent(aim)} (in the paper {PRINTED_EXPECTED})"
        for name, row in part["metrics"].items():
            printed = f"  paper {_percent(row['printed'])}" if row["printed"] is not None else ""
            figures = f"{_percent(row['accuracy'])}  gap {_percent(row['gap'], '+')}"
            yield f"  {name:18} {figures}  ({row['texts']} texts){printed}"
    if (part := report.get("facts")) is not None:
        yield f"Tables 3 to 5: {part['texts']} texts"
        for name, row in part["metrics"].items():
            yield f"  {name:18} {_prf(row)}"
            for relation, figures in list(row["relations"].items())[:_RELATIONS_SHOWN]:
                yield f"    {relation:30} {_prf(figures)}  ({figures['gold']})"
    if (part := report.get("judged")) is not None:
        alpha = "–" if part["alpha"] is None else f"{part['alpha']:.3f}"
        yield f"Tables 7 and 8: {part['texts']} texts; Krippendorff's alpha {alpha} ({part['alpha_level']})"
        for name, row in part["metrics"].items():
            pearson, spearman = (_interval(row[kind], row[f"{kind}_interval"]) for kind in ("pearson", "spearman"))
            printed = f"  paper {row['printed'][0]}, {row['printed'][1]}" if row["printed"] else ""
            yield f"  {name:18} Spearman {spearman}  Pearson {pearson}  ({row['n']}){printed}"
    for name, reason in report["missing"].items():
        yield f"left out: {name} ({reason})"


def _percent(share: float | None, sign: str = "") -> str:
    return "–" if share is None else f"{100 * share:{sign}.1f}"


def _prf(row: Mapping[str, float]) -> str:
    return f"P {100 * row['precision']:.1f}  R {100 * row['recall']:.1f}  F1 {100 * row['f1']:.1f}"


def _interval(value: float | None, interval: list[float]) -> str:
    return "–" if value is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
