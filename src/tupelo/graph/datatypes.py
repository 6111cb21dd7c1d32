"""Literals as other programs read them: a day, a month, a year, a number, or plain text."""

from __future__ import annotations

from calendar import monthrange
from datetime import date


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
        spans = {
            "date": first_day,
            "gYearMonth": first_day.replace(day=monthrange(first_day.year, first_day.month)[1]),
            "gYear": first_day.replace(month=12, day=31),
        }
        starts = {
            "date": first_day,
            "gYearMonth": first_day.replace(day=1),
            "gYear": first_day.replace(month=1, day=1),
        }
        forms = {"date": first_day.isoformat(), "gYearMonth": f"{first_day:%Y-%m}", "gYear": f"{first_day:%Y}"}
        for datatype, end in spans.items():
            if (starts[datatype], end) == (first_day, last_day):
                return forms[datatype], datatype
    if number is not None and unit is None and number == number and abs(number) < 1e15:
        return f"{number:.6f}".rstrip("0").rstrip("."), "decimal"
    return text, None
