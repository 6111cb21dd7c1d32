"""`tupelo score clusters`: predicted clusters against gold clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.scoring import fix_option, print_json
from tupelo.core import FormatError, InputError
from tupelo.core.canonical import SUBTASKS

if TYPE_CHECKING:
    from tupelo.io.cluster_files import ClusterFile
    from tupelo.score.clusters import FlatScores, HierarchyScores

_KINDS = ("macro", "micro", "pair")


def _list_quirks(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.score.clusters import ClusterMetric

        for name, explanation in ClusterMetric.quirks.items():
            click.echo(f"{name}: {explanation}")
        context.exit()


@click.command()
@click.argument("gold")
@click.argument("clusters")
@click.option(
    "--subtask",
    "subtasks",
    multiple=True,
    type=click.Choice(list(SUBTASKS)),
    help="Score this one; repeat. [default: all that both files have]",
)
@click.option(
    "--format",
    "format_name",
    default="auto",
    show_default=True,
    metavar="FMT",
    help="Format of the clusters: jsonl, lists, sized, tabs, combo, cesi or okg.",
)
@click.option("--gold-format", default="auto", show_default=True, metavar="FMT", help="Format of the gold file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option(
    "--min-average", type=float, metavar="AVG", help="Exit with status 1 when an average is below (0 to 1)."
)
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip"]),
    default="raise",
    show_default=True,
    help="What to do with a faulty line: stop, or skip it and list it on standard error.",
)
@click.option("--strict", is_flag=True, help="Exit with status 1 when lines were skipped.")
@fix_option
@click.option(
    "--list-quirks",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_quirks,
    help="Name the defects of the original program that --fix can correct, and exit.",
)
def clusters(gold: str, clusters: str, subtasks: tuple[str, ...], **options: Any) -> None:
    """Clusters of phrases: macro, micro, pairwise and, for types, Jaccard figures.

    GOLD holds triples with gold labels (COMBO, CESI, OKG) or bare clusters;
    CLUSTERS is what `tupelo canonicalize` writes, or bare clusters.

    \b
    Examples:
      tupelo score clusters combo.dev.json clusters.jsonl
      tupelo score clusters combo.dev.json clusters.json --subtask relation --json
      tupelo score clusters gold_npclust.txt predicted.tsv
    """
    run(gold, clusters, subtasks, **options)


def run(
    gold: str,
    clusters: str,
    subtasks: tuple[str, ...],
    *,
    format_name: str,
    gold_format: str,
    as_json: bool,
    min_average: float | None,
    on_error: str,
    strict: bool,
    fixes: tuple[str, ...],
) -> None:
    from tupelo.io.cluster_files import read_cluster_file
    from tupelo.score.clusters import ClusterMetric
    from tupelo.score.signature import file_mark, signature

    metric = ClusterMetric(fixes=fixes)
    skipped: list[FormatError] = []
    collect = skipped.append if on_error == "skip" else None
    gold_side = read_cluster_file(gold, gold_format, collect)
    predicted = read_cluster_file(clusters, format_name, collect)
    for error in skipped:
        click.echo(f"skipped {error}", err=True)
    data = {
        "gold": file_mark(gold_side.name, gold_side.checksum),
        "pred": file_mark(predicted.name, predicted.checksum),
        **({"skipped": str(len(skipped))} if skipped else {}),
    }
    found = {name: _score_one(metric, name, gold_side, predicted) for name in _common(gold_side, predicted, subtasks)}
    mark = signature(metric.name, metric.options(), data)
    if as_json:
        print_json({"scorer": metric.name, "subtasks": found, "signature": mark})
    else:
        click.echo(_table(found, mark), nl=False)
    low = [name for name, figures in found.items() if min_average is not None and figures["average"] < min_average]
    for name in low:
        click.echo(f"{name}: the average {found[name]['average']:.4f} is below {min_average}", err=True)
    if low or (strict and skipped):
        raise SystemExit(1)


def _common(gold: ClusterFile, predicted: ClusterFile, asked: Sequence[str]) -> list[str]:
    """What to score: what was asked for, or all that both files have. Bare clusters fit whatever is asked for."""
    from tupelo.io.cluster_files import BARE

    if BARE in gold.clusters and BARE in predicted.clusters:
        if asked:
            raise InputError("both files hold bare clusters, expected no --subtask")
        return [BARE]
    if BARE in gold.clusters or BARE in predicted.clusters:
        labelled = predicted if BARE in gold.clusters else gold
        bare = gold if BARE in gold.clusters else predicted
        if len(asked) != 1:
            raise InputError(
                f"{bare.name} holds bare clusters, {labelled.name} those of {', '.join(labelled.clusters)}: "
                "say with --subtask which one is meant"
            )
    names = list(asked) or [name for name in SUBTASKS if name in gold.clusters and name in predicted.clusters]
    for side in (gold, predicted):
        for name in names:
            if name not in side.clusters and BARE not in side.clusters:
                raise InputError(
                    f"{side.name}: no clusters for '{name}', it has {', '.join(side.clusters) or 'none'}"
                )
    if not names:
        raise InputError(
            f"nothing to score: {gold.name} has {', '.join(gold.clusters) or 'no clusters'}, "
            f"{predicted.name} has {', '.join(predicted.clusters) or 'no clusters'}"
        )
    return names


def _score_one(metric: Any, name: str, gold: ClusterFile, predicted: ClusterFile) -> dict[str, Any]:
    from tupelo.io.cluster_files import BARE

    truth = gold.clusters.get(name) or gold.clusters.get(BARE) or []
    found = predicted.clusters.get(name) or predicted.clusters.get(BARE) or []
    elements = {element for cluster in truth for element in cluster}
    given = {element for cluster in found for element in cluster}
    if given and not given & elements:
        raise InputError(
            f"no element of {predicted.name} is known to {gold.name}; first: {min(given)!r}, expected ids such as "
            f"{min(elements, default='')!r}"
        )
    flat: FlatScores = metric.flat(truth, found)
    figures = flat.to_json()
    figures["average"] = flat.average_of_two if name == "relation" else flat.average
    if name.endswith("-type"):
        nested = predicted.nested.get(name) or predicted.nested.get(BARE) or []
        hierarchy: HierarchyScores = metric.hierarchy(truth, nested, total=len(given | elements))
        figures["jaccard"] = hierarchy.to_json()
    figures |= {"elements": len(elements), "covered": len(elements & given), "unknown": len(given - elements)}
    return figures


def _table(found: dict[str, dict[str, Any]], mark: str) -> str:
    from tupelo.score.tables import Table, percent

    header = (
        "",
        *(f"{kind} {key}" for kind in _KINDS for key in ("P", "R", "F1")),
        "average",
        "Jaccard",
        "clusters",
        "gold",
        "largest",
        "covered",
    )
    rows = tuple(
        (
            name,
            *(percent(figures[kind][key]) for kind in _KINDS for key in ("precision", "recall", "f1")),
            percent(figures["average"]),
            percent(figures["jaccard"]["average"]) if "jaccard" in figures else "–",
            f"{figures['predicted_clusters']:,}",
            f"{figures['gold_clusters']:,}",
            f"{figures['largest_cluster']:,}",
            percent(figures["covered"] / figures["elements"] if figures["elements"] else None),
        )
        for name, figures in found.items()
    )
    return Table(header, rows, (mark,)).text()
