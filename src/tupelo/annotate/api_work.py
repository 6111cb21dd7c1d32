"""Routes: tutorial, test, the work itself, its review, and decisions where annotators disagree."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse

from tupelo.annotate import adjudication, batches, training, work
from tupelo.annotate.requests import (
    ADMINS,
    REVIEWERS,
    After,
    Caller,
    Decision,
    Done,
    DraftAnswer,
    Empty,
    HandIn,
    ItemName,
    Number,
    Practice,
    ReviewDecision,
    Skip,
    TestAnswers,
    Undo,
    figures,
    for_programs,
    session_body,
    visitor,
)

router = APIRouter(prefix="/api", tags=["work"])
reviewing = APIRouter(prefix="/api", tags=["review"])
AssignmentState = Literal["leased", "returned", "submitted", "skipped", "expired", "accepted"]
BatchState = Literal["open", "in-review", "accepted", "returned"]


@router.get("/tutorial")
def tutorial(request: Request) -> JSONResponse:
    """The steps of the tutorial."""
    return JSONResponse(training.tutorial(Caller(request).desk))


@router.post("/tutorial/{index}")
def practise(request: Request, index: Annotated[int, Path(ge=0, le=1000)], body: Practice) -> JSONResponse:
    """Answer a step of the tutorial."""
    return JSONResponse(training.practise(Caller(request).desk, index, body.answer))


@router.post("/tutorial")
def finish_tutorial(request: Request, body: Done) -> JSONResponse:
    """Finish the tutorial and continue with the test."""
    caller = Caller(request)
    caller.write(training.finish_tutorial)
    return JSONResponse(session_body(caller.desk, visitor(request)))


@router.get("/qualification")
def qualification(request: Request) -> JSONResponse:
    """The test, without its answers."""
    return JSONResponse(Caller(request).read(training.qualification))


@router.post("/qualification")
def take_test(request: Request, body: TestAnswers) -> JSONResponse:
    """Submit the whole test."""
    return JSONResponse(Caller(request).write(training.take_test, body.client_id, body.answers))


@router.post("/assignments", **for_programs("answer"))
def next_assignment(request: Request, body: Empty) -> JSONResponse:
    """The assignment to work on now."""
    return JSONResponse(Caller(request).write(work.next_for))


@router.get("/assignments", **for_programs("read"))
def assignments(request: Request, state: AssignmentState | None = None, before: After = None) -> JSONResponse:
    """Your own assignments."""
    return JSONResponse(Caller(request).read(work.list_own, state, before))


@router.get("/assignments/{number}", **for_programs("read"))
def assignment(request: Request, number: Number) -> JSONResponse:
    """One of your own assignments."""
    return JSONResponse(Caller(request).read(work.show_own, number))


@router.put("/assignments/{number}/draft", **for_programs("answer"))
def draft(request: Request, number: Number, body: DraftAnswer) -> JSONResponse:
    """Save an unfinished answer."""
    return JSONResponse(Caller(request).write(work.save_draft, number, body.number, body.answer))


@router.post("/assignments/{number}/answer", **for_programs("answer"))
def answer(request: Request, number: Number, body: HandIn) -> JSONResponse:
    """Submit an answer and get the next assignment."""
    arguments = (number, body.client_id, body.version, body.answer, body.seconds)
    return JSONResponse(Caller(request).write(work.hand_in, *arguments))


@router.post("/assignments/{number}/skip", **for_programs("answer"))
def skip(request: Request, number: Number, body: Skip) -> JSONResponse:
    """Skip an item and get the next assignment."""
    return JSONResponse(Caller(request).write(work.skip, number, body.client_id, body.version, body.reason))


@router.post("/assignments/{number}/undo", **for_programs("answer"))
def undo(request: Request, number: Number, body: Undo) -> JSONResponse:
    """Undo an answer or a skip."""
    return JSONResponse(Caller(request).write(work.undo, number, body.client_id, body.version))


@router.get("/progress", **for_programs("read"))
def progress(request: Request) -> JSONResponse:
    """Your own progress."""
    return JSONResponse(Caller(request).read(work.progress))


@reviewing.post("/reviews")
def next_review(request: Request, body: Empty) -> JSONResponse:
    """The next answer to check."""
    return JSONResponse({"review": Caller(request, REVIEWERS).write(batches.next_review)})


@reviewing.post("/reviews/{number}")
def review(request: Request, number: Number, body: ReviewDecision) -> JSONResponse:
    """Mark an answer as right or wrong and get the next one."""
    decision = body.model_dump(include={"right", "comment", "answer"})
    return JSONResponse(Caller(request, REVIEWERS).write(batches.review, number, body.client_id, decision))


@reviewing.get("/batches", **for_programs("read"))
def list_batches(request: Request, state: BatchState | None = None) -> JSONResponse:
    """Every batch with its progress; reviewers do not see the author."""
    caller = Caller(request, REVIEWERS)
    found = caller.desk.read(batches.list_batches, state)
    if caller.person.role not in ADMINS:
        found = [{**batch, "person": None} for batch in found]
    return JSONResponse({"batches": found})


@reviewing.get("/adjudications", **for_programs("read"))
def adjudications(request: Request) -> JSONResponse:
    """Items on which annotators disagree, the worst first."""
    Caller(request, REVIEWERS)
    return JSONResponse({"queue": figures(request, "adjudications")})


@reviewing.get("/adjudications/{item:path}", **for_programs("read"))
def adjudication_of(request: Request, item: ItemName) -> JSONResponse:
    """One such item with its answers."""
    return JSONResponse(Caller(request, REVIEWERS).desk.read(adjudication.show, item))


@reviewing.post("/adjudications/{item:path}")
def decide(request: Request, item: ItemName, body: Decision) -> JSONResponse:
    """Decide on an item."""
    arguments = (item, body.client_id, body.version, body.answer, body.comment)
    return JSONResponse(Caller(request, REVIEWERS).write(adjudication.decide, *arguments))
