"""Entity mentions: GUM's own, and those of a spaCy pipeline as a teacher, in one set of types.

GUM marks every mention, named or not. A *named* one has a proper noun as the syntactic head of its minimal span (the
field `minspan`). Its name is the stretch of minimal-span words around that head, over small words such as "of", and
ends at commas, conjunctions and common nouns; so determiners, appositions and relative clauses are outside. GUM does
not tell works from other things, and has no numbers; dates, numbers and works are the teacher's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from tupelo.core.coreference import GENITIVES, NAMES
from tupelo.nlp.languages.en.naming import DEMONYMS, is_role, title_words

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

# OntoNotes' types, as spaCy's English pipelines give them.
FROM_ONTONOTES = {
    "PERSON": "person",
    "NORP": "other",
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

# What GUM's mentions are about, named or not; the first is "no mention has its head here".
KINDS = ("", *FROM_GUM)

_PART = re.compile(r"\([^()]*\)?|[^()]+\)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")


@dataclass(frozen=True, slots=True)
class Mention:
    """A GUM mention: inclusive word range, GUM's type, the words of its minimal span, and the entity's number."""

    first: int
    last: int
    kind: str
    core: tuple[int, ...]
    entity: str


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
    return Mention(first, last, fields[1], core, fields[0])


def named_entities(
    mentions: Iterable[Mention], words: Sequence[str], upos: Sequence[str], xpos: Sequence[str], heads: Sequence[int]
) -> tuple[Entity, ...]:
    """The names among GUM's mentions, without overlaps: the longer name wins."""
    proper = [is_proper(*tags) for tags in zip(upos, xpos, strict=True)]
    named = [(mention, head_of(mention, heads)) for mention in mentions]
    named = [(mention, top) for mention, top in named if upos[top] == "PROPN" and mention.kind != "time"]
    places = {mention.first for mention, _ in named if mention.kind == "place"}
    groups = {mention.first for mention, _ in named if mention.kind == "organization"}
    found = []
    for mention, top in named:
        # *Columbia University in New York* and *James To of the Democratic Party* are two names each.
        ends = {start - 1 for start in places if start and words[start - 1].lower() in ("in", "on", "at")}
        if mention.kind == "person":
            ends |= {start - 1 for start in groups if start and words[start - 1].lower() == "of"}
        first, last = stretch(set(mention.core), top, words, proper, ends)
        name = Entity(first, last, FROM_GUM[mention.kind])
        if names_something(name, words):
            found.append(plain_name(name, words))
    return without_overlaps(found)


def names_something(name: Entity, words: Sequence[str]) -> bool:
    """Whether these words are a name at all: a lone title or function is none, and an address is none either."""
    chosen = words[name.first : name.last + 1]
    if name.kind == "person":
        return not is_role(chosen)
    return not any("@" in word[1:] or "://" in word or word.startswith("www.") for word in chosen)


def plain_name(name: Entity, words: Sequence[str]) -> Entity:
    """A name by the one definition of all sources: no titles before persons, and nationalities are no persons."""
    lowered = tuple(word.lower() for word in words[name.first : name.last + 1])
    if name.kind == "person" and (lowered in DEMONYMS or _singular(lowered) in DEMONYMS):
        return replace(name, kind="other")
    return without_titles(name, words)


def _singular(words: tuple[str, ...]) -> tuple[str, ...]:
    return (*words[:-1], words[-1].removesuffix("s"))


def without_titles(name: Entity, words: Sequence[str]) -> Entity:
    """A person's name without what stands before it: *Oregon Judge Robert Jones* is *Robert Jones*."""
    if name.kind != "person":
        return name
    return replace(name, first=name.first + title_words(words[name.first : name.last + 1]))


def mention_kinds(mentions: Iterable[Mention], heads: Sequence[int]) -> list[str]:
    """For every word, the type of the mention that it is the head of; of several, the longest one's."""
    kinds = [""] * len(heads)
    for mention in sorted(mentions, key=lambda mention: mention.last - mention.first):
        kinds[head_of(mention, heads)] = mention.kind
    return kinds


def head_of(mention: Mention, heads: Sequence[int]) -> int:
    return next((word for word in mention.core if heads[word] - 1 not in mention.core), mention.core[0])


# What may stand between two words of one name: "University of Exeter", "Hartsell-Gundy", "King's Cross".
_LINKS = frozenset(
    ("of", "the", "de", "la", "von", "van", "der", "for", "in", "on", "to", "-", "–", "&", "'s", "’s", "'", ".", ":")
)
_NAME_TAGS = frozenset(("PROPN", "NUM", "X", "ADJ", "SYM"))


def is_proper(upos: str, xpos: str) -> bool:
    """Can this be a word of a name? *United* of *United States* is a verb in UD, a proper noun in Penn's tags."""
    return upos in _NAME_TAGS or xpos in ("NNP", "NNPS")


def stretch(
    core: Set[int], top: int, words: Sequence[str], proper: Sequence[bool], ends: Set[int] = frozenset()
) -> tuple[int, int]:
    """First and last word of the name around `top`; it does not go on over a word of `ends`."""

    def reach(step: int) -> int:
        end, place, links = top, top + step, 0
        while 0 <= place < len(words) and place not in ends:
            if place in core and proper[place]:
                end, links = place, 0
            elif words[place].lower() in _LINKS and links < 2:
                links += 1
            else:
                break
            place += step
        return end

    return reach(-1), reach(1)


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
            while first < last and words[last].lower() in GENITIVES:
                last -= 1
            if upos is not None and "PROPN" not in upos[first : last + 1]:
                continue
        found.append(plain_name(Entity(first, last, kind), words))
    return without_overlaps(found)


def joined(gold: Iterable[Entity], teacher: Iterable[Entity]) -> tuple[Entity, ...]:
    """Given names completed by the teacher's numbers, dates and works.

    The teacher's own names are not believed where others are given. An `other` that the teacher calls a work is one.
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


def silver(
    teacher: Iterable[Entity], upos: Sequence[str], heads: Sequence[int]
) -> tuple[tuple[Entity, ...], set[int]]:
    """The teacher's entities where there is no gold, by GUM's rules, and the words to leave out of the loss.

    Titles and first names that are attached to a name belong to it. Its persons, organizations, places and works are
    believed; its other names, and proper nouns that it does not cover, are left out of the loss.
    """
    kept, doubtful = [], {word for word, tag in enumerate(upos) if tag == "PROPN"}
    for entity in teacher:
        first, last = entity.first, entity.last
        if entity.kind in ("datetime", "number", "work"):
            kept.append(entity)
        elif entity.kind in ("person", "organization", "place") and all(
            tag != "NOUN" for tag in upos[first : last + 1]
        ):
            while (
                first > 0
                and upos[first - 1] == "PROPN"
                and (first <= heads[first - 1] - 1 <= last or heads[first] == first)
            ):
                first -= 1
            kept.append(Entity(first, last, entity.kind))
        else:
            doubtful.update(range(first, last + 1))
    kept = [*without_overlaps(kept)]
    return tuple(kept), doubtful - {word for entity in kept for word in range(entity.first, entity.last + 1)}


def labels_of(entities: Iterable[Entity], length: int) -> list[str]:
    labels = ["O"] * length
    for entity in entities:
        labels[entity.first] = f"B-{entity.kind}"
        for word in range(entity.first + 1, entity.last + 1):
            labels[word] = f"I-{entity.kind}"
    return labels
