"""Work of reviewers: batches of answers, and decisions where annotators disagree.

A batch is the answers of one person that are accepted or returned together.
When a batch is full, a random sample of it is drawn, and every answer in the sample is checked by several reviewers,
none of whom wrote it. An answer is right if all of them say so. A batch with enough right answers is accepted;
otherwise all of it goes back to its author with the reviewers' comments, and is checked again afterwards.

Of two concurrent decisions on an item, the second gets a conflict.
"""

from __future__ import annotations

from math import ceil
from typing import Any, Literal

from sqlalchemy import Row, delete, func, insert, select, update

from tupelo.annotate.desk import Person, Transaction, as_time, columns, from_json
from tupelo.annotate.items import COUNTED, answered_items, counted_rows, decisions, find_item, item_of
from tupelo.annotate.quality import item_agreement
from tupelo.annotate.schema import assignments, batches, checks, items, people
from tupelo.annotate.tasks import Answer
from tupelo.web.guard import Refusal

BatchState = Literal["open", "in-review", "accepted", "returned"]


def current_batch(tx: Transaction, person: int, *, create: bool) -> Row[Any] | None:
    """The batch that the next item of a person belongs to."""
    batch = tx.run("open_batch", person=person, room=create).one_or_none()
    if batch is not None or not create:
        return batch
    values = {"person": person, "state": "open", "round": 1, "size": tx.desk.project.batch_size, "done": 0}
    return tx.row(batches, tx.add(batches, changed=tx.desk.now(), **values))


def count_answer(tx: Transaction, number: int) -> None:
    """Count one more answer of a batch; the last one closes it."""
    batch = tx.run("count_answer", number=number).one()
    if batch.done >= batch.size:
        close_batch(tx, batch)


def close_batch(tx: Transaction, batch: Row[Any]) -> None:
    """Draw the sample that reviewers check. The draw depends on the seed, the batch and the round."""
    numbers = tx.run("sampled_answers", batch=batch.id).scalars().all()
    review = tx.desk.project.review
    if len(numbers) < batch.done or not numbers:
        return
    tx.change(batches, batch.id, state="in-review", size=len(numbers), changed=tx.desk.now())
    # Rounding up must not turn floating-point error (0.4 × 12 is 4.8000000000000004) into one more answer.
    wanted = ceil(round(review.sample * len(numbers), 9))
    chosen = sorted(numbers, key=lambda number: tx.desk.draw("sample", batch.id, batch.round, number))[:wanted]
    if not chosen:
        decide(tx, tx.row(batches, batch.id))
        return
    rows = [
        {"batch": batch.id, "round": batch.round, "assignment": number}
        for number in sorted(chosen)
        for _ in range(review.reviewers)
    ]
    tx.execute(insert(checks), rows)


def reopen_batch(tx: Transaction, number: int) -> None:
    """Take one answer back out of a batch, as long as no reviewer has seen the batch."""
    batch = tx.locked_row(batches, number, "batch")
    if batch.state not in ("open", "returned"):
        begun = tx.run("begun_check", batch=number, round=batch.round).first()
        if batch.state == "accepted" or begun is not None:
            raise Refusal("conflict", "This answer is under review already and cannot be changed now.")
        tx.execute(delete(checks).where(checks.c.batch == number, checks.c.round == batch.round))
    state = "open" if batch.round == 1 else "returned"
    tx.change(batches, number, done=batches.c.done - 1, state=state)


def next_check(tx: Transaction, reviewer: Person) -> Row[Any] | None:
    """A sampled answer that this reviewer neither wrote nor checked, leased to them for a time."""
    found = tx.run("held_check", reviewer=reviewer.id).one_or_none()
    if found is None:
        found = tx.run("free_check", reviewer=reviewer.id, now=tx.desk.now()).one_or_none()
    if found is None:
        return None
    tx.change(checks, found.id, reviewer=reviewer.id, lease_until=tx.desk.lease_end())
    return tx.row(checks, found.id)


