"""The senders of requests: session cookie and CSRF token, or an API token; the role of a person."""

from __future__ import annotations

import hmac
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import JSONResponse

from tupelo.annotate.desk import Desk, Person
from tupelo.annotate.figures import compute
from tupelo.annotate.people import SESSION_DAYS, find_session
from tupelo.annotate.tasks import TASKS
from tupelo.annotate.tokens import Holder, find_holder
from tupelo.core.version import __version__
from tupelo.web.guard import Refusal

Scope = Literal["read", "answer", "export", "import"]
_SAFE = ("GET", "HEAD", "OPTIONS")
REVIEWERS = ("reviewer", "admin")
ADMINS = ("admin",)


def desk_of(request: Request) -> Desk:
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


def figures(request: Request, what: str) -> Any:
    """Slow figures, computed in the separate process if there is one."""
    desk, process = desk_of(request), request.app.state.figures
    return compute(desk, what) if process is None else process.ask(desk, what)


def is_secure(desk: Desk) -> bool:
    return desk.project.server.url.startswith("https:")


def base_of(desk: Desk) -> str:
    """The prefix of all paths of a project: empty for a single project, `/birds` where a server has several."""
    return urlsplit(desk.project.server.url).path.rstrip("/")


def cookie_name(desk: Desk) -> str:
    # Each project has a cookie of its own. A path would keep them no further apart, since it is no border for
    # scripts, and rules out the prefix, with which browsers accept it only over HTTPS and from this very host.
    name = f"tupelo{base_of(desk).replace('/', '-')}"
    return f"__Host-{name}" if is_secure(desk) else name


def token_of(request: Request) -> str | None:
    return request.cookies.get(cookie_name(desk_of(request)))


def address_of(request: Request) -> str:
    return request.client.host if request.client is not None else "unknown"


def for_programs(scope: Scope, **more: Any) -> dict[str, Any]:
    """The part of a route's description that opens it to tokens of a scope; `signed_in` reads it there."""
    return {"openapi_extra": {"security": [{"session": []}, {"token": [scope]}], **more}}


def _holder(request: Request, token: str) -> Holder:
    """The holder of the token of a request, if the route is within its scopes."""
    found = find_holder(desk_of(request), token, address_of(request))
    described = getattr(request.scope["route"], "openapi_extra", None) or {}
    wanted = [scope for one in described.get("security", ()) for scope in one.get("token", ())]
    if not set(wanted) & set(found.scopes):
        needed = f"'{wanted[0]}'" if wanted else "a person who signs in"
        raise Refusal("forbidden", f"This needs {needed}; the token is for {', '.join(found.scopes)}.")
    request.state.token = found.token
    return found


def _bearer(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def used_token(request: Request) -> dict[str, int]:
    """For records: the token with which a program came, if it was one."""
    token = getattr(request.state, "token", None)
    return {} if token is None else {"token": token}


def visitor(request: Request) -> tuple[Person, str | None] | None:
    """The sender of a request, if known: by a token, or by a session, which has a CSRF token."""
    bearer = _bearer(request)
    if bearer is not None:
        return _holder(request, bearer).person, None
    desk, token = desk_of(request), token_of(request)
    return desk.read(find_session, token) if token else None


def signed_in(request: Request, roles: tuple[str, ...] | None = None) -> Person:
    """The person, if they are signed in, came from our own page or with a token, and have the role."""
    found = visitor(request)
    if found is None:
        raise Refusal("not-signed-in", "Sign in first.")
    person, csrf = found
    # A browser never adds a token by itself, so a request with one was meant.
    if csrf is not None and request.method not in _SAFE:
        sent = request.headers.get("x-csrf-token", "")
        if not hmac.compare_digest(sent.encode("utf-8", "replace"), csrf.encode()):
            raise Refusal("csrf", "This request did not come from our own page. Load the page again.")
    if roles is not None and person.role not in roles:
        raise Refusal("forbidden", "Your role does not allow this.")
    return person


def session_body(desk: Desk, found: tuple[Person, str | None] | None) -> dict[str, Any]:
    project = desk.project
    return {
        "person": found and found[0].shown(),
        "csrf": found and found[1],
        "project": {
            "name": project.name,
            "task": project.task,
            "title": TASKS.title(project.task),
            "writes": desk.task.writes,
            # Settings and guidelines are for members of the project.
            "settings": dict(project.settings) if found else {},
            "guidelines": project.text(project.guidelines) if found else "",
            "preannotation": project.preannotation.share > 0,
            "batch_size": project.batch_size,
            "overlap": project.overlap,
        },
        "version": __version__,
    }


def entered(request: Request, token: str) -> JSONResponse:
    """The reply to a person who has just signed in, with the cookie of the new session."""
    desk = desk_of(request)
    found = desk.read(find_session, token)
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
