"""Times, numbers and literals as values: the days of a time expression, and the values of literals.

*in November 1998* is the whole month; a time without a year has no days.
"""

from __future__ import annotations

import re
from calendar import monthrange
from contextlib import suppress
from datetime import date
from math import isfinite
from typing import NamedTuple

from tupelo.core import InputError
from tupelo.nlp.dates import moment_days, time_expressions
from tupelo.nlp.values import Number, values_in, words_of

_ISO = re.compile(r"\d{4}(?:-\d\d?){0,2}")
_NO_ZERO = re.compile(r"-(?=\d\b)")


def days_of(text: str) -> tuple[date, date] | None:
    """First and last day; `None` for a time without a year (*yesterday*) or with an impossible date.

    >>> days_of("in November 1998")
    (datetime.date(1998, 11, 1), datetime.date(1998, 11, 30))
    """
    first, last = next(
        (moment_days(one.first, one.last) for one in time_expressions(text) if one.first), (None, None)
    )
    return (first, last) if first and last and first <= last else None


def asked_days(text: str) -> tuple[date, date]:
    """First and last day of a year, a month or a day in a query.

    >>> asked_days("2004-05")
    (datetime.date(2004, 5, 1), datetime.date(2004, 5, 31))
    """
    with suppress(ValueError):
        # Running text does not write a month as `2004-05`.
        moment = _NO_ZERO.sub("-0", text)
        first, last = moment_days(moment, moment) if _ISO.fullmatch(text) else days_of(text) or (None, None)
        if first and last:
            return first, last
    raise InputError(f"'{text}' is no time, expected a year, month or day such as 1998, 1998-11 or 1998-11-03")


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
