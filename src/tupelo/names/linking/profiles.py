"""The comparable properties of a referent: keys of its names, kind of thing, names around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern

from tupelo.names.aliases import Aliases, is_country, is_known_place
from tupelo.names.forms import PARTICLES, SONS, NameForm, form_of
from tupelo.names.same import YEARS, distinguishes, initials_of
from tupelo.names.wordings import skeleton
from tupelo.nlp.languages import labels, language_data, words
from tupelo.nlp.languages.en.naming import (
    COMPANY_ENDINGS,
    FEMALE_NAMES,
    FREQUENT_SURNAMES,
    FULL_FIRST_NAMES,
    LEADING_SURNAMES,
    MALE_NAMES,
)

# Reasons for which a name in a document is a name in other documents too; short names and adjectives are not.
_LASTING_REASONS = frozenset(["same name", "stated", "alias table", "acronym", "initials", "nickname", "correction"])
_LEAST_LETTERS = 3
# Longer parts of a name are rarely used for it.
_LONGEST_PART = 5
_JOINING = PARTICLES | words("name_words", "small_words")
# Before a key that is a shorter form of a name, and before one of a fuller name that it asks for; no name begins so.
OFFER, ASK = "\t", "\v"
# Before the first letters of a given name, and before the consonants of a word.
_BEGINS, _SPELLED = LIKE = ("~", "≈")
_LEAST_SPELLED = 4
_DOUBLE = re.compile(r"(.)\1")
_GENDERS = frozenset(["man", "woman"])
_THINGS = frozenset(["person", "place", "organization", "event"])
_FIELDS_OF: dict[str, frozenset[str]] = {
    **{word: frozenset([field]) for word, field in labels("fields", "fields").items()},
    **{word: frozenset(fields) for word, fields in language_data("fields")["vague"].items()},
}
_NEIGHBOURS = [frozenset(fields) for fields in language_data("fields")["neighbours"]]
TITLED_WORKS = words("fields", "titled_works")
GIVEN_NAMES = MALE_NAMES | FEMALE_NAMES
GENERIC_NAMES = words("fields", "generic_names")
# A name of one of these words alone is that of many people.
FREQUENT_NAMES = FREQUENT_SURNAMES | GIVEN_NAMES


@dataclass(frozen=True, slots=True)
class StoredReferent:
    """A referent as the table `referents` holds it."""

    referent_id: str
    document_id: str
    kind: str
    name: str
    label: str
    names: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    place: str | None = None
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """The properties by which a referent is compared, and nothing else: all profiles are held at once.

    `form` and `key` are those of the name that its own one stands for by the tables of names; `own_key` is its own.
    `thing` is what it is surely, empty where its label says little. `others` are the keys of its further names that
    other documents may use, `called` those of all names in its own document, and `offers` the shorter forms that
    other documents may use, each with its kind. `fields` are those of its descriptions that fit one field only,
    `possible` all that some description fits. `around` are the keys of other names beside it: countries, which stand
    beside everything, only where they distinguish one *Congress* from another.
    """

    id: str
    document_id: str
    label: str
    form: NameForm
    key: str
    own_key: str
    thing: str
    mentions: int
    others: tuple[str, ...] = ()
    called: frozenset[str] = frozenset()
    offers: Mapping[str, str] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    place: str | None = None
    around: frozenset[str] = frozenset()
    gender: str = ""
    said: frozenset[str] = frozenset()

    @property
    def is_given_name(self) -> bool:
        """Whether it is known by a first name alone, which names nobody elsewhere."""
        return self.thing in ("person", "") and self._only_word in GIVEN_NAMES and not self.form.titled

    @property
    def needs_company(self) -> bool:
        """Whether its name is so frequent that only other names beside it identify it."""
        is_frequent = self.thing == "person" and self._only_word in FREQUENT_NAMES
        return is_frequent or self.key in GENERIC_NAMES or len(self.key) < 2

    @property
    def has_frequent_name(self) -> bool:
        """Whether many have its last name; two initials are better evidence than one: *H. G. Wells*."""
        is_clear = self.form.titled or (self.form.initials[0] and len(self.form.words[0]) > 1)
        return self.form.words[-1] in FREQUENT_NAMES and not is_clear

    @property
    def is_full_name(self) -> bool:
        """Whether it is a person's name that begins with a known first name."""
        return self.thing == "person" and len(self.form.words) > 1 and first_name(self.form.words[0]) in GIVEN_NAMES

    @property
    def _only_word(self) -> str | None:
        words = self.form.own_words
        return words[0] if len(words) == 1 and not self.form.generation else None


