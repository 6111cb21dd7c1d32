"""Kinds of things and base forms of words, by WordNet."""

from __future__ import annotations

from functools import cache

from tupelo.core.wordnet import Synset, WordNet

HYPERNYM, INSTANCE_HYPERNYM = "@", "@i"


def base_form(wordnet: WordNet, word: str, parts: str) -> str:
    """The word without inflection, by the first of these parts of speech in which WordNet knows it; else itself.

    With verbs first, a relation's *was* is *be* and not the noun *wa*.
    """
    return next((base for pos in parts for base in wordnet.base_forms(word, pos)), word)


def hypernyms(wordnet: WordNet, synset: Synset) -> tuple[Synset, ...]:
    """The hypernyms of the synset, or the concepts that it is an instance of."""
    return tuple(
        wordnet.tables.synset(pointer.pos, pointer.offset)
        for pointer in synset.pointers
        if pointer.symbol in (HYPERNYM, INSTANCE_HYPERNYM)
    )


def is_a(wordnet: WordNet, synset: Synset, kind: Synset) -> bool:
    """Can `kind` be reached upwards from `synset`, over kinds and instances? A synset is its own kind."""
    return (kind.pos, kind.offset) in _upwards(wordnet, synset.pos, synset.offset)


@cache
def _upwards(wordnet: WordNet, pos: str, offset: int) -> frozenset[tuple[str, int]]:
    # Not recursive: a database with a circle in it must not end in a stack overflow.
    reached, waiting = {(pos, offset)}, [wordnet.tables.synset(pos, offset)]
    while waiting:
        for above in hypernyms(wordnet, waiting.pop()):
            if (above.pos, above.offset) not in reached:
                reached.add((above.pos, above.offset))
                waiting.append(above)
    return frozenset(reached)
