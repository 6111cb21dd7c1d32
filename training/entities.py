"""Entity mentions: GUM's own, and those of a spaCy pipeline as a teacher, in one set of types.

GUM marks every mention, named or not. A *named* one is a mention whose minimal span (the field `minspan`) has a
proper noun as its syntactic head and consists of proper nouns to at least a half; its name reaches from the first to
the last of these words, so determiners and relative clauses are outside. A calendar expression is a `time` mention whose first minimal word is a proper noun or
a number; it keeps its full span. GUM does not tell works from other things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TYPES = ("person", "organization", "place", "datetime", "number", "event", "work", "other")
LABELS = ("O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in ("B", "I")))

FROM_GUM = {
    "person": "person",
    "organization": "organization",
    "place": "place",
    "event": "event",
    "time": "datetime",
    "abstract": "other",
    "object": "other",
    "animal": "other",
    "plant": "other",
    "substance": "other",
}

# OntoNotes' types, as spaCy's English pipelines give them. Nationalities and the like are persons in GUM.
FROM_ONTONOTES = {
    "PERSON": "person",
    "NORP": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "DATE": "datetime",
    "TIME": "datetime",
    "PERCENT": "number",
    "MONEY": "number",
    "QUANTITY": "number",
    "ORDINAL": "number",
    "CARDINAL": "number",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "other",
    "PRODUCT": "other",
    "LANGUAGE": "other",
}
NAMES = frozenset(("person", "organization", "place", "event", "work", "other"))

_PART = re.compile(r"\([^()]*\)?|[^()]+\)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")


@dataclass(frozen=True, slots=True)
class Mention:
    """A GUM mention: inclusive word range, GUM's type, and the words of its minimal span."""

    first: int
    last: int
    kind: str
    core: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    first: int
    last: int
    kind: str


def mentions_of(misc: Sequence[str]) -> tuple[Mention, ...]:
    """The mentions of a sentence, from the last CoNLL-U column of its words."""
    found: list[Mention] = []
    pending: list[tuple[int, list[str]]] = []
    for position, column in enumerate(misc):
        marked = _ENTITY.search(column)
        for part in _PART.findall(marked.group(1)) if marked else ():
            if part.startswith("("):
                fields = part.strip("()").split("-", 7)
                if part.endswith(")"):
                    found.append(_mention(position, position, fields))
                else:
                    pending.append((position, fields))
            else:
                for index in range(len(pending) - 1, -1, -1):
                    if pending[index][1][0] == part[:-1]:
                        start, fields = pending.pop(index)
                        found.append(_mention(start, position, fields))
                        break
    return tuple(found)


def _mention(first: int, last: int, fields: list[str]) -> Mention:
    core = tuple(first + int(number) - 1 for number in fields[5].split(","))
    return Mention(first, last, fields[1], core)


def named_entities(mentions: Iterable[Mention], upos: Sequence[str], heads: Sequence[int]) -> tuple[Entity, ...]:
    """Names and calendar expressions of GUM, without overlaps: the longer name wins."""
    found = []
    for mention in mentions:
        kind = FROM_GUM[mention.kind]
        if kind == "datetime":
            if upos[mention.core[0]] in ("PROPN", "NUM"):
                found.append(Entity(mention.first, mention.last, kind))
        elif _is_name(mention.core, upos, heads):
            found.append(Entity(min(mention.core), max(mention.core), kind))
    return without_overlaps(found)


def _is_name(core: tuple[int, ...], upos: Sequence[str], heads: Sequence[int]) -> bool:
    top = next((word for word in core if heads[word] - 1 not in core), core[0])
    return upos[top] == "PROPN" and 2 * sum(upos[word] == "PROPN" for word in core) >= len(core)


def without_overlaps(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    taken: set[int] = set()
    kept = []
    for entity in sorted(entities, key=lambda entity: (entity.first - entity.last, entity.first)):
        words = range(entity.first, entity.last + 1)
        if taken.isdisjoint(words):
            taken.update(words)
            kept.append(entity)
    return tuple(sorted(kept, key=lambda entity: entity.first))


_DETERMINERS = frozenset(("the", "a", "an", "this", "that"))


def from_teacher(
    spans: Iterable[tuple[int, int, str]], words: Sequence[str], upos: Sequence[str] | None
) -> tuple[Entity, ...]:
    """A spaCy pipeline's entities (inclusive ranges) in our types and with our borders.

    Names lose a leading determiner and a final possessive mark. Where gold tags are at hand, a name without a proper
    noun is dropped; so are nationalities used as adjectives.
    """
    found = []
    for first, last, label in spans:
        kind = FROM_ONTONOTES[label]
        if kind in NAMES:
            while first < last and words[first].lower() in _DETERMINERS:
                first += 1
            while first < last and words[last].lower() in ("'s", "’s", "'", "’"):
                last -= 1
            if upos is not None and "PROPN" not in upos[first : last + 1]:
                continue
        found.append(Entity(first, last, kind))
    return without_overlaps(found)


def joined(gold: Iterable[Entity], teacher: Iterable[Entity]) -> tuple[Entity, ...]:
    """Gold names completed by the teacher's numbers, dates and works.

    The teacher's own names are not believed where gold exists. A gold `other` that the teacher calls a work is one.
    """
    gold, teacher = tuple(gold), tuple(teacher)
    works = [entity for entity in teacher if entity.kind == "work"]
    result = [
        Entity(entity.first, entity.last, "work")
        if entity.kind == "other" and any(entity.first <= work.last and work.first <= entity.last for work in works)
        else entity
        for entity in gold
    ]
    covered = {word for entity in result for word in range(entity.first, entity.last + 1)}
    for entity in teacher:
        if entity.kind in ("datetime", "number") and covered.isdisjoint(range(entity.first, entity.last + 1)):
            result.append(entity)
    return tuple(sorted(result, key=lambda entity: entity.first))


def silver(teacher: Iterable[Entity], upos: Sequence[str] | None) -> tuple[tuple[Entity, ...], set[int]]:
    """The teacher alone: a proper noun that it does not cover is left out of the loss, for it may well be a name."""
    entities = tuple(teacher)
    covered = {word for entity in entities for word in range(entity.first, entity.last + 1)}
    doubtful = {word for word, tag in enumerate(upos or ()) if tag == "PROPN" and word not in covered}
    return entities, doubtful


def labels_of(entities: Iterable[Entity], length: int) -> list[str]:
    labels = ["O"] * length
    for entity in entities:
        labels[entity.first] = f"B-{entity.kind}"
        for word in range(entity.first + 1, entity.last + 1):
            labels[word] = f"I-{entity.kind}"
    return labels
