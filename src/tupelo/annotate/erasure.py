"""The data that a project holds on a person, and its erasure.

Records name people by number. An erasure removes what leads from the number to the person: name, password,
participant number, sessions, links, tokens, drafts, and the name in anybody's remarks. Answers, times and the number
stay, under a neutral label, so that figures and files stay what they were. The erasure is itself a record.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, Table, delete, insert, or_, select, update

from tupelo.annotate.credentials import name_key
from tupelo.annotate.desk import Desk, Person, Transaction, as_time, columns, from_json, to_json
from tupelo.annotate.items import real_names
from tupelo.annotate.people import keep_an_admin, tries_of
from tupelo.annotate.schema import (
    ERASING,
    TIMES,
    assignments,
    attempts,
    batches,
    checks,
    items,
    links,
    meta,
    people,
    records,
    sessions,
    tokens,
)
from tupelo.annotate.tokens import shown_token
from tupelo.annotate.work import release_all
from tupelo.core import InputError, UnknownNameError
from tupelo.web.guard import Refusal

# Fields for free text beside an answer. The answer itself is data of the project and is never changed.
REMARKS = frozenset({"comment", "reason", "note"})
# Records that a person may not see before they have left: they tell which items are controls.
_OF_CONTROLS = ("control", "look-again")
_AT_ONCE = 5_000


def find_person(tx: Transaction, name: str) -> int:
    """The number of the person of this name."""
    number = tx.execute(select(people.c.id).where(people.c.name_key == name_key(name))).scalar_one_or_none()
    if number is None:
        raise UnknownNameError.among("person", name, tx.execute(select(people.c.name)).scalars())
    return int(number)


# Data


def person_data(tx: Transaction, number: int, *, by: int | None = None) -> dict[str, Any]:
    """Everything that the project holds on a person, without secrets; a record says who asked for it.

    A person who asks for their own data does not learn which items were controls.
    """
    row = tx.locked_row(people, number, "person")
    hidden = _OF_CONTROLS if by == number and row.role != "admin" else ()
    data = {
        "project": tx.desk.project.name,
        "time": as_time(tx.desk.now()),
        "person": columns(row, "id", "name", "role", "state", "active", "participant", "created", "erased"),
        "sessions": _rows(tx, sessions, sessions.c.person == number, "created expires"),
        "links": _rows(
            tx, links, or_(links.c.person == number, links.c.used_by == number), "role label created expires used"
        ),
        "tokens": [shown_token(one) for one in tx.execute(select(tokens).where(tokens.c.person == number))],
        "assignments": _assignments(tx, number),
        "batches": _rows(tx, batches, batches.c.person == number, "id state round size done share_right changed"),
        "checks_by": _checks(tx, checks.c.reviewer == number),
        "checks_of": _checks(tx, assignments.c.person == number),
        "records": _records(tx, number, hidden),
    }
    tx.append("data", by, {"of": number})
    return data


def _rows(tx: Transaction, table: Table, condition: Any, names: str) -> list[dict[str, Any]]:
    """Some columns of the rows that fit, the oldest first."""
    listed = names.split()
    first = next(name for name in listed if name in TIMES)
    query = select(*(table.c[name] for name in listed)).where(condition).order_by(first)
    return [columns(row, *listed) for row in tx.execute(query)]


def _assignments(tx: Transaction, number: int) -> list[dict[str, Any]]:
    query = select(assignments, items.c.name).join(items, items.c.id == assignments.c.item)
    return [
        {
            "item": row.name,
            **columns(row, "state", "version", "suggested", "seconds", "comment", "created", "changed"),
            **columns(row, "lease_until", "sent", "answer", "draft"),
        }
        for row in tx.execute(query.where(assignments.c.person == number).order_by(assignments.c.id))
    ]


def _checks(tx: Transaction, condition: Any) -> list[dict[str, Any]]:
    query = select(checks, items.c.name).join(assignments, assignments.c.id == checks.c.assignment)
    query = query.join(items, items.c.id == assignments.c.item).where(condition, checks.c.is_right.is_not(None))
    return [
        {"item": row.name, "right": row.is_right, **columns(row, "time", "batch", "round", "comment")}
        for row in tx.execute(query.order_by(checks.c.id))
    ]


def _records(tx: Transaction, number: int, hidden: tuple[str, ...]) -> list[dict[str, Any]]:
    """Actions of a person, and actions of other people on their account."""
    query = select(records, items.c.name).outerjoin(items, items.c.id == records.c.item)
    accounts = records.c.kind.in_(("person", "link", "login-failed", "data", "token", "token-refused"))
    found = tx.execute(query.where(or_(records.c.person == number, accounts)).order_by(records.c.id))
    return [
        columns(row, "id", "kind", "version", "guidelines", "time") | {"item": row.name, "body": body}
        for row in found
        if row.kind not in hidden
        and (number in ((body := from_json(row.body_json)).get("of"), body.get("for")) or row.person == number)
    ]


# Erasure


@dataclass(frozen=True, slots=True)
class Erasure:
    """The label that a person now has, the records changed, and the answers whose own text has the name.

    Answers are left as they are; whoever runs the project decides about them.
    """

    label: str
    records: int
    answers_with_name: int

    def to_dict(self) -> dict[str, Any]:
        return {"label": self.label, "records": self.records, "answers_with_name": self.answers_with_name}


def erase_person(desk: Desk, number: int, *, by: int | None = None) -> Erasure:
    """Remove for ever what leads to a person, from the tables and from the files of the database."""
    done = desk.write(_erase, number, by)
    try:
        desk.database.purge()
    except InputError as error:
        raise InputError(
            f"{error}. {done.label} is erased, but old data is in the file until it is erased again"
        ) from error
    return done


def erase_named(desk: Desk, by: Person, number: int, name: str) -> dict[str, Any]:
    """Remove for ever what leads to a person; answers stay, under a neutral label.

    The name is typed again, because an erasure cannot be undone.
    """
    found = desk.read(real_names).get(number)
    if found is None:
        raise Refusal("not-found", "There is no such person.")
    if name_key(name) != name_key(found):
        raise Refusal("invalid", "This is not the name of the person.", field="name")
    return erase_person(desk, number, by=by.id).to_dict()


def _erase(tx: Transaction, number: int, by: int | None) -> Erasure:
    row = tx.locked_row(people, number, "person")
    if row.erased is not None:
        # Only the files are left to be cleaned, again.
        return Erasure(row.name, 0, 0)
    keep_an_admin(tx, row)
    release_all(tx, number)
    label = _label(tx, number)
    for table, person in ((sessions, sessions.c.person), (tokens, tokens.c.person), (links, links.c.person)):
        tx.execute(delete(table).where(person == number))
    tx.execute(delete(attempts).where(or_(attempts.c.key.in_(tries_of(row.name)), attempts.c.key.like("both/%"))))
    tx.execute(update(links).where(links.c.used_by == number).values(label=None))
    tx.execute(update(assignments).where(assignments.c.person == number).values(draft_json=None))
    gone = {"name": label, "name_key": name_key(label), "password": "", "participant": None, "active": False}
    tx.change(people, number, erased=tx.desk.now(), **gone)
    scrub = _Scrub(tx, [text for text in (row.name, row.participant) if text], label)
    tx.execute(insert(meta).values(key=ERASING, value=str(number)))
    changed = scrub.records()
    tx.execute(delete(meta).where(meta.c.key == ERASING))
    scrub.plain(links, links.c.label)
    scrub.plain(checks, checks.c.comment)
    scrub.plain(assignments, assignments.c.comment)
    with_name = scrub.answers()
    tx.append("erased", by, {"of": number, "records": changed})
    return Erasure(label, changed, with_name)


def _label(tx: Transaction, number: int) -> str:
    taken = set(tx.execute(select(people.c.name_key)).scalars())
    label = f"erased-{number}"
    while name_key(label) in taken:
        label += "-"
    return label


class _Scrub:
    """Replaces names by a label wherever they stand as whole words in remarks."""

    def __init__(self, tx: Transaction, names: list[str], label: str) -> None:
        self._tx, self._label = tx, label
        words = (r"\s+".join(re.escape(word) for word in _composed(name).split()) for name in names)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)

    def text(self, text: str) -> str:
        composed = _composed(text)
        return self._pattern.sub(self._label, composed) if self._pattern.search(composed) else text

    def remarks(self, value: Any) -> Any:
        """A body with its remarks changed."""
        if isinstance(value, dict):
            return {
                key: self.text(inner) if key in REMARKS and isinstance(inner, str) else self.remarks(inner)
                for key, inner in value.items()
            }
        return [self.remarks(inner) for inner in value] if isinstance(value, list) else value

    def names_them(self, value: Any) -> bool:
        if isinstance(value, str):
            return self._pattern.search(_composed(value)) is not None
        inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        return any(map(self.names_them, inner))

    def _pages(self, table: Table, query: Select[Any]) -> Iterator[Row[Any]]:
        """The rows of a query, some at a time: the log of a project may be larger than memory."""
        last = 0
        while rows := self._tx.execute(query.where(table.c.id > last).order_by(table.c.id).limit(_AT_ONCE)).all():
            yield from rows
            last = rows[-1].id

    def records(self) -> int:
        kinds = ("answer", "late", "look-again", "skip", "review", "adjudication", "qualification")
        query = select(records.c.id, records.c.body_json).where(records.c.kind.in_(kinds))
        count = 0
        for row in self._pages(records, query):
            body = to_json(self.remarks(from_json(row.body_json)))
            if body != row.body_json:
                self._tx.change(records, row.id, body_json=body)
                count += 1
        return count

    def plain(self, table: Table, column: Any) -> None:
        for row in self._pages(table, select(table.c.id, column.label("said")).where(column.is_not(None))):
            said = self.text(row.said)
            if said != row.said:
                self._tx.change(table, row.id, **{column.name: said})

    def answers(self) -> int:
        """Change the remarks of answers; how many answers have the name in their own text."""
        names = ("sent_json", "answer_json", "draft_json")
        query = select(assignments.c.id, *(assignments.c[name] for name in names))
        count = 0
        for row in self._pages(assignments, query):
            before = {name: getattr(row, name) for name in names if getattr(row, name) is not None}
            after = {name: to_json(self.remarks(from_json(text))) for name, text in before.items()}
            if after != before:
                self._tx.change(assignments, row.id, **after)
            count += any(self.names_them(from_json(text)) for text in after.values())
        return count


def _composed(text: str) -> str:
    """The same text, however its accents were typed."""
    return unicodedata.normalize("NFC", text)
