"""The lines of a file, numbered, and how faults in them are reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from tupelo.core import FormatError

Item = TypeVar("Item")
Value = TypeVar("Value")


class Fault(Exception):
    """A fault of an item of a file, what was expected and perhaps a hint; readers add the place.

    `line` is needed only where an item has several.
    """

    def __init__(self, found: str, expected: str, hint: str | None = None, *, line: int = 0) -> None:
        self.line = line
        super().__init__(found, expected, hint)


class Lines:
    """Lines without their ends, counted from 1.

    `None` in `lines` is a line that could not be decoded; it counts, and has been reported already. `fault` raises by
    default. With a `collect` function it hands the error over instead, and the reader goes on with the next line;
    this is how `--on-error skip` keeps a count of what it left out.
    """

    def __init__(
        self,
        lines: Iterable[str | None],
        source: str = "<input>",
        collect: Callable[[FormatError], None] | None = None,
    ) -> None:
        self.source = source
        self._lines = lines
        self.collect = collect

    def __iter__(self) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self._lines, start=1):
            if line is not None:
                yield number, line.rstrip("\n")

    def filled(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank."""
        return ((number, line) for number, line in self if line and not line.isspace())

    def parsed(
        self, items: Iterable[tuple[int, Item]], parse: Callable[[Item], Value]
    ) -> Iterator[tuple[int, Value]]:
        """Numbered items after `parse`; those in which it finds a `Fault` are reported and skipped."""
        for number, item in items:
            try:
                value = parse(item)
            except Fault as fault:
                self.fault(fault.line or number, *fault.args)
                continue
            yield number, value

    def values(self, items: Iterable[tuple[int, Item]], parse: Callable[[Item], Value]) -> Iterator[Value]:
        """Results of `parse` for numbered items, without the numbers."""
        return (value for _, value in self.parsed(items, parse))

    def rows(self, widths: Collection[int] = (), expected: str = "") -> Iterator[tuple[int, list[str]]]:
        """The fields between tabs of every line that is not blank; a number of them not among `widths` is a fault."""
        for number, line in self.filled():
            fields = line.split("\t")
            if not widths or len(fields) in widths:
                yield number, fields
            else:
                self.fault(number, f"{len(fields)} field(s)", expected)

    def text(self) -> str:
        """Everything at once, for formats that are one document."""
        return "\n".join("" if line is None else line.rstrip("\n") for line in self._lines)

    def fault(self, line: int, found: str, expected: str, hint: str | None = None) -> None:
        """Report a line that cannot be used. The reader must skip it when this returns."""
        error = FormatError(self.source, line, found, expected, hint)
        if self.collect is None:
            raise error
        self.collect(error)


def number_of(value: str, what: str = "confidence") -> float:
    """A field as a number. NaN is a fault, as is anything else that is none."""
    try:
        number = float(value)
    except ValueError:
        shown = value if len(value) <= 40 else value[:40] + "…"
        raise Fault(f"{what} {shown!r}", "a number") from None
    if number != number:
        raise Fault(f"{what} is NaN", "a number", "Leave the line out, or give it a real confidence.")
    return number
