"""Passages that help to answer a question, best first, with the paths that lead to them. No language model.

1. The names in the question are looked up. They are nodes of the network of entities and passages.
2. A random walk starts from them (`walk`): rarer ones are likelier starts. Where nothing is named, it starts from the
   passages that the words and the vectors find.
3. Words give three BM25 scores: one for all words of the question, one for words with the same first letters, and
   one for those outside names, which say what is asked. Vectors, where the graph has them, give a similarity.
4. Each of these is scaled to 0 … 1 over all passages, and the score of a passage is their weighted sum. The weight of
   a kind of evidence depends on the question (`FEATURES`): a walk that reaches all pages alike says little. The
   coefficients are in `mixture.json`, learned by `tupelo_training.mixture`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.blocks import BELOW
from tupelo.core.results import values_of
from tupelo.core.shipped import declared, figures, queries
from tupelo.graph.build.plan import file_of
from tupelo.graph.query.answers import AnswerItem, AnswerTable, Evidence
from tupelo.graph.query.edges import EVERYTHING, StatementView, evidence
from tupelo.graph.query.lookup import K1, B
from tupelo.graph.retrieve.passage_index import (
    Encode,
    PassageIndex,
    PassagePlace,
    load_index,
    named_nodes,
)
from tupelo.graph.retrieve.question import chosen_names, other_words, possible_names, question_words
from tupelo.graph.store.file import Store

Scores = NDArray[np.float64]
_SQL = queries(__name__)
_FIGURES = figures(__name__, "retrieve.toml")


# The numbers that the weights depend on: a constant; which share of the first passages by the walk are also first by
# words; how much more the walk reaches the first of these than the last.
FEATURES = ("constant", "agreement", "distinct")
# `order` is the place of a passage by the walk.
KINDS = ("walk", "order", "words", "stems", "others", "vectors")


@dataclass(frozen=True, slots=True)
class Signals:
    """The evidence for each passage, by its kind, and the names and words of the question that it rests on.

    `evidence` is scaled to 0 … 1, with vectors where the graph has them. `features` are the values of `FEATURES`.
    """

    names: Mapping[str, Sequence[int]]
    asked: Sequence[str]
    rank: Scores
    evidence: Mapping[str, Scores]
    features: Scores

    def weights(self, mixture: Mapping[str, Sequence[float]] | None = None) -> dict[str, float]:
        """The weight of each kind of evidence for this question."""
        chosen = mixture or MIXTURES["with vectors" if "vectors" in self.evidence else "without vectors"]
        return {kind: float(self.features @ np.asarray(chosen[kind])) for kind in self.evidence}


# For each kind of evidence a coefficient per feature.
MIXTURES: Mapping[str, Mapping[str, Sequence[float]]] = declared(__name__, "mixture.json")["mixtures"]


def mix(signals: Signals, mixture: Mapping[str, Sequence[float]] | None = None) -> Scores:
    """The scores of all passages."""
    parts = [weight * signals.evidence[kind] for kind, weight in signals.weights(mixture).items()]
    return np.asarray(np.sum(parts, axis=0), dtype=np.float64)


def best(scores: Scores, top: int) -> list[int]:
    """The numbers of the passages with the highest scores; of equal ones, the first."""
    return [int(number) for number in np.argsort(-scores, kind="stable")[:top]]


def find_signals(
    index: PassageIndex,
    question: str,
    known: Callable[[Iterable[str]], Mapping[str, Sequence[int]]],
    search: Callable[[Collection[str], Collection[str]], tuple[Scores, Scores, Scores]],
    encode: Encode | None,
) -> Signals:
    """The evidence for all passages. `known` looks up names, `search` is `search_passages`."""
    spans = list(possible_names(question))
    nodes = known({span.form for span in spans})
    names = {form: nodes[form] for form in chosen_names(spans, nodes)}
    asked = other_words(question, names)
    words, stems, others = map(_scaled, search(question_words(question), asked))
    vectors = None
    if index.vectors is not None and encode is not None:
        vectors = _scaled(np.asarray(index.vectors @ encode([question])[0], dtype=np.float64))
    start = _starts(index, names, words if vectors is None else (words + vectors) / 2)
    rank = index.network.rank(start, damping=_FIGURES.damping, rounds=_FIGURES.rounds)
    first = len(index.entities)
    reached = rank[first : first + len(index.passages)]
    # In orders of magnitude below the passage that is reached most.
    walk = 1 + np.log10(reached / max(reached.max(initial=0.0), 1e-300) + 10.0**-_FIGURES.orders) / _FIGURES.orders
    order = np.empty(len(walk))
    order[np.argsort(-walk, kind="stable")] = 1 / (1 + np.arange(len(walk)) / _FIGURES.half)
    evidence = {"walk": walk, "order": order, "words": words, "stems": stems, "others": others}
    features = _features(walk, words)
    return Signals(names, asked, rank, evidence if vectors is None else {**evidence, "vectors": vectors}, features)


def _features(walk: Scores, words: Scores) -> Scores:
    """The values of `FEATURES`."""
    compared = min(_FIGURES.compared, len(walk))
    by_walk, by_words = (best(scores, compared) for scores in (walk, words))
    agreement = len({*by_walk} & {*by_words}) / max(compared, 1)
    return np.array([1.0, agreement, float(walk[by_walk[0]] - walk[by_walk[-1]]) if compared else 0.0])


def _starts(index: PassageIndex, names: Mapping[str, Sequence[int]], text: Scores) -> Scores:
    """The start of the walk: nodes that are named, or else the passages with the most similar text."""
    start = np.zeros(index.network.size)
    for nodes in names.values():
        start[list(nodes)] += 1 / (index.spread[list(nodes)] * len(nodes))
    if not names:
        chosen = best(text, _FIGURES.starts)
        start[[len(index.entities) + number for number in chosen]] = text[chosen] ** _FIGURES.preference
    return start


def _scaled(scores: Scores) -> Scores:
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def search_passages(
    store: Store, index: PassageIndex, words: Collection[str], others: Collection[str]
) -> tuple[Scores, Scores, Scores]:
    """The BM25 scores of all passages for some words, for their stems, and for those of the words in `others`."""
    stems = list(dict.fromkeys(f"{word[: _FIGURES.letters]}*" for word in words))
    _look_up(store, index, [form for form in (*words, *stems) if form not in index.words])
    found = np.zeros((3, len(index.passages)))
    for row, forms in enumerate((words, stems, [word for word in words if word in others])):
        for form in forms:
            passages, scores = index.words[form]
            found[row, passages] += scores
    return found[0] / 1_000_000, found[1] / 1_000_000, found[2] / 1_000_000


def _look_up(store: Store, index: PassageIndex, forms: Sequence[str]) -> None:
    """Add words, and stems with an asterisk, to those that the index keeps."""
    if not forms:
        return
    rows = store.rows(_SQL["forms"].format(letters=_FIGURES.letters), [forms])
    nowhere = np.array([], dtype=np.int64)
    found = dict.fromkeys(forms, (nowhere, nowhere.astype(np.float64)))
    for form, keys, *counted in rows:
        times, length = np.array(counted, dtype=np.float64)
        weight = log(1 + (len(index.passages) - len(keys) + 0.5) / (len(keys) + 0.5))
        score = weight * times * (K1 + 1) / (times + K1 * (1 - B + B * length / index.average_length))
        numbers = np.array([index.numbers[key] for key in keys], dtype=np.int64) - len(index.entities)
        # In millionths: a sum of whole numbers does not depend on the order of words.
        found[form] = numbers, np.round(1_000_000 * score)
    index.words.update(found)


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step from one entity to another: by an edge, or because a passage mentions both.

    Where a title is named in the question, the path begins with what its passage mentions.
    """

    subject: str
    relation: str | None
    object: str
    edge: str | None = None
    passage: str | None = None

    def __str__(self) -> str:
        return f"{self.subject} — {self.relation or '(same passage)'} → {self.object}"

    def to_dict(self) -> dict[str, str | None]:
        row = {"subject": self.subject, "relation": self.relation, "object": self.object}
        return {**row, "edge": self.edge} if self.edge else {**row, "passage": self.passage}


