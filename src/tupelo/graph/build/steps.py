"""The SQL that computes every table of a graph from the rows of its sentences, and tables that it reads.

The statements are in `tables.sql` and `totals.sql`, in DuckDB's dialect with nothing that Spark lacks.
"""

from __future__ import annotations

from collections.abc import Callable

from tupelo.core.protocols import Workspace
from tupelo.core.stages import Step, Table
from tupelo.graph.store.shipped import queries

# The outputs of each group of steps; totals are computed from those that are counted.
COUNTED = ("referents", "namings", "typings", "links", "qualified", "property_mentions")
TABLES = ("sentences", "tuples", "mentions", *COUNTED)
AGGREGATES = ("nodes", "entity_types", "relations", "aliases", "statements", "qualifiers", "properties")


def table_steps() -> list[Step]:
    """Steps from rows and maps to the tables of a graph; see `tables.sql`."""
    return _steps("tables.sql")


def aggregate_steps() -> list[Step]:
    """Steps from mentions and links to all totals; see `totals.sql`."""
    return _steps("totals.sql")


def _steps(name: str) -> list[Step]:
    return [Step(step, sql) for step, sql in queries(__name__, name).items()]


def kept_table(workspace: Workspace, folder: str, name: str, write: Callable[[str], object]) -> Table:
    """A table for an engine, which `write` puts into a Parquet file unless that was finished earlier."""
    import pyarrow.parquet as pq

    part = workspace.find(folder, name)
    if part is None:
        with workspace.draft(folder, name) as draft:
            write(draft.path)
            draft.about["rows"] = pq.read_metadata(draft.path).num_rows
        part = workspace.finished(folder, name)
    return Table(pq.read_schema(part.files[0]), (part,))
