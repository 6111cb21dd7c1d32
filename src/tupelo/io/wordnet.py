"""WordNet's database files (WNDB): `index.*`, `data.*` and the lists of exceptions `*.exc`.

The format is that of the manual page wndb(5WN). Opening reads nothing; an
index is read when its part of speech is first asked for, and a synset is
parsed when it is first needed. Any copy of the 3.0 files will do: Debian's
package `wordnet-base`, the original archive, or NLTK's.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from tupelo.core import FormatError, InputError
from tupelo.core.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, Pointer, Synset, WordNet
from tupelo.io.files import InputFile

FOLDER_VARIABLE = "TUPELO_WORDNET"
# Folder of Debian's package.
SYSTEM_FOLDERS = ("/usr/share/wordnet",)

_FILES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
_SYNSET = "offset, file number, type, words, pointers and a gloss after ' | '"
_INDEX = "lemma, part of speech, counts, pointers and synset offsets"


def open_wordnet(folder: str | os.PathLike[str] | None = None) -> WordNet:
    """WordNet from a folder; without one from that of `TUPELO_WORDNET`, the system's or the dataset cache."""
    return WordNet(WordNetFolder(find_wordnet(folder, os.environ)))


def find_wordnet(folder: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path:
    """The folder of the database. A folder that is named must hold it; the usual places are tried in turn."""
    named = folder or environment.get(FOLDER_VARIABLE)
    if named:
        missing = _missing(Path(named))
        if missing:
            raise InputError(f"{named}: no {missing[0]}, expected the database files of WordNet 3.0")
        return Path(named)
    for place in _usual_places():
        if not _missing(place):
            return place
    raise InputError(
        "WordNet was not found. Install it (Debian: apt install wordnet-base; anywhere: tupelo data get wordnet), "
        f"or name its folder in {FOLDER_VARIABLE}"
    )


def _usual_places() -> Iterator[Path]:
    yield from map(Path, SYSTEM_FOLDERS)
    # Takes longer to import than everything else here.
    from tupelo.io.fetch import cached_path

    cached = cached_path("wordnet")
    if cached is not None:
        yield from (cached / "wordnet", cached / "dict")


def _missing(folder: Path) -> list[str]:
    names = [name for pos in _FILES.values() for name in (f"index.{pos}", f"data.{pos}", f"{pos}.exc")]
    return [name for name in names if not (folder / name).is_file()]


class WordNetFolder:
    """Implements `tupelo.core.wordnet.WordNetTables` over a folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._data: dict[str, bytes] = {}
        self._indexes: dict[str, dict[str, str]] = {}
        self._exceptions: dict[str, dict[str, tuple[str, ...]]] = {}
        self._senses: dict[tuple[str, str], tuple[int, ...]] = {}
        self._synsets: dict[tuple[str, int], Synset] = {}

    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        key = (lemma, pos)
        found = self._senses.get(key)
        if found is None:
            rest = self._index(pos).get(lemma)
            found = self._senses[key] = () if rest is None else self._parse_senses(lemma, pos, rest)
        return found

    def lemmas(self, pos: str) -> Collection[str]:
        return self._index(pos).keys()

    def synset(self, pos: str, offset: int) -> Synset:
        key = (pos, offset)
        found = self._synsets.get(key)
        if found is None:
            data = self._bytes(pos)
            end = data.find(b"\n", offset)
            line = data[offset : end if end >= 0 else len(data)]
            found = self._synsets[key] = self._parse_synset(line, pos, offset)
        return found

    def exceptions(self, pos: str) -> Mapping[str, tuple[str, ...]]:
        found = self._exceptions.get(pos)
        if found is None:
            found = self._exceptions[pos] = dict(self._parse_exceptions(f"{_FILES[pos]}.exc"))
        return found

    def _parse_exceptions(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        with InputFile(self._folder / name) as file:
            for number, line in file.lines():
                form, *bases = line.split()
                if not bases:
                    raise FormatError(file.name, number, "no base form", "an irregular form and its base forms")
                yield form, tuple(bases)

    def _index(self, pos: str) -> dict[str, str]:
        found = self._indexes.get(pos)
        if found is None:
            found = {}
            with InputFile(self._folder / f"index.{_FILES[pos]}") as file:
                for number, line in file.lines():
                    if line.startswith(" ") or not line:
                        continue
                    lemma, _, rest = line.rstrip().partition(" ")
                    if not rest:
                        raise FormatError(file.name, number, "1 field", _INDEX)
                    found[lemma] = rest
            self._indexes[pos] = found
        return found

    def _bytes(self, pos: str) -> bytes:
        found = self._data.get(pos)
        if found is None:
            with InputFile(self._folder / f"data.{_FILES[pos]}") as file:
                found = self._data[pos] = file.binary.read()
        return found

    def _parse_senses(self, lemma: str, pos: str, rest: str) -> tuple[int, ...]:
        fields = rest.split()
        try:
            count = int(fields[1])
            # part of speech, two counts, pointer symbols, two counts, offsets
            if count < 1 or len(fields) != 5 + int(fields[2]) + count:
                raise ValueError
            return tuple(map(int, fields[-count:]))
        except (ValueError, IndexError):
            with InputFile(self._folder / f"index.{_FILES[pos]}") as file:
                # Of entries with the same lemma the last one counts.
                number = max(number for number, line in file.lines() if line.partition(" ")[0] == lemma)
            raise FormatError(file.name, number, f"entry {lemma!r} cannot be read", _INDEX) from None

    def _parse_synset(self, line: bytes, pos: str, offset: int) -> Synset:
        try:
            head, _, gloss = line.decode("utf-8").partition(" | ")
            fields = head.split()
            if int(fields[0]) != offset or len(fields[0]) != 8:
                raise ValueError
            count = int(fields[3], 16)
            words = tuple(_without_marker(word) for word in fields[4 : 4 + 2 * count : 2])
            first = 4 + 2 * count
            pointers = tuple(_pointers(fields[first + 1 :], int(fields[first])))
            if not words or len(words) != count:
                raise ValueError
        except (ValueError, IndexError):
            number = self._bytes(pos).count(b"\n", 0, offset) + 1
            raise FormatError(
                str(self._folder / f"data.{_FILES[pos]}"),
                number,
                f"no synset at byte {offset}",
                _SYNSET,
                "The index and the data must be of the same version.",
            ) from None
        return Synset(pos, offset, words, gloss.strip(), pointers, satellite=fields[2] == "s")


def _pointers(fields: list[str], count: int) -> Iterable[Pointer]:
    for first in range(0, 4 * count, 4):
        symbol, offset, pos, words = fields[first : first + 4]
        source, target = int(words[:2], 16), int(words[2:], 16)
        yield Pointer(
            symbol,
            ADJECTIVE if pos == "s" else pos,
            int(offset),
            source - 1 if source else None,
            target - 1 if target else None,
        )


def _without_marker(word: str) -> str:
    """An adjective may say where it stands: `galore(ip)`."""
    return word.partition("(")[0] if word.endswith(")") else word
