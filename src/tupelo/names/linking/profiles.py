"""The comparable properties of a referent: keys of its names, kind of thing, names around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from sys import intern

from tupelo.names.aliases import Aliases, is_country, is_known_place
from tupelo.names.forms import SONS, NameForm, form_of
from tupelo.names.same import initials_of
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
_THINGS = frozenset(["person", "place", "organization", "event"])
_FIELDS_OF: dict[str, frozenset[str]] = {
    **{word: frozenset([field]) for word, field in labels("fields", "fields").items()},
    **{word: frozenset(fields) for word, fields in language_data("fields")["vague"].items()},
}
_NEIGHBOURS = [frozenset(fields) for fields in language_data("fields")["neighbours"]]
TITLED_WORKS = words("fields", "titled_works")
GIVEN_NAMES = MALE_NAMES | FEMALE_NAMES
_ENDINGS = COMPANY_ENDINGS | words("organizations", "group_endings")
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
    `thing` is what it is surely, empty where its label says little. `surname` is that of a person with a fuller name;
    `others` are the keys of its further names. `fields` are those of its descriptions that fit one field only,
    `possible` all that some description fits. `around` are the keys of other names beside it: countries, which stand
    beside everything, only where they tell one *Congress* from another.
    """

    id: str
    document_id: str
    label: str
    form: NameForm
    key: str
    own_key: str
    thing: str
    mentions: int
    surname: str | None = None
    others: tuple[str, ...] = ()
    fields: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    place: str | None = None
    around: frozenset[str] = frozenset()

    @property
    def acronyms(self) -> frozenset[str]:
        """The acronyms that other documents may use for it, where it is an organization with several words."""
        if self.thing != "organization" or len(self.form.words) < _LEAST_LETTERS:
            return frozenset()
        name = " ".join(word for word in self.form.words if word != "the")
        return frozenset(letters.upper() for letters in initials_of(name) if len(letters) >= _LEAST_LETTERS)

    @property
    def is_given_name(self) -> bool:
        """Whether it is known by a first name alone, which names nobody elsewhere."""
        return self.thing in ("person", "") and self._only_word in GIVEN_NAMES and not self.form.titled

    @property
    def needs_company(self) -> bool:
        """Whether its name is so frequent that only other names beside it identify it."""
        return (self.thing == "person" and self._only_word in FREQUENT_NAMES) or self.key in GENERIC_NAMES

    @property
    def is_surname(self) -> bool:
        """Whether it is a person known by one name."""
        return self.thing == "person" and self._only_word is not None

    @property
    def names_of_person(self) -> tuple[str, ...]:
        """The first and the last name of a person with several."""
        if self.thing != "person" or len(self.form.words) < 2:
            return ()
        return self.form.words[0], self.form.words[-1]

    @property
    def _only_word(self) -> str | None:
        words = self.form.own_words
        return words[0] if len(words) == 1 and not self.form.generation else None


def profile_of(referent: StoredReferent, aliases: Aliases) -> Profile:
    own = form_of(referent.name, referent.label)
    key = aliases.canonical(own.key, referent.label)
    words = tuple(key.split(" "))
    form = own if key == own.key else NameForm(words, (False,) * len(words))
    fields = fields_of(referent.descriptions)
    surname = _surname(referent, form) if referent.label == "person" else None
    around = {aliases.canonical(form_of(name).key, "") for name in referent.context}
    if key not in GENERIC_NAMES:
        around = {name for name in around if not is_country(name)}
    return Profile(
        referent.referent_id,
        intern(referent.document_id),
        intern(referent.label),
        form,
        key,
        own.key,
        "" if referent.label == "event" and is_known_place(key) else _thing(referent.label, fields),
        sum(referent.counts) or 1,
        surname,
        tuple(sorted(_other_keys(referent, form, aliases) - {key})),
        frozenset(field for found in fields if len(found) == 1 for field in found),
        frozenset().union(*fields),
        aliases.canonical(form_of(referent.place).key, "place") if referent.place else None,
        frozenset(around - {key}),
    )


def keys_of(referent: StoredReferent, aliases: Aliases) -> tuple[str, ...]:
    """The keys by which a name is compared: two that share none have no influence on each other."""
    profile = profile_of(referent, aliases)
    surname = [profile.surname] if profile.surname else []
    return tuple(dict.fromkeys((profile.key, *profile.others, *surname, *sorted(profile.acronyms))))


def _thing(label: str, fields: tuple[frozenset[str], ...]) -> str:
    if label in _THINGS:
        return label
    return "work" if any(found & TITLED_WORKS for found in fields) else ""


def _surname(referent: StoredReferent, form: NameForm) -> str | None:
    words = form.words
    if not SONS.isdisjoint(words[:-1]):
        return None
    if len(form.own_words) < 2:
        # *Van Gogh* goes by *gogh*, as *Vincent van Gogh* does.
        return words[-1] if len(words) > 1 else None
    leads = words[0] in LEADING_SURNAMES and any(
        form_of(name, referent.label).words == words[:1] for name in referent.names
    )
    return words[0] if leads else words[-1]


def _other_keys(referent: StoredReferent, form: NameForm, aliases: Aliases) -> set[str]:
    found = {usual_beginning(form)} if referent.label == "organization" else set()
    for name, reason in zip(referent.names, referent.reasons, strict=False):
        other = form_of(name, referent.label)
        if reason in _LASTING_REASONS or (reason == "short name" and _is_lasting_part(other, form, referent.label)):
            only = other.own_words[0] if len(other.own_words) == 1 else ""
            # A surname is looked for among people alone.
            if referent.label != "person" or not only or (reason != "short name" and only not in GIVEN_NAMES):
                found.add(aliases.canonical(other.key, referent.label))
    return found


def usual_beginning(form: NameForm) -> str:
    """The key of an organization's name without words such as *Group*, where several words remain.

    >>> usual_beginning(form_of("Arlow Rail Group")), usual_beginning(form_of("Orbis Group"))
    ('arlow rail', 'orbis group')
    """
    words = form.words
    while len(words) > 2 and words[-1] in _ENDINGS:
        words = words[:-1]
    return " ".join(words)


def _is_lasting_part(short: NameForm, full: NameForm, label: str) -> bool:
    """Whether other documents may use this part of a name: *Toyota*, *García Márquez*; not *the Institute*."""
    size = len(short.words)
    if label == "person":
        return full.words[-size:] == short.words
    if full.words[-size:] == (short.key.casefold(),) and any(map(str.isdigit, short.key)):
        # *T40* of *Acme T40*.
        return True
    return label == "organization" and full.words[:size] == short.words


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
