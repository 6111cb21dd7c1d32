"""Figures for those who run a project: progress, pace, people, agreement, and what suggestions do to answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import median
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from tupelo.annotate.answers import COUNTED, answered_items, counted_rows, light_rows, real_names
from tupelo.annotate.desk import Desk, as_time, from_json
from tupelo.annotate.quality import agreement, insurgency_rates, person_agreement
from tupelo.annotate.schema import assignments, batches, items, people, records

HOUR = 3_600_000


# Agreement is measured on so many items, those last worked on: enough to see, quick enough to look at.
MEASURED = 300


def dashboard(desk: Desk, connection: Connection) -> dict[str, Any]:
    rows = light_rows(connection)
    names = real_names(connection)
    answered = answered_items(counted_rows(connection, latest=MEASURED), names)
    return {
        "progress": _progress(desk, connection, rows),
        "pace": _pace(rows),
        "median_seconds": _median(row.seconds for row in rows),
        "people": _people(desk, connection, rows, answered, names),
        "agreement": agreement(desk.task, answered, seed=desk.project.seed),
        "preannotation": _preannotation(connection, rows),
        "batches": _counts(connection, select(batches.c.state, func.count()).group_by(batches.c.state)),
    }


def _counts(connection: Connection, query: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(query)}


def _progress(desk: Desk, connection: Connection, rows: list[Row[Any]]) -> dict[str, Any]:
    total = connection.execute(select(func.count()).where(~items.c.control).select_from(items)).scalar_one()
    per_item = Counter(row.item for row in rows)
    query = select(assignments.c.state, func.count()).join(items, items.c.id == assignments.c.item)
    states = _counts(connection, query.where(~items.c.control).group_by(assignments.c.state))
    decided = select(func.count()).where(items.c.decisions > 0).select_from(items)
    return {
        "items": total,
        "answers_wanted": total * desk.project.overlap,
        "answers": len(rows),
        "items_done": sum(count >= desk.project.overlap for count in per_item.values()),
        "adjudicated": connection.execute(decided).scalar_one(),
        "leased": states.get("leased", 0) + states.get("returned", 0),
        "skipped": states.get("skipped", 0),
    }


def _pace(rows: list[Row[Any]]) -> list[dict[str, Any]]:
    """Answers in every hour from the first to the last, quiet hours included; at most the last ten days."""
    hours = Counter(row.changed // HOUR for row in rows)
    if not hours:
        return []
    last = max(hours)
    first = max(min(hours), last - 240)
    return [{"hour": as_time(hour * HOUR), "answers": hours[hour]} for hour in range(first, last + 1)]


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _people(
    desk: Desk, connection: Connection, rows: list[Row[Any]], answered: list[Any], names: dict[int, str]
) -> list[dict[str, Any]]:
    own: dict[int, list[Row[Any]]] = {}
    for row in rows:
        own.setdefault(row.person, []).append(row)
    agreed = person_agreement(desk.task, answered)
    rebels = insurgency_rates(desk.task, answered)
    controls, tests = _control_counts(connection), _best_tests(connection)
    decided: dict[int, Counter[str]] = {}
    query = select(records.c.person, records.c.body_json).where(records.c.kind == "batch")
    for person, body in connection.execute(query):
        decided.setdefault(person, Counter())["accepted" if from_json(body)["accepted"] else "returned"] += 1
    return [
        {
            "id": row.id,
            "name": row.name,
            "role": row.role,
            "state": row.state,
            "active": row.active,
            "answers": len(own.get(row.id, ())),
            "median_seconds": _median(one.seconds for one in own.get(row.id, ())),
            "agreement": agreed.get(names[row.id]),
            "insurgency": rebels.get(names[row.id]),
            "controls": controls.get(row.id, {"seen": 0, "missed": 0}),
            "batches": {kind: decided.get(row.id, Counter())[kind] for kind in ("accepted", "returned")},
            "qualification": tests.get(row.id),
        }
        for row in connection.execute(select(people).order_by(people.c.id))
    ]


def _control_counts(connection: Connection) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    query = select(records.c.person, records.c.kind, records.c.body_json)
    for person, kind, body in connection.execute(query.where(records.c.kind.in_(("control", "look-again")))):
        counts = found.setdefault(person, {"seen": 0, "missed": 0})
        counts["seen"] += 1
        counts["missed"] += kind == "look-again" or not from_json(body)["passed"]
    return found


def _best_tests(connection: Connection) -> dict[int, float]:
    best: dict[int, float] = {}
    query = select(records.c.person, records.c.body_json).where(records.c.kind == "qualification")
    for person, body in connection.execute(query):
        best[person] = max(best.get(person, 0.0), from_json(body)["score"])
    return best


def _preannotation(connection: Connection, rows: list[Row[Any]]) -> dict[str, Any]:
    """Answers that began with a suggestion beside those that did not: is it quicker, and is it just waved through?"""
    sides: dict[str, Any] = {}
    query = select(assignments.c.suggested, assignments.c.answer_json, items.c.suggestion_json)
    query = query.join(items, items.c.id == assignments.c.item).where(assignments.c.state.in_(COUNTED))
    query = (
        query.where(items.c.suggestion_json.is_not(None)).order_by(assignments.c.changed.desc()).limit(2 * MEASURED)
    )
    both = connection.execute(query).all()
    for side, shown in (("with", True), ("without", False)):
        some = [row for row in rows if row.suggested == shown]
        kept = [
            _unmarked(row.answer_json) == _unmarked(row.suggestion_json) for row in both if row.suggested == shown
        ]
        sides[side] = {
            "answers": len(some),
            "median_seconds": _median(row.seconds for row in some),
            "kept_unchanged": sum(kept) / len(kept) if kept else None,
        }
    return sides


def _unmarked(text: str) -> Any:
    """An answer without the marks that say which parts were suggested."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key != "suggested"}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    return strip(from_json(text))
