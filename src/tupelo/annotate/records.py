"""The memory of a project: what somebody did, once, with time, person and version."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from tupelo.annotate.desk import Desk, to_json
from tupelo.annotate.schema import records


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
    connection.execute(
        insert(records).values(
            client_id=client_id or uuid.uuid4().hex,
            person=person,
            item=item,
            assignment=assignment,
            kind=kind,
            version=version,
            time=desk.now(),
            guidelines=desk.guidelines,
            body_json=to_json(body),
        )
    )


def earlier(connection: Connection, person: int, client_id: str) -> Row[Any] | None:
    """What this very request did when it came before."""
    query = select(records).where(records.c.person == person, records.c.client_id == client_id)
    return connection.execute(query).one_or_none()
