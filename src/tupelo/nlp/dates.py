"""Days of expressions that count from the day of a text: *tomorrow*, *last week*, *3 May* without a year."""

from __future__ import annotations

import re
from datetime import date, timedelta

from tupelo.nlp.languages.en.quantities import CARDINALS, MONTH_ABBREVIATIONS, MONTHS, WEEKDAY_NUMBERS

_DAYS = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
}
_STEPS = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "coming": 1}
_NAMED = re.compile(rf"\b({'|'.join(sorted(_DAYS, key=len, reverse=True))})\b", re.IGNORECASE)
_AFTER = re.compile(r"\bthe day (before yesterday|after tomorrow)\b", re.IGNORECASE)
_PERIOD = re.compile(
    rf"\b({'|'.join(_STEPS)}) (week|month|year|weekend|{'|'.join(WEEKDAY_NUMBERS)})\b", re.IGNORECASE
)
_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_AGO = re.compile(rf"\b{_COUNT} (?P<unit>day|week|month|year)s? (?P<way>ago|earlier|from now|later)\b", re.IGNORECASE)
_IN = re.compile(rf"\bin {_COUNT} (?P<unit>day|week|month|year)s?(?:'|’)?(?: time)?\b", re.IGNORECASE)
_MONTHS = MONTHS | MONTH_ABBREVIATIONS
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NO_YEAR = re.compile(
    rf"\b(?:(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})"
    rf"|(?P<month2>{_MONTH})\.? (?P<day2>[0-3]?\d)(?:st|nd|rd|th)?)\b(?!,? ?\d{{4}})",
    re.IGNORECASE,
)


def anchored_days(text: str, day: date) -> tuple[date, date] | None:
    """First and last day of a time that counts from a day; `None` for any other time.

    >>> anchored_days("the day after tomorrow", date(2024, 2, 28))
    (datetime.date(2024, 3, 1), datetime.date(2024, 3, 1))
    >>> anchored_days("last week", date(2024, 3, 6))
    (datetime.date(2024, 2, 26), datetime.date(2024, 3, 3))
    """
    try:
        return _found(text, day)
    except (ValueError, OverflowError):
        return None


def _found(text: str, day: date) -> tuple[date, date] | None:
    if match := _AFTER.search(text):
        return _one(day + timedelta(days=-2 if match[1].lower().startswith("before") else 2))
    if match := _NAMED.search(text):
        return _one(day + timedelta(days=_DAYS[match[1].lower()]))
    if match := _PERIOD.search(text):
        return _period(day, _STEPS[match[1].lower()], match[2].lower())
    if match := (_AGO.search(text) or _IN.search(text)):
        word = match["count"].lower()
        count = int(word) if word.isdigit() else 1 if word in ("a", "an") else int(CARDINALS[word])
        back = (match.groupdict().get("way") or "").lower() in ("ago", "earlier")
        return _moved(day, -count if back else count, match["unit"].lower())
    if match := _NO_YEAR.search(text):
        month = _MONTHS[(match["month"] or match["month2"]).lower()]
        near = [
            date(year, month, int(match["day"] or match["day2"])) for year in (day.year - 1, day.year, day.year + 1)
        ]
        return _one(min(near, key=lambda one: abs((one - day).days)))
    return None


def _one(day: date) -> tuple[date, date]:
    return day, day


def _period(day: date, step: int, unit: str) -> tuple[date, date]:
    if unit == "year":
        return date(day.year + step, 1, 1), date(day.year + step, 12, 31)
    if unit == "month":
        first = _month(day, step)
        return first, _month(first, 1) - timedelta(days=1)
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=step)
    if unit == "week":
        return monday, monday + timedelta(days=6)
    if unit == "weekend":
        return monday + timedelta(days=5), monday + timedelta(days=6)
    number = WEEKDAY_NUMBERS[unit] - 1
    ahead = (number - day.weekday()) % 7
    if step < 0:
        return _one(day + timedelta(days=ahead - 7 if ahead else -7))
    return _one(day + timedelta(days=ahead or (7 if step else 0)))


def _moved(day: date, count: int, unit: str) -> tuple[date, date]:
    if unit in ("day", "week"):
        return _one(day + timedelta(days=count * (7 if unit == "week" else 1)))
    if unit == "month":
        return _period(_month(day, count), 0, "month")
    return _period(day, count, "year")


def _month(day: date, step: int) -> date:
    """The first day of the month that is `step` months later."""
    months = day.year * 12 + day.month - 1 + step
    return date(months // 12, months % 12 + 1, 1)
