"""Words in relation phrases that leave the relation as it is, and some that do not."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages import labels, language_data, rows, word_names, words

__getattr__ = word_names(__name__, "relation_words")

PRESENT_BE = words("relation_words", "present")
IMPLYING_VERBS = rows("relation_words", "implying")
STAGES = labels("relation_words", "stages")
AS_LISTED = labels("relation_words", "as_listed")
CONVERSES: Mapping[str, str] = language_data("relation_words")["converses"]
REWORDINGS = rows("relation_words", "rewordings", "|")
# The kind of what follows a verb -> prepositions that mean the same.
SAME_AFTER_VERBS = {
    kind: (frozenset(prepositions),)
    for kind, prepositions in language_data("relation_words")["same_after_verbs"].items()
}
# The kinds of what something is and of what follows -> prepositions that mean the same.
SAME_AFTER_NOUNS = {
    (subject, target): frozenset(prepositions)
    for subject, targets in language_data("relation_words")["same_after_nouns"].items()
    for target, prepositions in targets.items()
}


def _opposed(name: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in rows("relation_words", name, "/"):
        for opposed, against in ((one, other), (other, one)):
            for word in opposed.split():
                found.setdefault(word, set()).update(against.split())
    return {word: frozenset(opposed) for word, opposed in found.items()}


# A word -> those that cannot replace it: the opposites of verbs, and further antonyms.
OPPOSITES = _opposed("opposites")
ANTONYMS = _opposed("antonyms")
