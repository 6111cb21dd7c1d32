"""`tupelo reproduce combo`: the tables of the COMBO paper for any file with gold clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tupelo.canon.methods import METHODS
from tupelo.core import InputError
from tupelo.core.canonical import SUBTASKS, TASKS

if TYPE_CHECKING:
    from tupelo.canon.method import CanonMethod, Prepared
    from tupelo.io.triples import TripleFile


@click.command()
@click.argument("file")
@click.option(
    "--method",
    "methods",
    multiple=True,
    default=("tupelo",),
    show_default=True,
    help="A method of `tupelo canonicalize`, or 'all'; repeat.",
)
@click.option("--tune-on", metavar="OTHER", help="Search the thresholds on this file. [default: those that ship]")
@click.option("--task", "tasks", multiple=True, type=click.Choice(list(TASKS)), help="Only this one; repeat.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the method, such as layer=5 or form=triple; repeat.",
)
@click.option("--encoder", metavar="FOLDER", help="A BERT-like model instead of the shipped encoder.")
@click.option("--word-vectors", metavar="FILE", help="Static word vectors: GloVe or word2vec, text or binary.")
@click.option("--paraphrases", metavar="FILE", help="PPDB clusters for side information.")
@click.option("--wordnet", metavar="FOLDER", help="WordNet's database files for side information.")
@click.option("--seed", default=0, show_default=True, help="For methods that draw random numbers.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def combo(file: str, methods: tuple[str, ...], tasks: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """COMBO: Tables 5, 8 and 9, entities, relations and types.

    FILE is COMBO's JSON or CESI's JSON lines. Nothing is tuned on FILE: the thresholds are
    those that ship, or those that a search on another file finds. The paper's
    figures are for a part of COMBO that is not public.

    \b
    Examples:
      tupelo reproduce combo combo.dev.json
      tupelo reproduce combo test.json --method all --tune-on combo.dev.json
    """
    run(file, methods, tasks, as_json, **options)


def run(
    file: str,
    methods: tuple[str, ...],
    tasks: tuple[str, ...],
    as_json: bool,
    *,
    tune_on: str | None,
    settings: tuple[str, ...],
    seed: int,
    **places: str | None,
) -> None:
    from tupelo.api.canonical import open_method, open_resources, parse_settings
    from tupelo.cli.options import print_json
    from tupelo.io.triples import read_triples
    from tupelo.papers.combo import PAPER_ROWS, combo_table, printed
    from tupelo.score.result import file_mark, signature

    data = read_triples(file)
    other = None if tune_on is None else read_triples(tune_on)
    wanted = [subtask for task in tasks or TASKS for subtask in TASKS[task] if subtask in data.gold]
    if not wanted:
        raise InputError(
            f"{file}: no gold labels for {', '.join(tasks or TASKS)}, expected a file with gold clusters"
        )
    names = list(METHODS) if "all" in methods else [METHODS.resolve(name) for name in methods]
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name in names:
        method = open_method(name, parse_settings(settings))
        resources = open_resources(method, data, **places)
        found[name] = rate(method, resources, data, other, wanted, seed)
    marks = {"data": file_mark(file, data.checksum)} | (
        {"tuned": file_mark(str(tune_on), other.checksum)} if other is not None else {}
    )
    mark = signature("combo", {"seed": seed, "settings": "+".join(settings) or "default"}, marks)
    if as_json:
        paper = {name: printed(PAPER_ROWS[name]) for name in names if name in PAPER_ROWS}
        print_json({"file": file, "triples": len(data.mentions), "methods": found, "paper": paper, "signature": mark})
    else:
        click.echo(combo_table(found, wanted).text() + f"\n{mark}")


def rate(
    method: CanonMethod, resources: Any, data: TripleFile, other: TripleFile | None, subtasks: list[str], seed: int
) -> dict[str, dict[str, Any]]:
    """All columns of one method, with the thresholds that gave them."""
    from tupelo.canon.canonicalizer import threshold_of
    from tupelo.cli.progress import progress

    with progress(f"{method.name}") as advance:
        prepared = method.prepare(data.mentions, resources, seed=seed, advance=advance)
        tuned = None if other is None else method.prepare(other.mentions, resources, seed=seed, advance=advance)
        figures = {}
        for subtask in subtasks:
            threshold = (
                threshold_of(method, subtask) if tuned is None or other is None else tune(tuned, other, subtask)
            )
            figures[subtask] = measure(prepared, data, subtask, threshold)
            advance(1)
    return figures


def tune(prepared: Prepared, data: TripleFile, subtask: str) -> float:
    """The threshold that the published search finds on a file."""
    from tupelo.canon.search import search_threshold
    from tupelo.papers.combo import gold_clusters, search_score

    gold = gold_clusters(_labels(data, subtask))
    members = [mention.id for mention in data.mentions]
    search = search_threshold(
        prepared.subtask(subtask), lambda labels: search_score(gold, members, labels), len(gold)
    )
    return search.best.threshold


def measure(prepared: Prepared, data: TripleFile, subtask: str, threshold: float) -> dict[str, Any]:
    """The columns of one subtask at a threshold; for types also those of the full hierarchy."""
    from tupelo.papers.combo import clusters_of, gold_clusters, rate_flat, rate_tree

    gold = gold_clusters(_labels(data, subtask))
    members = [mention.id for mention in data.mentions]
    cut = prepared.subtask(subtask)
    judged = clusters_of(cut.labels(threshold), members, _labels(data, subtask))
    figures = rate_flat(subtask, gold, judged) | {"threshold": threshold}
    if subtask.endswith("-type"):
        tree = cut.tree()
        if tree is not None:
            figures |= rate_tree(gold, members, tree.children)
    return figures


def _labels(data: TripleFile, subtask: str) -> Mapping[str, frozenset[str]]:
    if subtask not in data.gold:
        raise InputError(f"no gold labels for '{subtask}' in the file to tune on, expected {', '.join(SUBTASKS)}")
    return data.gold[subtask]
