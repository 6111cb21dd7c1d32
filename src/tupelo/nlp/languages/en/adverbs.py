"""Adverbs of place, and those that link clauses."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

PLACE_ADVERBS = word_set(
    "here there abroad overseas nearby elsewhere everywhere somewhere anywhere upstairs downstairs outside inside "
    "home downtown upstream downstream offshore nationwide worldwide locally globally"
)
# Adverbs that connect or ask; they are no part of what is told.
CLAUSE_ADVERBS = word_set("when where why how however therefore thus also too instead")
