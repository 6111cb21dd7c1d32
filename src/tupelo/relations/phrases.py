"""Properties of a relation phrase without a parser: base forms, content, negation, modality, tense, voice.

Relation phrases are short ("has been widely used in"), and give a tagger too little context; word lists and the
spelling rules of the lemmatizer are as accurate and faster.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import (
    DETERMINERS,
    FORMS_OF_BE,
    FORMS_OF_DO,
    FORMS_OF_HAVE,
    MODALS,
    PAST_AUXILIARIES,
    PREPOSITIONS,
    RELATION_NEGATIONS,
    STAGE_VERBS,
    WEAK_MODALS,
)
from tupelo.nlp.languages.en.inflection import IRREGULAR, UNINFLECTED

if TYPE_CHECKING:
    from tupelo.nlp.lemmas import Lemmatizer

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


_FUNCTION_WORDS = (
    FORMS_OF_BE
    | FORMS_OF_HAVE
    | FORMS_OF_DO
    | MODALS
    | PREPOSITIONS
    | DETERMINERS
    | words("relation_words", "function_words")
)
_IRREGULAR_VERBS = IRREGULAR["VERB"]


@lru_cache(maxsize=1)
def _lemmatizer() -> Lemmatizer:
    """The lexicon of the English model; its network is not opened."""
    from tupelo.nlp.folder import find_model
    from tupelo.nlp.model import Model
    from tupelo.nlp.pipeline import SHIPPED

    return Model(find_model(SHIPPED)).lemmatizer


@lru_cache(maxsize=50_000)
def base_form(word: str) -> str:
    """The base form of a word in lower case, as a verb where it can be one.

    >>> [base_form(word) for word in ("kills", "was", "composed", "using", "countries", "in")]
    ['kill', 'be', 'compose', 'use', 'country', 'in']
    """
    if word in _IRREGULAR_VERBS:
        return _IRREGULAR_VERBS[word]
    if word in UNINFLECTED or word in PREPOSITIONS or len(word) < 4:
        return word
    for ending, tag in (("ing", "VBG"), ("ed", "VBD"), ("s", "VBZ")):
        if word.endswith(ending):
            return _lemmatizer().lemma(word, "VERB", tag)
    return word


@dataclass(frozen=True, slots=True)
class RelationPhrase:
    """An analysed relation phrase. `content` are the base forms of content words, in order."""

    words: tuple[str, ...]
    bases: tuple[str, ...]
    content: tuple[str, ...]
    preposition: str | None
    negated: bool
    weak: bool
    past: bool
    passive: bool
    copular: bool
    staged: bool


def phrase_words(text: str) -> tuple[str, ...]:
    """The words of a relation phrase in lower case, with *n't* split off."""
    return tuple(WORD.findall(text.lower().replace("’", "'").replace("n't", " n't")))


@lru_cache(maxsize=50_000)
def read_phrase(text: str) -> RelationPhrase:
    """Analyse a relation phrase."""
    words = phrase_words(text)
    bases = tuple(base_form(word) for word in words)
    content = tuple(base for word, base in zip(words, bases, strict=True) if word not in _FUNCTION_WORDS)
    be = [place for place, word in enumerate(words) if word in FORMS_OF_BE]
    passive = any(is_participle(word) for place in be for word in words[place + 1 : place + 3])
    return RelationPhrase(
        words=words,
        bases=bases,
        # The function words of a phrase without other words ("is in", "has") are its content.
        content=content or bases,
        preposition=words[-1] if words and words[-1] in PREPOSITIONS else None,
        negated=any(
            word in RELATION_NEGATIONS or base in RELATION_NEGATIONS for word, base in zip(words, bases, strict=True)
        ),
        weak=any(word in WEAK_MODALS for word in words),
        past=any(word in PAST_AUXILIARIES for word in words) or (bool(words) and _is_past(words[0])),
        passive=passive,
        copular=bool(be) and not passive,
        staged=any(base in STAGE_VERBS for base in bases),
    )


@lru_cache(maxsize=200_000)
def base_relation(text: str) -> str:
    """The base form of a relation: without tense, modality, auxiliaries and articles.

    >>> [base_relation(text) for text in ("was born in", "has been used in", "may not cause", "was winning a")]
    ['be bear in', 'be use in', 'not cause', 'win']
    """
    words = phrase_words(text)
    bases = [base_form(word) for word in words]
    kept: list[str] = []
    for place, (word, base) in enumerate(zip(words, bases, strict=True)):
        following = words[place + 1 : place + 2]
        if word in DETERMINERS or word in MODALS:
            continue
        if (
            word in FORMS_OF_HAVE
            and following
            and (following[0] in RELATION_NEGATIONS or following[0] in FORMS_OF_BE or _is_past(following[0]))
        ):
            continue
        if word in FORMS_OF_DO and following and following[0] not in PREPOSITIONS | DETERMINERS:
            continue
        if word in FORMS_OF_BE and (kept[-1:] == ["be"] or (following and following[0].endswith("ing"))):
            continue
        kept.append("be" if word in FORMS_OF_BE else base)
    return " ".join(kept) or " ".join(bases)


def _is_past(word: str) -> bool:
    return word.endswith("ed") or (word in _IRREGULAR_VERBS and not word.endswith(("s", "ing")))


def is_participle(word: str) -> bool:
    """Whether a word can be the participle of a passive."""
    return _is_past(word) and word not in FORMS_OF_BE | FORMS_OF_HAVE | FORMS_OF_DO
