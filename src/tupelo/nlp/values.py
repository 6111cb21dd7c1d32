"""Numbers, amounts and dates by value: "1.2 million" and "1,200,000" are the same, "5 May" and "May 5, 1998" agree.

The input is words, from a parser or a plain split; the output is values with the words that express them. A date may
lack a part: a missing part agrees with anything; a decade agrees with each of its years. An approximate number
("about 50", "more than 80") or a rounded one ("1.2 million") agrees with the exact ones that it covers. Comparing
asks whether a known value supports a claimed one: 84 supports "more than 80", not vice versa.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from tupelo.nlp.languages.en import quantities

# Rounding changes a number by at most this share of it.
_ROUNDED = 0.05
_DIGITS = re.compile(r"([$€£¥])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(%|st|nd|rd|th|s|k|mn|m|bn|b|tn)?", re.I)
_WORD = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d+(?:[.,:]\d+)*\w*|\w+(?:[-'’]\w+)*|\S")
_THOUSANDS = re.compile(r"\d{3}")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(am|pm)?", re.I)
_HALVES = {"am": 0, "pm": 12}
_NAMED_TIMES = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}
_FIRST_YEAR, _LAST_YEAR = 1000, 2199


class Agreement(Enum):
    """The result of comparing two values. Values of different kinds are unrelated."""

    SAME = "same"
    DIFFERENT = "different"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Number:
    """A count or an amount; `unit` is `percent`, the name of a currency, `ordinal`, or nothing.

    `rough` is the kind of approximation, such as `over`; `step` is the unit of the last digit
    written: 100,000 in *1.2 million*.
    """

    amount: float
    unit: str = ""
    rough: str = ""
    step: float = field(default=1.0, compare=False)

    def compare(self, other: Value) -> Agreement:
        if isinstance(other, Date):
            # A bare number may be a year.
            return other.compare(self)
        if not isinstance(other, Number) or (self.unit and other.unit and self.unit != other.unit):
            return Agreement.UNRELATED
        if self.amount == other.amount:
            # A claim may drop an "about", but not add a "more than".
            strict = other.rough in ("over", "under") and self.rough != other.rough
            return Agreement.UNRELATED if strict else Agreement.SAME
        if other.rough:
            if other._covers(self.amount, "supports"):
                return Agreement.SAME
            return Agreement.UNRELATED if self.rough or other._covers(self.amount, "allows") else Agreement.DIFFERENT
        if self.step < other.step and abs(self.amount - other.amount) <= min(other.step / 2, _ROUNDED * other.amount):
            return Agreement.SAME
        return Agreement.UNRELATED if self.rough and self._covers(other.amount, "allows") else Agreement.DIFFERENT

    def _covers(self, amount: float, kind: str) -> bool:
        """Whether an amount is within a range of this approximate number: `supports` or `allows`."""
        low, high = quantities.APPROXIMATION_RANGES[self.rough][kind]
        return low * self.amount <= amount <= high * self.amount


@dataclass(frozen=True, slots=True)
class Date:
    """A day, a month, a year or a decade, as far as it is known; a decade is given by its first year."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    is_decade: bool = False

    def compare(self, other: Value) -> Agreement:
        if isinstance(other, Number):
            if other.unit or self.year is None or not _is_year(other.amount):
                return Agreement.UNRELATED
            return self.compare(Date(int(other.amount)))
        if not isinstance(other, Date):
            return Agreement.UNRELATED
        if self.is_decade != other.is_decade and self.year is not None and other.year is not None:
            return Agreement.SAME if self.year // 10 == other.year // 10 else Agreement.DIFFERENT
        shared = [(own, its) for own, its in zip(self._parts(), other._parts(), strict=True) if own and its]
        if not shared:
            return Agreement.UNRELATED
        return Agreement.SAME if all(own == its for own, its in shared) else Agreement.DIFFERENT

    def same_parts(self, other: Date) -> bool:
        """Whether both give the same of year, month, day and weekday."""
        return [part is None for part in self._parts()] == [part is None for part in other._parts()]

    def _parts(self) -> tuple[int | None, ...]:
        return (self.year, self.month, self.day, self.weekday)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes after midnight; without am or pm, times twelve hours apart agree."""

    minutes: int
    half_known: bool = False

    def compare(self, other: Value) -> Agreement:
        if not isinstance(other, Clock):
            return Agreement.UNRELATED
        apart = abs(self.minutes - other.minutes)
        same = apart == 0 or (apart == 12 * 60 and not (self.half_known and other.half_known))
        return Agreement.SAME if same else Agreement.DIFFERENT


Value = Number | Date | Clock


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and the words `[start, end)` that express it."""

    start: int
    end: int
    value: Value


