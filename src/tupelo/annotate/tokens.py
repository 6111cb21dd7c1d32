"""Tokens with which programs use the server. A token acts for a person: with their role, within its own scopes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select

from tupelo.annotate.credentials import new_token, token_hash
from tupelo.annotate.desk import DAY, MINUTE, Desk, Person, Transaction, columns
from tupelo.annotate.people import GUESSES_PER_ADDRESS, count_try
from tupelo.annotate.schema import people, tokens
from tupelo.web.guard import Refusal

# Scope -> the roles that may have it.
SCOPES: Mapping[str, tuple[str, ...]] = {
    "read": ("annotator", "reviewer", "admin"),
    "answer": ("annotator", "reviewer", "admin"),
    "export": ("admin",),
    "import": ("admin",),
}
# Tokens begin alike, so that programs that look for leaked secrets find them.
_BEGINNING = "tup_"
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Holder:
    """The person for whom a program acts, and what it may do."""

    person: Person
    token: int
    scopes: tuple[str, ...]


def make_token(
    desk: Desk, person: int, label: str, scopes: Collection[str], *, days: float = 90, by: int | None = None
) -> tuple[int, str]:
    """Number and text of a new token, which is not stored and cannot be shown again."""
    token = _BEGINNING + new_token()
    chosen = [scope for scope in SCOPES if scope in scopes]

    def work(tx: Transaction) -> int:
        row = tx.execute(select(people).where(people.c.id == person, people.c.active)).one_or_none()
        if row is None:
            raise Refusal("not-found", "There is no such person.")
        if not chosen or len(chosen) < len(set(scopes)):
            raise Refusal("invalid", f"Unknown or no scope; there are {', '.join(SCOPES)}.", field="scopes")
        too_much = [scope for scope in chosen if row.role not in SCOPES[scope]]
        if too_much:
            message = f"The role of {row.name} ({row.role}) does not allow '{too_much[0]}'."
            raise Refusal("forbidden", message, field="scopes")
        about = {"label": label, "person": person, "scopes": " ".join(chosen), "prefix": token[:_SHOWN]}
        expires = desk.now() + int(days * DAY)
        number = tx.add(tokens, token_hash=token_hash(token), created=desk.now(), expires=expires, **about)
        tx.append("token", by, {"token": number, "of": person, "scopes": chosen})
        return number

    return desk.write(work), token


def list_tokens(tx: Transaction) -> list[dict[str, Any]]:
    """Tokens, newest first. Their text cannot be shown again."""
    query = select(tokens, people.c.name).join(people, people.c.id == tokens.c.person).order_by(tokens.c.id.desc())
    return [shown_token(row) | {"person": row.name} for row in tx.execute(query)]


def shown_token(row: Row[Any]) -> dict[str, Any]:
    about = columns(row, "id", "prefix", "label", "scopes", "created", "expires", "revoked", "used")
    return about | {"scopes": row.scopes.split()}


def revoke_token(tx: Transaction, by: Person | None, number: int) -> None:
    """Revoke a token, at once."""
    row = tx.locked_row(tokens, number, "token")
    if row.revoked is None:
        tx.change(tokens, number, revoked=tx.desk.now())
        tx.append("token", None if by is None else by.id, {"token": number, "of": row.person, "revoked": True})


def find_holder(desk: Desk, token: str, address: str) -> Holder:
    """The holder of a valid token. Invalid ones are counted against the address, as wrong passwords are."""
    row = desk.read(_find, token)
    reason = _why_not(row, desk.now())
    if row is None or reason is not None:
        desk.write(_refuse, row, reason, address)
        raise AssertionError("unreachable")
    if row.used is None or desk.now() - row.used >= MINUTE:
        desk.write(_note_use, row)
    return Holder(Person(row.person, row.name, row.role, row.state), row.id, tuple(row.scopes.split()))


def _find(tx: Transaction, token: str) -> Row[Any] | None:
    query = select(tokens, people.c.name, people.c.role, people.c.state, people.c.active)
    query = query.join(people, people.c.id == tokens.c.person).where(tokens.c.token_hash == token_hash(token))
    return tx.execute(query).one_or_none()


def _why_not(row: Row[Any] | None, now: int) -> str | None:
    if row is None:
        return "unknown"
    if row.revoked is not None:
        return "revoked"
    return "expired" if row.expires <= now else None if row.active else "locked out"


def _refuse(tx: Transaction, row: Row[Any] | None, reason: str, address: str) -> None:
    count_try(tx, {f"token/{address}": GUESSES_PER_ADDRESS}, "Too many wrong tokens. Try again later.")
    # A program that goes on with an old token must not fill the log.
    if row is not None and tx.desk.is_time(f"refused token {row.id}", MINUTE):
        tx.append("token-refused", None, {"token": row.id, "of": row.person, "why": reason})
    raise Refusal("not-signed-in", "This token is unknown, expired or revoked.", keep=True)


def _note_use(tx: Transaction, row: Row[Any]) -> None:
    """Note when a token was last used, to the minute; the log gets an event a day."""
    tx.change(tokens, row.id, used=tx.desk.now())
    if row.used is None or tx.desk.now() - row.used >= DAY:
        tx.append("token-used", row.person, {"token": row.id})
