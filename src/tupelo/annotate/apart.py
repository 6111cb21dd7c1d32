"""Figures in a process of their own: what takes a second of computing must not hold up those who annotate.

The process is started when figures are first asked for. It is told what it needs through its standard input, where an
address with a password belongs, answers one line for each line, and ends when the server does, however that ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from tupelo.annotate.adjudication import queue
from tupelo.annotate.answers import answered_items, counted_rows, pseudonyms
from tupelo.annotate.dashboard import dashboard
from tupelo.annotate.database import open_database
from tupelo.annotate.desk import Desk, make_desk
from tupelo.annotate.project import Project, load_project
from tupelo.annotate.quality import agreement
from tupelo.core import TupeloError

# Several who look at once see the same figures.
KEPT = 5_000


def compute(desk: Desk, what: str) -> Any:
    """One of the figures that take long."""
    return desk.database.read(lambda connection: FIGURES[what](desk, connection))


def _agreement(desk: Desk, connection: Connection) -> dict[str, Any]:
    answered = answered_items(counted_rows(connection), pseudonyms(desk, connection))
    return agreement(desk.task, answered, seed=desk.project.seed)


FIGURES: dict[str, Callable[[Desk, Connection], Any]] = {
    "dashboard": dashboard,
    "agreement": _agreement,
    "adjudications": queue,
}


class Apart:
    """Asks the other process, which is started again should it be gone."""

    def __init__(self, project: Project) -> None:
        self._told = {"folder": str(project.folder), "database": project.database}
        self._process: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()
        self._kept: dict[str, tuple[int, Any]] = {}

    def ask(self, desk: Desk, what: str) -> Any:
        with self._turn:
            time, found = self._kept.get(what, (0, None))
            if desk.now() - time >= KEPT:
                found = self._ask(what)
                self._kept[what] = (desk.now(), found)
            return found

    def _ask(self, what: str) -> Any:
        for left in (1, 0):
            try:
                process = self._running()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(json.dumps(what) + "\n")
                process.stdin.flush()
                return json.loads(process.stdout.readline())
            except (OSError, ValueError) as error:
                self.close()
                if not left:
                    raise TupeloError("the figures could not be computed, expected a process that answers") from error
        raise AssertionError("unreachable")

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            command = [sys.executable, "-m", "tupelo.annotate.apart"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(self._told) + "\n")
        return self._process

    def close(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()


def main() -> None:
    """The other side: a line for every line, until there are no more."""
    os.nice(5)
    told = json.loads(sys.stdin.readline())
    project = replace(load_project(told["folder"]), database=told["database"])
    database = open_database(project.database_address())
    desk = make_desk(project, database)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(compute(desk, json.loads(line)), allow_nan=False) + "\n")
        sys.stdout.flush()
    database.close()


if __name__ == "__main__":
    main()
