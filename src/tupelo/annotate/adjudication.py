"""A reviewer decides where annotators disagree. Of two concurrent decisions, the second gets a conflict."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, func, select

from tupelo.annotate.desk import Person, Transaction, as_time, from_json
from tupelo.annotate.items import COUNTED, answered_items, counted_rows, decisions, find_item, item_of
from tupelo.annotate.quality import item_agreement
from tupelo.annotate.schema import assignments, items, people
from tupelo.web.refusals import Refusal

_SEED = "adjudication"


def queue(tx: Transaction, limit: int = 200) -> list[dict[str, Any]]:
    """Items with several answers, undecided ones first, then by disagreement."""
    rows = counted_rows(tx)
    titles = {row.name: row.title for row in rows}
    numbers = {row.name: row.item_number for row in rows}
    decided = decisions(tx)
    found = []
    for answered in answered_items(rows, _letters(rows)):
        agreed = item_agreement(tx.desk.task, answered)
        if agreed is not None:
            found.append(
                {
                    "item": answered.item.id,
                    "disagreement": 1 - agreed,
                    "answers": len(answered.answers),
                    "decided": numbers[answered.item.id] in decided,
                    "title": titles[answered.item.id],
                }
            )
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


def show(tx: Transaction, name: str) -> dict[str, Any]:
    row = find_item(tx, name)
    rows = counted_rows(tx, row.id)
    answered = answered_items(rows, _letters(rows))
    agreed = item_agreement(tx.desk.task, answered[0]) if answered else None
    decision = decisions(tx, row.id).get(row.id)
    shown = None
    if decision is not None:
        body = from_json(decision.body_json)
        person = tx.execute(select(people.c.name).where(people.c.id == decision.person)).scalar_one()
        shown = {
            "answer": body["answer"],
            "comment": body["comment"],
            "person": person,
            "time": as_time(decision.time),
        }
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


def decide(
    tx: Transaction,
    reviewer: Person,
    name: str,
    client_id: str,
    version: int,
    answer: Any,
    comment: str,
) -> dict[str, Any]:
    """Record a decision. `version` is the number of decisions that the reviewer had seen."""
    number = find_item(tx, name).id
    row = tx.locked_row(items, number, "item")
    if tx.earlier(reviewer.id, client_id) is not None:
        return show(tx, name)
    if row.decisions != version:
        detail = {"version": row.decisions, "current": show(tx, name)}
        raise Refusal("conflict", "Somebody else has decided in the meantime.", detail=detail)
    count = select(func.count()).where(assignments.c.item == row.id, assignments.c.state.in_(COUNTED))
    if row.control or not tx.execute(count).scalar_one():
        raise Refusal("conflict", "There is no answer to decide on.", detail={"version": row.decisions})
    body = {"answer": tx.desk.validated(item_of(row), answer, _SEED), "comment": comment}
    tx.append("adjudication", reviewer.id, body, client_id=client_id, item=row.id, version=version + 1)
    tx.change(items, row.id, decisions=version + 1)
    return show(tx, name)
