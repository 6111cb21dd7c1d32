"""`tupelo graph`: the commands about a knowledge graph."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from tupelo.api.files import write_lines, write_text
from tupelo.api.graph import Filters, Graph, read_questions
from tupelo.api.text import load
from tupelo.cli.options import Json, exit_after, json_text, list_option, print_result, show, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import (
    About,
    At,
    Between,
    Count,
    ExtractorName,
    Input,
    MinRank,
    Output,
    ParserName,
    PathLike,
    Share,
    Spelled,
    Whole,
    Workers,
)

if TYPE_CHECKING:
    from tupelo.api.graph import AnswerTable, BuildReport, Conflicts, Events, GraphView, Report, Statistics

GraphFile = Annotated[Path, At.INPUT]


def open_graph(graph: GraphFile) -> AbstractContextManager[Graph]:
    return Graph.open(graph)


graph_command = partial(command, opens=open_graph)


@command(Graph.build)
def build(
    run: Run[Graph],
    documents: Annotated[tuple[str, ...], At.INPUT, Spelled.of("DOCS...")],
    output: Annotated[Output, "The graph: made, or brought up to date."],
    extractor: ExtractorName = "default",
    parser: ParserName = "en",
    workers: Annotated[Workers | None, "Processes of the local engine. [default: one per core]"] = None,
    as_json: Annotated[Json, "Print one JSON document."] = False,
) -> None:
    """Make a knowledge graph from documents, or bring one up to date.

    DOCS are files (.txt, .md, .html, .jsonl, .parquet, .pdf, .docx, .zip, .tar.gz), or folders with everything below
    them. Only documents that are new or changed are read again; those that are gone are removed. A run that was
    killed resumes when the same command is given again. What fails is listed with the reason, is tried again by
    the next build, and makes the exit status 1; `graph stats` lists it as well.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph build notes/ news.jsonl report.pdf -o kg.duckdb --workers 8
      tupelo graph build more/ -o kg.duckdb --add
      tupelo graph build notes/ -o kg.duckdb --schema wikidata
      tupelo graph build notes/ -o kg.duckdb --engine spark://host:7077 --work /shared/tupelo
    """
    with run(path=output, nlp=load(parser, extractor=extractor)) as graph:
        report = graph.changes
    assert report is not None
    if report.reread:
        warn(f"{report.reread} documents had been read with other options and were read again")
    if report.outdated:
        warn(f"{report.outdated} documents were read with other options, and stay so until they are named again")
    print_result(report, as_json)
    if report.nothing_read:
        warn("nothing could be read, expected documents; the graph holds what it held before")
    exit_after(report.failures)
    if report.nothing_read:
        sys.exit(1)


@dataclass(frozen=True, slots=True)
class Question:
    """One of several kinds of question, and its options."""

    types: Annotated[
        Mapping[str, str] | None, Spelled.of("--type", "VAR=TYPE"), "The type of a variable: who=person."
    ] = None
    infer: Annotated[bool, "Answer also with relations that entail the asked one."] = False
    infer_method: Annotated[str | None, Spelled.of("NAME"), "For --infer; `tupelo infer --help` lists them."] = None
    min_entailment: Annotated[Share, "How strongly a relation must entail the asked one."] = 0.5
    neighbours: Annotated[str | None, Spelled.of("NAME"), "The edges around an entity."] = None
    depth: Annotated[int, Between(1, 5), "Steps for --neighbours."] = 1
    path: Annotated[tuple[str, str] | None, Spelled.of("FROM TO"), "The shortest paths between two entities."] = None
    longest: Annotated[int, Between(1, 20), "Steps for --path."] = 6
    directed: Annotated[bool, "Paths follow the direction of the edges."] = False
    search: Annotated[str | None, Spelled.of("WORDS"), "Sentences by their words, best first."] = None
    sql: Annotated[str | None, Spelled.of("SQL"), "One statement that reads the tables of the graph."] = None
    sparql: Annotated[str | None, Spelled.of("QUERY"), "A query of the exported RDF (extra `rdf`)."] = None

    def kind(self, patterns: tuple[str, ...]) -> str:
        """The kind of question: `patterns`, or the name of an option."""
        named = ("neighbours", "path", "search", "sql", "sparql")
        asked: list[str] = [
            *(["patterns"] if patterns else ()),
            *(name for name in named if getattr(self, name) is not None),
        ]
        if len(asked) != 1:
            raise click.UsageError(
                "expected patterns, --neighbours, --path, --search, --sql or --sparql, one of them"
            )
        return asked[0]

    def answers(self, graph: Graph, patterns: tuple[str, ...], filters: Filters, shown: Shown) -> AnswerTable:
        limit: dict[str, Any] = {"limit": shown.limit}
        edges = {**limit, "filters": filters, "evidence": shown.sentences if shown.evidence else 0}
        kinds: dict[str, Callable[[], AnswerTable]] = {
            "patterns": lambda: graph.query(
                *patterns,
                types={name.removeprefix("?"): kind for name, kind in (self.types or {}).items()},
                infer=self.infer and (self.infer_method or True),
                min_entailment=self.min_entailment,
                **edges,
            ),
            "neighbours": lambda: graph.neighbours(self.neighbours or "", self.depth, **edges),
            "path": lambda: graph.path(
                *(self.path or ("", "")), longest=self.longest, directed=self.directed, **edges
            ),
            "search": lambda: graph.search(self.search or "", **limit),
            "sql": lambda: graph.sql(self.sql or "", **limit),
            "sparql": lambda: graph.sparql(self.sparql or "", **limit),
        }
        return kinds[self.kind(patterns)]()


@dataclass(frozen=True, slots=True)
class Shown:
    """The number and form of answers, and the number of their sentences."""

    evidence: Annotated[bool, "Show the sentences behind every answer."] = False
    sentences: Annotated[Count, "At most N sentences of an edge."] = 3
    limit: Annotated[Count, "At most N answers."] = 100
    format: Annotated[Literal["table", "json", "csv"], "A table for people, one JSON document, or CSV."] = "table"
    as_json: Annotated[Json, "The same as --format json."] = False

    def text(self, found: AnswerTable) -> str:
        form = "json" if self.as_json else self.format
        return {"json": lambda: json_text(found.to_dict()), "csv": found.to_csv}.get(form, lambda: f"{found}\n")()


@command()
def query(
    graph: GraphFile,
    *patterns: Annotated[str, Spelled.of("[PATTERN]...")],
    question: Question,
    filters: Filters,
    shown: Shown,
    output: Output = "-",
) -> None:
    """Query a GRAPH.

    \b
    Examples:
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
      tupelo graph query kg.duckdb "Watson ? ?" --min-confidence 0.5
      tupelo graph query kg.duckdb "?who founded ?firm" "?firm has its seat in ?where"
      tupelo graph query kg.duckdb "?who founded ?firm" --type who=person --since 1990 --until 1999
      tupelo graph query kg.duckdb "?who founded ?firm" --infer
      tupelo graph query kg.duckdb "?who bought ?firm" --stance all
      tupelo graph query kg.duckdb --neighbours Watson --depth 2
      tupelo graph query kg.duckdb --path Watson Berg --evidence
      tupelo graph query kg.duckdb --search "harbour ferr*"
      tupelo graph query kg.duckdb --sql "SELECT name, degree FROM entities ORDER BY degree DESC LIMIT 10"

    A PATTERN is subject, relation and object; each is a ?variable, a bare ? or words. Words are any names of
    entities; relations are found by wording, base form, noun and in both voices. Quote a part, or put | between the
    parts, where the words could be divided differently. Patterns with common variables must hold together. What a
    text asks, denies or holds possible is no answer unless --stance says so.
    """
    question.kind(patterns)
    with open_graph(graph) as opened:
        found = question.answers(opened, patterns, filters, shown)
    write_text(output, shown.text(found))


@graph_command(Graph.entities)
def entities(
    run: Run[AnswerTable], as_json: Annotated[Json, "JSON instead of a table."] = False, output: Output = "-"
) -> None:
    """List the entities of a GRAPH with their types, those with most edges first; or those with TEXT in their name.

    \b
    Examples:
      tupelo graph entities kg.duckdb --limit 50
      tupelo graph entities kg.duckdb Watson
      tupelo graph entities kg.duckdb --type person --json
    """
    _write_answers(run(), output, as_json)


def _write_answers(found: AnswerTable, output: PathLike, as_json: bool) -> None:
    write_text(output, json_text(found.to_dict()) if as_json else f"{found}\n")


@graph_command(Graph.ask)
def ask(
    run: Run[AnswerTable],
    question: Annotated[tuple[str, ...], Spelled.of("QUESTION...")],
    as_json: Annotated[Json, "JSON instead of a table."] = False,
    output: Output = "-",
) -> None:
    """Answer a QUESTION in plain English from a GRAPH, with the sentences that say so.

    \b
    Examples:
      tupelo graph ask kg.duckdb "Who founded Acme?"
      tupelo graph ask kg.duckdb "Who founded Acme, and where?"
      tupelo graph ask kg.duckdb "When was Acme sold?" --json

    Who, what, which, where, when, how many, and yes or no. Without a probable answer it says so and
    quotes the closest passages. No language model is used, and every answer is words of its sentence.
    """
    _write_answers(run(question=" ".join(question)), output, as_json)


@command()
def retrieve(
    graph: GraphFile,
    *question: Annotated[str, Spelled.of("[QUESTION]...")],
    questions: Annotated[
        Input | None,
        Spelled.of("FILE"),
        'Many questions, as JSON lines: {"id": …, "question": …}; with --json a line is printed for each.',
    ] = None,
    limit: Annotated[Count, "At most N passages of a question."] = 5,
    evidence: Annotated[bool, "Show the sentences behind the edges of a path."] = False,
    explain: Annotated[bool, "Explain how the passages were found."] = False,
    about: About = "all",
    min_rank: MinRank = 0.0,
    as_json: Annotated[Json, "JSON instead of tables."] = False,
    output: Output = "-",
) -> None:
    """Find the passages of a GRAPH that help to answer a QUESTION, best first.

    \b
    Examples:
      tupelo graph retrieve kg.duckdb "Where does the founder of Acme live?"
      tupelo graph retrieve kg.duckdb "Where does the founder of Acme live?" --evidence --explain
      tupelo graph retrieve kg.duckdb --questions questions.jsonl --limit 10 --json

    Each passage has its score, its place (document and characters), and the path of edges that leads to it from a
    name in the question. No language model is used. With --questions and --json, a line is {"id", "passages": [{"id",
    "score", "path"}]}; the id of a passage is that of its document: the one in a file of records, or else the source.
    """
    if bool(question) == bool(questions):
        raise click.UsageError("expected a question or --questions, one of the two")
    asked = read_questions(questions) if questions else [("", " ".join(question))]

    def lines(opened: Graph) -> Iterator[str]:
        for key, text in asked:
            found = opened.retrieve(
                text, limit=limit, evidence=int(evidence), explain=explain, about=about, min_rank=min_rank
            )
            if not questions:
                yield json_text(found.to_dict()).rstrip("\n") if as_json else str(found)
            elif as_json:
                yield json.dumps({"id": key, "passages": [item.to_line() for item in found]}, ensure_ascii=False)
            else:
                yield f"{key}: {text}\n{found}\n"

    with open_graph(graph) as opened:
        write_lines(output, lines(opened))


@graph_command(Graph.timeline)
def timeline(
    run: Run[AnswerTable],
    name: str,
    html: Annotated[Output | None, "Write a page as well."] = None,
    as_json: Annotated[Json, "JSON instead of a table."] = False,
    output: Output = "-",
) -> None:
    """The statements of a GRAPH with a time, about the entity NAME or with the relation NAME.

    \b
    Examples:
      tupelo graph timeline kg.duckdb "Ann Watson"
      tupelo graph timeline kg.duckdb "chief executive of" --html offices.html

    Times are those of the text: 2009/.. goes on, ../2020-05 has ended, 1998 is at some time of that year.
    A state that goes on by its text names what followed it.
    """
    found = run(name=name)
    if html:
        write_text(html, found.page(f"Timeline of {name}"))
    _write_answers(found, output, as_json)


@graph_command(Graph.conflicts)
def conflicts(
    run: Run[Conflicts],
    html: Annotated[Output | None, "Write a page as well."] = None,
    as_json: Annotated[Json, "One JSON document."] = False,
) -> None:
    """Statements of a GRAPH that cannot all be true, with the sentences of both sides; or those about TEXT.

    \b
    Examples:
      tupelo graph conflicts kg.duckdb
      tupelo graph conflicts kg.duckdb Watson --json
      tupelo graph review kg.duckdb --settle 2f4e8a10 first

    Different numbers, times or places of what has one at a time, denials, opposites and exchanged roles in different
    documents. Rounding, units, ranges, later values and parts of a whole are no conflicts. Nobody is declared right.
    """
    show(run(), as_json, html, "Conflicts")


@graph_command(Graph.events)
def events(run: Run[Events], as_json: Annotated[Json, "One JSON document."] = False) -> None:
    """Events that several documents of a GRAPH report, with the sentences of all reports.

    \b
    Example:
      tupelo graph events kg.duckdb
    """
    show(run(), as_json)


@command()
def diff(old: GraphFile, new: GraphFile, as_json: Annotated[Json, "One JSON document."] = False) -> None:
    """The differences between two graphs: statements that are new, updated, contradicted or no longer supported.

    \b
    Example:
      tupelo graph diff monday.duckdb tuesday.duckdb
    """
    with open_graph(new) as opened:
        show(opened.diff(old), as_json)


@graph_command(Graph.report)
def report(
    run: Run[Report],
    output: Annotated[
        Output, "Where to write: a page for .html, Markdown for .md. [default: Markdown on standard output]"
    ] = "-",
    as_json: Annotated[Json, "One JSON document, wherever it is written."] = False,
) -> None:
    """Report the topics of a GRAPH: its communities, or one entity, in sentences of the documents.

    \b
    Examples:
      tupelo graph report kg.duckdb -o report.html
      tupelo graph report kg.duckdb --entity "Ann Watson" -o watson.md
      tupelo graph report kg.duckdb --communities 3 --json

    No language model is used and nothing is generated. A community has a title, its share of all
    importance, its main entities, its key facts, and smaller communities within it. A fact is a sentence
    that a document asserts; its number leads to the sentence among the sources.
    """
    found = run(path=None if as_json else output)
    if as_json:
        write_text(output, json_text(found.to_dict()))


@graph_command(Graph.show, name="show")
def show_graph(run: Run[GraphView], output: Output = "-") -> None:
    """Draw a GRAPH as one HTML page that needs nothing else, not even a network.

    \b
    Examples:
      tupelo graph show kg.duckdb -o kg.html
      tupelo graph show kg.duckdb -o kg.svg --min-confidence 0.5
      tupelo graph show kg.duckdb -o kg.png --min-confidence 0.5
      tupelo graph show kg.duckdb --start Watson --min-confidence 0.5 -o watson.html

    The page opens on the main entities of every community. More on demand: search, a community, the neighbours of an
    entity, or all edges; filters by type, confidence and stance; the sentences behind an edge on a click. A name that
    ends in .svg or .png gives a still picture of the main entities. Larger graphs: tupelo graph serve.
    """
    view = run(path=output)
    if view.is_partial:
        warn(f"{view.shown:,} of {view.total:,} edges are shown; tupelo graph serve opens all of them")


@graph_command(Graph.serve)
def serve(run: Run[None], graph: Path) -> None:
    """Show a GRAPH of any size in the browser, loading what is looked at.

    \b
    Example:
      tupelo graph serve kg.duckdb

    Only this machine can connect unless --host says otherwise; there is no password. Ctrl-C ends it.
    """

    def announce(server: Any) -> None:
        click.echo(f"{graph}: {server.address}  (Ctrl-C ends)")
        if not server.is_loopback():
            warn("Everyone who reaches this address can read the graph.")

    try:
        run(announce=announce)
    except KeyboardInterrupt:
        click.echo()


@graph_command(Graph.stats)
def stats(
    run: Run[Statistics],
    graph: Path,
    html: Annotated[Output | None, "Write a small page as well."] = None,
    as_json: Annotated[Json, "One JSON document."] = False,
) -> None:
    """Sizes, degrees, frequent relations, merged names, low confidence and communities of a GRAPH.

    \b
    Examples:
      tupelo graph stats kg.duckdb
      tupelo graph stats kg.duckdb --communities --html kg-stats.html
      tupelo graph stats kg.duckdb --check --json
    """
    found = run()
    show(found, as_json, html, f"Figures of {graph.stem}")
    if found.problems:
        sys.exit(1)


@command()
def coverage(
    *files: Annotated[str, At.INPUT, Spelled.of("[DOCS]... GRAPH")],
    html: Annotated[Output | None, "Write a page as well."] = None,
    as_json: Annotated[Json, "One JSON document."] = False,
) -> None:
    """Which sentences and tuples of DOCS are in a GRAPH, which are not, and why; without DOCS, of all its documents.

    \b
    Examples:
      tupelo graph coverage kg.duckdb
      tupelo graph coverage notes/ news.jsonl kg.duckdb --html coverage.html
    """
    if not files:
        raise click.UsageError("expected a graph, perhaps after documents")
    *documents, graph = files
    with open_graph(Path(graph)) as opened:
        found = opened.coverage(documents or None)
    show(found, as_json, html, f"Coverage of {Path(graph).stem}")


@graph_command(Graph.correct)
def review(
    run: Run[BuildReport],
    graph: Path,
    limit: Annotated[Count, "At most N merges."] = 20,
    evidence: Annotated[Whole, "Sentences on each side of a merge."] = 1,
    export: Annotated[Output | None, "Write all corrections as a table."] = None,
    as_json: Annotated[Json, "One JSON document."] = False,
    **corrections: Any,
) -> None:
    """List names of a GRAPH that are taken for one thing over documents, least probable first; or correct them.

    A and B are names, each for all documents, or for one: Paris@travel.txt. What is said holds at once, in every
    later build and after every update, until it is forgotten or the opposite is said.

    \b
    Examples:
      tupelo graph review kg.duckdb
      tupelo graph review kg.duckdb --different "Paris@travel.txt" "Paris"
      tupelo graph review kg.duckdb --same "Annie" "Ann Lee" --export corrections.tsv
      tupelo graph review other.duckdb --apply corrections.tsv
      tupelo graph review kg.duckdb --settle 2f4e8a10 first
    """
    corrects = any(corrections.values())
    if corrects:
        report = run()
        counts = {"corrections": report.corrections, **report.counts}
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        click.echo(json.dumps(counts) if as_json else f"{graph}: {listed}")
    with open_graph(graph) as opened:
        if export:
            opened.corrections(export)
        elif not corrects:
            show(opened.review(limit=limit, evidence=evidence), as_json)


@graph_command(Graph.export, extra=[list_option(Graph.export_formats, "List the formats.")])
def export(
    run: Run[None],
    output: Annotated[
        PathLike, At.PLACE, Spelled.of("FILE"), "File, or folder for neo4j and parquet. [default: standard output]"
    ] = "-",
) -> None:
    """Write a GRAPH in a format that other programs read. Rows are written as they come.

    \b
    Examples:
      tupelo graph export kg.duckdb -o kg.ttl
      tupelo graph export kg.duckdb --format ntriples --reify rdf12 | gzip > kg.nt.gz
      tupelo graph export kg.duckdb -o kg.trig --reify graphs
      tupelo graph export kg.duckdb -o kg.graphml --min-confidence 0.5
      tupelo graph export kg.duckdb --format neo4j -o import/
    """
    run(path=output)
