"""Constraints on who is who: antecedents that a pronoun cannot have, and names that introduce a text.

A pronoun agrees with its antecedent in person, gender and number. It is not coreferent with its clause mate (*Ann saw
her*), nor with the subject of its noun: in *Ann Lee was named as his successor* and *Ann Lee, his wife*, *he* is not
Ann Lee.
The place of a dateline (*OSLO, 3 May —*) and the author of a byline are not antecedents.
"""

from __future__ import annotations

from tupelo.names.data import numbers
from tupelo.nlp.languages import labels
from tupelo.nlp.languages.en.grammar import POSSESSIVES, THIRD_PERSON
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, MALE_NAMES
from tupelo.nlp.languages.en.quantities import MONTHS
from tupelo.nlp.syntax import DependencyTree

# A pronoun is resolved with at least the first confidence, descriptions and possessives with at least the second. At
# least the third share of an entity's names must agree.
SURE, SURER, AGREEING = (float(numbers("coreference")[name]) for name in ("sure", "surer", "agreeing"))
# Pronouns that are resolved, and the first words of descriptions that are.
PRONOUNS = THIRD_PERSON - frozenset(["myself", "ourselves", "yourself", "yourselves", "oneself"])
DEFINITE = frozenset(["the", "this", "that", "these", "those"]) | POSSESSIVES
_KIND_OF = labels("mentions", "pronouns")
MALE, FEMALE = MALE_NAMES - FEMALE_NAMES, FEMALE_NAMES - MALE_NAMES
_NOT_PEOPLE = frozenset(["place", "organization"])
_DASHES = frozenset(["-", "–", "—", "--", "―"])
# Words of a dateline: a place with its country, a date and an agency in brackets.
_LONGEST_DATELINE = 14
_OBJECTS = frozenset(["obj", "iobj"])
_DESCRIBING = frozenset(["appos", "compound", "flat"])


def kind_of_pronoun(word: str) -> str:
    """`he`, `she`, `it` or `they`."""
    return _KIND_OF.get(word, "")


def may_mean(pronoun: str, label: str, name: str) -> bool:
    """Whether a pronoun may stand for something of this type and name.

    >>> may_mean("he", "organization", "Halden Robotics"), may_mean("she", "person", "James Okoro")
    (False, False)
    >>> may_mean("it", "organization", "Halden Robotics"), may_mean("they", "person", "James Okoro")
    (True, False)
    """
    given = name.split(" ", 1)[0].casefold() if label == "person" else ""
    kind = _KIND_OF.get(pronoun)
    if kind in ("he", "she"):
        return label not in _NOT_PEOPLE and given not in (FEMALE if kind == "he" else MALE)
    return label != "person" or kind not in ("it", "they")


def barred_antecedents(tree: DependencyTree, pronoun: int) -> set[int]:
    """The words of its sentence that a pronoun cannot be coreferent with."""
    head = tree.heads[pronoun]
    if head is None or tree.lowered[pronoun].endswith(("self", "selves")):
        return set()
    if tree.labels[pronoun] != "nmod:poss":
        if tree.base[pronoun] in _OBJECTS:
            return set(tree.children(head, "nsubj"))
        return set(tree.children(head, *_OBJECTS)) if tree.base[pronoun] == "nsubj" else set()
    if any(tree.lowered[child] == "own" for child in tree.children(head, "amod")):
        return set()
    barred = {head, *tree.children(head, "appos")}
    governor = tree.heads[head]
    if tree.child(head, "cop") is not None:
        barred.update(tree.children(head, "nsubj"))
    if governor is None:
        return barred
    if tree.base[head] in _DESCRIBING or tree.labels[head] == "nmod:desc":
        barred.add(governor)
    is_role = any(tree.lowered[child] == "as" for child in tree.children(head, "case", "mark"))
    if is_role or tree.base[head] == "xcomp":
        barred.update(tree.children(governor, "obj") or tree.children(governor, "nsubj"))
    return barred


def introduction(tree: DependencyTree) -> tuple[int, str]:
    """The number of words of a dateline or byline that a sentence begins with, and the type of its first name.

    `OSLO, 3 May — The board met` has four words of a dateline, and `By Ann Lee, Oslo Times` consists of a byline.
    """
    if not tree.size:
        return 0, ""
    if tree.lowered[0] == "by" and not any(tree.upos(index) in ("VERB", "AUX") for index in range(tree.size)):
        return tree.size, "person"
    for index in range(min(tree.size, _LONGEST_DATELINE)):
        text = tree.text(index)
        if text in _DASHES:
            return (index, "place") if tree.text(0).isupper() and index else (0, "")
        is_date = text.isdigit() or tree.lowered[index].removesuffix(".") in MONTHS
        if not (is_date or tree.upos(index) in ("PROPN", "PUNCT", "NUM") or text.isupper()):
            break
    return 0, ""
