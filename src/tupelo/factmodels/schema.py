"""Wikidata properties of the links of a graph: what the classifier of facts reads between the same two things.

The classifier reads the whole passage, so a property holds between two things wherever they are mentioned. A link
between them shares its meaning only if it is worded that way: *visited* is no place of birth, even where somebody was
born. `wordings.toml` has the words of each property, as they are in the base form of a link. Links whose
sentence does not claim them (questions, conditions, denials) have no property.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tupelo.core import Analysis
from tupelo.core.protocols import LinkSchema
from tupelo.core.registry import Registry
from tupelo.core.shipped import declared
from tupelo.core.statement import Anchor, Link, LinkedSentence, LinkProperty
from tupelo.factmodels.extract import FactOptions
from tupelo.factmodels.methods import PairMethod
from tupelo.names.entities import DocumentEntity, find_entities
from tupelo.nlp.languages.en.grammar import PREPOSITIONS

_CLAIMED = ("asserted", "reported")
# First words of a link that is worded with a noun: *be member of*.
_NOMINAL = frozenset(["be", "have"])
# A referent of the passage, or a literal by its sentence and first word.
_Node = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class WikidataSchema:
    """The schema. `version` is that of the classifier, which every process opens for itself."""

    version: str
    name: str = "wikidata"

    def __call__(self, analyses: Sequence[Analysis], linked: Sequence[LinkedSentence]) -> list[list[LinkProperty]]:
        """The properties of the links of each sentence of a passage."""
        if not any(sentence.links for sentence in linked):
            return [[] for _ in linked]
        entities = find_entities(analyses)
        named = _entities_of_nodes(entities, linked)
        found = defaultdict(list)
        for one, two, relation, probability in _classifier().scored(analyses, entities):
            found[one, two].append((relation, probability))
        return [
            [
                LinkProperty(number, relation.id, relation.name, turned, probability)
                for number, link in enumerate(sentence.links)
                if sentence.tuples.extractions[link.tuple].stance in _CLAIMED
                for pair, turned in _pairs(link, sentence.anchors, named, at)
                for relation, probability in found.get(pair, ())
                if is_worded(relation.id, link.key)
            ]
            for at, sentence in enumerate(linked)
        ]


def open_wikidata() -> LinkSchema:
    """The schema, or an error that says what to install."""
    return WikidataSchema(_classifier().version)


SCHEMAS: Registry[Callable[[], LinkSchema]] = Registry(
    "schema", {"wikidata": "tupelo.factmodels.schema:open_wikidata"}
)


@lru_cache(maxsize=1)
def _classifier() -> PairMethod:
    """One per process. The engine has a process per core, so more threads would compete."""
    return PairMethod(None, FactOptions())


def _node(anchor: Anchor, sentence: int) -> _Node:
    return (anchor.referent, None) if anchor.referent is not None else (sentence, anchor.start)


def _entities_of_nodes(entities: Sequence[DocumentEntity], linked: Sequence[LinkedSentence]) -> dict[_Node, set[int]]:
    """The entities of the classifier by node: those with a name that has the head of one of its phrases."""
    places = {
        (mention.sentence, word): number
        for number, entity in enumerate(entities)
        for mention in entity.mentions
        if not mention.pronoun
        for word in range(mention.start, mention.end)
    }
    found: dict[_Node, set[int]] = defaultdict(set)
    for at, sentence in enumerate(linked):
        for anchor in sentence.anchors:
            number = places.get((at, anchor.head))
            if number is not None and anchor.kind != "pronoun":
                found[_node(anchor, at)].add(number)
    return found


def _pairs(
    link: Link, anchors: Sequence[Anchor], named: dict[_Node, set[int]], sentence: int
) -> Iterator[tuple[tuple[int, int], bool]]:
    """The pairs of entities at the two ends of a link, and whether they are in the opposite direction."""
    subjects, objects = (named.get(_node(anchors[end], sentence), ()) for end in (link.subject, link.object))
    for one in sorted(subjects):
        for two in sorted(objects):
            yield (one, two), False
            yield (two, one), True


_WORDINGS = {name: frozenset(words.split()) for name, words in declared(__name__, "wordings.toml").items()}


def is_worded(property: str, key: str) -> bool:
    """Whether the base form of a link has a word of the property.

    A preposition counts only beside a noun: *is in* is a location, *arrived in* is none.

    >>> is_worded("P112", "found"), is_worded("P36", "visit")
    (True, False)
    """
    first, *others = key.split()
    known = _WORDINGS.get(property, frozenset())
    if others and first in _NOMINAL:
        return not known.isdisjoint(others)
    return any(word in known for word in (first, *others) if word not in PREPOSITIONS or first in PREPOSITIONS)
