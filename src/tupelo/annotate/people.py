"""People and their ways to sign in: single-use invitations, passwords, and a limit on guesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import Row, delete, func, insert, select

from tupelo.annotate.credentials import (
    check_distinct,
    hash_password,
    is_password,
    name_key,
    new_token,
    nobody,
    token_hash,
    usable_name,
)
from tupelo.annotate.desk import DAY, MINUTE, Desk, Person, Transaction, as_time, columns
from tupelo.annotate.schema import attempts, links, people, records, sessions
from tupelo.annotate.work import release_all
from tupelo.web.guard import Refusal

LEAST_PASSWORD = 10
# Wrong passwords allowed within the window: per name and address, per name, per address.
GUESSES, GUESSES_PER_NAME, GUESSES_PER_ADDRESS = 5, 30, 50
WINDOW = 15 * MINUTE
_ADMINS = select(people.c.id).where(people.c.role == "admin", people.c.active)


def person_of(row: Row[Any]) -> Person:
    return Person(row.id, row.name, row.role, row.state)


def first_state(desk: Desk, role: str) -> str:
    """The initial state of a person: only annotators are trained and tested."""
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
    """Number and token of a single-use link. With `person` it signs them in, else it is an invitation."""
    token = new_token()

    def work(tx: Transaction) -> int:
        about = {"role": role, "label": label, "person": person}
        expires = desk.now() + int(days * DAY)
        number = tx.add(links, token_hash=token_hash(token), created=desk.now(), expires=expires, **about)
        tx.append("link", by, {"link": number, "role": role, "for": person})
        return number

    return desk.write(work), token


def find_link(tx: Transaction, token: str, *, invitation: bool) -> Row[Any]:
    query = select(links).where(links.c.token_hash == token_hash(token))
    link = tx.execute(tx.locked(query)).one_or_none()
    if link is None or (link.person is None) != invitation:
        raise Refusal("not-found", "Unknown link. Ask for a new one.")
    if link.used is not None or link.expires < tx.desk.now():
        raise Refusal("gone", "This link was used already or has expired. Ask for a new one.")
    return link


def accept_invitation(desk: Desk, token: str, name: str, password: str, participant: str | None) -> str:
    """Create a person from an invitation and return the token of their first session."""
    name = usable_name(name)
    check_password(password, name)
    # The link is checked before the costly hash, and used up after it.
    desk.read(find_link, token, invitation=True)
    hashed = hash_password(password, log_n=desk.password_cost)

    def work(tx: Transaction) -> str:
        link = find_link(tx, token, invitation=True)
        check_distinct(name, tx.execute(select(people.c.name)).scalars())
        person = add_person(tx, name, link.role, hashed, participant)
        tx.change(links, link.id, used=desk.now(), used_by=person.id)
        tx.append("joined", person.id, {"role": link.role, "link": link.id})
        return start_session(tx, person.id)

    return desk.write(work)


def add_person(tx: Transaction, name: str, role: str, hashed: str, participant: str | None = None) -> Person:
    state = first_state(tx.desk, role)
    about = {"name": name, "name_key": name_key(name), "role": role, "state": state, "participant": participant}
    number = tx.add(people, active=True, password=hashed, created=tx.desk.now(), **about)
    return Person(number, name, role, state)


def enter(desk: Desk, token: str, old: str | None) -> str:
    """Sign in with a link instead of a password."""

    def work(tx: Transaction) -> str:
        try:
            link = find_link(tx, token, invitation=False)
        except Refusal as refusal:
            refusal.keep = _note_refused_link(tx, token)
            raise
        row = tx.execute(select(people).where(people.c.id == link.person, people.c.active)).one_or_none()
        if row is None:
            raise Refusal("gone", "This account is closed.")
        tx.change(links, link.id, used=desk.now(), used_by=row.id)
        tx.append("entered", row.id, {"link": link.id})
        return start_session(tx, row.id, old)

    return desk.write(work)


def _note_refused_link(tx: Transaction, token: str) -> bool:
    """Record that somebody tried a sign-in link that works no longer, at most once a minute."""
    query = select(links).where(links.c.token_hash == token_hash(token), links.c.person.is_not(None))
    link = tx.execute(query).one_or_none()
    if link is None or not tx.desk.is_time(f"refused link {link.id}", MINUTE):
        return False
    tx.append("entered-failed", None, {"link": link.id, "of": link.person})
    return True


# Passwords


def check_password(password: str, name: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= 200:
        raise Refusal("invalid", f"A password of {LEAST_PASSWORD} to 200 characters is needed.", field="password")
    if name_key(password) == name_key(name) or len(set(password)) < 4:
        raise Refusal("invalid", "This password is too easy to guess.", field="password")


def login(desk: Desk, name: str, password: str, address: str, old: str | None) -> str:
    """Start a session if the password is right; an old session of the same browser ends."""
    limits = {
        f"both/{token_hash(f'{name_key(name)}/{address}')}": GUESSES,
        **dict.fromkeys(tries_of(name), GUESSES_PER_NAME),
        f"address/{address}": GUESSES_PER_ADDRESS,
    }

    def count_guess(tx: Transaction) -> Row[Any] | None:
        # Before checking it, so that concurrent guesses gain nothing.
        count_try(tx, limits, "Too many wrong passwords. Try again later, or ask for a link.")
        query = select(people).where(people.c.name_key == name_key(name), people.c.active)
        return tx.execute(query).one_or_none()

    row = desk.write(count_guess)
    fits = is_password(password, row.password if row is not None else nobody(desk.password_cost))
    if row is None or not fits:
        # A typed name may be a password, so only the number of a known person is kept.
        desk.write(Transaction.append, "login-failed", None, {"of": row and row.id})
        raise Refusal("not-signed-in", "Name or password is wrong.")

    def work(tx: Transaction) -> str:
        tx.execute(delete(attempts).where(attempts.c.key.in_(list(limits)[:2])))
        tx.append("login", row.id, {})
        return start_session(tx, row.id, old)

    return desk.write(work)


def tries_of(name: str) -> list[str]:
    """The keys under which wrong passwords for a name are counted, wherever they come from."""
    return [f"name/{token_hash(name_key(name))}"]


def count_try(tx: Transaction, limits: Mapping[str, int], message: str) -> None:
    """Count one more try under each key, unless one of them has had as many as it may within the window."""
    tx.execute(delete(attempts).where(attempts.c.time < tx.desk.now() - WINDOW))
    query = select(attempts.c.key, func.count(), func.min(attempts.c.time)).where(attempts.c.key.in_(limits))
    for key, count, first in tx.execute(query.group_by(attempts.c.key)):
        if count >= limits[key]:
            wait = max(1, (first + WINDOW - tx.desk.now()) // 1000)
            raise Refusal("too-many", message, headers={"Retry-After": str(int(wait))})
    tx.execute(insert(attempts), [{"key": key, "time": tx.desk.now()} for key in limits])


def change_password(desk: Desk, person: Person, old: str, new: str, address: str) -> str:
    """Change a password, end all sessions of the person, and return the token of a new one."""
    check_password(new, person.name)
    login_token = login(desk, person.name, old, address, None)
    hashed = hash_password(new, log_n=desk.password_cost)

    def work(tx: Transaction) -> str:
        tx.change(people, person.id, password=hashed)
        tx.execute(delete(sessions).where(sessions.c.person == person.id))
        tx.append("password", person.id, {})
        return start_session(tx, person.id, login_token)

    return desk.write(work)


# Sessions

SESSION_DAYS = 7


def start_session(tx: Transaction, person: int, old: str | None = None) -> str:
    """Start a session with a fresh token, which prevents session fixation."""
    token = new_token()
    end_session(tx, old)
    tx.execute(delete(sessions).where(sessions.c.expires < tx.desk.now()))
    times = {"created": tx.desk.now(), "expires": tx.desk.now() + SESSION_DAYS * DAY}
    tx.execute(insert(sessions).values(token_hash=token_hash(token), person=person, csrf=new_token(), **times))
    return token


def log_out(tx: Transaction, person: Person, token: str | None) -> None:
    end_session(tx, token)
    tx.append("logout", person.id, {})


def end_session(tx: Transaction, token: str | None) -> None:
    if token:
        tx.execute(delete(sessions).where(sessions.c.token_hash == token_hash(token)))


def find_session(tx: Transaction, token: str | None) -> tuple[Person, str] | None:
    """Person and CSRF token of a session that is still valid."""
    if not token:
        return None
    row = tx.run("session", token=token_hash(token), now=tx.desk.now()).one_or_none()
    return None if row is None else (person_of(row), row.csrf)


def link_address(base: str, kind: str, token: str) -> str:
    """The address of a link; `kind` is `invite` or `enter`."""
    return f"{base.rstrip('/')}/{kind}/{token}"


def first_admin_link(desk: Desk) -> str | None:
    """An invitation for the first admin, unless there is one."""
    if desk.read(lambda tx: tx.execute(_ADMINS).first()) is not None:
        return None
    return link_address(desk.project.server.url, "invite", make_link(desk, "admin", label="first admin")[1])


def keep_an_admin(tx: Transaction, row: Row[Any]) -> None:
    """Refuse to do without a person who is the last admin."""
    if [found.id for found in tx.execute(tx.locked(_ADMINS))] == [row.id]:
        raise Refusal("conflict", "A project needs an admin; make somebody else one first.")


def change_person(
    tx: Transaction,
    by: Person,
    number: int,
    role: str | None = None,
    active: bool | None = None,
    state: Literal["training", "qualification", "working", "failed"] | None = None,
) -> dict[str, Any]:
    """Change somebody's role or state, or block them. The last admin cannot be demoted."""
    given = {"role": role, "active": active, "state": state}
    changes = {name: value for name, value in given.items() if value is not None}
    row = tx.locked_row(people, number, "person")
    if row.erased is not None:
        raise Refusal("conflict", "This person was erased.")
    if changes.get("role", "admin") != "admin" or active is False:
        keep_an_admin(tx, row)
    if changes:
        tx.change(people, number, **changes)
        tx.append("person", by.id, {"of": number, **changes})
    if role is not None or active is False:
        tx.execute(delete(sessions).where(sessions.c.person == number))
    if active is False:
        release_all(tx, number)
    return shown_person(tx.row(people, number))


