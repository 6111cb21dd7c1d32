"""The text that is read for a question: windows of passages that fit the reader, and the tuples in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from tupelo.core.shipped import queries
from tupelo.graph.query.answers import ANSWER, Evidence
from tupelo.graph.query.edges import USUAL_STANCES
from tupelo.graph.retrieve.roles import Role
from tupelo.graph.store.file import Store
from tupelo.graph.store.passages import name_form
from tupelo.graph.store.validity import UNKNOWN as NO_TIME
from tupelo.graph.store.validity import Validity
from tupelo.nlp.dates import moment_days
from tupelo.nlp.languages import words as english
from tupelo.nlp.languages.en.grammar import ARTICLES, POSSESSIVES, PREPOSITIONS, STOP_WORDS, UNNAMING_PRONOUNS
from tupelo.nlp.languages.en.relation_words import OPPOSITES
from tupelo.nlp.values import words_of
from tupelo.relations.forms import families, plain_form

_SQL = queries(__name__)
# Orders of `SentenceTuple.away`.
UNKNOWN, LATER, NOT = (10**7, 0), (10**8, 0), (10**9, 0)
_PRONOUNS = UNNAMING_PRONOUNS | POSSESSIVES
_THIRD = english("function_words", "third_person")
_SPEAKERS = english("function_words", "speakers_and_hearers")
_WORD = re.compile(r"\b[a-zA-Z]+\b(?!['’]\w)")
_FORMER = re.compile(r"\b(?:former|formerly|ex|outgoing)\b", re.IGNORECASE)
_ENDING = OPPOSITES["join"] | OPPOSITES["appoint"] | OPPOSITES["buy"]
_FUTURE = frozenset(["will", "shall", "'ll", "’ll"])
_QUOTED = re.compile('["“”]')
_NOUN = re.compile(rf" (?!(?:{'|'.join(sorted(STOP_WORDS))})\b)[a-z]")
# Related words mostly share their first letters: *director*, *directed*.
_LETTERS = 5
_ENDS = (".", "!", "?", ":", ";", '"', "”", ")")


@dataclass(frozen=True, slots=True)
class TupleSlot:
    """A part of a tuple, and the name of the node that it means, if it has one."""

    role: str
    text: str
    name: str | None = None

    @property
    def full(self) -> str:
        return f"{self.text} {self.name}" if self.name else self.text


@dataclass(frozen=True, slots=True)
class SentenceTuple:
    """A tuple of a sentence."""

    relation: str
    slots: tuple[TupleSlot, ...]
    stance: str
    negated: bool
    evidence: Evidence
    validity: Validity = NO_TIME
    published: date | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether the text claims or reports it, or says that it will be."""
        announced = not _FUTURE.isdisjoint(self.relation.lower().split())
        return (self.stance in USUAL_STANCES or announced) and not self.negated

    @property
    def stems(self) -> set[str]:
        """Its words, by their first letters."""
        return stems([self.relation, *(slot.full for slot in self.slots)])

    def holds(self, form: str) -> bool:
        """Whether a part of it has the words with this form."""
        return any(_holds(slot.full, form) for slot in self.slots)

    def role_of(self, form: str) -> Role:
        """The role of the words with this form."""
        slot = next(slot for slot in self.slots if _holds(slot.full, form))
        first = slot.text.split(" ", 1)[0].lower()
        return Role(self.relation, slot.role == "subject", first if first in PREPOSITIONS else "")

    def away(self, form: str, first: date, last: date) -> tuple[int, int]:
        """Days between those asked about and the nearest one at which it is known to hold for the words with a form,
        and when that began, the latest first.

        `NOT` where it was over, `LATER` where it had not begun, `UNKNOWN` where nobody says.
        """
        aspect = self.validity.aspect
        begun, ended = moment_days(*self.validity[:2])
        if any(_FORMER.search(slot.text) for slot in self.slots):
            aspect, ended = "state", ended or self.published
        if aspect == "event":
            # *She succeeds him*, *moved from Oslo*: over for him and Oslo, begun for her.
            own = [slot for slot in self.slots if _holds(slot.full, form)]
            is_over = all(_ends(self.relation, slot.role, slot.text.lower()) for slot in own)
            begun, ended = (None, begun or ended) if is_over else (begun, None)
        if ended is not None and ended < first:
            return NOT
        if begun is not None and begun > last:
            return LATER
        known = ended or max(filter(None, (begun, self.published)), default=None)
        if known is None:
            return UNKNOWN
        away = max((begun or known) - last, first - known, timedelta(0)).days
        return away, -begun.toordinal() if begun else 0

    def __str__(self) -> str:
        """The tuple as a sentence, names in place of pronouns."""
        told = [
            (slot.role, slot.name if slot.name and slot.text.lower() in _PRONOUNS else slot.text)
            for slot in self.slots
        ]
        subject = [text for role, text in told if role == "subject"]
        others = [text for role, text in told if role not in ("subject", "name", "context")]
        return " ".join([*subject, self.relation, *others])


