"""`tupelo graph build`: documents to a knowledge graph."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.progress import progress

if TYPE_CHECKING:
    from tupelo.core.protocols import Canonicalizer
    from tupelo.graph.build import Report

_FAILURES_SHOWN = 20


@click.command()
@click.argument("documents", nargs=-1, required=True, metavar="DOCS...")
@click.option("--output", "-o", required=True, metavar="FILE", help="The graph: made, or brought up to date.")
@click.option(
    "--add", is_flag=True, help="Keep the documents of the graph that are not among DOCS. [default: remove them]"
)
@click.option(
    "--engine",
    default="local",
    show_default=True,
    metavar="NAME",
    help="local; or a Spark master: spark://HOST:PORT, local[CORES], yarn.",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes of the local engine. [default: one per core]"
)
@click.option("--extractor", default="default", show_default=True, metavar="NAME", help="default, rules or neural.")
@click.option(
    "--canonicalizer",
    default="lexical",
    show_default=True,
    metavar="NAME",
    help="What makes two wordings one entity or relation: lexical (names and base forms), or a method of "
    "`tupelo canonicalize`.",
)
@click.option(
    "--parser", default="en", show_default=True, metavar="NAME", help="The shipped model, or another parser."
)
@click.option("--min-confidence", type=float, metavar="X", help="Leave out tuples below this confidence.")
@click.option("--no-coref", is_flag=True, help="Leave pronouns and short names unresolved.")
@click.option(
    "--work",
    metavar="FOLDER",
    help="Where unfinished work lies; with Spark, a folder that all machines see. [default: beside the graph]",
)
@click.option("--keep-work", is_flag=True, help="Do not remove that folder when the graph is done.")
@click.option(
    "--partition-size",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    metavar="CHARACTERS",
    help="How much is handed to a worker at a time, and lost at most when it is killed.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 when a document could not be read.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def build(
    documents: tuple[str, ...],
    output: str,
    add: bool,
    engine: str,
    workers: int | None,
    extractor: str,
    canonicalizer: str,
    parser: str,
    min_confidence: float | None,
    no_coref: bool,
    work: str | None,
    keep_work: bool,
    partition_size: int,
    strict: bool,
    as_json: bool,
) -> None:
    """Make a knowledge graph of documents, or bring one up to date.

    DOCS are files (.txt, .md, .html, .jsonl, .parquet, .pdf, .docx, .zip, .tar.gz), or folders with everything below
    them. Only documents that are new or changed are read again; those that are gone are removed. A run that was
    killed goes on where it stopped when the same command is given again.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph build notes/ news.jsonl report.pdf -o kg.duckdb --workers 8
      tupelo graph build more/ -o kg.duckdb --add
      tupelo graph build notes/ -o kg.duckdb --engine spark://host:7077 --work /shared/tupelo
    """
    from datetime import UTC, datetime

    from tupelo.engine import open_engine
    from tupelo.extract import EXTRACTORS, needs_client
    from tupelo.extract.run import Form, open_extractor
    from tupelo.extract.stages import ExtractTuples
    from tupelo.graph.build import Recipe
    from tupelo.graph.build import build as build_graph
    from tupelo.graph.store import confirm, create, open_for_update
    from tupelo.io.documents.find import find_documents
    from tupelo.io.documents.stage import DocumentFiles, ReadDocuments
    from tupelo.io.workspace import FolderWorkspace, replacement, work_folder
    from tupelo.nlp import PARSERS
    from tupelo.nlp.pipeline import available_cores

    if needs_client(extractor.partition(":")[0]):
        raise click.UsageError(f"--extractor {extractor} cannot run in several processes; use tupelo extract for it.")
    PARSERS.resolve(parser.partition(":")[0])
    name, _, argument = extractor.partition(":")
    chosen = open_extractor(EXTRACTORS.resolve(name), argument, ())
    listing = find_documents(documents)
    extract = ExtractTuples(parser, extractor, form=Form(coreference=not no_coref, least_confidence=min_confidence))
    method = _canonicalizer(canonicalizer)
    recipe = Recipe(
        read=ReadDocuments(),
        extract=extract,
        extractor=f"{chosen.name} {chosen.version}",
        canonicalizer=f"{method.name} {method.version}" if method else canonicalizer,
    )
    with replacement(output) as draft:
        workspace = FolderWorkspace(work or work_folder(output))
        workspace.sweep()
        runner = open_engine(engine, workspace, workers=workers or available_cores())
        store = open_for_update(draft.path) if draft.exists else create(draft.path)
        try:
            with store:
                report = build_graph(
                    store,
                    DocumentFiles(listing.files),
                    recipe,
                    runner,
                    workspace,
                    keep_others=add,
                    now=lambda: datetime.now(UTC).replace(tzinfo=None),
                    progress=progress,
                    partition=partition_size,
                    canonicalizer=method,
                )
                counts = {name: store.count(name) for name in _COUNTED}
        finally:
            runner.close()
        confirm(draft.path, counts)
        draft.wanted = not (report.change.is_none and draft.exists)
    if not keep_work:
        workspace.remove()
    _print(_figures(report, counts, len(listing.passed_over)), report, output, as_json)
    if strict and report.failures:
        sys.exit(1)


def _canonicalizer(name: str) -> Canonicalizer | None:
    """A method by its name, with what it needs; nothing for `lexical`, which is how keys are made."""
    if name == "lexical":
        return None
    from tupelo.canon.canonicalizer import MethodCanonicalizer
    from tupelo.canon.methods import METHODS
    from tupelo.canon.resources import Resources
    from tupelo.nlp.encoder import load_encoder

    method = METHODS.get(name)()
    resources = Resources(encoder=load_encoder()) if "encoder" in method.needs else Resources()
    return MethodCanonicalizer(method, resources, tasks=("npc-e", "rpc"))


_COUNTED = ("documents", "sentences", "tuples", "entities", "relations", "edges")


def _figures(report: Report, counts: dict[str, int], passed_over: int) -> dict[str, Any]:
    change = report.change
    return {
        "added": len(change.added),
        "changed": len(change.changed),
        "removed": len(change.removed),
        "unchanged": change.kept,
        "failed": len(report.failures),
        "passed_over": passed_over,
        "read": {"sentences": report.sentences, "tuples": report.tuples},
        "graph": counts,
    }


def _print(figures: dict[str, Any], report: Report, output: str, as_json: bool) -> None:
    for failure in report.failures[:_FAILURES_SHOWN]:
        click.echo(f"skipped {failure}", err=True)
    if len(report.failures) > _FAILURES_SHOWN:
        click.echo(f"skipped {len(report.failures) - _FAILURES_SHOWN} more; see --json", err=True)
    if report.started_over:
        click.echo("the graph was made with other options, so all documents were read again", err=True)
    if as_json:
        failures = [{"record": failure.record, "reason": failure.reason} for failure in report.failures]
        click.echo(json.dumps({**figures, "failures": failures, "output": output}, ensure_ascii=False, indent=2))
        return
    moves = ", ".join(f"{figures[name]} {name}" for name in ("added", "changed", "removed", "unchanged", "failed"))
    click.echo(f"documents: {moves}")
    click.echo(f"{output}: " + ", ".join(f"{count:,} {name}" for name, count in figures["graph"].items()))