def sign_in_link(desk: Desk, by: Person, number: int) -> dict[str, Any]:
    """Create a single-use link that signs somebody in without a password."""
    found = next((person for person in desk.read(list_people) if person["id"] == number), None)
    if found is None or not found["active"]:
        raise Refusal("not-found", "There is no such person.")
    _, token = make_link(desk, found["role"], days=2, person=number, by=by.id)
    return {"url": link_address(desk.project.server.url, "enter", token)}


def shown_person(row: Row[Any]) -> dict[str, Any]:
    shown = person_of(row).shown()
    return {**shown, "active": row.active, "participant": row.participant, "erased": row.erased is not None}


def list_people(tx: Transaction) -> list[dict[str, Any]]:
    """All people, each with the time of their last action."""
    last = select(func.max(records.c.time)).where(records.c.person == people.c.id).scalar_subquery()
    rows = tx.execute(select(people, last.label("last")).order_by(people.c.id))
    return [{**shown_person(row), "last_seen": as_time(row.last or row.created)} for row in rows]


def list_invitations(tx: Transaction) -> list[dict[str, Any]]:
    """Invitations, newest first. Their addresses cannot be shown again."""
    query = select(links, people.c.name).outerjoin(people, people.c.id == links.c.used_by)
    query = query.where(links.c.person.is_(None)).order_by(links.c.id.desc())
    return [
        columns(row, "id", "role", "label", "created", "expires") | {"used_by": row.name} for row in tx.execute(query)
    ]


def withdraw_invitation(tx: Transaction, by: Person, number: int) -> None:
    """Revoke an invitation."""
    query = select(links).where(links.c.id == number, links.c.person.is_(None))
    link = tx.execute(tx.locked(query)).one_or_none()
    if link is None:
        raise Refusal("not-found", "There is no such invitation.")
    if link.used is None:
        tx.change(links, number, expires=0)
        tx.append("link", by.id, {"link": number, "withdrawn": True})
