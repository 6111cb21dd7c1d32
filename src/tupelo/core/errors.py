"""Errors whose message says where, what is wrong, what was expected and what to do next."""

from __future__ import annotations

import difflib
import os
import reprlib
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias, TypeVar, get_args

# The treatment of a faulty line.
OnError: TypeAlias = Literal["raise", "skip"]
Item = TypeVar("Item")
Result = TypeVar("Result")


class TupeloError(Exception):
    """Base of every error that Tupelo raises on purpose; the command line prints it as one line."""


class InputError(TupeloError, ValueError):
    """Input that cannot be used, where no single line of a file is to blame."""


def reason_of(error: Exception) -> str:
    """One line about an error; that of an unforeseen one begins with its type."""
    text = " ".join(str(error).split())
    return text if isinstance(error, TupeloError) else f"{type(error).__name__}: {text}"


def isolated(items: Sequence[Item], work: Callable[[list[Item]], Result]) -> tuple[Result, dict[int, str]]:
    """The result of work on the items, and the reasons of those that fail by themselves, by number.

    Only after a failure are the items tried one by one; then the work is done once more without those that fail.
    Errors that are raised on purpose concern more than one item and are raised again.

    >>> isolated([4, 0, 2], lambda numbers: [8 // number for number in numbers])
    ([2, 4], {1: 'ZeroDivisionError: integer division or modulo by zero'})
    """
    failed: dict[int, str] = {}
    try:
        return work(list(items)), failed
    except TupeloError:
        raise
    except Exception:  # unforeseen, so it may be of any type
        for number, item in enumerate(items):
            try:
                work([item])
            except TupeloError:
                raise
            except Exception as error:  # the same
                failed[number] = reason_of(error)
        if not failed:
            raise
    return work([item for number, item in enumerate(items) if number not in failed]), failed


def warn_of_failures(failures: Sequence[str]) -> None:
    """Warn that a result lacks something that failed."""
    if failures:
        more = f", and {len(failures) - 1} more" if len(failures) > 1 else ""
        warnings.warn(f"left out, as it failed: {failures[0]}{more}", RuntimeWarning, stacklevel=4)


def is_unicode(text: str) -> bool:
    """Whether a text can be written: half a surrogate pair, as from a byte that is not UTF-8, cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shortened(text: str, length: int = 80) -> str:
    r"""The beginning of a text in one line.

    >>> shortened("Thirty days hath\nSeptember", 16)
    'Thirty days hat…'
    """
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def require_choice(argument: str, given: object, known: Sequence[str]) -> None:
    """Refuse a value that an argument cannot have.

    >>> require_choice("on_error", "ignore", ("raise", "skip"))
    Traceback (most recent call last):
    ...
    tupelo.core.errors.InputError: on_error='ignore', expected 'raise' or 'skip'
    """
    if given not in known:
        raise InputError(f"{argument}={given!r}, expected {' or '.join(map(repr, known))}")


def wrong_type(given: object, expected: str) -> InputError:
    """The error for a value of a type that an argument cannot have.

    >>> wrong_type(123, "a path")
    InputError('123, expected a path')
    """
    return InputError(f"{reprlib.repr(given)}, expected {expected}")


def require_items(given: object, expected: str) -> None:
    """Refuse what holds no items; bytes are not meant as numbers."""
    if isinstance(given, bytes) or not (hasattr(given, "__iter__") or hasattr(given, "__getitem__")):
        raise wrong_type(given, expected)


def require_one_each(ids: Iterable[str], place: str = "") -> None:
    """Refuse two texts with the same id."""
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InputError(f"{place}two texts with the id '{name}', expected one each")
        seen.add(name)


def skips(on_error: OnError) -> bool:
    """Whether faulty lines are skipped; a value that `on_error` cannot have is refused."""
    require_choice("on_error", on_error, get_args(OnError))
    return on_error == "skip"


@contextmanager
def naming(*sources: object) -> Generator[None, None, None]:
    """Put the names of files before an error of the block that knows nothing of files; other sources have none."""
    try:
        yield
    except InputError as error:
        names = [str(source) for source in sources if isinstance(source, str | os.PathLike)]
        if not names or any(name in str(error) for name in names):
            raise
        raise InputError(f"{', '.join(names)}: {error}") from error


class FormatError(TupeloError, ValueError):
    """A line of a file that its format does not allow.

    >>> print(FormatError("pred.tsv", 17, "1 field(s)", "4 or more, separated by tabs"))
    pred.tsv:17: 1 field(s), expected 4 or more, separated by tabs
    """

    def __init__(self, source: str, line: int, found: str, expected: str, hint: str | None = None) -> None:
        self.source, self.line, self.found, self.expected, self.hint = source, line, found, expected, hint
        message = f"{source}:{line}: {found}, expected {expected}"
        super().__init__(f"{message}. {hint}" if hint else message)


class UnknownFormatError(InputError):
    """A file whose content fits no known format, or several alike."""


class UnmatchedError(InputError):
    """Predictions for none of the gold sentences, or no gold sentence at all."""


class UnknownNameError(TupeloError, LookupError):
    """A name that no registered part has."""

    @classmethod
    def among(
        cls, kind: str, name: str, known: Iterable[str], aliases: Iterable[str] = (), listed_by: str | None = None
    ) -> UnknownNameError:
        """The error for `name`, with the nearest known name or alias as a guess.

        `listed_by` is the command that lists the known names, when they are too many for one line.
        """
        names = sorted(known)
        close = difflib.get_close_matches(name, [*names, *aliases], n=1)
        guess = f" Did you mean '{close[0]}'?" if close else ""
        rest = f"See: {listed_by}" if listed_by else f"Known: {', '.join(names)}"
        return cls(f"no {kind} named '{name}'.{guess} {rest}")


def require_name(kind: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that is not among the known ones."""
    if name not in known:
        raise UnknownNameError.among(kind, name, known)


class MissingExtraError(TupeloError, ImportError):
    """An optional package is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'tupelo[{extra}]'")


@contextmanager
def needs_extra(what: str, extra: str) -> Generator[None, None, None]:
    """Name the extra whose packages are imported in the block, where one of them is missing."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(what, extra) from error


class MissingModelError(TupeloError, LookupError):
    """A model of this project is in a package that is not installed."""

    def __init__(self, model: str, package: str) -> None:
        super().__init__(f"the model '{model}' is not installed: pip install {package}")
