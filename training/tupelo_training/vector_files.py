"""Files of arrays and of vectors, written: safetensors, word2vec and GloVe."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tupelo.core import InputError
from tupelo.core.vectors import KINDS, METADATA, Array, Vectors
from tupelo.io.files import open_output
from tupelo.io.vectors import AUTO, check_format

_NAMES = {np.dtype(kind): name for name, kind in KINDS.items()}
_ENDINGS = {".safetensors": "safetensors", ".bin": "word2vec-binary"}


def tensor_parts(arrays: Mapping[str, Array], metadata: Mapping[str, str] | None = None) -> Iterator[bytes]:
    """The file in parts, the same bytes for the same arrays. Large arrays are not copied at once."""
    header: dict[str, Any] = {METADATA: dict(sorted(metadata.items()))} if metadata else {}
    offset = 0
    for name, array in arrays.items():
        size = array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype.newbyteorder("<")],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode("utf-8")
    # Numbers begin at a multiple of eight, as the format asks.
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little")
    yield text
    for array in arrays.values():
        yield np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes()


def write_vectors(name: str | os.PathLike[str], vectors: Vectors, format_name: str = AUTO) -> None:
    """Write a file, whole or not at all; `auto` goes by the ending of its name, text where that says nothing."""
    check_format(format_name)
    if format_name == AUTO:
        plain = str(name).removesuffix(".gz")
        format_name = next((kind for ending, kind in _ENDINGS.items() if plain.endswith(ending)), "word2vec")
    with open_output(name) as stream:
        for piece in vector_bytes(vectors, format_name):
            stream.write(piece)


def vector_bytes(vectors: Vectors, format_name: str) -> Iterator[bytes]:
    """The content of a file of vectors."""
    if format_name == "safetensors":
        if any("\n" in name for name in vectors.names):
            raise InputError("a name holds a line break, expected names of one line")
        names = np.frombuffer("\n".join(vectors.names).encode("utf-8"), dtype=np.uint8)
        arrays: dict[str, Array] = {"vectors": vectors.matrix.astype(np.float32, copy=False), "names": names}
        if vectors.counts is not None:
            arrays["counts"] = np.array(vectors.counts, dtype=np.int64)
        yield from tensor_parts(arrays, {"format": "tupelo-vectors", "version": "1"})
        return
    if format_name != "glove":
        yield f"{len(vectors)} {vectors.size}\n".encode()
    for name, row in zip(vectors.names, vectors.matrix, strict=True):
        word = "_".join(name.split()).encode("utf-8")
        if not word:
            raise InputError("a name is empty, expected letters")
        if format_name == "word2vec-binary":
            yield word + b" " + row.astype("<f4").tobytes() + b"\n"
        else:
            yield word + b" " + " ".join([repr(value) for value in row.tolist()]).encode() + b"\n"
