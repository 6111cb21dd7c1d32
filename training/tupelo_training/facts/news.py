"""Business news about invented companies, put together from sentences with the facts that they state (`news.toml`).

Re-DocRED is an encyclopedia: a person beside a company has founded it more often than not. Of these texts the network
learns that news mostly states nothing of its schema.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from tupelo.core.shipped import declared
from tupelo.nlp.pipeline import split_text
from tupelo_training.facts.sources import Document

_SLOT = re.compile(r"\{(\w+)\}")
# Slots that are no entity of a fact: lists to choose from; the least and the largest number, and its form.
_CHOSEN = {"role": "roles", "day": "days", "month": "months", "agency": "agencies"}
_COUNTED = {
    "date": (1, 28, "{} {}"),
    "number": (2, 40, "{}"),
    "count": (1, 30, "{},400"),
    "amount": (2, 900, "{} million {}"),
}


def news(count: int, seed: int = 1) -> Iterator[Document]:
    """So many texts; the same ones for the same seed."""
    table: dict[str, Any] = declared(__name__, "news.toml")
    generator = random.Random(seed)
    for _ in range(count):
        yield _document(table, generator)


def _document(table: dict[str, Any], generator: random.Random) -> Document:
    names = _names(table, generator)
    chosen = generator.sample(table["sentences"], generator.randint(3, 7))
    texts, facts, seen = [], set(), set[str]()
    dateline = generator.choice(table["datelines"])
    for number, (sentence, stated) in enumerate(chosen):
        texts.append(
            _SLOT.sub(lambda slot: _named(slot[1], names, seen, table, generator), dateline * (not number) + sentence)
        )
        facts |= {tuple(fact.split()) for fact in stated.split("|") if fact}
    document = Document("news", "", [[word.text for word in one.words] for one in split_text(" ".join(texts))])
    words = [word for sentence in document.sentences for word in sentence]
    place: dict[str, int] = {}
    for slot, forms in names.items():
        place[slot] = len(document.types)
        document.types.append("unknown")
        document.mentions += [
            (at, at + len(form.split()), place[slot])
            for form in {*forms, forms[0].upper()}
            for at in range(len(words))
            if words[at : at + len(form.split())] == form.split()
        ]
    document.mentions.sort()
    document.facts = [(place[a], place[b], relation) for a, relation, b in sorted(facts) if a != b]
    return document


def _named(
    slot: str, names: dict[str, list[str]], seen: set[str], table: dict[str, Any], generator: random.Random
) -> str:
    if slot == "CITY":
        return names["city"][0].upper()
    if slot in _CHOSEN:
        return str(generator.choice(table[_CHOSEN[slot]]))
    if slot in _COUNTED:
        low, high, form = _COUNTED[slot]
        number = generator.randint(low, high)
        return form.format(number, generator.choice(table["months" if slot == "date" else "money"]))
    # The full name first, then sometimes a shorter one.
    forms = names[slot]
    form = forms[0] if slot not in seen else generator.choice(forms)
    seen.add(slot)
    return form


def _names(table: dict[str, Any], generator: random.Random) -> dict[str, list[str]]:
    """The forms of every slot, the full name first."""
    places = generator.sample(table["places"], 4)
    parts = zip(*(generator.sample(table[part], 3) for part in ("starts", "ends", "trades")), strict=True)
    companies = [[f"{start}{end} {trade}".strip(), start + end] for start, end, trade in parts]
    people = list(zip(generator.sample(table["first"], 2), generator.sample(table["last"], 2), strict=True))
    return {
        **dict(zip(("company", "rival", "firm"), companies, strict=True)),
        **{slot: [" ".join(name), name[1]] for slot, name in zip(("person", "other"), people, strict=True)},
        "city": [places[0][0]],
        "country": [places[0][1].removeprefix("the ")],
        "demonym": [places[1][2]],
        "town": [places[2][0]],
        "abroad": [places[2][1].removeprefix("the ")],
        "demonym2": [places[3][2]],
        "year": [str(generator.randint(1950, 2024))],
        "product": [generator.choice(table["products"])],
    }
