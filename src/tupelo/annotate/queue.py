"""The assignment of items to people.

An item has a place for each person who should answer it; an assignment takes a place for the length of a lease. An
expired lease frees the place, and the answer so far stays as a draft. Two concurrent requests never
get the same place: on SQLite because transactions are serialized, on PostgreSQL because the row of the item is
locked and all others skip it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from tupelo.annotate.database import LOCK, SKIP
from tupelo.annotate.desk import Person, Transaction
from tupelo.annotate.review import close_batch, current_batch
from tupelo.web.guard import Refusal

_RELEASED_AT_ONCE = 100
# Milliseconds between two searches for expired leases.
_RELEASE_EVERY = 10_000

# A person whose lease expired may get the item again.
_NOT_MINE = (
    "not exists (select 1 from assignments mine where mine.item = items.id and mine.person = :person "
    "and mine.state <> 'expired')"
)


def take_next(tx: Transaction, person: Person) -> tuple[Row[Any] | None, str | None]:
    """The assignment that a person should work on now, or why there is none."""
    count = may_work(tx, person)
    # Returned work comes first.
    held = (
        "select * from assignments where person = :person and state in ('returned', 'leased') "
        "order by state desc, id limit 1"
    )
    mine = tx.run(held, LOCK, person=person.id).one_or_none()
    if mine is not None:
        if mine.state == "leased":
            extend(tx, mine.id)
        return find_assignment(tx, mine.id), None
    if tx.desk.is_time("release", _RELEASE_EVERY):
        release_expired(tx)
    item = _choose(tx, person, count)
    if item is None:
        release_expired(tx)
        item = _choose(tx, person, count)
    if item is not None:
        return _lease(tx, person, item), None
    if _may_come_back(tx, person):
        return None, "all-taken"
    batch = current_batch(tx, person.id, create=False)
    if batch is not None and batch.done:
        close_batch(tx, batch)
    return None, "none-left"


def may_work(tx: Transaction, person: Person) -> int:
    """Check that a person is trained and qualified, and return how many items they have had.

    The row is locked, so that one person's requests are serialized.
    """
    query = (
        "select state, (select count(*) from assignments where person = people.id and state <> 'expired') as had "
        "from people where id = :person"
    )
    row = tx.run(query, LOCK, person=person.id).one()
    if row.state != "working":
        raise Refusal("forbidden", "The tutorial and the test come first.", detail={"state": row.state})
    return int(row.had)


def find_assignment(tx: Transaction, number: int) -> Row[Any]:
    return tx.run("select * from assignments where id = :number", number=number).one()


def extend(tx: Transaction, number: int) -> int:
    until = tx.desk.lease_end()
    query = "update assignments set lease_until = :until where id = :number"
    tx.run(query, until=until, number=number)
    return until


def release_expired(tx: Transaction) -> None:
    query = (
        "select id, item from assignments where state = 'leased' and lease_until < :now "
        f"order by lease_until limit {_RELEASED_AT_ONCE}"
    )
    for row in tx.run(query, SKIP, now=tx.desk.now()).all():
        release(tx, row.id, row.item, "expired")


def release(tx: Transaction, number: int, item: int, state: str) -> None:
    """Free the place of an item. The assignment leaves its batch."""
    query = (
        "update assignments set state = :state, lease_until = null, batch = null, changed = :now where id = :number"
    )
    tx.run(query, state=state, now=tx.desk.now(), number=number)
    tx.run("update items set open = open + 1 where id = :item and not control", item=item)


def release_all(tx: Transaction, person: int) -> None:
    """Free everything that a person holds and will not finish."""
    query = "select id, item from assignments where person = :person and state in ('leased', 'returned')"
    for row in tx.run(query, LOCK, person=person).all():
        release(tx, row.id, row.item, "expired")


def retake(tx: Transaction, assignment: Row[Any]) -> bool:
    """Take back the place of an assignment that was released, if it is still free."""
    place = (
        "update items set open = case when control then open else open - 1 end where id = :item and open > 0 "
        "returning control"
    )
    taken = tx.run(place, item=assignment.item).one_or_none()
    if taken is None:
        return False
    _hold(tx, assignment.id, None if taken.control else assignment.person)
    return True


def _hold(tx: Transaction, number: int, person: int | None) -> Row[Any]:
    batch = None if person is None else current_batch(tx, person, create=True)
    query = (
        "update assignments set state = 'leased', lease_until = :until, batch = :batch, changed = :now "
        "where id = :number returning *"
    )
    values = {"until": tx.desk.lease_end(), "batch": batch and batch.id, "now": tx.desk.now(), "number": number}
    return tx.run(query, **values).one()


def _choose(tx: Transaction, person: Person, count: int) -> Row[Any] | None:
    share = tx.desk.project.controls.share
    if share and tx.desk.draw("control", person.id, count) < share:
        found = tx.run(_open("true"), person=person.id).one_or_none()
        if found is not None:
            return found
    return tx.run(_open("false"), SKIP, person=person.id).one_or_none()


def _open(control: str) -> str:
    # Written as a comparison so that the index of open items is used and finished ones are not scanned.
    return (
        "select id, name, control, suggestion_json is not null as has_suggestion from items "
        f"where control = {control} and open > 0 and {_NOT_MINE} order by id limit 1"
    )


def _may_come_back(tx: Transaction, person: Person) -> bool:
    """Whether others hold an item that this person could still get."""
    query = (
        "select 1 from items join assignments on assignments.item = items.id "
        f"where assignments.state = 'leased' and not items.control and {_NOT_MINE} limit 1"
    )
    return tx.run(query, person=person.id).first() is not None


def _lease(tx: Transaction, person: Person, item: Row[Any]) -> Row[Any]:
    if not item.control:
        tx.run("update items set open = open - 1 where id = :item", item=item.id)
    had = "select id from assignments where item = :item and person = :person"
    again = tx.run(had, item=item.id, person=person.id).scalar_one_or_none()
    if again is not None:
        return _hold(tx, again, None if item.control else person.id)
    batch = None if item.control else current_batch(tx, person.id, create=True)
    shown = (
        item.has_suggestion and tx.desk.draw("suggestion", item.name, person.id) < tx.desk.project.preannotation.share
    )
    query = (
        "insert into assignments (item, person, batch, state, version, lease_until, created, changed, suggested, "
        "draft_number) values (:item, :person, :batch, 'leased', 0, :until, :now, :now, :suggested, 0) returning *"
    )
    values = {"item": item.id, "person": person.id, "batch": batch and batch.id, "until": tx.desk.lease_end()}
    return tx.run(query, now=tx.desk.now(), suggested=bool(shown), **values).one()
