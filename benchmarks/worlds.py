"""Worlds: documents about an invented cast, in which every mention of an entity is marked.

A world is a folder of `benchmarks/business`, or a text file:

    # world: a ferry company
    @ tide | organization | Tidewell Marine plc | Tidewell Marine, Tidewell, TM
    === d01 | news | 2024-03-04
    {harwick|HARWICK}, 4 March — {tide|Tidewell Marine plc} will buy ... {tide|its} ...

A line with `@` is an entity: its id, type, full name and further forms. `===` begins a document with its name, kind
and date. Mentions are names, nicknames and acronyms, descriptions (*the company*), and pronouns; *I*, *we* and *you*
count as mentions of whoever is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tupelo.names.forms import form_of
from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.naming import is_role

NAMES = ("name", "short", "acronym", "nickname")
_MENTION = re.compile(r"\{([^{}|]+)\|([^{}|]+)\}")
_PRONOUNS = word_set(
    """he him his himself she her hers herself it its itself they them their theirs themselves themself who whose whom
    which that this these those one both each there here"""
)
_SPEAKERS = word_set("i me my mine myself we us our ours ourselves you your yours yourself yourselves")
_DETERMINERS = word_set("the a an this that these those my our your his her its their both each another same said")
_MAIL = re.compile(r"(?:From|To|Subject|Date): ")


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `[start, end)` of a document that mention an entity, and how.

    `kind` is one of `NAMES`, *description*, *pronoun* or *i-we*.
    """

    entity: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class WorldDocument:
    """A document with its file name, its kind and all mentions."""

    name: str
    kind: str
    text: str
    mentions: tuple[Mention, ...]

    @property
    def body(self) -> int:
        """The character after the headers of a mail."""
        return self.text.find("\n\n") + 2 if self.name.endswith(".eml") else 0


@dataclass(frozen=True, slots=True)
class Entity:
    id: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class World:
    name: str
    entities: tuple[Entity, ...]
    documents: tuple[WorldDocument, ...]

    def write(self, folder: Path) -> None:
        """Write the documents without marks."""
        folder.mkdir(parents=True, exist_ok=True)
        for document in self.documents:
            (folder / document.name).write_text(document.text, "utf-8")


def wording(text: str) -> str:
    """A name as it is compared: without case, titles and articles."""
    return form_of(text, "person").key.casefold()


def read_world(path: Path) -> World:
    """The world of a folder or a text file."""
    return _of_folder(path) if path.is_dir() else parse_world(path.stem, path.read_text("utf-8"))


def _of_folder(folder: Path) -> World:
    entities, mentions = [], dict[str, list[Mention]]()
    for line in (folder / "entities.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        entities.append(Entity(row["id"], row["type"], row["canonical"]))
        for one in row["mentions"]:
            mention = Mention(row["id"], one["start"], one["end"], one["kind"])
            mentions.setdefault(one["doc"], []).append(mention)
    documents = (
        WorldDocument(file.name, file.stem.partition("-")[2], file.read_text("utf-8"), _sorted(mentions[file.name]))
        for file in sorted((folder / "documents").iterdir())
    )
    return World(folder.name, tuple(entities), tuple(documents))


def _sorted(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(mentions, key=lambda one: one.start))


def parse_world(name: str, text: str) -> World:
    """The world of a text with marks."""
    head, *pieces = re.split(r"(?m)^=== ", text)
    rows = [[part.strip() for part in line[1:].split("|")] for line in head.splitlines() if line.startswith("@")]
    entities = tuple(Entity(*row[:3]) for row in rows)
    forms = {row[0]: frozenset(wording(form) for form in _forms(row)) for row in rows}
    return World(name, entities, tuple(_document(piece, forms) for piece in pieces))


def _forms(row: list[str]) -> Iterator[str]:
    yield row[2]
    yield from (form.strip() for form in ",".join(row[3:4]).split(",") if form.strip())


def _document(piece: str, forms: dict[str, frozenset[str]]) -> WorldDocument:
    title, _, marked = piece.partition("\n")
    name, kind, *_ = (part.strip() for part in title.split("|"))
    marked = f"{marked.strip()}\n"
    text, last, mentions = "", 0, []
    for mark in _MENTION.finditer(marked):
        text += marked[last : mark.start()]
        last = mark.end()
        entity, surface = mark[1].strip(), mark[2]
        kind_of = _kind(surface, forms.get(entity, frozenset()))
        mentions.append(Mention(entity, len(text), len(text) + len(surface), kind_of))
        text += surface
    text += marked[last:]
    return WorldDocument(f"{name}.{'eml' if _MAIL.match(text) else 'txt'}", kind, text, tuple(mentions))


def _kind(surface: str, forms: frozenset[str]) -> str:
    """The kind of a mention: by a list of pronouns, the declared forms of its entity, and capitals."""
    words = surface.split()
    lowered = [word.lower().strip(".,") for word in words]
    if len(words) == 1 and lowered[0] in _SPEAKERS:
        return "i-we"
    if len(words) == 1 and lowered[0] in _PRONOUNS:
        return "pronoun"
    if wording(surface) in forms:
        return "name"
    while len(words) > 1 and words[0].lower() in _DETERMINERS:
        words = words[1:]
    is_named = any(word[:1].isupper() or word[:1].isdigit() for word in words)
    return "name" if is_named and not is_role(words) else "description"
