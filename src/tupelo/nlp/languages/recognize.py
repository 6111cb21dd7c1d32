"""Whether a text is in English: a guard for English-only processing, not a language identifier.

A text counts as another language if most of its letters are not Latin; if function words of one other language
outnumber those of English; if it has no English function words but many letters with diacritics; or if it is long and
has hardly any English function words. Where a vocabulary is given, most of its words in lower case must be there.
In doubt it is English: names, titles and headlines have few function words, and so do quotations within English text.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from tupelo.nlp.languages import language_data, words

ENGLISH = words("recognition", "english")
SHARED = words("recognition", "shared")
_OTHER_LANGUAGES = [
    frozenset(found.split()) - ENGLISH - SHARED for found in language_data("recognition")["other_languages"].values()
]
# Ranges of Latin letters, with the additions for Vietnamese and similar alphabets.
_LATIN = ((0x0041, 0x024F), (0x1E00, 0x1EFF))
# Distinct function words of one language, and their ratio to those of English, some of which it shares (*in*).
_LEAST_FOREIGN, _TIMES = 3, 1.5
_LEAST_MARKED, _MARKED_SHARE = 2, 0.1
_LONG, _LEAST_SHARE = 25, 0.05
# Number of words in lower case that are enough to decide, the least share of them that a vocabulary has, and the
# least share of function words.
_ENOUGH, _LEAST_KNOWN, _LEAST_OWN = 4, 0.6, 0.25


def is_english(words: Iterable[str], vocabulary: Container[str] | None = None) -> bool:
    """Whether words may come from an English text; an empty list may. `vocabulary` has words in lower case.

    >>> is_english("Ann was born in Oslo".split()), is_english("Ann wurde in Oslo geboren und ist tot".split())
    (True, False)
    """
    written = list(words)
    lowered = [word.casefold() for word in written]
    letters = [letter for word in lowered for letter in word if letter.isalpha()]
    strange = sum(not any(first <= ord(letter) <= last for first, last in _LATIN) for letter in letters)
    if 2 * strange > len(letters):
        return False
    # Single letters are initials more often than words.
    spoken = [word for word in lowered if word.isalpha() and len(word) > 1]
    own = sum(word in ENGLISH for word in spoken)
    for other in _OTHER_LANGUAGES:
        found = [word for word in spoken if word in other]
        if len(set(found)) >= _LEAST_FOREIGN and len(found) > _TIMES * own:
            return False
    # In lower case: *Antonín Dvořák* is a name.
    marked = sum(word.isalpha() and word[0].islower() and not word.isascii() for word in written)
    if not own and marked >= max(_LEAST_MARKED, _MARKED_SHARE * len(spoken)):
        return False
    if vocabulary is not None:
        plain = [word for word in written if word.isalpha() and word.islower() and len(word) > 1]
        told = sum(word in ENGLISH for word in plain)
        if len(plain) >= _ENOUGH and told < _LEAST_OWN * len(plain):
            return sum(word in vocabulary for word in plain) >= _LEAST_KNOWN * len(plain)
    return len(spoken) < _LONG or own >= _LEAST_SHARE * len(spoken)
