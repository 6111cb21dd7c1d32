"""Many annotators at once on a real server: how long they wait, and whether anything is lost or given twice.

    python -m benchmarks.annotate_load --people 200 --seconds 300
    python -m benchmarks.annotate_load --people 40 --seconds 60 --kills 10
    python -m benchmarks.annotate_load --people 6 --answers 60 --kills 2
    python -m benchmarks.annotate_load --database postgresql://user@host/empty

Every annotator is a connection of its own: takes an item, thinks (2 to 8 seconds), saves a draft in between, hands
in, and gets the next one. Some answers are sent twice, as a page does that never heard of the first reply. Reviewers
check samples of the batches at the same time, several of them whatever there is first, and an admin looks at the
dashboard. With --kills the server is killed with signal 9 so many times and started again; whatever it had
acknowledged must be there at the end. With --answers everybody stops after so many answers, however long they take,
and the kills come between them. The checks at the end read the database itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from tupelo.annotate.database import open_database
from tupelo.annotate.desk import make_desk, to_json
from tupelo.annotate.exchange import items_of_rows
from tupelo.annotate.items import add_items
from tupelo.annotate.people import add_person, make_link
from tupelo.annotate.project import load_project
from tupelo.annotate.schema import assignments, checks, items, people, records
from tupelo.web.server import WebServer

PROJECT = """[project]
name = "Load"
task = "tuples"
overlap = 2
batch_size = 20
[controls]
share = 0.0
"""
ANSWER = {"tuples": [{"rel": [1], "args": [[0], [2]]}], "none": False}


class Lost(Exception):
    """The server went away in the middle of a request."""


@dataclass
class Client:
    """One browser: a connection that stays open, a cookie and a CSRF token."""

    port: int
    times: dict[str, list[float]]
    cookie: str = ""
    csrf: str = ""
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: Any = None, route: str = "") -> tuple[int, Any]:
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(data)}\r\n"
        if data:
            head += "Content-Type: application/json\r\n"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\nX-CSRF-Token: {self.csrf}\r\n"
        began = time.perf_counter()
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(head.encode() + b"\r\n" + data)
            await writer.drain()
            status, content = await self._read(reader)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            self.drop()
            raise Lost from error
        self.times.setdefault(route or f"{method} {path}", []).append(time.perf_counter() - began)
        return status, json.loads(content)

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status, length = int(head[0].split()[1]), 0
        for line in head[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "set-cookie":
                self.cookie = value.strip().partition(";")[0]
        return status, await reader.readexactly(length)

    def drop(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None

    async def surely(self, method: str, path: str, body: Any = None, route: str = "") -> tuple[int, Any]:
        """Send until there is a reply, as the outbox of the page does."""
        while True:
            try:
                return await self.send(method, path, body, route)
            except Lost:
                await asyncio.sleep(0.2)

    async def enter(self, token: str) -> None:
        _, body = await self.surely("POST", f"/api/enter/{token}", {}, "POST /api/enter")
        self.csrf = body["csrf"]


@dataclass
class Seen:
    """What the clients know: every answer that was acknowledged, and every refusal."""

    acknowledged: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    given: list[tuple[str, str]] = field(default_factory=list)
    reviews: int = 0
    refused: Counter[str] = field(default_factory=Counter)


@dataclass
class Shift:
    """The time that everybody works: so many seconds, or until there are so many answers."""

    seen: Seen
    seconds: float
    answers: int | None
    began: float = field(default_factory=time.monotonic)
    end: asyncio.Event = field(default_factory=asyncio.Event)

    def part(self) -> float:
        """The share that is over."""
        if self.answers is not None:
            return len(self.seen.acknowledged) / self.answers
        return (time.monotonic() - self.began) / self.seconds

    def is_over(self) -> bool:
        if self.part() >= 1:
            self.end.set()
        return self.end.is_set()

    async def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.end.wait(), seconds)


async def annotator(client: Client, token: str, name: str, shift: Shift, seen: Seen, seed: int, pace: float) -> None:
    chance = random.Random(seed)
    await client.enter(token)
    await asyncio.sleep(chance.uniform(0, pace))
    _, body = await client.surely("POST", "/api/assignments", {})
    current = body.get("assignment")
    while current is not None and not shift.is_over():
        seen.given.append((name, current["item"]))
        path = f"/api/assignments/{current['id']}"
        answer = {**ANSWER, "tuples": [{**ANSWER["tuples"][0], "place": [3, f"{chance.random()}"]}]}  # type: ignore[index]
        think = pace * chance.uniform(0.4, 1.6)
        await asyncio.sleep(think / 2)
        draft = {"client_id": uuid.uuid4().hex, "number": current["draft_number"] + 1, "answer": answer}
        await client.surely("PUT", f"{path}/draft", draft, "PUT draft")
        await asyncio.sleep(think / 2)
        sent = {"client_id": uuid.uuid4().hex, "version": current["version"], "answer": answer, "seconds": think}
        if chance.random() < 0.02:
            # The page was closed before the reply came; it sends the same again later.
            hurried = asyncio.ensure_future(client.send("POST", f"{path}/answer", sent, "POST answer, cut"))
            await asyncio.sleep(0.002)
            hurried.cancel()
            await asyncio.gather(hurried, return_exceptions=True)
            client.drop()
        status, body = await client.surely("POST", f"{path}/answer", sent, "POST answer")
        if status != 200:
            seen.refused[body["error"]["code"]] += 1
            _, body = await client.surely("POST", "/api/assignments", {})
            current = body.get("assignment")
            continue
        seen.acknowledged[sent["client_id"]] = (current["id"], current["version"] + 1, to_json(answer))
        current = body["next"]


async def reviewer(client: Client, token: str, shift: Shift, seen: Seen) -> None:
    await client.enter(token)
    while not shift.is_over():
        _, body = await client.surely("POST", "/api/reviews", {})
        while body.get("review") is not None and not shift.is_over():
            await asyncio.sleep(0.5)
            verdict = {"client_id": uuid.uuid4().hex, "right": True, "comment": ""}
            status, body = await client.surely("POST", f"/api/reviews/{body['review']['id']}", verdict, "POST review")
            if status != 200:
                seen.refused[f"review {body['error']['code']}"] += 1
                break
            seen.reviews += 1
        await shift.pause(1)


async def admin(client: Client, token: str, shift: Shift) -> None:
    await client.enter(token)
    while not shift.is_over():
        await client.surely("GET", "/api/dashboard")
        await shift.pause(20)


class Server:
    """`tupelo annotate serve` in a process of its own."""

    def __init__(self, folder: Path, port: int, database: str | None) -> None:
        self._command = [sys.executable, "-m", "tupelo", "annotate", "serve", str(folder), "--port", str(port)]
        self._command += ["--database", database] if database else []
        self.seconds = 0.0
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        while "Serving at" not in (line := self._process.stdout.readline()):
            if not line:
                raise SystemExit("the server did not start")

    def kill(self) -> None:
        self.seconds += self.used()
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def used(self) -> float:
        """CPU seconds of the process so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prepare(folder: Path, database: str | None, count: int, crowd: int, reviewers: int) -> dict[str, list[str]]:
    """A project with items, and links for everybody; the tokens by role."""
    folder.joinpath("project.toml").write_text(PROJECT)
    project = load_project(folder)
    opened = open_database(database or project.database_address(), create=True)
    desk = make_desk(project, opened)
    rows = [{"id": f"s{number}", "text": f"Ann met Bob in Oslo on day {number}."} for number in range(count)]
    add_items(desk, items_of_rows(desk.task, rows, {}, "rows"))
    tokens: dict[str, list[str]] = {}
    for role, size in (("annotator", crowd), ("reviewer", reviewers), ("admin", 1)):
        for number in range(size):
            person = desk.write(add_person, f"{role} {number}", role, "")
            tokens.setdefault(role, []).append(make_link(desk, role, person=person.id)[1])
    opened.close()
    return tokens