def words_of(phrase: str) -> list[str]:
    """Split a phrase into words without a parser.

    >>> words_of("$1,200 on July 14, 1939")
    ['$', '1,200', 'on', 'July', '14', ',', '1939']
    """
    return _WORD.findall(phrase)


def values_in(words: Sequence[str]) -> list[FoundValue]:
    """The values of a sentence, in order; each word belongs to at most one.

    >>> [found.value for found in values_in("He was born on July 14 , 1939 .".split())]
    [Date(year=1939, month=7, day=14, weekday=None, is_decade=False)]
    >>> [found.value for found in values_in("It cost $ 1.2 million .".split())]
    [Number(amount=1200000.0, unit='dollar', rough='', step=100000.0)]
    """
    lower = [word.lower() for word in words]
    found: list[FoundValue] = []
    place = 0
    while place < len(lower):
        readings = [read(lower, place) for read in (_date, _number, _clock)]
        best = max(filter(None, readings), key=lambda item: item.end, default=None)
        if best is None:
            place += 1
        else:
            found.append(best)
            place = best.end
    return found


def _date(words: Sequence[str], start: int) -> FoundValue | None:
    """`July 14 , 1939`, `14 July 1939`, `14th of July`, `May 2003`, `1939-07-14`, `Tuesday`, `1939`, `the 1990s`."""
    word = words[start]
    if iso := _ISO.fullmatch(word):
        date = Date(int(iso[1]), int(iso[2]), int(iso[3]))
        return FoundValue(start, start + 1, date) if 1 <= int(iso[2]) <= 12 and int(iso[3]) <= 31 else None
    if word in quantities.WEEKDAY_NUMBERS:
        return FoundValue(start, start + 1, Date(weekday=quantities.WEEKDAY_NUMBERS[word]))
    day, month, place = _day(word), _month(word), start + 1
    if day is not None:
        place += words[place : place + 1] == ["of"]
        month = _month(words[place]) if place < len(words) else None
        place += 1
    elif month and place < len(words) and (day := _day(words[place])) is not None:
        place += 1
    if month:
        year, end = _year_after(words, place)
        # "may" is more often a verb than a month.
        is_named = year is not None or (start > 0 and words[start - 1] in ("in", "last", "next", "since"))
        is_month = word != "may" or day is not None or is_named
        return FoundValue(start, end, Date(year, month, day)) if is_month else None
    year, end = _year_after(words, start)
    return None if year is None else FoundValue(start, end, Date(year, is_decade=words[end - 1].endswith("s")))


def _month(word: str) -> int | None:
    name = word.rstrip(".")
    return quantities.MONTHS.get(name) or quantities.MONTH_ABBREVIATIONS.get(name)


def _day(word: str) -> int | None:
    match = _DIGITS.fullmatch(word)
    if match is None or match[1] or match[3] not in (None, "st", "nd", "rd", "th") or not match[2].isdigit():
        return None
    # Python converts no number of thousands of digits.
    return int(match[2]) if len(match[2]) <= 4 and 1 <= int(match[2]) <= 31 else None


def _year_after(words: Sequence[str], place: int) -> tuple[int | None, int]:
    """A year at `place`, optionally after a comma, and where it ends; `None` and `place` if there is none."""
    at = place + 1 if place < len(words) and words[place] == "," else place
    if at < len(words):
        text = words[at].removesuffix("s") if words[at][:-1].isdigit() else words[at]
        if text.isascii() and text.isdigit() and len(text) == 4 and _is_year(float(text)):
            return int(text), at + 1
    return None, place


def _is_year(amount: float) -> bool:
    return _FIRST_YEAR <= amount <= _LAST_YEAR and amount == int(amount)


def _number(words: Sequence[str], start: int) -> FoundValue | None:
    """`1,200`, `$1.2m`, `£ 3 million`, `twenty-five`, `three hundred and ten`, `40 per cent`, `third`, `5th`."""
    place, unit = start, ""
    if words[place] in quantities.CURRENCIES and not words[place].isalpha():
        unit, place = quantities.CURRENCIES[words[place]], place + 1
    read = _digits(words, place) or _spelled(words, place)
    if read is None:
        return None
    amount, own_unit, step, place = read
    unit = own_unit or unit
    rough = ""
    if unit != "ordinal":
        # "74 m" is a length, "£ 74 m" an amount of money.
        scales = {**quantities.SCALES, **(quantities.SHORT_SCALES if unit else {})}
        while place < len(words) and words[place] in scales:
            scale = scales[words[place]]
            amount, step, place = amount * scale, step * scale, place + 1
        if not unit:
            unit, place = _unit_after(words, place)
        before = (words[max(start - length, 0) : start] for length in (3, 2, 1))
        phrase = next((phrase for phrase in before if " ".join(phrase) in quantities.APPROXIMATIONS), ())
        rough, start = quantities.APPROXIMATIONS.get(" ".join(phrase), ""), start - len(phrase)
    return FoundValue(start, place, Number(amount, unit, rough, step))


