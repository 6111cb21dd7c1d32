"""Words that negate, and verbs (lemmas) of preventing."""

from __future__ import annotations

from tupelo.nlp.languages import words

NEGATIONS = words("negation", "negations")
NEGATIVE_DETERMINERS = words("negation", "negative_determiners")
NEGATIVE_PRONOUNS = words("negation", "negative_pronouns")
PREVENTING_VERBS = words("negation", "preventing_verbs")
RESTRICTIVE_WORDS = words("negation", "restrictive_words")
RELATION_NEGATIONS = words("negation", "relation_negations")
NEGATING_ADVERBS = words("negation", "negating_adverbs")
