"""Arguments of statements: base forms, swapped arguments, types that refer to an argument of the other side, counts.

In a `Distribution`, the weight of an argument in a slot is the pointwise mutual information of relation and argument
within that slot, kept where it is positive, as in DIRT (Lin and Pantel 2001). Corpora are small compared with what
can be said, so forms are merged: a relation is counted without tense, modality and auxiliaries (*was born in*, *had
been born in*), an argument as the base form of its last word.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.core.ngram import Assertion
from tupelo.nlp.languages.en.grammar import DETERMINERS
from tupelo.relations.phrases import WORD, base_form, base_relation


@lru_cache(maxsize=200_000)
def base_argument(text: str) -> str:
    """The base form of an argument's last word, mostly its head.

    >>> [base_argument(text) for text in ("the old cities", "Barack Obama", "1991")]
    ['city', 'obama', '1991']
    """
    words = WORD.findall(text.lower())
    return base_form(words[-1]) if words else folded(text)


def bare_argument(text: str) -> str:
    """An argument in lower case without the article or possessive in front.

    >>> [bare_argument(text) for text in ("The  Beatles", "her eldest son", "This")]
    ['beatles', 'eldest son', 'this']
    """
    first, _, rest = folded(text).partition(" ")
    return rest if rest and first in DETERMINERS else folded(text)


def argument_words(text: str) -> frozenset[str]:
    """The words of an argument that identify it."""
    words = [base_form(word) for word in WORD.findall(text.lower())]
    return frozenset(word for word in words if word not in DETERMINERS) or frozenset(words)


def are_swapped(pair: EntailmentPair) -> bool:
    """Whether the hypothesis names the premise's arguments in the opposite order.

    Shared words decide; if an argument is a type on one side ("drug", "kanamycin"), the other argument does.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    straight = _alike(premise.subject, hypothesis.subject) + _alike(premise.object, hypothesis.object)
    crossed = _alike(premise.subject, hypothesis.object) + _alike(premise.object, hypothesis.subject)
    return crossed > straight


@lru_cache(maxsize=50_000)
def _alike(one: str, other: str) -> float:
    left, right = argument_words(one), argument_words(other)
    return len(left & right) / max(len(left | right), 1)


def with_arguments(pair: EntailmentPair) -> Triple:
    """The hypothesis with the premise's argument in place of a type or another name.

    In Levy/Holt's original form *drug kills infections* is paired with *kanamycin is useful in infections*. The
    shared argument identifies the other one; without a shared argument nothing is changed.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    wanted = (premise.object, premise.subject) if are_swapped(pair) else (premise.subject, premise.object)
    own = (hypothesis.subject, hypothesis.object)
    shared = [bool(argument_words(a) & argument_words(b)) for a, b in zip(own, wanted, strict=True)]
    if sum(shared) != 1:
        return hypothesis
    first, second = (a if same else b for a, b, same in zip(own, wanted, shared, strict=True))
    return Triple(first, hypothesis.relation, second)


def folded(phrase: str) -> str:
    """A phrase in lower case, with single spaces."""
    return " ".join(phrase.lower().split())


Slot = Mapping[str, float]
_EMPTY: Slot = {}


@dataclass(frozen=True, slots=True)
class Distribution:
    """Weights of arguments by relation, for the first slot and the second."""

    x: Mapping[str, Slot]
    y: Mapping[str, Slot]

    def slots(self, relation: str, *, swapped: bool = False) -> tuple[Slot, Slot]:
        """Both slots of a relation, empty if unknown; the second one first if `swapped`."""
        name = base_relation(relation)
        found = self.x.get(name, _EMPTY), self.y.get(name, _EMPTY)
        return (found[1], found[0]) if swapped else found


def count_arguments(assertions: Iterable[Assertion]) -> Distribution:
    """Count assertions and weigh their arguments."""
    counts: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = defaultdict(Counter), defaultdict(Counter)
    for found in assertions:
        relation = base_relation(found.relation)
        counts[0][relation][base_argument(found.subject)] += found.count
        counts[1][relation][base_argument(found.object)] += found.count
    return Distribution(*(dict(_weighted(slot)) for slot in counts))


def _weighted(counts: Mapping[str, Counter[str]]) -> Iterator[tuple[str, Slot]]:
    of_argument: Counter[str] = Counter()
    of_relation = {relation: sum(arguments.values()) for relation, arguments in counts.items()}
    for arguments in counts.values():
        of_argument.update(arguments)
    total = sum(of_relation.values())
    for relation, arguments in counts.items():
        weights = {
            argument: math.log(count * total / (of_relation[relation] * of_argument[argument]))
            for argument, count in arguments.items()
        }
        yield relation, {argument: weight for argument, weight in weights.items() if weight > 0}
