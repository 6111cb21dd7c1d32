"""Batches: so many answers of one person are accepted or returned together.

When a batch is full, a random sample of it is drawn, and every answer in the sample is checked by so many reviewers,
none of whom wrote it. An answer is right when all of them say so. A batch with enough right answers is accepted;
otherwise all of it goes back to its author, with the reviewers' comments, and is checked anew after that.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from sqlalchemy import Connection, Row, case, delete, exists, func, insert, select, update

from tupelo.annotate.desk import Desk
from tupelo.annotate.people import Person
from tupelo.annotate.records import append, earlier
from tupelo.annotate.refusals import Refusal
from tupelo.annotate.schema import assignments, batches, checks, people


def current_batch(desk: Desk, connection: Connection, person: int, *, create: bool) -> Row[Any] | None:
    """The batch that the next item of a person belongs to."""
    query = (
        "select * from batches where person = :person and state = 'open' "
        "and (not :room or (select count(*) from assignments where batch = batches.id) < size) order by id limit 1"
    )
    batch = desk.database.run(connection, query, person=person, room=create).one_or_none()
    if batch is not None or not create:
        return batch
    values = {"person": person, "state": "open", "round": 1, "size": desk.project.batch_size, "done": 0}
    number = desk.database.add(connection, insert(batches).values(changed=desk.now(), **values))
    return find_batch(connection, number)


def find_batch(connection: Connection, number: int) -> Row[Any]:
    return connection.execute(select(batches).where(batches.c.id == number)).one()


def count_answer(desk: Desk, connection: Connection, number: int) -> None:
    """One more answer of a batch is there; the last one closes it."""
    query = "update batches set done = done + 1 where id = :number returning *"
    batch = desk.database.run(connection, query, number=number).one()
    if batch.done >= batch.size:
        close_batch(desk, connection, batch)


def close_batch(desk: Desk, connection: Connection, batch: Row[Any]) -> None:
    """Draw the sample that reviewers check. The draw depends on the seed, the batch and the round."""
    query = select(assignments.c.id).where(assignments.c.batch == batch.id, assignments.c.state == "submitted")
    numbers = connection.execute(query.order_by(assignments.c.id)).scalars().all()
    review = desk.project.review
    if len(numbers) < batch.done or not numbers:
        return
    values = {"state": "in-review", "size": len(numbers), "changed": desk.now()}
    connection.execute(update(batches).where(batches.c.id == batch.id).values(**values))
    # Rounding up must not make 5 of 12 out of the 4.8000000000000004 that 0.4 × 12 is.
    wanted = ceil(round(review.sample * len(numbers), 9))
    chosen = sorted(numbers, key=lambda number: desk.draw("sample", batch.id, batch.round, number))[:wanted]
    if not chosen:
        decide(desk, connection, find_batch(connection, batch.id))
        return
    rows = [
        {"batch": batch.id, "round": batch.round, "assignment": number}
        for number in sorted(chosen)
        for _ in range(review.reviewers)
    ]
    connection.execute(insert(checks), rows)


def reopen_batch(desk: Desk, connection: Connection, number: int) -> None:
    """Take one answer out of a batch again, as long as no reviewer has looked at it."""
    batch = connection.execute(desk.database.locked(select(batches).where(batches.c.id == number))).one()
    if batch.state not in ("open", "returned"):
        begun = select(checks.c.id).where(
            checks.c.batch == number, checks.c.round == batch.round, checks.c.reviewer.is_not(None)
        )
        if batch.state == "accepted" or connection.execute(begun).first() is not None:
            raise Refusal("conflict", "This answer is under review already and cannot be changed now.")
        connection.execute(delete(checks).where(checks.c.batch == number, checks.c.round == batch.round))
    state = "open" if batch.round == 1 else "returned"
    connection.execute(update(batches).where(batches.c.id == number).values(done=batches.c.done - 1, state=state))


def next_check(desk: Desk, connection: Connection, reviewer: Person) -> Row[Any] | None:
    """A sampled answer that this reviewer did not write and has not checked; it is theirs while a lease lasts."""
    mine = checks.alias("mine")
    seen = exists().where(
        mine.c.assignment == checks.c.assignment, mine.c.round == checks.c.round, mine.c.reviewer == reviewer.id
    )
    query = select(checks).join(batches, batches.c.id == checks.c.batch)
    query = query.where(
        batches.c.state == "in-review", batches.c.round == checks.c.round, checks.c.is_right.is_(None)
    )
    query = query.where(batches.c.person != reviewer.id).order_by(checks.c.id).limit(1)
    held = query.where(checks.c.reviewer == reviewer.id)
    found = connection.execute(held).one_or_none()
    if found is None:
        stale = (checks.c.reviewer.is_(None)) | (checks.c.lease_until < desk.now())
        free = query.where(stale, ~seen)
        if not desk.database.is_sqlite:
            free = free.with_for_update(skip_locked=True, of=checks)
        found = connection.execute(free).one_or_none()
    if found is None:
        return None
    values = {"reviewer": reviewer.id, "lease_until": desk.lease_end()}
    connection.execute(update(checks).where(checks.c.id == found.id).values(**values))
    return connection.execute(select(checks).where(checks.c.id == found.id)).one()


def check_answer(
    desk: Desk,
    connection: Connection,
    reviewer: Person,
    number: int,
    client_id: str,
    verdict: dict[str, Any],
) -> Row[Any]:
    """What a reviewer says of one answer, once; the last check decides the batch, which comes back."""
    check = connection.execute(select(checks).where(checks.c.id == number)).one_or_none()
    if check is None or check.reviewer != reviewer.id:
        raise Refusal("not-found", "There is no such review of yours.")
    # Checks of a batch queue up, so that the last one sees all the others.
    connection.execute(desk.database.locked(select(batches.c.id).where(batches.c.id == check.batch)))
    if earlier(desk, connection, reviewer.id, client_id) is not None:
        return find_batch(connection, check.batch)
    check = connection.execute(desk.database.locked(select(checks).where(checks.c.id == number))).one()
    if check.is_right is not None or check.reviewer != reviewer.id:
        raise Refusal("conflict", "This answer has been reviewed already.")
    assignment = connection.execute(select(assignments).where(assignments.c.id == check.assignment)).one()
    values = {"is_right": verdict["right"], "comment": verdict["comment"], "time": desk.now(), "lease_until": None}
    connection.execute(update(checks).where(checks.c.id == number).values(**values))
    append(
        desk,
        connection,
        "review",
        person=reviewer.id,
        client_id=client_id,
        item=assignment.item,
        assignment=assignment.id,
        version=assignment.version,
        body={"batch": check.batch, "round": check.round, **verdict},
    )
    batch = find_batch(connection, check.batch)
    waiting = select(func.count()).where(
        checks.c.batch == batch.id, checks.c.round == batch.round, checks.c.is_right.is_(None)
    )
    if not connection.execute(waiting).scalar_one():
        decide(desk, connection, batch)
    return find_batch(connection, batch.id)


def decide(desk: Desk, connection: Connection, batch: Row[Any]) -> None:
    """Accept a batch whose sample is checked, or return all of it."""
    wrong = func.max(case((checks.c.is_right, 0), else_=1))
    query = select(checks.c.assignment, wrong).where(checks.c.batch == batch.id, checks.c.round == batch.round)
    verdicts = connection.execute(query.group_by(checks.c.assignment)).all()
    share = sum(not bad for _, bad in verdicts) / len(verdicts) if verdicts else 1.0
    accepted = share >= desk.project.review.accept
    body = {"batch": batch.id, "round": batch.round, "right": share, "accepted": accepted, "sample": len(verdicts)}
    append(desk, connection, "batch", person=batch.person, body=body)
    inside = update(assignments).where(assignments.c.batch == batch.id, assignments.c.state == "submitted")
    if accepted:
        values = {"state": "accepted", "share_right": share, "changed": desk.now()}
        connection.execute(update(batches).where(batches.c.id == batch.id).values(**values))
        connection.execute(inside.values(state="accepted", comment=None))
        return
    back = {"state": "returned", "share_right": share, "round": batch.round + 1, "done": 0, "changed": desk.now()}
    connection.execute(update(batches).where(batches.c.id == batch.id).values(**back))
    # The author finds the answer as it was and goes on from there.
    connection.execute(inside.values(state="returned", draft_json=assignments.c.sent_json, comment=None))
    for number, comment in _comments(connection, batch):
        connection.execute(update(assignments).where(assignments.c.id == number).values(comment=comment))


def _comments(connection: Connection, batch: Row[Any]) -> list[tuple[int, str]]:
    query = select(checks.c.assignment, checks.c.comment).where(checks.c.batch == batch.id)
    query = query.where(checks.c.round == batch.round, ~checks.c.is_right).order_by(checks.c.id)
    said: dict[int, list[str]] = {}
    for assignment, comment in connection.execute(query):
        said.setdefault(assignment, []).append(comment or "not right")
    return [(assignment, "\n".join(dict.fromkeys(lines))) for assignment, lines in said.items()]


def list_batches(connection: Connection, state: str | None = None) -> list[dict[str, Any]]:
    """Every batch with how far its review is, newest first."""
    checked = func.sum(case((checks.c.is_right.is_not(None), 1), else_=0))
    counts = select(checks.c.batch, checks.c.round, func.count().label("sample"), checked.label("checked"))
    counted = counts.group_by(checks.c.batch, checks.c.round).subquery()
    query = select(batches, people.c.name, counted.c.sample, counted.c.checked)
    query = query.join(people, people.c.id == batches.c.person)
    query = query.outerjoin(counted, (counted.c.batch == batches.c.id) & (counted.c.round == batches.c.round))
    if state is not None:
        query = query.where(batches.c.state == state)
    return [
        {
            "id": row.id,
            "person": row.name,
            "round": row.round,
            "state": row.state,
            "size": row.size,
            "done": row.done,
            "sample": row.sample or 0,
            "checked": int(row.checked or 0),
            "right": row.share_right,
        }
        for row in connection.execute(query.order_by(batches.c.id.desc()))
    ]
