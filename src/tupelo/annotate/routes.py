"""Every route of the application: a table of functions, and handlers for what is more than one call.

A function in the table is called with the transaction, the person and the desk that its signature asks for; its
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
from tupelo.annotate.desk import Desk, Person, Transaction, as_time
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


# Tag -> roles that may use the routes of the table; `None` is everybody who is signed in.
_ROLES = {"work": None, "review": REVIEWERS, "admin": ADMINS}
ROUTES = (
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
    Route("review", "GET", "/adjudications/{item:path}", review.show_disagreement, "read"),
    Route("review", "POST", "/adjudications/{item:path}", review.adjudicate),
    Route("admin", "GET", "/people", people.list_people, under="people"),
    Route("admin", "PATCH", "/people/{number}", people.change_person),
    Route("admin", "POST", "/people/{number}/erase", erasure.erase_named),
    Route("admin", "POST", "/people/{number}/link", people.sign_in_link),
    Route("admin", "GET", "/invitations", people.list_invitations, under="invitations"),
    Route("admin", "DELETE", "/invitations/{number}", people.withdraw_invitation),
    Route("admin", "GET", "/items", list_items, "read"),
    Route("admin", "GET", "/items/{item:path}", show_item, "read"),
    Route("admin", "GET", "/formats", exporting.formats_for, "read", under="formats"),
    Route("admin", "GET", "/tokens", tokens.list_tokens, under="tokens"),
    Route("admin", "DELETE", "/tokens/{number}", tokens.revoke_token),
    Route("admin", "GET", "/audit", exporting.list_page),
)
router = APIRouter(prefix="/api")
# Parameters that the server provides, by type.
_PERSON = {Person, Person | None}
_PROVIDED = {Transaction, Desk, *_PERSON}


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

    def endpoint(*, request: Request, body: BaseModel | None = None, **fields: Any) -> JSONResponse:
        desk, person = desk_of(request), signed_in(request, _ROLES[route.tag])
        arguments = [person] if _PERSON & set(given.values()) else []
        fields |= {name: getattr(body, name) for name in in_body}
        if Transaction not in given.values():
            found = route.work(desk, *arguments, **fields)
        else:
            run = desk.read if route.method == "GET" else desk.write
            found = run(route.work, *arguments, **fields)
        return JSONResponse((found or {}) if route.under is None else {route.under: found})

    endpoint.__name__, endpoint.__doc__ = route.work.__name__, route.work.__doc__
    endpoint.__signature__ = inspect.Signature(in_address)  # type: ignore[attr-defined]
    described = for_programs(route.scope) if route.scope is not None else {}
    router.add_api_route(route.path, endpoint, methods=[route.method], tags=[route.tag], **described)


class Login(Body):
    name: _Name
    password: _Password


class Join(Login):
    participant: Annotated[str | None, Field(max_length=200)] = None


class NewPassword(Body):
    old: _Password
    new: _Password


class Done(Body):
    done: Literal[True]


class DraftAnswer(Body):
    client_id: _ClientId
    number: _Number
    answer: _Answer


class Invitation(Body):
    role: _Role = "annotator"
    label: Annotated[str | None, Field(max_length=200)] = None
    days: Annotated[float, Field(gt=0, le=365)] = 14


class NewToken(Body):
    label: Annotated[str, Field(min_length=1, max_length=200)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]
    person: _Number | None = None
    days: Annotated[float, Field(gt=0, le=366)] = 90


@router.get("/session", tags=["session"], **for_programs("read"))
def session(request: Request) -> JSONResponse:
    """The person who is signed in, and the project."""
    return JSONResponse(session_body(desk_of(request), visitor(request)))


@router.post("/login", tags=["session"])
def login(request: Request, body: Login) -> JSONResponse:
    """Sign in with name and password."""
    token = people.login(desk_of(request), body.name, body.password, address_of(request), token_of(request))
    return entered(request, token)


@router.post("/logout", tags=["session"])
def logout(request: Request, body: Empty) -> JSONResponse:
    """End the session."""
    desk = desk_of(request)
    desk.write(people.log_out, signed_in(request), token_of(request))
    reply = JSONResponse({})
    reply.delete_cookie(cookie_name(desk), path="/")
    return reply


@router.post("/password", tags=["session"])
def password(request: Request, body: NewPassword) -> JSONResponse:
    """Change your own password; all other sessions end."""
    person = signed_in(request)
    return entered(request, people.change_password(desk_of(request), person, body.old, body.new, address_of(request)))


@router.get("/invitations/{token}", tags=["session"])
def invitation(request: Request, token: _Token) -> JSONResponse:
    """The role and the project of an invitation."""
    desk = desk_of(request)
    link = desk.read(people.find_link, token, invitation=True)
    return JSONResponse({"role": link.role, "project": desk.project.name, "label": link.label})


@router.post("/invitations/{token}", tags=["session"])
def join(request: Request, token: _Token, body: Join) -> JSONResponse:
    """Accept an invitation and choose a name."""
    made = people.accept_invitation(desk_of(request), token, body.name, body.password, body.participant)
    return entered(request, made)


@router.post("/enter/{token}", tags=["session"])
def enter(request: Request, token: _Token, body: Empty) -> JSONResponse:
    """Sign in with a single-use link."""
    return entered(request, people.enter(desk_of(request), token, token_of(request)))


@router.post("/invitations", tags=["admin"])
def invite(request: Request, body: Invitation) -> JSONResponse:
    """Create an invitation."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    number, token = people.make_link(desk, body.role, label=body.label, days=body.days, by=by.id)
    expires = as_time(desk.now() + int(body.days * 86_400_000))
    shown = {"id": number, "role": body.role, "label": body.label, "expires": expires}
    return JSONResponse({**shown, "url": people.link_address(desk.project.server.url, "invite", token)})


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


@router.post("/tutorial", tags=["work"])
def finish_tutorial(request: Request, body: Done) -> JSONResponse:
    """Finish the tutorial and continue with the test."""
    desk_of(request).write(training.finish_tutorial, signed_in(request))
    return JSONResponse(session_body(desk_of(request), visitor(request)))


@router.put("/assignments/{number}/draft", tags=["work"], **for_programs("answer"))
def draft(request: Request, number: _Number, body: DraftAnswer) -> JSONResponse:
    """Save an unfinished answer."""
    arguments = (signed_in(request), number, body.number, body.answer)
    return JSONResponse(desk_of(request).write(work.save_draft, *arguments))


@router.get("/adjudications", tags=["review"], **for_programs("read"))
def adjudications(request: Request) -> JSONResponse:
    """Items on which annotators disagree, the worst first."""
    signed_in(request, REVIEWERS)
    return JSONResponse({"queue": figures(request, "adjudications")})


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


@router.get("/agreement", tags=["admin"], **for_programs("read"))
def agreement_of_all(request: Request) -> JSONResponse:
    """The agreement of annotators."""
    signed_in(request, ADMINS)
    return JSONResponse(figures(request, "agreement"))


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


@router.post("/tokens", tags=["admin"])
def make_token(request: Request, body: NewToken) -> JSONResponse:
    """Create a token for a program that acts for a person, by default for you."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    person = by.id if body.person is None else body.person
    number, token = tokens.make_token(desk, person, body.label, body.scopes, days=body.days, by=by.id)
    return JSONResponse({"id": number, "token": token})


for _route in ROUTES:
    _add(_route)
