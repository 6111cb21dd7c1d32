"""Factual accuracy as Goodrich et al. (KDD 2019) define it, Equation 1.

Facts are triples that some extractor found in the source T and in the generated text G. Only claims that the source
can verify or refute count: those whose subject and relation occur together in a fact of the source, and vice
versa. Accuracy is the share of these claims of G whose object the source has as well.

The paper's example: the source says *Brad Pitt was born in 1963*, the text *in 1961*. The one claim can be checked,
its object is not in the source, and accuracy is 0. A text about somebody else's birth says nothing that the source
could refute: accuracy is then unknown, with the reason, rather than 0 or 1.

Phrases are compared without case, determiners and punctuation; phrases with numbers or dates by value.
"""

from __future__ import annotations

from collections.abc import Iterable

from tupelo.core import Triple
from tupelo.core.judgement import FactAccuracy
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo.nlp.values import Agreement, Value, values_in, words_of


def fact_accuracy(generated: Iterable[Triple], source: Iterable[Triple]) -> FactAccuracy:
    """Equation 1 over two sets of facts.

    >>> said, known = Triple("Brad Pitt", "born in", "1961"), Triple("Brad Pitt", "born in", "1963")
    >>> fact_accuracy([said], [known]).value, fact_accuracy([known], [known]).value
    (0.0, 1.0)
    """
    claims = list({_key(fact): fact for fact in generated}.values())
    objects: dict[tuple[str, str], list[str]] = {}
    for fact in source:
        objects.setdefault(_about(fact), []).append(fact.object)
    supported, refuted, unverifiable = [], [], []
    for claim in claims:
        known = objects.get(_about(claim))
        if known is None:
            unverifiable.append(claim)
        elif any(same_phrase(claim.object, candidate) for candidate in known):
            supported.append(claim)
        else:
            refuted.append(claim)
    return FactAccuracy.of(supported, refuted, unverifiable)


def _about(fact: Triple) -> tuple[str, str]:
    return plain_phrase(fact.subject), plain_phrase(fact.relation)


def _key(fact: Triple) -> tuple[str, str, str]:
    return (*_about(fact), plain_phrase(fact.object))


def plain_phrase(phrase: str) -> str:
    """Lower case, without determiners and punctuation.

    >>> plain_phrase("The “Cage”")
    'cage'
    """
    words = ("".join(letter for letter in word if letter.isalnum()) for word in phrase.casefold().split())
    return " ".join(word for word in words if word and word not in ARTICLES)


def same_phrase(left: str, right: str) -> bool:
    """Whether two phrases have equal words, or equal values and no other difference."""
    if plain_phrase(left) == plain_phrase(right):
        return True
    (own, own_rest), (other, other_rest) = _values_and_rest(left), _values_and_rest(right)
    if not own or len(own) != len(other) or own_rest != other_rest:
        return False
    return all(one.compare(its) is Agreement.SAME for one, its in zip(own, other, strict=True))


def _values_and_rest(phrase: str) -> tuple[list[Value], str]:
    words = words_of(phrase)
    found = values_in(words)
    taken = {place for item in found for place in range(item.start, item.end)}
    rest = " ".join(word for place, word in enumerate(words) if place not in taken)
    return [item.value for item in found], plain_phrase(rest)
