"""A relation with two arguments: its words, its plain form, and its families in the table.

Families (`relations.forms`) may be restricted to some kinds of arguments, and before some kinds of objects several
prepositions mean the same: *died on* a day, *died in* a year.
"""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core.canonical import Kinds, normal_form
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import LIGHT_VERBS, PREPOSITIONS
from tupelo.relations.argument_kinds import ANY, DATE, Expected, fits, kind_of, same_prepositions
from tupelo.relations.forms import PlainForm, families, plain_form
from tupelo.relations.phrases import base_relation, read_phrase

# Verbs with little meaning without their complement.
_WEAK_VERBS = LIGHT_VERBS | words("relation_words", "weak_verbs")


@dataclass(frozen=True, slots=True)
class RelationWording:
    """The words of a relation and the kinds of its arguments, in the direction of the plain form."""

    text: str
    form: PlainForm
    kinds: Kinds

    @property
    def is_passive(self) -> bool:
        """Whether the first argument is the patient."""
        return self.form.key.startswith("be ") and not self.form.turned and not read_phrase(self.text).copular

    @property
    def families(self) -> set[tuple[int, bool]]:
        """The families that allow such arguments, each with whether this is their exchanged side."""
        # Not *took on* in a year, nor *is an advocate for* of *an advocate from*.
        is_certain = self.is_passive or (self.kinds[1] != DATE and not self.form.key.startswith("be "))
        return {
            (family, exchanged)
            for key in (self.variants if is_certain else (self.form.key,))
            for family, exchanged in families().of.get(key, ())
            if fits(self.kinds, expected_kinds(family, exchanged))
        }

    @property
    def is_symmetric(self) -> bool:
        """Whether it is in a symmetric family."""
        return any(family in families().symmetric for family, _ in self.families)

    @property
    def variants(self) -> tuple[str, ...]:
        """The form with each preposition that means the same before such an object."""
        *stem, last = self.form.key.split() or [self.form.key]
        is_passive = self.is_passive
        after_noun = self.form.key.startswith("be ") and not is_passive
        if last not in PREPOSITIONS:
            stem, last = [*stem, last], ""
        # *went in* a year may be *went public in* it.
        is_truncated = len(stem) == 1 and stem[0] in _WEAK_VERBS
        if len(stem) > after_noun and (last or is_passive) and not is_truncated:
            for group in same_prepositions(self.kinds, after_noun=after_noun):
                if last in group:
                    return tuple(" ".join((*stem, preposition)).strip() for preposition in sorted(group))
        return (self.form.key,)


def wording_of(
    subject: str, relation: str, target: str, kinds: Kinds = (None, None), *, sentence: str = ""
) -> RelationWording:
    """The wording of a triple; kinds that are not given are recognized by the form of the arguments.

    Its sentence may show that the relation was truncated.
    """
    text = normal_form(relation)
    form = plain_form(text)
    if form.turned and any(character.isdigit() for character in target):
        # *by* before a number marks no agent: *was finished by 1990*.
        form = PlainForm(base_relation(text), False)
    elif dropped := _dropped_preposition(text, subject, sentence):
        form = PlainForm(f"{form.key} after {dropped}", False)
    first, second = kind_of(subject, kinds[0]), kind_of(target, kinds[1])
    return RelationWording(text, form, (second, first) if form.turned else (first, second))


def _dropped_preposition(relation: str, subject: str, sentence: str) -> str | None:
    """The preposition after a noun in the sentence, if another than in the relation, and not before the subject.

    Who *is head at* a bank as the *head of trading* there is not the head of it; but it is not the *of* of *the city
    of Oslo in Norway*.
    """
    phrase = read_phrase(relation)
    if not phrase.copular or phrase.preposition in (None, "of"):
        return None
    noun, preposition = phrase.words[-2:]
    text = normal_form(sentence)
    _, found, rest = text.partition(f" {noun} ")
    after, _, named = rest.partition(" ")
    if after not in PREPOSITIONS or f"{found}{preposition} " in text or named.startswith(normal_form(subject)):
        return None
    return after


def expected_kinds(family: int, exchanged: bool) -> Expected:
    """The kinds of the arguments of a family, on one of its sides."""
    first, second = families().kinds.get(family, ANY)
    return (second, first) if exchanged else (first, second)
