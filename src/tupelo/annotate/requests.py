"""The bodies of requests, and their senders: session cookie and CSRF token, or an API token; the role of a person."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from tupelo.annotate.desk import Desk, Person
from tupelo.annotate.figures import compute
from tupelo.annotate.people import SESSION_DAYS, find_session
from tupelo.annotate.tasks import TASKS
from tupelo.annotate.tokens import Holder, find_holder
from tupelo.core.version import __version__
from tupelo.web.refusals import Refusal

# Numbers that every database and every browser can hold.
_MOST = 2**31 - 1
Number = Annotated[int, Path(ge=1, le=_MOST)]
Token = Annotated[str, Path(min_length=1, max_length=100)]
ItemName = Annotated[str, Path(min_length=1, max_length=200)]
After = Annotated[int | None, Query(ge=0, le=_MOST)]
ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Version = Annotated[int, Field(ge=0, le=_MOST)]
Comment = Annotated[str, Field(max_length=4000)]
Answer = dict[str, Any]
Role = Literal["annotator", "reviewer", "admin"]
Scope = Literal["read", "answer", "export", "import"]


class Body(BaseModel):
    """A request body; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Empty(Body):
    """An empty JSON object."""


class Login(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    password: Annotated[str, Field(min_length=1, max_length=200)]


class Join(Login):
    participant: Annotated[str | None, Field(max_length=200)] = None


class NewPassword(Body):
    old: Annotated[str, Field(min_length=1, max_length=200)]
    new: Annotated[str, Field(min_length=1, max_length=200)]


class Practice(Body):
    answer: Answer


class Done(Body):
    done: Literal[True]


class TestAnswers(Body):
    client_id: ClientId
    answers: Annotated[dict[str, Answer], Field(max_length=1000)]


class DraftAnswer(Body):
    client_id: ClientId
    number: Annotated[int, Field(ge=1, le=_MOST)]
    answer: Answer


class HandIn(Body):
    client_id: ClientId
    version: Version
    answer: Answer
    seconds: Annotated[float | None, Field(ge=0, le=1e7)] = None


class Skip(Body):
    client_id: ClientId
    version: Version
    reason: Comment


class Undo(Body):
    client_id: ClientId
    version: Version


class ReviewDecision(Body):
    client_id: ClientId
    right: bool
    comment: Comment = ""
    answer: Answer | None = None


class Decision(Body):
    client_id: ClientId
    version: Version
    answer: Answer
    comment: Comment = ""


class PersonChange(Body):
    role: Role | None = None
    active: bool | None = None
    state: Literal["training", "qualification", "working", "failed"] | None = None


class Invitation(Body):
    role: Role = "annotator"
    label: Annotated[str | None, Field(max_length=200)] = None
    days: Annotated[float, Field(gt=0, le=365)] = 14


class Erase(Body):
    """The name is typed again, because an erasure cannot be undone."""

    name: Annotated[str, Field(min_length=1, max_length=100)]


class NewToken(Body):
    label: Annotated[str, Field(min_length=1, max_length=200)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]
    person: Annotated[int | None, Field(ge=1, le=_MOST)] = None
    days: Annotated[float, Field(gt=0, le=366)] = 90


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


class Caller:
    """The person behind a request, signed in with one of `roles`, and the transactions of the request."""

    def __init__(self, request: Request, roles: tuple[str, ...] | None = None) -> None:
        self.desk, self.person = desk_of(request), signed_in(request, roles)

    def read(self, work: Callable[..., Any], *given: Any) -> Any:
        """Call `work` with a transaction, the person and `given`, and return its result."""
        return self.desk.read(work, self.person, *given)

    def write(self, work: Callable[..., Any], *given: Any) -> Any:
        return self.desk.write(work, self.person, *given)


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
