"""Times, numbers and literals as values: the days of a time expression, and the values of literals.

*in November 1998* is the whole month; a time without a year has no days.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from math import isfinite
from typing import NamedTuple

from tupelo.core import InputError
from tupelo.nlp.languages.en.quantities import MONTH_ABBREVIATIONS, MONTHS
from tupelo.nlp.values import Number, values_in, words_of

_MONTHS = MONTHS | MONTH_ABBREVIATIONS
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1\d{3}|20\d{2})"

# The first matching pattern decides; more complete dates come first.
_PATTERNS = tuple(
    re.compile(rf"(?<![\w.,-]){pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}-(?P<number>[01]\d)-{_DAY}",
        r"(?P<from>1\d{3}|20\d{2})\s*(?:-|–|to|and|until|through)\s*(?P<to>1\d{3}|20\d{2})",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        r"(?P<decade>1\d{2}0|20\d0)s",
        r"(?P<century>1\d|20|21)th\s+century",
        _YEAR,
    )
)


_BETWEEN = re.compile(r"(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)")


def days_of(text: str) -> tuple[date, date] | None:
    """First and last day; `None` for a time without a year (*yesterday*) or with an impossible date.

    >>> days_of("in November 1998")
    (datetime.date(1998, 11, 1), datetime.date(1998, 11, 30))
    """
    if between := _BETWEEN.search(text):
        first, last = (_iso_day(day) for day in between.groups())
        return (first, last) if first and last and first <= last else None
    for pattern in _PATTERNS:
        if found := pattern.search(text):
            return _days(found.groupdict())
    return None


def _iso_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _days(parts: dict[str, str | None]) -> tuple[date, date] | None:
    if (start := parts.get("from")) and (end := parts.get("to")):
        return (date(int(start), 1, 1), date(int(end), 12, 31)) if int(start) <= int(end) else None
    if decade := parts.get("decade"):
        return date(int(decade), 1, 1), date(int(decade) + 9, 12, 31)
    if century := parts.get("century"):
        return date(100 * int(century) - 99, 1, 1), date(100 * int(century), 12, 31)
    year = int(parts["year"] or 0)
    name, number = parts.get("month"), parts.get("number")
    if not name and not number:
        return date(year, 1, 1), date(year, 12, 31)
    month = _MONTHS[name.lower()] if name else int(number or 0)
    if not 1 <= month <= 12:
        return None
    last = monthrange(year, month)[1]
    if not (day := parts.get("day")):
        return date(year, month, 1), date(year, month, last)
    return (date(year, month, int(day)),) * 2 if 1 <= int(day) <= last else None


def asked_days(text: str) -> tuple[date, date]:
    """First and last day of a year, a month or a day in a query.

    >>> asked_days("2004-05")
    (datetime.date(2004, 5, 1), datetime.date(2004, 5, 31))
    """
    year, _, month = text.partition("-")
    if month.isdecimal() and 1 <= int(month) <= 12:
        # `days_of` does not accept this form of a month, which running text does not use.
        name = next(name for name, number in MONTHS.items() if number == int(month))
        days = days_of(f"{name} {year}")
    else:
        days = days_of(text)
    if days is None:
        raise InputError(f"'{text}' is no time, expected a year, month or day such as 1998, 1998-11 or 1998-11-03")
    return days


class LiteralValue(NamedTuple):
    """The number, unit and days of a value; `None` where its words do not say."""

    number: float | None = None
    unit: str | None = None
    first_day: date | None = None
    last_day: date | None = None


def literal_value(label: str, text: str) -> LiteralValue:
    """The value of words: days of a `datetime`, number and unit of a `number`.

    >>> literal_value("number", "$1.2 million")
    LiteralValue(number=1200000.0, unit='dollar', first_day=None, last_day=None)
    """
    if label == "datetime":
        first, last = days_of(text) or (None, None)
        return LiteralValue(first_day=first, last_day=last)
    if label == "number" and (found := _only_number(text)) is not None:
        number, counted = found
        return LiteralValue(number.amount, number.unit or counted or None)
    return LiteralValue()


def normal_form(label: str, text: str) -> str:
    """The form in which equal values are the same; approximate numbers and all other words as they are written.

    >>> normal_form("number", "1.2 million dollars"), normal_form("number", "$1,200,000")
    ('1200000 dollar', '1200000 dollar')
    >>> normal_form("datetime", "in May 2004"), normal_form("quality", "Very  old")
    ('2004-05-01/2004-05-31', 'very old')
    """
    value = literal_value(label, text)
    if value.first_day is not None:
        return f"{value.first_day}/{value.last_day}"
    if value.number is not None and (found := _only_number(text)) is not None and not found[0].rough:
        return f"{value.number:.12g} {value.unit or ''}".strip()
    return " ".join(text.casefold().split())


def _only_number(text: str) -> tuple[Number, str] | None:
    """The number of a phrase with the words that say what it counts, if there is just one."""
    words = words_of(text)
    found = [item for item in values_in(words) if isinstance(item.value, Number)]
    if len(found) != 1 or not isinstance(number := found[0].value, Number):
        return None
    others = [word.lower() for place, word in enumerate(words) if not found[0].start <= place < found[0].end]
    return number, " ".join(others)


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
