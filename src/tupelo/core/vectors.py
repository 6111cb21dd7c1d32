"""Names with a vector of numbers each, and arrays in the safetensors format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core.errors import InputError, UnknownNameError

Floats32 = NDArray[np.float32]

# Rows compared at once when neighbours are looked for: bounds memory, not the result.
_ROWS = 65_536
# Names that share a word with an unknown one, few enough for a message.
_NEAR = 50


class Neighbour(NamedTuple):
    """A name and the cosine of its vector with the one that was asked about."""

    name: str
    cosine: float


@dataclass(frozen=True, eq=False)
class Vectors:
    """`matrix` has a row for each of `names`, in order. `counts` are their frequencies, where known."""

    names: tuple[str, ...]
    matrix: Floats32
    counts: tuple[int, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.matrix) != len(self.names):
            raise InputError(
                f"{len(self.names)} names and a matrix of shape {self.matrix.shape}, expected a row each"
            )

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.index

    @property
    def size(self) -> int:
        """Numbers per vector."""
        return int(self.matrix.shape[1])

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Row of each name; the first one where a name is there twice."""
        rows: dict[str, int] = {}
        for row, name in enumerate(self.names):
            rows.setdefault(name, row)
        return rows

    @cached_property
    def directions(self) -> Floats32:
        """The vectors at length 1; a vector of zeros stays what it is."""
        return unit_rows(self.matrix)

    def vector(self, name: str) -> Floats32:
        """The vector of a name; an error with a suggestion when there is none."""
        if name not in self.index:
            words = set(name.lower().split())
            near = [other for other in self.names if words & set(other.lower().split())]
            raise UnknownNameError.among("vector", name, near[:_NEAR] or self.names[:10])
        vector: Floats32 = self.matrix[self.index[name]]
        return vector

    def cosine(self, one: str, other: str) -> float | None:
        """Cosine of the angle between two vectors; `None` when one of them is not known."""
        if one not in self.index or other not in self.index:
            return None
        return float(self.directions[self.index[one]] @ self.directions[self.index[other]])

    def neighbours(self, name: str, count: int = 10) -> list[Neighbour]:
        """The nearest other names by cosine, exactly; of equals the one that comes first."""
        own = self.index.get(name)
        direction = unit_rows(self.vector(name)[None])[0]
        found = self.nearest(direction, count + 1)
        return [item for item in found if own is None or item.name != name][:count]

    def nearest(self, direction: Floats32, count: int) -> list[Neighbour]:
        """The names whose vectors have the largest cosine with a vector of length 1."""
        cosines = np.concatenate(
            [self.directions[start : start + _ROWS] @ direction for start in range(0, len(self), _ROWS)]
            or [np.empty(0, np.float32)]
        )
        if count < len(cosines):
            # Ties at the cut are kept, so that the order of names decides and not the partition.
            least = np.partition(cosines, len(cosines) - count)[len(cosines) - count]
            rows = np.flatnonzero(cosines >= least)
        else:
            rows = np.arange(len(cosines))
        best = rows[np.argsort(-cosines[rows], kind="stable")][:count]
        return [Neighbour(self.names[row], float(cosines[row])) for row in best.tolist()]


def unit_rows(matrix: Floats32) -> Floats32:
    """Every row divided by its length, rows of zeros unchanged."""
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


Array = NDArray[Any]

# The format is read here because it is three lines long (the size of the header, the header in JSON, the numbers)
# and files of others must give a clear message when they are broken.
KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}
METADATA = "__metadata__"
_HEADER_LIMIT = 100_000_000


def looks_like_tensors(head: bytes) -> bool:
    """Whether a file that begins so can be a safetensors file."""
    return len(head) > 8 and head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= _HEADER_LIMIT


def parse_tensors(data: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    """Arrays by name, and the metadata. Raises `ValueError` that says what is wrong."""
    if not looks_like_tensors(data):
        raise ValueError("no header of a safetensors file")
    size = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + size])
    except ValueError as error:
        raise ValueError(f"the header is not JSON ({error})") from error
    metadata = header.pop(METADATA, {})
    body, arrays = memoryview(data)[8 + size :], {}
    for name, entry in header.items():
        try:
            kind, shape, (start, end) = np.dtype(KINDS[entry["dtype"]]), tuple(entry["shape"]), entry["data_offsets"]
            array = np.frombuffer(body[start:end], dtype=kind).reshape(shape)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"tensor {name!r} is broken ({error})") from error
        arrays[name] = array
    return arrays, {str(key): str(value) for key, value in metadata.items()}
