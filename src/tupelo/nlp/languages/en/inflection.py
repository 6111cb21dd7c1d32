"""Forms of English words: inflection of verbs, agreement of *be* and *do*, case of pronouns.

Regular verbs follow the spelling rules; `inflection.toml` has the base form, past tense and past participle of
the others.
"""

from __future__ import annotations

from tupelo.nlp.languages import rows, words
from tupelo.nlp.languages.en.grammar import OBJECT_FORMS, SUBJECT_FORMS

_VERBS = rows("inflection", "verbs")
# Base form -> past tense and past participle.
_FORMS = {base: (past, participle) for base, past, participle in (*_VERBS, *rows("inflection", "generated_verbs"))}


def _bases(*entries: list[str]) -> dict[str, str]:
    """Form -> base form, the first base form winning."""
    table: dict[str, str] = {}
    for base, *forms in entries:
        for form in (base, *forms):
            table.setdefault(form, base)
    return table


# Universal tag -> irregular form -> base form.
IRREGULAR = {
    "VERB": _bases(*rows("inflection", "further_verb_forms"), *_VERBS),
    "NOUN": _bases(*rows("inflection", "nouns")),
    "ADJ": _bases(*rows("inflection", "adjectives")),
    "ADV": _bases(*rows("inflection", "adverbs")),
}
UNINFLECTED = words("inflection", "uninflected")
_VOWELS = "aeiou"
_DOUBLING = words("inflection", "doubling")
_PLURALS: dict[str, str] = dict(rows("inflection", "plurals"))
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_SPOKEN_CONSONANT = ("uni", "use", "usu", "uti", "eu", "one", "once", "ubi", "ura")
_IN_C = ("panic", "mimic", "picnic", "traffic")


def past(base: str) -> str:
    """The past tense.

    >>> past("write"), past("carry"), past("stop"), past("refer")
    ('wrote', 'carried', 'stopped', 'referred')
    """
    return _FORMS[base][0] if base in _FORMS else _with_ed(base)


def participle(base: str) -> str:
    """The past participle.

    >>> participle("write"), participle("use")
    ('written', 'used')
    """
    return _FORMS[base][1] if base in _FORMS else _with_ed(base)


def gerund(base: str) -> str:
    """The form in -ing.

    >>> gerund("make"), gerund("lie"), gerund("see"), gerund("run"), gerund("visit")
    ('making', 'lying', 'seeing', 'running', 'visiting')
    """
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base not in ("be", "singe"):
        return base[:-1] + "ing"
    if base in _IN_C:
        return base + "king"
    return (base + base[-1] if _doubles(base) else base) + "ing"


def third_person(base: str) -> str:
    """The present tense of *he*.

    >>> third_person("go"), third_person("carry"), third_person("play"), third_person("have")
    ('goes', 'carries', 'plays', 'has')
    """
    if base in ("have", "be"):
        return {"have": "has", "be": "is"}[base]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def be(*, past: bool, plural: bool) -> str:
    """The form of *be* for a tense and a number."""
    if past:
        return "were" if plural else "was"
    return "are" if plural else "is"


def do(*, past: bool, plural: bool) -> str:
    """The form of *do* for a tense and a number."""
    return "did" if past else "do" if plural else "does"


def inflect(base: str, tag: str) -> str | None:
    """A verb inflected for a Penn Treebank tag; `None` if the tag is not a verb tag.

    >>> inflect("make", "VBD"), inflect("make", "VBG"), inflect("make", "NN")
    ('made', 'making', None)
    """
    forms = {"VBD": past, "VBZ": third_person, "VBN": participle, "VBG": gerund}
    return base if tag in ("VB", "VBP") else forms[tag](base) if tag in forms else None


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("company"), plural("boss"), plural("child"), plural("journey")
    ('companies', 'bosses', 'children', 'journeys')
    """
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def article(word: str) -> str:
    """The indefinite article before a word.

    >>> article("owner"), article("union"), article("hour"), article("house")
    ('an', 'a', 'an', 'a')
    """
    low = word.lower()
    if low.startswith(_SILENT_H):
        return "an"
    return "an" if low[:1] in _VOWELS and not low.startswith(_SPOKEN_CONSONANT) else "a"


def as_subject(word: str) -> str:
    return SUBJECT_FORMS.get(word.lower(), word)


def as_object(word: str) -> str:
    return OBJECT_FORMS.get(word.lower(), word)


def _with_ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    if base in _IN_C:
        return base + "ked"
    return (base + base[-1] if _doubles(base) else base) + "ed"


def _doubles(base: str) -> bool:
    """Whether the last consonant is doubled: one vowel before it, in a stressed syllable."""
    if len(base) < 3 or base[-1] in _VOWELS + "wxyh" or base[-2] not in _VOWELS or base[-3] in _VOWELS:
        return len(base) > 3 and base[-3:] in ("uip", "uit", "uiz") and base != "recruit"
    return base in _DOUBLING or sum(letter in _VOWELS + "y" for letter in base) == 1
