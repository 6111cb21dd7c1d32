"""Which edges count: how sure, how said, when, from where. Values are bound, never pasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tupelo.core import InputError
from tupelo.graph.times import days_of

ASSERTED, POSSIBLE, DENIED = "asserted", "possible", "denied"
STANCES = (ASSERTED, POSSIBLE, DENIED)
_STANCE_SQL = {
    ASSERTED: "(NOT {edge}.negated AND {edge}.modality IS NULL)",
    POSSIBLE: "(NOT {edge}.negated AND {edge}.modality IS NOT NULL)",
    DENIED: "{edge}.negated",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """`since` and `until` keep edges with a time that overlaps; `source` is a pattern such as `news/*`.

    What is denied is left out unless it is asked for.
    """

    min_confidence: float = 0.0
    stances: tuple[str, ...] = (ASSERTED, POSSIBLE)
    since: date | None = None
    until: date | None = None
    source: str | None = None

    def conditions(self, edge: str) -> tuple[list[str], list[object]]:
        """SQL about the table of edges called `edge`, and the values to bind, in order."""
        found: list[str] = []
        values: list[object] = []
        if self.min_confidence > 0:
            found.append(f"{edge}.confidence >= ?")
            values.append(self.min_confidence)
        if set(self.stances) != set(STANCES):
            found.append("(" + " OR ".join(_STANCE_SQL[stance].format(edge=edge) for stance in self.stances) + ")")
        if self.since or self.until:
            overlap = ["held.last_day >= ?"] * bool(self.since) + ["held.first_day <= ?"] * bool(self.until)
            found.append(
                f"EXISTS (SELECT 1 FROM qualifiers AS held WHERE held.edge_id = {edge}.edge_id AND "
                f"held.first_day IS NOT NULL AND {' AND '.join(overlap)})"
            )
            values += [day for day in (self.since, self.until) if day]
        if self.source:
            found.append(
                f"EXISTS (SELECT 1 FROM provenance JOIN documents USING (document_id) "
                f"WHERE provenance.edge_id = {edge}.edge_id AND documents.source GLOB ?)"
            )
            values.append(self.source)
        return found, values


def first_day(text: str) -> date:
    """The first day of a year, a month or a day."""
    return _days(text)[0]


def last_day(text: str) -> date:
    return _days(text)[1]


def _days(text: str) -> tuple[date, date]:
    # "2004-05" is a month; the words of texts never write it so.
    parts: Sequence[str] = text.split("-")
    asked = text if len(parts) != 2 else f"{_month(parts[1])} {parts[0]}"
    days = days_of(asked)
    if days is None:
        raise InputError(f"'{text}' is no time, expected a year, month or day such as 1998, 1998-11 or 1998-11-03")
    return days


def _month(number: str) -> str:
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names[int(number) - 1] if number.isdigit() and 1 <= int(number) <= len(names) else number
