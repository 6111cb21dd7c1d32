"""Figures for project managers: progress, pace, people, agreement, and the effect of suggestions on answers.

They are computed in a separate process, so that a second of computing does not delay annotators. The
process starts on the first request. It gets its settings through standard input, the safe place for an address
with a password, answers each line with one line, and ends with the server, however that ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from statistics import median
from typing import Any

from sqlalchemy import Row, Select, func, select

from tupelo.annotate.database import open_database
from tupelo.annotate.desk import Desk, Transaction, as_time, columns, from_json, make_desk
from tupelo.annotate.export import settled
from tupelo.annotate.items import COUNTED, answered_items, counted_rows, light_rows, pseudonyms, real_names
from tupelo.annotate.project import Project, load_project
from tupelo.annotate.quality import AgreementReport, agreement, insurgency_rates, person_agreement
from tupelo.annotate.review import disagreements
from tupelo.annotate.schema import assignments, batches, items, people, records
from tupelo.core import TupeloError

HOUR = 3_600_000


# Agreement is measured on the most recent items: enough for a picture, and fast enough for a page.
MEASURED = 300


def dashboard(tx: Transaction) -> dict[str, Any]:
    rows = light_rows(tx)
    names = real_names(tx)
    answered = answered_items(counted_rows(tx, latest=MEASURED), names)
    return {
        "progress": _progress(tx, rows),
        "pace": _pace(rows),
        "median_seconds": _median(row.seconds for row in rows),
        "people": _people(tx, rows, answered, names),
        "agreement": agreement(tx.desk.task, answered, seed=tx.desk.project.seed),
        "preannotation": _preannotation(tx, rows),
        "batches": _counts(tx, select(batches.c.state, func.count()).group_by(batches.c.state)),
    }


def _counts(tx: Transaction, query: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in tx.execute(query)}


def _progress(tx: Transaction, rows: list[Row[Any]]) -> dict[str, Any]:
    total = tx.execute(select(func.count()).where(~items.c.control).select_from(items)).scalar_one()
    per_item = Counter(row.item for row in rows)
    query = select(assignments.c.state, func.count()).join(items, items.c.id == assignments.c.item)
    states = _counts(tx, query.where(~items.c.control).group_by(assignments.c.state))
    decided = select(func.count()).where(items.c.decisions > 0).select_from(items)
    return {
        "items": total,
        "answers_wanted": total * tx.desk.project.overlap,
        "answers": len(rows),
        "items_done": sum(count >= tx.desk.project.overlap for count in per_item.values()),
        "adjudicated": tx.execute(decided).scalar_one(),
        "leased": states.get("leased", 0) + states.get("returned", 0),
        "skipped": states.get("skipped", 0),
    }


def _pace(rows: list[Row[Any]]) -> list[dict[str, Any]]:
    """Answers per hour from the first to the last, including empty hours; at most the last ten days."""
    hours = Counter(row.changed // HOUR for row in rows)
    if not hours:
        return []
    last = max(hours)
    first = max(min(hours), last - 240)
    return [{"hour": as_time(hour * HOUR), "answers": hours[hour]} for hour in range(first, last + 1)]


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _people(
    tx: Transaction, rows: list[Row[Any]], answered: list[Any], names: dict[int, str]
) -> list[dict[str, Any]]:
    own: dict[int, list[Row[Any]]] = {}
    for row in rows:
        own.setdefault(row.person, []).append(row)
    agreed = person_agreement(tx.desk.task, answered)
    rebels = insurgency_rates(tx.desk.task, answered)
    controls: dict[int, dict[str, int]] = {}
    for person, kind, body in _bodies(tx, "control", "look-again"):
        counts = controls.setdefault(person, {"seen": 0, "missed": 0})
        counts["seen"] += 1
        counts["missed"] += kind == "look-again" or not body["passed"]
    best: dict[int, float] = {}
    for person, _, body in _bodies(tx, "qualification"):
        best[person] = max(best.get(person, 0.0), body["score"])
    decided: Counter[tuple[int, bool]] = Counter()
    for person, _, body in _bodies(tx, "batch"):
        decided[person, body["accepted"]] += 1
    return [
        {
            **columns(row, "id", "name", "role", "state", "active"),
            "answers": len(own.get(row.id, ())),
            "median_seconds": _median(one.seconds for one in own.get(row.id, ())),
            "agreement": agreed.get(names[row.id]),
            "insurgency": rebels.get(names[row.id]),
            "controls": controls.get(row.id, {"seen": 0, "missed": 0}),
            "batches": {"accepted": decided[row.id, True], "returned": decided[row.id, False]},
            "qualification": best.get(row.id),
        }
        for row in tx.execute(select(people).order_by(people.c.id))
    ]


def _bodies(tx: Transaction, *kinds: str) -> Iterator[tuple[int, str, Any]]:
    """Person, kind and body of the records of these kinds."""
    query = select(records.c.person, records.c.kind, records.c.body_json).where(records.c.kind.in_(kinds))
    return ((person, kind, from_json(body)) for person, kind, body in tx.execute(query))


def _preannotation(tx: Transaction, rows: list[Row[Any]]) -> dict[str, Any]:
    """Compare answers with and without a suggestion: time taken, and how many suggestions were left unchanged."""
    sides: dict[str, Any] = {}
    query = select(assignments.c.suggested, assignments.c.answer_json, items.c.suggestion_json)
    query = query.join(items, items.c.id == assignments.c.item).where(assignments.c.state.in_(COUNTED))
    query = (
        query.where(items.c.suggestion_json.is_not(None)).order_by(assignments.c.changed.desc()).limit(2 * MEASURED)
    )
    both = tx.execute(query).all()
    for side, shown in (("with", True), ("without", False)):
        some = [row for row in rows if row.suggested == shown]
        kept = [
            _unmarked(row.answer_json) == _unmarked(row.suggestion_json) for row in both if row.suggested == shown
        ]
        sides[side] = {
            "answers": len(some),
            "median_seconds": _median(row.seconds for row in some),
            "kept_unchanged": sum(kept) / len(kept) if kept else None,
        }
    return sides


def _unmarked(text: str) -> Any:
    """An answer without the marks that say which parts were suggested."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key != "suggested"}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    return strip(from_json(text))


