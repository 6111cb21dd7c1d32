"""Pronouns."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

RELATIVE_PRONOUNS = word_set("who whom which that whose where when why what whoever whatever whichever")
