"""Nearest neighbours among many vectors: exact, or by an index of faiss (the extra `scale`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import numpy as np

from tupelo.core import InputError, MissingExtraError
from tupelo.core.parameters import Among, Count, PathLike, Spelled
from tupelo.core.results import Tabular
from tupelo.core.vectors import Floats32, Neighbour, Vectors
from tupelo.io.vectors import AUTO, FORMATS, read_vectors
from tupelo.relations.phrases import base_relation

VECTOR_FORMATS = (AUTO, *FORMATS)
# Below this an index takes longer to build than it saves.
WORTH_AN_INDEX = 200_000
_LINKS, _BUILD_WIDTH, _SEARCH_WIDTH = 32, 80, 128


class ApproximateIndex:
    """A graph of near neighbours (HNSW, Malkov and Yashunin 2018) over the directions of vectors."""

    def __init__(self, vectors: Vectors) -> None:
        try:
            import faiss
        except ImportError as error:
            raise MissingExtraError("an approximate index", "scale") from error
        self._vectors = vectors
        self._index: Any = faiss.IndexHNSWFlat(vectors.size, _LINKS, faiss.METRIC_INNER_PRODUCT)
        self._index.hnsw.efConstruction = _BUILD_WIDTH
        self._index.hnsw.efSearch = _SEARCH_WIDTH
        self._index.add(np.ascontiguousarray(vectors.directions))

    def neighbours(self, name: str, count: int = 10) -> list[Neighbour]:
        own = self._vectors.vector(name)
        direction: Floats32 = own / max(float(np.linalg.norm(own)), 1e-12)
        cosines, rows = self._index.search(direction[None].astype(np.float32), count + 1)
        found = [
            Neighbour(self._vectors.names[row], float(cosine))
            for row, cosine in zip(rows[0].tolist(), cosines[0].tolist(), strict=True)
            if row >= 0 and self._vectors.names[row] != name
        ]
        return found[:count]


@dataclass(frozen=True, slots=True)
class NearestNames(Tabular):
    """The nearest neighbours of names, nearest first."""

    found: Mapping[str, Sequence[Neighbour]]

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The output of `tupelo embed neighbours --json`."""
        return {name: [item._asdict() for item in items] for name, items in self.found.items()}

    def rows(self) -> list[dict[str, Any]]:
        """One row per neighbour."""
        return [
            {"name": name, "neighbour": item.name, "cosine": item.cosine}
            for name, items in self.found.items()
            for item in items
        ]

    def __str__(self) -> str:
        return "\n".join(
            line
            for name, items in self.found.items()
            for line in (name, *(f"  {item.cosine:.3f}  {item.name}" for item in items))
        )


@dataclass(frozen=True, slots=True)
class NeighbourListing:
    """Filters of neighbours: minimum cosine and count, and with `distinct` one for each base form."""

    count: int = 10
    min_cosine: float = -1.0
    min_seen: int = 1
    distinct: bool = False


def nearest_names(
    vectors: Vectors, names: Sequence[str], listing: NeighbourListing | None = None, kind: str = "auto"
) -> NearestNames:
    """The nearest neighbours of names, by the index that `choose_index` selects."""
    chosen = listing or NeighbourListing()
    if chosen.min_seen > 1 and vectors.counts is None:
        raise InputError("these vectors have no counts of names, expected a safetensors file of ours")
    index = choose_index(vectors, kind)
    return NearestNames({name: _listed(vectors, index, name, chosen) for name in names})


def _listed(
    vectors: Vectors, index: Vectors | ApproximateIndex, name: str, listing: NeighbourListing
) -> list[Neighbour]:
    """The neighbours that pass the filters; the search is widened until there are enough."""
    width = listing.count
    while True:
        offered = index.neighbours(name, width)
        found = list(islice(_allowed(vectors, offered, name, listing), listing.count))
        enough = len(found) == listing.count or len(offered) < width or offered[-1].cosine < listing.min_cosine
        if enough:
            return found
        width *= 4


def _allowed(
    vectors: Vectors, offered: Sequence[Neighbour], name: str, listing: NeighbourListing
) -> Iterator[Neighbour]:
    forms = {base_relation(name)}
    for item in offered:
        form = base_relation(item.name)
        seen = vectors.counts[vectors.index[item.name]] if vectors.counts else 1
        if (
            item.cosine >= listing.min_cosine
            and seen >= listing.min_seen
            and not (listing.distinct and form in forms)
        ):
            forms.add(form)
            yield item


def choose_index(vectors: Vectors, kind: str = "auto") -> Vectors | ApproximateIndex:
    """The index `exact`, `approximate`, or by number of vectors and installed packages."""
    if kind not in ("auto", "exact", "approximate"):
        raise InputError(f"no index named '{kind}'. Known: auto, exact, approximate")
    if kind == "approximate":
        return ApproximateIndex(vectors)
    if kind == "auto" and len(vectors) >= WORTH_AN_INDEX:
        from importlib.util import find_spec

        if find_spec("faiss") is not None:
            return ApproximateIndex(vectors)
    return vectors


def neighbours(
    vectors: PathLike | Vectors,
    names: Annotated[Sequence[str], Spelled.of("NAMES...")],
    count: Annotated[Count, Spelled.of("-n", "--limit"), "At most N neighbours per name."] = 10,
    *,
    min_cosine: Annotated[float, "List none below this cosine."] = -1.0,
    min_seen: Annotated[Count, "List none that the corpus has fewer times."] = 1,
    distinct: Annotated[bool, "List no other form of the same phrase (was born in, were born in)."] = False,
    index: Annotated[
        str,
        Among(("auto", "exact", "approximate")),
        "Compare with every vector, or by an index (needs the extra scale).",
    ] = "auto",
    format: Annotated[str, Among(VECTOR_FORMATS), "Format of the vectors; auto goes by the name."] = "auto",
) -> NearestNames:
    """The names with the nearest vectors; `index` is `exact`, `approximate` or `auto`.

    Listed are only those with a cosine of `min_cosine`, seen `min_seen` times and, with `distinct`, one for each base
    form.
    """
    if isinstance(vectors, str | os.PathLike):
        vectors = read_vectors(vectors, format)
    return nearest_names(vectors, names, NeighbourListing(count, min_cosine, min_seen, distinct), index)
