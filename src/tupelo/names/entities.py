"""Entities of a document from analysed sentences: named mentions, linked by simple coreference rules.

Mentions of one name are one entity. A person's short name is linked to the only longer one that begins or ends with
it, initials to the only organization or place that they abbreviate, an adjective such as *Norwegian* to its
country, and pronouns to what `names.coreference` finds. Ambiguous mentions are not linked.

`find_entities` is what models of sentences and the graph read: entities with their mentions in words.
`tagged_entities` are the same from the mentions and links of a network. `mentions_of` is what supervision reads:
mentions in characters of each sentence, with full names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from tupelo.core import Analysis, Word, on_one_line
from tupelo.core.coreference import GENITIVES
from tupelo.names.coreference import find_references
from tupelo.nlp.languages.en.grammar import ARTICLES, THIRD_PERSON
from tupelo.nlp.languages.en.naming import DEMONYMS
from tupelo.nlp.languages.en.quantities import NOT_QUANTITIES

# Our entity types, and those that the classifier was trained with.
CLASSIFIER_TYPES = {
    "person": "PER",
    "organization": "ORG",
    "place": "LOC",
    "datetime": "TIME",
    "number": "NUM",
    "event": "MISC",
    "work": "MISC",
    "other": "MISC",
}
_LABELS = {kind: label for label, kind in reversed(CLASSIFIER_TYPES.items())} | {"MISC": "other"}
_POSSESSIVES = ("'s", "’s")
# Types of names whose first words the parser may have missed, as in "United [States]".
_EXTENDED = frozenset(["place", "organization", "event", "work"])


@dataclass(frozen=True, slots=True)
class EntityMention:
    """Words `[start, end)` of sentence number `sentence`; `pronoun` if it is not a name."""

    sentence: int
    start: int
    end: int
    pronoun: bool = False


@dataclass(frozen=True, slots=True)
class DocumentEntity:
    """An entity of a document: its fullest name, its type, its mentions in order."""

    name: str
    label: str
    mentions: tuple[EntityMention, ...]


def find_entities(analyses: Sequence[Analysis]) -> list[DocumentEntity]:
    """The entities of one document, in the order of their first mention."""
    keys: dict[tuple[str, ...], list[tuple[EntityMention, str]]] = {}
    for number, analysis in enumerate(analyses):
        for label, start, end in _named(analysis):
            key = tuple(word.text.lower() for word in analysis.words[start:end])
            keys.setdefault(key, []).append((EntityMention(number, start, end), label))
    labels = {key: Counter(label for _, label in found).most_common(1)[0][0] for key, found in keys.items()}
    stands_for = {
        key: _longer(key, labels) or _abbreviated(key, keys, labels, analyses) or _country(key, labels) or key
        for key in keys
    }
    linked: dict[tuple[str, ...], list[EntityMention]] = {}
    for key, found in keys.items():
        linked.setdefault(_end_of(key, stands_for), []).extend(mention for mention, _ in found)
    for key, mention in _pronouns(analyses, linked):
        linked[key].append(mention)
    entities = []
    for key, mentions in linked.items():
        mentions.sort(key=lambda mention: (mention.sentence, mention.start))
        named = next(mention for mention in mentions if not mention.pronoun and _key(analyses, mention) == key)
        entities.append(DocumentEntity(_text(analyses, named), labels[key], tuple(mentions)))
    entities.sort(key=lambda entity: (entity.mentions[0].sentence, entity.mentions[0].start))
    return entities


def tagged_entities(
    analyses: Sequence[Analysis], types: Sequence[str], mentions: Sequence[tuple[int, int, int]]
) -> list[DocumentEntity]:
    """The entities that a network found: a type each, and mentions as words of the document with their entity.

    The parser adds pronouns, and whether something else is a work or an event. The longest name stands for an entity,
    a place rather than its adjective.
    """
    first = [0]
    for analysis in analyses:
        first.append(first[-1] + len(analysis.words))
    placed: list[list[EntityMention]] = [[] for _ in types]
    for start, end, entity in mentions:
        sentence = bisect_right(first, start) - 1
        placed[entity].append(EntityMention(sentence, start - first[sentence], end - first[sentence]))
    owner = {_key(analyses, mention): entity for entity, own in enumerate(placed) for mention in own}
    for key, mention in _pronouns(analyses, owner):
        placed[owner[key]].append(mention)
    parsed = {
        (number, entity.start, entity.end): entity.label
        for number, analysis in enumerate(analyses)
        for entity in analysis.entities or ()
    }
    found = []
    for kind, own in zip(types, placed, strict=True):
        names = [mention for mention in own if not mention.pronoun]
        labels = [parsed.get((mention.sentence, mention.start, mention.end), "") for mention in names]
        label = next((label for label in labels if CLASSIFIER_TYPES.get(label) == kind), _LABELS[kind])
        trimmed = [_without_determiner(analyses, mention) for mention in names]
        named = max(trimmed, key=lambda one: (_key(analyses, one) not in DEMONYMS, one.end - one.start))
        own.sort(key=lambda mention: (mention.sentence, mention.start))
        found.append(DocumentEntity(_text(analyses, named), label, tuple(own)))
    return found


def _named(analysis: Analysis) -> list[tuple[str, int, int]]:
    """Label and words of every name: the parser's entities, completed, and adjectives of places."""
    words = analysis.words
    found: list[tuple[str, int, int]] = []
    taken = {place for entity in analysis.entities or () for place in range(entity.start, entity.end)}
    for entity in analysis.entities or ():
        start, end = _trimmed(analysis, entity.start, entity.end)
        if entity.label in _EXTENDED:
            while start < end and start - 1 not in taken and _belongs(analysis, start - 1, start, end):
                start -= 1
        number = entity.label == "number" and all(word.text.lower() in NOT_QUANTITIES for word in words[start:end])
        if start < end and not number:
            found.append((entity.label, start, end))
    taken |= {place for _, start, end in found for place in range(start, end)}
    place = 0
    while place < len(words):
        size = next((size for size in (2, 1) if _is_demonym(words[place : place + size], size)), 0)
        if size and not taken & set(range(place, place + size)):
            found.append(("place", place, place + size))
        place += size or 1
    return sorted(found, key=lambda one: one[1:])


