"""Arrays in the safetensors format: the size of the header, the header in JSON, then the numbers.

Written here because the format is three lines long, its own package is needed by nobody else at run time, and files
of others must give a clear message when they are broken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}
_NAMES = {np.dtype(kind): name for name, kind in _KINDS.items()}
_METADATA = "__metadata__"
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
    metadata = header.pop(_METADATA, {})
    body, arrays = memoryview(data)[8 + size :], {}
    for name, entry in header.items():
        try:
            kind, shape, (start, end) = np.dtype(_KINDS[entry["dtype"]]), tuple(entry["shape"]), entry["data_offsets"]
            array = np.frombuffer(body[start:end], dtype=kind).reshape(shape)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"tensor {name!r} is broken ({error})") from error
        arrays[name] = array
    return arrays, {str(key): str(value) for key, value in metadata.items()}


def tensor_parts(arrays: Mapping[str, Array], metadata: Mapping[str, str] | None = None) -> Iterator[bytes]:
    """The file in parts, the same bytes for the same arrays. Large arrays are not copied at once."""
    header: dict[str, Any] = {_METADATA: dict(sorted(metadata.items()))} if metadata else {}
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
