"""Adverbs of place, and those that link clauses."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

PLACE_ADVERBS = word_set(
    "here there abroad overseas nearby elsewhere everywhere somewhere anywhere upstairs downstairs outside inside "
    "home downtown upstream downstream offshore nationwide worldwide locally globally"
)
# Adverbs that connect or ask; they are not part of the statement.
CLAUSE_ADVERBS = word_set("when where why how however therefore thus also too instead")
# A sentence that opens with one of these continues the one before it.
CONNECTING_ADVERBS = word_set(
    "however but and also then thus therefore hence meanwhile moreover furthermore nevertheless nonetheless instead "
    "besides so yet or additionally similarly consequently likewise otherwise still later afterwards"
)
# Phrases that link a sentence to the one before it, or comment on it.
DISCOURSE_PHRASES = frozenset(
    [
        "for example",
        "for instance",
        "in fact",
        "in addition",
        "in other words",
        "in a word",
        "in short",
        "in general",
        "in particular",
        "in turn",
        "of course",
        "as a result",
        "as a consequence",
        "as usual",
        "at least",
        "after all",
        "on the other hand",
        "on the one hand",
        "on the contrary",
        "by the way",
        "in conclusion",
        "in the end",
        "in my opinion",
        "at all",
        "in any case",
        "in this way",
        "in that case",
        "in contrast",
        "by contrast",
        "so",
        "hence",
        "moreover",
        "furthermore",
        "besides",
        "first",
        "second",
        "secondly",
        "third",
        "thirdly",
    ]
)
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
# Prepositional phrases that are used as adverbs and never taken apart.
FIXED_ADVERBIALS = frozenset(
    [
        *("at last", "at length", "at first", "at once", "at home", "at random", "at risk", "in part", "in person"),
        *(
            "in vain",
            "in public",
            "in private",
            "in advance",
            "in full",
            "in detail",
            "in mind",
            "in hand",
            "in time",
        ),
        *("on average", "on purpose", "on board", "on foot", "on time", "by hand", "by heart", "for now", "for good"),
        *("for free", "for sure", "for sale", "for ever", "from scratch", "over time", "in practice", "in theory"),
    ]
)
