"""What makes two wordings the same entity or relation, as far as the wording itself tells.

An entity's key is its name without articles, titles, quotes and case; a
pronoun or a short name goes by the full name that was found for it
in its document, and one that nobody resolved is an entity of its own in every
sentence. A relation's key is its words in base form, without tense, modal
verbs, adverbs and negation. Equal keys are one node; joining different keys is
the business of a canonicalization method.
"""

from __future__ import annotations

import re
import unicodedata

from tupelo.nlp.languages.en.prepositions import ARGUMENT_PREPOSITIONS
from tupelo.nlp.languages.en.pronouns import EMPHATIC_PRONOUNS, UNNAMING_PRONOUNS
from tupelo.nlp.languages.en.titles import DETACHABLE_TITLES

_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those)\s+(?=\S)")
_TITLE = re.compile(rf"(?:{'|'.join(sorted(DETACHABLE_TITLES))})\b\.?\s+", re.IGNORECASE)
_PREPOSITION = re.compile(rf"^(?:{'|'.join(sorted(ARGUMENT_PREPOSITIONS))})\s+(?=\S)")
_REFLEXIVE = re.compile(rf"(?<=\S)\s+(?:{'|'.join(sorted(EMPHATIC_PRONOUNS))})$")
_POSSESSIVE = re.compile(r"(?:'s|’s|'|’)$")
_EDGES = " \t\n\"'“”‘’«»`.,;:!?()[]{}-–—…*_"
_SPACE = re.compile(r"\s+")
_SENTENCE_ID = re.compile(r"[0-9a-f]{24}")
# Types of values, which are equal only when they are written alike.
VALUES = frozenset(["datetime", "number"])


def entity_key(text: str, resolved: str | None = None, entity_type: str | None = None) -> str:
    """The key of an argument.

    >>> entity_key("the  United States'"), entity_key("Dr. Ann Lee", None, "person"), entity_key("the mill itself")
    ('united states', 'ann lee', 'mill')
    >>> entity_key("she", "Ann Lee"), entity_key("itself")
    ('ann lee', 'itself')
    """
    whole = resolved or text
    if resolved or entity_type == "person":
        whole = without_title(whole)
    name = unicodedata.normalize("NFKC", whole).casefold()
    name = _SPACE.sub(" ", name).strip(_EDGES)
    name = _REFLEXIVE.sub("", _PREPOSITION.sub("", name))
    if entity_type not in VALUES:
        name = _POSSESSIVE.sub("", name)
    name = _ARTICLE.sub("", name)
    # A name of nothing but marks stands for itself.
    return name or _SPACE.sub(" ", text.strip())


def without_title(name: str) -> str:
    """A person's name without titles before it; a title alone stays.

    >>> [without_title(name) for name in ("Mayor Ola Brekke", "Dr. Lee", "the President", "Coach")]
    ['Ola Brekke', 'Lee', 'the President', 'Coach']
    """
    bare = _ARTICLE.sub("", name) if name[:1].islower() else name
    found = _TITLE.match(bare)
    while found and bare[found.end() : found.end() + 1].isupper():
        bare = name = bare[found.end() :]
        found = _TITLE.match(bare)
    return name


def plain_name(text: str, resolved: str | None, entity_type: str | None) -> str | None:
    """The name that an argument goes by, where that is not how it is written.

    >>> plain_name("she", "Mayor Ola Brekke", None), plain_name("Dr. Lee", None, "person")
    ('Ola Brekke', 'Lee')
    >>> plain_name("Lee", None, "person")
    """
    if resolved:
        return without_title(resolved)
    name = without_title(text) if entity_type == "person" else text
    return None if name == text else name


def mention_key(text: str, resolved: str | None, entity_type: str | None, sentence_id: str) -> str:
    """The key of an argument in its sentence: a pronoun that nobody resolved is nobody else's *it*.

    >>> mention_key("It", None, None, "s1"), mention_key("It", "the mill", None, "s1")
    ('it of s1', 'mill')
    """
    key = entity_key(text, resolved, entity_type)
    return f"{key} of {sentence_id}" if resolved is None and key in UNNAMING_PRONOUNS else key


def is_pronoun(key: str) -> bool:
    """Whether this is the key of a pronoun that nobody resolved, which means nothing outside its sentence.

    >>> is_pronoun("it of 294415b263963c279decf289"), is_pronoun("that of the mill")
    (True, False)
    """
    word, _, sentence = key.partition(" of ")
    return word in UNNAMING_PRONOUNS and _SENTENCE_ID.fullmatch(sentence) is not None


def relation_key(lemma: str) -> str:
    """The key of a relation, from its words in base form."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", lemma).casefold()).strip()
