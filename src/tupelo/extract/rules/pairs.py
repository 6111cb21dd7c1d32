"""Clauses that pair the members of two lists, split into one clause for each pair.

*Tom and Ann live in Oslo and Rome respectively*, *she left Leeds in 1990 and Oslo in 1994*, *Lee owns 31 percent, Moe
27 percent*: every combination of the members would say what the sentence does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tupelo.extract.marks.operators import is_contrast
from tupelo.extract.rules.clauses import Clause, Complement, with_role
from tupelo.extract.rules.phrases import ArgumentPhrase, atoms, conjuncts, is_in_brackets, is_set_apart, noun_phrase
from tupelo.nlp.languages.en.grammar import NEGATIONS
from tupelo.nlp.syntax import QUESTION_TAGS, DependencyTree

_NOMINAL = frozenset(["NOUN", "PROPN", "NUM", "SYM"])
_PAIRING, _LOOSE = frozenset(["respectively"]), frozenset(["parataxis", "conj", "orphan"])


def paired(tree: DependencyTree, clause: Clause) -> list[Clause]:
    """The clauses of all pairs, or the clause itself where nothing is paired."""
    finders = (_after_but, _in_order_of_lists, _with_own_adjuncts, _gapped)
    return next((found for find in finders if (found := find(tree, clause))), [clause])


def _after_but(tree: DependencyTree, clause: Clause) -> list[Clause]:
    """*was not a baker but a butcher*: the second without the negation of the verb."""
    verb = tuple(word for word in clause.verb if isinstance(word, str) or tree.lowered[word] not in NEGATIONS)
    for place, part in enumerate(clause.complements if verb != clause.verb else ()):
        held = tuple(phrase for phrase in part.phrases if is_contrast(tree, phrase.head))
        denied = tuple(phrase for phrase in part.phrases if phrase not in held)
        if held and denied:
            before, after = clause.complements[:place], clause.complements[place + 1 :]
            parts = [(*before, replace(part, phrases=phrases), *after) for phrases in (denied, held)]
            return [replace(clause, complements=parts[0]), replace(clause, verb=verb, complements=parts[1])]
    return []


def _in_order_of_lists(tree: DependencyTree, clause: Clause) -> list[Clause]:
    """*Tom and Ann live in Oslo and Rome respectively*: the first with the first, the second with the second."""
    if not tree.has_word(tree.subtree(clause.predicate), _PAIRING):
        return []
    others = [part for part in clause.complements if tree.lowered[part.position] not in _PAIRING]
    listed = [part for part in others if len(part.phrases) > 1]
    subjects = clause.subjects
    if len(subjects) == 1:
        subjects = tuple(atoms(tree, subjects[0].head))
    if len(subjects) > 1 and listed and len(listed[-1].phrases) == len(subjects):
        lists: list[Complement] = [listed[-1]]
    elif len(listed) > 1 and len(listed[-1].phrases) == len(listed[-2].phrases):
        subjects, lists = clause.subjects, listed[-2:]
    else:
        return []
    return [
        replace(
            clause,
            subjects=(subjects[number],) if len(lists) == 1 else subjects,
            complements=tuple(
                replace(part, phrases=(_without(tree, part.phrases[number]),)) if part in lists else part
                for part in others
            ),
        )
        for number in range(len(lists[0].phrases))
    ]


def _without(tree: DependencyTree, phrase: ArgumentPhrase) -> ArgumentPhrase:
    tokens = tree.trim([token for token in phrase.tokens if tree.lowered[token] not in _PAIRING])
    return replace(phrase, tokens=tuple(tokens))


def _with_own_adjuncts(tree: DependencyTree, clause: Clause) -> list[Clause]:
    """*left Leeds in 1990 and Oslo in 1994*: each conjunct with the phrase of the same preposition after it."""
    for listed in clause.complements:
        heads = conjuncts(tree, listed.position)
        adjuncts = [part for part in clause.complements if part.label == "obl" and part.position > heads[0]]
        if listed.label in ("ccomp", "advcl", "xcomp") or len(heads) < 2 or not adjuncts:
            continue
        ends = [*heads[1:], tree.size]
        chosen = [_adjuncts_between(tree, adjuncts, *span) for span in zip(heads, ends, strict=True)]
        openings = [[tree.child_word(adjunct, "case") for adjunct in own] for own in chosen]
        if not openings[0] or None in openings[0] or any(one != openings[0] for one in openings):
            continue
        taken = {adjunct for own in chosen for adjunct in own}
        others = [part for part in clause.complements if part is not listed and part.position not in taken]
        return [
            replace(
                clause,
                complements=(
                    replace(listed, phrases=(_alone(tree, head, {*heads, *own} - {head}),), position=head),
                    *(with_role(tree, "obl", [_alone(tree, adjunct, {*heads} - {head})], adjunct) for adjunct in own),
                    *others,
                ),
            )
            for head, own in zip(heads, chosen, strict=True)
        ]
    return []


def _adjuncts_between(tree: DependencyTree, adjuncts: Sequence[Complement], head: int, end: int) -> list[int]:
    """Phrases with a preposition that follow a conjunct, be they attached to it or to the verb."""
    nouns = {noun for part in adjuncts for noun in conjuncts(tree, part.position)} | {*tree.children(head, "nmod")}
    return sorted(noun for noun in nouns if head < noun < end)


def _alone(tree: DependencyTree, head: int, leave: set[int]) -> ArgumentPhrase:
    return noun_phrase(tree, head, frozenset(leave), joined=False)


def _gapped(tree: DependencyTree, clause: Clause) -> list[Clause]:
    """*Lee owns 31 percent, Moe 27 percent*: the verb holds for each further subject with its object."""
    found = [[part for part in clause.complements if part.label == label] for label in ("obj", "obl")]
    wholes = found[0] or found[1]
    if not wholes or len(clause.subjects) != 1 or (wholes[0].label == "obj" and len(wholes) > 1):
        return []
    whole, pairs = wholes[0], list(_gaps(tree, clause.predicate, wholes[0]))
    if not pairs:
        return []
    own = {word for pair in pairs for word in pair}
    rest = tuple(part for part in clause.complements if part is not whole and part.position not in own)
    first = replace(whole, phrases=(_alone(tree, whole.position, own),))
    return [
        replace(clause, complements=(first, *rest)),
        *(
            Clause(
                "gapped",
                clause.predicate,
                (_alone(tree, subject, own - {subject}),),
                clause.verb,
                (replace(whole, phrases=(_alone(tree, target, own - {target}),), position=target),),
            )
            for subject, target in pairs
        ),
    ]


def _gaps(tree: DependencyTree, predicate: int, whole: Complement) -> Iterator[tuple[int, int]]:
    """Each further subject, and what it has in the place of the object or the phrase of the first."""
    after = [child for child in tree.below[predicate] if child > whole.position and not is_in_brackets(tree, child)]
    if whole.label == "obl":
        # *The eggs went to a hotel, the rest to a baker*.
        second = next((child for child in after if tree.base[child] == "nsubj"), tree.size)
        last = next((child for child in after if child > second and tree.base[child] == "obl"), None)
        if last is not None and tree.child_word(last, "case") == tree.child_word(whole.position, "case"):
            yield second, last
        return
    loose = [child for child in after if tree.base[child] in _LOOSE and tree.upos(child) in _NOMINAL]
    loose = sorted({*loose, *(orphan for child in loose for orphan in tree.children(child, "orphan"))})
    pairs = list(zip(loose[::2], loose[1::2], strict=False))
    counted = tree.child(whole.position, "nummod") is not None
    for conjunct in {*loose, *conjuncts(tree, whole.position)[1:]}:
        subject, beside = tree.child(conjunct, "nsubj"), tree.child(conjunct, "appos", "flat")
        if subject is not None and tree.child(conjunct, "cop") is None and tree.tag(subject) not in QUESTION_TAGS:
            yield subject, conjunct
        elif beside is not None and conjunct in loose and not is_set_apart(tree, beside):
            # *Moe the rest*, *Moe 27*.
            yield from [(conjunct, beside)] * (
                tree.base[beside] == "appos" or (counted and tree.upos(beside) == "NUM")
            )
        # *Moe 27 votes* read as one noun.
        number = tree.child(conjunct, "nummod")
        names = [child for child in tree.children(conjunct, "compound") if number is not None and child < number]
        pairs.extend((name, conjunct) for name in names[:1] if tree.upos(name) == "PROPN")
    for subject, target in pairs:
        if _is_alike(tree, target, whole.position) and not _is_alike(tree, subject, whole.position):
            yield subject, target


def _is_alike(tree: DependencyTree, one: int, other: int) -> bool:
    """Whether two nouns are amounts of the same kind: *27 percent* beside *31 percent*."""
    counted = all(tree.upos(noun) == "NUM" or tree.child(noun, "nummod") is not None for noun in (one, other))
    return counted and (tree.upos(one) == tree.upos(other) == "NUM" or tree.lemmas[one] == tree.lemmas[other])
