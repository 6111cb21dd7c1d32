"""The items of a project in its database, and the answers that currently count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, case, func, insert, select, update

from tupelo.annotate.desk import Desk, Transaction, columns, from_json, to_json
from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.quality import Answered
from tupelo.annotate.schema import assignments, items, meta, people, records
from tupelo.annotate.tasks import Answer, Item
from tupelo.core import InputError
from tupelo.web.guard import Refusal

_AT_ONCE = 500
_LONGEST_NAME = 200


def add_items(desk: Desk, new: Sequence[Item], *, by: int | None = None, token: int | None = None) -> tuple[int, int]:
    """Add items, skipping those already present; returns how many are new and how many were known.

    The same name with different content is an error: existing answers would refer to something else.
    """
    for name, count in Counter(item.id for item in new).most_common(1):
        if count > 1:
            raise InputError(f"two items with the id '{name}', expected one each")
    for item in new:
        if not 0 < len(item.id) <= _LONGEST_NAME or not item.id.isprintable():
            raise InputError(f"id {item.id[:40]!r}, expected 1 to {_LONGEST_NAME} visible characters")
    known = desk.read(_known, new)
    extract = desk.extract if desk.project.preannotation.share else None
    fresh = [item for item in new if item.id not in known and not item.control]
    suggestions = {} if extract is None else {item.id: desk.task.suggest(item, extract) for item in fresh}

    def work(tx: Transaction) -> tuple[int, int]:
        there = _known(tx, new)
        rows = []
        for item in new:
            if item.id in there:
                if there[item.id] != to_json(item.content):
                    raise InputError(f"item '{item.id}' is there with other content, expected the same or a new id")
                continue
            rows.append(_row(desk, item, suggestions.get(item.id)))
        for start in range(0, len(rows), _AT_ONCE):
            tx.execute(insert(items), rows[start : start + _AT_ONCE])
        if rows:
            tx.append("import", by, {"new": len(rows), "known": len(new) - len(rows), "token": token})
        return len(rows), len(new) - len(rows)

    return desk.write(work)


def _known(tx: Transaction, new: Sequence[Item]) -> dict[str, str]:
    names = [item.id for item in new]
    there: dict[str, str] = {}
    for start in range(0, len(names), _AT_ONCE):
        query = select(items.c.name, items.c.content_json).where(items.c.name.in_(names[start : start + _AT_ONCE]))
        there.update({row.name: row.content_json for row in tx.execute(query)})
    return there


def _row(desk: Desk, item: Item, draft: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "name": item.id,
        "title": title_of(item),
        "content_json": to_json(item.content),
        "hidden_json": to_json(item.hidden),
        "gold_json": None if item.gold is None else to_json(item.gold),
        "control": item.control,
        "suggestion_json": None if draft is None else to_json(draft),
        "suggestion_source": None if draft is None else desk.project.preannotation.extractor,
        "open": desk.project.overlap,
        "decisions": 0,
    }


def stock_up(desk: Desk) -> tuple[int, int]:
    """Synchronize the database with the project: the items of its files, and the overlap of each."""
    new = known = 0
    desk.write(_fit_overlap)
    for name in desk.project.items:
        rows = read_rows(desk.task.reads, str(desk.project.path(name)))
        counts = add_items(desk, items_of_rows(desk.task, rows, desk.project.settings, name))
        new, known = new + counts[0], known + counts[1]
    return new, known


def _fit_overlap(tx: Transaction) -> None:
    """Adjust the places of items to a changed overlap; places that are taken stay taken."""
    wanted = tx.desk.project.overlap
    before = tx.execute(select(meta.c.value).where(meta.c.key == "overlap")).scalar_one_or_none()
    if before is None:
        tx.execute(insert(meta).values(key="overlap", value=str(wanted)))
    elif int(before) != wanted:
        places = items.c.open + (wanted - int(before))
        tx.execute(update(items).values(open=case((places < 0, 0), else_=places)))
        tx.execute(update(meta).where(meta.c.key == "overlap").values(value=str(wanted)))


def title_of(item: Item) -> str:
    """The title of an item in lists: its first text."""
    text = " ".join(_first_text(item.content).split()) or item.id
    return text if len(text) <= 100 else f"{text[:99]}…"


def _first_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((text for one in inner if (text := _first_text(one)).strip()), "")


def item_of(row: Row[Any]) -> Item:
    return Item(
        row.name, from_json(row.content_json), from_json(row.hidden_json), from_json(row.gold_json), bool(row.control)
    )


def find_item(tx: Transaction, name: str) -> Row[Any]:
    row = tx.execute(select(items).where(items.c.name == name)).one_or_none()
    if row is None:
        raise Refusal("not-found", "There is no such item.")
    return row


_OF_ITEM = ("name", "title", "content_json", "hidden_json", "gold_json", "control", "suggestion_json")
_OF_ANSWER = ("person", "answer_json", "version", "changed", "seconds", "suggested", "state")
COUNTED = ("submitted", "accepted")


def pseudonyms(tx: Transaction) -> dict[int, str]:
    """Pseudonyms that reveal nothing, not even the order of arrival; the same in every file of the project."""
    numbers = tx.execute(select(people.c.id)).scalars().all()
    shuffled = sorted(numbers, key=lambda number: tx.desk.draw("pseudonym", number))
    return {number: f"annotator-{place}" for place, number in enumerate(shuffled, start=1)}


def real_names(tx: Transaction) -> dict[int, str]:
    return {row.id: row.name for row in tx.execute(select(people.c.id, people.c.name))}


def counted_rows(tx: Transaction, item: int | None = None, *, latest: int | None = None) -> list[Row[Any]]:
    """Submitted answers with their items, ordered by item and then by assignment; no controls.

    `latest` limits the items to the most recent ones with at least two answers.
    """
    query = select(
        items.c.id.label("item_number"),
        *(items.c[name] for name in _OF_ITEM),
        assignments.c.id.label("assignment"),
        *(assignments.c[name] for name in _OF_ANSWER),
    ).join(assignments, assignments.c.item == items.c.id)
    query = query.where(assignments.c.state.in_(COUNTED), ~items.c.control)
    if item is not None:
        query = query.where(items.c.id == item)
    if latest is not None:
        shared = select(assignments.c.item).where(assignments.c.state.in_(COUNTED)).group_by(assignments.c.item)
        shared = shared.having(func.count() > 1).order_by(func.max(assignments.c.changed).desc()).limit(latest)
        query = query.where(items.c.id.in_(shared))
    return list(tx.execute(query.order_by(items.c.id, assignments.c.id)))


def light_rows(tx: Transaction) -> list[Row[Any]]:
    """Items, people and times of the answers that count, without the answers."""
    wanted = (assignments.c[name] for name in ("item", "person", "changed", "seconds", "suggested"))
    query = select(*wanted).join(items, items.c.id == assignments.c.item)
    return list(tx.execute(query.where(assignments.c.state.in_(COUNTED), ~items.c.control)))


def answered_items(rows: list[Row[Any]], names: dict[int, str]) -> list[Answered]:
    """Group the rows by item."""
    found: dict[int, tuple[Item, dict[str, Answer]]] = {}
    for row in rows:
        _, answers = found.setdefault(row.item_number, (item_of(row), {}))
        answers[names[row.person]] = from_json(row.answer_json)
    return [Answered(item, answers) for item, answers in found.values()]


def decisions(tx: Transaction, item: int | None = None) -> dict[int, Row[Any]]:
    """The last decision on every decided item."""
    query = select(records).where(records.c.kind == "adjudication").order_by(records.c.id)
    if item is not None:
        query = query.where(records.c.item == item)
    return {row.item: row for row in tx.execute(query)}


# Rows of a list that is shown one page at a time.
PAGE = 100


def list_items(tx: Transaction, after: int | None = None, control: bool | None = None) -> dict[str, Any]:
    """Items in order, one page at a time."""
    counted = select(assignments.c.item, func.count().label("answers"))
    answers = counted.where(assignments.c.state.in_(COUNTED)).group_by(assignments.c.item).subquery()
    query = select(items, answers.c.answers).outerjoin(answers, answers.c.item == items.c.id)
    query = query.where(items.c.id > (after or 0)).order_by(items.c.id).limit(PAGE + 1)
    if control is not None:
        query = query.where(items.c.control == control)
    rows = tx.execute(query).all()
    shown = [
        columns(row, "title", "open", "control")
        | {
            "id": row.name,
            "answers": row.answers or 0,
            "decided": row.decisions > 0,
            "state": "done" if not row.open else "started" if row.answers else "new",
        }
        for row in rows[:PAGE]
    ]
    return {"items": shown, "next": rows[PAGE - 1].id if len(rows) > PAGE else None}


def show_item(tx: Transaction, item: str) -> dict[str, Any]:
    """One item with its answers and its history."""
    row, names = find_item(tx, item), real_names(tx)
    history = tx.execute(select(records).where(records.c.item == row.id).order_by(records.c.id))
    query = select(assignments).where(assignments.c.item == row.id).order_by(assignments.c.id)
    return {
        "id": row.name,
        "title": row.title,
        "content": tx.desk.task.present(item_of(row), "admin"),
        "control": row.control,
        "gold": from_json(row.gold_json),
        "answers": [
            {"person": names[one.person], **columns(one, "answer", "state", "seconds")} for one in tx.execute(query)
        ],
        "records": [
            columns(one, "kind", "version", "time") | {"person": names.get(one.person)} | columns(one, "body")
            for one in history
        ],
    }
