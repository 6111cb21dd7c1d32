"""Every route of the application: a table of functions, and handlers for files and for what fits no table.

A function in the table is called with the transaction, person, desk and request that its signature asks for; its
other parameters are fields of the request, in the path or the query where these can hold them, else in the body.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, create_model

from tupelo.annotate import erasure, people, review, tokens, training, work
from tupelo.annotate import export as exporting
from tupelo.annotate.desk import DAY, Desk, Person, Transaction, as_time
from tupelo.annotate.exchange import items_of_rows, rows_of_file
from tupelo.annotate.items import add_items, list_items, show_item
from tupelo.annotate.requests import (
    ADMINS,
    REVIEWERS,
    Scope,
    address_of,
    cookie_name,
    desk_of,
    entered,
    figures,
    for_programs,
    session_body,
    signed_in,
    token_of,
    used_token,
    visitor,
)
from tupelo.io.files import InputBytes

# Numbers that every database and every browser can hold.
_MOST = 2**31 - 1
_Number = Annotated[int, Field(ge=1, le=_MOST)]
_Token = Annotated[str, Field(min_length=1, max_length=100)]
_ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
_Answer = dict[str, Any]
_Comment = Annotated[str, Field(max_length=4000)]
_Name = Annotated[str, Field(min_length=1, max_length=100)]
_Password = Annotated[str, Field(min_length=1, max_length=200)]
_Label = Annotated[str, Field(max_length=200)]
_Role = Literal["annotator", "reviewer", "admin"]
_Place = Annotated[int, Field(ge=0, le=_MOST)]
# Field of a request -> the values that it may have; all others have the types of the function.
FIELDS: dict[str, Any] = {
    "number": _Number,
    "item": Annotated[str, Field(min_length=1, max_length=200)],
    "index": Annotated[int, Field(ge=0, le=1000)],
    "after": _Place,
    "before": _Place,
    "client_id": _ClientId,
    "version": _Place,
    "answer": _Answer,
    "answers": Annotated[dict[str, _Answer], Field(max_length=1000)],
    "seconds": Annotated[float, Field(ge=0, le=1e7)],
    "comment": _Comment,
    "reason": _Comment,
    "name": _Name,
    "role": _Role,
}


class Body(BaseModel):
    """A request body; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Empty(Body):
    """An empty JSON object."""


class Route(NamedTuple):
    """A function behind a route; `tag` decides on the roles. `under` is the key of its result in the reply."""

    tag: str
    method: str
    path: str
    work: Callable[..., Any]
    scope: Scope | None = None
    under: str | None = None


router = APIRouter(prefix="/api")


class DraftAnswer(Body):
    client_id: _ClientId
    number: _Number
    answer: _Answer


def session(desk: Desk, request: Request) -> dict[str, Any]:
    """The person who is signed in, and the project."""
    return session_body(desk, visitor(request))


def login(desk: Desk, request: Request, name: str, password: _Password) -> JSONResponse:
    """Sign in with name and password."""
    return entered(request, people.login(desk, name, password, address_of(request), token_of(request)))


def logout(desk: Desk, request: Request, person: Person) -> JSONResponse:
    """End the session."""
    desk.write(people.log_out, person, token_of(request))
    reply = JSONResponse({})
    reply.delete_cookie(cookie_name(desk), path="/")
    return reply


def password(desk: Desk, request: Request, person: Person, old: _Password, new: _Password) -> JSONResponse:
    """Change your own password; all other sessions end."""
    return entered(request, people.change_password(desk, person, old, new, address_of(request)))


def invitation(desk: Desk, token: _Token) -> dict[str, Any]:
    """The role and the project of an invitation."""
    link = desk.read(people.find_link, token, invitation=True)
    return {"role": link.role, "project": desk.project.name, "label": link.label}


def join(
    desk: Desk, request: Request, token: _Token, name: str, password: _Password, participant: _Label | None = None
) -> JSONResponse:
    """Accept an invitation and choose a name."""
    return entered(request, people.accept_invitation(desk, token, name, password, participant))


def enter(desk: Desk, request: Request, token: _Token) -> JSONResponse:
    """Sign in with a single-use link."""
    return entered(request, people.enter(desk, token, token_of(request)))


def invite(
    desk: Desk,
    by: Person,
    role: str = "annotator",
    label: _Label | None = None,
    days: Annotated[float, Field(gt=0, le=365)] = 14,
) -> dict[str, Any]:
    """Create an invitation."""
    number, token = people.make_link(desk, role, label=label, days=days, by=by.id)
    shown = {"id": number, "role": role, "label": label, "expires": as_time(desk.now() + int(days * DAY))}
    return {**shown, "url": people.link_address(desk.project.server.url, "invite", token)}


