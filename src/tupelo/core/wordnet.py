"""WordNet: senses of words, what they are kinds of, and base forms of inflected words.

The algorithms are here, the files are not: `tupelo.io.wordnet` opens them and hands over a `WordNetTables`. What is
looked up is remembered, so that asking again costs a dictionary access.

Terms and rules follow WordNet's manual (wndb(5WN), morphy(7WN)) and, where the manual leaves a choice, NLTK, whose
`lesk` the literature on relation inference uses: see `lesk` for its ties.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

NOUN, VERB, ADJECTIVE, ADVERB = "n", "v", "a", "r"
PARTS_OF_SPEECH = (NOUN, VERB, ADJECTIVE, ADVERB)

# Endings of inflected words, each with what takes its place, from morphy(7WN); `ves` as in NLTK.
_ENDINGS = {
    NOUN: "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    VERB: "s: ies:y es:e es: ed:e ed: ing:e ing:",
    ADJECTIVE: "er: est: er:e est:e",
    ADVERB: "",
}
_REPLACED = {pos: [entry.split(":") for entry in endings.split()] for pos, endings in _ENDINGS.items()}


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation of a synset. `source` and `target` number the words it is about, `None` for the whole synset."""

    symbol: str
    pos: str
    offset: int
    source: int | None = None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Synset:
    """One sense and the words that have it. Spaces in words are underscores, as in the database.

    `pos` is that of the file; `satellite` marks an adjective that clusters around another.
    """

    pos: str
    offset: int
    words: tuple[str, ...]
    gloss: str
    pointers: tuple[Pointer, ...] = ()
    satellite: bool = False

    @property
    def definition(self) -> str:
        """The gloss without its quoted examples.

        >>> Synset("n", 1, ("cat",), 'a small animal; "the cat sat"').definition
        'a small animal'
        """
        # Every second part between quotation marks is an example.
        return "".join(self.gloss.split('"')[::2]).strip().strip("; ")

    def __str__(self) -> str:
        return f"{self.words[0]}.{self.pos}.{self.offset:08d}"


class WordNetTables(Protocol):
    """The database, looked up entry by entry."""

    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Offsets of the synsets of a base form, the most frequent sense first; empty for an unknown one."""

    def synset(self, pos: str, offset: int) -> Synset: ...

    def lemmas(self, pos: str) -> Collection[str]:
        """All base forms of a part of speech."""

    def exceptions(self, pos: str) -> Mapping[str, tuple[str, ...]]:
        """Irregular forms with their base forms."""


class WordNet:
    """Questions about words. Words may be written with spaces or underscores, in any case."""

    def __init__(self, tables: WordNetTables) -> None:
        self.tables = tables
        self._bases: dict[tuple[str, str], tuple[str, ...]] = {}

    def lemmas(self, pos: str) -> Collection[str]:
        """All base forms of a part of speech."""
        return self.tables.lemmas(pos)

    def synsets(self, word: str, pos: str | None = None) -> tuple[Synset, ...]:
        """The senses of a word, inflected or not, the most frequent first."""
        found: dict[tuple[str, int], Synset] = {}
        for part in PARTS_OF_SPEECH if pos is None else (pos,):
            for base in self.base_forms(word, part):
                for offset in self.tables.senses(base, part):
                    found.setdefault((part, offset), self.tables.synset(part, offset))
        return tuple(found.values())

    def base_forms(self, word: str, pos: str) -> tuple[str, ...]:
        """The base forms that a word can have; empty when WordNet knows none.

        An irregular form has those of the list of exceptions. Else endings are replaced, once or until something
        known comes out. A phrase that is unknown is tried again with each of its words in base form.
        """
        key = (_key(word), pos)
        if key not in self._bases:
            self._bases[key] = self._find_bases(*key)
        return self._bases[key]

    def name(self, synset: Synset) -> str:
        """The name that NLTK gives to a synset: its first word, part of speech and number of the sense.

        `dog.n.01`; the letter of a satellite adjective is `s`.
        """
        word = synset.words[0].lower()
        senses = self.tables.senses(word, synset.pos)
        number = senses.index(synset.offset) + 1 if synset.offset in senses else 0
        return f"{word}.{'s' if synset.satellite else synset.pos}.{number:02d}"

    def lesk(self, context: Iterable[str], word: str, pos: str | None = None, *, ties: str = "name") -> Synset | None:
        """The sense whose definition shares most words with the context; `None` for a word without senses.

        Words are compared as they are written. Of senses with equally many, `ties="name"` takes the one whose `name`
        comes last in the alphabet, as NLTK's `lesk` does without saying so; `ties="first"` takes the most frequent,
        which is the wiser choice where nobody has to be reproduced.
        """
        if ties not in ("name", "first"):
            raise ValueError(f"ties {ties!r}, expected name or first")
        around = frozenset(context)

        def rank(synset: Synset) -> tuple[int, str]:
            overlap = len(around.intersection(synset.definition.split()))
            return overlap, self.name(synset) if ties == "name" else ""

        return max(self.synsets(word, pos), key=rank, default=None)

    def _find_bases(self, word: str, pos: str) -> tuple[str, ...]:
        bases = self._word_bases(word, pos)
        if bases or "_" not in word:
            return bases
        parts = [self._word_bases(part, pos)[:1] or (part,) for part in word.split("_") if part]
        joined = "_".join(part[0] for part in parts)
        return (joined,) if self._knows(joined, pos) else ()

    def _word_bases(self, word: str, pos: str) -> tuple[str, ...]:
        irregular = self.tables.exceptions(pos).get(word)
        if irregular is not None:
            return self._known_among((word, *irregular), pos)
        forms = _without_endings((word,), pos)
        found = self._known_among((word, *forms), pos)
        while not found and forms:
            forms = _without_endings(forms, pos)
            found = self._known_among(forms, pos)
        return found

    def _known_among(self, forms: Iterable[str], pos: str) -> tuple[str, ...]:
        return tuple(form for form in dict.fromkeys(forms) if self._knows(form, pos))

    def _knows(self, form: str, pos: str) -> bool:
        return form in self.tables.lemmas(pos)


def _without_endings(forms: Iterable[str], pos: str) -> tuple[str, ...]:
    return tuple(
        form[: len(form) - len(ending)] + instead
        for form in forms
        for ending, instead in _REPLACED[pos]
        if form.endswith(ending) and len(form) > len(ending)
    )


def _key(word: str) -> str:
    """As the index spells it."""
    return "_".join(word.lower().split())
