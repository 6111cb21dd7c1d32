"""Where a pronoun of a statement that nobody resolved points: into its sentence, or to the one before.

Nothing is decided: a reader of the words before it sees what *they* are and what *this* was.
"""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.names.constraints import barred_antecedents
from tupelo.nlp.languages.en.grammar import POSSESSIVES, THIRD_PERSON
from tupelo.nlp.languages.en.naming import PERSON_NOUNS
from tupelo.nlp.syntax import NOUNS, DependencyTree

DEMONSTRATIVES = frozenset(["this", "that", "these", "those"])
_OTHERS = ("compound", "flat", "fixed")
_PERSONAL = THIRD_PERSON | POSSESSIVES
_NEAR = 8
_PEOPLE = frozenset(["he", "him", "his", "she", "her", "hers"])
# Words of the longest sentence that is told for a pronoun.
LONGEST = 40


def points_out(tree: DependencyTree, token: int) -> bool:
    """Whether a word stands for what is said elsewhere; not in *it rains*, *the man who*, *those of Oslo*."""
    word, base, own = tree.words[token], tree.base[token], tree.lowered[token]
    if tree.upos(token) != "PRON":
        if own == "such":
            return base.startswith("det") and "as" not in tree.lowered[token : token + _NEAR]
        # *we had one in Oslo*
        return (own, base) == ("there", "advmod") or (own == "one" and base == "obj" and not tree.below[token])
    if own in DEMONSTRATIVES:
        return word.feature("PronType") == "Dem" and tree.child(token, "nmod", "acl") is None
    if own == "it" and base == "nsubj" and any(tree.children(tree.heads[token] or 0, "csubj", "ccomp")):
        return False
    is_third = own in _PERSONAL and word.feature("Person") == "3"
    return is_third and base != "expl" and word.feature("Reflex") != "Yes"


def is_told(tree: DependencyTree, said: Sequence[int], pronoun: int) -> bool:
    """Whether words have something, before a pronoun, that it may stand for."""
    if tree.lowered[pronoun] not in _PERSONAL:
        return False
    plural = tree.words[pronoun].feature("Number") == "Plur"
    barred, person = barred_antecedents(tree, pronoun), tree.lowered[pronoun] in _PEOPLE
    owner = tree.heads[pronoun] if tree.labels[pronoun] != "nmod:poss" else None
    return any(
        token < pronoun
        and tree.upos(token) in NOUNS
        and tree.base[token] not in _OTHERS
        and token not in barred
        and (owner is None or tree.heads[token] != owner)
        and (tree.is_plural(token) or tree.child(token, "conj") is not None) == plural
        and (not person or tree.upos(token) == "PROPN" or tree.lemmas[token] in PERSON_NOUNS)
        for token in said
    )


def has_any(tree: DependencyTree, pronoun: str, plural: bool) -> bool:
    """Whether a sentence has something that a pronoun of the next one may stand for."""
    if pronoun not in _PERSONAL:
        return True
    return any(
        tree.upos(token) in NOUNS and (tree.is_plural(token) or tree.child(token, "conj") is not None) == plural
        for token in range(tree.size)
    )