@dataclass(frozen=True)
class PassageSentence:
    """A sentence of a retrieved passage, with its tuples; or a row of a table, which is read as what it states."""

    text: str
    document: str
    source: str
    position: int
    tuples: tuple[SentenceTuple, ...] = ()
    published: date | None = None
    is_row: bool = False

    def tuple_with(self, words: str, asked: set[str], role: Role | None) -> tuple[SentenceTuple | None, bool | None]:
        """The tuple that has some words, and the most of those that a question has too; and whether the words have
        the asked role in one of the tuples, another one, or (`None`) neither is known."""
        form = name_form(words)
        holding = [one for one in self.tuples if one.holds(form)]
        fitting = {place: role.agrees(one.role_of(form)) if role else None for place, one in enumerate(holding)}

        def shared(place: int) -> tuple[bool, int, bool]:
            return fitting[place] is True, len(holding[place].stems & asked), holding[place].is_claimed

        if not holding:
            return None, None
        best = max(fitting, key=shared)
        return holding[best], False if fitting[best] is None and False in fitting.values() else fitting[best]

    def meaning(self, words: str) -> str | None:
        """The name that some words mean here."""
        return next((slot.name for slot in self._named if slot.text.lower() == words.lower()), None)

    def named(self, words: str) -> str:
        """The name that a pronoun, a description or a part of a name stands for; else the words."""
        lowered, name = words.lower(), self.meaning(words)
        described = lowered in _PRONOUNS or (lowered.split()[0] in ARTICLES and words[1:].islower())
        if name and (described or {*name_form(words).split()} < {*name_form(name).split()}):
            return name
        return words

    @cached_property
    def explicit(self) -> str:
        """The sentence with a name in place of the first personal pronoun that means it, unless it has the name."""
        if self.is_row:
            return "; ".join(map(str, self.tuples))
        meant: dict[str, set[str]] = {}
        for slot in self._named:
            meant.setdefault(slot.text.lower(), set()).add(slot.name or "")
        said = {*name_form(self.text).split()}
        # In a quotation others are *I*.
        personal = _THIRD if _QUOTED.search(self.text) else _THIRD | _SPEAKERS

        def name(found: re.Match[str]) -> str:
            word = found[0].lower()
            known = meant.get(word, set()) if word in personal else set()
            if len(known) != 1 or not said.isdisjoint(form := name_form(min(known)).split()):
                return found[0]
            said.update(form)
            own = word in POSSESSIVES and (word != "her" or _NOUN.match(self.text, found.end()))
            return f"{min(known)}'s" if own else min(known)

        return _WORD.sub(name, self.text)

    @property
    def names(self) -> list[str]:
        """The names that it means."""
        return [slot.name for slot in self._named if slot.name]

    @property
    def _named(self) -> list[TupleSlot]:
        return [slot for stated in self.tuples for slot in stated.slots if slot.name]

    @property
    def words(self) -> set[str]:
        """Its words, and those of the names that it means."""
        return {word for text in (self.text, *self.names) for word in name_form(text).split()}

    def evidence(self, stated: SentenceTuple | None, words: str = "") -> Evidence:
        """The sentence, with some words of it, or what means them, marked as the answer."""
        plain = Evidence("", "", self.text, self.source, self.position, None, None, None)
        said = stated.evidence if stated else plain
        meant = (slot.text for slot in self._named if slot.name == words)
        found = (re.search(rf"(?<!\w){re.escape(text)}", said.sentence) for text in (words, *meant) if text)
        marks = [(one.start(), one.end(), ANSWER) for one in found if one]
        return replace(said, marks=tuple(marks[:1]))


