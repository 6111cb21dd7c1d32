"""Routes: checking samples of batches, and deciding where annotators disagree."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sqlalchemy import Connection, Row, func, select

from tupelo.annotate import adjudication, batches
from tupelo.annotate.bodies import Decision, Empty, ItemName, Number, Verdict
from tupelo.annotate.desk import Desk, from_json
from tupelo.annotate.entrance import ADMINS, REVIEWERS, desk_of, figures, signed_in
from tupelo.annotate.people import Person
from tupelo.annotate.schema import assignments, checks, items
from tupelo.annotate.stock import item_of

router = APIRouter(prefix="/api", tags=["review"])
State = Literal["open", "in-review", "accepted", "returned"]


def shown_check(desk: Desk, connection: Connection, check: Row[Any] | None) -> dict[str, Any] | None:
    """A sampled answer as its reviewer sees it: not who wrote it."""
    if check is None:
        return None
    row = connection.execute(select(assignments).where(assignments.c.id == check.assignment)).one()
    item = item_of(connection.execute(select(items).where(items.c.id == row.item)).one())
    of_round = select(func.count(), func.count(checks.c.is_right)).where(checks.c.batch == check.batch)
    sample, checked = connection.execute(of_round.where(checks.c.round == check.round)).one()
    return {
        "id": check.id,
        "item": item.id,
        # As the author saw it, so that "left" and "right" mean the same.
        "content": desk.task.present(item, desk.seed_of(item.id, row.person)),
        "answer": from_json(row.sent_json),
        "batch": {"id": check.batch, "round": check.round, "checked": checked, "sample": sample},
    }


def _next(desk: Desk, connection: Connection, person: Person) -> dict[str, Any] | None:
    return shown_check(desk, connection, batches.next_check(desk, connection, person))


@router.post("/reviews")
def next_review(request: Request, body: Empty) -> JSONResponse:
    """The next answer to check."""
    desk, person = desk_of(request), signed_in(request, REVIEWERS)
    return JSONResponse({"review": desk.database.write(lambda connection: _next(desk, connection, person))})


@router.post("/reviews/{number}")
def review(request: Request, number: Number, body: Verdict) -> JSONResponse:
    """Say whether an answer is right, and get the next one."""
    desk, person = desk_of(request), signed_in(request, REVIEWERS)
    verdict = {"right": body.right, "comment": body.comment, "answer": body.answer}

    def act(connection: Connection) -> dict[str, Any]:
        batch = batches.check_answer(desk, connection, person, number, body.client_id, verdict)
        return {"review": _next(desk, connection, person), "batch": {"id": batch.id, "state": batch.state}}

    return JSONResponse(desk.database.write(act))


@router.get("/batches")
def list_batches(request: Request, state: State | None = None) -> JSONResponse:
    """Every batch and how far it is; reviewers do not see whose it is."""
    person = signed_in(request, REVIEWERS)
    found = desk_of(request).database.read(lambda connection: batches.list_batches(connection, state))
    if person.role not in ADMINS:
        found = [{**batch, "person": None} for batch in found]
    return JSONResponse({"batches": found})


@router.get("/adjudications")
def adjudications(request: Request) -> JSONResponse:
    """Items on which annotators disagree, the worst first."""
    signed_in(request, REVIEWERS)
    return JSONResponse({"queue": figures(request, "adjudications")})


@router.get("/adjudications/{item:path}")
def adjudication_of(request: Request, item: ItemName) -> JSONResponse:
    """One such item with its answers."""
    desk = desk_of(request)
    signed_in(request, REVIEWERS)
    return JSONResponse(desk.database.read(lambda connection: adjudication.show(desk, connection, item)))


@router.post("/adjudications/{item:path}")
def decide(request: Request, item: ItemName, body: Decision) -> JSONResponse:
    """Decide on an item."""
    desk, person = desk_of(request), signed_in(request, REVIEWERS)
    done = desk.database.write(
        lambda connection: adjudication.decide(
            desk, connection, person, item, body.client_id, body.version, body.answer, body.comment
        )
    )
    return JSONResponse(done)
