"""What every part of the server needs at hand: the project, its task, its database, and the time."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tupelo.annotate.database import Database
from tupelo.annotate.project import Project
from tupelo.annotate.tasks import TASKS, Extract, Task

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """One per server, and equal to itself alone.

    `now` is the clock; `password_cost` is the logarithm of scrypt's N, lower in tests; `extract` makes suggestions
    where the project wants any.
    """

    project: Project
    task: Task
    database: Database
    guidelines: str
    now: Callable[[], int] = milliseconds
    password_cost: int = 15
    extract: Extract | None = None
    _done: dict[str, int] = field(default_factory=dict)

    def is_time(self, what: str, every: int) -> bool:
        """Is it so many milliseconds since this was last said about the same thing?"""
        now = self.now()
        if now - self._done.get(what, 0) < every:
            return False
        self._done[what] = now
        return True

    def lease_end(self) -> int:
        return self.now() + int(self.project.lease_minutes * MINUTE)

    def draw(self, *names: object) -> float:
        """A number from 0 to 1 that depends on the project's seed and on what it is for, not on when."""
        text = "/".join(map(str, (self.project.seed, *names)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64

    def seed_of(self, item: str, person: int) -> str:
        """What decides random orders that a person sees."""
        return f"{self.project.seed}/{item}/{person}"


def make_desk(
    project: Project,
    database: Database,
    *,
    now: Callable[[], int] = milliseconds,
    password_cost: int = 15,
    extract: Extract | None = None,
) -> Desk:
    task = TASKS.get(project.task)
    return Desk(project, task, database, project.guideline_version(), now, password_cost, extract)


def to_json(value: Any) -> str:
    """Plain ASCII: whatever a text holds, every database can store it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def as_time(milliseconds: int | None) -> str | None:
    """As pages and files show it: ISO 8601 in UTC."""
    if milliseconds is None:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
