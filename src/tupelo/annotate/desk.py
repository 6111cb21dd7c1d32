"""The shared context of the server: project, task, database, clock, and the log of what people did."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, Row, Select, Table, delete, insert, select, update
from sqlalchemy.sql.selectable import TypedReturnsRows

from tupelo.annotate.database import Database
from tupelo.annotate.project import Project, Serving
from tupelo.annotate.schema import TIMES, meta, statement
from tupelo.annotate.tasks import TASKS, AnnotationTask, Answer, AnswerError, ExtractTuples, Item
from tupelo.web.guard import Refusal

Result = TypeVar("Result")
Columns = TypeVarTuple("Columns")
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
# Key under which the last server noted its address.
_ADDRESS = "address"


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in."""

    id: int
    name: str
    role: str
    state: str

    def shown(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """The shared context, one per server; compared by identity.

    `now` is the clock; `password_cost` is the logarithm of scrypt's N, lower in tests; `extract` makes suggestions
    if the project uses them.
    """

    project: Project
    task: AnnotationTask
    database: Database
    guidelines: str
    now: Callable[[], int] = milliseconds
    password_cost: int = 15
    extract: ExtractTuples | None = None
    _done: dict[str, int] = field(default_factory=dict)

    def read(self, work: Callable[..., Result], *given: Any, **options: Any) -> Result:
        """Run `work` in a read-only transaction."""
        return self.database.read(lambda connection: work(Transaction(self, connection), *given, **options))

    def write(self, work: Callable[..., Result], *given: Any, **options: Any) -> Result:
        """Run `work` in a transaction, all or nothing."""
        return self.database.write(lambda connection: work(Transaction(self, connection), *given, **options))

    def is_time(self, what: str, every: int) -> bool:
        """Whether `every` milliseconds have passed since this was last true of `what`."""
        now = self.now()
        if now - self._done.get(what, 0) < every:
            return False
        self._done[what] = now
        return True

    def lease_end(self) -> int:
        return self.now() + int(self.project.lease_minutes * MINUTE)

    def draw(self, *names: object) -> float:
        """A random number from 0 to 1 that depends only on the project's seed and on `names`."""
        text = "/".join(map(str, (self.project.seed, *names)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64

    def validated(self, item: Item, answer: Any, seed: str) -> Answer:
        """The normal form of an answer, or a refusal that names the wrong field."""
        try:
            return self.task.validate(item, answer, seed)
        except AnswerError as error:
            raise Refusal("invalid", str(error), field=error.field) from error

    def seed_of(self, item: str, person: int) -> str:
        """The seed of the random orders that a person sees."""
        return f"{self.project.seed}/{item}/{person}"


@dataclass(frozen=True, slots=True)
class Transaction:
    """Everything that one action of a person reads and writes."""

    desk: Desk
    connection: Connection

    @overload
    def execute(self, statement: TypedReturnsRows[*Columns]) -> CursorResult[*Columns]: ...
    @overload
    def execute(self, statement: Executable, rows: Any = None) -> CursorResult[*tuple[Any, ...]]: ...
    def execute(self, statement: Executable, rows: Any = None) -> CursorResult[*tuple[Any, ...]]:
        return self.connection.execute(statement, rows)

    def run(self, name: str, /, **values: Any) -> CursorResult[*tuple[Any, ...]]:
        """Run a frequent statement by its name (`data/statements.sql`), with values bound by name."""
        return self.connection.execute(statement(name, sqlite=self.desk.database.is_sqlite), values)

    def locked(self, query: Select[Any]) -> Select[Any]:
        """The query with its rows locked until the transaction ends."""
        return query if self.desk.database.is_sqlite else query.with_for_update()

    def row(self, table: Table, number: int) -> Row[Any]:
        """The row of this number."""
        return self.execute(select(table).where(table.c.id == number)).one()

    def locked_row(self, table: Table, number: int, name: str) -> Row[Any]:
        """The row of this number, locked; refused as an unknown `name` if there is none."""
        row = self.execute(self.locked(select(table).where(table.c.id == number))).one_or_none()
        if row is None:
            raise Refusal("not-found", f"There is no such {name}.")
        return row

    def change(self, table: Table, number: int, **values: Any) -> None:
        """Change the row of this number."""
        self.execute(update(table).where(table.c.id == number).values(**values))

    def add(self, table: Table, **values: Any) -> int:
        """Insert a row and return its number."""
        key = self.execute(insert(table).values(**values)).inserted_primary_key
        assert key is not None
        return int(key[0])

    def append(
        self,
        kind: str,
        person: int | None,
        body: dict[str, Any],
        *,
        client_id: str | None = None,
        item: int | None = None,
        assignment: int | None = None,
        version: int = 0,
    ) -> None:
        """Add a record of what somebody did. For the server's own actions, `client_id` is generated."""
        self.run(
            "append_record",
            **{"client_id": client_id or uuid.uuid4().hex, "person": person, "item": item, "assignment": assignment},
            **{"kind": kind, "version": version, "time": self.desk.now(), "guidelines": self.desk.guidelines},
            body=to_json(body),
        )

    def earlier(self, person: int, client_id: str) -> Row[Any] | None:
        """The record of an earlier copy of the same request."""
        return self.run("earlier_record", person=person, client_id=client_id).one_or_none()


def make_desk(
    project: Project,
    database: Database,
    *,
    now: Callable[[], int] = milliseconds,
    password_cost: int = 15,
    extract: ExtractTuples | None = None,
) -> Desk:
    task = TASKS.get(project.task)
    return Desk(project, task, database, project.guideline_version(), now, password_cost, extract)


def note_address(desk: Desk) -> None:
    """Note where the project is served, for commands that make links."""

    def work(tx: Transaction) -> None:
        tx.execute(delete(meta).where(meta.c.key == _ADDRESS))
        tx.execute(insert(meta).values(key=_ADDRESS, value=desk.project.server.url))

    desk.write(work)


def link_base(tx: Transaction) -> str:
    """The address for links that are made without a server: that of `project.toml`, else that of the last server."""
    server = tx.desk.project.server
    noted = tx.execute(select(meta.c.value).where(meta.c.key == _ADDRESS)).scalar_one_or_none()
    # A project of several has a path after the address that it was given.
    if noted is not None and (server == Serving() or noted.startswith(f"{server.url.rstrip('/')}/")):
        return str(noted)
    return server.url


def to_json(value: Any) -> str:
    """JSON in plain ASCII, which every database can store."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def columns(row: Row[Any], *names: str) -> dict[str, Any]:
    """Some columns of a row as pages and files show them: times in ISO 8601, and the values of `…_json`."""
    return {name: _shown(row, name) for name in names}


def _shown(row: Row[Any], name: str) -> Any:
    if not hasattr(row, name):
        return from_json(getattr(row, f"{name}_json"))
    value = getattr(row, name)
    return as_time(value) if name in TIMES else value


def as_time(milliseconds: int | None) -> str | None:
    """A time in ISO 8601 and UTC, as pages and files show it."""
    if milliseconds is None:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
