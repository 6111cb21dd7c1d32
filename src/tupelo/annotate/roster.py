"""What admins do with people and invitations."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from tupelo.annotate.desk import Desk, as_time
from tupelo.annotate.people import Person, person_of
from tupelo.annotate.queue import release_all
from tupelo.annotate.records import append
from tupelo.annotate.refusals import Refusal
from tupelo.annotate.schema import links, people, records, sessions


def change_person(desk: Desk, by: Person, number: int, changes: dict[str, Any]) -> dict[str, Any]:
    """Role, state, or whether somebody may come in at all. The last admin stays one."""

    def work(connection: Connection) -> dict[str, Any]:
        row = connection.execute(desk.database.locked(select(people).where(people.c.id == number))).one_or_none()
        if row is None:
            raise Refusal("not-found", "Nobody has this number.")
        if row.role == "admin" and (changes.get("role", "admin") != "admin" or changes.get("active") is False):
            admins = select(people.c.id).where(people.c.role == "admin", people.c.active)
            if len(connection.execute(desk.database.locked(admins)).all()) < 2:
                raise Refusal("conflict", "A project needs an admin; make somebody else one first.")
        if changes:
            connection.execute(update(people).where(people.c.id == number).values(**changes))
            append(desk, connection, "person", person=by.id, body={"of": number, **changes})
        if "role" in changes or changes.get("active") is False:
            connection.execute(delete(sessions).where(sessions.c.person == number))
        if changes.get("active") is False:
            release_all(desk, connection, number)
        return shown_person(connection.execute(select(people).where(people.c.id == number)).one())

    return desk.database.write(work)


def shown_person(row: Row[Any]) -> dict[str, Any]:
    shown = person_of(row).shown()
    return {**shown, "active": row.active, "participant": row.participant}


def list_people(connection: Connection) -> list[dict[str, Any]]:
    """Everybody, with the time of the last thing that they did."""
    last = select(func.max(records.c.time)).where(records.c.person == people.c.id).scalar_subquery()
    rows = connection.execute(select(people, last.label("last")).order_by(people.c.id))
    return [{**shown_person(row), "last_seen": as_time(row.last or row.created)} for row in rows]


def list_invitations(connection: Connection) -> list[dict[str, Any]]:
    query = select(links, people.c.name).outerjoin(people, people.c.id == links.c.used_by)
    query = query.where(links.c.person.is_(None)).order_by(links.c.id.desc())
    return [
        {
            "id": row.id,
            "role": row.role,
            "label": row.label,
            "created": as_time(row.created),
            "expires": as_time(row.expires),
            "used_by": row.name,
        }
        for row in connection.execute(query)
    ]


def withdraw_invitation(desk: Desk, by: Person, number: int) -> None:
    def work(connection: Connection) -> None:
        query = select(links).where(links.c.id == number, links.c.person.is_(None))
        link = connection.execute(desk.database.locked(query)).one_or_none()
        if link is None:
            raise Refusal("not-found", "There is no such invitation.")
        if link.used is None:
            connection.execute(update(links).where(links.c.id == number).values(expires=0))
            append(desk, connection, "link", person=by.id, body={"link": number, "withdrawn": True})

    desk.database.write(work)
