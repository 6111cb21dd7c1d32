"""Worlds for the scorers of who is who: written ones, and documents whose names are filled in.

The folder `worlds` has worlds of 25 documents about one topic, with every mention marked (`benchmarks/worlds.py`).
`documents.txt` has documents of eight kinds with gaps for names, `names.toml` the words that names are made of. A
filled world has one cast: people of one family and of one given name, a company and its subsidiary, a company named
after a person, a club and a university of a town, products named after their maker.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.who_is_who import WORLDS
from benchmarks.worlds import Entity, Mention, World, WorldDocument, read_world

HERE = Path(__file__).parent
_GAP = re.compile(r"\{(\w)(?:\.(\w+))?(?:\.(\w+))?\}")
_PRONOUNS = {
    "female": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "male": {name: name for name in ("he", "him", "his", "himself")},
    "thing": {name: name for name in ("it", "its")},
}
# The kind of mention of each form; every other form is a short name.
_KINDS = {"full": "name", "name": "name", "of": "name", "acr": "acronym", "nick": "nickname", "old": "description"}


def words_of_names() -> Mapping[str, Any]:
    found = tomllib.loads((HERE / "names.toml").read_text("utf-8"))
    return {name: value.split() if isinstance(value, str) else value for name, value in found.items()}


def cast(number: int) -> dict[str, dict[str, str]]:
    """The forms of the names of each entity of a world; `type` is its type."""
    words, draw = words_of_names(), random.Random(number)
    taken: dict[str, list[str]] = {}

    def one(name: str) -> str:
        left = taken.setdefault(name, draw.sample(words[name], len(words[name])))
        return str(left.pop())

    people: dict[str, dict[str, str]] = {}
    for letter, of_family, of_given in (
        ("P", "", ""),
        ("Q", "", ""),
        ("R", "", ""),
        ("B", "P", ""),
        ("N", "", "P"),
        ("L", "Q", ""),
    ):
        gender = "female" if letter == "Q" else "male" if letter == "B" else draw.choice(["female", "male"])
        given, last = one(gender), people[of_family]["last"] if of_family else one("surnames")
        if of_given:
            gender, given = people[of_given]["gender"], people[of_given]["given"]
        middle = f" {draw.choice('ABCDEFGHJKLMR')}." if draw.random() < 0.2 else ""
        title = "Dr" if draw.random() < 0.25 else "Ms" if gender == "female" else "Mr"
        people[letter] = {
            "type": "person",
            "gender": gender,
            "full": f"{given}{middle} {last}",
            "last": last,
            "raw": last,
            "given": given,
            "nick": words["nicknames"].get(given, given),
            "init": f"{given[0]}. {last}",
            "mr": f"{title} {last}",
            **_PRONOUNS[gender],
        }
    things: dict[str, dict[str, str]] = {}
    firsts: dict[str, str] = {}
    for letter in "CDE":
        first, legal = one("first_words"), draw.choice(words["legal_forms"])
        shape = draw.random()
        name = (
            f"{first} {one('second_words')}"
            if shape < 0.7
            else f"{first} & {one('surnames')}"
            if shape < 0.85
            else first
        )
        firsts[letter] = first
        things[letter] = {"type": "company", "full": f"{name} {legal}".strip(), "name": name, "short": first}
    arm = f"{firsts['C']} {one('second_words')}"
    things["S"] = {"type": "company", "full": arm, "name": arm, "short": arm}
    family = people["R"]["last"]
    brewery = f"{family} {draw.choice(['Brewery', '& Sons', 'Furniture', 'Brothers'])}"
    things["W"] = {"type": "company", "full": brewery, "name": brewery, "short": brewery}
    for letter in "TU":
        town = one("towns")
        things[letter] = {"type": "place", "full": town, "name": town, "caps": town.upper()}
    town = things["T"]["full"]
    end = one("clubs")
    things["K"] = {
        "type": "organization",
        "full": f"{town} {end} FC",
        "name": f"{town} {end}",
        "town": town,
        "short": f"{town} {end}" if draw.random() < 0.5 else end,
    }
    turned = f"{town} University"
    things["V"] = {
        "type": "organization",
        "full": turned,
        "name": turned,
        "of": f"University of {town}",
        "old": "university",
    }
    hotel = one("hotels")
    things["H"] = {
        "type": "place",
        "full": f"Hotel {hotel}",
        "name": draw.choice([f"Hotel {hotel}", f"{hotel} Hotel"]),
        "last": hotel,
    }
    agency = one("agencies")
    things["O"] = {
        "type": "organization",
        "full": agency,
        "name": agency,
        "acr": "".join(word[0] for word in agency.split() if word[0].isupper()),
    }
    county = one("counties").replace("_", " ")
    things["A"] = {"type": "place", "full": county, "name": county}
    for letter, maker in (("X", "C"), ("Y", ""), ("Z", "D")):
        code = f"{draw.choice('TXMRK')}{draw.choice([7, 20, 40, 90, 300])}" if letter == "X" else one("products")
        name = f"{firsts[maker]} {code}" if maker else f"{code} {draw.choice([300, 500, 2])}"
        things[letter] = {"type": "product", "full": name, "name": name, "code": code}
    for forms in things.values():
        forms |= _PRONOUNS["thing"]
    return people | things


def filled_world(number: int) -> World:
    """A world whose documents are those of `documents.txt`, filled in."""
    entities = cast(number)
    pieces = (HERE / "documents.txt").read_text("utf-8").split("\n=== ")[1:]
    found = []
    for place, piece in enumerate(pieces):
        kind, _, body = piece.partition("\n")
        suffix = "eml" if kind == "mail" else "txt"
        found.append(fill(f"{place:02}-{kind}.{suffix}", kind, f"{body.strip()}\n", entities))
    names = (Entity(letter, forms["type"], forms["full"]) for letter, forms in entities.items())
    return World(f"filled {number}", tuple(names), tuple(found))


def fill(name: str, kind: str, body: str, entities: Mapping[str, Mapping[str, str]]) -> WorldDocument:
    """A document with its gaps filled."""
    text, mentions, last = "", list[Mention](), 0
    for gap in _GAP.finditer(body):
        text += body[last : gap.start()]
        last = gap.end()
        letter, form, large = gap[1], gap[2] or "name", gap[3]
        filled = entities[letter][form]
        if large:
            filled = filled[0].upper() + filled[1:]
        start = len(text) + (len(filled.split(" ")[0]) + 1 if form == "mr" else 0)
        text += filled
        is_pronoun = form in _PRONOUNS["male"] or form in _PRONOUNS["thing"]
        if form != "raw":
            how = "pronoun" if is_pronoun else _KINDS.get(form, "short")
            mentions.append(Mention(letter, start, len(text), how))
    return WorldDocument(name, kind, text + body[last:], tuple(mentions))


def written_worlds() -> Iterator[World]:
    """The worlds that were written as a whole, and those of the business corpus but for `held`."""
    for file in sorted([*(HERE / "worlds").glob("*.txt"), *WORLDS.glob("*.txt")]):
        yield read_world(file)
    yield read_world(WORLDS / "develop")
