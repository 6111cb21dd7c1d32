"""Abbreviations, and words that are written as one."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

from tupelo.nlp.languages import labels, language_data, rows, words

# The word after an abbreviation: a name, a number, the rest of its sentence; or it may be the last word as well.
AbbreviationKind: TypeAlias = Literal["name", "number", "rest", "any"]

# In lower case, without the full stop.
ABBREVIATION_KINDS = cast(dict[str, AbbreviationKind], labels("tokenization", "abbreviations"))
# Those that keep their full stop as part of the word.
ABBREVIATIONS = frozenset(ABBREVIATION_KINDS) - words("tokenization", "words_of_their_own")
CLITICS: tuple[str, ...] = tuple(language_data("tokenization")["clitics"].split())
JOINING_PREFIXES = words("tokenization", "joining_prefixes")
# Whole words that are two -> the position where the second one begins.
SPLIT_WORDS = {first + second: len(first) for first, second in rows("tokenization", "split_words")}
