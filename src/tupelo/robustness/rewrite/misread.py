"""Ways in which a paraphrase says something else than its original, or says it badly, seen from what moved.

Rules look at one clause, and two may follow one another; here the finished sentence is held against the parse of the
original. Whatever may be misread is refused: a pronoun that changed places with what it may stand for, a phrase that
left its clause, the time that it explains or the verbs that share it, an adverb that has its place, a heavy passive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tupelo.nlp.languages import words
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import POINTING, relative_pronoun

_NAMING = ("NOUN", "PROPN")
# These are no persons and things that a pronoun in another clause stands for.
_NO_REFERENTS = ("datetime", "number", "place")
_FIXED_ADVERBS = words("rewriting", "fixed_adverbs")
_FREE_PREPOSITIONS = words("rewriting", "free_prepositions")
_OF_NOUNS = words("rewriting", "of_nouns")
_ACTIVE_VERBS = words("rewriting", "active_verbs")
_BE = words("rewriting", "forms_of_be")
_STATES = words("rewriting", "state_verbs")
_OF_PERSONS = words("rewriting", "pronouns_of_persons")
_DEMONSTRATIVES = ("this", "that", "these", "those")
_MOST_WORDS = 10
_LIGHT_AGENT = 5
# An adjunct that is further from its verb is read as part of a noun phrase.
_FARTHEST = 9
_LOWERED = frozenset(["DET", "PRON", "ADP", "ADV", "SCONJ", "CCONJ", "NUM", "AUX", "ADJ", "PART"])


def is_misread(tree: DependencyTree, alignment: Sequence[Sequence[int]], text: str) -> bool:
    """Whether a paraphrase may be misread; `alignment` has the words of the original behind each of its words."""
    at: dict[int, int] = {}
    for position, sources in enumerate(alignment):
        for source in sources:
            at.setdefault(source, position)
    words = text.split()
    return (
        _changes_reference(tree, at)
        or _tears_conjunct(tree, at)
        or any(_is_misplaced(tree, at, index) for index in _moved(tree, at))
        or any(_is_heavy_passive(tree, verb) for verb in _turned(tree, at))
        or any(_is_stiff_genitive(tree, at, owner) for owner in at if tree.labels[owner] == "nmod:poss")
        or _loses_capital(tree, at, words)
        or _is_doubtful_relative(tree, alignment, words)
    )


def _changes_reference(tree: DependencyTree, at: dict[int, int]) -> bool:
    """Whether a pronoun and something that it may stand for changed places."""
    # *this* and *that* stand for what was said where they are subject or object.
    demonstrative = (
        i for i in at if tree.lowered[i] in _DEMONSTRATIVES and tree.base[i].startswith(("nsubj", "obj"))
    )
    pronouns = [*(i for i in at if tree.lowered[i] in POINTING), *demonstrative]
    nouns = [i for i in at if tree.upos(i) in _NAMING and tree.entity[i] not in _NO_REFERENTS]
    return any(
        (noun < pronoun) != (at[noun] < at[pronoun])
        and tree.heads[pronoun] != noun
        and (tree.lowered[pronoun] not in _OF_PERSONS or relative_pronoun(tree, noun) == "who")
        for pronoun in pronouns
        for noun in nouns
    )


def _tears_conjunct(tree: DependencyTree, at: dict[int, int]) -> bool:
    """Whether something behind *and* or *but* came before it: *before passing out , but she called*."""
    return any(
        at[index] < at[link]
        for link in at
        if tree.base[link] == "cc" and (head := tree.heads[link]) is not None and _is_clause(tree, head)
        for index in tree.subtree(head)
        if link < index and index in at
    )


def _is_clause(tree: DependencyTree, head: int) -> bool:
    return tree.upos(head) in ("VERB", "AUX") or tree.has_own_subject(head) or bool(tree.children(head, "cop"))


def _subject(tree: DependencyTree, verb: int) -> int | None:
    return tree.child(verb, "nsubj", "csubj", "expl")


def _moved(tree: DependencyTree, at: dict[int, int]) -> Iterator[int]:
    """Adjuncts and clauses that stand on another side of their verb or subject."""
    for index in at:
        verb = tree.heads[index]
        if tree.base[index] not in ("obl", "advmod", "advcl") or verb is None or verb not in at:
            continue
        if tree.labels[index] == "obl:agent":
            continue
        subject = _subject(tree, verb)
        fixed = [verb] if subject is None or subject not in at else [verb, subject]
        # With a change of voice the verb alone tells.
        kept = fixed if len({(a < b) == (at[a] < at[b]) for a in fixed for b in fixed if a < b}) < 2 else [verb]
        if any((index < other) != (at[index] < at[other]) for other in kept):
            yield index


def _is_misplaced(tree: DependencyTree, at: dict[int, int], index: int) -> bool:
    """Whether a phrase that moved has left what it belongs to, or stands where it belongs to something else."""
    verb = tree.heads[index]
    phrase = tree.strip_marks(tree.subtree(index))
    subject = None if verb is None else _subject(tree, verb)
    if subject is not None and verb is not None and index < subject and at.get(subject, 0) < at[index] < at[verb]:
        # "The firm , in May , moved and grew", but not "It , in May , moved".
        return tree.tag(subject) == "PRP"
    if verb is None or not phrase or tree.lowered[index] in _FIXED_ADVERBS or _is_one_of_several(tree, verb):
        return True
    opener = tree.lowered[phrase[0]]
    if tree.base[index] == "obl" and tree.child(index, "case") is not None and opener not in _FREE_PREPOSITIONS:
        return True
    if tree.base[index] == "advcl":
        # "in 1979 when ...": the clause explains the time before it. "before the two routes part": its subject may
        # mean what the clause before it names.
        before = phrase[0] - 2 if phrase[0] > 1 and tree.text(phrase[0] - 1) == "," else phrase[0] - 1
        own = _subject(tree, index)
        named = [] if own is None else tree.children(own, "det")
        again = tree.has_word(named, ("the", "such", "both", *_DEMONSTRATIVES))
        if opener == "to" or again or (before >= 0 and tree.entity[before] == "datetime"):
            return True
    first = verb if subject is None else min(subject, verb)
    if index > first and at[index] < at.get(first, 0) and at.get(phrase[0]) != 0:
        # "but in New York , Ann works".
        return True
    if subject is not None and tree.tag(subject) == "PRP" and at.get(subject, 0) < at[index] < at[verb]:
        # "It , however , failed".
        return True
    behind = at[index] > at[verb] and tree.base[index] != "advcl"
    if behind and (tree.base[index] == "advmod" or at[index] - at[verb] > _FARTHEST):
        return True
    others = tree.children(verb, "obl", "advcl", "advmod")
    timed = tree.entity[index] == "datetime"
    if behind and not timed and any(at[verb] < at[other] < at[index] for other in others if other in at):
        return True
    return _passes_verb(tree, at, verb, phrase)


def _is_one_of_several(tree: DependencyTree, verb: int) -> bool:
    """Whether the clause is one of several: an adjunct of one of them may belong to all, or to the other one."""
    if tree.base[verb] in ("conj", "parataxis", "ccomp", "xcomp", "advcl", "acl"):
        return True
    return any(_is_clause(tree, child) for child in tree.children(verb, "conj", "parataxis")) or any(
        tree.has_own_subject(child) and child < verb for child in tree.children(verb, "ccomp")
    )


def _passes_verb(tree: DependencyTree, at: dict[int, int], verb: int, phrase: Sequence[int]) -> bool:
    """Whether another verb stands between a phrase and its verb, before or now."""
    verbs = [i for i in at if tree.upos(i) == "VERB" and i != verb and i not in phrase and tree.base[i] != "amod"]
    now = [at[i] for i in phrase if i in at]
    if any(verb < other < phrase[0] or phrase[-1] < other < verb for other in verbs) or not now:
        return True
    return any(at[verb] < at[other] < now[0] or now[-1] < at[other] < at[verb] for other in verbs)


def _turned(tree: DependencyTree, at: dict[int, int]) -> Iterator[int]:
    """The verbs whose object is now before them, outside of relative clauses."""
    for index in at:
        verb = tree.heads[index]
        if tree.base[index] == "obj" and verb in at and verb is not None and verb < index and at[index] < at[verb]:
            yield verb


def _is_heavy_passive(tree: DependencyTree, verb: int) -> bool:
    target, agent = tree.child(verb, "obj"), _subject(tree, verb)
    if target is None or agent is None or tree.lemmas[verb] in _ACTIVE_VERBS:
        return True
    if tree.tag(verb) not in ("VBD", "VBN", "VBZ", "VBP", "VB") or tree.base[verb] in ("conj", "parataxis", "advcl"):
        return True
    if any(tree.lowered[i] == "by" for child in tree.children(verb, "obl", "advcl") for i in tree.below[child]):
        return True
    object_, subject = tree.subtree(target), tree.subtree(agent)
    if len(object_) > _MOST_WORDS or len(subject) > _MOST_WORDS:
        return True
    if any(tree.base[index] == "acl" or tree.lowered[index] == "than" for index in (*object_, *subject)):
        return True
    named = tree.tag(target) in ("NNS", "NNP", "NNPS") or tree.children(target, "det", "nmod:poss", "nummod")
    return not named or (len(subject) > _LIGHT_AGENT and bool(tree.children(verb, "obl", "advcl", "advmod")))


def _is_stiff_genitive(tree: DependencyTree, at: dict[int, int], owner: int) -> bool:
    """Whether it is now *the X of Y*, which is less usual than *Y 's X*."""
    owned = tree.heads[owner]
    if owned is None or owned not in at or at[owned] >= at[owner] or tree.lemmas[owned] in _OF_NOUNS:
        return False
    if tree.entity[owner] == "organization" or tree.children(owner, "det"):
        return False
    return tree.entity[owner] != "place" or bool(tree.children(owned, "amod", "compound", "nummod"))


