"""Signatures of verbs, adjectives and nouns (lemmas): what they imply about the clause below them.

A signature has two halves: what holds of the clause when the word is affirmed, and when it is denied. `+` is that the
clause holds, `-` that it does not (Karttunen 2012, "Simple and phrasal implicatives"); what follows is a reservation:
a modality, `speech` or `belief`. So *manage* is `+ -`, *fail* `- +`, *know that* `+ +`, *want* `+intended -intended`
and *deny that* `-speech +speech`. A word may be listed with its particle or with the preposition of a gerund: *give
up*, *keep from*. Where a word is listed twice, the later line counts.
"""

from __future__ import annotations

from typing import NamedTuple

from tupelo.nlp.languages import labels, language_data, word_names, words
from tupelo.nlp.languages.en.grammar import BELIEF_NOUNS, BELIEF_VERBS, PREVENTING_VERBS, SPEECH_NOUNS, SPEECH_VERBS

__getattr__ = word_names(__name__, "embedding")


class Half(NamedTuple):
    """Whether a clause holds, and with which reservations."""

    holds: bool
    marks: tuple[str, ...] = ()


class EmbeddingSignature(NamedTuple):
    """The truth of a clause below an affirmed and below a denied word."""

    affirmed: Half
    denied: Half


def _half(text: str) -> Half:
    return Half(text[0] == "+", tuple(filter(None, text[1:].split(","))))


def _signature(text: str) -> EmbeddingSignature:
    affirmed, denied = text.split()
    return EmbeddingSignature(_half(affirmed), _half(denied))


def _signatures(name: str) -> dict[str, EmbeddingSignature]:
    return {
        word.replace("_", " "): _signature(text)
        for text, found in language_data("embedding")[name]
        for word in found.split()
    }


FACTIVE = _signature("+ +")
IMPLIED = _signature("+ -")
PURPOSE = _signature("+intended -intended")
POSSIBLE = _signature("+possible -possible")
REPORTED = _signature("+speech +speech")
# "suggested that he leave": the report of a wish.
DIRECTIVE = _signature("+speech,necessary +speech,necessary")

_FEELINGS = dict.fromkeys(words("embedding", "feelings"), FACTIVE)
# Infinitives, with and without "to", and other predicates without a subject of their own.
INFINITIVES = _FEELINGS | _signatures("infinitives")
GERUNDS = dict.fromkeys([f"{verb} from" for verb in PREVENTING_VERBS], _signature("- +")) | _signatures("gerunds")
# Clauses with a subject of their own.
CLAUSES = (
    dict.fromkeys(SPEECH_VERBS | SPEECH_NOUNS, REPORTED)
    | dict.fromkeys(BELIEF_VERBS | BELIEF_NOUNS, _signature("+belief +belief"))
    | _FEELINGS
    | _signatures("clauses")
)
# The words that open an adverbial clause -> what holds of it.
OPENINGS = {phrase: _half(text) for phrase, text in labels("embedding", "openings").items()}
WITHIN_SCOPE: frozenset[str | None] = words("embedding", "within_scope") | {None}