async def crowd(
    port: int, tokens: dict[str, list[str]], chosen: argparse.Namespace, server: Server, seen: Seen
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    shift, kills = Shift(seen, chosen.seconds, chosen.answers), chosen.kills
    annotators = asyncio.gather(
        *(
            annotator(Client(port, times), token, f"annotator {number}", shift, seen, number, chosen.think)
            for number, token in enumerate(tokens["annotator"])
        )
    )
    others = asyncio.gather(
        *(reviewer(Client(port, times), token, shift, seen) for token in tokens["reviewer"]),
        *(admin(Client(port, times), token, shift) for token in tokens["admin"]),
    )
    for number in range(kills):
        while shift.part() < (number + 1) / (kills + 1) and not annotators.done():
            await asyncio.sleep(0.02)
        server.kill()
        await asyncio.to_thread(server.start)
    await annotators
    if chosen.answers is not None:
        shift.end.set()
    await others
    return times


def faults(folder: Path, database: str | None, seen: Seen) -> list[str]:
    """What the database says against what the clients were told."""
    found: list[str] = []
    project = load_project(folder)
    opened = open_database(database or project.database_address())

    def work(connection: Any) -> None:
        query = select(records).where(records.c.kind == "answer")
        there = {row.client_id: row for row in connection.execute(query)}
        for client_id, (assignment, version, answer) in seen.acknowledged.items():
            row = there.get(client_id)
            if row is None or row.assignment != assignment or row.version != version:
                found.append(f"lost: answer {client_id}")
            elif to_json(json.loads(row.body_json)["sent"]) != answer:
                found.append(f"changed: answer {client_id}")
        versions = Counter((row.assignment, row.version) for row in there.values())
        found.extend(f"double: assignment {key}" for key, count in versions.items() if count > 1)
        held = select(assignments.c.item, func.count()).where(assignments.c.state != "expired")
        taken = dict(
            connection.execute(held.where(assignments.c.state != "skipped").group_by(assignments.c.item)).all()
        )
        for item, places in connection.execute(select(items.c.id, items.c.open)):
            if taken.get(item, 0) + places != project.overlap:
                found.append(f"item {item}: {taken.get(item, 0)} taken and {places} open of {project.overlap}")
        who = select(checks.c.assignment, checks.c.round, checks.c.reviewer).where(checks.c.reviewer.is_not(None))
        twice = Counter(map(tuple, connection.execute(who)))
        found.extend(f"reviewed twice: {key}" for key, count in twice.items() if count > 1)
        own = select(checks.c.id).join(assignments, assignments.c.id == checks.c.assignment)
        if connection.execute(own.where(assignments.c.person == checks.c.reviewer)).first():
            found.append("somebody reviewed their own answer")
        assert connection.execute(select(func.count()).select_from(people)).scalar_one()

    opened.read(work)
    opened.close()
    found.extend(f"given twice: {key}" for key, count in Counter(seen.given).items() if count > 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--reviewers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--answers", type=int, help="stop after so many answers instead of --seconds")
    parser.add_argument("--think", type=float, default=5, help="mean seconds between taking and handing in")
    parser.add_argument("--items", type=int, default=8000)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--database", help="an empty PostgreSQL database; default: SQLite in a temporary folder")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tupelo-load-") as name:
        folder = Path(name)
        tokens = prepare(folder, chosen.database, chosen.items, chosen.people, chosen.reviewers)
        with WebServer("127.0.0.1", 0) as place:
            port = place.port
        server, seen = Server(folder, port, chosen.database), Seen()
        began = time.monotonic()
        times = asyncio.run(crowd(port, tokens, chosen, server, seen))
        wall = time.monotonic() - began
        server.kill()
        wrong = faults(folder, chosen.database, seen)
    report(chosen, times, seen, server, wall, wrong)
    if wrong:
        raise SystemExit(1)


def report(
    chosen: argparse.Namespace,
    times: dict[str, list[float]],
    seen: Seen,
    server: Server,
    wall: float,
    wrong: list[str],
) -> None:
    everything = [value for route, values in times.items() if "cut" not in route for value in values]
    figures = {
        "people": chosen.people,
        "wall_s": round(wall, 1),
        "requests": len(everything),
        "requests_per_s": round(len(everything) / wall, 1),
        "answers": len(seen.acknowledged),
        "reviews": seen.reviews,
        "refused": dict(seen.refused),
        "kills": chosen.kills,
        "server_cpu_s": round(server.seconds, 1),
        "faults": wrong[:20],
        "ms": {route: quantiles(values) for route, values in sorted({**times, "all": everything}.items())},
    }
    if chosen.json:
        print(json.dumps(figures))
        return
    for key, value in figures.items():
        if key != "ms":
            print(f"{key}: {value}")
    for route, values in figures["ms"].items():
        print(f"{route:28} " + "  ".join(f"{name} {value:8.1f}" for name, value in values.items()))


def quantiles(values: list[float]) -> dict[str, float]:
    """Milliseconds."""
    ordered = sorted(value * 1000 for value in values)
    return {
        "n": len(ordered),
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "p99": round(ordered[int(0.99 * (len(ordered) - 1))], 1),
        "max": round(ordered[-1], 1),
    }


if __name__ == "__main__":
    main()