@router.get("/account/data", tags=["session"], response_class=Response)
def own_data(request: Request) -> Response:
    """Everything that the project holds on you, as a file."""
    person = signed_in(request)
    return _data_file(desk_of(request), person.id, person)


@router.get("/people/{number}/data", tags=["admin"], response_class=Response)
def data_of_person(request: Request, number: _Number) -> Response:
    """Everything that the project holds on somebody, as a file."""
    return _data_file(desk_of(request), number, signed_in(request, ADMINS))


def _data_file(desk: Desk, number: int, by: Person) -> Response:
    data = desk.write(erasure.person_data, number, by=by.id)
    headers = {"Content-Disposition": f'attachment; filename="person-{number}.json"'}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
    return Response(text.encode("utf-8"), media_type="application/json", headers=headers)


def finish_tutorial(desk: Desk, request: Request, person: Person, done: Literal[True]) -> dict[str, Any]:
    """Finish the tutorial and continue with the test."""
    desk.write(training.finish_tutorial, person)
    return session(desk, request)


@router.put("/assignments/{number}/draft", tags=["work"], **for_programs("answer"))
def draft(request: Request, number: _Number, body: DraftAnswer) -> JSONResponse:
    """Save an unfinished answer."""
    arguments = (signed_in(request), number, body.number, body.answer)
    return JSONResponse(desk_of(request).write(work.save_draft, *arguments))


def adjudications(request: Request) -> Any:
    """Items on which annotators disagree, the worst first."""
    return figures(request, "adjudications")


@router.get("/dashboard", tags=["admin"], **for_programs("read"))
def dashboard(request: Request) -> JSONResponse:
    """An overview of the project; reviewers see letters instead of names."""
    person = signed_in(request, REVIEWERS)
    found = figures(request, "dashboard")
    return JSONResponse(found if person.role in ADMINS else _nameless(found))


def _nameless(found: dict[str, Any]) -> dict[str, Any]:
    letters = {one["name"]: review.letter(place) for place, one in enumerate(found["people"])}
    annotators = [{**one, "name": letters[one["name"]], "id": 0} for one in found["people"]]
    questions = {name: {**about, "cohen": {}} for name, about in found["agreement"]["questions"].items()}
    return {**found, "people": annotators, "agreement": {**found["agreement"], "questions": questions}}


def agreement_of_all(request: Request) -> Any:
    """The agreement of annotators."""
    return figures(request, "agreement")


FormatName = Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]+$")]
What = Literal["answers", "gold", "records"]


@router.get("/export", tags=["admin"], response_class=Response, **for_programs("export"))
def export_file(
    request: Request, format: FormatName = "jsonl", names: bool = False, what: What = "answers"
) -> Response:
    """Answers as a file."""
    desk, person = desk_of(request), signed_in(request, ADMINS)
    made = desk.write(exporting.recorded_export, format, names=names, what=what, by=person.id, **used_token(request))
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"', "X-Left-Out": str(made.left_out)}
    return Response(made.data, media_type="application/octet-stream", headers=headers)


_FILE = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@router.post("/import", tags=["admin"], **for_programs("import", requestBody={"required": True, "content": _FILE}))
async def import_file(request: Request, format: FormatName = "auto") -> JSONResponse:
    """Add the items of a file. Existing items are not changed."""
    data = await request.body()
    return await run_in_threadpool(_import, request, data, format)


def _import(request: Request, data: bytes, format_name: str) -> JSONResponse:
    desk, person = desk_of(request), signed_in(request, ADMINS)
    with InputBytes(data, "upload") as file:
        rows = rows_of_file(desk.task.reads, file, format_name, only_text=True)
    found = items_of_rows(desk.task, rows, desk.project.settings, "upload")
    new, known = add_items(desk, found, by=person.id, **used_token(request))
    return JSONResponse({"items": new, "known": known})


def make_token(
    desk: Desk,
    by: Person,
    label: Annotated[_Label, Field(min_length=1)],
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)],
    person: _Number | None = None,
    days: Annotated[float, Field(gt=0, le=366)] = 90,
) -> dict[str, Any]:
    """Create a token for a program that acts for a person, by default for you."""
    holder = by.id if person is None else person
    number, token = tokens.make_token(desk, holder, label, scopes, days=days, by=by.id)
    return {"id": number, "token": token}


