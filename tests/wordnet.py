"""A WordNet of a few synsets, written as database files, and the real one where it is installed.

Offsets of a synset are positions in its file, so the files are laid out by a
small function; what the synsets say stands in the table, by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tupelo.core.wordnet import WordNet
from tupelo.io.wordnet import SYSTEM_FOLDERS, open_wordnet

LICENCE = "  1 Invented for tests.  \n  2 Free for any use.  \n"
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


class Entry(NamedTuple):
    """A synset. A pointer is symbol, key of the other synset, and the numbers of both words, 0 for all."""

    key: str
    kind: str
    words: str
    gloss: str
    pointers: tuple[tuple[str, str, int, int], ...] = ()


ENTRIES = (
    Entry("entity", "n", "entity", "that which exists"),
    Entry("organism", "n", "organism being", "a living thing", (("@", "entity", 0, 0),)),
    Entry("person", "n", "person individual", "a human being", (("@", "organism", 0, 0),)),
    Entry("scientist", "n", "scientist", "a person with knowledge of a science", (("@", "person", 0, 0),)),
    Entry("Curie", "n", "Marie_Curie Curie", 'a chemist; "Curie won twice"', (("@i", "scientist", 0, 0),)),
    Entry("drug", "n", "drug", "a substance used as a medicine", (("@", "entity", 0, 0), ("+", "dope", 1, 1))),
    Entry("aspirin", "n", "aspirin", "a drug against pain and fever", (("@", "drug", 0, 0),)),
    Entry("country", "n", "country state", "the territory of a nation", (("@", "entity", 0, 0),)),
    Entry("France", "n", "France French_Republic", "a republic in western Europe", (("@i", "country", 0, 0),)),
    Entry("bank-river", "n", "bank", "sloping land beside a body of water", (("@", "entity", 0, 0),)),
    Entry("bank-money", "n", "bank banking_company", "a company that accepts money", (("@", "entity", 0, 0),)),
    Entry("mouse", "n", "mouse", "a small rodent", (("@", "organism", 0, 0),)),
    Entry("axe", "n", "axe ax", "a tool to chop with", (("@", "entity", 0, 0),)),
    Entry("axis", "n", "axis", "a line to turn about", (("@", "entity", 0, 0),)),
    Entry("hot-dog", "n", "hot_dog", "a sausage in a roll", (("@", "entity", 0, 0),)),
    Entry("be", "v", "be exist", 'have existence; "I think, therefore I am"'),
    Entry("run", "v", "run", "move fast on foot"),
    Entry("dope", "v", "drug dope", "give a drug to", (("+", "drug", 1, 1),)),
    Entry("large", "a", "large big", "above average in size", (("&", "galore", 0, 0),)),
    Entry("galore", "s", "galore(ip)", "in great numbers", (("&", "large", 0, 0),)),
    Entry("quickly", "r", "quickly", "with speed"),
)
EXCEPTIONS = {
    "n": "mice mouse\naxes ax axis\n",
    "v": "was be\nwere be\nran run\nrunning run\n",
    "a": "best good\n",
    "r": "best well\n",
}


def write_wordnet(folder: Path, entries: tuple[Entry, ...] = ENTRIES) -> Path:
    """Lay the files out; the offset of a synset is where its line begins."""
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, tuple[str, int]] = {}
    # Lines keep their lengths when the offsets are filled in, so the first round finds the places.
    for known in (False, True):
        for pos, name in FILES.items():
            text = LICENCE
            for entry in entries:
                if _file_of(entry.kind) == pos:
                    places.setdefault(entry.key, (pos, len(text)))
                    text += _line(entry, places if known else None)
            (folder / f"data.{name}").write_text(text)
    for pos, name in FILES.items():
        (folder / f"index.{name}").write_text(LICENCE + _index(pos, entries, places))
        (folder / f"{name}.exc").write_text(EXCEPTIONS[pos])
    return folder


def _file_of(kind: str) -> str:
    return "a" if kind == "s" else kind


def _line(entry: Entry, places: dict[str, tuple[str, int]] | None) -> str:
    words = entry.words.split()
    listed = " ".join(f"{word} 0" for word in words)
    pointers = ""
    for symbol, key, source, target in entry.pointers:
        pos, offset = places[key] if places is not None else ("n", 0)
        pointers += f" {symbol} {offset:08d} {pos} {source:02x}{target:02x}"
    offset = places[entry.key][1] if places is not None else 0
    frames = " 01 + 02 00" if entry.kind == "v" else ""
    return (
        f"{offset:08d} 03 {entry.kind} {len(words):02x} {listed} {len(entry.pointers):03d}{pointers}{frames}"
        f" | {entry.gloss}  \n"
    )


def _index(pos: str, entries: tuple[Entry, ...], places: dict[str, tuple[str, int]]) -> str:
    senses: dict[str, list[Entry]] = {}
    for entry in entries:
        if _file_of(entry.kind) == pos:
            for word in entry.words.split():
                senses.setdefault(word.partition("(")[0].lower(), []).append(entry)
    lines = []
    for word, found in sorted(senses.items()):
        symbols = sorted({pointer[0] for entry in found for pointer in entry.pointers})
        offsets = " ".join(f"{places[entry.key][1]:08d}" for entry in found)
        listed = "".join(f"{symbol} " for symbol in symbols)
        lines.append(f"{word} {pos} {len(found)} {len(symbols)} {listed}{len(found)} 0 {offsets}  \n")
    return "".join(lines)


def real_wordnet() -> WordNet:
    """The installed WordNet 3.0, or a skipped test."""
    for folder in SYSTEM_FOLDERS:
        if (Path(folder) / "data.noun").is_file():
            return open_wordnet(folder)
    pytest.skip("needs WordNet 3.0 (Debian's package wordnet-base)")
