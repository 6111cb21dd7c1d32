"""Names in the form in which they are compared.

A form has no case, accents, hyphens, articles, titles, legal forms, possessive endings and punctuation. Adjoining
initials are one word (*J. R. R. Tolkien*: `jrr tolkien`, *U.S.*: `US`), and a name of capitals keeps them, so that
*US* is no *us*.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tupelo.nlp.languages import language_data, words
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo.nlp.languages.en.naming import DETACHABLE_TITLES, LEGAL_FORMS

_APOSTROPHES = re.compile("[’‘`´ʼ]")
_POSSESSIVE = re.compile(r"(?:'s|(?<=s)')$", re.IGNORECASE)
# Letters with full stops between them, the last of which may be missing: U.S., J.R.R.
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?\.?")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|&")
_ABBREVIATED: Mapping[str, str] = language_data("name_words")["abbreviated"]
_BEFORE_LEGAL_FORMS = words("name_words", "before_legal_forms")
_ROYAL_TITLES = words("name_words", "royal_titles")
GENERATIONS = words("name_words", "generations")
_SAME_GENERATION = {"junior": "jr", "senior": "sr"}
PARTICLES = words("name_words", "particles")
SONS = words("name_words", "sons")
# Longer words of capitals are words of a headline.
_LONGEST_ACRONYM = 6
_LONGEST_INITIALS = 3


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name taken apart: its `words`, without the `generation` (*jr*, *ii*) of a person.

    `key` is all of it as one text. `initials` has, for each word, whether it consists of initials. `legal` says that
    the name has a legal form of a company, and `titled` that a title stands before it.
    """

    words: tuple[str, ...]
    initials: tuple[bool, ...]
    generation: str = ""
    legal: bool = False
    titled: bool = False
    key: str = field(init=False)

    def __post_init__(self) -> None:
        words = (*self.words, self.generation) if self.generation else self.words
        object.__setattr__(self, "key", " ".join(words))

    @property
    def is_acronym(self) -> bool:
        return len(self.words) == 1 and self.words[0].isupper()

    @property
    def own_words(self) -> tuple[str, ...]:
        """The words after the particles of a surname: *gogh* of *van gogh*."""
        start = 0
        while start < len(self.words) - 1 and self.words[start] in PARTICLES:
            start += 1
        return self.words[start:]


@lru_cache(maxsize=1 << 16)
def form_of(name: str, label: str = "") -> NameForm:
    """The form of a name whose type is `label`.

    >>> form_of("The U.S.").key, form_of("Us").key, form_of("Apple, Inc.", "organization").key
    ('US', 'us', 'apple')
    >>> form_of("Dr. J.R.R. Tolkien’s", "person").key, form_of("Martin Luther King, Jr.", "person").generation
    ('jrr tolkien', 'jr')
    >>> form_of("Queen Elizabeth II", "person").key, form_of("São Paulo").key, form_of("Johnson & Johnson").key
    ('elizabeth ii', 'sao paulo', 'johnson and johnson')
    """
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    text = _APOSTROPHES.sub("'", plain).strip(" \t\n\"'“”«».,;:!?()[]")
    spelled = _POSSESSIVE.sub("", text) if "'" in text else text
    if spelled == text and name.rstrip().endswith("."):
        # The full stop of U.S. was stripped.
        spelled += "."
    words = list(_joined_initials(spelled))
    if len(words) > 1 and words[0][0].casefold() in ARTICLES and not words[0][1]:
        words = words[1:]
    titled = legal = False
    while len(words) > 1 and _is_title(words, label):
        words, titled = words[1:], True
    if label != "person":
        while len(words) > 1 and words[-1][0].casefold() in LEGAL_FORMS:
            words, legal = words[:-1], True
        if legal and len(words) > 1 and words[-1][0].casefold() in _BEFORE_LEGAL_FORMS:
            # *Ford Motor Company*, *Goldman Sachs Group, Inc.*, *Procter and Co.*
            words = words[:-1]
    if not words:
        # A name of nothing but punctuation.
        return NameForm((name.strip() or name,), (False,))
    longest = _LONGEST_INITIALS if label == "person" else _LONGEST_ACRONYM
    if len(words) == 1 and words[0][0].isupper() and 1 < len(words[0][0]) <= longest:
        return NameForm((words[0][0],), (False,), "", legal, titled)
    folded = [(_fold(word), initials) for word, initials in words]
    if folded[0][0] in _ABBREVIATED and len(folded) > 1:
        folded[0] = (_ABBREVIATED[folded[0][0]], False)
    if folded[0][0] == "river" and len(folded) > 1:
        folded = [*folded[1:], folded[0]]
    generation = ""
    if label == "person" and len(folded) > 1 and folded[-1][0] in GENERATIONS and not folded[-1][1]:
        generation = _SAME_GENERATION.get(folded[-1][0], folded[-1][0])
        folded = folded[:-1]
    return NameForm(
        tuple("and" if word == "&" else word for word, _ in folded),
        tuple(initials for _, initials in folded),
        generation,
        legal,
        titled,
    )


def _joined_initials(text: str) -> list[tuple[str, bool]]:
    """The words of a name, each with whether it consists of initials; adjoining initials are one word."""
    words: list[tuple[str, bool]] = []
    for part in text.split():
        if "." in part and _DOTTED.fullmatch(part):
            found = [(part.replace(".", ""), True)]
        else:
            inner = [part] if part.isalnum() else _WORD.findall(part)
            found = [(word, len(word) == 1 and word.isalpha() and word.isupper()) for word in inner]
        for word, initials in found:
            if words and initials and words[-1][1]:
                words[-1] = (words[-1][0] + word, True)
            else:
                words.append((word, initials))
    return words


def _is_title(words: list[tuple[str, bool]], label: str) -> bool:
    first = words[0][0].casefold()
    if label != "person" or words[0][1]:
        return False
    if first in _ROYAL_TITLES:
        # *Queen Elizabeth II* is *Elizabeth II*, but *Prince Charles* is no *Charles*.
        return len(words) > 2 and words[-1][0].casefold() in GENERATIONS
    return first in DETACHABLE_TITLES or first == "prime"


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower().replace("'", "")
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char)).replace("'", "")


def acronyms_of(words: Sequence[str], small: Container[str]) -> set[str]:
    """The first letters of the words of a name, with and without its small words; none of a single word.

    >>> sorted(acronyms_of(["bank", "of", "england"], {"of"}))
    ['be', 'boe']
    """
    if len(words) < 2:
        return set()
    large = [word for word in words if word not in small]
    return {"".join(word[0] for word in chosen) for chosen in (words, large)}


def phrase_key(phrase: str) -> str:
    """The form of a concept: its last word in the singular.

    >>> phrase_key("the Car Ferries"), phrase_key("glass"), phrase_key("buses"), phrase_key("U.S. troops")
    ('car ferry', 'glass', 'bus', 'us troop')
    """
    words = form_of(phrase).key.casefold().split(" ")
    return " ".join([*words[:-1], _singular(words[-1])])


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "uses")):
        return word[:-2]
    return word[:-1]
