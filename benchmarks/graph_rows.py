"""All rows of a graph, sorted, as one checksum per table: two graphs are the same when these are."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tupelo.graph.store.file import open_graph
from tupelo.graph.store.schema import TABLES


def checksums(graph: Path) -> dict[str, tuple[int, str]]:
    """Table -> number of rows and checksum. Runs are left out: they say when and on what a graph was made."""
    found = {}
    with open_graph(graph) as store:
        for table in TABLES:
            if table.name == "runs":
                continue
            columns = ", ".join(column.name for column in table.columns if column.name != "run_id")
            rows = store.rows(f"SELECT {columns} FROM {table.name} ORDER BY ALL")
            digest = hashlib.sha256()
            for row in rows:
                digest.update(repr(row).encode("utf-8"))
            found[table.name] = (len(rows), digest.hexdigest()[:16])
    return found


def differences(left: dict[str, tuple[int, str]], right: dict[str, tuple[int, str]]) -> list[str]:
    return [f"{name}: {left[name]} and {right[name]}" for name in left if left[name] != right[name]]
