"""A dossier of a collection of documents, or of one entity in it: what it is about, in sentences of its own.

Nothing is generated. Communities (`topics`) are called after their main entities; what is said of each are sentences
of the documents (`key_facts`), and every one can be traced to its place. The same graph gives the same report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tupelo.core import InputError
from tupelo.core.registry import Shown, view
from tupelo.core.shipped import figures, queries
from tupelo.graph.query.answers import PlainValue
from tupelo.graph.query.edges import EVERYTHING, StatementView
from tupelo.graph.query.lookup import ambiguity, known_entities
from tupelo.graph.query.network import Integers
from tupelo.graph.report.conflicts import Conflict
from tupelo.graph.report.conflicts import conflicts as conflicts_of
from tupelo.graph.report.key_facts import KeyFact, KeyFacts, Statement, statements
from tupelo.graph.report.survey import RankedGraph, ranked_graph
from tupelo.graph.report.topics import GraphTopic, find_topics
from tupelo.graph.report.views import pictured
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest
from tupelo.nlp.kinds import kinds_of
from tupelo.nlp.languages.en.grammar import PREPOSITIONS

_SQL = queries(__name__)
_COUNTED = ("documents", "sentences", "entities", "edges")
_FIGURES = figures(__name__, "report.toml")


@dataclass(frozen=True, slots=True)
class MainEntity(PlainValue):
    """An entity, and what the documents say that it is, or else its type, where it has one."""

    id: str
    name: str
    description: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.description})" if self.description else self.name


@dataclass(frozen=True, slots=True)
class CommunityReport(PlainValue):
    """A community: its main entities and key facts, its share of all importance, and the communities within it.

    `size` is the number of its entities, `edges` that of the edges among them.
    """

    title: str
    importance: float
    size: int
    edges: int
    entities: tuple[MainEntity, ...]
    facts: tuple[KeyFact, ...]
    parts: tuple[CommunityReport, ...] = ()

    def all_facts(self) -> Iterator[KeyFact]:
        yield from self.facts
        for part in self.parts:
            yield from part.all_facts()


@dataclass(frozen=True, slots=True)
class EntityReport(PlainValue):
    """An entity: its other names, its number of mentions, its key facts, and what is asserted of it."""

    entity: MainEntity
    names: tuple[str, ...]
    mentions: int
    documents: int
    facts: tuple[KeyFact, ...]
    statements: tuple[Statement, ...]

    def to_dict(self) -> dict[str, Any]:
        row = PlainValue.to_dict(self)
        return {**row.pop("entity"), **row}


@dataclass(frozen=True, slots=True)
class CitedSentence(PlainValue):
    """A sentence that a report cites, with those around it; empty where there is none."""

    id: str
    position: int
    sentence: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CitedDocument(PlainValue):
    """A document of which a report cites sentences."""

    source: str
    title: str | None
    sentences: tuple[CitedSentence, ...]


@dataclass(frozen=True, slots=True)
class DatedStatement(PlainValue):
    """A statement, from when and until when it holds (`..`: it goes on), and a document that states it."""

    valid_from: str
    valid_until: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Report(Shown):
    """A dossier. `html` and `markdown` have the same content; `to_dict()` has it as plain values.

    `sizes` counts what the graph has. `entity` is `None` in a report of a whole collection.
    `conflicts` are statements that contradict each other, `timeline` those with a time, `pictures` the data of still
    pictures, one for the entity, if any, and one for each community.
    """

    title: str
    sizes: Mapping[str, int]
    communities: tuple[CommunityReport, ...]
    sources: tuple[CitedDocument, ...]
    entity: EntityReport | None = None
    remarks: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    timeline: tuple[DatedStatement, ...] = ()
    pictures: tuple[Mapping[str, Any], ...] = ()

    @property
    def html(self) -> str:
        """One page without script that needs nothing else."""
        return view(self, "page")

    @property
    def markdown(self) -> str:
        return view(self, "markdown")

    def rendered(self, name: str) -> str:
        """The content for a file name; see `report_format`."""
        return self.html if report_format(name) == "html" else self.markdown

    def to_dict(self) -> dict[str, Any]:
        entity = {} if self.entity is None else {"entity": self.entity.to_dict()}
        return {
            "title": self.title,
            "sizes": dict(self.sizes),
            **entity,
            "communities": [community.to_dict() for community in self.communities],
            "sources": [document.to_dict() for document in self.sources],
            **({"remarks": list(self.remarks)} if self.remarks else {}),
            **({"timeline": [one.to_dict() for one in self.timeline]} if self.timeline else {}),
            **({"conflicts": [one.to_dict() for one in self.conflicts]} if self.conflicts else {}),
        }

    def __str__(self) -> str:
        return self.markdown


def report_format(name: str) -> str:
    """`html` for a file name that ends in `.html`, `markdown` for `.md` and standard output; other names are refused.

    >>> report_format("kg.html"), report_format("-")
    ('html', 'markdown')
    """
    for endings, format in ((".html", ".htm"), "html"), ((".md", ".markdown"), "markdown"):
        if name.endswith(endings):
            return format
    if name != "-":
        raise InputError(f"{name}: expected a name that ends in .html or .md, or - for standard output")
    return "markdown"


def make_report(
    store: Store,
    title: str,
    *,
    entity: str | None = None,
    communities: int = 10,
    facts: int = 5,
    view: StatementView = EVERYTHING,
) -> Report:
    """The report of a collection, or of the entity with this name and of the communities around it.

    `communities` and `facts` are maximum numbers, the latter for each community; an entity has twice as many facts.
    """
    graph = ranked_graph(store, view)
    found = None if entity is None else known_entities(store, entity)
    remarks = () if entity is None or found is None else ambiguity(store, entity, found)
    centre = None if found is None else str(store.column(_SQL["most_mentioned"], [list(found.ids)])[0])
    own = _edges_of(graph, centre)
    around = None if centre is None else _around(graph, centre, own)
    topics = find_topics(graph, communities, around)
    writer = _Writer(store, graph, [part for topic in topics for part in topic.with_parts()], centre, own)
    about = None if centre is None else writer.entity(centre, 2 * facts)
    passed = {fact.id for fact in about.facts} if about else set[str]()
    found_topics = [(topic, community) for topic in topics if (community := writer.community(topic, facts, passed))]
    written = tuple(community for _, community in found_topics)
    cited = [*(about.facts if about else ()), *(fact for community in written for fact in community.all_facts())]
    sizes = {name: store.count(name) for name in _COUNTED}
    told = conflicts_of(store, about=about.entity.name if about else None, limit=_FIGURES.conflicts)
    centres = [centre] if centre else [one.id for community in written for one in community.entities]
    dated = store.rows(_SQL["dated"].format(dated=_FIGURES.dated), [centres])
    timeline = tuple(DatedStatement(*row[:-1]) for row in sorted(dated))
    shown = [own[np.argsort(-graph.weight[own], kind="stable")]] if centre else []
    shown += [topic.edges for topic, _ in found_topics]
    pictures = tuple(pictured(store, graph.edges[edges[: _FIGURES.pictured]].tolist()) for edges in shown)
    return Report(title, sizes, written, _sources(store, cited), about, remarks, tuple(told), timeline, pictures)


def _edges_of(graph: RankedGraph, entity: str | None) -> Integers:
    number = np.flatnonzero(graph.entities == entity)
    return np.flatnonzero(np.isin(graph.ends, number).any(axis=1))


def _around(graph: RankedGraph, entity: str, own: Integers) -> Integers:
    """The edges of the neighbours of an entity, except of those that are known much better: they lead everywhere."""
    near = np.unique(graph.ends[own])
    known = graph.documents[near]
    near = near[known <= max(_FIGURES.well_known, int(known[graph.entities[near] == entity].max(initial=0)))]
    found = np.setdiff1d(np.flatnonzero(np.isin(graph.ends, near).any(axis=1)), own)
    return np.sort(found[np.argsort(-graph.weight[found], kind="stable")][: _FIGURES.around])


class _Writer:
    """Titles, entities and key facts of communities; what they need is read in few queries."""

    def __init__(
        self, store: Store, graph: RankedGraph, topics: Sequence[GraphTopic], centre: str | None, own: Integers
    ) -> None:
        self._store, self._graph = store, graph
        self._own = own[graph.asserted[own]]
        most = _FIGURES.entities_with_attributes
        with_facts = {number for topic in topics for number in topic.entities[:most].tolist()}
        subjects = {str(graph.entities[number]) for number in with_facts} | ({centre} if centre else set())
        self._attributes = _attributes(store, subjects)
        edges = {number for topic in topics for number in topic.edges.tolist()} | set(self._own.tolist())
        self._names = _main_entities(store, subjects)
        self._facts = KeyFacts(
            store,
            [
                *(str(graph.edges[number]) for number in sorted(edges)),
                *(edge for said in self._attributes.values() for edge, _ in said),
            ],
        )

    def community(self, topic: GraphTopic, most: int, passed: set[str]) -> CommunityReport | None:
        """A community and its parts, without sentences that were `passed`, to which its own are added.

        `None` where there is nothing to say of it.
        """
        graph = self._graph
        worth = {str(graph.edges[at]): float(value) for at, value in zip(topic.edges, topic.worth, strict=True)}
        for number, strength in zip(
            topic.entities[: _FIGURES.entities_with_attributes], topic.strength, strict=False
        ):
            for edge, confidence in self._attributes.get(str(graph.entities[number]), ()):
                worth[edge] = _FIGURES.attribute * confidence * float(strength) ** 0.5
        facts = self._facts.choose(worth, most, passed)
        if not facts:
            return None
        passed.update(fact.id for fact in facts)
        parts = (self.community(part, min(most, _FIGURES.facts_of_a_part), passed) for part in topic.parts)
        return CommunityReport(
            self._title(topic),
            round(topic.importance, 6),
            len(topic.entities),
            topic.size,
            tuple(self._names[str(key)] for key in graph.entities[topic.entities[: _FIGURES.main_entities]]),
            tuple(facts),
            tuple(part for part in parts if part),
        )

    def entity(self, key: str, most: int) -> EntityReport:
        graph = self._graph
        worth = {str(graph.edges[at]): float(graph.weight[at]) for at in self._own.tolist()} | {
            edge: _FIGURES.attribute * confidence for edge, confidence in self._attributes.get(key, ())
        }
        listed = sorted(worth, key=lambda edge: (-worth[edge], edge))[: _FIGURES.listed]
        said = statements(self._store, listed)
        mentions, documents = self._store.rows("SELECT mentions, documents FROM entities WHERE node_id = ?", [key])[0]
        own = [key, self._names[key].name, _FIGURES.other_wordings]
        return EntityReport(
            self._names[key],
            tuple(self._store.column(_SQL["wordings"], own)),
            mentions,
            documents,
            tuple(self._facts.choose(worth, most)),
            tuple(said[edge] for edge in listed),
        )

    def _title(self, topic: GraphTopic) -> str:
        """The most central entity with what it is, and those that are nearly as central."""
        graph = self._graph
        numbers = topic.entities[: 1 + _FIGURES.other_names]
        named = [
            str(graph.entities[number])
            for number, strength in zip(numbers, topic.strength, strict=False)
            if strength >= _FIGURES.central * topic.strength[0] and graph.named[number]
        ] or [str(graph.entities[numbers[0]])]
        first = str(self._names[named[0]])
        others = (self._names[key].name for key in named[1:])
        return listed_names([first, *(name for name in others if name not in first)])


def listed_names(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed_names(["Ann", "Bo", "Cy"])
    'Ann, Bo and Cy'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _main_entities(store: Store, ids: Collection[str]) -> dict[str, MainEntity]:
    """Entities with what they are: by a sentence that says so, by their office or place, or by their type."""
    rows = store.rows(_SQL["typed"].format(finest=finest("node_id IN (SELECT unnest($1))")), [sorted(ids)])
    said: dict[str, str] = {}
    for key, relation, kind, name in store.rows(_SQL["described"].format(sure=_FIGURES.sure), [sorted(ids)]):
        if key not in said and (words := _description(relation.split()[1:], kind, name)):
            said[key] = words
    return {key: MainEntity(key, name, said.get(key) or kind or "") for key, name, kind in rows}


def _description(relation: Sequence[str], kind: str, name: str) -> str:
    """The description of X in *X is …*, given the words after *is*: `daily newspaper`, `president of Panama`."""
    if kind != "entity":
        return name if not relation and len(name.split()) <= _FIGURES.few_words else ""
    says = len(relation) > 1 and relation[-1] in PREPOSITIONS and kinds_of(relation[-2].casefold())
    words = [*relation, name]
    return " ".join(words) if says and relation[0] != "one" and len(words) <= _FIGURES.most_words else ""


def _attributes(store: Store, ids: Collection[str]) -> dict[str, list[tuple[Any, ...]]]:
    """The asserted dates and numbers of entities, with their confidence."""
    return store.grouped(_SQL["attributes"].format(attributes_each=_FIGURES.attributes_each), [sorted(ids)])


def _sources(store: Store, facts: Iterable[KeyFact]) -> tuple[CitedDocument, ...]:
    """The documents of the facts, in the order in which they are cited."""
    order = list(dict.fromkeys(fact.source for fact in facts))
    cited = store.grouped(_SQL["cited"], [sorted({fact.id for fact in facts})])
    return tuple(
        CitedDocument(source, cited[source][0][0], tuple(CitedSentence(*row[1:]) for row in cited[source]))
        for source in order
    )
