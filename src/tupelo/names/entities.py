"""Entities of a document from analysed sentences, by the same decisions as in a graph.

`find_entities` is what models of sentences and the graph read: entities with their mentions in words.
`tagged_entities` are the same from the mentions and links of a network. `mentions_of` is what supervision reads:
mentions in characters of each sentence, with full names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tupelo.core import Analysis, on_one_line
from tupelo.core.coreference import GENITIVES
from tupelo.names.antecedents import Antecedents, antecedents_of
from tupelo.names.coreference import find_references
from tupelo.names.namesakes import PassageName
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
    antecedents = antecedents_of(analyses)
    linked: dict[PassageName | tuple[str, ...], list[EntityMention]] = {}
    for (number, index), name in antecedents.names.items():
        anchor = antecedents.anchors[number][index]
        linked.setdefault(name.root(), []).append(EntityMention(number, anchor.start, anchor.end))
    for pronoun, name in _pronouns(antecedents):
        linked[name].append(pronoun)
    values: dict[tuple[str, ...], tuple[str, str]] = {}
    for number, (analysis, names) in enumerate(zip(analyses, antecedents.anchors, strict=True)):
        taken = {place for name in names for place in range(name.start, name.end)}
        for mention, label in _others(number, analysis, taken):
            values.setdefault(key := _key(analyses, mention), (_text(analyses, mention), label))
            linked.setdefault(key, []).append(mention)
    entities = []
    for found, mentions in linked.items():
        mentions.sort(key=lambda mention: (mention.sentence, mention.start))
        text, label = values[found] if isinstance(found, tuple) else (found.text, found.label)
        entities.append(DocumentEntity(text, label, tuple(mentions)))
    entities.sort(key=lambda entity: (entity.mentions[0].sentence, entity.mentions[0].start))
    return entities


def _pronouns(antecedents: Antecedents) -> Iterator[tuple[EntityMention, PassageName]]:
    """The pronouns that stand for a name."""
    for (number, place), (one, _) in antecedents.resolve().items():
        if one.name is not None and antecedents.trees[number].lowered[place] in THIRD_PERSON:
            yield EntityMention(number, place, place + 1, pronoun=True), one.name


def _others(number: int, analysis: Analysis, taken: set[int]) -> Iterator[tuple[EntityMention, str]]:
    """The dates and numbers of a sentence, and names in lower case."""
    for entity in analysis.entities or ():
        start, end = _trimmed(analysis, entity.start, entity.end)
        words = [word.text.lower() for word in analysis.words[start:end]]
        is_quantity = entity.label != "number" or not NOT_QUANTITIES.issuperset(words)
        if words and is_quantity and taken.isdisjoint(range(start, end)):
            yield EntityMention(number, start, end), entity.label


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
    for mention, name in _pronouns(antecedents_of(analyses)):
        if (owned := owner.get(tuple(name.text.lower().split()))) is not None:
            placed[owned].append(mention)
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
