"""Routes: signing in and out, invitations, people and the data on them."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tupelo.annotate import erasure, people
from tupelo.annotate.desk import Desk, Person, as_time
from tupelo.annotate.names import name_key
from tupelo.annotate.people import find_link
from tupelo.annotate.requests import (
    ADMINS,
    Empty,
    Erase,
    Invitation,
    Join,
    Login,
    NewPassword,
    Number,
    PersonChange,
    Token,
    address_of,
    cookie_name,
    desk_of,
    entered,
    for_programs,
    session_body,
    signed_in,
    token_of,
    visitor,
)
from tupelo.web.refusals import Refusal

router = APIRouter(prefix="/api")


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
def invitation(request: Request, token: Token) -> JSONResponse:
    """The role and the project of an invitation."""
    desk = desk_of(request)
    link = desk.read(find_link, token, invitation=True)
    return JSONResponse({"role": link.role, "project": desk.project.name, "label": link.label})


@router.post("/invitations/{token}", tags=["session"])
def join(request: Request, token: Token, body: Join) -> JSONResponse:
    """Accept an invitation and choose a name."""
    made = people.accept_invitation(desk_of(request), token, body.name, body.password, body.participant)
    return entered(request, made)


@router.post("/enter/{token}", tags=["session"])
def enter(request: Request, token: Token, body: Empty) -> JSONResponse:
    """Sign in with a single-use link."""
    made = people.enter(desk_of(request), token, token_of(request))
    return entered(request, made)


@router.get("/people", tags=["admin"])
def list_people(request: Request) -> JSONResponse:
    """List all people."""
    signed_in(request, ADMINS)
    return JSONResponse({"people": desk_of(request).read(people.list_people)})


@router.patch("/people/{number}", tags=["admin"])
def change_person(request: Request, number: Number, body: PersonChange) -> JSONResponse:
    """Change somebody's role or state, or block them."""
    by = signed_in(request, ADMINS)
    changes = body.model_dump(exclude_none=True)
    return JSONResponse(people.change_person(desk_of(request), by, number, changes))


@router.get("/account/data", tags=["session"], response_class=Response)
def own_data(request: Request) -> Response:
    """Everything that the project holds on you, as a file."""
    person = signed_in(request)
    return _data_file(desk_of(request), person.id, person)


@router.get("/people/{number}/data", tags=["admin"], response_class=Response)
def data_of_person(request: Request, number: Number) -> Response:
    """Everything that the project holds on somebody, as a file."""
    return _data_file(desk_of(request), number, signed_in(request, ADMINS))


def _data_file(desk: Desk, number: int, by: Person) -> Response:
    data = desk.write(erasure.person_data, number, by=by.id)
    headers = {"Content-Disposition": f'attachment; filename="person-{number}.json"'}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
    return Response(text.encode("utf-8"), media_type="application/json", headers=headers)


@router.post("/people/{number}/erase", tags=["admin"])
def erase(request: Request, number: Number, body: Erase) -> JSONResponse:
    """Remove for ever what leads to a person. Their answers stay, under a neutral label."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    found = [person for person in desk.read(people.list_people) if person["id"] == number]
    if not found:
        raise Refusal("not-found", "There is no such person.")
    if name_key(body.name) != name_key(found[0]["name"]):
        raise Refusal("invalid", "This is not the name of the person.", field="name")
    return JSONResponse(erasure.erase_person(desk, number, by=by.id).to_dict())


@router.post("/people/{number}/link", tags=["admin"])
def sign_in_link(request: Request, number: Number, body: Empty) -> JSONResponse:
    """Create a single-use link that signs somebody in without a password."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    found = [person for person in desk.read(people.list_people) if person["id"] == number]
    if not found or not found[0]["active"]:
        raise Refusal("not-found", "There is no such person.")
    _, token = people.make_link(desk, found[0]["role"], days=2, person=number, by=by.id)
    return JSONResponse({"url": people.link_address(desk.project.server.url, "enter", token)})


@router.get("/invitations", tags=["admin"])
def invitations(request: Request) -> JSONResponse:
    """Invitations, newest first. Their addresses cannot be shown again."""
    signed_in(request, ADMINS)
    return JSONResponse({"invitations": desk_of(request).read(people.list_invitations)})


@router.post("/invitations", tags=["admin"])
def invite(request: Request, body: Invitation) -> JSONResponse:
    """Create an invitation."""
    desk, by = desk_of(request), signed_in(request, ADMINS)
    number, token = people.make_link(desk, body.role, label=body.label, days=body.days, by=by.id)
    expires = as_time(desk.now() + int(body.days * 86_400_000))
    shown = {"id": number, "role": body.role, "label": body.label, "expires": expires}
    return JSONResponse({**shown, "url": people.link_address(desk.project.server.url, "invite", token)})


@router.delete("/invitations/{number}", tags=["admin"])
def withdraw(request: Request, number: Number) -> JSONResponse:
    """Revoke an invitation."""
    people.withdraw_invitation(desk_of(request), signed_in(request, ADMINS), number)
    return JSONResponse({})
