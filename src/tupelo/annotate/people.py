"""People and how they come in: invitations that work once, passwords, and a limit on guessing them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from tupelo.annotate.desk import DAY, MINUTE, Desk
from tupelo.annotate.passwords import hash_password, is_password, new_token, nobody, token_hash
from tupelo.annotate.records import append
from tupelo.annotate.refusals import Refusal
from tupelo.annotate.schema import attempts, links, people, sessions

ROLES = ("annotator", "reviewer", "admin")
STATES = ("training", "qualification", "working", "failed")
LEAST_PASSWORD = 10
# Wrong passwords within the window: for one name from one address, for one name, from one address.
GUESSES, GUESSES_PER_NAME, GUESSES_PER_ADDRESS = 5, 30, 50
WINDOW = 15 * MINUTE


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in."""

    id: int
    name: str
    role: str
    state: str

    def shown(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "role": self.role, "state": self.state}


def name_key(name: str) -> str:
    """Names that look alike are the same name."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def person_of(row: Row[Any]) -> Person:
    return Person(row.id, row.name, row.role, row.state)


def first_state(desk: Desk, role: str) -> str:
    """Where somebody begins: only annotators are trained and tested."""
    if role != "annotator":
        return "working"
    if desk.project.training.tutorial is not None:
        return "training"
    return "qualification" if desk.project.qualification.file is not None else "working"


# Links


def make_link(
    desk: Desk,
    role: str,
    *,
    label: str | None = None,
    days: float = 14,
    person: int | None = None,
    by: int | None = None,
) -> tuple[int, str]:
    """Number and token of a link that works once. With `person` it lets somebody known in, else it invites."""
    token = new_token()

    def work(connection: Connection) -> int:
        values = {
            "token_hash": token_hash(token),
            "role": role,
            "label": label,
            "person": person,
            "created": desk.now(),
            "expires": desk.now() + int(days * DAY),
        }
        number = desk.database.add(connection, insert(links).values(**values))
        append(desk, connection, "link", person=by, body={"link": number, "role": role, "for": person})
        return number

    return desk.database.write(work), token


def find_link(desk: Desk, connection: Connection, token: str, *, invitation: bool) -> Row[Any]:
    query = select(links).where(links.c.token_hash == token_hash(token))
    link = connection.execute(desk.database.locked(query)).one_or_none()
    if link is None or (link.person is None) != invitation:
        raise Refusal("not-found", "This link is not known. Ask for a new one.")
    if link.used is not None or link.expires < desk.now():
        raise Refusal("gone", "This link was used before or is too old. Ask for a new one.")
    return link


def accept_invitation(
    desk: Desk, token: str, name: str, password: str, participant: str | None
) -> tuple[str, Person]:
    """Make a person of an invitation; the token of their first session comes back."""
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise Refusal("invalid", "A name of visible characters is needed.", field="name")
    check_password(password, name)
    # The link is looked at before the costly hash, and taken after it.
    desk.database.read(lambda connection: find_link(desk, connection, token, invitation=True))
    hashed = hash_password(password, log_n=desk.password_cost)

    def work(connection: Connection) -> tuple[str, Person]:
        link = find_link(desk, connection, token, invitation=True)
        if connection.execute(select(people.c.id).where(people.c.name_key == name_key(name))).first():
            raise Refusal("conflict", "Somebody has this name already. Choose another one.", field="name")
        person = add_person(desk, connection, name, link.role, hashed, participant)
        taken = update(links).where(links.c.id == link.id).values(used=desk.now(), used_by=person.id)
        connection.execute(taken)
        append(desk, connection, "joined", person=person.id, body={"role": link.role, "link": link.id})
        return start_session(desk, connection, person.id), person

    return desk.database.write(work)


def add_person(
    desk: Desk, connection: Connection, name: str, role: str, hashed: str, participant: str | None = None
) -> Person:
    state = first_state(desk, role)
    values = {
        "name": name,
        "name_key": name_key(name),
        "role": role,
        "state": state,
        "active": True,
        "password": hashed,
        "participant": participant,
        "created": desk.now(),
    }
    number = desk.database.add(connection, insert(people).values(**values))
    return Person(number, name, role, state)


def enter(desk: Desk, token: str, old: str | None) -> tuple[str, Person]:
    """Sign in by a link instead of a password."""

    def work(connection: Connection) -> tuple[str, Person]:
        link = find_link(desk, connection, token, invitation=False)
        row = connection.execute(select(people).where(people.c.id == link.person, people.c.active)).one_or_none()
        if row is None:
            raise Refusal("gone", "This person may not enter any more.")
        connection.execute(update(links).where(links.c.id == link.id).values(used=desk.now(), used_by=row.id))
        append(desk, connection, "entered", person=row.id, body={"link": link.id})
        return start_session(desk, connection, row.id, old), person_of(row)

    return desk.database.write(work)


# Passwords


def check_password(password: str, name: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= 200:
        raise Refusal("invalid", f"A password of {LEAST_PASSWORD} to 200 characters is needed.", field="password")
    if name_key(password) == name_key(name) or len(set(password)) < 4:
        raise Refusal("invalid", "This password is too easy to guess.", field="password")


def login(desk: Desk, name: str, password: str, address: str, old: str | None) -> tuple[str, Person]:
    """A new session for the right password; an old session of the same browser ends."""
    keys = [
        f"both/{token_hash(f'{name_key(name)}/{address}')}",
        f"name/{token_hash(name_key(name))}",
        f"address/{address}",
    ]
    row = desk.database.write(lambda connection: _count_guess(desk, connection, name, keys))
    fits = is_password(password, row.password if row is not None else nobody(desk.password_cost))
    if row is None or not fits:
        raise Refusal("not-signed-in", "Name or password is wrong.")

    def work(connection: Connection) -> tuple[str, Person]:
        connection.execute(delete(attempts).where(attempts.c.key.in_(keys[:2])))
        append(desk, connection, "login", person=row.id, body={})
        return start_session(desk, connection, row.id, old), person_of(row)

    return desk.database.write(work)


def _count_guess(desk: Desk, connection: Connection, name: str, keys: list[str]) -> Row[Any] | None:
    """Count the guess before it is looked at, so that many at once gain nothing."""
    since = desk.now() - WINDOW
    connection.execute(delete(attempts).where(attempts.c.time < since))
    query = select(attempts.c.key, func.count(), func.min(attempts.c.time)).where(attempts.c.key.in_(keys))
    for key, count, first in connection.execute(query.group_by(attempts.c.key)):
        if count >= (GUESSES, GUESSES_PER_NAME, GUESSES_PER_ADDRESS)[keys.index(key)]:
            wait = max(1, (first + WINDOW - desk.now()) // 1000)
            message = "Too many wrong passwords. Try again later, or ask for a link."
            raise Refusal("too-many", message, retry_after=int(wait))
    connection.execute(insert(attempts), [{"key": key, "time": desk.now()} for key in keys])
    query = select(people).where(people.c.name_key == name_key(name), people.c.active)
    return connection.execute(query).one_or_none()


def change_password(desk: Desk, person: Person, old: str, new: str, address: str) -> str:
    """Every session of the person ends; the token of a new one comes back."""
    check_password(new, person.name)
    login_token, _ = login(desk, person.name, old, address, None)
    hashed = hash_password(new, log_n=desk.password_cost)

    def work(connection: Connection) -> str:
        connection.execute(update(people).where(people.c.id == person.id).values(password=hashed))
        connection.execute(delete(sessions).where(sessions.c.person == person.id))
        append(desk, connection, "password", person=person.id, body={})
        return start_session(desk, connection, person.id, login_token)

    return desk.database.write(work)


# Sessions

SESSION_DAYS = 7


def start_session(desk: Desk, connection: Connection, person: int, old: str | None = None) -> str:
    """A fresh token at every entrance: one that somebody planted before is worth nothing."""
    token = new_token()
    end_session(desk, connection, old)
    connection.execute(delete(sessions).where(sessions.c.expires < desk.now()))
    values = {
        "token_hash": token_hash(token),
        "person": person,
        "csrf": new_token(),
        "created": desk.now(),
        "expires": desk.now() + SESSION_DAYS * DAY,
    }
    connection.execute(insert(sessions).values(**values))
    return token


def end_session(desk: Desk, connection: Connection, token: str | None) -> None:
    if token:
        connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash(token)))


def find_session(desk: Desk, connection: Connection, token: str | None) -> tuple[Person, str] | None:
    """Person and CSRF token of a session that is still good."""
    if not token:
        return None
    query = (
        "select people.id, people.name, people.role, people.state, sessions.csrf "
        "from sessions join people on people.id = sessions.person "
        "where sessions.token_hash = :token and sessions.expires > :now and people.active"
    )
    row = desk.database.run(connection, query, token=token_hash(token), now=desk.now()).one_or_none()
    return None if row is None else (person_of(row), row.csrf)


def has_admin(connection: Connection) -> bool:
    return (
        connection.execute(select(people.c.id).where(people.c.role == "admin", people.c.active)).first() is not None
    )
