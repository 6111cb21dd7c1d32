"""A project, a real server for it, and a visitor that speaks HTTP as a browser would."""

from __future__ import annotations

import http.client
import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.sockets import serving
from tupelo.annotate.app import make_app
from tupelo.annotate.database import Database, open_database
from tupelo.annotate.desk import Desk, make_desk
from tupelo.annotate.exchange import items_of_rows
from tupelo.annotate.items import add_items
from tupelo.annotate.people import make_link
from tupelo.annotate.project import read_project
from tupelo.web.limits import ServerLimits
from tupelo.web.server import WebServer

PASSWORD = "a long password"
# Closed when a test ends.
OPEN: list[Database] = []
START = 1_800_000_000_000
SHELL = {"index.html": b"<!doctype html><title>Tupelo</title>", "js/app.js": b"export {};\n"}

TUTORIAL = """
[[steps]]
title = "Rate"
text = "Rate how true a text is."
[[steps]]
title = "Try"
row = { source = "Ann sang.", generated = "Ann sang." }
answer = { score = 5 }
explanation = "Nothing is wrong."
"""
TEST = (
    '{"id": "t1", "source": "Ann sang.", "generated": "Ann sang.", "answer": {"score": 5}}\n'
    '{"id": "t2", "source": "Ann sang.", "generated": "Bob wept.", "answer": {"score": 1}}\n'
)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> int:
        return self.time

    def forward(self, minutes: float) -> None:
        self.time += int(minutes * 60_000)


def pairs(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"p{n}", "source": f"Source {n}.", "generated": f"Text {n}.", **more} for n in range(count)]


def sentences(count: int) -> list[dict[str, Any]]:
    return [{"id": f"s{n}", "text": f"Ann met Bob number {n}."} for n in range(count)]


@dataclass
class Setting:
    """A desk with a clock that the test moves."""

    desk: Desk
    clock: Clock
    folder: Path

    def person(self, name: str, role: str = "annotator", state: str = "working") -> Any:
        from sqlalchemy import select

        from tupelo.annotate.people import add_person, person_of
        from tupelo.annotate.schema import people

        def work(tx: Any) -> Any:
            made = add_person(tx, name, role, "no password")
            tx.execute(people.update().where(people.c.id == made.id).values(state=state))
            return person_of(tx.execute(select(people).where(people.c.id == made.id)).one())

        return self.desk.write(work)

    def write(self, function: Any, *arguments: Any, **more: Any) -> Any:
        return self.desk.write(function, *arguments, **more)

    def read(self, function: Any, *arguments: Any, **more: Any) -> Any:
        return self.desk.read(function, *arguments, **more)

    def rows(self, query: Any) -> list[Any]:
        return self.desk.database.read(lambda c: list(c.execute(query)))


def make_setting(
    folder: Path,
    toml: str = "",
    *,
    task: str = "accuracy",
    rows: list[dict[str, Any]] | None = None,
    address: str | None = None,
    trained: bool = False,
    extract: Any = None,
) -> Setting:
    """A project of a few rows. `trained` adds a tutorial and a test."""
    text = f'[project]\nname = "Trial"\ntask = "{task}"\n{toml}'
    if trained:
        text += '\n[training]\ntutorial = "tutorial.toml"\n[qualification]\nfile = "test.jsonl"\nattempts = 2\n'
        folder.joinpath("tutorial.toml").write_text(TUTORIAL)
        folder.joinpath("test.jsonl").write_text(TEST)
    project = read_project(folder, text)
    database = open_database(address or project.database_address(), create=True)
    clock = Clock()
    desk = make_desk(project, database, now=clock, password_cost=2, extract=extract)
    OPEN.append(database)
    add_items(desk, items_of_rows(desk.task, rows or [], project.settings, "rows"))
    return Setting(desk, clock, folder)


@dataclass
class Reply:
    status: int
    body: Any
    headers: dict[str, str]
    data: bytes

    @property
    def code(self) -> str:
        return str(self.body["error"]["code"])


@dataclass
class Visitor:
    """Keeps cookies and the CSRF token."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str | None = None
    host: str = "127.0.0.1"

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Reply:
        sent = {"Host": f"{self.host}:{self.port}"}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.csrf is not None:
            sent["X-CSRF-Token"] = self.csrf
        data = raw
        if raw is None and method not in ("GET", "HEAD", "DELETE"):
            data = json.dumps({} if body is None else body).encode()
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        is_json = answer.getheader("content-type", "").startswith("application/json")
        shown = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, json.loads(content) if is_json and content else None, shown, content)

    def get(self, path: str) -> Reply:
        return self.send("GET", path)

    def post(self, path: str, body: Any = None) -> Reply:
        return self.send("POST", path, body)

    def join(self, token: str, name: str, password: str = PASSWORD) -> Reply:
        reply = self.post(f"/api/invitations/{token}", {"name": name, "password": password})
        assert reply.status == 200, reply.body
        self.csrf = reply.body["csrf"]
        return reply

    def login(self, name: str, password: str = PASSWORD) -> Reply:
        reply = self.post("/api/login", {"name": name, "password": password})
        if reply.status == 200:
            self.csrf = reply.body["csrf"]
        return reply

    def hand_in(self, assignment: dict[str, Any], answer: dict[str, Any], **more: Any) -> Reply:
        body = {"client_id": uuid.uuid4().hex, "version": assignment["version"], "answer": answer, **more}
        return self.post(f"/api/assignments/{assignment['id']}/answer", body)


@dataclass
class Live:
    setting: Setting
    port: int

    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def enter(self, name: str, role: str = "annotator") -> Visitor:
        _, token = make_link(self.setting.desk, role)
        visitor = self.visitor()
        visitor.join(token, name)
        return visitor


@contextmanager
def live(
    setting: Setting, files: dict[str, bytes] | None = None, limits: ServerLimits | None = None
) -> Iterator[Live]:
    """The application on a free port of this machine, in a thread."""
    server = WebServer("127.0.0.1", 0, limits=limits)
    app = make_app(setting.desk, files=SHELL if files is None else files)
    try:
        with serving(server, app):
            yield Live(setting, server.port)
    finally:
        setting.desk.database.close()
