"""Words for dates and times."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

# January is 1, as in dates.
MONTHS = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}
MONTH_ABBREVIATIONS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = word_set(_WEEKDAYS)
# Monday is 1.
WEEKDAY_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(_WEEKDAYS.split(), start=1)}
TIME_ADVERBS = word_set(
    "now then today yesterday tomorrow tonight recently lately soon later earlier currently previously formerly "
    "once ago afterwards afterward already initially originally eventually finally subsequently presently before "
    "since annually daily weekly monthly yearly nowadays immediately meanwhile early late simultaneously"
)
TIME_NOUNS = word_set(
    "year month week day hour minute second decade century morning afternoon evening night noon midnight weekend "
    "season spring summer autumn winter fall time moment period era age quarter semester term date jan. feb. mar. "
    "apr. aug. sept. oct. nov. dec. today yesterday tomorrow tonight past future christmas easter ramadan beginning "
    "end start millennium fortnight"
).union(MONTHS, WEEKDAYS)
MONTHS_AND_ABBREVIATIONS = word_set("jan. feb. mar. apr. aug. sept. oct. nov. dec.").union(MONTHS)
