"""Writes the documents of this folder and their marks, with exact offsets, from the texts in `source/`.

`source/WORLD.docs` holds the documents. A line `=== FILE | DATE | KIND | WORD=ENTITY …` opens each; `{entity:words}`
is a mention, `{entity/kind:words}` one of that kind, `{:words}` none. Names of `source/WORLD.entities` are mentions
wherever they stand, but for those marked `?` (more than one entity has them). `she=mash` in the opening line resolves
all of *she, her, hers, herself* in that document that are not marked; so do `he`, `I` and `we`.

Quotes in the other files are written as `first words … last words` and expanded.

    python -m benchmarks.business.make [develop|held|technical|valley|island …]
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "source"
FAMILIES = {
    "she": ["she", "her", "hers", "herself"],
    "he": ["he", "him", "his", "himself"],
    "I": ["i", "me", "my", "mine", "myself"],
    "we": ["we", "us", "our", "ours", "ourselves"],
}
PRONOUNS = {*FAMILIES["she"], *FAMILIES["he"], "it", "its", "itself", "they", "them", "their", "you", "your"}
FIRST_PERSON = {*FAMILIES["I"], *FAMILIES["we"]}
NAME_KINDS = {"~": "short", "#": "acronym", "*": "nickname"}
TIME_READINGS = {"e": "event", "s": "state"}
TITLE = re.compile(r"(Mr|Ms|Dr|Prof\.) ")
MAIL_ENCODING = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"

Record = dict[str, object]


class Entity:
    """One entity of a world with the kinds of its names and those of them that nothing else is called."""

    def __init__(self, line: str) -> None:
        self.id, self.type, self.canonical, names = (field.strip() for field in line.split("|"))
        self.kinds: dict[str, str] = {}
        self.own_names: list[str] = []
        for written in (name.strip() for name in names.split(";")):
            unmarked = written.removeprefix("?")
            name = unmarked.lstrip("~#*")
            kind = NAME_KINDS.get(unmarked[0], "name")
            for form in dict.fromkeys([name, name.upper()]):
                self.kinds[form] = kind
                if not written.startswith("?"):
                    self.own_names.append(form)

    def kind_of(self, words: str) -> str:
        if words.lower() in FIRST_PERSON:
            return "i-we"
        if words.lower() in PRONOUNS:
            return "pronoun"
        return self.kinds.get(words) or self.kinds.get(words[0].lower() + words[1:], "description")


class Document:
    """A document without its markup, and its mentions as (start, end, entity, kind)."""

    def __init__(self, opening: str, body: str, entities: dict[str, Entity]) -> None:
        fields = [field.strip() for field in opening.split("|")]
        self.file, self.date, self.kind = fields[:3]
        referents = dict(item.split("=") for item in fields[3].split()) if len(fields) > 3 else {}
        body = body.strip() + "\n"
        if self.file.endswith(".eml"):
            body = MAIL_ENCODING + body
        self.text = ""
        self.mentions: list[tuple[int, int, str, str]] = []
        taken: list[tuple[int, int]] = []
        for part in re.split(r"(\{[^{}]*\})", body):
            marked = re.fullmatch(r"\{(\w*)(?:/([\w-]+))?:([^{}]*)\}", part)
            words = marked[3] if marked else part
            title = TITLE.match(words) if marked else None
            start = len(self.text) + (title.end() if title else 0)
            self.text += words
            if marked:
                taken.append((start, len(self.text)))
                if marked[1]:
                    kind = marked[2] or entities[marked[1]].kind_of(self.text[start:])
                    self.mentions.append((start, len(self.text), marked[1], kind))
        self._add_unmarked(entities, referents, taken)
        self.mentions.sort()

    def _add_unmarked(
        self, entities: dict[str, Entity], referents: dict[str, str], taken: list[tuple[int, int]]
    ) -> None:
        forms = [(name, entity.id) for entity in entities.values() for name in entity.own_names]
        for word, identifier in referents.items():
            forms += [(form, identifier) for low in FAMILIES[word] for form in (low, low.capitalize())]
        for form, identifier in sorted(forms, key=lambda item: -len(item[0])):
            for found in re.finditer(rf"(?<![\w@.-]){re.escape(form)}(?![\w@])", self.text):
                start, end = found.span()
                if form == "i" or any(start < right and left < end for left, right in taken):
                    continue
                taken.append((start, end))
                self.mentions.append((start, end, identifier, entities[identifier].kind_of(form)))

    def part_at(self, start: int) -> str:
        """The part of the document: header, byline, dateline, signature or body."""
        header_end = self.text.find("\n\n") if self.file.endswith(".eml") else 0
        signature = self.text.find("\n-- \n")
        line_start = self.text.rfind("\n", 0, start) + 1
        line = self.text[line_start:].split("\n", 1)[0]
        dateline = re.match(r"[A-Z][A-Z ]+(,[^—]*)? — ", line)
        if start < header_end:
            return "header"
        if 0 <= signature < start:
            return "signature"
        if line.lower().startswith("by ") and line_start < 200:
            return "byline"
        if dateline and start < line_start + dateline.end():
            return "dateline"
        return "body"

    def quote(self, pattern: str) -> Record:
        """Expand `first words … last words` to the words between and their offsets."""
        parts = [re.escape(part.strip()) for part in pattern.split("…")]
        found = re.search(r"[^\n]*?".join(parts), self.text)
        if not found:
            raise SystemExit(f"{self.file}: no quote like {pattern!r}")
        return {"doc": self.file, "quote": found[0], "start": found.start(), "end": found.end()}


def read_rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [[field.strip() for field in line.split("|")] for line in lines if line.strip() and line[0] != "%"]


def read_documents(world: str, entities: dict[str, Entity]) -> list[Document]:
    parts = re.split(r"^=== (.*)\n", (SOURCE / f"{world}.docs").read_text("utf-8"), flags=re.M)[1:]
    return [Document(opening, body, entities) for opening, body in zip(parts[::2], parts[1::2], strict=True)]


def entity_records(entities: dict[str, Entity], documents: list[Document]) -> list[Record]:
    records: list[Record] = []
    for entity in entities.values():
        mentions = [
            {
                "doc": document.file,
                "text": document.text[start:end],
                "start": start,
                "end": end,
                "kind": kind,
                "part": document.part_at(start),
            }
            for document in documents
            for start, end, identifier, kind in document.mentions
            if identifier == entity.id
        ]
        records.append({"id": entity.id, "type": entity.type, "canonical": entity.canonical, "mentions": mentions})
    return records


def fact_records(rows: list[list[str]], entities: dict[str, Entity], find: dict[str, Document]) -> list[Record]:
    records: list[Record] = []
    for subject, relation, object_, document, quote in rows:
        record: Record = {}
        for role, value in (("subject", subject), ("relation", relation), ("object", object_)):
            record[role] = entities[value].canonical if value in entities else value
            if value in entities:
                record[f"{role}_id"] = value
        records.append(record | find[document].quote(quote))
    return records


def conflict_records(rows: list[list[str]], find: dict[str, Document]) -> list[Record]:
    return [
        {
            "label": {"C": "conflict", "N": "near-miss"}[label],
            "reason": reason,
            "about": about,
            "a": find[left].quote(left_quote),
            "b": find[right].quote(right_quote),
        }
        for label, reason, about, left, left_quote, right, right_quote in rows
    ]


def event_records(rows: list[list[str]], find: dict[str, Document]) -> list[Record]:
    return [
        {
            "same": {"S": True, "O": False}[label],
            "a": find[left].quote(left_quote),
            "b": find[right].quote(right_quote),
        }
        for label, left, left_quote, right, right_quote in rows
    ]


def time_records(rows: list[list[str]], find: dict[str, Document]) -> list[Record]:
    records = []
    for document, quote, expression, interval, reading, kind in rows:
        start, end = interval.split("..") if ".." in interval else (interval, interval)
        quoted = find[document].quote(quote)
        if expression not in str(quoted["quote"]):
            raise SystemExit(f"{quoted['doc']}: {expression!r} is not in {quoted['quote']!r}")
        times: Record = {
            "expression": expression,
            "kind": kind,
            "document_date": find[document].date,
            "reading": TIME_READINGS[reading],
            "interval": {"start": start or None, "end": end or None},
        }
        records.append(quoted | times)
    return records


def question_records(rows: list[list[str]], find: dict[str, Document]) -> list[Record]:
    records: list[Record] = []
    for kind, question, answers, document, quote, *as_of in rows:
        evidence: Record = {"doc": None, "quote": None, "start": None, "end": None}
        if document:
            evidence = find[document].quote(quote)
        answer_list = [answer.strip() for answer in answers.split(";") if answer.strip()]
        record: Record = {"kind": kind, "question": question, "answers": answer_list} | evidence
        records.append(record | ({"as_of": as_of[0]} if as_of else {}))
    return records


def write_records(path: Path, prefix: str, records: list[Record]) -> None:
    numbered = [
        record if "id" in record else {"id": f"{prefix}{i:02}"} | record for i, record in enumerate(records, 1)
    ]
    if records:
        path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in numbered), "utf-8")


def make_world(world: str) -> None:
    """Write the folder of one world."""
    listed = (SOURCE / f"{world}.entities").read_text("utf-8") if (SOURCE / f"{world}.entities").exists() else ""
    entities = {entity.id: entity for entity in map(Entity, listed.splitlines())}
    documents = read_documents(world, entities)
    find = {document.file[:2]: document for document in documents}
    folder = HERE / world
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for document in documents:
        (folder / "documents" / document.file).write_text(document.text, "utf-8")
    about = [{"id": document.file, "date": document.date, "kind": document.kind} for document in documents]
    write_records(folder / "documents.jsonl", "", [dict(record) for record in about])
    write_records(folder / "entities.jsonl", "", entity_records(entities, documents))
    write_records(folder / "facts.jsonl", "f", fact_records(read_rows(SOURCE / f"{world}.facts"), entities, find))
    write_records(folder / "conflicts.jsonl", "c", conflict_records(read_rows(SOURCE / f"{world}.conflicts"), find))
    write_records(folder / "events.jsonl", "e", event_records(read_rows(SOURCE / f"{world}.events"), find))
    write_records(folder / "times.jsonl", "t", time_records(read_rows(SOURCE / f"{world}.times"), find))
    write_records(folder / "questions.jsonl", "q", question_records(read_rows(SOURCE / f"{world}.questions"), find))


if __name__ == "__main__":
    for name in sys.argv[1:] or ["develop", "held", "technical", "valley", "island"]:
        make_world(name)
