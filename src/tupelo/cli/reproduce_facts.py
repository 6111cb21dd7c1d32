"""`tupelo reproduce facts`: the experiments of Goodrich et al. (KDD 2019) on any data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.progress import progress
from tupelo.cli.scoring import print_json
from tupelo.core import InputError
from tupelo.io.fact_texts import GOLD_FORMATS
from tupelo.io.judgements import FORMATS

if TYPE_CHECKING:
    from tupelo.api.text import Toolkit
    from tupelo.core.judgement import JudgedText
    from tupelo.facts.check import Verdict
    from tupelo.facts.checker import Checker
    from tupelo.facts.metric import FactMetric
    from tupelo.score.fact_sets import Counts
    from tupelo.score.factuality import FactualityScore

# As printed in the paper: Table 2, accuracy; Table 3, P, R and F1; Tables 7 and 8, Spearman.
PRINTED_CORRUPTION = {
    "rouge1": 97.08,
    "rouge2": 94.06,
    "rougeL": 96.02,
    "openie": 87.26,
    "binary": 46.75,
    "sentence": 59.30,
    "end-to-end": 65.44,
    "reduced": 57.10,
}
PRINTED_EXPECTED = 30.97
PRINTED_FACTS = {
    "binary": (59.60, 75.13, 66.47),
    "sentence": (63.49, 68.64, 65.96),
    "end-to-end": (71.67, 56.21, 63.01),
    "reduced": (72.16, 61.03, 66.13),
}
PRINTED_CORRELATION = {
    "rouge1": (0.583, 0.384),
    "rouge2": (0.639, 0.435),
    "rougeL": (0.634, 0.339),
    "openie": (0.258, 0.128),
    "binary": (0.596, 0.200),
    "sentence": (0.523, 0.250),
    "end-to-end": (0.645, 0.314),
    "reduced": (0.668, 0.453),
}
_RELATIONS_SHOWN = 10


@click.command()
@click.option("--texts", metavar="FILE", help="Table 2: texts to corrupt, JSON lines with `text`, or KnowledgeNet.")
@click.option("--count", default=1000, show_default=True, type=click.IntRange(1), help="How many of --texts.")
@click.option("--gold", metavar="FILE", help="Tables 3 to 5: texts with their facts.")
@click.option(
    "--gold-format",
    type=click.Choice(sorted(GOLD_FORMATS)),
    default="examples",
    show_default=True,
    help="Of --gold; `examples` is what `facts dataset` writes.",
)
@click.option(
    "--marked",
    metavar="FILE",
    help="Tables 3 and 4 with the entities given: marked pairs, as `facts dataset` writes them; needs --model.",
)
@click.option("--judged", metavar="FILE", help="Tables 7 and 8, and alpha: texts with human judgements.")
@click.option("--format", "format_name", default="qags", show_default=True, type=click.Choice(sorted(FORMATS)))
@click.option("--sources", metavar="FILE", help="Sources of --judged by id: AggreFact's CSV, or JSON lines.")
@click.option("--summaries", metavar="FILE", help="Texts of --judged by id: XSum's CSV, or JSON lines (for FRANK).")
@click.option("--split", metavar="NAME", help="Only this part of --judged, such as `valid` of FRANK.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many texts of --gold and --judged.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="openie, openie-canonical, classifier, sentence, binary, end-to-end, reduced or none; repeat. "
    "[default: all that can be opened]",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME=FOLDER",
    help="A model of your own (`facts train`) for the method NAME; repeat.",
)
@click.option("--no-network", is_flag=True, help="`check` of --judged without the support model.")
@click.option("--seed", default=0, show_default=True, type=int, help="For the swaps and the intervals.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def facts(
    texts: str | None,
    count: int,
    gold: str | None,
    gold_format: str,
    marked: str | None,
    judged: str | None,
    format_name: str,
    sources: str | None,
    summaries: str | None,
    split: str | None,
    limit: int | None,
    methods: tuple[str, ...],
    models: tuple[str, ...],
    no_network: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Factual accuracy: Tables 2 to 5, 7 and 8 of Goodrich et al. (2019), and Krippendorff's alpha.

    The paper's articles and judgements are not public, so each experiment takes a file: texts in which names are
    swapped, texts with known facts, texts that people judged. Its printed figures stand beside ours.

    \b
    Examples:
      tupelo reproduce facts --texts articles.jsonl --count 1000
      tupelo reproduce facts --gold dev_revised.json.gz --gold-format redocred --method classifier
      tupelo reproduce facts --gold examples/end_to_end.jsonl.gz --method reduced --model reduced=my-writer
      tupelo reproduce facts --marked examples/classifier.jsonl.gz --method sentence --model sentence=my-classifier
      tupelo reproduce facts --judged mturk_cnndm.jsonl --format qags --method openie
      tupelo reproduce facts --judged hallucinations.csv --format xsum-faithful --sources AggreFact-Unified-val.csv
    """
    from tupelo.api.text import load
    from tupelo.facts.checker import Checker

    if texts is None and gold is None and marked is None and judged is None:
        raise click.UsageError("give at least one of --texts, --gold, --marked and --judged")
    folders = _folders(models)
    toolkit = load()
    metrics, missing = _metrics(methods, folders, toolkit)
    report: dict[str, Any] = {"missing": missing}
    if texts is not None:
        # Verdicts without the network: what syntax, names and values alone can tell.
        report["corruption"] = _corruption(texts, count, seed, toolkit, Checker(toolkit, None), metrics)
    if gold is not None:
        report["facts"] = _gold(gold, gold_format, limit, toolkit, metrics)
    if marked is not None:
        report["marked"] = _marked(marked, folders)
    if judged is not None:
        whole, _ = _judgements(judged, format_name, split)
        pairs, without = _completed(judged, whole, sources, summaries, limit)
        checker = Checker(toolkit, None if no_network else "shipped")
        report["judged"] = {
            **_judged(pairs, seed, toolkit, checker, metrics),
            "without_text": without,
            **_raters(whole, seed),
        }
    if as_json:
        print_json(report)
    else:
        for line in _lines(report):
            click.echo(line)


