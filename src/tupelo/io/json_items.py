"""The items of JSON lines and JSON documents one by one, each with the line where it begins.

The formats that are one JSON document go through here, so that a fault in them can be blamed on a line as in any
other file. After a fault in the JSON itself nothing more can be read: there is no telling where the next item begins.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.decoder import WHITESPACE  # type: ignore[attr-defined]  # the pattern that JSON's own parser skips
from typing import Any

from tupelo.core import FormatError, InputError
from tupelo.io.lines import Fault, Lines

_DECODER = json.JSONDecoder()
_ONE_A_LINE = "one JSON object a line"
# No file of ours has a tenth of it.
_DEEPEST = 100


def dumped(value: Any) -> str:
    """JSON in which every letter stays itself."""
    return json.dumps(value, ensure_ascii=False)


def line_items(lines: Lines) -> Iterator[tuple[int, Any]]:
    """Line and value of every line that is one JSON value; blank lines are skipped, others are faults."""
    return lines.parsed(lines.filled(), json_value)


def json_value(text: str, expected: str = _ONE_A_LINE) -> Any:
    """The value of a JSON text: the one place where the JSON of strangers is parsed. Raises `Fault`."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        # In a single line, the reader knows which one of the file it is.
        raise Fault(f"not JSON ({error.msg})", expected, line=error.lineno if error.lineno > 1 else 0) from error
    except RecursionError as error:
        raise Fault("JSON nested too deeply", expected) from error
    except ValueError as error:
        # The only other complaint of the parser.
        raise Fault("JSON with a number of too many digits", expected) from error
    if _is_too_deep(value, text.count("[") + text.count("{")):
        raise Fault("JSON nested too deeply", expected)
    return value


def _is_too_deep(value: Any, brackets: int) -> bool:
    """Whether others could not handle a value that the parser could: showing it, for example, takes recursion too."""
    if brackets <= _DEEPEST:
        return False
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_DEEPEST):
        lists = (item.values() if isinstance(item, dict) else item for item in level)
        level = [item for items in lists for item in items if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def line_objects(lines: Lines) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line and value of every line that is one JSON object; blank lines are skipped, others are faults."""
    for number, item in line_items(lines):
        if isinstance(item, dict):
            yield number, item
        else:
            lines.fault(number, f"a JSON {type(item).__name__}", _ONE_A_LINE)


def parsed_array(lines: Lines, what: str) -> list[Any]:
    """The document as a whole, which must be an array of `what`."""
    try:
        items = json_value(lines.text(), f"a JSON array of {what}")
    except Fault as fault:
        raise FormatError(lines.source, fault.line or 1, *fault.args) from fault
    if not isinstance(items, list):
        raise InputError(f"{lines.source}: a JSON {type(items).__name__}, expected an array of {what}")
    return items


def array_items(lines: Lines) -> Iterator[tuple[int, Any]]:
    """Line and value of every item of the array that the document is."""
    return ((line, value) for line, _, value in _members(lines, "[", "]"))


def object_items(lines: Lines) -> Iterator[tuple[int, str, Any]]:
    """Line, key and value of every member of the object that the document is; a repeated key comes repeatedly."""
    return _members(lines, "{", "}")


def document_text(members: Iterable[str], brackets: str) -> Iterator[str]:
    """A JSON document with a member on each line."""
    yield brackets[0]
    separator = "\n"
    for member in members:
        yield separator + member
        separator = ",\n"
    yield f"\n{brackets[1]}\n"


def _members(lines: Lines, opening: str, closing: str) -> Iterator[tuple[int, str, Any]]:
    document = _Document(lines.text())
    try:
        document.expect(opening, "a JSON object" if opening == "{" else "a JSON array")
        more = not document.takes(closing)
        while more:
            line = document.line()
            key = document.key() if opening == "{" else ""
            yield line, key, document.value()
            more = document.takes(",")
            if not more:
                document.expect(closing, f"',' or '{closing}'")
        document.end()
    except Fault as fault:
        lines.fault(fault.line, *fault.args)


class _Document:
    """A place in the text of a document. Raises `Fault` with its line where the text is not JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted_to, self._counted_line = 0, 1

    def line(self) -> int:
        """The line of what comes next."""
        at = self._skip()
        self._counted_line += self._text.count("\n", self._counted_to, at)
        self._counted_to = at
        return self._counted_line

    def takes(self, mark: str) -> bool:
        """Go past a mark, if it comes next."""
        found = self._text.startswith(mark, self._skip())
        if found:
            self._at += len(mark)
        return found

    def expect(self, mark: str, expected: str) -> None:
        if not self.takes(mark):
            raise self._fault(self._at, self._shown(self._at), expected)

    def value(self) -> Any:
        start = self._skip()
        try:
            value, self._at = _DECODER.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            reason = f"{error.msg[:1].lower()}{error.msg[1:]}: {self._shown(error.pos)}"
            raise self._fault(error.pos, reason, "well-formed JSON") from None
        except RecursionError:
            raise self._fault(start, "brackets nested too deeply", "a flat JSON document") from None
        except ValueError:
            # The only other complaint of the parser: an integer with thousands of digits.
            raise self._fault(start, "a number with too many digits", "numbers of ordinary size") from None
        brackets = self._text.count("[", start, self._at) + self._text.count("{", start, self._at)
        if _is_too_deep(value, brackets):
            raise self._fault(start, "brackets nested too deeply", "a flat JSON document")
        return value

    def key(self) -> str:
        start = self._skip()
        self.expect('"', "a key in double quotes")
        self._at = start
        key = str(self.value())
        self.expect(":", "':' after the key")
        return key

    def end(self) -> None:
        if self._skip() < len(self._text):
            found = f"{self._shown(self._at)} after the end of the document"
            raise self._fault(self._at, found, "one JSON document")

    def _skip(self) -> int:
        """Go past white space."""
        self._at = WHITESPACE.match(self._text, self._at).end()
        return self._at

    def _shown(self, at: int) -> str:
        if at >= len(self._text):
            return "the document ends here"
        found = self._text[at : at + 20].partition("\n")[0]
        return repr(found) if found else "the line ends here"

    def _fault(self, at: int, found: str, expected: str) -> Fault:
        return Fault(found, expected, line=self._text.count("\n", 0, at) + 1)
