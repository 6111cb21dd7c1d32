"""Training pairs of vectors: a target and a context, with their count.

* Relations: (*is made from*, `x:chocolate`) and (*is made from*, `y:the cocoa bean`) of each assertion (Levy and
  Dagan 2016, supplement).
* Arguments: (*chocolate*, `x:be make from`) and (*chocolate*, `x:be make from:bean`), and the same for objects.
* Words: both ends of every dependency, prepositions collapsed (Levy and Goldberg 2014): *game of thrones* gives
  (game, `pobj:of↓thrones`) and (thrones, `pobj:of↑game`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.assertion import Assertion
from tupelo.core.shipped import queries
from tupelo.inference.statements import folded
from tupelo.nlp.languages.en.grammar import DETERMINERS, UNNAMING_PRONOUNS
from tupelo.relations.phrases import base_relation
from tupelo_training.entail.inclusion import base_argument

if TYPE_CHECKING:
    import duckdb

Ints = NDArray[np.int32]


class ContextPair(NamedTuple):
    """A target and a context, and the count of the pair."""

    target: str
    context: str
    seen: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Distinct pairs as numbers of targets and contexts. Names are ordered by descending count, then by name."""

    targets: tuple[str, ...]
    contexts: tuple[str, ...]
    target_counts: NDArray[np.int64]
    context_counts: NDArray[np.int64]
    target: Ints
    context: Ints
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        """The sum of the counts of all pairs."""
        return int(self.counts.sum())


def relation_pairs(
    assertions: Iterable[Assertion], *, base_forms: bool = False, heads: bool = False
) -> Iterator[ContextPair]:
    """Two pairs of each assertion: its relation with each argument and the argument's slot.

    `heads` merges arguments with the same last word, `base_forms` also the forms of a relation; for small corpora.
    """
    relation = base_relation if base_forms else folded
    argument = base_argument if base_forms or heads else folded
    for found in assertions:
        name = relation(found.relation)
        yield ContextPair(name, f"x:{argument(found.subject)}", found.count)
        yield ContextPair(name, f"y:{argument(found.object)}", found.count)


def bare_argument(text: str) -> str:
    """An argument in lower case without the article or possessive in front.

    >>> [bare_argument(text) for text in ("The  Beatles", "her eldest son", "This")]
    ['beatles', 'eldest son', 'this']
    """
    first, _, rest = folded(text).partition(" ")
    return rest if rest and first in DETERMINERS else folded(text)


def argument_pairs(assertions: Iterable[Assertion]) -> Iterator[ContextPair]:
    """Four pairs of each assertion: its arguments with the relation, also with the last word of the other argument.

    Arguments lose their article or possessive; pronouns are not targets.
    """
    for found in assertions:
        relation = base_relation(found.relation)
        for place, own, other in (("x", found.subject, found.object), ("y", found.object, found.subject)):
            name = bare_argument(own)
            if name not in UNNAMING_PRONOUNS:
                yield ContextPair(name, f"{place}:{relation}", found.count)
                yield ContextPair(name, f"{place}:{relation}:{base_argument(other)}", found.count)


class Arc(NamedTuple):
    """A word, the position of its head (`None` for the root), and the label of the dependency."""

    word: str
    head: int | None
    label: str


# A preposition stands between its head and its object in Stanford dependencies ...
_PREPOSITION, _OBJECTS = "prep", ("pobj", "pcomp")
# ... and below its object in Universal Dependencies.
_CASE, _CASE_MARKED = "case", ("nmod", "obl")


def word_pairs(sentence: Sequence[Arc], count: int = 1) -> Iterator[ContextPair]:
    """Both ends of every dependency of a sentence or a syntactic n-gram; punctuation is ignored."""
    cases = {arc.head: arc.word.lower() for arc in sentence if arc.label == _CASE and arc.head is not None}
    for place, arc in enumerate(sentence):
        if arc.head is None or arc.label in ("punct", "p", _CASE):
            continue
        head, label = sentence[arc.head], arc.label
        if label == _PREPOSITION and any(other.head == place and other.label in _OBJECTS for other in sentence):
            continue
        if label in _OBJECTS and head.label == _PREPOSITION and head.head is not None:
            label, head = f"{label}:{head.word.lower()}", sentence[head.head]
        elif label.partition(":")[0] in _CASE_MARKED and place in cases:
            label = f"{label.partition(':')[0]}:{cases[place]}"
        word, other = arc.word.lower(), head.word.lower()
        yield ContextPair(other, f"{label}↓{word}", count)
        yield ContextPair(word, f"{label}↑{other}", count)


# Pairs per insert into DuckDB.
_BATCH = 200_000
_SQL = queries(__name__)


def count_pairs(
    pairs: Iterable[ContextPair],
    *,
    min_target: int = 1,
    min_context: int = 1,
    memory: str = "2GB",
    scratch: str | None = None,
) -> PairTable:
    """Sum the counts of equal pairs and discard rare names; minimum counts refer to all pairs.

    DuckDB uses at most this `memory`, and the folder `scratch` for the rest, if it is given.
    """
    import duckdb

    connection = duckdb.connect(f"{scratch}/pairs.duckdb" if scratch else ":memory:")
    with connection:
        connection.execute(f"SET memory_limit = '{memory}'")
        connection.execute(_SQL["seen"])
        _insert(connection, pairs)
        connection.execute(_SQL["pairs"])
        connection.execute(_SQL["kept"], {"targets": min_target, "contexts": min_context})
        connection.execute(_SQL["numbers"])
        if not connection.execute("SELECT count(*) FROM kept").fetchall()[0][0]:
            distinct = connection.execute("SELECT count(*) FROM pairs").fetchall()[0][0]
            raise InputError(
                f"no pairs left of {distinct:,}: expected targets seen {min_target} times and contexts seen "
                f"{min_context} times"
            )
        found = connection.execute(_SQL["numbered"]).fetchnumpy()
        targets, contexts = (
            tuple(name for (name,) in connection.execute(f"SELECT name FROM {table} ORDER BY number").fetchall())
            for table in ("numbered_target", "numbered_context")
        )
    target, context, counts = (np.asarray(found[column]) for column in ("target", "context", "seen"))
    return PairTable(
        targets,
        contexts,
        np.bincount(target, counts, len(targets)).astype(np.int64),
        np.bincount(context, counts, len(contexts)).astype(np.int64),
        target.astype(np.int32, copy=False),
        context.astype(np.int32, copy=False),
        counts.astype(np.int64, copy=False),
    )


def _insert(connection: duckdb.DuckDBPyConnection, pairs: Iterable[ContextPair]) -> None:
    import pyarrow as pa

    source = iter(pairs)
    while batch := list(islice(source, _BATCH)):
        targets, contexts, counts = zip(*batch, strict=True)
        connection.register("batch", pa.table({"target": targets, "context": contexts, "seen": counts}))
        connection.execute("INSERT INTO seen FROM batch")
        connection.unregister("batch")