def check_answer(
    tx: Transaction,
    reviewer: Person,
    number: int,
    client_id: str,
    decision: dict[str, Any],
) -> Row[Any]:
    """Record a reviewer's check of one answer, once; the last check decides the batch. Returns the batch."""
    check = tx.execute(select(checks).where(checks.c.id == number)).one_or_none()
    if check is None or check.reviewer != reviewer.id:
        raise Refusal("not-found", "You have no such review.")
    # Checks of a batch are serialized, so that the last one sees all of them.
    tx.locked_row(batches, check.batch, "batch")
    if tx.earlier(reviewer.id, client_id) is not None:
        return tx.row(batches, check.batch)
    check = tx.locked_row(checks, number, "review")
    if check.is_right is not None or check.reviewer != reviewer.id:
        raise Refusal("conflict", "This answer has been reviewed already.")
    assignment = tx.row(assignments, check.assignment)
    judged = {"is_right": decision["right"], "comment": decision["comment"]}
    tx.change(checks, number, time=tx.desk.now(), lease_until=None, **judged)
    about = {"item": assignment.item, "assignment": assignment.id, "version": assignment.version}
    body = {"batch": check.batch, "round": check.round, **decision}
    tx.append("review", reviewer.id, body, client_id=client_id, **about)
    batch = tx.row(batches, check.batch)
    if not tx.run("waiting_checks", batch=batch.id, round=batch.round).scalar_one():
        decide(tx, batch)
    return tx.row(batches, batch.id)


def next_review(tx: Transaction, reviewer: Person) -> dict[str, Any] | None:
    """The next answer to check, without its author."""
    check = next_check(tx, reviewer)
    if check is None:
        return None
    row = tx.row(assignments, check.assignment)
    item = item_of(tx.row(items, row.item))
    sample, checked = tx.run("checks_of_round", batch=check.batch, round=check.round).one()
    return {
        "id": check.id,
        "item": item.id,
        # In the order that the author saw, so that "left" and "right" mean the same.
        "content": tx.desk.task.present(item, tx.desk.seed_of(item.id, row.person)),
        "answer": from_json(row.sent_json),
        "batch": {"id": check.batch, "round": check.round, "checked": checked, "sample": sample},
    }


def review(
    tx: Transaction,
    reviewer: Person,
    number: int,
    client_id: str,
    right: bool,
    comment: str = "",
    answer: Answer | None = None,
) -> dict[str, Any]:
    """Mark an answer as right or wrong and get the next one."""
    decision = {"right": right, "comment": comment, "answer": answer}
    batch = check_answer(tx, reviewer, number, client_id, decision)
    return {"review": next_review(tx, reviewer), "batch": {"id": batch.id, "state": batch.state}}


def decide(tx: Transaction, batch: Row[Any]) -> None:
    """Accept a batch whose sample is checked, or return all of it."""
    sampled = tx.run("sampled_wrong", batch=batch.id, round=batch.round).all()
    share = sum(not bad for _, bad in sampled) / len(sampled) if sampled else 1.0
    accepted = share >= tx.desk.project.review.accept
    body = {"batch": batch.id, "round": batch.round, "right": share, "accepted": accepted, "sample": len(sampled)}
    tx.append("batch", batch.person, body)
    inside = update(assignments).where(assignments.c.batch == batch.id, assignments.c.state == "submitted")
    if accepted:
        tx.change(batches, batch.id, state="accepted", share_right=share, changed=tx.desk.now())
        tx.execute(inside.values(state="accepted", comment=None))
        return
    back = {"state": "returned", "share_right": share, "round": batch.round + 1, "done": 0, "changed": tx.desk.now()}
    tx.change(batches, batch.id, **back)
    # The author continues from the answer as it was.
    tx.execute(inside.values(state="returned", draft_json=assignments.c.sent_json, comment=None))
    for number, comment in _comments(tx, batch):
        tx.change(assignments, number, comment=comment)


def _comments(tx: Transaction, batch: Row[Any]) -> list[tuple[int, str]]:
    said: dict[int, list[str]] = {}
    for assignment, comment in tx.run("objections", batch=batch.id, round=batch.round):
        said.setdefault(assignment, []).append(comment or "not right")
    return [(assignment, "\n".join(dict.fromkeys(lines))) for assignment, lines in said.items()]


