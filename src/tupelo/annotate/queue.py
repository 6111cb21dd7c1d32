"""Who gets which item next.

An item is open for so many people; taking it takes one of its places, for as long as a lease lasts. A lease that ran
out gives the place back, and what was written stays as a draft. Two who ask at the same moment never get the same
place: on SQLite because one transaction follows the other, on PostgreSQL because the row of the item is locked and
passed over by everybody else.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, exists, func, insert, select, update

from tupelo.annotate.batches import close_batch, current_batch
from tupelo.annotate.desk import Desk
from tupelo.annotate.people import Person
from tupelo.annotate.refusals import Refusal
from tupelo.annotate.schema import assignments, items, people

_HELD = ("returned", "leased")
_RELEASED_AT_ONCE = 100


def take_next(desk: Desk, connection: Connection, person: Person) -> tuple[Row[Any] | None, str | None]:
    """The assignment that a person should work on now, or why there is none."""
    may_work(desk, connection, person)
    held = select(assignments).where(assignments.c.person == person.id, assignments.c.state.in_(_HELD))
    # What was returned comes first.
    held = held.order_by(case((assignments.c.state == "returned", 0), else_=1), assignments.c.id).limit(1)
    mine = connection.execute(desk.database.locked(held)).one_or_none()
    if mine is not None:
        if mine.state == "leased":
            extend(desk, connection, mine.id)
        return find_assignment(connection, mine.id), None
    release_expired(desk, connection)
    item = _choose(desk, connection, person)
    if item is not None:
        return _lease(desk, connection, person, item), None
    if _may_come_back(connection, person):
        return None, "all-taken"
    batch = current_batch(desk, connection, person.id, create=False)
    if batch is not None and batch.done:
        close_batch(desk, connection, batch)
    return None, "none-left"


def may_work(desk: Desk, connection: Connection, person: Person) -> None:
    """Only those who were trained and passed go on. The row is locked: one person's requests queue up."""
    state = connection.execute(
        desk.database.locked(select(people.c.state).where(people.c.id == person.id))
    ).scalar_one()
    if state != "working":
        raise Refusal("forbidden", "The tutorial and the test come first.", detail={"state": state})


def find_assignment(connection: Connection, number: int) -> Row[Any]:
    return connection.execute(select(assignments).where(assignments.c.id == number)).one()


def extend(desk: Desk, connection: Connection, number: int) -> int:
    until = desk.lease_end()
    connection.execute(update(assignments).where(assignments.c.id == number).values(lease_until=until))
    return until


def release_expired(desk: Desk, connection: Connection) -> None:
    query = select(assignments.c.id, assignments.c.item)
    query = query.where(assignments.c.state == "leased", assignments.c.lease_until < desk.now())
    query = query.order_by(assignments.c.lease_until).limit(_RELEASED_AT_ONCE)
    for number, item in connection.execute(desk.database.locked(query, skip=True)).all():
        release(desk, connection, number, item, "expired")


def release(desk: Desk, connection: Connection, number: int, item: int, state: str, **values: Any) -> None:
    """Give the place of an item back. The assignment leaves its batch."""
    connection.execute(
        update(assignments)
        .where(assignments.c.id == number)
        .values(state=state, lease_until=None, batch=None, changed=desk.now(), **values)
    )
    connection.execute(update(items).where(items.c.id == item, ~items.c.control).values(open=items.c.open + 1))


def release_all(desk: Desk, connection: Connection, person: int) -> None:
    """Give back what somebody holds and will not finish."""
    query = select(assignments.c.id, assignments.c.item)
    query = query.where(assignments.c.person == person, assignments.c.state.in_(_HELD))
    for number, item in connection.execute(desk.database.locked(query)).all():
        release(desk, connection, number, item, "expired")


def retake(desk: Desk, connection: Connection, assignment: Row[Any]) -> bool:
    """Take the place of an expired assignment again, if it is still free."""
    place = update(items).where(items.c.id == assignment.item, items.c.open > 0)
    place = place.values(open=case((items.c.control, items.c.open), else_=items.c.open - 1))
    if connection.execute(place).rowcount != 1:
        return False
    is_control = connection.execute(select(items.c.control).where(items.c.id == assignment.item)).scalar_one()
    batch = None if is_control else current_batch(desk, connection, assignment.person, create=True)
    connection.execute(
        update(assignments)
        .where(assignments.c.id == assignment.id)
        .values(state="leased", lease_until=desk.lease_end(), batch=batch and batch.id, changed=desk.now())
    )
    return True


def _not_mine(person: int) -> Any:
    # Who let a lease run out may have the item again.
    return ~exists().where(
        assignments.c.item == items.c.id, assignments.c.person == person, assignments.c.state != "expired"
    )


def _choose(desk: Desk, connection: Connection, person: Person) -> Row[Any] | None:
    share = desk.project.controls.share
    if share:
        count = select(func.count()).where(assignments.c.person == person.id, assignments.c.state != "expired")
        number = connection.execute(count).scalar_one()
        if desk.draw("control", person.id, number) < share:
            found = connection.execute(_open(desk, person, control=True)).one_or_none()
            if found is not None:
                return found
    return connection.execute(desk.database.locked(_open(desk, person, control=False), skip=True)).one_or_none()


def _open(desk: Desk, person: Person, *, control: bool) -> Select[Any]:
    query = select(items.c.id, items.c.name, items.c.control, items.c.suggestion_json)
    query = query.where(items.c.control == control, items.c.open > 0, _not_mine(person.id))
    return query.order_by(items.c.id).limit(1)


def _may_come_back(connection: Connection, person: Person) -> bool:
    """Is something in the hands of others that this person could still get?"""
    query = select(items.c.id).join(assignments, assignments.c.item == items.c.id)
    query = query.where(assignments.c.state == "leased", ~items.c.control, _others(person.id)).limit(1)
    return connection.execute(query).first() is not None


def _others(person: int) -> Any:
    mine = assignments.alias("mine")
    return ~exists().where(and_(mine.c.item == items.c.id, mine.c.person == person, mine.c.state != "expired"))


def _lease(desk: Desk, connection: Connection, person: Person, item: Row[Any]) -> Row[Any]:
    batch = None
    if not item.control:
        connection.execute(update(items).where(items.c.id == item.id).values(open=items.c.open - 1))
        batch = current_batch(desk, connection, person.id, create=True)
    held = {"state": "leased", "lease_until": desk.lease_end(), "batch": batch and batch.id, "changed": desk.now()}
    again = update(assignments).where(assignments.c.item == item.id, assignments.c.person == person.id).values(**held)
    if not connection.execute(again).rowcount:
        shown = item.suggestion_json is not None
        shown = shown and desk.draw("suggestion", item.name, person.id) < desk.project.preannotation.share
        values = {"item": item.id, "person": person.id, "version": 0, "created": desk.now(), "draft_number": 0}
        connection.execute(insert(assignments).values(suggested=shown, **values, **held))
    query = select(assignments).where(assignments.c.item == item.id, assignments.c.person == person.id)
    return connection.execute(query).one()
