"""Expressions of times: days that count from the day of a text (*tomorrow*, *3 May*), points and spans of time."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from tupelo.nlp.languages import labels, language_data
from tupelo.nlp.languages.en.quantities import CARDINALS, MONTH_ABBREVIATIONS, MONTHS, TENS, WEEKDAY_NUMBERS

_DATA = language_data("times")
# Days from that of a text: *tomorrow* is 1.
_DAYS: Mapping[str, int] = _DATA["days"]
_STEPS: Mapping[str, int] = _DATA["steps"]
_WEEK = 7
_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_IN = re.compile(rf"\bin {_COUNT} (?P<unit>day|week|month|year)s?(?:'|’)?(?: time)?\b", re.IGNORECASE)
_MONTHS = MONTHS | MONTH_ABBREVIATIONS
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))


def anchored_days(text: str, day: date) -> tuple[date, date] | None:
    """First and last day of a time that counts from a day; `None` for any other time.

    >>> anchored_days("the day after tomorrow", date(2024, 2, 28))
    (datetime.date(2024, 3, 1), datetime.date(2024, 3, 1))
    >>> anchored_days("last week", date(2024, 3, 6))
    (datetime.date(2024, 2, 26), datetime.date(2024, 3, 3))
    """
    fixed = {one.start for one in time_expressions(text)}
    expressions = (time_expressions(text, day, ahead) for ahead in (True, False))
    found = dict.fromkeys(one for some in expressions for one in [one for one in some if one.start not in fixed][:1])
    periods = [(_first_day(one.first), _last_day(one.last)) for one in found]
    if len(periods) == 2:
        # Of *3 May* and *3-5 May* the nearest one; *Friday* and *in May* may be either.
        of_days = all(len(one.first) == len(one.last) == 10 for one in found)
        apart = abs((periods[0][0] - periods[1][0]).days)
        return min(periods, key=lambda one: abs((one[0] - day).days)) if of_days and apart > _WEEK else None
    return periods[0] if periods else None


def _anchored(words: str, day: date) -> tuple[date, date]:
    """*tomorrow*, *last week*."""
    if words in _DAYS:
        return _one(day + timedelta(days=_DAYS[words]))
    step, unit = words.split()
    return _period(day, _STEPS[step], unit)


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
    if unit in ("day", "week", "fortnight"):
        return _one(day + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit]))
    if unit == "month":
        return _period(_month(day, count), 0, "month")
    return _period(day, count * (10 if unit == "decade" else 1), "year")


def _month(day: date, step: int) -> date:
    """The first day of the month that is `step` months later."""
    months = day.year * 12 + day.month - 1 + step
    return date(months // 12, months % 12 + 1, 1)


class TimeExpression(NamedTuple):
    """Words for a time at characters `[start, end)`: their sense, and the first and the last moment they name.

    Moments are days, cut to the precision of the words: `2009-05-03`, `2009-05`, `2009`, or `200` for the decade. The
    sense is `at`, `since`, `until`, `by`, `before`, `between`, or `for`, `after`, `lasting` some `months` or `days`.
    """

    start: int
    end: int
    sense: str
    first: str = ""
    last: str = ""
    days: int = 0
    months: int = 0


# The month in which a season or a quarter begins.
_SEASONS: Mapping[str, int] = _DATA["seasons"]
_QUARTERS: Mapping[str, int] = _DATA["quarters"]
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS_OF = {"day": 1, "week": 7}
_NUMBER = rf"(?:\d{{1,3}}|an?|(?:(?:{'|'.join(TENS)})[ -])?(?:{'|'.join([*CARDINALS, *TENS])}))"
_YEAR = r"(?:1\d{3}|20\d{2})"
_WEEKDAY = "|".join(WEEKDAY_NUMBERS)
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
_STEP = "|".join(_STEPS)
_SEASON = "|".join(_SEASONS)
# *in the spring* is a time, *the spring* may be water, and *the spring dried up*, *the fall in prices* are none.
_OPENINGS = ("in", "by", "since", "until", "during", "before")
_NO_NOUN = (
    r"(?!\s+(?!(?:and|or|but|when|while|as|at|to|the|an?|he|she|it|they|we|i|you|his|her|its|their|was|were|is|had"
    r"|will)\b)\w)"
)
_EVERY = "".join(f"(?<!{word} {of})" for word in ("every", "each") for of in ("", "other ", "single ", "second "))
# *the nineties*; *her nineties* are years of her life.
_TIES = {f"{word.removesuffix('y')}ies": int(number) for word, number in TENS.items() if number >= 20}
_OF_YEAR = rf"(?P<y>{_YEAR})|(?P<whole>last|this|next) year"
# Forms of a moment, the more complete ones first. `y`, `m`, `d` are year, month and day.
_MOMENTS = tuple(
    re.compile(rf"(?:{form})(?!\w|-(?!{_YEAR}\b))", re.IGNORECASE)
    for form in (
        r"(?P<y>\d{4})-(?P<n>[01]\d)-(?P<d>[0-3]\d)",
        rf"(?:(?:{_WEEKDAY}),? )?(?:the )?(?P<d>{_DAY})(?: of)? (?P<m>{_MONTH})\.?(?:,? (?:{_OF_YEAR}))?",
        rf"(?:(?:{_WEEKDAY}),? )?(?P<m>{_MONTH})\.? (?P<d>{_DAY})(?!\d)(?:,? (?:{_OF_YEAR}))?",
        rf"(?:the )?(?P<part>end|close|beginning|start) of (?:(?P<m>{_MONTH})\.?,? ?)?"
        rf"(?P<y>{_YEAR})?(?P<this>the year|the month|(?:{_STEP}) (?:year|month))?(?<=[\w.])",
        rf"(?:the )?(?P<season>{_SEASON})(?: of|,)? (?P<y>{_YEAR})",
        rf"(?P<step>{_STEP}) (?P<season>{_SEASON})",
        rf"(?:{'|'.join(f'(?<={word} the )' for word in _OPENINGS)})(?P<season>{_SEASON}){_NO_NOUN}",
        rf"(?:the )?(?P<half>first|second) half of (?P<y>{_YEAR})",
        rf"(?:the )?(?:(?P<q>first|second|third|fourth|last) quarter(?: of|,)?|Q(?P<q2>[1-4])) (?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH})\.?,?(?: of)? (?:{_OF_YEAR})",
        rf"(?P<step>last|this|next) (?P<m>{_MONTH})",
        r"(?:the )?(?P<y>1\d{2}0|20\d0)(?P<decade>s)",
        r"(?:the )?(?:early |mid-?|late )?['‘’](?P<tens>[2-9]0)s",
        rf"(?:the (?:early |mid-?|late )?|(?<=the )|(?<=the early )|(?<=the mid[ -])|(?<=the late ))"
        rf"(?P<ties>{'|'.join(_TIES)}){_NO_NOUN}",
        r"(?:the )?(?P<century>1\d|20|21)(?:th|st) century",
        rf"(?P<anchored>{'|'.join(_DAYS)})",
        rf"(?:the )?(?P<anchored>(?:{_STEP}) (?:week|month|year|weekend|{_WEEKDAY}))",
        rf"(?P<number>{_NUMBER}) (?P<unit>day|week|fortnight|month|year|decade)s?"
        r" (?P<way>ago|earlier|from now|later)",
        rf"{_EVERY}(?P<weekday>{_WEEKDAY})",
        rf"(?P<y>{_YEAR})(?![,.]\d|%| (?:people|percent|per cent|metres|employees))",
        rf"(?P<m>(?!may\b|march\b|mar\b|sun\b){_MONTH}|(?-i:May|March))",
    )
)
_SENSES = labels("times", "senses")
_SENSE = re.compile(
    rf"(?P<sense>{'|'.join(sorted(_SENSES, key=len, reverse=True))}|in|on|at|during|for|of|throughout|between)"
    r"(?: (?:the )?(?:early|late|mid|middle of|about|around|at least))?[ -](?:the )?",
    re.IGNORECASE,
)
_TO = re.compile(r" ?(?:to|until|till|through|and|[–—-]) ?", re.IGNORECASE)
_DAYS_TO = re.compile(rf"(?P<one>{_DAY}) ?(?:to|and|until|[–-]) ?(?=(?:{_DAY}) (?:{_MONTH})\b)", re.IGNORECASE)
_ABOUT = (
    "about|around|roughly|nearly|almost|some|just|only|exactly|(?:more|less|longer) than|at least|well|over|under"
)
_LASTING = re.compile(
    r"(?:(?P<opening>for|after|over|spent|serv(?:es|ed)|stay(?:s|ed)|lived|worked|remained|reigned|ruled|last(?:s|ed|ing)"
    r"|(?<=will )last|took|takes?|(?:his|her|its|their)(?=[\w -]{1,40} (?:as|at|in)\b)|in(?= the (?:last|past)\b)) "
    rf"(?:(?:the )?(?P<ahead>next|coming|another)|the (?:last|past)|the)? ?(?:(?:{_ABOUT}) )*"
    rf"(?P<number>{_NUMBER}|half an?)(?P<half> and a half)? ?|(?:for|over|in) the (?:last|past) )"
    rf"(?P<unit>day|week|month|year|decade)s?\b(?P<more> and a half)?(?! ago| earlier| later| from now| old)",
    re.IGNORECASE,
)
# *a two-year contract from May*
_LONG = re.compile(
    rf"(?:an?|the|his|her|its|their) (?P<number>{_NUMBER})-(?P<unit>day|week|month|year)(?= [\w -]{{1,40}}?"
    r" (?:from|until|starting|beginning)\b)",
    re.IGNORECASE,
)
_LENGTHS = {"afte": "after", "last": "lasting", "take": "lasting", "took": "lasting"}
# *since he retired in October 2020*
_WHEN = re.compile(
    rf"(?P<sense>since|until) (?!(?:the |last |early |late )*(?:{_YEAR}|{_DAY}|{_MONTH}|{_SEASON})\b)"
    r"(?:[\w'’]+ ){1,6}?(?:in|on) ",
    re.IGNORECASE,
)
_HINT = re.compile(
    rf"\d{{4}}|\d{{2}}s\b|\b(?:century|{'|'.join(_TIES)}|fortnight|{_MONTH}|{_WEEKDAY}|{_SEASON}|day|days|week|weekend|weeks|months?|years?|decades?"
    rf"|{'|'.join(_DAYS)})\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![\w£$€.,-])\w+")


@lru_cache(maxsize=2_000)
def time_expressions(text: str, day: date | None = None, ahead: bool = False) -> tuple[TimeExpression, ...]:
    """The expressions of times in a text that was written on a day, left to right, without overlaps.

    *in May* is the last one, or the next one where the text looks `ahead`. A moment that needs the day of a text that
    has none is not among them.

    >>> found = time_expressions("from 2009 to May 2016, then until Sunday", date(2022, 1, 10), True)
    >>> [one[2:5] for one in found]
    [('between', '2009', '2016-05'), ('until', '2022-01-16', '2022-01-16')]
    """
    found: list[TimeExpression] = []
    if not _HINT.search(text):
        return ()
    place = 0
    while word := _WORD.search(text, place):
        one = _expression(text, word.start(), day, ahead)
        place = one.end if one else word.end()
        if one and (one.first or one.days or one.months):
            found.append(one)
    return tuple(found)


def _expression(text: str, start: int, day: date | None, ahead: bool) -> TimeExpression | None:
    if lasting := _LASTING.match(text, start) or _LONG.match(text, start):
        parts = {name: value.lower() for name, value in lasting.groupdict().items() if value}
        number = parts.get("number", "a")
        count = (0.5 if number.startswith("half") else _count(number)) + 0.5 * ("half" in parts or "more" in parts)
        count = -count if "ahead" in parts else count  # Lengths of time ahead are negative.
        days, months = (int(count * table.get(parts["unit"], 0)) for table in (_DAYS_OF, _MONTHS_OF))
        length = _LENGTHS.get(parts.get("opening", "")[:4], "for")
        return TimeExpression(start, lasting.end(), length, "", "", days, months)
    if (within := _IN.match(text, start)) and ahead and day is not None:
        with suppress(ValueError, OverflowError):
            period = _moved(day, _count(within["count"]), within["unit"].lower())
            return TimeExpression(start, within.end(), "at", *_cut(*period))
    sense = _WHEN.match(text, start) or _SENSE.match(text, start)
    at = sense.end() if sense else start
    word = sense["sense"].lower() if sense else ""
    ahead = ahead and not word.endswith("since")
    if several := _DAYS_TO.match(text, at):
        ending = _moment(text, several.end(), day, ahead)
        if ending is not None and len(ending[1]) == 10 and 0 < _ordinal(several["one"]) <= int(ending[1][8:]):
            beginning = f"{ending[1][:8]}{_ordinal(several['one']):02d}"
            return TimeExpression(start, ending[2], "between", beginning, ending[1])
    moment = _moment(text, at, day, ahead)
    if moment is None:
        return None
    first, last, end = moment
    if (to := _TO.match(text, end)) and (word in ("from", "between", "") or to[0].strip() in ("–", "-")):
        until = _moment(text, to.end(), day, ahead)
        if until is not None and until[0]:
            if first > until[1]:
                # *from November to March 2021*: the first one goes by the last.
                first = (_moment(text, at, _first_day(until[0]), False) or moment)[0] or first
            if first and _first_day(first) > _last_day(until[1]):
                first = ""
            return TimeExpression(start, until[2], "between", first, until[1])
    return TimeExpression(start, end, _SENSES.get(word, "at"), first, last)


def _moment(text: str, at: int, day: date | None, ahead: bool) -> tuple[str, str, int] | None:
    """The first and last moment of the words at a place, both empty for an impossible date, and where they end."""
    for form in _MOMENTS:
        if found := form.match(text, at):
            parts = {name: value.lower() for name, value in found.groupdict().items() if value}
            with suppress(ValueError, OverflowError):
                named = _named(parts, day, ahead)
                return None if named is None else (*named, found.end())
            return "", "", found.end()
    return None


def _named(parts: dict[str, str], day: date | None, ahead: bool) -> tuple[str, str] | None:
    """The moments of a form by its parts."""
    if anchored := parts.get("anchored"):
        return None if day is None else _cut(*_anchored(anchored, day))
    if "number" in parts:
        back = parts["way"] in ("ago", "earlier")
        count = _count(parts["number"])
        return None if day is None else _cut(*_moved(day, -count if back else count, parts["unit"]))
    if weekday := parts.get("weekday"):
        if day is None:
            return None
        away = (WEEKDAY_NUMBERS[weekday] - 1 - day.weekday()) % 7
        found = day + timedelta(days=(away or 7) if ahead else (away - 7 if away else 0))
        return found.isoformat(), found.isoformat()
    if "decade" in parts:
        return parts["y"][:3], parts["y"][:3]
    if "tens" in parts or "ties" in parts:
        decade = f"19{int(parts['tens']) if 'tens' in parts else _TIES[parts['ties']]}"[:3]
        return decade, decade
    if "half" in parts:
        return (
            (f"{parts['y']}-01", f"{parts['y']}-06")
            if parts["half"] == "first"
            else (f"{parts['y']}-07", f"{parts['y']}-12")
        )
    if "century" in parts:
        return f"{int(parts['century']) - 1:02d}01", f"{parts['century']}00"
    month = int(parts["n"]) if "n" in parts else _MONTHS.get(parts.get("m", ""), 0)
    season, quarter = parts.get("season"), parts.get("q") or parts.get("q2")
    month = _SEASONS.get(season or "", _QUARTERS.get(quarter or "", month))
    year = int(parts["y"]) if "y" in parts else _year(parts, month, day, ahead)
    if year is None:
        return None
    if season or quarter:
        first = date(year, month, 1)
        return first.isoformat()[:7], _month(first, 2).isoformat()[:7]
    if "d" in parts:
        found = date(year, month, _ordinal(parts["d"]))
        return found.isoformat(), found.isoformat()
    if (this := parts.get("this", "")).endswith("month") and day is not None:
        first = _month(day, _STEPS.get(this.split()[0], 0))
        year, month = first.year, first.month
    words = date(year, month or 1, 1).isoformat()[: 7 if month else 4]
    if part := parts.get("part"):
        found = _last_day(words) if part in ("end", "close") else _first_day(words)
        return found.isoformat(), found.isoformat()
    return words, words


def _year(parts: dict[str, str], month: int, day: date | None, ahead: bool) -> int | None:
    """The year of a moment that does not name one, seen from a day."""
    if day is None or not (month or "this" in parts):
        return None
    if whole := parts.get("whole"):
        return day.year + _STEPS[whole]
    step = parts.get("step")
    if "season" in parts and step:
        # *Last winter* is the one that is over.
        return day.year + {"next": 1, "coming": 1, "this": 0}.get(step, 0 if month + 2 < day.month else -1)
    if step in ("last", "next") and "m" in parts and len(parts) == 2:
        return day.year + (month <= day.month if step == "next" else -(month >= day.month))
    if step or "this" in parts:
        return day.year + _STEPS.get(step or parts["this"].split()[0], 0)
    here = (month, _ordinal(parts["d"]) if "d" in parts else day.day)
    there = (day.month, day.day)
    return day.year + (here < there if ahead else -(here > there))


def _ordinal(day: str) -> int:
    """The number of *3rd*."""
    return int(day.rstrip("sthndr"))


def _cut(first: date, last: date) -> tuple[str, str]:
    """The moments of a period: a whole year, a whole month, or days."""
    if first.month == first.day == 1 and (last.month, last.day) == (12, 31) and first.year == last.year:
        return first.isoformat()[:4], last.isoformat()[:4]
    if first.day == 1 and last == _last_day(first.isoformat()[:7]):
        return first.isoformat()[:7], last.isoformat()[:7]
    return first.isoformat(), last.isoformat()


def _first_day(moment: str) -> date:
    return date.fromisoformat(moment + "0000-01-01"[len(moment) :])


def _last_day(moment: str) -> date:
    if len(moment) == 10:
        return date.fromisoformat(moment)
    first = date.fromisoformat(moment + "9999-12-01"[len(moment) :])
    return first.replace(day=monthrange(first.year, first.month)[1])


def moment_days(first: str | None, last: str | None) -> tuple[date | None, date | None]:
    """The first day of one moment and the last day of another.

    >>> moment_days("2009", "2016-02")
    (datetime.date(2009, 1, 1), datetime.date(2016, 2, 29))
    """
    return (
        _first_day(first) if first and first[0].isdigit() else None,
        _last_day(last) if last and last[0].isdigit() else None,
    )


def earlier(moment: str, *, days: int = 0, months: int = 0) -> str:
    """A moment some time before another one, as precise as both.

    >>> earlier("2020-05", months=96), earlier("2020-05-03", months=12), earlier("2028-12-31", days=1)
    ('2012-05', '2019', '2028-12-30')
    """
    if days:
        return (_first_day(moment) - timedelta(days=days)).isoformat()
    size = 4 if months % 12 == 0 and len(moment) != 7 else 7
    return _month(_first_day(moment), -months).isoformat()[: min(size, len(moment))]


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    known = TENS | CARDINALS | {"a": 1.0, "an": 1.0}
    return int(sum(known[part] for part in word.lower().replace("-", " ").split()))
