"""The words that a loose pronoun of a statement points to: of its sentence, or of the one before.

Nothing is decided: a reader of the words before it sees what *they* are and what *this* was.
"""

from __future__ import annotations

from collections.abc import Iterable

from tupelo.names.constraints import barred_antecedents
from tupelo.nlp.languages.en.grammar import POSSESSIVES, THIRD_PERSON
from tupelo.nlp.languages.en.naming import PERSON_NOUNS
from tupelo.nlp.syntax import NOUNS, DependencyTree

DEMONSTRATIVES = frozenset(["this", "that", "these", "those"])
_PERSONAL = THIRD_PERSON | POSSESSIVES
_PEOPLE = frozenset(["he", "him", "his", "she", "her", "hers"])
# Words of the longest sentence that is told for a pronoun, and of *such … as*.
LONGEST, _NEAR = 40, 8
# Words before a *this* or *that* that is a time, and verbs whose *it* is empty.
_BEFORE_TIMES = frozenset(["before", "after", "since", "until", "till", "by", "from"])
_SEEMING = frozenset(["seem", "appear", "happen", "turn"])


def points_out(tree: DependencyTree, token: int) -> bool:
    """Whether a word stands for what is said elsewhere; not in *it rains*, *the man who*, *those of Oslo*."""
    word, base, own = tree.words[token], tree.base[token], tree.lowered[token]
    if tree.upos(token) != "PRON":
        if own == "such":
            return base.startswith("det") and "as" not in tree.lowered[token : token + _NEAR]
        # *we had one in Oslo*
        return (own, base) == ("there", "advmod") or (own == "one" and base == "obj" and not tree.below[token])
    if own in DEMONSTRATIVES:
        # *before that* says when for itself.
        is_when = base == "obl" and own in ("this", "that") and tree.has_word(tree.below[token], _BEFORE_TIMES)
        return word.feature("PronType") == "Dem" and not is_when and tree.child(token, "nmod", "acl") is None
    if own == "it" and base == "nsubj" and (head := tree.heads[token]) is not None:
        # *it is clear that*, *it seems that*; not *it said that*
        is_empty = tree.upos(head) != "VERB" or tree.labels[token] == "nsubj:pass" or tree.lemmas[head] in _SEEMING
        if tree.child(head, "csubj") is not None or (is_empty and tree.child(head, "ccomp") is not None):
            return False
    return own in _PERSONAL and word.feature("Person") == "3" and base != "expl" and word.feature("Reflex") != "Yes"


def is_told(tree: DependencyTree, said: Iterable[int], pronoun: int, before: DependencyTree | None = None) -> bool:
    """Whether words before a pronoun have something that it may stand for, or the sentence before has."""
    if tree.lowered[pronoun] not in _PERSONAL:
        # *sun and moon add up: these are spring tides*
        clause = tree.heads[pronoun]
        beside = clause is not None and tree.base[clause] == "parataxis" and (tree.heads[clause] or 0) < pronoun
        return before is not None or (beside and clause is not None and tree.heads[clause] in {*said})
    plural, person = tree.words[pronoun].feature("Number") == "Plur", tree.lowered[pronoun] in _PEOPLE
    if before is not None:
        return any(_agrees(before, token, plural, person=False) for token in range(before.size))
    barred = barred_antecedents(tree, pronoun)
    if tree.labels[pronoun] != "nmod:poss" and (clause := tree.heads[pronoun]) is not None:
        barred.update(tree.below[clause])
    return any(_agrees(tree, token, plural, person) for token in said if token < pronoun and token not in barred)


def _agrees(tree: DependencyTree, token: int, plural: bool, person: bool) -> bool:
    if tree.upos(token) not in NOUNS or tree.base[token] in ("compound", "flat", "fixed"):
        return False
    is_person = tree.upos(token) == "PROPN" or tree.lemmas[token] in PERSON_NOUNS
    is_plural = tree.is_plural(token) or tree.child(token, "conj") is not None
    return is_plural == plural and (is_person or not person)
