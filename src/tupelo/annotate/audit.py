"""The audit log: who came in, and who changed, decided, exported or erased what.

It is a view of `records`, which only grow. Records name people by number, so that the names shown here are those of
today, and an erased person has none. No secret, no address and no free text is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from tupelo.annotate.desk import Transaction, as_time, from_json
from tupelo.annotate.items import PAGE, real_names
from tupelo.annotate.schema import items, records
from tupelo.core import InputError
from tupelo.core.results import Tabular

# Kind of event -> what is shown of its body. `of` and `for` are numbers of people and become `about`.
EVENTS: Mapping[str, tuple[str, ...]] = {
    "login": (),
    "login-failed": (),
    "logout": (),
    "entered": ("link",),
    "entered-failed": ("link",),
    "joined": ("role", "link"),
    "password": (),
    "link": ("link", "role", "withdrawn"),
    "person": ("role", "state", "active"),
    "data": (),
    "erased": ("records",),
    "token": ("token", "scopes", "revoked"),
    "token-used": ("token",),
    "token-refused": ("token", "why"),
    "export": ("what", "format", "names", "rows", "token"),
    "import": ("new", "known", "token"),
    "review": ("batch", "right"),
    "batch": ("batch", "accepted"),
    "adjudication": (),
    "sent-back": (),
}


@dataclass(frozen=True, slots=True)
class AuditLog(Tabular):
    """Events in the order in which they happened."""

    events: tuple[Mapping[str, Any], ...]

    def to_dict(self) -> dict[str, Any]:
        return {"events": [dict(event) for event in self.events]}

    def rows(self) -> list[dict[str, Any]]:
        """One row for each event, its details as text."""
        return [{**event, "detail": _in_words(event["detail"])} for event in self.events]

    def __str__(self) -> str:
        return "\n".join(_line(event) for event in self.events) or "no events"


def _line(event: Mapping[str, Any]) -> str:
    about = [str(event[name]) for name in ("about", "item") if event[name] is not None]
    words = [event["time"], event["person"] or "-", event["kind"], *about, _in_words(event["detail"])]
    return "  ".join(word for word in words if word)


def _in_words(detail: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in detail.items())


def audit_log(tx: Transaction, since: str | None = None) -> AuditLog:
    """All events, or those from a time on."""
    query = select(records.c.id).where(records.c.time >= (0 if since is None else milliseconds_of(since)))
    first = tx.execute(query.order_by(records.c.id).limit(1)).scalar_one_or_none()
    return AuditLog(() if first is None else tuple(reversed(list_events(tx, first=first))))


def list_events(
    tx: Transaction, *, first: int = 0, before: int | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """Events from the record `first` to the one before `before`, the newest first."""
    query = select(records, items.c.name).outerjoin(items, items.c.id == records.c.item)
    query = query.where(records.c.kind.in_(EVENTS), records.c.id >= first)
    if before is not None:
        query = query.where(records.c.id < before)
    names = real_names(tx)
    return [_event(row, names) for row in tx.execute(query.order_by(records.c.id.desc()).limit(limit))]


def list_page(tx: Transaction, before: int | None = None) -> dict[str, Any]:
    """The audit log: sign-ins, changes, decisions, exports and erasures; newest first, one page at a time."""
    found = list_events(tx, before=before, limit=PAGE + 1)
    return {"events": found[:PAGE], "next": found[PAGE - 1]["id"] if len(found) > PAGE else None}


def _event(row: Any, names: Mapping[int, str]) -> dict[str, Any]:
    body = from_json(row.body_json)
    about = body.get("of", body.get("for"))
    return {
        "id": row.id,
        "time": as_time(row.time),
        "kind": row.kind,
        "person": names.get(row.person),
        "about": names.get(about),
        "item": row.name,
        "detail": {name: body[name] for name in EVENTS[row.kind] if body.get(name) is not None},
    }


def milliseconds_of(text: str) -> int:
    """A date or time in ISO 8601; UTC, unless it says otherwise."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"'{text}' is no time, expected one such as 2026-11-16 or 2026-11-16T08:00") from error
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000)
