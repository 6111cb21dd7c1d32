"""Figures about a graph: sizes, degrees, relations, merged names, confidence, communities."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from tupelo.core.registry import Shown, view
from tupelo.core.shipped import queries
from tupelo.graph.query.network import communities_of
from tupelo.graph.report.coverage import REPEATED
from tupelo.graph.store.file import Store

_SQL = queries(__name__)
_COUNTED = (
    *("documents", "sentences", "tuples", "mentions", "entities", "relations"),
    *("types", "edges", "nodes", "statements", "runs"),
)
_LOW = 0.5


@dataclass(frozen=True, slots=True)
class Community:
    """A group of entities with more edges among themselves than to the rest, named after its best connected ones."""

    size: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statistics(Shown):
    """`degrees` counts entities by powers of two: {1: with 1 edge, 2: with 2 or 3, 4: with 4 to 7, …}."""

    sizes: dict[str, int]
    degrees: dict[int, int]
    largest: list[tuple[str, int]]
    relations: list[tuple[str, int]]
    types: list[tuple[str, int]]
    wordings: dict[str, int]
    merged: dict[str, int]
    merged_examples: list[tuple[str, list[str]]]
    low_confidence_threshold: float
    low_confidence_share: float | None
    confidence_histogram: list[int]
    stances: dict[str, int]
    contradictions: int
    edges_with_time: int
    # Of the tuples, those that a statement was made from; `None` without tuples.
    stated_share: float | None
    # Files and documents that could not be read, or not completely, with the reasons.
    failures: list[tuple[str, str]] = field(default_factory=list)
    communities: list[Community] | None = None
    # Broken references and duplicate keys; `None` if not checked.
    problems: list[str] | None = None

    def to_dict(self) -> dict[str, Any]:
        figures = asdict(self)
        if self.problems is None:
            del figures["problems"]
        return figures

    def __str__(self) -> str:
        return view(self, "text")

    def page(self, title: str) -> str:
        """The figures as one HTML document without script."""
        return view(self, "page", title)


def statistics(
    store: Store, *, top: int = 10, low: float = _LOW, communities: bool = False, check: bool = False
) -> Statistics:
    """All figures; communities only on request, since they take a pass over all edges in memory."""
    sizes = {table: store.count(table) for table in _COUNTED}
    # Those that entities have; the table holds the whole hierarchy.
    sizes["types"] = _number(store, "SELECT count(DISTINCT type_id) FROM entity_types")
    wordings = {owner: _number(store, "SELECT count(*) FROM aliases WHERE owner = ?", owner) for owner in _OWNERS}
    return Statistics(
        sizes=sizes,
        degrees=dict(store.rows(_SQL["degrees"])),
        largest=_pairs(store, "SELECT name, degree FROM entities ORDER BY degree DESC, name, node_id", top),
        relations=_pairs(store, "SELECT name, edges FROM relations ORDER BY edges DESC, name, relation_id", top),
        types=_pairs(store, _SQL["types"], top),
        wordings=wordings,
        merged={owner: wordings[owner] - sizes[table] for owner, table in _OWNERS.items()},
        merged_examples=_merged(store, top),
        low_confidence_threshold=low,
        low_confidence_share=store.rows("SELECT avg((confidence < ?)::INTEGER) FROM edges", [low])[0][0],
        confidence_histogram=_histogram(store),
        stances=dict(store.rows(_SQL["stances"])),
        contradictions=_number(store, _SQL["contradictions"]),
        edges_with_time=_number(store, "SELECT count(DISTINCT edge_id) FROM qualifiers WHERE role = 'time'"),
        stated_share=store.rows(_SQL["stated"], [REPEATED])[0][0],
        failures=store.rows("SELECT source, reason FROM failures ORDER BY source, number"),
        communities=_communities(store, top) if communities else None,
        problems=store.problems() if check else None,
    )


_OWNERS = {"entity": "entities", "relation": "relations"}


def _number(store: Store, sql: str, *values: object) -> int:
    return int(store.column(sql, values)[0])


def _pairs(store: Store, sql: str, top: int) -> list[tuple[str, int]]:
    return [(str(name), int(count or 0)) for name, count in store.rows(f"{sql} LIMIT {int(top)}")]


def _merged(store: Store, top: int) -> list[tuple[str, list[str]]]:
    """The entities and relations with the most wordings."""
    rows = store.rows(_SQL["merged"].format(top=int(top)))
    return [(str(name), [text for text in wordings if text != name]) for name, wordings in rows]


def _histogram(store: Store) -> list[int]:
    """The number of edges per tenth of confidence."""
    rows = dict(store.rows("SELECT least(floor(confidence * 10), 9)::INTEGER, count(*) FROM edges GROUP BY 1"))
    return [int(rows.get(tenth, 0)) for tenth in range(10)]


def _communities(store: Store, top: int) -> list[Community]:
    rows = store.rows("SELECT node_id, name, degree FROM entities WHERE degree > 0 ORDER BY node_id")
    # The best connected first, then by name.
    ranks = {key: (-degree, name) for key, name, degree in rows}
    pairs = store.rows("SELECT subject_id, object_id, confidence FROM edges ORDER BY edge_id")
    found = [group for group in communities_of(list(ranks), pairs) if len(group) > 1]
    largest = sorted(found, key=lambda group: (-len(group), group[0]))[:top]
    return [
        Community(len(group), tuple(name for _, name in sorted(ranks[key] for key in group)[:5])) for group in largest
    ]