def _folders(models: tuple[str, ...]) -> dict[str, str]:
    from tupelo.facts.metric import NAMES, OPEN_IE

    folders = {}
    for given in models:
        name, equals, folder = given.partition("=")
        if not equals or name not in NAMES or name in OPEN_IE:
            known = ", ".join(name for name in NAMES if name not in OPEN_IE)
            raise click.UsageError(f"--model {given}: expected NAME=FOLDER with one of {known}")
        folders[name] = folder
    return folders


def _metrics(
    names: tuple[str, ...], folders: Mapping[str, str], toolkit: Toolkit
) -> tuple[dict[str, FactMetric], dict[str, str]]:
    """The metrics that can be opened; those that cannot, with the reason. A metric that was asked for must open."""
    from tupelo.facts.metric import NAMES, fact_metric

    unknown = [name for name in names if name not in (*NAMES, "none")]
    if unknown:
        raise click.UsageError(f"no method named '{unknown[0]}'. Known: {', '.join(NAMES)}, none")
    opened, missing = {}, {}
    for name in names or NAMES:
        if name == "none":
            continue
        try:
            opened[name] = fact_metric(name, toolkit, model=folders.get(name))
        except InputError as error:
            if names or name in folders:
                raise
            missing[name] = str(error)
    return opened, missing


def _overlaps(generated: str, source: str) -> Mapping[str, float]:
    from tupelo.score.rouge import rouge

    return {name: overlap.f1 for name, overlap in rouge(generated, source).items()}


def _corruption(
    name: str, count: int, seed: int, toolkit: Toolkit, checker: Checker, metrics: Mapping[str, FactMetric]
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
        "claims": {"swapped": _verdicts(result.swapped), "unswapped": _verdicts(result.unswapped)},
        "metrics": {
            metric: {
                "accuracy": column.mean,
                "gap": column.gap,
                "error": column.error,
                "texts": len(column.values),
                "printed": PRINTED_CORRUPTION[metric] / 100 if metric in PRINTED_CORRUPTION else None,
            }
            for metric, column in result.columns.items()
        },
    }


def _verdicts(counts: Mapping[Verdict, int]) -> dict[str, int]:
    return {verdict.value: number for verdict, number in sorted(counts.items(), key=lambda item: item[0].value)}


def _gold(
    name: str, format_name: str, limit: int | None, toolkit: Toolkit, metrics: Mapping[str, FactMetric]
) -> dict[str, Any]:
    from tupelo.facts.metric import OPEN_IE
    from tupelo.io.fact_texts import read_gold
    from tupelo.score.fact_sets import by_name, count_facts

    rows = list(islice(read_gold(name, format_name, _webnlg_properties()), limit))
    if not rows:
        raise InputError(f"{name}: no texts, expected some with facts")
    analysed = [tuple(toolkit.analyze(row.text, constituents=False)) for row in rows]
    found: dict[str, Any] = {}
    with progress("texts", len(rows) * len(metrics)) as advance:
        for metric, measure in metrics.items():
            predicted = []
            for row, sentences in zip(rows, analysed, strict=True):
                predicted.append((by_name(measure.facts(sentences, row.subject), row.names), row.facts))
                advance(1)
            # Open IE has no fixed relations: as for the binary classifier, what counts is which things are related.
            related = metric == "binary" or metric in OPEN_IE
            whole, by_relation = count_facts(predicted, related=related)
            found[metric] = {**_figures(whole), "pairs_only": related, "relations": _by_relation(by_relation)}
    return {"texts": len(rows), "metrics": found}


