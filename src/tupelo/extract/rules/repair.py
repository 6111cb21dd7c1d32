"""Parses that cannot be right, mended: misplaced phrases.

*The family of Mr Kiraz who died*, *the author of the books who lives in Oslo*: a relative clause or participle may
describe any noun of the chain before it; *who* needs people, *which* does not mean them, and the verb agrees with its
subject in number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tupelo.core import Analysis
from tupelo.extract.marks.operators import is_contrast, is_replaced, partner_of
from tupelo.extract.rules.phrases import is_set_apart
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import ORGANIZATION_NOUNS, PERSON_NOUNS, ROLES, WHO_NOUNS
from tupelo.nlp.syntax import NOUNS, DependencyTree

_PERSONAL = words("extraction", "personal_relatives")
_GROUPS = ORGANIZATION_NOUNS | {"family", "couple", "generation", "staff", "public", "population"}
_PEOPLE = PERSON_NOUNS | WHO_NOUNS | ROLES | {"people", "men", "women", "children", "those"}
_PERSON_ENDINGS = ("man", "woman", "men", "women", "ist", "ists", "ian", "ians", "person", "people")
_SINGULAR_VERBS = words("extraction", "singular_verbs")
_PLURAL_VERBS = words("extraction", "plural_verbs")
_LONGEST_CHAIN = 6


def attach(analysis: Analysis) -> Analysis:
    """The sentence with each relative clause and participle at the noun of its chain that fits best."""
    if not any(word.deprel in ("acl:relcl", "acl", "appos") for word in analysis.words):
        return analysis
    tree, changes = DependencyTree(analysis), Changes()
    for clause, word in enumerate(analysis.words):
        head, best, label = tree.heads[clause], tree.heads[clause], word.deprel
        if head is None:
            continue
        if label == "acl:relcl" and tree.upos(head) in NOUNS:
            fits = {noun: _fit(tree, noun, clause) for noun in (head, *_chain(tree, head, clause))}
            # The first of equals is the parser's choice.
            best = max(fits, key=fits.__getitem__)
        elif label == "acl" and word.xpos in ("VBN", "VBG") and is_set_apart(tree, clause):
            # "It is a brand in many countries, owned by Acme": what a comma sets apart describes the whole.
            top = _chain(tree, head, clause)[0]
            best = head if tree.child(top, "cop") is None else top
        elif label == "appos" and tree.child(clause, "cop") is not None and tree.has_own_subject(clause):
            # "The firm, whose director is Bob Lee": a clause, not another name of the firm.
            label = "acl:relcl"
        if (best, label) != (head, word.deprel):
            changes[clause] = {"head": best, "deprel": label}
    return with_changes(analysis, changes)


def _chain(tree: DependencyTree, head: int, clause: int) -> list[int]:
    """The nouns that are linked by prepositions and end before the clause: *author*, *books*."""
    top = head
    for _ in range(_LONGEST_CHAIN):
        above = tree.heads[top]
        if tree.base[top] != "nmod" or tree.child(top, "case") is None or above is None or above > top:
            break
        top = above
    nouns = [top]
    for _ in range(_LONGEST_CHAIN):
        below = [child for child in tree.children(nouns[-1], "nmod") if nouns[-1] < child < clause]
        below = [child for child in below if tree.upos(child) in NOUNS and tree.child(child, "case") is not None]
        if not below:
            break
        nouns.append(below[-1])
    return nouns if head in nouns else [head]


def _fit(tree: DependencyTree, noun: int, clause: int) -> int:
    """A score for a noun as the antecedent of the pronoun of a clause."""
    pronouns = (child for child in tree.below[clause] if tree.tag(child) in ("WP", "WDT") and child < clause)
    pronoun = next(pronouns, None)
    if pronoun is None:
        return 0
    score, person = 0, _is_person(tree, noun)
    if tree.lowered[pronoun] in _PERSONAL:
        score += 2 if person else -2 if person is False else 0
    elif tree.lowered[pronoun] == "which" and person:
        score -= 2
    plural = is_plural_verb(tree, clause) if tree.base[pronoun] == "nsubj" else None
    return score if plural is None or plural == tree.is_plural(noun) else score - 2


def _is_person(tree: DependencyTree, noun: int) -> bool | None:
    """Whether a noun means people; `None` if it may."""
    if tree.entity[noun] == "person":
        return True
    if tree.upos(noun) == "PROPN":
        return None if tree.entity[noun] is None else False
    lemma = tree.lemmas[noun]
    if lemma in _PEOPLE or tree.lowered[noun] in _PEOPLE or lemma.endswith(_PERSON_ENDINGS):
        return True
    return None if lemma in _GROUPS or lemma.endswith(("er", "or", "ee", "ant", "ent")) else False


def is_plural_verb(tree: DependencyTree, clause: int) -> bool | None:
    """The number that the finite verb of a clause has; `None` if its form does not say."""
    carriers = [*tree.children(clause, "aux", "cop"), clause]
    finite = next((word for word in carriers if tree.tag(word) in ("VBZ", "VBP", "VBD")), None)
    if finite is None or any(tree.tag(word) == "MD" for word in carriers):
        return None
    if tree.lowered[finite] in _SINGULAR_VERBS or tree.tag(finite) == "VBZ":
        return False
    if tree.lowered[finite] in _PLURAL_VERBS or tree.tag(finite) == "VBP":
        return True
    return None


def repair(analysis: Analysis) -> Analysis:
    """*In May, not in June*, *Rome instead of Oslo*: the second phrase is a conjunct of the first."""
    if not any(word.deprel in ("conj", "cc") or word.text in ("not", "never", "instead") for word in analysis.words):
        return analysis
    tree, changes = DependencyTree(analysis), Changes()
    for conjunct, label in enumerate(tree.base):
        is_second = label in ("obl", "obj", "nmod") and (
            tree.has_base(tree.below[conjunct], "cc") or is_contrast(tree, conjunct)
        )
        if is_second and (first := partner_of(tree, conjunct)) is not None:
            changes[conjunct] = {"head": first, "deprel": "conj"}
            changes |= {
                case: {"deprel": "cc"} for case in tree.children(conjunct, "case") if is_replaced(tree, conjunct)
            }
    return with_changes(analysis, changes)


# New values for the fields of some words.
Changes = dict[int, dict[str, Any]]


def with_changes(analysis: Analysis, changes: Changes) -> Analysis:
    """The sentence with some words changed; the same object if there are none."""
    if not changes:
        return analysis
    words = enumerate(analysis.words)
    return replace(
        analysis, words=tuple(replace(word, **changes[at]) if at in changes else word for at, word in words)
    )
