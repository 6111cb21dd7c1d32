"""Answers as files: in every tuple format for tasks that make tuples, as JSON lines for all of them.

Three exports are available: `answers`, those of every annotator; `gold`, one answer per item (the reviewers'
decision, else the answer that agrees best with the others); and `records`, the full history.

The audit log is a view of `records`, which only grow: who came in, and who changed, decided, exported or erased what.
Records name people by number, so that the names shown are those of today, and an erased person has none. No secret,
no address and no free text is shown.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from tupelo.annotate.desk import Desk, Transaction, as_time, columns, from_json
from tupelo.annotate.items import PAGE, answered_items, counted_rows, decisions, item_of, pseudonyms, real_names
from tupelo.annotate.quality import Answered, most_agreed
from tupelo.annotate.schema import items, records
from tupelo.annotate.tasks import Answer
from tupelo.core import Argument, Extraction, InputError, Record, Span, UnknownNameError
from tupelo.core.errors import require_name
from tupelo.core.results import Tabular
from tupelo.core.shipped import declared
from tupelo.io.formats import FORMATS
from tupelo.io.tuples import writable, write_stream

WHAT = ("answers", "gold", "records")
JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """`left_out` counts what the format cannot hold, such as tuples with too many arguments."""

    data: bytes
    name: str
    rows: int
    left_out: int = 0


def formats_for(desk: Desk) -> list[dict[str, str]]:
    """Export formats for answers."""
    if desk.task.writes != "tuples":
        return [{"name": JSONL, "title": "JSON lines"}]
    return [{"name": name, "title": FORMATS.get(name).title} for name in FORMATS]


def export(tx: Transaction, format_name: str = JSONL, *, names: bool = False, what: str = "answers") -> ExportedFile:
    require_name("kind of export", what, WHAT)
    known = [entry["name"] for entry in formats_for(tx.desk)]
    if format_name not in known or (what == "records" and format_name != JSONL):
        raise UnknownNameError.among("format of this export", format_name, [JSONL] if what == "records" else known)
    called = real_names(tx) if names else pseudonyms(tx)
    if what == "records":
        lines = list(_log(tx, called, names))
        return ExportedFile(_json_lines(lines), f"records.{JSONL}", len(lines))
    found = list(_answers(tx, called) if what == "answers" else _gold(tx))
    if tx.desk.task.writes != "tuples":
        return ExportedFile(_json_lines(found), f"{what}.{JSONL}", len(found))
    kept, left_out = _tuple_file(found, format_name)
    suffix = format_name if format_name in (JSONL, "parquet") else f"{format_name}.txt"
    return ExportedFile(kept, f"{what}.{suffix}", len(found) - left_out, left_out)


def recorded_export(
    tx: Transaction, format_name: str, *, names: bool, what: str, by: int | None = None, token: int | None = None
) -> ExportedFile:
    """An export, and a record of who took what out."""
    made = export(tx, format_name, names=names, what=what)
    about = {"what": what, "format": format_name, "names": names, "rows": made.rows, "token": token}
    tx.append("export", by, about)
    return made


def _tuple_file(found: Iterable[Record], format_name: str) -> tuple[bytes, int]:
    chosen = FORMATS.get(format_name)
    faults: list[InputError] = []
    stream = io.BytesIO()
    write_stream(chosen, writable(found, chosen, faults.append), stream)
    return stream.getvalue(), len(faults)


def _answers(tx: Transaction, called: dict[int, str]) -> Iterator[Any]:
    for row in counted_rows(tx):
        about = {
            "annotator": called[row.person],
            "time": as_time(row.changed),
            "seconds": row.seconds,
            "suggested": row.suggested,
            "accepted": row.state == "accepted",
        }
        for made in tx.desk.task.export(item_of(row), from_json(row.answer_json)):
            if isinstance(made, Extraction):
                yield replace(with_tokens(made), extractor=called[row.person], extractor_version=None)
            else:
                yield {**made, **about} if isinstance(made, dict) else made


def settled(tx: Transaction) -> Iterator[tuple[Answered, Answer, bool]]:
    """Every answered item with the answer that counts, and whether a reviewer decided on it."""
    rows = counted_rows(tx)
    numbers = {row.name: row.item_number for row in rows}
    decided = decisions(tx)
    for answered in answered_items(rows, {row.person: str(row.person) for row in rows}):
        decision = decided.get(numbers[answered.item.id])
        answer = most_agreed(tx.desk.task, answered) if decision is None else from_json(decision.body_json)["answer"]
        yield answered, answer, decision is not None


def _gold(tx: Transaction) -> Iterator[Any]:
    for answered, answer, adjudicated in settled(tx):
        for made in tx.desk.task.export(answered.item, answer):
            if isinstance(made, dict):
                yield {**made, "answers": len(answered.answers), "adjudicated": adjudicated}
            else:
                yield with_tokens(made) if isinstance(made, Extraction) else made


def _log(tx: Transaction, called: dict[int, str], names: bool) -> Iterator[dict[str, Any]]:
    query = select(records, items.c.name).outerjoin(items, items.c.id == records.c.item).order_by(records.c.id)
    for row in tx.execute(query):
        body = from_json(row.body_json)
        # Numbers of people in the body would defeat the pseudonyms.
        hidden = set() if names else {"of", "for"}
        yield {
            **columns(row, "id", "time"),
            "person": called.get(row.person),
            "kind": row.kind,
            "item": row.name,
            **columns(row, "assignment", "version", "guidelines"),
            "body": {key: value for key, value in body.items() if key not in hidden or row.kind == "undo"},
        }


def _json_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n" for row in rows)


def with_tokens(extraction: Extraction) -> Extraction:
    """The same tuple with the indices of its words, if every part has some."""
    pieces = _pieces(extraction.sentence.text)
    parts = [_numbered(part, pieces) for part in (extraction.rel, *extraction.arguments)]
    numbered = [part for part in parts if part is not None]
    if extraction.sentence.tokens is not None or len(numbered) < len(parts):
        return extraction
    rel, *arguments = numbered
    first = arguments[0] if arguments else None
    return replace(extraction, rel=rel, arg1=first, args=tuple(arguments[1:]))


def _pieces(text: str) -> list[Span]:
    spans, start = [], 0
    for piece in text.split(" "):
        spans.append(Span(start, start + len(piece)))
        start += len(piece) + 1
    return spans


def _numbered(part: Argument, pieces: list[Span]) -> Argument | None:
    if part.tokens is not None:
        return part
    if not part.spans or part.inferred:
        return None
    found: list[int] = []
    for span in part.spans:
        inside = [place for place, piece in enumerate(pieces) if span.start <= piece.start and piece.end <= span.end]
        if not inside or (pieces[inside[0]].start, pieces[inside[-1]].end) != (span.start, span.end):
            return None
        found += inside
    return replace(part, tokens=tuple(found))


# Kind of event -> the fields of its body that are shown.
EVENTS: Mapping[str, Sequence[str]] = {
    kind: names.split() for kind, names in declared(__name__, "data/site.toml")["events"].items()
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
        **columns(row, "id", "time", "kind"),
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
