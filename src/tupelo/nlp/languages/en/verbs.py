"""Verbs (lemmas) with a grammar of their own."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

# Subjects of such a verb, not its objects, act in the infinitive below it.
SUBJECT_CONTROL = word_set("promise threaten vow")
