"""Quantifiers and other words of scope."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

# Words whose scope depends on their position: a phrase that begins with one cannot be put into focus.
UNFOCUSED_WORDS = word_set(
    "no none nobody nothing neither nor few little many much most some any all each every either both several "
    "half more less fewer only such not hardly another other others enough one everyone everybody everything "
    "anyone anything someone something least what whatever which whichever whoever who that this these those "
    "it there rather instead so as too even just about nearly almost up over at"
)
# Words that make several subjects act as one.
COLLECTIVE_WORDS = word_set("together both each jointly respectively mutually themselves ourselves yourselves")
# Before a noun, these are no part of what it stands for: "several other ferries".
LOOSE_WORDS = word_set("other such same own certain several many various")
# Before the first of several coordinated nouns, these hold for all: "many shops and restaurants".
SHARED_QUANTIFIERS = word_set("many few several most")
