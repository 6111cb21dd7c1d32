"""Routes: the tutorial, the test, and the work itself."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse

from tupelo.annotate import training, work
from tupelo.annotate.bodies import After, Done, Draft, Empty, HandIn, Number, Practice, Skip, Test, Undo
from tupelo.annotate.entrance import desk_of, session_body, signed_in, visitor

router = APIRouter(prefix="/api", tags=["work"])
State = Literal["leased", "returned", "submitted", "skipped", "expired", "accepted"]


@router.get("/tutorial")
def tutorial(request: Request) -> JSONResponse:
    """The steps of the tutorial."""
    signed_in(request)
    return JSONResponse(training.tutorial(desk_of(request)))


@router.post("/tutorial/{index}")
def practise(request: Request, index: Annotated[int, Path(ge=0, le=1000)], body: Practice) -> JSONResponse:
    """Try a step of the tutorial."""
    signed_in(request)
    return JSONResponse(training.practise(desk_of(request), index, body.answer))


@router.post("/tutorial")
def finish_tutorial(request: Request, body: Done) -> JSONResponse:
    """On to the test."""
    desk, person = desk_of(request), signed_in(request)
    desk.database.write(lambda connection: training.finish_tutorial(desk, connection, person))
    return JSONResponse(session_body(desk, visitor(request)))


@router.get("/qualification")
def qualification(request: Request) -> JSONResponse:
    """The test, without its answers."""
    desk, person = desk_of(request), signed_in(request)
    return JSONResponse(desk.database.read(lambda connection: training.qualification(desk, connection, person)))


@router.post("/qualification")
def take_test(request: Request, body: Test) -> JSONResponse:
    """Hand the whole test in."""
    desk, person = desk_of(request), signed_in(request)
    result = desk.database.write(
        lambda connection: training.take_test(desk, connection, person, body.client_id, body.answers)
    )
    return JSONResponse(result)


@router.post("/assignments")
def next_assignment(request: Request, body: Empty) -> JSONResponse:
    """The assignment to work on now."""
    desk, person = desk_of(request), signed_in(request)
    return JSONResponse(desk.database.write(lambda connection: work.next_for(desk, connection, person)))


@router.get("/assignments")
def assignments(request: Request, state: State | None = None, before: After = None) -> JSONResponse:
    """One's own assignments."""
    person = signed_in(request)
    found = desk_of(request).database.read(lambda connection: work.list_own(connection, person, state, before))
    return JSONResponse(found)


@router.get("/assignments/{number}")
def assignment(request: Request, number: Number) -> JSONResponse:
    """One assignment of one's own."""
    desk, person = desk_of(request), signed_in(request)
    shown = desk.database.read(
        lambda connection: work.view(desk, connection, work.own(desk, connection, person, number))
    )
    return JSONResponse(shown)


@router.put("/assignments/{number}/draft")
def draft(request: Request, number: Number, body: Draft) -> JSONResponse:
    """Keep an unfinished answer."""
    desk, person = desk_of(request), signed_in(request)
    kept = desk.database.write(
        lambda connection: work.save_draft(desk, connection, person, number, body.number, body.answer)
    )
    return JSONResponse(kept)


@router.post("/assignments/{number}/answer")
def answer(request: Request, number: Number, body: HandIn) -> JSONResponse:
    """Hand an answer in and get the next assignment."""
    desk, person = desk_of(request), signed_in(request)
    done = desk.database.write(
        lambda connection: work.hand_in(
            desk, connection, person, number, body.client_id, body.version, body.answer, body.seconds
        )
    )
    return JSONResponse(done)


@router.post("/assignments/{number}/skip")
def skip(request: Request, number: Number, body: Skip) -> JSONResponse:
    """Leave an item to others and get the next assignment."""
    desk, person = desk_of(request), signed_in(request)
    done = desk.database.write(
        lambda connection: work.skip(desk, connection, person, number, body.client_id, body.version, body.reason)
    )
    return JSONResponse(done)


@router.post("/assignments/{number}/undo")
def undo(request: Request, number: Number, body: Undo) -> JSONResponse:
    """Take an answer or a skip back."""
    desk, person = desk_of(request), signed_in(request)
    done = desk.database.write(
        lambda connection: work.undo(desk, connection, person, number, body.client_id, body.version)
    )
    return JSONResponse(done)


@router.get("/progress")
def progress(request: Request) -> JSONResponse:
    """How far one is."""
    desk, person = desk_of(request), signed_in(request)
    return JSONResponse(desk.database.read(lambda connection: work.progress(desk, connection, person)))