def _webnlg_properties() -> dict[str, str]:
    """Wikidata's property for each relation of WebNLG that has one, as the shipped end-to-end model has it."""
    from tupelo.facts.models.writer import WriterModel

    try:
        return {one.name: one.wikidata for one in WriterModel().relations if one.wikidata}
    except InputError:
        return {}


def _marked(name: str, folders: Mapping[str, str]) -> dict[str, Any]:
    from tupelo.facts.extract import RELATED
    from tupelo.facts.models.examples import marked_examples
    from tupelo.facts.models.sentence import SentenceModel
    from tupelo.io.files import InputFile
    from tupelo.io.json_items import line_items
    from tupelo.score.fact_sets import count_labels

    chosen = {method: folder for method, folder in folders.items() if method in ("sentence", "binary")}
    if not chosen:
        raise click.UsageError("--marked needs --model sentence=FOLDER or --model binary=FOLDER")
    gold: dict[str, set[str]] = {}
    with InputFile(name) as file:
        # A pair with two relations has two lines.
        for example in marked_examples(line_items(file.lines()), file.name):
            gold.setdefault(example.marked, set()).update({example.property} if example.property else ())
    found = {}
    for method, folder in chosen.items():
        model = SentenceModel(folder)
        chances = model.probabilities(list(gold))
        stated = [{model.relations[number].id for number in (row >= model.threshold).nonzero()[0]} for row in chances]
        wanted = [{RELATED} if facts and method == "binary" else facts for facts in gold.values()]
        whole, by_relation = count_labels(zip(stated, wanted, strict=True))
        found[method] = {
            **_figures(whole),
            "pairs_only": method == "binary",
            "relations": _by_relation(by_relation),
        }
    return {"pairs": len(gold), "metrics": found}


def _figures(counts: Counts) -> dict[str, float]:
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1, "gold": counts.gold}


def _by_relation(counts: Mapping[str, Counts]) -> dict[str, dict[str, float]]:
    return {relation: _figures(part) for relation, part in counts.items() if part.gold}


def _judgements(name: str, format_name: str, split: str | None) -> tuple[list[JudgedText], str]:
    from tupelo.io.judgements import read_judgements

    texts, digest = read_judgements(name, format_name)
    if split is None:
        return texts, digest
    kept = [text for text in texts if text.split == split]
    if not kept:
        known = sorted({text.split for text in texts if text.split is not None})
        raise InputError(f"{name}: no text of the part '{split}', expected one of: {', '.join(known) or 'none'}")
    return kept, digest


def _completed(
    name: str, texts: list[JudgedText], sources: str | None, summaries: str | None, limit: int | None
) -> tuple[list[JudgedText], int]:
    from tupelo.io.judgements import completed, read_by_id

    kept, without = completed(
        texts,
        read_by_id(sources, "source") if sources is not None else {},
        read_by_id(summaries, "generated") if summaries is not None else {},
    )
    if not kept:
        raise InputError(
            f"{name}: no text comes with its words and its source, expected a collection with both, or files with "
            "them (--sources, --summaries)"
        )
    return kept[:limit], without


def _judged(
    texts: list[JudgedText], seed: int, toolkit: Toolkit, checker: Checker, metrics: Mapping[str, FactMetric]
) -> dict[str, Any]:
    from tupelo.facts.experiments import JudgedPair, Judging
    from tupelo.score.factuality import agreement

    pairs = [JudgedPair(text.id, text.generated, text.source or "") for text in texts]
    with progress("checking", len(pairs)) as advance:
        scores = Judging(toolkit, checker, metrics, _overlaps).run(pairs, advance)
    return {
        "texts": len(texts),
        "metrics": {
            metric: {
                **_correlations(agreement(texts, given, seed=seed)),
                # The paper's raters gave the lowest score where nothing could be verified.
                "unverifiable_as_0": _correlations(agreement(texts, given, unscored=0.0, seed=seed)),
                "printed": PRINTED_CORRELATION.get(metric),
            }
            for metric, given in scores.items()
        },
    }


