"""Routes: figures, items, import and export, tokens of programs, and the audit log."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response
from sqlalchemy import func, select

from tupelo.annotate import audit, tokens
from tupelo.annotate import export as exporting
from tupelo.annotate.adjudication import letter
from tupelo.annotate.desk import Desk, Transaction, as_time, from_json
from tupelo.annotate.exchange import items_of_rows, rows_of_file
from tupelo.annotate.items import add_items, find_item, item_of, real_names
from tupelo.annotate.requests import (
    ADMINS,
    REVIEWERS,
    After,
    ItemName,
    NewToken,
    Number,
    desk_of,
    figures,
    for_programs,
    signed_in,
    used_token,
)
from tupelo.annotate.schema import assignments, items, people, records
from tupelo.io.files import InputBytes

router = APIRouter(prefix="/api", tags=["admin"])
FormatName = Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]+$")]
_PAGE = 100


@router.get("/dashboard", **for_programs("read"))
def dashboard(request: Request) -> JSONResponse:
    """An overview of the project; reviewers see letters instead of names."""
    person = signed_in(request, REVIEWERS)
    found = figures(request, "dashboard")
    return JSONResponse(found if person.role in ADMINS else _nameless(found))


def _nameless(found: dict[str, Any]) -> dict[str, Any]:
    letters = {one["name"]: letter(place) for place, one in enumerate(found["people"])}
    people = [{**one, "name": letters[one["name"]], "id": 0} for one in found["people"]]
    questions = {name: {**about, "cohen": {}} for name, about in found["agreement"]["questions"].items()}
    return {**found, "people": people, "agreement": {**found["agreement"], "questions": questions}}


@router.get("/agreement", **for_programs("read"))
def agreement_of_all(request: Request) -> JSONResponse:
    """The agreement of annotators."""
    signed_in(request, ADMINS)
    return JSONResponse(figures(request, "agreement"))


@router.get("/items", **for_programs("read"))
def list_items(request: Request, after: After = None, control: bool | None = None) -> JSONResponse:
    """Items in order, one page at a time."""
    signed_in(request, ADMINS)

    def work(tx: Transaction) -> dict[str, Any]:
        counted = select(assignments.c.item, func.count().label("answers"))
        counted = counted.where(assignments.c.state.in_(("submitted", "accepted"))).group_by(assignments.c.item)
        answers = counted.subquery()
        query = select(items, answers.c.answers).outerjoin(answers, answers.c.item == items.c.id)
        query = query.where(items.c.id > (after or 0)).order_by(items.c.id).limit(_PAGE + 1)
        if control is not None:
            query = query.where(items.c.control == control)
        rows = tx.execute(query).all()
        shown = [
            {
                "id": row.name,
                "title": row.title,
                "answers": row.answers or 0,
                "open": row.open,
                "control": row.control,
                "decided": row.decisions > 0,
                "state": "done" if not row.open else "started" if row.answers else "new",
            }
            for row in rows[:_PAGE]
        ]
        return {"items": shown, "next": rows[_PAGE - 1].id if len(rows) > _PAGE else None}

    return JSONResponse(desk_of(request).read(work))


@router.get("/items/{item:path}", **for_programs("read"))
def show_item(request: Request, item: ItemName) -> JSONResponse:
    """One item with its answers and its history."""
    desk = desk_of(request)
    signed_in(request, ADMINS)

    def work(tx: Transaction) -> dict[str, Any]:
        row = find_item(tx, item)
        names = real_names(tx)
        found = tx.execute(select(records).where(records.c.item == row.id).order_by(records.c.id))
        history = [
            {
                "time": as_time(one.time),
                "person": names.get(one.person),
                "kind": one.kind,
                "version": one.version,
                "body": from_json(one.body_json),
            }
            for one in found
        ]
        query = select(assignments, people.c.name).join(people, people.c.id == assignments.c.person)
        query = query.where(assignments.c.item == row.id).order_by(assignments.c.id)
        answers = [
            {"person": one.name, "state": one.state, "answer": from_json(one.answer_json), "seconds": one.seconds}
            for one in tx.execute(query)
        ]
        return {
            "id": row.name,
            "title": row.title,
            "content": desk.task.present(item_of(row), "admin"),
            "control": row.control,
            "gold": from_json(row.gold_json),
            "answers": answers,
            "records": history,
        }

    return JSONResponse(desk.read(work))


@router.get("/formats", **for_programs("read"))
def formats(request: Request) -> JSONResponse:
    """Export formats for answers."""
    signed_in(request, ADMINS)
    return JSONResponse({"formats": exporting.formats_for(desk_of(request))})


@router.get("/export", response_class=Response, **for_programs("export"))
def export_file(
    request: Request,
    format: FormatName = "jsonl",
    names: bool = False,
    what: Literal["answers", "gold", "records"] = "answers",
) -> Response:
    """Answers as a file."""
    desk = desk_of(request)
    person = signed_in(request, ADMINS)
    made = desk.write(exporting.recorded_export, format, names=names, what=what, by=person.id, **used_token(request))
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"', "X-Left-Out": str(made.left_out)}
    return Response(made.data, media_type="application/octet-stream", headers=headers)


_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post("/import", **for_programs("import", **_FILE))
async def import_file(request: Request, format: FormatName = "auto") -> JSONResponse:
    """Add the items of a file. Existing items are not changed."""
    data = await request.body()
    return await run_in_threadpool(_import, request, data, format)


def _import(request: Request, data: bytes, format_name: str) -> JSONResponse:
    desk: Desk = desk_of(request)
    person = signed_in(request, ADMINS)
    with InputBytes(data, "upload") as file:
        rows = rows_of_file(desk.task.reads, file, format_name, only_text=True)
    found = items_of_rows(desk.task, rows, desk.project.settings, "upload")
    new, known = add_items(desk, found, by=person.id, **used_token(request))
    return JSONResponse({"items": new, "known": known})


@router.get("/tokens")
def list_tokens(request: Request) -> JSONResponse:
    """Tokens, newest first. Their text cannot be shown again."""
    signed_in(request, ADMINS)
    return JSONResponse({"tokens": desk_of(request).read(tokens.list_tokens)})


@router.post("/tokens")
def make_token(request: Request, body: NewToken) -> JSONResponse:
    """Create a token for a program that acts for a person, by default for you."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    person = by.id if body.person is None else body.person
    number, token = tokens.make_token(desk, person, body.label, body.scopes, days=body.days, by=by.id)
    return JSONResponse({"id": number, "token": token})


@router.delete("/tokens/{number}")
def revoke_token(request: Request, number: Number) -> JSONResponse:
    """Revoke a token, at once."""
    by = signed_in(request, ADMINS)
    tokens.revoke_token(desk_of(request), number, by.id)
    return JSONResponse({})


@router.get("/audit")
def list_events(request: Request, before: After = None) -> JSONResponse:
    """The audit log: sign-ins, changes, decisions, exports and erasures; newest first, one page at a time."""
    signed_in(request, ADMINS)

    def work(tx: Transaction) -> dict[str, Any]:
        found = audit.list_events(tx, before=before, limit=_PAGE + 1)
        return {"events": found[:_PAGE], "next": found[_PAGE - 1]["id"] if len(found) > _PAGE else None}

    return JSONResponse(desk_of(request).read(work))
