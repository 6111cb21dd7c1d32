"""Words that tell things of one name apart: what people, groups and places are called, and frequent names."""

from __future__ import annotations

from functools import lru_cache

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, FREQUENT_SURNAMES, FULL_FIRST_NAMES, MALE_NAMES

# Descriptions by field. Two things whose descriptions have no field in common are two, unless more speaks for one.
_FIELDS = {
    "football": "footballer quarterback striker goalkeeper linebacker midfielder",
    "basketball": "basketball",
    "baseball": "baseball pitcher outfielder shortstop infielder",
    "cricket": "cricketer batsman bowler",
    "hockey": "hockey",
    "tennis": "tennis",
    "boxing": "boxer wrestler",
    "athletics": "runner sprinter swimmer cyclist gymnast jockey golfer racer skier skater",
    "acting": "actor actress comedian",
    "film": "filmmaker screenwriter",
    "music": "singer musician rapper composer guitarist drummer pianist violinist bassist songwriter vocalist band "
    "orchestra",
    "writing": "writer author novelist poet playwright journalist columnist reporter essayist biographer",
    "art": "painter sculptor photographer architect illustrator cartoonist",
    "learning": "professor scientist physicist chemist mathematician biologist economist historian philosopher "
    "psychologist scholar academic astronomer linguist sociologist engineer inventor",
    "medicine": "physician doctor surgeon nurse psychiatrist dentist",
    "law": "lawyer attorney judge jurist barrister solicitor prosecutor",
    "politics": "politician senator governor president minister congressman congresswoman mayor diplomat ambassador "
    "statesman chancellor king queen emperor prince monarch",
    "war": "soldier colonel admiral sergeant lieutenant commander",
    "faith": "bishop priest pope monk theologian pastor rabbi missionary cardinal archbishop",
    "business": "businessman businesswoman entrepreneur executive banker investor company firm corporation retailer "
    "manufacturer automaker bank",
    "crime": "murderer gangster criminal killer robber",
    "trade": "farmer carpenter baker fisherman driver mechanic plumber teacher cook chef",
    "club": "club team franchise squad",
    "school": "university college school academy institute faculty",
    "party": "party",
    "newspaper": "newspaper magazine broadcaster",
    "settlement": "city town village capital municipality suburb port borough settlement hamlet",
    "region": "state province country county region nation republic territory kingdom",
    "water": "river lake sea ocean stream",
    "mountain": "mountain peak volcano",
    "planet": "planet moon asteroid star",
    "island": "island",
    "film title": "film movie sequel",
    "song": "song single",
    "album": "album",
    "book": "book novel poem play memoir",
    "series": "series sitcom show",
    "game": "game",
}
_SPORTS = ("football", "basketball", "baseball", "cricket", "hockey", "tennis", "boxing", "athletics")
# Descriptions that fit several fields.
_VAGUE = {
    "player": (*_SPORTS, "music"),
    "athlete": _SPORTS,
    "champion": _SPORTS,
    "coach": _SPORTS,
    "artist": ("music", "art", "acting"),
    "performer": ("music", "acting"),
    "star": (*_SPORTS, "music", "acting", "planet"),
    "director": ("film", "acting", "business", "school"),
    "producer": ("film", "music", "acting"),
    "researcher": ("learning", "medicine"),
    "general": ("war",),
    "captain": ("war", *_SPORTS),
    "officer": ("war", "business", "law"),
    "group": ("music", "business", "party"),
    "island": ("island", "region"),
}
_FIELDS_OF: dict[str, frozenset[str]] = {
    word: frozenset([field]) for field, words in _FIELDS.items() for word in words.split()
} | {word: frozenset(fields) for word, fields in _VAGUE.items()}
# Fields that one person often has both of.
_NEIGHBOURS = [
    {"acting", "film", "music"},
    {"law", "politics", "war"},
    {"writing", "politics", "learning"},
    {"learning", "medicine"},
    {"film", "writing"},
    {"business", "politics"},
    {"settlement", "region", "island"},
    {"newspaper", "business"},
    {"school", "business", "learning"},
    {"film title", "series", "book"},
    {"song", "album"},
]
TITLED_WORKS = frozenset(["film title", "song", "album", "book", "series", "game"])
GIVEN_NAMES = MALE_NAMES | FEMALE_NAMES
# Names that every country, state or town has one of.
GENERIC_NAMES = word_set(
    "academy administration airport army assembly association bank board cabinet capitol cathedral central church "
    "city club college commission committee conference congress constitution council county court department "
    "division east embassy federation foreign government guard house institute interior kingdom league ministry "
    "museum nation navy north palace parliament party police president republic school senate society south state "
    "street supreme theatre treasury union university west"
)
# A name of one of these words alone is that of many people.
FREQUENT_NAMES = FREQUENT_SURNAMES | GIVEN_NAMES


@lru_cache(maxsize=1 << 14)
def fields_of(descriptions: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """The fields that each description may belong to; a phrase goes by its rarest word.

    >>> sorted(fields_of(("basketball player",))[0]), fields_of(("friend",))
    (['basketball'], ())
    """
    found = (
        min(
            (_FIELDS_OF[word] for word in text.casefold().split() if word in _FIELDS_OF), key=len, default=frozenset()
        )
        for text in descriptions
    )
    return tuple(fields for fields in found if fields)


@lru_cache(maxsize=1 << 12)
def fields_agree(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether one thing may well belong to both sets of fields, or one of them is empty.

    >>> fields_agree(frozenset(["basketball"]), frozenset(["learning"]))
    False
    """
    if not first or not second or first & second:
        return True
    return any(group & first and group & second for group in _NEIGHBOURS)


def first_name(word: str) -> str:
    """A first name in full.

    >>> first_name("bill"), first_name("marta")
    ('william', 'marta')
    """
    return FULL_FIRST_NAMES.get(word, word)
