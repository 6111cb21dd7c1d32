"""Parses that cannot be right, mended: titles read as clauses, copulas without a subject, misplaced phrases.

*Lover Come Back is a comedy*: the words of a title are one name, whatever they look like. *The HD 26 was a seaplane*:
a noun before the copula is its subject, not a part of the noun behind it. *The family of Mr Kiraz who died*, *the
author of the books who lives in Oslo*: a relative clause or participle may describe any noun of the chain before it;
*who* needs people, *which* does not mean them, and the verb agrees with its subject in number. *Sold 40 cars in May
and 60 in June*: what another phrase of the same kind follows goes with the first list, not with the month.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tupelo.core import Analysis, Entity
from tupelo.extract.marks.operators import is_contrast, is_replaced, partner_of
from tupelo.extract.rules.phrases import is_indefinite, is_set_apart
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import ORGANIZATION_NOUNS, PERSON_NOUNS, ROLES, WHO_NOUNS
from tupelo.nlp.syntax import NOUNS, VERBAL, DependencyTree

_PERSONAL = words("extraction", "personal_relatives")
_GROUPS = ORGANIZATION_NOUNS | {"family", "couple", "generation", "staff", "public", "population"}
_PEOPLE = PERSON_NOUNS | WHO_NOUNS | ROLES | {"people", "men", "women", "children", "those"}
_PERSON_ENDINGS = ("man", "woman", "men", "women", "ist", "ists", "ian", "ians", "person", "people")
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
    plural = tree.verb_is_plural(clause) if tree.base[pronoun] == "nsubj" else None
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


_TITLES = frozenset(["work", "organization", "event", "other"])
_NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM"])
_SMALL = frozenset(["ADP", "DET", "CCONJ", "PART", "PUNCT", "PRON"])
_LOOSE = frozenset(["compound", "nmod", "appos", "flat", "dep", "list", "acl", "obl", "dislocated", "nummod"])


def repair(analysis: Analysis) -> Analysis:
    """The sentence with such parses mended; the same object where there are none."""
    for entity in analysis.entities or ():
        analysis = _one_name(analysis, entity)
    return _with_pairs(_with_subjects(_with_doers(analysis)))


def _with_pairs(analysis: Analysis) -> Analysis:
    """*visited Paris with Ann and Rome with Tom*: Rome goes with Paris, since a phrase like Ann's follows it.

    *In May, not in June*, *Rome instead of Oslo*: the second phrase is a conjunct of the first.
    """
    if not any(word.deprel in ("conj", "cc") or word.text in ("not", "never", "instead") for word in analysis.words):
        return analysis
    tree, changes = DependencyTree(analysis), Changes()
    for conjunct, label in enumerate(tree.base):
        head = tree.heads[conjunct]
        is_second = label in ("obl", "obj", "nmod") and (
            tree.has_base(tree.below[conjunct], "cc") or is_contrast(tree, conjunct)
        )
        if is_second and (first := partner_of(tree, conjunct)) is not None:
            changes[conjunct] = {"head": first, "deprel": "conj"}
            changes |= {
                case: {"deprel": "cc"} for case in tree.children(conjunct, "case") if is_replaced(tree, conjunct)
            }
        if label != "conj" or head is None or tree.upos(conjunct) not in _NOMINAL or tree.has_own_subject(conjunct):
            continue
        adjuncts = tree.children(head, "obl") if tree.upos(head) in VERBAL else [head]
        for adjunct in adjuncts if tree.child(conjunct, "case", "cop") is None else ():
            above, listed = tree.heads[adjunct], _first_of_pair(tree, adjunct)
            if above is None or listed is None or not listed < adjunct < conjunct:
                continue
            # *300 people … and 20*: a number alone, after a noun with one.
            counts = tree.upos(conjunct) == "NUM" and tree.child(listed, "nummod") is not None
            following = [*tree.children(conjunct, "nmod"), *tree.children(head, "obl"), *tree.children(above, "obl")]
            is_followed = any(other > conjunct and _is_like(tree, other, adjunct) for other in following)
            if is_followed and (counts or _is_alike(tree, conjunct, listed)):
                changes[conjunct] = {"head": listed}
    return with_changes(analysis, changes)


def _with_doers(analysis: Analysis) -> Analysis:
    """*Arranged for Ann to go*: the noun between *for* and *to* is who does it; *at age 19* is one phrase."""
    words, changes = analysis.words, Changes()
    for place, word in enumerate(words):
        head = word.head
        if word.deprel == "mark" and word.text == "for" and head is not None:
            ends = (at for at in range(place, head) if words[at].head == head and words[at].text == "to")
            inside = range(place + 1, next(ends, place))
            tops = [at for at in inside if words[at].head not in inside and words[at].upos in _NOMINAL]
            changes |= {at: {"head": head, "deprel": "nsubj"} for at in tops[:1]}
        elif word.deprel in ("nsubj", "nsubj:pass") and word.upos in _NOMINAL:
            doubled = [at for at in range(place) if (words[at].head, words[at].deprel) == (head, word.deprel)]
            changes |= _beside(analysis, doubled[-1], place) if doubled else {}
        elif word.upos == "NUM" and word.deprel == words[place - 1].deprel == "obl" and head == words[place - 1].head:
            changes[place] = {"head": place - 1, "deprel": "nummod"}
    return with_changes(analysis, changes)


def _beside(analysis: Analysis, first: int, second: int) -> Changes:
    """Of two subjects of a verb the one that is none: in *American poet Ann Lee left*, *Ann Lee, a poet, left* and
    *Her last film, it was shot in Rome*."""
    tree = DependencyTree(analysis)
    span, start = tree.subtree(second), tree.trim(tree.subtree(first))[-1] + 1
    between, behind = tree.lowered[start : span[0]], tree.lowered[span[-1] + 1 : span[-1] + 2]
    named = tree.entity[second] == "person" != tree.entity[first] and not tree.has_word(tree.below[first], ("whose",))
    if named and between in ([], [","]):
        return {first: {"head": second, "deprel": "nmod:desc"}}
    if between == behind == [","] and is_indefinite(tree, second):
        return {second: {"head": first, "deprel": "appos"}}
    apart = {"PRON": tree.text(second - 1) == ",", "PROPN": between == [","]}.get(tree.upos(second) or "")
    return {first: {"deprel": "dislocated"}} if apart else {}


def _first_of_pair(tree: DependencyTree, adjunct: int) -> int | None:
    """*Paris* for *with Ann* in *visited Paris with Ann*: the object that a phrase follows."""
    above = tree.heads[adjunct]
    if above is None or tree.has_word(tree.children(adjunct, "case"), ("of",)):
        return None
    if tree.base[adjunct] == "nmod":
        return above if tree.base[above] == "obj" else None
    return tree.child(above, "obj") if tree.base[adjunct] == "obl" else None


def _is_like(tree: DependencyTree, one: int, other: int) -> bool:
    """Whether two phrases have the same preposition and kind: *in May* and *in June*."""
    opening = tree.child_word(one, "case")
    return opening is not None and opening == tree.child_word(other, "case") and _is_alike(tree, one, other)


def _is_alike(tree: DependencyTree, one: int, other: int) -> bool:
    return tree.entity[one] == tree.entity[other] and tree.upos(one) == tree.upos(other)


def _one_name(analysis: Analysis, entity: Entity) -> Analysis:
    """A title with a verb at its top becomes a flat name, headed by its first word."""
    words, inside, first = analysis.words, range(entity.start, entity.end), entity.start
    tops = [place for place in inside if words[place].head not in inside]
    if entity.label not in _TITLES or len(inside) < 2 or len(tops) != 1:
        return analysis
    top = words[tops[0]]
    is_title = all(words[place].text[:1].isupper() or words[place].upos in _SMALL for place in inside)
    if top.upos not in VERBAL or top.head is None or not is_title:
        return analysis
    changes: Changes = {place: {"head": first} for place, word in enumerate(words) if word.head in inside}
    changes |= {place: {"head": first, "deprel": "flat", "upos": "PROPN", "xpos": "NNP"} for place in inside}
    changes[first] |= {"head": top.head, "deprel": "compound"}
    return with_changes(analysis, changes)


def _with_subjects(analysis: Analysis) -> Analysis:
    """The last loose noun before a copula without a subject becomes the subject."""
    labelled = [((word.deprel or "").partition(":")[0], word.head) for word in analysis.words]
    with_subject = {head for label, head in labelled if label in ("nsubj", "csubj", "expl")}
    if all(label != "cop" or head in with_subject for label, head in labelled):
        return analysis
    tree, changes = DependencyTree(analysis), Changes()
    for copula, label in enumerate(tree.base):
        predicate = tree.heads[copula]
        if label != "cop" or predicate is None or tree.has_own_subject(predicate) or copula > predicate:
            continue
        if tree.base[predicate] not in ("root", "conj", "ccomp", "parataxis"):
            continue
        loose = [child for child in tree.below[predicate] if child < copula and tree.base[child] in _LOOSE]
        bare = [child for child in loose if tree.child(child, "case", "mark") is None]
        if nouns := [child for child in bare if tree.upos(child) in _NOMINAL]:
            changes[nouns[-1]] = {"deprel": "nsubj"}
    return with_changes(analysis, changes)


# New values for the fields of some words.
Changes = dict[int, dict[str, Any]]


def with_changes(analysis: Analysis, changes: Changes) -> Analysis:
    """The sentence with some words changed; the same object if there are none."""
    if not changes:
        return analysis
    words = enumerate(analysis.words)
    return replace(analysis, words=tuple(replace(one, **changes[at]) if at in changes else one for at, one in words))
