"""Public sets of named entities in our types, and what none of them says.

Every set has types of its own and leaves some names out. A label here is one of ours, `O`, or `UNKNOWN`, which is
left out of the loss: a kind of name that we divide otherwise, or a capitalised word where the set marks no name and
has no type for what it might be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tupelo_training.parser.entities import Entity, without_titles
from tupelo_training.parser.treebanks import lines_of

UNKNOWN = "?"
UNER = {"PER": "person", "LOC": "place", "ORG": "organization"}
_PLAIN = UNER | {"MISC": UNKNOWN}
_CROSS = {
    "person": "person", "politician": "person", "writer": "person", "scientist": "person", "researcher": "person",
    "musicalartist": "person", "organisation": "organization", "politicalparty": "organization",
    "band": "organization", "university": "organization", "location": "place", "country": "place",
    "election": "event", "event": "event", "conference": "event", "book": "work", "poem": "work", "album": "work",
    "song": "work", "award": "other",
}  # fmt: skip
_WNUT = {
    "person": "person", "location": "place", "group": "organization", "corporation": "organization",
    "product": "other", "creative-work": "work",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameSet:
    """Files, their types in ours, and whether a name of any of our types would be marked."""

    files: tuple[str, ...]
    types: Mapping[str, str]
    complete: bool


_DOMAINS = ("ai", "literature", "music", "politics", "science")
SETS = {
    "wikigold": NameSet(("wikigold",), _PLAIN, True),
    "crossner": NameSet(
        tuple(f"crossner_{domain}.{part}" for domain in _DOMAINS for part in ("train", "dev")), _CROSS, True
    ),
    "wnut": NameSet(("wnut17.train",), _WNUT, True),
    "twitter": NameSet(tuple(f"broad_twitter.{part}" for part in "abefg"), _PLAIN, False),
}


def read_set(data: Path, name: str) -> Iterator[tuple[tuple[str, ...], tuple[Entity, ...], set[int]]]:
    """Words, names, and words to leave out of the loss, sentence by sentence."""
    chosen = SETS[name]
    for file in chosen.files:
        for words, tags in read_tags(data / f"names/{file}.conll.gz"):
            yield words, *divided(words, spans(tags), chosen)


def divided(
    words: tuple[str, ...], found: list[tuple[int, int, str]], chosen: NameSet
) -> tuple[tuple[Entity, ...], set[int]]:
    entities, doubtful = [], set()
    for first, last, label in found:
        kind = chosen.types.get(label, UNKNOWN)
        if kind == UNKNOWN:
            doubtful.update(range(first, last + 1))
        else:
            entities.append(without_titles(Entity(first, last, kind), words))
    covered = {word for entity in entities for word in range(entity.first, entity.last + 1)}
    if not chosen.complete:
        doubtful |= {index for index, word in enumerate(words) if word[:1].isupper() or word[:1] in "@#"}
    return tuple(entities), doubtful - covered


def read_tags(path: Path) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    words: list[str] = []
    tags: list[str] = []
    for line in [*lines_of(path), ""]:
        if line:
            word, _, tag = line.partition("\t")
            words.append(word)
            tags.append(tag)
        elif words:
            yield tuple(words), tags
            words, tags = [], []


def spans(tags: list[str]) -> list[tuple[int, int, str]]:
    """Inclusive ranges of BIO tags with their types."""
    found: list[tuple[int, int, str]] = []
    for index, tag in enumerate(tags):
        prefix, _, label = tag.partition("-")
        if prefix == "B":
            found.append((index, index, label))
        elif prefix == "I" and found:
            found[-1] = (found[-1][0], index, found[-1][2])
    return found


def read_uner(data: Path, part: str) -> dict[tuple[str, ...], tuple[Entity, ...]]:
    """Names of EWT's sentences by their words."""
    return {
        words: tuple(Entity(first, last, UNER[label]) for first, last, label in spans(tags))
        for words, tags in read_tags(data / f"names/uner_ewt.{part}.conll.gz")
    }


def agreed(uner: tuple[Entity, ...], ours: tuple[Entity, ...], unsure: str) -> tuple[tuple[Entity, ...], set[int]]:
    """Names of an EWT sentence from both annotations, and the words where they disagree.

    UNER has persons, places and organizations, ours the rest. UNER's training part was read once by one person: what
    only we mark, and what both mark with another type, is left out of the loss.
    """
    doubtful: set[int] = set()
    typed = {(entity.first, entity.last): entity.kind for entity in ours}
    kept = []
    for entity in uner:
        other = typed.get((entity.first, entity.last), entity.kind)
        if other in (entity.kind, unsure):
            kept.append(entity)
        else:
            doubtful.update(range(entity.first, entity.last + 1))
    covered = {word for entity in uner for word in range(entity.first, entity.last + 1)}
    for entity in ours:
        words = range(entity.first, entity.last + 1)
        if covered.isdisjoint(words) and entity.kind in ("event", "work", "other"):
            kept.append(entity)
        elif covered.isdisjoint(words):
            doubtful.update(words)
    return tuple(sorted(kept, key=lambda entity: entity.first)), doubtful
