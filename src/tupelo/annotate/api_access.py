"""Routes: tokens of programs, and the audit log."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from tupelo.annotate import audit, tokens
from tupelo.annotate.desk import Transaction
from tupelo.annotate.requests import ADMINS, After, NewToken, Number, desk_of, signed_in

router = APIRouter(prefix="/api", tags=["admin"])
_PAGE = 100


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
    """Who came in, and who changed, decided, exported or erased what; newest first, one page at a time."""
    signed_in(request, ADMINS)

    def work(tx: Transaction) -> dict[str, Any]:
        found = audit.list_events(tx, before=before, limit=_PAGE + 1)
        return {"events": found[:_PAGE], "next": found[_PAGE - 1]["id"] if len(found) > _PAGE else None}

    return JSONResponse(desk_of(request).read(work))
