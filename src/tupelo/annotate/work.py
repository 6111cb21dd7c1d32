"""The assignment of items to people, and actions on an assignment: save a draft, hand in, skip, undo.

An item has a place for each person who should answer it; an assignment takes a place for the length of a lease. An
expired lease frees the place, and the answer so far stays as a draft. Two concurrent requests never
get the same place: on SQLite because transactions are serialized, on PostgreSQL because the row of the item is
locked and all others skip it.

Everything that is acknowledged is committed before the reply is sent. A request that comes twice, because the
first reply was lost, changes nothing the second time: it is recognized by the id that the page generated.
"""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Row, func, select

from tupelo.annotate.desk import Person, Transaction, as_time, columns, from_json, to_json
from tupelo.annotate.items import item_of
from tupelo.annotate.review import close_batch, count_answer, current_batch, reopen_batch
from tupelo.annotate.schema import assignments, batches, items
from tupelo.annotate.tasks import Answer
from tupelo.annotate.training import grade_control
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


State = Literal["leased", "returned", "submitted", "skipped", "expired", "accepted"]
_WORKABLE = ("leased", "returned", "expired")
_LATE = "The time for this item ran out and others have finished it. Your answer is kept, but does not count."


def view(tx: Transaction, assignment: Row[Any]) -> dict[str, Any]:
    """An assignment as shown to its person. Nothing in it distinguishes a control from another item."""
    row = tx.run("item", number=assignment.item).one()
    item = item_of(row)
    suggestion = None
    if assignment.suggested and row.suggestion_json is not None:
        suggestion = {"answer": from_json(row.suggestion_json), "source": row.suggestion_source}
    return {
        "id": assignment.id,
        "item": item.id,
        **columns(assignment, "state", "version"),
        "content": tx.desk.task.present(item, tx.desk.seed_of(item.id, assignment.person)),
        "answer": from_json(assignment.sent_json),
        **columns(assignment, "draft", "draft_number"),
        "suggestion": suggestion,
        **columns(assignment, "lease_until", "comment"),
        "batch": _batch_view(tx, assignment),
    }


def _batch_view(tx: Transaction, assignment: Row[Any]) -> dict[str, Any]:
    batch = tx.run("shown_batch", person=assignment.person, batch=assignment.batch).one_or_none()
    if batch is None:
        return {"id": None, "done": 0, "size": tx.desk.project.batch_size, "round": 1}
    return columns(batch, "id", "done", "size", "round")


def next_for(tx: Transaction, person: Person) -> dict[str, Any]:
    """The assignment to work on now."""
    assignment, reason = take_next(tx, person)
    return {"assignment": assignment and view(tx, assignment), "reason": reason}


def own(tx: Transaction, person: Person, number: int) -> Row[Any]:
    """An assignment of this person, locked; other people's assignments are reported as not found."""
    row = tx.run("own_assignment", number=number, person=person.id).one_or_none()
    if row is None:
        raise Refusal("not-found", "You have no such assignment.")
    return row


def show_own(tx: Transaction, person: Person, number: int) -> dict[str, Any]:
    """One of your own assignments."""
    return view(tx, own(tx, person, number))


def _record(
    tx: Transaction, kind: str, assignment: Row[Any], client_id: str, version: int, body: dict[str, Any]
) -> None:
    about = {"item": assignment.item, "assignment": assignment.id, "version": version}
    tx.append(kind, assignment.person, body, client_id=client_id, **about)


def save_draft(tx: Transaction, person: Person, number: int, draft_number: int, answer: Any) -> dict[str, Any]:
    """Save an unfinished answer; a save that arrives after a newer one is ignored."""
    assignment = own(tx, person, number)
    if assignment.state not in _WORKABLE:
        raise _conflict(tx, assignment, "This answer was handed in already.")
    kept = assignment.draft_number
    if draft_number > kept:
        kept = draft_number
        tx.run("save_draft", draft=to_json(answer), kept=kept, number=number)
    until = extend(tx, number) if assignment.state == "leased" else None
    return {"number": kept, "lease_until": as_time(until)}


