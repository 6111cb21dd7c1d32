"""Extracted facts against known ones: precision, recall and F1, over all facts and for each relation.

A fact is right when subject, relation and object are all equal, letter case, determiners and punctuation apart
(Goodrich et al., Section 6). Every fact of a text counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tupelo.core import Triple

Key = tuple[str, ...]
NO_RELATION = "no relation"


@dataclass(frozen=True, slots=True)
class FactCounts:
    """The number of facts that are right, of predicted and of gold facts."""

    right: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.predicted + self.gold) if self.predicted + self.gold else 0.0

    def __add__(self, other: FactCounts) -> FactCounts:
        return FactCounts(self.right + other.right, self.predicted + other.predicted, self.gold + other.gold)


def plain(phrase: str) -> str:
    """Lower case, without determiners and punctuation."""
    words = ("".join(letter for letter in word if letter.isalnum()) for word in phrase.casefold().split())
    return " ".join(word for word in words if word and word not in ("a", "an", "the"))


def count_facts(
    pairs: Iterable[tuple[Sequence[Triple], Sequence[Triple]]], *, related: bool = False
) -> tuple[FactCounts, Mapping[str, FactCounts]]:
    """Of all texts, as predicted and gold facts of each: all together, and by relation, most frequent in gold first.

    With `related` only whether two things are related counts, as for a binary classifier.
    """
    whole, by_relation = FactCounts(), dict[str, FactCounts]()
    key: Callable[[Triple], Key] = _pair if related else _fact
    for predicted, gold in pairs:
        found, wanted = ({key(fact): fact.relation for fact in facts} for facts in (predicted, gold))
        right = found.keys() & wanted.keys()
        whole += FactCounts(len(right), len(found), len(wanted))
        if related:
            continue
        for relation in {*found.values(), *wanted.values()}:
            part = FactCounts(
                sum(wanted[item] == relation for item in right),
                list(found.values()).count(relation),
                list(wanted.values()).count(relation),
            )
            by_relation[relation] = by_relation.get(relation, FactCounts()) + part
    ordered = sorted(by_relation.items(), key=lambda item: (-item[1].gold, item[0]))
    return whole, dict(ordered)


def false_positives(predicted: Sequence[Triple], gold: Sequence[Triple], *, related: bool = False) -> list[Triple]:
    """The facts that `count_facts` counts as wrong, each once."""
    key: Callable[[Triple], Key] = _pair if related else _fact
    known = {key(fact) for fact in gold}
    return list({key(fact): fact for fact in predicted if key(fact) not in known}.values())


def count_labels(
    pairs: Iterable[tuple[Collection[str], Collection[str]]],
) -> tuple[FactCounts, Mapping[str, FactCounts]]:
    """Of marked pairs of entities, as predicted and gold relations of each: all together, and by relation.

    A pair without any relation has the relation `NO_RELATION`, which has a row of its own (Table 4) but is no part of
    the whole.
    """
    by_relation: dict[str, FactCounts] = {}
    for predicted, gold in pairs:
        found, wanted = (set(labels) or {NO_RELATION} for labels in (predicted, gold))
        for relation in found | wanted:
            part = FactCounts(relation in found & wanted, relation in found, relation in wanted)
            by_relation[relation] = by_relation.get(relation, FactCounts()) + part
    whole = sum((part for relation, part in by_relation.items() if relation != NO_RELATION), FactCounts())
    return whole, dict(sorted(by_relation.items(), key=lambda item: (-item[1].gold, item[0])))


def by_name(facts: Iterable[Triple], names: Mapping[str, str]) -> list[Triple]:
    """Facts with subject and object by their main names, where `names` has a main name for others.

    >>> by_name([Triple("the Lees", "P1", "Oslo")], {"Lees": "Ann Lee"})[0].subject
    'Ann Lee'
    """
    known = {plain(name): main for name, main in names.items()}

    def main_name(phrase: str) -> str:
        return known.get(plain(phrase), phrase)

    return [Triple(main_name(fact.subject), fact.relation, main_name(fact.object)) for fact in facts]


def _fact(fact: Triple) -> Key:
    return plain(fact.subject), fact.relation.casefold(), plain(fact.object)


def _pair(fact: Triple) -> Key:
    return tuple(sorted((plain(fact.subject), plain(fact.object))))