def _loses_capital(tree: DependencyTree, at: dict[int, int], words: Sequence[str]) -> bool:
    """Whether the first word of the original, perhaps a name, is now in small letters."""
    place = at.get(0)
    if place is None or tree.upos(0) in _LOWERED or not tree.text(0)[:1].isupper() or place >= len(words):
        return False
    return words[place] == tree.text(0).lower() != tree.text(0)


def _is_doubtful_relative(tree: DependencyTree, alignment: Sequence[Sequence[int]], words: Sequence[str]) -> bool:
    """Whether a relative clause that was made from a participle or an apposition has a doubtful tense or pronoun."""
    for position, (pronoun, be) in enumerate(pairwise(words)):
        if be not in _BE or pronoun not in ("that", "which", "who") or any(alignment[position : position + 2]):
            continue
        first = next((each[0] for each in alignment[position + 2 :] if each), None)
        if first is None:
            continue
        described = next((i for i in (first, *tree.path(first)) if tree.base[i] in ("appos", "acl")), first)
        head, past = tree.heads[described], be in ("was", "were")
        sum_of_money = head is not None and tree.has_text((head, *tree.below[head]), "$", "%", "million", "billion")
        if tree.base[described] == "acl" and (sum_of_money or tree.lemmas[described] == "make"):
            return True
        if tree.base[described] == "acl" and past and tree.lemmas[described] in _STATES:
            return True
        kind = None if head is None else tree.entity[head]
        thing = tree.base[described] == "appos" and pronoun == "which"
        if thing and (past or kind not in ("organization", "place")):
            return True
    return False