def hand_in(
    tx: Transaction,
    person: Person,
    number: int,
    client_id: str,
    version: int,
    answer: Answer,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Submit an answer and get the next assignment."""
    may_work(tx, person)
    assignment = own(tx, person, number)
    before = tx.earlier(person.id, client_id)
    if before is not None and before.kind == "late":
        raise Refusal("lease-lost", _LATE)
    if before is None:
        _check_version(tx, assignment, version)
        row = tx.run("item", number=assignment.item).one()
        item = item_of(row)
        normal = tx.desk.validated(item, answer, tx.desk.seed_of(item.id, person.id))
        missed = tx.desk.task.missed(item, normal)
        if missed:
            looked = {"missed": missed, "answer": normal}
            tx.append("look-again", person.id, looked, item=row.id, assignment=number)
            message = "Something in this answer is clearly wrong. Please check everything again."
            raise Refusal("look-again", message, detail={"missed": len(missed)}, keep=True)
        body: dict[str, Any] = {
            "answer": normal,
            "sent": answer,
            "seconds": seconds,
            "suggested": bool(assignment.suggested),
            "task": tx.desk.task.name,
            "task_version": tx.desk.task.version,
        }
        if assignment.state == "expired" and not retake(tx, assignment):
            _record(tx, "late", assignment, client_id, version, body)
            raise Refusal("lease-lost", _LATE, keep=True)
        _record(tx, "answer", assignment, client_id, version + 1, body)
        values = {"version": version + 1, "now": tx.desk.now(), "seconds": seconds, "number": number}
        texts = {"sent": to_json(answer), "answer": to_json(normal)}
        batch = tx.run("submit", **values, **texts).scalar_one()
        if batch is not None:
            count_answer(tx, batch)
        if item.control:
            grade_control(tx, person, row.id, item, normal)
    return _after(tx, person, number)


def skip(tx: Transaction, person: Person, number: int, client_id: str, version: int, reason: str) -> dict[str, Any]:
    """Skip an item and get the next assignment."""
    may_work(tx, person)
    assignment = own(tx, person, number)
    if tx.earlier(person.id, client_id) is None:
        _check_version(tx, assignment, version)
        if assignment.state == "returned":
            raise Refusal("conflict", "A returned answer has to be revised and cannot be skipped.")
        _record(tx, "skip", assignment, client_id, version + 1, {"reason": reason})
        if assignment.state == "leased":
            release(tx, number, assignment.item, "skipped")
        tx.change(assignments, number, state="skipped", version=version + 1)
    return _after(tx, person, number)


def undo(tx: Transaction, person: Person, number: int, client_id: str, version: int) -> dict[str, Any]:
    """Undo an answer or a skip; the assignment is open again, as a draft."""
    may_work(tx, person)
    assignment = own(tx, person, number)
    if tx.earlier(person.id, client_id) is None:
        if assignment.version != version or assignment.state not in ("submitted", "skipped"):
            raise _conflict(tx, assignment, "There is nothing to take back.")
        values: dict[str, Any] = {"state": "leased", "lease_until": tx.desk.lease_end()}
        if assignment.state == "skipped":
            if not retake(tx, assignment):
                raise Refusal("lease-lost", "Somebody else is working on this item now.")
        elif assignment.batch is not None:
            reopen_batch(tx, assignment.batch)
            if tx.row(batches, assignment.batch).round > 1:
                values = {"state": "returned"}
        _record(tx, "undo", assignment, client_id, version + 1, {"of": assignment.state})
        values |= {"version": version + 1, "changed": tx.desk.now(), "draft_json": assignment.sent_json}
        tx.change(assignments, number, **values)
    return {"assignment": view(tx, find_assignment(tx, number))}


def _check_version(tx: Transaction, assignment: Row[Any], version: int) -> None:
    if assignment.version != version or assignment.state not in _WORKABLE:
        raise _conflict(tx, assignment, "This item was changed elsewhere in the meantime.")


def _conflict(tx: Transaction, assignment: Row[Any], message: str) -> Refusal:
    detail = {"version": assignment.version, "current": view(tx, assignment)}
    return Refusal("conflict", message, detail=detail)


def _after(tx: Transaction, person: Person, number: int) -> dict[str, Any]:
    """The current state of the assignment, and the next one. A person who was just sent back gets none."""
    try:
        following = next_for(tx, person)["assignment"]
    except Refusal:
        following = None
    done = view(tx, find_assignment(tx, number))
    return {"assignment": done, "next": following}


def list_own(
    tx: Transaction, person: Person, state: State | None = None, before: int | None = None
) -> dict[str, Any]:
    """Your own assignments, newest first, one page at a time."""
    query = select(assignments, items.c.name, items.c.title).join(items, items.c.id == assignments.c.item)
    query = query.where(assignments.c.person == person.id)
    if state is not None:
        query = query.where(assignments.c.state == state)
    if before is not None:
        query = query.where(assignments.c.id < before)
    rows = tx.execute(query.order_by(assignments.c.id.desc()).limit(51)).all()
    shown = [
        columns(row, "id", "state", "version", "title") | {"item": row.name, "time": as_time(row.changed)}
        for row in rows[:50]
    ]
    return {"assignments": shown, "next": rows[49].id if len(rows) > 50 else None}


def progress(tx: Transaction, person: Person) -> dict[str, Any]:
    """Your own progress."""
    query = select(assignments.c.state, func.count()).where(assignments.c.person == person.id)
    counts = {row[0]: row[1] for row in tx.execute(query.group_by(assignments.c.state))}
    places = select(func.coalesce(func.sum(items.c.open), 0)).where(~items.c.control)
    newest = select(batches).where(batches.c.person == person.id).order_by(batches.c.id.desc()).limit(1)
    batch = tx.execute(newest).one_or_none()
    return {
        "done": counts.get("submitted", 0) + counts.get("accepted", 0),
        "returned": counts.get("returned", 0),
        "skipped": counts.get("skipped", 0),
        "total_open": int(tx.execute(places).scalar_one()),
        "batch": batch and columns(batch, "id", "done", "size", "round", "state"),
    }