@dataclass(frozen=True, slots=True)
class ReadingWindow:
    """A text for the reader; `places` are its sentences with the characters where each begins."""

    text: str
    places: tuple[tuple[int, PassageSentence], ...]

    def place_of(self, character: int) -> tuple[int, PassageSentence]:
        """The sentence of a character, and where it begins."""
        return next(place for place in reversed(self.places) if place[0] <= character)


def stems(texts: Iterable[str]) -> set[str]:
    """The words of some texts, without grammar, by their first letters."""
    words = (word.lower() for text in texts for word in words_of(text))
    return {word[:_LETTERS] for word in words if word not in STOP_WORDS and word[0].isalnum()}


def _ends(relation: str, role: str, words: str) -> bool:
    """Whether an event is the end for what has a role in it."""
    form = plain_form(relation)
    if words.startswith(("from ", "to ")):
        return words.startswith("from ")
    if (families().of["succeed"] | families().of["replace"]).isdisjoint(families().of.get(form.key, ())):
        return form.key.split()[0] in _ENDING
    return (role == "subject") == form.turned


def _holds(text: str, form: str) -> bool:
    return f" {form} " in f" {name_form(text)} "


def passages_for(store: Store, passages: Sequence[str]) -> list[list[PassageSentence]]:
    """The sentences of some passages, after the title or else the first sentence of the document."""
    rows = store.rows(_SQL["passages"], {"1": list(passages)})
    tuples = _tuples(store, [row[1] for row in rows])
    found: list[list[PassageSentence]] = [[] for _ in passages]
    for rank, key, text, document, source, position, inside, title, published in rows:
        own = found[rank]
        said = tuple(tuples.get(key, ()))
        if not own and title and not text.startswith(title):
            own.append(PassageSentence(f"{title}.", document, source, 0))
        if inside or not own:
            is_row = bool(said) and "\t" in text
            own.append(PassageSentence(" ".join(text.split()), document, source, position, said, published, is_row))
    return found


def _tuples(store: Store, sentences: Sequence[str]) -> Mapping[str, list[SentenceTuple]]:
    rows = store.rows(_SQL["tuples"], {"1": list(sentences)})
    found: dict[str, list[SentenceTuple]] = {}
    for sentence, key, relation, stance, negated, confidence, text, source, at, speaker, verb, slots, *times in rows:
        evidence = Evidence("", key, text, source, at, confidence, speaker, verb)
        said = tuple(TupleSlot(**slot) for slot in slots or ())
        stated = SentenceTuple(relation, said, stance, bool(negated), evidence, Validity(*times[:3]), times[3])
        found.setdefault(sentence, []).append(stated)
    return found


def windows(sentences: Sequence[PassageSentence], room: int, length: Callable[[str], int]) -> Iterator[ReadingWindow]:
    """Runs of sentences that fit into a room. The last sentence of one begins the next, if another fits beside it."""
    sizes = [length(sentence.explicit) for sentence in sentences]
    start = 0
    while start < len(sentences):
        end, size = start, 0
        while end < len(sentences) and (end == start or size + sizes[end] <= room):
            size += sizes[end]
            end += 1
        places, text = [], ""
        for sentence in sentences[start:end]:
            places.append((len(text), sentence))
            # A title or a heading is no part of what follows it.
            text += f"{sentence.explicit}{' ' if sentence.text.endswith(_ENDS) else '. '}"
        yield ReadingWindow(text.rstrip(), tuple(places))
        shared = end - start > 1 and end < len(sentences) and sizes[end - 1] + sizes[end] <= room
        start = end - 1 if shared else end
