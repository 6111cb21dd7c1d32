"""The items of a JSON document one by one, each with the line where it begins.

The formats that are one JSON document go through here, so that a fault in
them can be blamed on a line as in any other file. After a fault in the JSON
itself nothing more can be read: there is no telling where the next item begins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import WHITESPACE  # type: ignore[attr-defined]  # the pattern that JSON's own parser skips
from typing import Any

from tupelo.core import FormatError, InputError
from tupelo.io.lines import Lines

_DECODER = json.JSONDecoder()


def line_items(lines: Lines) -> Iterator[tuple[int, Any]]:
    """Line and value of every line that is one JSON value; blank lines are skipped, others are faults."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            lines.fault(number, "a line that is not JSON", "one JSON object a line")
            continue
        yield number, value


def line_objects(lines: Lines) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line and value of every line that is one JSON object; blank lines are skipped, others raise."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = f"not JSON ({getattr(error, 'msg', 'nested too deeply')})"
            raise FormatError(lines.source, number, reason, "one JSON object a line") from error
        if not isinstance(item, dict):
            raise FormatError(lines.source, number, f"a JSON {type(item).__name__}", "one JSON object a line")
        yield number, item


def parsed_array(lines: Lines, what: str) -> list[Any]:
    """The document as a whole, which must be an array of `what`."""
    try:
        items = json.loads(lines.text())
    except (ValueError, RecursionError) as error:
        place, reason = getattr(error, "lineno", 1), getattr(error, "msg", "nested too deeply")
        raise FormatError(lines.source, place, f"not JSON ({reason})", f"a JSON array of {what}") from error
    if not isinstance(items, list):
        raise InputError(f"{lines.source}: a JSON {type(items).__name__}, expected an array of {what}")
    return items


def array_items(lines: Lines) -> Iterator[tuple[int, Any]]:
    """Line and value of every item of the array that the document is."""
    document = _Document(lines)
    if not document.opens("[", "a JSON array"):
        return
    while not document.closed:
        line, value = document.line(), document.value()
        if document.broken:
            return
        yield line, value
        document.separator("]")
    document.ends()


def object_items(lines: Lines) -> Iterator[tuple[int, str, Any]]:
    """Line, key and value of every member of the object that the document is; a repeated key comes repeatedly."""
    document = _Document(lines)
    if not document.opens("{", "a JSON object"):
        return
    while not document.closed:
        line, key = document.line(), document.key()
        value = None if document.broken else document.value()
        if document.broken:
            return
        yield line, key, value
        document.separator("}")
    document.ends()


class _Document:
    """A place in the text of a document. `broken` is set after a fault; then nothing else may be asked."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._text = lines.text()
        self._at = 0
        self._counted_to, self._counted_line = 0, 1
        self.closed = False
        self.broken = False

    def line(self, at: int | None = None) -> int:
        at = self._skip(self._at) if at is None else at
        if at < self._counted_to:
            return self._text.count("\n", 0, at) + 1
        self._counted_line += self._text.count("\n", self._counted_to, at)
        self._counted_to = at
        return self._counted_line

    def opens(self, bracket: str, expected: str) -> bool:
        self._at = self._skip(self._at)
        if not self._text.startswith(bracket, self._at):
            self._fault(self._at, self._here(), expected)
            return False
        closing = {"[": "]", "{": "}"}[bracket]
        self._at = self._skip(self._at + 1)
        if self._text.startswith(closing, self._at):
            self._at += 1
            self.closed = True
        return True

    def value(self) -> Any:
        start = self._skip(self._at)
        try:
            value, self._at = _DECODER.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            self._fault(
                error.pos, f"{error.msg[:1].lower()}{error.msg[1:]}: {self._here(error.pos)}", "well-formed JSON"
            )
            return None
        except RecursionError:
            self._fault(start, "brackets nested too deeply", "a flat JSON document")
            return None
        except ValueError:
            # The only other complaint of the parser: an integer with thousands of digits.
            self._fault(start, "a number with too many digits", "numbers of ordinary size")
            return None
        return value

    def key(self) -> str:
        start = self._skip(self._at)
        if not self._text.startswith('"', start):
            self._fault(start, self._here(start), "a key in double quotes")
            return ""
        key = self.value()
        if not self.broken:
            self._at = self._skip(self._at)
            if self._text.startswith(":", self._at):
                self._at += 1
            else:
                self._fault(self._at, self._here(), "':' after the key")
        return str(key)

    def separator(self, closing: str) -> None:
        self._at = self._skip(self._at)
        if self._text.startswith(",", self._at):
            self._at += 1
        elif self._text.startswith(closing, self._at):
            self._at += 1
            self.closed = True
        else:
            self._fault(self._at, self._here(), f"',' or '{closing}'")
            self.closed = True

    def ends(self) -> None:
        rest = self._skip(self._at)
        if not self.broken and rest < len(self._text):
            self._fault(rest, f"{self._here(rest)} after the end of the document", "one JSON document")

    def _skip(self, at: int) -> int:
        end: int = WHITESPACE.match(self._text, at).end()
        return end

    def _here(self, at: int | None = None) -> str:
        at = self._at if at is None else at
        if at >= len(self._text):
            return "the document ends here"
        found = self._text[at : at + 20].partition("\n")[0]
        return repr(found) if found else "the line ends here"

    def _fault(self, at: int, found: str, expected: str) -> None:
        self.broken = True
        self._lines.fault(self.line(at), found, expected)
