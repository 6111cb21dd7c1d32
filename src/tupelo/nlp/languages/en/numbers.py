"""Words for numbers, amounts and approximation, in lower case."""

from __future__ import annotations

_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

CARDINALS: dict[str, float] = {**{name: float(number) for number, name in enumerate(_SMALL.split())}, "dozen": 12.0}
TENS: dict[str, float] = {name: 10.0 * number for number, name in enumerate(_TENS.split(), start=2)}
ORDINALS: dict[str, int] = {name: number for number, name in enumerate(_ORDINALS.split(), start=1)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
CURRENCIES = {
    "$": "dollar",
    "us$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "dollar": "dollar",
    "dollars": "dollar",
    "euro": "euro",
    "euros": "euro",
    "pound": "pound",
    "pounds": "pound",
    "yen": "yen",
}
PERCENT = frozenset(["%", "percent", "pc"])
_APPROXIMATIONS = {
    "about": ("about", "around", "roughly", "approximately", "some", "circa"),
    "nearly": ("nearly", "almost", "just under", "close to"),
    "over": ("over", "more than", "just over", "above"),
    "least": ("at least", "no fewer than", "no less than"),
    "under": ("under", "below", "less than", "fewer than"),
    "most": ("up to", "at most", "no more than", "as many as"),
}
# Phrase before a number -> the kind of approximation.
APPROXIMATIONS = {phrase: kind for kind, phrases in _APPROXIMATIONS.items() for phrase in phrases}
# Words that are a number, but more often a pronoun.
PRONOUN_NUMBERS = {"one": 1}
# Words that say which one or how often, not how many.
NOT_QUANTITIES = frozenset([*list(ORDINALS)[:10], "last", "next", "one", "once", "twice", "half"])