@dataclass(frozen=True, slots=True)
class RetrievedPassage(AnswerItem):
    """A passage: `id` is that of its document, `start` and `end` are characters of the document's text; all of it is
    below `heading`.

    `path` leads from a name in the question to something that the passage mentions; it is empty where the passage
    mentions that name itself, or where only its words were found. `parts` has what each kind of evidence
    adds to the score.
    """

    id: str
    passage_id: str
    source: str
    title: str | None
    start: int | None
    end: int | None
    heading: str | None
    text: str
    score: float
    path: tuple[PathStep, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    parts: Mapping[str, float] | None = None

    @property
    def cells(self) -> tuple[object, ...]:
        place = "" if self.start is None else f":{self.start}-{self.end}"
        return round(self.score, 3), f"{self.source}{place}", BELOW.join(filter(None, (self.title, self.heading)))

    @property
    def sentences(self) -> Sequence[Evidence]:
        return self.evidence

    @property
    def details(self) -> dict[str, Any]:
        place = values_of(self, "source", "start", "end")
        return {"text": self.text, "document": self.id, **place, "path": [str(step) for step in self.path]}

    @property
    def notes(self) -> tuple[str, ...]:
        explained = [", ".join(f"{name} {value:+.2f}" for name, value in self.parts.items())] if self.parts else []
        return (self.text, *map(str, self.path), *explained)

    def to_dict(self) -> dict[str, Any]:
        row = {
            **self.to_line(),
            "passage": self.passage_id,
            **values_of(self, "source", "title", "heading", "start", "end", "text"),
            "evidence": [values_of(said, "sentence", "source") for said in self.evidence],
        }
        return {**row, "parts": dict(self.parts)} if self.parts else row

    def to_line(self) -> dict[str, Any]:
        """As `retrieve --questions` writes it."""
        return {"id": self.id, "score": self.score, "path": [step.to_dict() for step in self.path]}


@dataclass(frozen=True, slots=True)
class Retriever:
    """A graph that is asked for passages: its file, its index, and the encoder where the graph has vectors."""

    store: Store
    index: PassageIndex
    encode: Encode | None = None
    view: StatementView = EVERYTHING

    @classmethod
    def open(
        cls,
        store: Store,
        encode: Encode | None = None,
        encoder: str | None = None,
        view: StatementView = EVERYTHING,
    ) -> Retriever:
        """Load the index of a view, with the vectors of `encoder`."""
        return cls(store, load_index(store, encoder, view), encode, view)

    def signals(self, question: str) -> Signals:
        """The evidence for each passage."""
        if not question_words(question):
            raise InputError(f"'{question}' has no word to search for, expected a question")
        return find_signals(
            self.index,
            question,
            lambda forms: named_nodes(self.store, self.index, forms),
            lambda words, others: search_passages(self.store, self.index, words, others),
            self.encode,
        )

    def __call__(
        self, question: str, *, top: int = 5, sentences: int = 0, plan: bool = False, signals: Signals | None = None
    ) -> AnswerTable:
        """The `top` passages for a question, with at most `sentences` for each edge of their paths."""
        signals = signals or self.signals(question)
        scores = mix(signals)
        chosen = best(scores, top)
        paths = _paths(self.store, self.index, signals, chosen)
        edges = [step.edge for path in paths for step in path if step.edge]
        quoted = evidence(self.store, edges, sentences) if sentences else {}
        described = _described(self.store, [self.index.places[number] for number in chosen])
        items = tuple(
            RetrievedPassage(
                *(
                    *described[self.index.passages[number]],
                    round(float(scores[number]), 6),
                    path,
                    tuple(said for step in path for said in quoted.get(step.edge or "", ())),
                    _parts(signals, number) if plan else None,
                )
            )
            for number, path in zip(chosen, paths, strict=True)
        )
        remarks = _plan(self.index, signals) if plan else ()
        return AnswerTable(("score", "where", "title"), items, {"question": question}, remarks)


def _parts(signals: Signals, number: int) -> dict[str, float]:
    return {kind: weight * float(signals.evidence[kind][number]) for kind, weight in signals.weights().items()}


def _plan(index: PassageIndex, signals: Signals) -> tuple[str, ...]:
    """An explanation of how the passages were found, in lines."""
    added = " + ".join(f"{weight:.2f} {kind}" for kind, weight in signals.weights().items())
    starts = [f"  {form}: {_count(len(nodes), 'node')}" for form, nodes in signals.names.items()]
    return (
        f"{_count(len(index.passages), 'passage')}, {'with' if 'vectors' in signals.evidence else 'without'} vectors",
        "names in the question, where the walk starts:"
        if starts
        else "no known name: the walk starts from text search",
        *starts,
        f"other words: {', '.join(signals.asked) or 'none'}",
        f"score = {added}".replace("+ -", "- "),
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _described(store: Store, places: Sequence[PassagePlace]) -> dict[str, tuple[Any, ...]]:
    """Id of the document, passage, source, title, place and text of passages."""
    asked = [(place.passage_id, place.document_id, place.first_sentence, place.last_sentence) for place in places]
    rows = store.rows(_SQL["texts"], [list(column) for column in zip(*asked, strict=True)] or [[], [], [], []])
    texts: dict[str, list[str]] = {}
    for key, text in rows:
        texts.setdefault(key, []).append(text)
    files = {source for (source,) in store.rows("SELECT source FROM files")}
    return {
        one.passage_id: (
            *(own_id(one.source, files), one.passage_id, one.source, one.title, one.start, one.end, one.heading),
            "".join(texts[one.passage_id]),
        )
        for one in places
    }


def own_id(source: str, files: Collection[str]) -> str:
    """The id that a document has in its file of records, or else its source.

    >>> own_id("news.jsonl#7", {"news.jsonl"}), own_id("notes/a.txt", {"notes/a.txt"})
    ('7', 'notes/a.txt')
    """
    file = file_of(source, files)
    return source[len(file) + 1 :] if file and source[len(file) :].startswith("#") else source


def _paths(store: Store, index: PassageIndex, signals: Signals, chosen: Sequence[int]) -> list[tuple[PathStep, ...]]:
    """For each passage, the steps between entities that lead to it from a name in the question."""
    starts = {node for nodes in signals.names.values() for node in nodes}
    if not starts:
        return [() for _ in chosen]
    first = len(index.entities)
    distance = index.network.distances(starts, _FIGURES.longest, [first + number for number in chosen])
    hops = [_hops(index, index.network.path(first + number, signals.rank, distance)) for number in chosen]
    over = [hop for path in hops for hop in path if hop.via is not None]
    ends = {index.entities[node] for hop in over for node in (hop.start, hop.end) if node != -1}
    names = _names(store, ends) | {
        place.passage_id: place.source if place.title is None else place.title
        for place in (index.places[hop.via] for hop in over if hop.via is not None)
    }
    direct = [hop for path in hops for hop in path if hop.via is None]
    edges = _edges_between(store, {(index.entities[hop.start], index.entities[hop.end]) for hop in direct})
    return [tuple(_steps(index, path, edges, names)) for path in hops]


class _Hop(NamedTuple):
    """From one entity to the next, with the passage between them; -1 where a path begins in that passage."""

    start: int
    end: int
    via: int | None


def _hops(index: PassageIndex, path: Sequence[int]) -> list[_Hop]:
    count, last = len(index.entities), len(index.entities) + len(index.passages)
    found: list[_Hop] = []
    before, via = -1, None
    for node in path:
        if node < count:
            if before != -1 or via is not None:
                found.append(_Hop(before, node, via))
            before, via = node, None
        elif node < last:
            via = node - count
    return found


def _steps(
    index: PassageIndex,
    path: Iterable[_Hop],
    edges: Mapping[tuple[str, str], tuple[str, ...]],
    names: Mapping[str, str],
) -> Iterator[PathStep]:
    for hop in path:
        end = index.entities[hop.end]
        if hop.via is not None:
            passage = index.passages[hop.via]
            start = passage if hop.start == -1 else index.entities[hop.start]
            yield PathStep(names[start], None, names[end], passage=passage)
        elif (edge := edges.get((index.entities[hop.start], end))) is not None:
            subject, relation, object_, edge_id = edge
            yield PathStep(subject, relation, object_, edge=edge_id)
        # Otherwise they are two entities of one name.


def _edges_between(store: Store, pairs: Collection[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The most confident edge between two entities, in whichever direction: subject, relation, object and id."""
    if not pairs:
        return {}
    firsts, seconds = [pair[0] for pair in sorted(pairs)], [pair[1] for pair in sorted(pairs)]
    rows = store.rows(_SQL["edges_between"], [firsts, seconds])
    return {(row[0], row[1]): row[2:] for row in rows}


def _names(store: Store, entities: Collection[str]) -> dict[str, str]:
    if not entities:
        return {}
    sql = "SELECT node_id, name FROM nodes WHERE node_id IN (SELECT unnest(?))"
    return dict(store.rows(sql, [sorted(entities)]))