def profile_of(referent: StoredReferent, aliases: Aliases) -> Profile:
    own = form_of(referent.name, referent.label)
    written = [form_of(name, referent.label).key for name in referent.names]
    key = aliases.canonical(own.key, referent.label)
    words = tuple(key.split(" "))
    form = own if key == own.key else NameForm(words, (False,) * len(words))
    fields = fields_of(referent.descriptions)
    around = {aliases.canonical(form_of(name).key, "") for name in referent.context}
    if key not in GENERIC_NAMES:
        around = {name for name in around if not is_country(name)}
    return Profile(
        referent.referent_id,
        intern(referent.document_id),
        intern(referent.label),
        form,
        key,
        own.key if own.key in written or not written else written[0],
        "" if referent.label == "event" and is_known_place(key) else _thing(referent.label, fields),
        sum(referent.counts) or 1,
        tuple(sorted(_other_keys(referent, aliases) - {key})),
        frozenset(_called(referent, aliases) - {key}),
        shorter_forms(referent.name, form, referent.label),
        frozenset(field for found in fields if len(found) == 1 for field in found),
        frozenset().union(*fields),
        aliases.canonical(form_of(referent.place).key, "place") if referent.place else None,
        frozenset(around - {key}),
        next((word for word in referent.descriptions if word in _GENDERS), "") if referent.label == "person" else "",
        frozenset(referent.descriptions) - _GENDERS,
    )


def keys_of(referent: StoredReferent, aliases: Aliases) -> tuple[str, ...]:
    """The keys by which a name is compared: two that share none have no influence on each other.

    A key after `OFFER` is a shorter form, which another referent may have for its name or ask for, one after `ASK` a
    form that another may have or offer; that two offer or ask for one connects them only through such a referent.
    """
    profile = profile_of(referent, aliases)
    own = dict.fromkeys((profile.key, *profile.others))
    wanted = ((ASK, asked_keys(profile)), (OFFER, profile.offers))
    return (*own, *(f"{mark}{key}" for mark, keys in wanted for key in keys if key not in own))


def asked_keys(profile: Profile) -> tuple[str, ...]:
    """Keys of fuller names that a name may stand for as a whole: *robert calloway* for *bob calloway*.

    Those in `LIKE` are of names that begin alike or are spelled alike.
    """
    first, _, rest = profile.key.partition(" ")
    found = []
    if profile.thing in ("person", ""):
        if first_name(first) != first:
            found.append(f"{first_name(first)} {rest}".strip())
        if first.isalpha() and len(first) > 1 and not (profile.form.initials[0] or profile.form.is_acronym):
            found.append(f"{_BEGINS}{first[:3]} {rest}".strip())
    *before, word = profile.form.words
    if len(before) < 2 and len(word) >= _LEAST_SPELLED and word.isalpha():
        found.append(" ".join([f"{_SPELLED}{skeleton(word)}", *before]))
    if not before and word.isupper():
        # *DUO* for *Duo*, *TSV* for *TSV Grauhafen*.
        found.append(word.lower())
    return tuple(found)