def _correlations(agreed: FactualityScore) -> dict[str, Any]:
    return {
        "pearson": agreed.pearson.value,
        "pearson_interval": [agreed.pearson.low, agreed.pearson.high],
        "spearman": agreed.spearman.value,
        "spearman_interval": [agreed.spearman.low, agreed.spearman.high],
        "n": agreed.n,
    }


def _raters(texts: list[JudgedText], seed: int) -> dict[str, Any]:
    """Alpha over everything that people were asked, whether a metric can read it or not."""
    from tupelo.score.agreement import alpha_interval, krippendorff_alpha

    units = [unit for text in texts for unit in text.answers]
    level = "nominal" if any(not answer.lstrip("-").isdigit() for unit in units for answer in unit) else "ordinal"
    answers: list[tuple[Any, ...]] = [tuple(map(int, unit)) for unit in units] if level == "ordinal" else list(units)
    return {
        "alpha": krippendorff_alpha(answers, level),
        "alpha_interval": alpha_interval(answers, level, seed=seed),
        "alpha_level": level,
        "judgements": sum(map(len, units)),
        "units": len(units),
    }


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if (part := report.get("corruption")) is not None:
        yield from _corruption_lines(part)
    if (part := report.get("facts")) is not None:
        yield f"Tables 3 to 5: {part['texts']} texts"
        yield from _fact_lines(part["metrics"])
    if (part := report.get("marked")) is not None:
        yield f"Tables 3 and 4, entities given: {part['pairs']} marked pairs"
        yield from _fact_lines(part["metrics"])
    if (part := report.get("judged")) is not None:
        yield from _judged_lines(part)
    for name, reason in report["missing"].items():
        yield f"left out: {name} ({reason})"


def _corruption_lines(part: Mapping[str, Any]) -> Iterator[str]:
    aim = _percent(part["expected"])
    yield f"Table 2: {part['texts']} texts, expected accuracy {aim} (in the paper {PRINTED_EXPECTED})"
    for name, row in part["metrics"].items():
        printed = f"  paper {_percent(row['printed'])}" if row["printed"] is not None else ""
        figures = f"{_percent(row['accuracy'])}  gap {_percent(row['gap'], '+')}  error {_percent(row['error'])}"
        yield f"  {name:18} {figures}  ({row['texts']} texts){printed}"
    for kind, counts in part["claims"].items():
        shown = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
        yield f"  claims {'with' if kind == 'swapped' else 'without'} a swap: {shown or 'none'}"


def _fact_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    for name, row in metrics.items():
        printed = "  paper P {} R {} F1 {}".format(*PRINTED_FACTS[name]) if name in PRINTED_FACTS else ""
        note = "  (related pairs)" if row["pairs_only"] else ""
        yield f"  {name:18} {_prf(row)}{note}{printed}"
        for relation, figures in list(row["relations"].items())[:_RELATIONS_SHOWN]:
            yield f"    {relation:30} {_prf(figures)}  ({figures['gold']})"


def _judged_lines(part: Mapping[str, Any]) -> Iterator[str]:
    if part["alpha"] is not None:
        low, high = part["alpha_interval"]
        raters = f"{part['alpha']:.3f} [{low:.3f}, {high:.3f}] ({part['judgements']} {part['alpha_level']} answers)"
    else:
        raters = "– (no two judgements of one text)"
    without = f", {part['without_text']} without words or source left out" if part["without_text"] else ""
    yield f"Tables 7 and 8: {part['texts']} texts{without}; Krippendorff's alpha {raters}"
    for name, row in part["metrics"].items():
        yield f"  {name:18} {_correlation(row)}"
        if row["n"] < part["texts"]:
            yield f"  {'':18} {_correlation(row['unverifiable_as_0'])}  nothing to check counts as 0"
        if row["printed"]:
            yield f"  {'':18} paper: Spearman {row['printed'][0]} on actors, {row['printed'][1]} on all"


def _correlation(row: Mapping[str, Any]) -> str:
    pearson, spearman = (_interval(row[kind], row[f"{kind}_interval"]) for kind in ("pearson", "spearman"))
    return f"Spearman {spearman}  Pearson {pearson}  ({row['n']} texts)"


def _percent(share: float | None, sign: str = "") -> str:
    return "–" if share is None else f"{100 * share:{sign}.1f}"


def _prf(row: Mapping[str, float]) -> str:
    return f"P {100 * row['precision']:.1f}  R {100 * row['recall']:.1f}  F1 {100 * row['f1']:.1f}"


def _interval(value: float | None, interval: list[float]) -> str:
    return "–" if value is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
