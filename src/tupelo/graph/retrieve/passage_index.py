"""The index that retrieval keeps in memory: the network of entities and passages, and the vectors of passages.

Nodes are numbered: entities first, then passages, then names. A passage is linked to the entities that it mentions,
in a tuple or by a name that few entities have, and closely to the one that the title of its document names; an entity
to those that it has edges with; a name to the entities, and to the passages with that title, that share it; a title
to its passages and to those that mention it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core.shipped import figures, queries
from tupelo.graph.query.edges import EVERYTHING, StatementView
from tupelo.graph.query.network import Network
from tupelo.graph.store.file import Store

_SQL = queries(__name__)
Encode = Callable[[list[str]], NDArray[np.float32]]
_FIGURES = figures(__name__, "retrieve.toml")
SUBWORDS: int = _FIGURES.subwords


@dataclass(frozen=True, slots=True)
class Links:
    """The links of the network, as rows of two numbers each.

    `mentioned` and `about` have a passage and an entity, `stated` two entities, `same` the number of a name and a
    node: an entity, or a passage that counts on from the last entity. `named` says which entities have a name.
    """

    mentioned: NDArray[np.int64]
    about: NDArray[np.int64]
    stated: NDArray[np.int64]
    same: NDArray[np.int64]
    named: NDArray[np.bool_] | None = field(default=None, kw_only=True)


class PassagePlace(NamedTuple):
    """A passage: its document, and which sentences and characters of it."""

    passage_id: str
    document_id: str
    source: str
    title: str | None
    first_sentence: int
    last_sentence: int
    start: int | None
    end: int | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """The entities and passages of a graph by their numbers, and their network.

    `numbers` has the number of every entity and passage in the network. `spread` says in how many passages a node is
    found; `vectors` has a unit vector per passage, and `average_length` is that of passages in words. `places` says
    where each passage is from; `titles` has those whose titles name no entity in them. `words` keeps what was looked
    up: the numbers of the passages that have a word, and their scores.
    """

    entities: Sequence[str]
    passages: Sequence[str]
    numbers: Mapping[str, int]
    network: Network
    spread: NDArray[np.int64]
    vectors: NDArray[np.float32] | None = None
    average_length: float = 1.0
    places: Sequence[PassagePlace] = ()
    titles: Mapping[str, Sequence[int]] = field(default_factory=dict)
    words: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)


def index_of(
    entities: Sequence[str], passages: Sequence[str], links: Links, vectors: NDArray[np.float32] | None = None
) -> PassageIndex:
    """Put the links together."""
    count = len(entities)
    named = np.ones(count, dtype=bool) if links.named is None else links.named
    nodes = count + len(passages)
    after_entities, after_passages = np.array([count, 0]), np.array([nodes, 0])
    passage_links = np.concatenate([links.mentioned, links.about]) + after_entities
    ends = np.concatenate([passage_links, links.stated, links.same + after_passages])
    weights = np.concatenate(
        [
            np.where(named[links.mentioned[:, 1]], _FIGURES.mentioned, _FIGURES.described),
            np.full(len(links.about), _FIGURES.about),
            np.where(named[links.stated].all(axis=1), _FIGURES.stated, _FIGURES.described),
            np.where(links.same[:, 1] < count, _FIGURES.same_name, _FIGURES.about),
        ]
    )
    names = int(links.same[:, 0].max()) + 1 if len(links.same) else 0
    spread = np.bincount(links.mentioned[:, 1], minlength=nodes)
    numbers = {key: number for number, key in enumerate((*entities, *passages))}
    network = Network(ends, weights, nodes + names)
    return PassageIndex(entities, passages, numbers, network, np.maximum(spread, 1), vectors)


_LINKS = ("mentioned", "about", "stated", "same")


def load_index(store: Store, encoder: str | None = None, view: StatementView = EVERYTHING) -> PassageIndex:
    """The index of the statements of a view, with vectors if all passages have one of this encoder."""
    kept = view.condition("said")
    chosen = _SQL["nodes"].format(kept=kept)
    numbered = _SQL["numbered"].format(few=_FIGURES.few, nodes=chosen)
    nodes = store.rows(f"{chosen} ORDER BY 2")
    entities = [key for key, *_ in nodes]
    places = [PassagePlace(*row) for row in store.rows(_SQL["places"])]
    passages = [place.passage_id for place in places]
    kinds = (f"SELECT {kind}, * FROM ({_SQL[name].format(kept=kept)})" for kind, name in enumerate(_LINKS))
    found = store.integers(f"{numbered} {' UNION ALL '.join(kinds)} ORDER BY ALL")
    links = {name: found[found[:, 0] == kind, 1:] for kind, name in enumerate(_LINKS)}
    index = index_of(
        entities,
        passages,
        Links(**links, named=np.array([kind == "entity" for *_, kind in nodes], dtype=bool)),
        _vectors(store, passages, encoder),
    )
    (words,) = store.rows("SELECT coalesce(sum(times), 0) FROM passage_words")[0]
    titles: dict[str, list[int]] = {}
    for form, passage in store.rows(
        f"{numbered} SELECT form, passage FROM alone JOIN p USING (passage_id) ORDER BY ALL"
    ):
        titles.setdefault(form, []).append(len(entities) + passage)
    return replace(index, average_length=float(words) / max(len(passages), 1), places=places, titles=titles)


def named_nodes(store: Store, index: PassageIndex, forms: Iterable[str]) -> dict[str, list[int]]:
    """The nodes that have these names: entities, and passages whose titles name no entity in them."""
    asked = sorted(set(forms))
    found = {form: {*index.titles[form]} for form in asked if form in index.titles}
    rows = store.rows(
        "SELECT form, owner_id FROM aliases WHERE owner = 'entity' AND form IN (SELECT unnest(?))", [asked]
    )
    for form, key in rows:
        if key in index.numbers:
            found.setdefault(form, set()).add(index.numbers[key])
    return {form: sorted(nodes) for form, nodes in sorted(found.items())}


def missing_vectors(store: Store, encoder: str) -> int:
    """The number of passages without a vector of this encoder."""
    return int(store.rows(f"SELECT count(*) FROM passages WHERE {_WITHOUT_VECTOR}", [encoder])[0][0])


_WITHOUT_VECTOR = "passage_id NOT IN (SELECT passage_id FROM passage_vectors WHERE encoder = ?)"


def write_vectors(
    store: Store, encoder: str, encode: Encode, advance: Callable[[int], None] = lambda passages: None
) -> None:
    """Encode the passages that have no vector of this encoder yet."""
    import pyarrow as pa

    rows = store.rows(f"SELECT passage_id FROM passages WHERE {_WITHOUT_VECTOR} ORDER BY passage_id", [encoder])
    keys = [key for (key,) in rows]
    with store.transaction():
        store.run("DELETE FROM passage_vectors WHERE encoder <> ?", [encoder])
        for start in range(0, len(keys), _FIGURES.batch):
            batch = keys[start : start + _FIGURES.batch]
            texts = passage_texts(store, batch)
            packed = [_packed(vector) for vector in encode([texts[key] for key in batch])]
            columns = {"passage_id": batch, "encoder": [encoder] * len(batch), "vector": packed}
            store.insert_arrow("passage_vectors", pa.table(columns))
            advance(len(batch))
    store.run("CHECKPOINT")


def passage_texts(store: Store, keys: Collection[str]) -> dict[str, str]:
    """The text that is encoded: the title of the document and the sentences."""
    return dict(store.rows(_SQL["texts"], [list(keys)]))


def _packed(vector: NDArray[np.float32]) -> bytes:
    largest = max(float(np.abs(vector).max()), 1e-12)
    return np.round(vector * (127 / largest)).astype(np.int8).tobytes()


def _vectors(store: Store, passages: Sequence[str], encoder: str | None) -> NDArray[np.float32] | None:
    rows = store.rows(_SQL["vectors"], [encoder])
    if not passages or len(rows) < len(passages):
        return None
    vectors = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.int8).reshape(len(rows), -1).astype(np.float32)
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), dtype=np.float32)
