"""Words for numbers, units and dates, in lower case."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages import labels, language_data, word_names, words

__getattr__ = word_names(__name__, "quantities")

_DATA = language_data("quantities")


def _numbered(name: str, first: int) -> dict[str, int]:
    return {word: number for number, word in enumerate(_DATA[name].split(), start=first)}


CARDINALS: dict[str, float] = {
    **{word: float(number) for word, number in _numbered("cardinals", 0).items()},
    "dozen": 12.0,
}
TENS: dict[str, float] = {word: 10.0 * number for word, number in _numbered("tens", 2).items()}
ORDINALS = _numbered("ordinals", 1)
SCALES: Mapping[str, float] = _DATA["scales"]
SHORT_SCALES: Mapping[str, float] = _DATA["short_scales"]
CURRENCIES = labels("quantities", "currencies")
# Kind of approximation -> ranges of numbers that support it, and that it allows.
APPROXIMATION_RANGES: Mapping[str, Mapping[str, tuple[float, float]]] = _DATA["approximations"]
# Phrase before a number -> the kind of approximation.
APPROXIMATIONS = {phrase: kind for kind, ranges in _DATA["approximations"].items() for phrase in ranges["phrases"]}
# Words that are a number, but more often a pronoun.
PRONOUN_NUMBERS = {"one": 1}
# Words of order or repetition, not of number.
NOT_QUANTITIES = frozenset([*list(ORDINALS)[:10], "last", "next", "one", "once", "twice", "half"])

# January and Monday are 1.
MONTHS = _numbered("months", 1)
MONTH_ABBREVIATIONS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
WEEKDAY_NUMBERS = _numbered("weekdays", 1)
TIME_NOUNS = words("quantities", "time_nouns", "months", "weekdays")
MONTHS_AND_ABBREVIATIONS = words("quantities", "month_abbreviations", "months")

# Word -> dimension and size.
UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, size)
    for dimension, units in _DATA["units"].items()
    for names, size in units.items()
    for word in names.split()
}
# "half", "a third", "two thirds", "three-quarters" -> the share.
SHARES: dict[str, float] = {"half": 0.5} | {
    f"{count} {part}{'s' if number > 1 else ''}": number / whole
    for count, number in _DATA["counts"].items()
    for part, whole in _DATA["parts"].items()
    if number < whole
}
# Phrases after a number that add a part of one: *two and a half*.
FRACTIONS: Mapping[str, float] = _DATA["fractions"]
MULTIPLES: Mapping[str, float] = _DATA["multiples"]
HAVING = words("quantities", "having", "having_phrases")
