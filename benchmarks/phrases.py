"""Names of people, places, organisations and works as texts write them: every entity in several forms, some often.

Everything is drawn from syllables and small lists with a seed; no data is needed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

_STARTS = [
    "b",
    "br",
    "c",
    "ch",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "sch",
    "sh",
    "st",
    "t",
    "th",
    "tr",
    "v",
    "w",
    "y",
    "z",
]
_MIDDLES = ["a", "e", "i", "o", "u", "ai", "au", "ea", "ei", "ia", "ie", "oo", "ou"]
_ENDS = [
    "ck",
    "d",
    "g",
    "l",
    "ld",
    "ll",
    "m",
    "n",
    "nd",
    "ng",
    "nn",
    "r",
    "rd",
    "rg",
    "rs",
    "rt",
    "s",
    "ss",
    "st",
    "t",
    "th",
    "x",
]
_SURNAME_ENDS = ["son", "berg", "mann", "ley", "ton", "er", "ova", "ez", "ini", "escu", "sen", "wicz", "", "", ""]
_PLACE_ENDS = ["ville", "burg", "ford", "ham", "stad", "port", "grad", "field", "haven", "mouth", "", ""]
_FIRST = [
    "James",
    "Mary",
    "Robert",
    "Patricia",
    "John",
    "Jennifer",
    "Michael",
    "Linda",
    "David",
    "Elizabeth",
    "William",
    "Barbara",
    "Richard",
    "Susan",
    "Joseph",
    "Jessica",
    "Thomas",
    "Sarah",
    "Carlos",
    "Karen",
    "Charles",
    "Lisa",
    "Daniel",
    "Nancy",
    "Matthew",
    "Sandra",
    "Anthony",
    "Ashley",
    "Mark",
    "Emily",
    "Donald",
    "Kim",
    "Steven",
    "Donna",
    "Andrew",
    "Michelle",
    "Paul",
    "Carol",
    "Joshua",
    "Amanda",
    "Kenneth",
    "Melissa",
    "Kevin",
    "Deborah",
    "Brian",
    "Stephanie",
    "Olga",
    "Ivan",
]
_KINDS = [
    "University",
    "College",
    "Institute",
    "School",
    "Museum",
    "Hospital",
    "Library",
    "Theatre",
    "Airport",
    "Bridge",
    "Church",
    "Council",
]
_TRADES = [
    "Motors",
    "Foods",
    "Energy",
    "Records",
    "Pictures",
    "Airlines",
    "Bank",
    "Media",
    "Systems",
    "Software",
    "Steel",
    "Pharma",
    "Press",
    "Group",
]
_LEGAL = ["Inc.", "Ltd", "Corporation", "Company", "GmbH", "plc"]
_OF = [
    "River",
    "Lake",
    "Mount",
    "Province",
    "District",
    "County",
    "Kingdom",
    "Republic",
    "Battle",
    "Treaty",
    "Bishop",
]
_WORK = [
    "Night",
    "Song",
    "Shadow",
    "River",
    "House",
    "Garden",
    "Winter",
    "King",
    "Dream",
    "Last",
    "Road",
    "Silent",
    "Glass",
    "Moon",
    "Stone",
    "Sea",
    "Daughter",
]

Draw = random.Random


def word(draw: Draw, endings: list[str]) -> str:
    syllables = draw.choice([1, 2, 2, 2, 3])
    made = "".join(draw.choice(_STARTS) + draw.choice(_MIDDLES) + draw.choice(["", *_ENDS]) for _ in range(syllables))
    return (made + draw.choice(endings)).capitalize()


def person(draw: Draw) -> list[str]:
    first, middle, last = draw.choice(_FIRST), draw.choice(_FIRST), word(draw, _SURNAME_ENDS)
    return [
        f"{first} {last}",
        f"{first} {middle} {last}",
        f"{first} {middle[0]}. {last}",
        f"{first[0]}. {last}",
        f"{last}, {first}",
        f"Dr. {first} {last}",
    ]


def place(draw: Draw) -> list[str]:
    name, region = word(draw, _PLACE_ENDS), word(draw, _PLACE_ENDS)
    return [name, f"{name}, {region}", f"the city of {name}", f"{name} City", f"{name} ({region})"]


def organisation(draw: Draw) -> list[str]:
    name = f"{word(draw, _SURNAME_ENDS)} {draw.choice(_TRADES)}"
    legal = draw.choice(_LEGAL)
    return [name, f"{name} {legal}", f"the {name} {legal}", f"{name}, {legal}", f"{name}'s"]


def institution(draw: Draw) -> list[str]:
    kind, name = draw.choice(_KINDS), word(draw, _PLACE_ENDS)
    return [f"{kind} of {name}", f"the {kind} of {name}", f"{name} {kind}", f"the {name} {kind}"]


def feature(draw: Draw) -> list[str]:
    kind, name = draw.choice(_OF), word(draw, _PLACE_ENDS)
    return [f"{name} {kind}", f"the {kind} of {name}", f"{kind} {name}"]


def work(draw: Draw) -> list[str]:
    title = f"The {draw.choice(_WORK)} of {word(draw, [''])} {draw.choice(_WORK)}"
    return [title, title.removeprefix("The "), f'"{title}"', f"{title} (film)"]


MAKERS: list[Callable[[Draw], list[str]]] = [person, person, person, place, organisation, institution, feature, work]


def misspelt(text: str, draw: Draw) -> str:
    """Two neighbouring letters change places."""
    at = draw.randrange(1, len(text) - 1)
    return text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :]


def phrases(count: int, seed: int = 0) -> list[str]:
    """`count` occurrences of about half as many entities, often in their first form and sometimes misspelt."""
    draw = random.Random(seed)
    made: list[str] = []
    while len(made) < count:
        forms = draw.choice(MAKERS)(draw)
        for _ in range(min(60, int(draw.paretovariate(1.1)))):
            form = forms[min(len(forms) - 1, int(draw.expovariate(0.9)))]
            made.append(misspelt(form, draw) if draw.random() < 0.02 and len(form) > 4 else form)
    made = made[:count]
    draw.shuffle(made)
    return made
