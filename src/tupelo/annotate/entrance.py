"""Who is asking: the cookie of a session, its CSRF token, and the role that a request needs."""

from __future__ import annotations

import hmac
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from tupelo.annotate.apart import compute
from tupelo.annotate.desk import Desk
from tupelo.annotate.people import SESSION_DAYS, Person, find_session
from tupelo.annotate.refusals import Refusal
from tupelo.core.version import __version__

_SAFE = ("GET", "HEAD", "OPTIONS")
REVIEWERS = ("reviewer", "admin")
ADMINS = ("admin",)


def desk_of(request: Request) -> Desk:
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


def figures(request: Request, what: str) -> Any:
    """Figures that take long, from the process that computes them where there is one."""
    desk, apart = desk_of(request), request.app.state.apart
    return compute(desk, what) if apart is None else apart.ask(desk, what)


def is_secure(desk: Desk) -> bool:
    return desk.project.server.url.startswith("https:")


def cookie_name(desk: Desk) -> str:
    # Under this prefix browsers take a cookie only over HTTPS and never from a neighbouring host.
    return "__Host-tupelo" if is_secure(desk) else "tupelo"


def token_of(request: Request) -> str | None:
    return request.cookies.get(cookie_name(desk_of(request)))


def visitor(request: Request) -> tuple[Person, str] | None:
    """Person and CSRF token of the session, if there is one."""
    desk, token = desk_of(request), token_of(request)
    return desk.database.read(lambda connection: find_session(desk, connection, token)) if token else None


def signed_in(request: Request, roles: tuple[str, ...] | None = None) -> Person:
    """The person, if they are in, came from our own page, and have the role."""
    found = visitor(request)
    if found is None:
        raise Refusal("not-signed-in", "Sign in first.")
    person, csrf = found
    if request.method not in _SAFE:
        sent = request.headers.get("x-csrf-token", "")
        if not hmac.compare_digest(sent.encode("utf-8", "replace"), csrf.encode()):
            raise Refusal("csrf", "This request did not come from our own page. Load the page again.")
    if roles is not None and person.role not in roles:
        raise Refusal("forbidden", "This is not for your role.")
    return person


def session_body(desk: Desk, found: tuple[Person, str] | None) -> dict[str, Any]:
    project = desk.project
    return {
        "person": found and found[0].shown(),
        "csrf": found and found[1],
        "project": {
            "name": project.name,
            "task": project.task,
            "title": desk.task.title,
            "writes": desk.task.writes,
            # Settings and guidelines are for those who work here.
            "settings": dict(project.settings) if found else {},
            "guidelines": project.text(project.guidelines) if found else "",
            "preannotation": project.preannotation.share > 0,
            "batch_size": project.batch_size,
            "overlap": project.overlap,
        },
        "version": __version__,
    }


def entered(request: Request, token: str) -> JSONResponse:
    """The reply to everyone who just came in, with the cookie of the new session."""
    desk = desk_of(request)
    found = desk.database.read(lambda connection: find_session(desk, connection, token))
    reply = JSONResponse(session_body(desk, found))
    reply.set_cookie(
        cookie_name(desk),
        token,
        max_age=SESSION_DAYS * 86_400,
        path="/",
        secure=is_secure(desk),
        httponly=True,
        samesite="strict",
    )
    return reply