def is_like(how: str, short: str, full: str) -> bool:
    """Whether a name may stand for one with a key of `LIKE` that it asked for; a known given name is no nickname.

    >>> is_like("~", "tomek", "tomasz wolny"), is_like("~", "robert lee", "roberta lee")
    (True, False)
    >>> is_like("≈", "hattersly", "colin hattersley"), is_like("≈", "p hattersly", "colin hattersley")
    (True, False)
    """
    (first, *rest), (given, *others) = short.split(" "), full.split(" ")
    if how == _BEGINS:
        alike = _same_letters(first, given)
        return first not in GIVEN_NAMES and alike >= min(3, len(first)) and 2 * alike > len(first) <= len(given)
    word = rest[-1] if rest else first
    is_given = not rest or given.startswith(first) if len(first) == 1 else not rest or first == given
    return is_given and any(word != other and _one_letter_apart(word, other) for other in (given, *others[-1:]))


def _same_letters(one: str, other: str) -> int:
    """The number of letters with which two words begin alike."""
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether two words, double letters once, differ in at most one letter."""
    short, long = sorted((_DOUBLE.sub(r"\1", one), _DOUBLE.sub(r"\1", other)), key=len)
    at = _same_letters(short, long)
    return short[at:] == long[at + 1 :] or short[at + 1 :] == long[at + 1 :]


def _thing(label: str, fields: tuple[frozenset[str], ...]) -> str:
    if label in _THINGS:
        return label
    return "work" if any(found & TITLED_WORKS for found in fields) else ""


def shorter_forms(name: str, form: NameForm, label: str) -> dict[str, str]:
    """The keys of shorter forms that texts may use for a name, each with its kind.

    >>> shorter_forms("Robert A. Calloway", form_of("Robert A. Calloway", "person"), "person")["r calloway"]
    'initials'
    >>> sorted(shorter_forms("Orbis Cloud", form_of("Orbis Cloud"), "organization"))
    ['OC', 'OCL', 'cloud', 'ocloud', 'orbis', 'orbis clouds', 'orbiss', '≈orbs']
    """
    if len(form.words) < 2:
        return {}
    # The type of a name that nobody recognised is a guess.
    is_person = label == "person" or (label == "other" and form.words[0] in GIVEN_NAMES and len(form.words) < 4)
    found = _forms_of_person(form) if is_person else _forms_of_other(name, form)
    if label == "organization":
        if form.legal:
            # *Pennock Holdings plc* is *Pennock Holdings*.
            found[form_of(name.rpartition(" ")[0]).key] = "company"
        else:
            # *TFL* for *Tidewell Freight Ltd*.
            found |= {f"{letters.upper()}L": "acronym of company" for letters in initials_of(" ".join(form.words))}
    found.pop(form.key, None)
    return found


def _forms_of_person(form: NameForm) -> dict[str, str]:
    words, last = form.words, form.words[-1]
    if not SONS.isdisjoint(words[:-1]):
        return {}
    found = {}
    if not form.initials[0]:
        found[words[0]] = "family name" if words[0] in LEADING_SURNAMES else "given name"
        for begins in {words[0][:2], words[0][:3]}:
            found[f"{_BEGINS}{begins}"] = found[f"{_BEGINS}{begins} {last}"] = "like a nickname"
    if len(last) >= _LEAST_SPELLED:
        for before in ("", f" {words[0]}", f" {words[0][0]}"):
            found[f"{_SPELLED}{skeleton(last)}{before}"] = "spelling"
    if form.generation:
        found[" ".join(words)] = "without a generation"
    found[f"{words[0]} {last[0]}"] = "initial of family"
    letters = [word if is_initials else word[0] for word, is_initials in zip(words, form.initials, strict=True)]
    found["".join(letters).upper()] = "initials alone"
    for start in range(len(words) - 1, 0, -1):
        # The surname may have several words: *W. Okoro-Pike*.
        family, given = " ".join(words[start:]), "".join(letters[:start])
        for short in {given, given[0]}:
            found[f"{family} {short}"] = "inverted"
            found[f"{short} {family}"] = "initials"
        for middle in {given[1:], given[1:2]} - {""}:
            found[f"{words[0]} {middle} {family}"] = "initials"
        found[f"{family} {' '.join(words[:start])}"] = "inverted"
        found[f"{words[0]} {family}"] = "without a middle name"
        found[family] = "family name"
    return found


def _forms_of_other(name: str, form: NameForm) -> dict[str, str]:
    words = form.words
    found = {words[0] + " " + words[-1]: "first and last"} if len(words) > 2 else {}
    for size in range(1, min(len(words), _LONGEST_PART)):
        for start in range(len(words) - size, 0, -1):
            part, before = words[start : start + size], words[:start]
            if {part[0], part[-1]} & _JOINING or (part[0].isdigit() and size == 1) or distinguishes(before):
                continue
            is_end = start + size == len(words)
            kind = ("after of" if before[-1] == "of" else "end") if is_end else "inner"
            found.setdefault(" ".join(part), kind)
        beginning, after = words[:size], words[size:]
        if beginning[-1] not in _JOINING and not distinguishes(after) and not any(map(is_known_place, after)):
            kind = "first word" if size == 1 else "beginning"
            found[" ".join(beginning)] = "company" if COMPANY_ENDINGS.issuperset(after) else kind
        elif all(map(str.isdigit, after)) and int(after[0]) not in YEARS:
            found[" ".join(beginning)] = "without a number"
    # *Duxburys* of *Duxbury Krall*.
    found |= {f"{words[0]}s": "plural", f"{' '.join(words)}s": "plural"}
    if len(words) == 2:
        found.setdefault(f"{words[0][0]}{words[1]}", "initial and word")
    for at in range(1, len(words) - 1):
        if words[at] == "and":
            # *H&G* of *Halvard & Gray*, *S&M Insurance* of *Strand & Moy Insurance*.
            joint = f"{words[at - 1][0]} and {words[at + 1][0]}"
            found[" ".join([*words[: at - 1], joint, *words[at + 2 :]])] = found[joint] = "initials of both"
    if any(map(str.isdigit, words[-1])):
        # *T40* of *Draxby T40*.
        found[words[-1].upper()] = "end"
    if len(words[0]) >= _LEAST_SPELLED:
        found[f"{_SPELLED}{skeleton(words[0])}"] = "spelling"
    for spelled in (form_of(name, "person").words, words):
        for letters in initials_of(" ".join(word for word in spelled if word != "the")):
            found[letters.upper()] = "acronym" if len(letters) >= _LEAST_LETTERS else "acronym of two"
            if len(letters) >= _LEAST_LETTERS and not _JOINING.isdisjoint(spelled):
                # *UoW* is no word in capitals.
                found[letters] = "acronym"
    for left in range(len(words)) if len(words) > _LEAST_LETTERS else ():
        letters = "".join(word[0] for at, word in enumerate(words) if at != left and word not in _JOINING)
        found.setdefault(letters.upper(), "acronym without a word")
    written = [word for word in name.split() if word[0].isalnum()]
    if any(word.isupper() or word.isdigit() for word in written):
        # *SVH* of *SV Harkstett*, *H21* of *Hafen 21*.
        letters = "".join(word if word.isupper() or word.isdigit() else word[0] for word in written)
        for short in (letters, letters.rstrip("0123456789")):
            if len(short) > 1:
                found.setdefault(short.upper(), "acronym" if len(short) >= _LEAST_LETTERS else "acronym of two")
    return found


def _called(referent: StoredReferent, aliases: Aliases) -> set[str]:
    """The keys of all names in its document, pronouns and descriptions left out."""
    return {
        aliases.canonical(form_of(name, referent.label).key, referent.label)
        for name, reason in zip(referent.names, referent.reasons, strict=False)
        if reason != "coreference"
    }


def _other_keys(referent: StoredReferent, aliases: Aliases) -> set[str]:
    """The keys of names that are those of the thing in other documents too, a given name alone left out."""
    found = set()
    for name, reason in zip(referent.names, referent.reasons, strict=False):
        other = form_of(name, referent.label)
        if reason in _LASTING_REASONS and not (referent.label == "person" and other.key in GIVEN_NAMES):
            found.add(aliases.canonical(other.key, referent.label))
    return found


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
