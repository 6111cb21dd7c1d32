"""Checks the marks of this folder against its documents: offsets, quotes, dates, kinds, and no name in both worlds.

python -m benchmarks.business.verify
"""

import json
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WORLDS = ("develop", "held")
MENTION_KINDS = {"name", "short", "acronym", "nickname", "description", "pronoun", "i-we"}
QUESTION_KINDS = {"who", "what", "when", "where", "how many", "which", "why", "yes-no", "role-trap", "unanswerable"}
MINIMUM = {"entities": 60, "facts": 40, "times": 60, "events": 30, "questions": 50}
TECHNICAL_MINIMUM = {"facts": 40, "questions": 20}
WORDS = (120, 350)
# A year, month or day; XXXX for every year; nothing for an open end.
DATE = re.compile(r"(\d{4}|XXXX)(-\d\d(-\d\d)?)?")
NAMED = {"name", "short", "acronym", "nickname"}

# A line of JSON Lines: the fields differ between the files and are checked here.
Record = dict[str, Any]


def read_records(path: Path) -> list[Record]:
    """The records of a JSON Lines file; none where there is no such file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def read_texts(folder: Path) -> dict[str, str]:
    """The text of every document; offsets count its characters."""
    return {path.name: path.read_bytes().decode("utf-8") for path in sorted((folder / "documents").iterdir())}


def wrong_quotes(name: str, records: list[Record], texts: dict[str, str], field: str = "quote") -> Iterator[str]:
    """Quotes that are not the characters at their offsets."""
    for number, record in enumerate(records, 1):
        if record["doc"] is not None and texts[record["doc"]][record["start"] : record["end"]] != record[field]:
            yield f"{name}:{number}: {record[field]!r} is not at {record['start']} of {record['doc']}"


def wrong_entities(folder: Path, texts: dict[str, str]) -> Iterator[str]:
    """Mentions at the wrong place, of an unknown kind or overlapping another."""
    occupied: dict[str, list[tuple[int, int]]] = {}
    for entity in read_records(folder / "entities.jsonl"):
        name = f"{folder.name}/entities.jsonl ({entity['id']})"
        yield from wrong_quotes(name, entity["mentions"], texts, "text")
        if not any(mention["kind"] in NAMED for mention in entity["mentions"]):
            yield f"{name}: no mention by name"
        for mention in entity["mentions"]:
            if mention["kind"] not in MENTION_KINDS:
                yield f"{name}: unknown kind {mention['kind']!r}"
            occupied.setdefault(mention["doc"], []).append((mention["start"], mention["end"]))
    for document, spans in occupied.items():
        ordered = sorted(spans)
        for (_, end), (start, _) in pairwise(ordered):
            if start < end:
                yield f"{folder.name}: two mentions overlap at {start} of {document}"


def wrong_records(folder: Path, texts: dict[str, str]) -> Iterator[str]:
    """Facts, conflicts, times and questions that do not agree with the documents."""
    for part in ("facts", "times", "questions"):
        yield from wrong_quotes(f"{folder.name}/{part}.jsonl", read_records(folder / f"{part}.jsonl"), texts)
    for part in ("conflicts", "events"):
        for pair in read_records(folder / f"{part}.jsonl"):
            yield from wrong_quotes(f"{folder.name}/{part}.jsonl ({pair['id']})", [pair["a"], pair["b"]], texts)
    for time in read_records(folder / "times.jsonl"):
        name = f"{folder.name}/times.jsonl ({time['id']})"
        ends = [end for end in time["interval"].values() if end]
        if not ends or not all(DATE.fullmatch(end) for end in ends):
            yield f"{name}: no interval in {time['interval']}"
        elif len(ends) == 2 and ends[0] > ends[1] and not ends[1].startswith(ends[0]):
            yield f"{name}: the interval ends before it starts"
        if time["expression"] not in time["quote"]:
            yield f"{name}: the expression is not in the quote"
    for question in read_records(folder / "questions.jsonl"):
        name = f"{folder.name}/questions.jsonl ({question['id']})"
        if question["kind"] not in QUESTION_KINDS:
            yield f"{name}: unknown kind {question['kind']!r}"
        if (question["kind"] == "unanswerable") == bool(question["answers"]):
            yield f"{name}: an unanswerable question has no answer, every other has one"


def wrong_sizes(folder: Path, texts: dict[str, str], minimum: dict[str, int]) -> Iterator[str]:
    """Documents that are too long or short, and files with too few records."""
    listed = [record["id"] for record in read_records(folder / "documents.jsonl")]
    if listed != list(texts):
        yield f"{folder.name}/documents.jsonl: does not list the documents of the folder"
    for document, text in texts.items():
        if not WORDS[0] <= len(text.split()) <= WORDS[1]:
            yield f"{folder.name}/{document}: {len(text.split())} words, expected {WORDS[0]} to {WORDS[1]}"
    for part, least in minimum.items():
        count = len(read_records(folder / f"{part}.jsonl"))
        if count < least:
            yield f"{folder.name}/{part}.jsonl: {count} records, expected at least {least}"


def shared_names() -> Iterator[str]:
    """Names of entities of one world in the other."""
    names = [
        {
            m["text"].lower()
            for e in read_records(HERE / world / "entities.jsonl")
            for m in e["mentions"]
            if m["kind"] in NAMED
        }
        for world in WORLDS
    ]
    for name in sorted(names[0] & names[1]):
        yield f"{name!r} is a name in both worlds"


def find_faults() -> list[str]:
    """Every fault, one line each."""
    faults = list(shared_names())
    for world in WORLDS:
        texts = read_texts(HERE / world)
        faults += [*wrong_sizes(HERE / world, texts, MINIMUM), *wrong_entities(HERE / world, texts)]
        faults += wrong_records(HERE / world, texts)
        labels = [pair["label"] for pair in read_records(HERE / world / "conflicts.jsonl")]
        if labels.count("conflict") < 40 or labels.count("near-miss") < 60:
            faults.append(f"{world}/conflicts.jsonl: expected at least 40 conflicts and 60 near misses")
    texts = read_texts(HERE / "technical")
    faults += [*wrong_sizes(HERE / "technical", texts, TECHNICAL_MINIMUM), *wrong_records(HERE / "technical", texts)]
    return faults


if __name__ == "__main__":
    found = find_faults()
    print("\n".join(found) or "benchmarks/business: all marks agree with the documents")
    sys.exit(bool(found))
