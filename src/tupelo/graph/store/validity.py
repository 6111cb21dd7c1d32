"""The time for which a statement holds, in moments: days that are cut to the precision of the words."""

from __future__ import annotations

from typing import NamedTuple

from tupelo.graph.store.values import asked_days

# The last moment of a state that goes on, by its text.
OPEN = ".."


class Validity(NamedTuple):
    """The first and last moment at which a statement holds, cut to the precision of its words (`2009-05`, `2009`).

    `aspect` is `event` for what happened at some time between them, `state` for what holds all the time. A moment is
    `None` where the text does not say, and the last one `..` where it says that the state goes on.
    """

    valid_from: str | None = None
    valid_until: str | None = None
    aspect: str | None = None

    def __str__(self) -> str:
        """The interval in the form of ISO 8601-2: `2009/..`, `1987`, `../2020-05`; empty where no beginning
        is known, nor the end of a state."""
        first, last = self.valid_from, self.valid_until
        if first is None and (last in (None, OPEN) or self.aspect == "event"):
            return ""
        return first if first is not None and first == last else f"{first or OPEN}/{last or OPEN}"


UNKNOWN = Validity()


def holds_at(table: str, time: str) -> str:
    """SQL for the statements in `table` that may hold, or may have happened, at a time that was asked for.

    Moments are prefixes of days, so that text compares them; `~` comes after every digit.
    """
    first, last = asked_days(time)
    begun = f"coalesce({table}.valid_from <= '{last}', true)"
    goes_on = f"coalesce({table}.valid_until = '{OPEN}' OR {table}.valid_until || '~' >= '{first}', true)"
    return f"{begun} AND ({table}.aspect IS DISTINCT FROM 'state' OR {goes_on})"