def _belongs(analysis: Analysis, place: int, start: int, end: int) -> bool:
    """Whether the word before a name is part of it: capitalized, and a modifier of a word of the name."""
    if place <= 0:
        return False
    word = analysis.words[place]
    return (
        word.text[:1].isupper()
        and word.upos in ("PROPN", "ADJ", "VERB")
        and (word.text.lower(),) not in DEMONYMS
        and word.head is not None
        and start <= word.head < end
    )


def _is_demonym(words: Sequence[Word], size: int) -> bool:
    return (
        len(words) == size
        and words[0].text[:1].isupper()
        and words[-1].upos in ("ADJ", "PROPN", "NOUN")
        and tuple(word.text.lower() for word in words) in DEMONYMS
    )


def _country(key: tuple[str, ...], labels: dict[tuple[str, ...], str]) -> tuple[str, ...] | None:
    """The place that an adjective refers to, if the document names it too."""
    place = tuple(DEMONYMS.get(key, "").lower().split())
    return place if place in labels and labels[key] == "place" else None


def _key(analyses: Sequence[Analysis], mention: EntityMention) -> tuple[str, ...]:
    words = analyses[mention.sentence].words[mention.start : mention.end]
    return tuple(word.text.lower() for word in words)


def _text(analyses: Sequence[Analysis], mention: EntityMention) -> str:
    analysis = analyses[mention.sentence]
    return on_one_line(analysis.span(mention.start, mention.end).of(analysis.text))


def _without_determiner(analyses: Sequence[Analysis], mention: EntityMention) -> EntityMention:
    start, end = _trimmed(analyses[mention.sentence], mention.start, mention.end)
    return replace(mention, start=start, end=end) if start < end else mention


