"""The answers that count at present: one per person and item, and the one that was decided on for each item."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select

from tupelo.annotate.desk import Desk, from_json
from tupelo.annotate.quality import Answered
from tupelo.annotate.schema import assignments, items, people, records
from tupelo.annotate.stock import item_of
from tupelo.annotate.tasks import Answer, Item

COUNTED = ("submitted", "accepted")


def pseudonyms(desk: Desk, connection: Connection) -> dict[int, str]:
    """A name for everyone that tells nothing, not even who came first; the same in every file of the project."""
    numbers = connection.execute(select(people.c.id)).scalars().all()
    shuffled = sorted(numbers, key=lambda number: desk.draw("pseudonym", number))
    return {number: f"annotator-{place}" for place, number in enumerate(shuffled, start=1)}


def real_names(connection: Connection) -> dict[int, str]:
    return {row.id: row.name for row in connection.execute(select(people.c.id, people.c.name))}


def counted_rows(connection: Connection, item: int | None = None, *, latest: int | None = None) -> list[Row[Any]]:
    """Handed-in answers with their items, in the order of the items and then of the assignments; no controls.

    `latest` takes only so many of the items, those with two answers or more that were last worked on.
    """
    query = select(
        items.c.id.label("item_number"),
        items.c.name,
        items.c.title,
        items.c.content_json,
        items.c.hidden_json,
        items.c.gold_json,
        items.c.control,
        assignments.c.id.label("assignment"),
        assignments.c.person,
        assignments.c.answer_json,
        assignments.c.version,
        assignments.c.changed,
        assignments.c.seconds,
        assignments.c.suggested,
        assignments.c.state,
        items.c.suggestion_json,
    ).join(assignments, assignments.c.item == items.c.id)
    query = query.where(assignments.c.state.in_(COUNTED), ~items.c.control)
    if item is not None:
        query = query.where(items.c.id == item)
    if latest is not None:
        shared = select(assignments.c.item).where(assignments.c.state.in_(COUNTED)).group_by(assignments.c.item)
        shared = shared.having(func.count() > 1).order_by(func.max(assignments.c.changed).desc()).limit(latest)
        query = query.where(items.c.id.in_(shared))
    return list(connection.execute(query.order_by(items.c.id, assignments.c.id)))


def light_rows(connection: Connection) -> list[Row[Any]]:
    """Who answered which item when and how long it took, without the answers."""
    query = select(
        assignments.c.item,
        assignments.c.person,
        assignments.c.changed,
        assignments.c.seconds,
        assignments.c.suggested,
    ).join(items, items.c.id == assignments.c.item)
    return list(connection.execute(query.where(assignments.c.state.in_(COUNTED), ~items.c.control)))


def answered_items(rows: list[Row[Any]], names: dict[int, str]) -> list[Answered]:
    """The same by item."""
    found: dict[int, tuple[Item, dict[str, Answer]]] = {}
    for row in rows:
        _, answers = found.setdefault(row.item_number, (item_of(row), {}))
        answers[names[row.person]] = from_json(row.answer_json)
    return [Answered(item, answers) for item, answers in found.values()]


def decisions(connection: Connection, item: int | None = None) -> dict[int, Row[Any]]:
    """The last decision on every item that was decided."""
    query = select(records).where(records.c.kind == "adjudication").order_by(records.c.id)
    if item is not None:
        query = query.where(records.c.item == item)
    return {row.item: row for row in connection.execute(query)}
