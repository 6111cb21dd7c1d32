"""`tupelo graph query`: patterns, neighbours, ways, full text, SQL and SPARQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tupelo.cli.graph_options import base_forms, filter_options, filters_from, graph_argument

if TYPE_CHECKING:
    from tupelo.cli.graph_answers import Found
    from tupelo.core.protocols import RelationExpander
    from tupelo.graph.evidence import Edge, Evidence
    from tupelo.graph.filters import Filters
    from tupelo.graph.store import Store


@click.command()
@graph_argument
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option("--neighbours", metavar="NAME", help="The edges around an entity.")
@click.option("--depth", type=click.IntRange(1, 5), default=1, show_default=True, help="Steps for --neighbours.")
@click.option("--path", "ends", nargs=2, metavar="FROM TO", help="The shortest ways between two entities.")
@click.option("--longest", type=click.IntRange(1, 20), default=6, show_default=True, help="Steps for --path.")
@click.option("--directed", is_flag=True, help="Ways follow the direction of the edges.")
@click.option("--search", "text", metavar="WORDS", help="Sentences by their words, best first.")
@click.option("--sql", metavar="SQL", help="One statement that reads the tables of the graph.")
@click.option("--sparql", metavar="QUERY", help="A query of the exported RDF (extra `rdf`).")
@click.option("--type", "types", multiple=True, metavar="VAR=TYPE", help="What a variable stands for: who=person.")
@click.option("--infer", "inferring", is_flag=True, help="Answer also with relations that entail the asked one.")
@click.option("--infer-method", default=None, metavar="NAME", help="For --infer; `tupelo infer --help` lists them.")
@click.option(
    "--min-entailment",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="How strongly a relation must entail the asked one.",
)
@filter_options
@click.option("--evidence", is_flag=True, help="Show the sentences behind every answer.")
@click.option("--sentences", type=click.IntRange(1), default=3, show_default=True, help="At most so many of an edge.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="At most so many answers.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
def query(
    graph: Path,
    patterns: tuple[str, ...],
    neighbours: str | None,
    depth: int,
    ends: tuple[str, str] | None,
    longest: int,
    directed: bool,
    text: str | None,
    sql: str | None,
    sparql: str | None,
    types: tuple[str, ...],
    inferring: bool,
    infer_method: str | None,
    min_entailment: float,
    min_confidence: float,
    stances: tuple[str, ...],
    since: str | None,
    until: str | None,
    source: str | None,
    evidence: bool,
    sentences: int,
    limit: int,
    form: str,
    as_json: bool,
    output: str,
) -> None:
    """Ask a GRAPH.

    \b
    Examples:
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
      tupelo graph query kg.duckdb "Watson ? ?" --min-confidence 0.5
      tupelo graph query kg.duckdb "?who founded ?firm" "?firm has its seat in ?where"
      tupelo graph query kg.duckdb "?who founded ?firm" --type who=person --since 1990 --until 1999
      tupelo graph query kg.duckdb "?who founded ?firm" --infer
      tupelo graph query kg.duckdb --neighbours Watson --depth 2
      tupelo graph query kg.duckdb --path Watson Berg --evidence
      tupelo graph query kg.duckdb --search "harbour ferr*"
      tupelo graph query kg.duckdb --sql "SELECT name, degree FROM entities ORDER BY degree DESC LIMIT 10"

    A PATTERN is subject, relation and object; each is a ?variable, a bare ? or words. Words are
    canonical names or aliases, and relations are found by their base form as well. Quote a part, or
    put | between the parts, where the words could be divided in several ways. Patterns with common
    variables must hold together.
    """
    from tupelo.cli.graph_answers import render
    from tupelo.graph.store import open_graph
    from tupelo.io.files import write_text

    chosen = [patterns, neighbours, ends, text, sql, sparql]
    if sum(way not in (None, ()) for way in chosen) != 1:
        raise click.UsageError("expected patterns, --neighbours, --path, --search, --sql or --sparql, one of them")
    filters = filters_from(min_confidence, stances, since, until, source)
    most = sentences if evidence else 0
    with open_graph(graph) as store:
        if patterns:
            expander = _expander(store, infer_method, min_entailment) if inferring else None
            found = _patterns(store, patterns, filters, _types(types), limit, most, expander)
        elif neighbours is not None:
            found = _neighbours(store, neighbours, filters, depth, limit, most)
        elif ends is not None:
            found = _ways(store, ends, filters, longest, directed, limit, most)
        elif text is not None:
            found = _search(store, text, limit)
        else:
            found = _rows(store, sql, sparql, limit)
    write_text(output, render(found, "json" if as_json else form))


def _expander(store: Store, method: str | None, threshold: float) -> RelationExpander:
    from tupelo.graph.signatures import relation_signatures
    from tupelo.infer.expand import MethodExpander
    from tupelo.infer.methods import DEFAULT, METHODS
    from tupelo.infer.resources import Resources
    from tupelo.nlp.encoder import load_encoder

    encoder = load_encoder()
    chosen = METHODS.get(METHODS.resolve(method or DEFAULT))(Resources(encoder=lambda: encoder))
    return MethodExpander(chosen, relation_signatures(store), encoder, threshold=threshold)


def _types(pairs: Iterable[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, equals, kind = pair.partition("=")
        if not equals or not name or not kind:
            raise click.BadParameter(f"'{pair}', expected VAR=TYPE such as who=person", param_hint="--type")
        found[name.removeprefix("?")] = kind
    return found


def _patterns(
    store: Store,
    patterns: Sequence[str],
    filters: Filters,
    types: dict[str, str],
    limit: int,
    most: int,
    expander: RelationExpander | None,
) -> Found:
    from tupelo.cli.graph_answers import Found, Line
    from tupelo.graph.evidence import edge_json
    from tupelo.graph.query import ask

    answers = ask(store, patterns, filters, types=types, limit=limit, base_forms=base_forms, expander=expander)
    sentences = _evidence(store, [edge for row in answers.rows for edge in row.edges], most)
    lines = []
    for row in answers.rows:
        shown = [item for edge in row.edges for item in sentences.get(edge.id, ())]
        marks = ", ".join(dict.fromkeys(mark for edge in row.edges for mark in edge.reservations))
        names = [row.bindings[name].name for name in answers.columns]
        record = {
            "bindings": {name: {"id": node.id, "name": node.name} for name, node in row.bindings.items()},
            "confidence": row.confidence,
            "edges": [edge_json(edge, sentences.get(edge.id, ()) if most else None) for edge in row.edges],
        }
        notes = []
        if row.inferred:
            record["inferred"] = {
                edge: {"asked": why.asked, "score": why.score, "reason": why.reason}
                for edge, why in row.inferred.items()
            }
            marks = ", ".join(filter(None, ["inferred", marks]))
            notes = [
                f"inferred: {edge}; {row.inferred[edge.id].reason}" for edge in row.edges if edge.id in row.inferred
            ]
        if not names:
            names = ["; ".join(str(edge) for edge in row.edges)]
        cells = (*names, row.confidence, sum(edge.mentions for edge in row.edges), marks)
        lines.append(Line(cells, tuple(shown), tuple(notes), record))
    columns = (*(answers.columns or ("statement",)), "confidence", "mentions", "reservations")
    return Found(columns, tuple(lines), {"patterns": [str(pattern) for pattern in answers.patterns]})


def _neighbours(store: Store, name: str, filters: Filters, depth: int, limit: int, most: int) -> Found:
    from tupelo.graph.paths import neighbourhood

    edges = neighbourhood(store, _entity(store, name), filters, depth=depth, limit=limit)
    return _edges(store, edges, most)


def _edges(store: Store, edges: Sequence[Edge], most: int) -> Found:
    from tupelo.cli.graph_answers import Found, Line
    from tupelo.graph.evidence import edge_json

    sentences = _evidence(store, edges, most)
    lines = tuple(
        Line(
            (
                edge.subject.name,
                edge.relation.name,
                edge.object.name,
                edge.confidence,
                edge.mentions,
                ", ".join(edge.reservations),
            ),
            tuple(sentences.get(edge.id, ())),
            (),
            edge_json(edge, sentences.get(edge.id, ()) if most else None),
        )
        for edge in edges
    )
    return Found(("subject", "relation", "object", "confidence", "mentions", "reservations"), lines)


def _ways(
    store: Store, ends: tuple[str, str], filters: Filters, longest: int, directed: bool, limit: int, most: int
) -> Found:
    from tupelo.cli.graph_answers import Found, Line
    from tupelo.graph.evidence import edge_json
    from tupelo.graph.paths import shortest_ways

    start, goal = (_entity(store, name) for name in ends)
    ways = shortest_ways(store, start, goal, filters, longest=longest, limit=limit, both_ways=not directed)
    sentences = _evidence(store, [edge for way in ways for edge in way.edges], most)
    lines = []
    for number, way in enumerate(ways, start=1):
        record = {
            "confidence": way.confidence,
            "nodes": list(way.nodes),
            "edges": [edge_json(edge, sentences.get(edge.id, ()) if most else None) for edge in way.edges],
        }
        notes = tuple(_steps(way.edges, sentences))
        lines.append(Line((number, len(way.edges), way.confidence), (), notes, record))
    return Found(("way", "steps", "confidence"), tuple(lines))


def _steps(edges: Iterable[Edge], sentences: dict[str, list[Evidence]]) -> Iterable[str]:
    for edge in edges:
        yield str(edge)
        for item in sentences.get(edge.id, ()):
            yield f"    “{item.sentence}” ({item.source}:{item.position + 1})"


def _search(store: Store, text: str, limit: int) -> Found:
    from tupelo.cli.graph_answers import Found, Line
    from tupelo.graph.search import search_sentences

    lines = tuple(
        Line(
            (hit.score, f"{hit.source}:{hit.position + 1}", len(hit.edges)),
            (),
            (hit.sentence,),
            {
                "score": hit.score,
                "sentence": hit.sentence,
                "source": hit.source,
                "position": hit.position,
                "edges": list(hit.edges),
            },
        )
        for hit in search_sentences(store, text, limit)
    )
    return Found(("score", "where", "edges"), lines)


def _rows(store: Store, sql: str | None, sparql: str | None, limit: int) -> Found:
    from tupelo.cli.graph_answers import Found, Line
    from tupelo.graph.sparql import run_sparql
    from tupelo.graph.sql import run_sql

    rows = run_sql(store, sql, limit) if sql is not None else run_sparql(store, sparql or "", limit=limit)
    return Found(rows.columns, tuple(Line(row) for row in rows.rows))


def _entity(store: Store, name: str) -> tuple[str, ...]:
    from tupelo.graph.names import find_entities, unknown

    found = find_entities(store, name)
    if not found.ids:
        raise unknown(store, "entity", name)
    return found.ids


def _evidence(store: Store, edges: Iterable[Edge], most: int) -> dict[str, list[Evidence]]:
    from tupelo.graph.evidence import evidence

    return evidence(store, [edge.id for edge in edges], most) if most else {}