def _trimmed(analysis: Analysis, start: int, end: int) -> tuple[int, int]:
    """Strip a leading determiner and a final genitive: *the Beatles'* and *Beatles* are one name."""
    words = analysis.words
    while start < end and words[start].text.lower() in ARTICLES:
        start += 1
    while end > start and words[end - 1].text.lower() in GENITIVES:
        end -= 1
    return start, end


def _longer(key: tuple[str, ...], labels: dict[tuple[str, ...], str]) -> tuple[str, ...] | None:
    """The only longer name of a person that begins or ends with this one."""
    if labels[key] != "person":
        return None
    size = len(key)
    found = [
        other
        for other, label in labels.items()
        if label == "person" and len(other) > size and key in (other[:size], other[-size:])
    ]
    return found[0] if len(found) == 1 else None


def _abbreviated(
    key: tuple[str, ...],
    keys: dict[tuple[str, ...], list[tuple[EntityMention, str]]],
    labels: dict[tuple[str, ...], str],
    analyses: Sequence[Analysis],
) -> tuple[str, ...] | None:
    """The only name whose capitals are these initials."""
    if len(key) != 1 or labels[key] not in ("organization", "place"):
        return None
    initials = _text(analyses, keys[key][0][0]).replace(".", "")
    if not 2 <= len(initials) <= 6 or not initials.isupper():
        return None
    found = [
        other
        for other, mentions in keys.items()
        if len(other) > 1 and labels[other] == labels[key] and _capitals(analyses, mentions[0][0]) == initials
    ]
    return found[0] if len(found) == 1 else None


def _capitals(analyses: Sequence[Analysis], mention: EntityMention) -> str:
    words = analyses[mention.sentence].words[mention.start : mention.end]
    return "".join(word.text[0] for word in words if word.text[:1].isupper())


def _end_of(key: tuple[str, ...], stands_for: dict[tuple[str, ...], tuple[str, ...]]) -> tuple[str, ...]:
    """Follow a chain of ever longer names to its end: *Lee* to *Ann Lee* to *Ann Lee Smith*."""
    while stands_for[key] != key:
        key = stands_for[key]
    return key


def _pronouns(
    analyses: Sequence[Analysis], linked: Container[tuple[str, ...]]
) -> list[tuple[tuple[str, ...], EntityMention]]:
    """Pronouns that refer to one of the entities."""
    named = []
    for number, (analysis, referents) in enumerate(zip(analyses, find_references(analyses), strict=True)):
        # Without syntax, nothing is known about them.
        if not any(word.head is not None for word in analysis.words):
            continue
        for place, referent in sorted(referents.items()):
            key = tuple(referent.name.lower().split())
            if analysis.words[place].text.lower() in THIRD_PERSON and key in linked:
                named.append((key, EntityMention(number, place, place + 1, pronoun=True)))
    return named


@dataclass(frozen=True, slots=True)
class NamedMention:
    """Characters `[start, end)` of a sentence that mention something; `name` is the full name, if known."""

    start: int
    end: int
    name: str
    label: str


def mentions_of(analyses: Sequence[Analysis]) -> list[list[NamedMention]]:
    """The mentions of each sentence of one text, in order; of two that overlap, the first or the longer one."""
    result = []
    for analysis, referents in zip(analyses, find_references(analyses), strict=True):
        found = []
        names = {referent.end: referent.name for referent in referents.values() if not referent.is_description}
        for entity in analysis.entities or ():
            text, span = analysis.phrase(entity), analysis.span(entity.start, entity.end)
            end = span.end
            for ending in _POSSESSIVES:
                if text.endswith(ending):
                    text, end = text.removesuffix(ending), end - len(ending)
            found.append(NamedMention(span.start, end, names.get(entity.end, text), entity.label))
        taken = {mention.start for mention in found}
        for referent in referents.values():
            span = analysis.span(referent.start, referent.end)
            if span.start not in taken and referent.end - referent.start == 1:
                found.append(NamedMention(span.start, span.end, referent.name, referent.label))
        result.append(without_overlaps(found))
    return result


def without_overlaps(mentions: Sequence[NamedMention]) -> list[NamedMention]:
    kept: list[NamedMention] = []
    for mention in sorted(mentions, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
