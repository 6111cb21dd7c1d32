"""WordNet's database files (WNDB): `index.*`, `data.*` and the lists of exceptions `*.exc`.

The format is that of the manual page wndb(5WN). Opening reads nothing; an index is read when its part of speech is
first asked for, and a synset is parsed when it is first needed. Any copy of the 3.0 files will do: Debian's package
`wordnet-base`, the original archive, or NLTK's.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
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
        # Nothing is read or parsed twice.
        self.senses, self.synset = cache(self._senses), cache(self._synset)
        self._index, self._bytes = cache(self._read_index), cache(self._read_bytes)
        self.exceptions = cache(self._exceptions)

    def lemmas(self, pos: str) -> Collection[str]:
        return self._index(pos).keys()

    def _exceptions(self, pos: str) -> dict[str, tuple[str, ...]]:
        found = {}
        with InputFile(self._folder / f"{_FILES[pos]}.exc") as file:
            for number, line in file.lines():
                form, *bases = line.split()
                if not bases:
                    raise FormatError(file.name, number, "no base form", "an irregular form and its base forms")
                found[form] = tuple(bases)
        return found

    def _read_index(self, pos: str) -> dict[str, str]:
        found = {}
        with InputFile(self._folder / f"index.{_FILES[pos]}") as file:
            for number, line in file.lines():
                if line.startswith(" ") or not line:
                    continue
                lemma, _, rest = line.rstrip().partition(" ")
                if not rest:
                    raise FormatError(file.name, number, "1 field", _INDEX)
                found[lemma] = rest
        return found

    def _read_bytes(self, pos: str) -> bytes:
        with InputFile(self._folder / f"data.{_FILES[pos]}") as file:
            return file.binary.read()

    def _senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        if lemma not in self._index(pos):
            return ()
        fields = self._index(pos)[lemma].split()
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

    def _synset(self, pos: str, offset: int) -> Synset:
        data = self._bytes(pos)
        end = data.find(b"\n", offset)
        try:
            head, _, gloss = data[offset : end if end >= 0 else None].decode("utf-8").partition(" | ")
            fields = head.split()
            if int(fields[0]) != offset or len(fields[0]) != 8:
                raise ValueError
            count = int(fields[3], 16)
            # An adjective may say where it stands: `galore(ip)`.
            written = fields[4 : 4 + 2 * count : 2]
            words = tuple(word.partition("(")[0] if word.endswith(")") else word for word in written)
            first = 4 + 2 * count
            pointers = tuple(_pointers(fields[first + 1 :], int(fields[first])))
            if not words or len(words) != count:
                raise ValueError
        except (ValueError, IndexError):
            raise FormatError(
                str(self._folder / f"data.{_FILES[pos]}"),
                data.count(b"\n", 0, offset) + 1,
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