def _unit_after(words: Sequence[str], place: int) -> tuple[str, int]:
    word, following = (*words[place : place + 2], "", "")[:2]
    if word in quantities.PERCENT:
        return "percent", place + 1
    if (word, following) == ("per", "cent"):
        return "percent", place + 2
    return (
        (quantities.CURRENCIES[word], place + 1) if word.isalpha() and word in quantities.CURRENCIES else ("", place)
    )


def _digits(words: Sequence[str], place: int) -> tuple[float, str, float, int] | None:
    """Amount, unit, the value of the last digit, and where the number ends."""
    match = _DIGITS.fullmatch(words[place]) if place < len(words) else None
    if match is None:
        return None
    amount, unit = float(match[2].replace(",", "")), quantities.CURRENCIES.get(match[1] or "", "")
    step: float = 10.0 ** -len(match[2].partition(".")[2])
    # Tokenized corpora split thousands: "1 , 056".
    if match[3] is None and len(match[2]) <= 3 and match[2].isdigit():
        while words[place + 1 : place + 2] == [","] and _THOUSANDS.fullmatch("".join(words[place + 2 : place + 3])):
            amount, place = amount * 1000 + float(words[place + 2]), place + 2
    ending = (match[3] or "").lower()
    if ending in quantities.SHORT_SCALES:
        amount, step = amount * quantities.SHORT_SCALES[ending], step * quantities.SHORT_SCALES[ending]
    elif ending == "%":
        unit = "percent"
    elif ending in ("st", "nd", "rd", "th"):
        unit = "ordinal"
    return amount, unit, step, place + 1


def _spelled(words: Sequence[str], place: int) -> tuple[float, str, float, int] | None:
    if place < len(words) and words[place] in quantities.ORDINALS:
        return float(quantities.ORDINALS[words[place]]), "ordinal", 1.0, place + 1
    total, group, seen, end = 0.0, 0.0, False, place
    while end < len(words):
        parts = words[end].split("-")
        if all(part in quantities.CARDINALS or part in quantities.TENS for part in parts):
            group += sum(quantities.CARDINALS.get(part, 0) + quantities.TENS.get(part, 0) for part in parts)
        elif seen and words[end] == "hundred":
            group *= 100
        elif seen and words[end] in quantities.SCALES:
            total, group = total + (group or 1) * quantities.SCALES[words[end]], 0.0
        elif not seen or not _goes_on(words, end):
            break
        seen, end = True, end + 1
    if not seen or (end == place + 1 and words[place] in quantities.PRONOUN_NUMBERS):
        return None
    # "two and a half hours"
    part, length = next(
        ((part, size) for size in (4, 3) if (part := quantities.FRACTIONS.get(" ".join(words[end : end + size])))),
        (0.0, 0),
    )
    return total + group + part, "", 1.0, end + length


def _goes_on(words: Sequence[str], place: int) -> bool:
    """Whether a spelled number goes on after this word: *hundred* | *and ten*, *twenty* | *- five*."""
    after = words[place + 1].split("-")[0] if place + 1 < len(words) else ""
    if words[place] == "-":
        return words[place - 1] in quantities.TENS and after in quantities.CARDINALS
    return words[place] == "and" and (after in quantities.CARDINALS or after in quantities.TENS)


def _clock(words: Sequence[str], start: int) -> FoundValue | None:
    """`21:45`, `9.45pm`, `9:45 pm`, `3 p.m.`, `noon`."""
    if words[start] in _NAMED_TIMES:
        return FoundValue(start, start + 1, Clock(_NAMED_TIMES[words[start]], True))
    match = _CLOCK.fullmatch(words[start])
    if match is None:
        return None
    half, end = (match[3] or "").lower(), start + 1
    if not half and end < len(words) and words[end].replace(".", "") in _HALVES:
        half, end = words[end].replace(".", ""), end + 1
    hour, minute = int(match[1]), int(match[2] or 0)
    if hour > 24 or minute > 59 or (not half and ":" not in match[0]):
        return None
    if half:
        hour = hour % 12 + _HALVES[half]
    return FoundValue(start, end, Clock(hour * 60 + minute, bool(half) or hour > 12))
