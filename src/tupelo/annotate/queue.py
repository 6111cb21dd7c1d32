"""The assignment of items to people.

An item has a place for each person who should answer it; an assignment takes a place for the length of a lease. An
expired lease frees the place, and the answer so far stays as a draft. Two concurrent requests never
get the same place: on SQLite because transactions are serialized, on PostgreSQL because the row of the item is
locked and all others skip it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from tupelo.annotate.desk import Person, Transaction
from tupelo.annotate.review import close_batch, current_batch
from tupelo.web.guard import Refusal

# Milliseconds between two searches for expired leases.
_RELEASE_EVERY = 10_000


def take_next(tx: Transaction, person: Person) -> tuple[Row[Any] | None, str | None]:
    """The assignment that a person should work on now, or why there is none."""
    count = may_work(tx, person)
    mine = tx.run("held_assignment", person=person.id).one_or_none()
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
    if tx.run("may_come_back", person=person.id).first() is not None:
        return None, "all-taken"
    batch = current_batch(tx, person.id, create=False)
    if batch is not None and batch.done:
        close_batch(tx, batch)
    return None, "none-left"


def may_work(tx: Transaction, person: Person) -> int:
    """Check that a person is trained and qualified, and return how many items they have had.

    The row is locked, so that one person's requests are serialized.
    """
    row = tx.run("items_had", person=person.id).one()
    if row.state != "working":
        raise Refusal("forbidden", "The tutorial and the test come first.", detail={"state": row.state})
    return int(row.had)


def find_assignment(tx: Transaction, number: int) -> Row[Any]:
    return tx.run("assignment", number=number).one()


def extend(tx: Transaction, number: int) -> int:
    until = tx.desk.lease_end()
    tx.run("extend_lease", until=until, number=number)
    return until


def release_expired(tx: Transaction) -> None:
    for row in tx.run("expired_assignments", now=tx.desk.now()).all():
        release(tx, row.id, row.item, "expired")


def release(tx: Transaction, number: int, item: int, state: str) -> None:
    """Free the place of an item. The assignment leaves its batch."""
    tx.run("release", state=state, now=tx.desk.now(), number=number)
    tx.run("give_place", item=item)


def release_all(tx: Transaction, person: int) -> None:
    """Free everything that a person holds and will not finish."""
    for row in tx.run("held_assignments", person=person).all():
        release(tx, row.id, row.item, "expired")


def retake(tx: Transaction, assignment: Row[Any]) -> bool:
    """Take back the place of an assignment that was released, if it is still free."""
    taken = tx.run("retake_place", item=assignment.item).one_or_none()
    if taken is None:
        return False
    _hold(tx, assignment.id, None if taken.control else assignment.person)
    return True


def _hold(tx: Transaction, number: int, person: int | None) -> Row[Any]:
    batch = None if person is None else current_batch(tx, person, create=True)
    values = {"until": tx.desk.lease_end(), "batch": batch and batch.id, "now": tx.desk.now(), "number": number}
    return tx.run("lease_again", **values).one()


def _choose(tx: Transaction, person: Person, count: int) -> Row[Any] | None:
    share = tx.desk.project.controls.share
    if share and tx.desk.draw("control", person.id, count) < share:
        found = tx.run("open_control", person=person.id).one_or_none()
        if found is not None:
            return found
    return tx.run("open_item", person=person.id).one_or_none()


def _lease(tx: Transaction, person: Person, item: Row[Any]) -> Row[Any]:
    if not item.control:
        tx.run("take_place", item=item.id)
    again = tx.run("assignment_of_item", item=item.id, person=person.id).scalar_one_or_none()
    if again is not None:
        return _hold(tx, again, None if item.control else person.id)
    batch = None if item.control else current_batch(tx, person.id, create=True)
    shown = (
        item.has_suggestion and tx.desk.draw("suggestion", item.name, person.id) < tx.desk.project.preannotation.share
    )
    values = {"item": item.id, "person": person.id, "batch": batch and batch.id, "until": tx.desk.lease_end()}
    return tx.run("lease", now=tx.desk.now(), suggested=bool(shown), **values).one()
