"""Units of measurement, shares and multiples, in lower case."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

# Dimension -> unit -> how many of the first unit it is.
_DIMENSIONS: dict[str, dict[str, float]] = {
    "length": {
        "metre metres meter meters m": 1,
        "millimetre millimetres millimeter millimeters mm": 1e-3,
        "centimetre centimetres centimeter centimeters cm": 1e-2,
        "kilometre kilometres kilometer kilometers km kms": 1e3,
        "inch inches": 0.0254,
        "foot feet ft": 0.3048,
        "yard yards": 0.9144,
        "mile miles": 1609.344,
    },
    "mass": {
        "gram grams gramme grammes g": 1,
        "milligram milligrams mg": 1e-3,
        "kilogram kilograms kilo kilos kg": 1e3,
        "tonne tonnes": 1e6,
        "ounce ounces oz": 28.349523125,
        "lb lbs": 453.59237,
    },
    "volume": {
        "litre litres liter liters l": 1,
        "millilitre millilitres milliliter milliliters ml": 1e-3,
        "centilitre centilitres cl": 1e-2,
    },
    "area": {"hectare hectares ha": 1, "acre acres": 0.40468564224},
    "time": {
        "second seconds sec": 1,
        "minute minutes min mins": 60,
        "hour hours hr hrs": 3600,
        "day days": 86400,
        "week weeks": 604800,
        "fortnight fortnights": 1209600,
    },
    # Months have different lengths: years and months are not converted to days.
    "months": {"month months": 1, "year years": 12, "decade decades": 120, "century centuries": 1200},
    "data": {
        "kilobyte kilobytes kb": 1,
        "megabyte megabytes mb": 1e3,
        "gigabyte gigabytes gb": 1e6,
        "terabyte terabytes tb": 1e9,
    },
}
# Word -> dimension and size.
UNITS = {
    word: (dimension, size)
    for dimension, units in _DIMENSIONS.items()
    for words, size in units.items()
    for word in words.split()
}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7, "nine": 9}
# "half", "a third", "two thirds", "three-quarters" -> the share.
SHARES = {"half": 0.5} | {
    f"{count} {part}{'s' if number > 1 else ''}": number / whole
    for count, number in _COUNTS.items()
    for part, whole in _PARTS.items()
    if number < whole
}
MULTIPLES = {
    "double": 2.0,
    "doubled": 2.0,
    "doubling": 2.0,
    "twice": 2.0,
    "triple": 3.0,
    "tripled": 3.0,
    "quadrupled": 4.0,
    "halved": 0.5,
}
# What stands before a number in a sentence that only says that something has so many things.
HAVING = word_set(
    """has have had having with is are was were carry carries carried carrying hold holds held holding contain
    contains contained containing seat seats seated"""
) | {"home to", "room for", "space for", "total of", "consist of", "consists of", "consisted of", "consisting of"}
# Words of a sentence about how much more or less something is.
CHANGES = word_set(
    """more less fewer rise rose risen rising increase increased increasing fall fell fallen drop dropped decrease
    decreased decline declined gain gained lose lost difference margin ahead behind remain remains remained remaining
    left grew grown grow up down extra another cut reduced added saved spare short"""
)
