"""The items of a project in its database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, case, insert, select, update

from tupelo.annotate.desk import Desk, from_json, to_json
from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.records import append
from tupelo.annotate.refusals import Refusal
from tupelo.annotate.schema import items, meta
from tupelo.annotate.tasks import Item
from tupelo.core import InputError

_AT_ONCE = 500
_LONGEST_NAME = 200


def add_items(desk: Desk, new: Sequence[Item], *, by: int | None = None) -> tuple[int, int]:
    """Put items in, those that are there already left out; how many are new, and how many were known.

    The same name with other content is a mistake: answers that exist would be about something else.
    """
    _check_names(new)
    known = desk.database.read(lambda connection: _known(connection, new))
    suggestions = {item.id: _suggestion(desk, item) for item in new if item.id not in known}

    def work(connection: Connection) -> tuple[int, int]:
        there = _known(connection, new)
        rows = []
        for item in new:
            if item.id in there:
                if there[item.id] != to_json(item.content):
                    raise InputError(f"item '{item.id}' is there with other content, expected the same or a new id")
                continue
            rows.append(_row(desk, item, suggestions.get(item.id)))
        for start in range(0, len(rows), _AT_ONCE):
            connection.execute(insert(items), rows[start : start + _AT_ONCE])
        if rows:
            append(desk, connection, "import", person=by, body={"new": len(rows), "known": len(new) - len(rows)})
        return len(rows), len(new) - len(rows)

    return desk.database.write(work)


def _check_names(new: Sequence[Item]) -> None:
    for name, count in Counter(item.id for item in new).most_common(1):
        if count > 1:
            raise InputError(f"two items with the id '{name}', expected one each")
    for item in new:
        if not 0 < len(item.id) <= _LONGEST_NAME or not item.id.isprintable():
            raise InputError(f"id {item.id[:40]!r}, expected 1 to {_LONGEST_NAME} visible characters")


def _known(connection: Connection, new: Sequence[Item]) -> dict[str, str]:
    names = [item.id for item in new]
    there: dict[str, str] = {}
    for start in range(0, len(names), _AT_ONCE):
        query = select(items.c.name, items.c.content_json).where(items.c.name.in_(names[start : start + _AT_ONCE]))
        there.update({row.name: row.content_json for row in connection.execute(query)})
    return there


def _suggestion(desk: Desk, item: Item) -> dict[str, Any] | None:
    if desk.extract is None or not desk.project.preannotation.share or item.control:
        return None
    return desk.task.suggest(item, desk.extract)


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
    """Bring the database in line with the project: items of its files, and how many people each is for."""
    new = known = 0
    desk.database.write(lambda connection: _fit_overlap(desk, connection))
    for name in desk.project.items:
        rows = read_rows(desk.task.reads, str(desk.project.path(name)))
        counts = add_items(desk, items_of_rows(desk.task, rows, desk.project.settings, name))
        new, known = new + counts[0], known + counts[1]
    return new, known


def _fit_overlap(desk: Desk, connection: Connection) -> None:
    """Items of a project whose overlap was changed get more or fewer places; what is taken stays taken."""
    wanted = desk.project.overlap
    before = connection.execute(select(meta.c.value).where(meta.c.key == "overlap")).scalar_one_or_none()
    if before is None:
        connection.execute(insert(meta).values(key="overlap", value=str(wanted)))
    elif int(before) != wanted:
        places = items.c.open + (wanted - int(before))
        connection.execute(update(items).values(open=case((places < 0, 0), else_=places)))
        connection.execute(update(meta).where(meta.c.key == "overlap").values(value=str(wanted)))


def title_of(item: Item) -> str:
    """A line by which people recognise an item in lists: its first text."""
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


def find_item(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(items).where(items.c.name == name)).one_or_none()
    if row is None:
        raise Refusal("not-found", "There is no such item.")
    return row
