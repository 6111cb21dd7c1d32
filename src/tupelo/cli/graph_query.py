"""`tupelo graph query`: patterns, neighbours, paths, full text, SQL and SPARQL."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from tupelo.api.files import write_text
from tupelo.api.graph import ALL_STANCES, STANCES, USUAL_STANCES, AnswerTable, Filters, Graph
from tupelo.cli.graph_options import graph_argument, grouped, min_confidence_option
from tupelo.cli.options import OUTPUT, SHARE, Whole


@dataclass(frozen=True, slots=True)
class Shown:
    """How many answers there are, and with how many sentences."""

    evidence: bool
    sentences: int
    limit: int

    @property
    def quoted(self) -> int:
        return self.sentences if self.evidence else 0


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns with variables."""

    patterns: tuple[str, ...]
    types: tuple[str, ...]
    infer: bool
    infer_method: str | None
    min_entailment: float

    @property
    def asked(self) -> int:
        return bool(self.patterns)

    def answers(self, graph: Graph, filters: Filters, shown: Shown) -> AnswerTable:
        return graph.query(
            *self.patterns,
            types=_types(self.types),
            infer=self.infer and (self.infer_method or True),
            min_entailment=self.min_entailment,
            filters=filters,
            evidence=shown.quoted,
            limit=shown.limit,
        )


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The edges around an entity."""

    neighbours: str | None
    depth: int

    @property
    def asked(self) -> int:
        return self.neighbours is not None

    def answers(self, graph: Graph, filters: Filters, shown: Shown) -> AnswerTable:
        return graph.neighbours(
            self.neighbours or "", self.depth, filters=filters, evidence=shown.quoted, limit=shown.limit
        )


@dataclass(frozen=True, slots=True)
class Paths:
    """The shortest paths between two entities."""

    ends: tuple[str, str] | None
    longest: int
    directed: bool

    @property
    def asked(self) -> int:
        return self.ends is not None

    def answers(self, graph: Graph, filters: Filters, shown: Shown) -> AnswerTable:
        return graph.path(
            *(self.ends or ("", "")),
            longest=self.longest,
            directed=self.directed,
            filters=filters,
            evidence=shown.quoted,
            limit=shown.limit,
        )


@dataclass(frozen=True, slots=True)
class Plain:
    """Full text, SQL or SPARQL, which know no filters."""

    search: str | None
    sql: str | None
    sparql: str | None

    @property
    def asked(self) -> int:
        return sum(text is not None for text in (self.search, self.sql, self.sparql))

    def answers(self, graph: Graph, _: Filters, shown: Shown) -> AnswerTable:
        if self.search is not None:
            return graph.search(self.search, limit=shown.limit)
        if self.sql is not None:
            return graph.sql(self.sql, limit=shown.limit)
        return graph.sparql(self.sparql or "", limit=shown.limit)


@dataclass(frozen=True, slots=True)
class Output:
    """Where the answers go, and in which form."""

    form: str
    as_json: bool
    output: str

    def write(self, found: AnswerTable) -> None:
        forms: dict[str, Callable[[], str]] = {
            "table": lambda: f"{found}\n",
            "json": lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n",
            "csv": found.to_csv,
        }
        write_text(self.output, forms["json" if self.as_json else self.form]())


@click.command()
@graph_argument
@grouped(
    "patterns",
    Patterns,
    click.argument("patterns", nargs=-1, metavar="[PATTERN]..."),
    click.option("--type", "types", multiple=True, metavar="VAR=TYPE", help="The type of a variable: who=person."),
    click.option("--infer", is_flag=True, help="Answer also with relations that entail the asked one."),
    click.option("--infer-method", metavar="NAME", help="For --infer; `tupelo infer --help` lists them."),
    click.option(
        "--min-entailment",
        type=SHARE,
        default=0.5,
        show_default=True,
        help="How strongly a relation must entail the asked one.",
    ),
)
@grouped(
    "neighbours",
    Neighbours,
    click.option("--neighbours", metavar="NAME", help="The edges around an entity."),
    click.option("--depth", type=Whole(1, 5), default=1, show_default=True, help="Steps for --neighbours."),
)
@grouped(
    "paths",
    Paths,
    click.option("--path", "ends", nargs=2, metavar="FROM TO", help="The shortest paths between two entities."),
    click.option("--longest", type=Whole(1, 20), default=6, show_default=True, help="Steps for --path."),
    click.option("--directed", is_flag=True, help="Paths follow the direction of the edges."),
)
@grouped(
    "plain",
    Plain,
    click.option("--search", metavar="WORDS", help="Sentences by their words, best first."),
    click.option("--sql", metavar="SQL", help="One statement that reads the tables of the graph."),
    click.option("--sparql", metavar="QUERY", help="A query of the exported RDF (extra `rdf`)."),
)
@grouped(
    "filters",
    Filters,
    min_confidence_option,
    click.option(
        "--stance",
        "stances",
        type=click.Choice((*STANCES, ALL_STANCES)),
        multiple=True,
        default=USUAL_STANCES,
        show_default=True,
        help="How the text stands to what it says; repeat for more.",
    ),
    click.option("--since", metavar="TIME", help="Only edges with a time that does not end before this one."),
    click.option("--until", metavar="TIME", help="Only edges with a time that has begun by then."),
    click.option("--source", metavar="GLOB", help="Only edges from documents such as 'news/*'."),
)
@grouped(
    "shown",
    Shown,
    click.option("--evidence", is_flag=True, help="Show the sentences behind every answer."),
    click.option("--sentences", type=Whole(1), default=3, show_default=True, help="At most N sentences of an edge."),
    click.option("--limit", type=Whole(1), default=100, show_default=True, help="At most N answers."),
)
@grouped(
    "output",
    Output,
    click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    click.option(
        "--output", "-o", type=OUTPUT, default="-", metavar="FILE", help="Where to write. [default: standard output]"
    ),
)
def query(
    graph: Path,
    patterns: Patterns,
    neighbours: Neighbours,
    paths: Paths,
    plain: Plain,
    filters: Filters,
    shown: Shown,
    output: Output,
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

    A PATTERN is subject, relation and object; each is a ?variable, a bare ? or words. Words are any
    names of entities; relations are found by wording, base form, noun and in both voices. Quote a
    part, or put | between the parts, where the words could be divided differently. Patterns with
    common variables must hold together. What a text asks, denies or holds possible is no answer
    unless --stance says so.
    """
    modes: list[Patterns | Neighbours | Paths | Plain] = [patterns, neighbours, paths, plain]
    chosen = [mode for mode in modes if mode.asked]
    if len(chosen) != 1 or chosen[0].asked != 1:
        raise click.UsageError("expected patterns, --neighbours, --path, --search, --sql or --sparql, one of them")
    with Graph.open(graph) as opened:
        found = chosen[0].answers(opened, filters, shown)
    output.write(found)


def _types(pairs: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, equals, kind = pair.partition("=")
        if not equals or not name or not kind:
            raise click.BadParameter(f"'{pair}', expected VAR=TYPE such as who=person", param_hint="--type")
        found[name.removeprefix("?")] = kind
    return found
