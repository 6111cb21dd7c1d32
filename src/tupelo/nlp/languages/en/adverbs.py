"""Adverbs of place, and those that link clauses."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

PLACE_ADVERBS = word_set(
    "here there abroad overseas nearby elsewhere everywhere somewhere anywhere upstairs downstairs outside inside "
    "home downtown upstream downstream offshore nationwide worldwide locally globally"
)
# Right after a verb these belong to it: "go back to", "look forward to".
DIRECTIONS = word_set("in out up down off away back forward on over along around through across together apart aside")
# Adverbs that connect or ask; they are not part of the statement.
CLAUSE_ADVERBS = word_set("when where why how however therefore thus also too instead")
# Adverbs of the whole sentence, which can come first.
SENTENCE_ADVERBS = word_set(
    "usually often sometimes generally currently originally initially eventually finally typically "
    "recently previously traditionally subsequently normally frequently occasionally apparently "
    "reportedly allegedly commonly historically officially formerly gradually soon later today"
)
# Adverbs of time that can come first or last.
MOVABLE_TIME_ADVERBS = word_set(
    "recently currently today yesterday eventually initially originally previously traditionally historically "
    "subsequently finally later formerly presently"
)
