"""Read-only queries of one graph: SQL, and SPARQL over the exported RDF in memory (extra `rdf`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count, islice
from typing import Any

from tupelo.core import InputError
from tupelo.core.errors import is_unicode, needs_extra
from tupelo.graph.export import ExportOptions
from tupelo.graph.export.rdf import ntriples
from tupelo.graph.export.statements import Vocabulary, descriptions
from tupelo.graph.query.answers import AnswerTable, PlainRow
from tupelo.graph.store.file import Store

# Would make the RDF store query another machine.
_SERVICE = re.compile(r"\bSERVICE\b", re.IGNORECASE)
# Lines that are read into the RDF store at a time.
_PORTION = 5_000
_QUOTED = re.compile(r"<[^<>\s]*+>|([\"'])(?:(?!\1)[^\\]|\\(?s:.))*+(?:\1|(?P<open>\Z|\\\Z))|#[^\n]*")


def _outside_quotes(quoted: re.Match[str]) -> str:
    # Text after a quotation mark that is never closed is no quotation.
    return " " if quoted["open"] is None else quoted[0]


def run_sql(store: Store, sql: str, limit: int | None = None) -> AnswerTable:
    """The rows of one read-only statement; any other is rejected, by us or by the sealed store."""
    import duckdb

    if not is_unicode(sql):
        raise InputError("SQL: bytes that are not UTF-8, or half a surrogate pair, expected text")
    cursor = store.connection.cursor()
    try:
        statements = cursor.extract_statements(sql)
        if len(statements) != 1:
            raise InputError(f"{len(statements)} SQL statements, expected one")
        if statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
            kind = str(statements[0].type).rpartition(".")[2]
            raise InputError(f"a SQL statement of kind {kind}, expected one that reads (SELECT)")
        found = cursor.execute(statements[0])
        rows = found.fetchall() if limit is None else found.fetchmany(limit)
        return _table(tuple(column[0] for column in found.description or ()), rows)
    except duckdb.Error as error:
        raise InputError(f"SQL: {' '.join(str(error).split())}") from error
    finally:
        cursor.close()


def _table(given: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> AnswerTable:
    columns = _distinct(given)
    return AnswerTable(columns, tuple(PlainRow(columns, row) for row in rows))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names of columns, those that come again with a number.

    >>> _distinct(["name", "name", "name_1"])
    ('name', 'name_1', 'name_1_1')
    """
    found: dict[str, None] = {}
    for name in names:
        numbered = (f"{name}_{number}" for number in count(1))
        found[name if name not in found else next(other for other in numbered if other not in found)] = None
    return tuple(found)


def run_sparql(store: Store, query: str, limit: int | None = None) -> AnswerTable:
    """The solutions of a SELECT, the result of an ASK, the statements of a CONSTRUCT or DESCRIBE.

    The prefixes of the Turtle export are predefined: `v:`, `entity:`, `relation:`, `rdfs:`, `prov:` and so on.
    """
    with needs_extra("SPARQL", "rdf"):
        import pyoxigraph
    if _SERVICE.search(_QUOTED.sub(_outside_quotes, query)):
        raise InputError("SPARQL: SERVICE would ask another machine, expected a query about this graph alone")
    options = ExportOptions()
    names = Vocabulary(options.base)
    loaded = pyoxigraph.Store()
    lines = ntriples(descriptions(store, options), names)
    while portion := "".join(islice(lines, _PORTION)):
        loaded.bulk_load(portion.encode("utf-8", "replace"), pyoxigraph.RdfFormat.N_TRIPLES)
    try:
        found = loaded.query(query, prefixes=names.prefixes())
    except (SyntaxError, ValueError) as error:
        raise InputError(f"SPARQL: {error}") from error
    if isinstance(found, pyoxigraph.QueryBoolean):
        return _table(("answer",), [(bool(found),)])
    if isinstance(found, pyoxigraph.QueryTriples):
        triples = ((_plain(part.subject), _plain(part.predicate), _plain(part.object)) for part in found)
        return _table(("subject", "predicate", "object"), islice(triples, limit))
    columns = tuple(variable.value for variable in found.variables)
    solutions = (tuple(_plain(solution[name]) for name in columns) for solution in found)
    return _table(columns, islice(solutions, limit))


def _plain(value: Any) -> str | None:
    if value is None:
        return None
    return str(value.value) if hasattr(value, "value") else str(value)
