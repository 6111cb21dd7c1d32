"""Values as numbers and days, where the words say one."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from tupelo.graph.store.times import days_of
from tupelo.nlp.values import Number, values_in, words_of


class LiteralValue(NamedTuple):
    """What a literal amounts to; `None` where its words do not say."""

    number: float | None = None
    unit: str | None = None
    first_day: date | None = None
    last_day: date | None = None


def literal_value(label: str, text: str) -> LiteralValue:
    """The value of a literal: days of a `datetime`, number and unit of a `number`.

    >>> literal_value("number", "$1.2 million")
    LiteralValue(number=1200000.0, unit='dollar', first_day=None, last_day=None)
    """
    if label == "datetime":
        first, last = days_of(text) or (None, None)
        return LiteralValue(first_day=first, last_day=last)
    if label == "number":
        numbers = [found.value for found in values_in(words_of(text)) if isinstance(found.value, Number)]
        if len(numbers) == 1:
            return LiteralValue(numbers[0].amount, numbers[0].unit or None)
    return LiteralValue()
