"""Repairs of the names that the network marks, in a sentence and over a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tupelo.core import Analysis, Entity, Word
from tupelo.core.coreference import NAMES
from tupelo.nlp.languages.en.naming import is_role, title_words

# Longer names occur once.
_MOST_WORDS = 6
_HYPHENS = frozenset("-‐‑–")
_FUNCTION_WORDS = frozenset(("ADP", "DET", "CCONJ"))


def whole_names(
    entities: Sequence[tuple[str, int, int]], forms: Sequence[str], upos: Sequence[str]
) -> list[tuple[str, int, int]]:
    """Repair entities with implausible names: a name cannot end in "of" and must contain a proper noun.

    A name that ends in a function word is merged with the name directly after it ("University of" "Virginia"), or
    loses that word. Titles of works need no proper noun. A person is named without a title; a function names nobody.

    >>> whole_names([("person", 0, 2), ("place", 2, 3)], ["Governor", "of", "Virginia"], ["PROPN", "ADP", "PROPN"])
    [('place', 2, 3)]
    """

    def breaks_off(start: int, end: int) -> bool:
        return end - start > 1 and upos[end - 1] in _FUNCTION_WORDS and forms[end - 1].islower()

    mended: list[tuple[str, int, int]] = []
    for kind, start, end in entities:
        if kind == "person" and is_role(forms[start:end]):
            continue
        if kind in NAMES and mended:
            before, first, last = mended[-1]
            if before in NAMES and last == start and breaks_off(first, last):
                mended[-1] = (before, first, end)
                continue
        mended.append((kind, start, end))
    kept = []
    for kind, start, end in mended:
        while kind in NAMES and breaks_off(start, end):
            end -= 1
        if kind == "person":
            start += title_words(forms[start:end])
        if kind not in NAMES or kind == "work" or "PROPN" in upos[start:end]:
            kept.append((kind, start, end))
    return kept


def unbroken_names(names: Sequence[Entity], words: Sequence[Word]) -> tuple[Entity, ...]:
    """Names with what is written together with their last word (*Ban Ki-moon*), and people with all their names.

    The parts of a person's name are `flat` in UD: *Fawzi al-Odah* is a name where the network marked *Fawzi* alone.
    """
    starts = {name.start for name in names}

    def goes_on(start: int, end: int, person: bool) -> int:
        """The number of words after `end` that belong to the name."""
        if end >= len(words) or end in starts:
            return 0
        after = words[end + 1] if end + 1 < len(words) else None
        is_joint = words[end].text in _HYPHENS and words[end - 1].end == words[end].start
        if is_joint and after and after.start == words[end].end and after.upos == "PROPN" and end + 1 not in starts:
            return 2
        word = words[end]
        is_part = person and word.deprel == "flat" and word.upos == "PROPN"
        return int(is_part and word.head is not None and start <= word.head < end)

    whole: list[Entity] = []
    for name in names:
        end = name.end
        while name.label in NAMES and (more := goes_on(name.start, end, name.label == "person")):
            end += more
        whole.append(name if end == name.end else Entity(name.label, name.start, end))
    return tuple(whole)


def agreeing_names(sentences: Sequence[Analysis]) -> list[Analysis]:
    """The sentences of one document; each name has the type that it has most often in it.

    A name that was found at least twice is also found where it was overlooked or only in part: the same words with a
    capital, one of them a proper noun, and no entity that goes beyond them.
    """
    lowered = [[word.text.lower() for word in sentence.words] for sentence in sentences]
    types: dict[tuple[str, ...], Counter[str]] = {}
    for sentence, words in zip(sentences, lowered, strict=True):
        for entity in sentence.entities or ():
            if entity.label in NAMES and entity.end - entity.start <= _MOST_WORDS:
                types.setdefault(tuple(words[entity.start : entity.end]), Counter())[entity.label] += 1
    chosen = {words: found.most_common(1)[0][0] for words, found in types.items() if found.total() > 1}
    return [_with_types(*pair, chosen) for pair in zip(sentences, lowered, strict=True)] if chosen else [*sentences]


def _with_types(sentence: Analysis, words: Sequence[str], types: dict[tuple[str, ...], str]) -> Analysis:
    entities = {
        entity.start: Entity(
            types.get(tuple(words[entity.start : entity.end]), entity.label), entity.start, entity.end
        )
        if entity.label in NAMES
        else entity
        for entity in sentence.entities or ()
    }
    owner = {place: entity for entity in entities.values() for place in range(entity.start, entity.end)}
    for start, word in enumerate(sentence.words):
        if not word.text[:1].isupper():
            continue
        for end in range(min(start + _MOST_WORDS, len(words)), start, -1):
            label = types.get(tuple(words[start:end]))
            if label is None or not any(inner.upos == "PROPN" for inner in sentence.words[start:end]):
                continue
            inside = {owner[place].start: owner[place] for place in range(start, end) if place in owner}
            if all(start <= one.start and one.end <= end and one.label in NAMES for one in inside.values()):
                for first in inside:
                    del entities[first]
                entities[start] = Entity(label, start, end)
                owner |= dict.fromkeys(range(start, end), entities[start])
                break
    found = tuple(sorted(entities.values(), key=lambda entity: entity.start))
    return sentence if found == sentence.entities else replace(sentence, entities=found)
