"""Errors whose message says where, what is wrong, what was expected and what to do next."""

from __future__ import annotations


class TupeloError(Exception):
    """Base of every error that Tupelo raises on purpose; the command line prints it as one line."""


class InputError(TupeloError, ValueError):
    """Input that cannot be used, where no single line of a file is to blame."""


class FormatError(TupeloError, ValueError):
    """A line of a file that its format does not allow.

    >>> print(FormatError("pred.tsv", 17, "1 field(s)", "4 or more, separated by tabs"))
    pred.tsv:17: 1 field(s), expected 4 or more, separated by tabs
    """

    def __init__(self, source: str, line: int, found: str, expected: str, hint: str | None = None) -> None:
        self.source, self.line, self.found, self.expected, self.hint = source, line, found, expected, hint
        message = f"{source}:{line}: {found}, expected {expected}"
        super().__init__(f"{message}. {hint}" if hint else message)


class UnknownNameError(TupeloError, LookupError):
    """A name that no registered part has."""


class MissingExtraError(TupeloError, ImportError):
    """An optional package is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'tupelo[{extra}]'")