# Tag -> roles that may use the routes of the table; `None` is everybody who is signed in.
_ROLES = {"session": None, "work": None, "review": REVIEWERS, "admin": ADMINS}
ROUTES = (
    Route("session", "GET", "/session", session, "read"),
    Route("session", "POST", "/login", login),
    Route("session", "POST", "/logout", logout),
    Route("session", "POST", "/password", password),
    Route("session", "GET", "/invitations/{token}", invitation),
    Route("session", "POST", "/invitations/{token}", join),
    Route("session", "POST", "/enter/{token}", enter),
    Route("work", "POST", "/tutorial", finish_tutorial),
    Route("work", "GET", "/tutorial", training.tutorial),
    Route("work", "POST", "/tutorial/{index}", training.practise),
    Route("work", "GET", "/qualification", training.qualification),
    Route("work", "POST", "/qualification", training.take_test),
    Route("work", "POST", "/assignments", work.next_for, "answer"),
    Route("work", "GET", "/assignments", work.list_own, "read"),
    Route("work", "GET", "/assignments/{number}", work.show_own, "read"),
    Route("work", "POST", "/assignments/{number}/answer", work.hand_in, "answer"),
    Route("work", "POST", "/assignments/{number}/skip", work.skip, "answer"),
    Route("work", "POST", "/assignments/{number}/undo", work.undo, "answer"),
    Route("work", "GET", "/progress", work.progress, "read"),
    Route("review", "POST", "/reviews", review.next_review, under="review"),
    Route("review", "POST", "/reviews/{number}", review.review),
    Route("review", "GET", "/batches", review.list_batches, "read", under="batches"),
    Route("review", "GET", "/adjudications", adjudications, "read", under="queue"),
    Route("review", "GET", "/adjudications/{item:path}", review.show_disagreement, "read"),
    Route("review", "POST", "/adjudications/{item:path}", review.adjudicate),
    Route("admin", "GET", "/people", people.list_people, under="people"),
    Route("admin", "PATCH", "/people/{number}", people.change_person),
    Route("admin", "POST", "/people/{number}/erase", erasure.erase_named),
    Route("admin", "POST", "/people/{number}/link", people.sign_in_link),
    Route("admin", "POST", "/invitations", invite),
    Route("admin", "GET", "/invitations", people.list_invitations, under="invitations"),
    Route("admin", "DELETE", "/invitations/{number}", people.withdraw_invitation),
    Route("admin", "GET", "/items", list_items, "read"),
    Route("admin", "GET", "/items/{item:path}", show_item, "read"),
    Route("admin", "GET", "/formats", exporting.formats_for, "read", under="formats"),
    Route("admin", "GET", "/agreement", agreement_of_all, "read"),
    Route("admin", "POST", "/tokens", make_token),
    Route("admin", "GET", "/tokens", tokens.list_tokens, under="tokens"),
    Route("admin", "DELETE", "/tokens/{number}", tokens.revoke_token),
    Route("admin", "GET", "/audit", exporting.list_page),
)
# Parameters that the server provides, by type.
_PROVIDED = {Transaction, Desk, Request, Person, Person | None}


def _add(route: Route) -> None:
    """Add a route whose fields, with their types and defaults, are those of its function."""
    parameters = inspect.signature(route.work).parameters
    hints = get_type_hints(route.work, include_extras=True)
    given = {name: hints[name] for name in parameters if hints[name] in _PROVIDED}
    in_body: dict[str, Any] = {}
    in_address = [inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)]
    for name, parameter in parameters.items():
        if name in given:
            continue
        is_optional, kind = parameter.default is None, FIELDS.get(name, hints[name])
        kind = kind | None if is_optional and name in FIELDS else kind
        if route.method in ("GET", "DELETE") or f"{{{name}" in route.path:
            in_address.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=kind))
        else:
            in_body[name] = (kind, ... if parameter.default is inspect.Parameter.empty else parameter.default)
    if route.method not in ("GET", "DELETE"):
        name = f"{route.work.__name__.title().replace('_', '')}Body"
        model = create_model(name, __base__=Body, **in_body) if in_body else Empty
        in_address.append(inspect.Parameter("body", inspect.Parameter.KEYWORD_ONLY, annotation=model))

    def endpoint(*, request: Request, body: BaseModel | None = None, **fields: Any) -> Response:
        desk = desk_of(request)
        known: dict[Any, Any] = {Desk: desk, Request: request}
        # A session begins with somebody who is not signed in yet.
        if route.tag != "session" or Person in given.values():
            known[Person] = known[Person | None] = signed_in(request, _ROLES[route.tag])
        fields |= {name: getattr(body, name) for name in in_body}
        fields |= {name: known[kind] for name, kind in given.items() if kind is not Transaction}
        if Transaction not in given.values():
            found = route.work(**fields)
        else:
            found = (desk.read if route.method == "GET" else desk.write)(route.work, **fields)
        if isinstance(found, Response):
            return found
        return JSONResponse((found or {}) if route.under is None else {route.under: found})

    endpoint.__name__, endpoint.__doc__ = route.work.__name__, route.work.__doc__
    endpoint.__signature__ = inspect.Signature(in_address)  # type: ignore[attr-defined]
    described = for_programs(route.scope) if route.scope is not None else {}
    router.add_api_route(route.path, endpoint, methods=[route.method], tags=[route.tag], **described)


for _route in ROUTES:
    _add(_route)