# Concurrent viewers share the same figures.
KEPT = 5_000


def compute(desk: Desk, what: str) -> Any:
    """Compute one of the slow figures."""
    return desk.read(FIGURES[what])


def _agreement(tx: Transaction) -> dict[str, Any]:
    answered = answered_items(counted_rows(tx), pseudonyms(tx))
    return agreement(tx.desk.task, answered, seed=tx.desk.project.seed)


def agreement_report(tx: Transaction, *, names: bool = False) -> AgreementReport:
    """The agreement of annotators, with their real names if `names`."""
    answered = answered_items(counted_rows(tx), real_names(tx) if names else pseudonyms(tx))
    figures = agreement(tx.desk.task, answered, seed=tx.desk.project.seed)
    report = {**figures, "insurgency": insurgency_rates(tx.desk.task, answered)}
    tally = getattr(tx.desk.task, "tally", None)
    if tally is not None:
        report["tally"] = tally((one.item, answer) for one, answer, _ in settled(tx))
    return AgreementReport(report)


FIGURES: dict[str, Callable[[Transaction], Any]] = {
    "dashboard": dashboard,
    "agreement": _agreement,
    "adjudications": disagreements,
}


class FiguresProcess:
    """The separate process, started on first use and restarted if it has died."""

    def __init__(self, project: Project) -> None:
        self._setup = {"folder": str(project.folder), "database": project.database}
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
            command = [sys.executable, "-m", "tupelo.annotate.figures"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(self._setup) + "\n")
        return self._process

    def close(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()


def main() -> None:
    """Run the separate process: answer each line of input with one line."""
    os.nice(5)
    setup = json.loads(sys.stdin.readline())
    project = replace(load_project(setup["folder"]), database=setup["database"])
    database = open_database(project.database_address())
    desk = make_desk(project, database)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(compute(desk, json.loads(line)), allow_nan=False) + "\n")
        sys.stdout.flush()
    database.close()


if __name__ == "__main__":
    main()
