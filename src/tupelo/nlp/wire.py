"""Reads and shortens ONNX files without the `onnx` package: the wire format of Protocol Buffers is a list of fields.

Only what shared layers need: the part of a graph that computes one of its inner tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

# Numbers of fields of `ModelProto`, `GraphProto`, `NodeProto`, `TensorProto` and `ValueInfoProto`.
GRAPH = 7
NODE, INITIALIZER, OUTPUT = 1, 5, 12
NODE_INPUT, NODE_OUTPUT, NODE_KIND = 1, 2, 4
TENSOR_DIMENSION, TENSOR_TYPE, TENSOR_NAME, TENSOR_VALUES = 1, 2, 8, 9
_VALUE_NAME = 1
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message: its number, what it holds, and all bytes of it."""

    number: int
    value: int | memoryview
    whole: memoryview

    @property
    def content(self) -> memoryview:
        """The bytes of a text or of a message inside."""
        if isinstance(self.value, int):
            raise ValueError("a number where a text or a message was expected")
        return self.value


def fields(content: bytes | memoryview) -> Iterator[Field]:
    """The fields of a message, in order; nothing is copied."""
    message = memoryview(content)
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        value: int | memoryview
        if kind == _VARINT:
            value, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if kind == _EIGHT_BYTES else 4
            value, at = message[at : at + size], at + size
        else:
            raise ValueError("not an ONNX graph")
        if at > len(message):
            raise ValueError("an ONNX graph that ends too early")
        yield Field(number, value, message[start:at])


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message):
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise ValueError("an ONNX graph that ends too early")


def message(number: int, content: bytes) -> bytes:
    """A field with a text or a message.

    >>> message(1, b"ab")
    b'\\n\\x02ab'
    """
    return _number(number << 3 | _BYTES) + _number(len(content)) + content


def _number(value: int) -> bytes:
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def computing(model: bytes, tensor: str) -> bytes:
    """The model up to the node whose output is `tensor`, which becomes the only output."""
    kept = [field.whole for field in fields(model) if field.number != GRAPH]
    (graph,) = (field.content for field in fields(model) if field.number == GRAPH)
    parts: list[bytes | memoryview] = []
    used: set[bytes] = set()
    rest: list[Field] = []
    found = False
    for field in fields(graph):
        if field.number != NODE:
            rest.append(field)
        elif not found:
            node = list(fields(field.content))
            used.update(bytes(part.content) for part in node if part.number == NODE_INPUT)
            found = any(part.number == NODE_OUTPUT and part.content == tensor.encode() for part in node)
            parts.append(field.whole)
    if not found:
        raise ValueError(f"no tensor '{tensor}'")
    for field in rest:
        if field.number == INITIALIZER:
            name = next(bytes(part.content) for part in fields(field.content) if part.number == TENSOR_NAME)
            if name in used:
                parts.append(field.whole)
        elif field.number != OUTPUT:
            parts.append(field.whole)
    parts.append(message(OUTPUT, message(_VALUE_NAME, tensor.encode())))
    return b"".join([*kept, message(GRAPH, b"".join(parts))])
