"""The memory of a project: what somebody did, once, with time, person and version."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Connection, Row

from tupelo.annotate.desk import Desk, to_json


def append(
    desk: Desk,
    connection: Connection,
    kind: str,
    *,
    person: int | None,
    body: dict[str, Any],
    client_id: str | None = None,
    item: int | None = None,
    assignment: int | None = None,
    version: int = 0,
) -> None:
    """One more row. Without a `client_id` the server acted by itself, and gives one."""
    desk.database.run(
        connection,
        "insert into records (client_id, person, item, assignment, kind, version, time, guidelines, body_json) "
        "values (:client_id, :person, :item, :assignment, :kind, :version, :time, :guidelines, :body)",
        client_id=client_id or uuid.uuid4().hex,
        person=person,
        item=item,
        assignment=assignment,
        kind=kind,
        version=version,
        time=desk.now(),
        guidelines=desk.guidelines,
        body=to_json(body),
    )


def earlier(desk: Desk, connection: Connection, person: int, client_id: str) -> Row[Any] | None:
    """What this very request did when it came before."""
    query = "select kind, body_json from records where person = :person and client_id = :client_id"
    return desk.database.run(connection, query, person=person, client_id=client_id).one_or_none()
