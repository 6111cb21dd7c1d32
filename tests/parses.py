"""Sentences parsed by hand, so that checks are tested without any model.

A word is `form/lemma/UPOS/head/label`, heads from 1 and 0 for the root; entities are `(label, first, last)`,
counted alike.
"""

from __future__ import annotations

from tupelo.core import Analysis, Entity, Word


def parsed(text: str, *entities: tuple[str, int, int]) -> Analysis:
    words, place = [], 0
    for part in text.split():
        form, lemma, upos, head, label = part.rsplit("/", 4)
        number = int(head)
        words.append(
            Word(form, place, place + len(form), lemma, upos, head=number - 1 if number else None, deprel=label)
        )
        place += len(form) + 1
    found = tuple(Entity(label, first - 1, last) for label, first, last in entities)
    return Analysis(" ".join(word.text for word in words), tuple(words), entities=found)
