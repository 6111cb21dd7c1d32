"""Literals as other programs read them: a day, a month, a year, a number, or plain text."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from math import isfinite


def typed_value(
    text: str, number: float | None, unit: str | None, first_day: date | None, last_day: date | None
) -> tuple[str, str | None]:
    """The value in the form of an XML Schema datatype, and the name of that datatype; `None` for text.

    A number with a unit stays text: without its unit it would say something else.

    >>> typed_value("in May 2004", None, None, date(2004, 5, 1), date(2004, 5, 31))
    ('2004-05', 'gYearMonth')
    >>> typed_value("4,200", 4200.0, None, None, None), typed_value("4 km", 4.0, "km", None, None)
    (('4200', 'decimal'), ('4 km', None))
    """
    if first_day is not None and last_day is not None:
        if first_day == last_day:
            return first_day.isoformat(), "date"
        month_end = monthrange(first_day.year, first_day.month)[1]
        if first_day.day == 1 and last_day == first_day.replace(day=month_end):
            return first_day.isoformat()[:7], "gYearMonth"
        if first_day == date(first_day.year, 1, 1) and last_day == date(first_day.year, 12, 31):
            return first_day.isoformat()[:4], "gYear"
    if number is not None and unit is None and isfinite(number):
        return f"{number:.6f}".rstrip("0").rstrip("."), "decimal"
    return text, None