def list_batches(tx: Transaction, reader: Person, state: BatchState | None = None) -> list[dict[str, Any]]:
    """Every batch with its progress, newest first; only admins see the author."""
    shows_author = reader.role == "admin"
    return [
        columns(row, "id", "round", "state", "size", "done")
        | {"person": row.name if shows_author else None, "sample": row.sample}
        | {"checked": row.checked, "right": row.share_right}
        for row in tx.run("list_batches", state=state)
    ]


_SEED = "adjudication"


def disagreements(tx: Transaction, limit: int = 200) -> list[dict[str, Any]]:
    """Items with several answers, undecided ones first, then by disagreement."""
    rows, decided = counted_rows(tx), decisions(tx)
    by_name = {row.name: row for row in rows}
    found = [
        {
            "item": answered.item.id,
            "disagreement": 1 - agreed,
            "answers": len(answered.answers),
            "decided": by_name[answered.item.id].item_number in decided,
            "title": by_name[answered.item.id].title,
        }
        for answered in answered_items(rows, _letters(rows))
        if (agreed := item_agreement(tx.desk.task, answered)) is not None
    ]
    # Nothing to decide if all agree.
    found = [entry for entry in found if entry["disagreement"] > 1e-9 or entry["decided"]]
    return sorted(found, key=lambda entry: (entry["decided"], -entry["disagreement"], entry["item"]))[:limit]


def _letters(rows: list[Row[Any]]) -> dict[int, str]:
    """Annotators by number; decisions are made without knowing who wrote what."""
    return {row.person: f"{row.person}" for row in rows}


def letter(place: int) -> str:
    """A, B, … Z, AA, …"""
    before = letter(place // 26 - 1) if place >= 26 else ""
    return before + chr(ord("A") + place % 26)


def show_disagreement(tx: Transaction, item: str) -> dict[str, Any]:
    """One item on which annotators disagree, with its answers."""
    row = find_item(tx, item)
    rows = counted_rows(tx, row.id)
    answered = answered_items(rows, _letters(rows))
    agreed = item_agreement(tx.desk.task, answered[0]) if answered else None
    decision = decisions(tx, row.id).get(row.id)
    shown = None
    if decision is not None:
        body, person = from_json(decision.body_json), tx.row(people, decision.person).name
        shown = {"answer": body["answer"], "comment": body["comment"], "person": person}
        shown["time"] = as_time(decision.time)
    return {
        "item": row.name,
        "content": tx.desk.task.present(item_of(row), _SEED),
        "version": row.decisions,
        "answers": [
            {"person": letter(place), "answer": from_json(one.answer_json)} for place, one in enumerate(rows)
        ],
        "decision": shown,
        "disagreement": None if agreed is None else 1 - agreed,
    }


def adjudicate(
    tx: Transaction, reviewer: Person, item: str, client_id: str, version: int, answer: Answer, comment: str = ""
) -> dict[str, Any]:
    """Decide on an item. `version` is the number of decisions that the reviewer had seen."""
    number = find_item(tx, item).id
    row = tx.locked_row(items, number, "item")
    if tx.earlier(reviewer.id, client_id) is not None:
        return show_disagreement(tx, item)
    if row.decisions != version:
        detail = {"version": row.decisions, "current": show_disagreement(tx, item)}
        raise Refusal("conflict", "Somebody else has decided in the meantime.", detail=detail)
    count = select(func.count()).where(assignments.c.item == row.id, assignments.c.state.in_(COUNTED))
    if row.control or not tx.execute(count).scalar_one():
        raise Refusal("conflict", "There is no answer to decide on.", detail={"version": row.decisions})
    body = {"answer": tx.desk.validated(item_of(row), answer, _SEED), "comment": comment}
    tx.append("adjudication", reviewer.id, body, client_id=client_id, item=row.id, version=version + 1)
    tx.change(items, row.id, decisions=version + 1)
    return show_disagreement(tx, item)
