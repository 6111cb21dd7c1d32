"""What is said in passing, moved or told in full: participles, appositions, adverbs.

*Bob , elected in May , resigned* -> *Elected in May , Bob resigned*; *Bob , a
nurse , sang* -> *A nurse , Bob sang* or *Bob is a nurse and sang*; *Bob is a nurse
who sings* -> *Bob , a nurse , sings*; *Bob usually sings* -> *Usually , Bob sings*.
"""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, connectives, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import is_plain, points_back, second_verbs
from tupelo.cliques.rewrite.morphology import be
from tupelo.cliques.rewrite.tree import Tree, is_run
from tupelo.cliques.rewrite.words import SPEECH, word_set

_ADVERBS = word_set(
    "usually often sometimes generally currently originally initially eventually finally typically "
    "recently previously traditionally subsequently normally frequently occasionally apparently "
    "reportedly allegedly commonly historically officially formerly gradually soon later today"
)
_PREPOSITIONAL = word_set("including regarding concerning according following based compared due depending")


@per_clause
def front_participle(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """A participle that follows the subject or ends the clause, to the front."""
    if clause.before or not is_plain(tree, clause):
        return
    for verb in tree.children(clause.subject_head, "acl"):
        phrase = tree.trim(tree.subtree(verb))
        if (
            tree.labels[verb] != "acl"
            or tree.tag(verb) not in ("VBN", "VBG")
            or not is_run(phrase)
            or phrase[0] != verb
        ):
            continue
        if not _between_commas(tree, phrase) or tree.lower[verb] in _PREPOSITIONAL:
            continue
        rest = [index for index in clause.subject if index not in phrase and tree.text(index) != ","]
        if "," in [tree.text(index) for index in rest]:
            continue
        items: list[Item] = [*phrase, New(","), *rest, *clause.rest]
        yield Draft("front-participle", tuple(items))
    if second_verbs(clause):
        return
    for block in clause.blocks:
        if block.base != "advcl" or tree.tag(block.head) not in ("VBG", "VBN") or block.tokens[0] != block.head:
            continue
        if block.tokens[-1] + 1 != clause.stop or tree.text(block.tokens[0] - 1) != "," or len(block.tokens) > 18:
            continue
        if tree.has_own_subject(block.head) or tree.lower[block.head] in _PREPOSITIONAL | {
            "resulting",
            "making",
            "causing",
            "leading",
            "allowing",
            "leaving",
            "giving",
            "bringing",
            "forcing",
        }:
            continue
        if points_back(tree, block.tokens, clause):
            continue
        items = [*block.tokens, New(","), *clause.subject, *clause.group, *remaining(clause.after, block.tokens)]
        yield Draft("front-participle", tuple(items))


@per_clause
def front_apposition(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Bob , a nurse , sang* -> *A nurse , Bob sang*."""
    found = _apposition(tree, clause)
    if found is None or clause.before:
        return
    name, phrase = found
    if tree.lower[phrase[0]] == "the" or len(phrase) < 2:
        return
    items: list[Item] = [*phrase, New(","), *name, *clause.rest]
    yield Draft("front-apposition", tuple(items))


@per_clause
def tell_apposition(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Bob , a nurse , sang* -> *Bob is a nurse and sang*."""
    found = _apposition(tree, clause)
    if found is None or second_verbs(clause) or not is_plain(tree, clause) or len(found[1]) > 12:
        return
    name, phrase = found
    if tree.lemmas[clause.predicate] in SPEECH:
        return
    copula = New(be(past=clause.past, plural=clause.plural))
    items: list[Item] = [*clause.before, *name, copula, *phrase, New("and"), *clause.rest]
    yield Draft("tell-apposition", tuple(items))


@per_clause
def merge_relative(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Bob is a nurse who sings* -> *Bob , a nurse , sings*."""
    noun = clause.predicate
    if (
        tree.lemmas[noun] == "one"
        or tree.child(noun, "cop") is None
        or len(clause.group) != 1
        or clause.block("predicate") is None
    ):
        return
    if tree.tag(clause.subject_head) not in ("NNP", "NNPS", "NN") or tree.text(clause.subject[-1]) == ",":
        return
    clauses = [verb for verb in tree.children(noun, "acl:relcl") if verb > noun]
    if len(clauses) != 1 or tree.tag(clauses[0])[:2] not in ("VB",) or not is_plain(tree, clause):
        return
    verb = clauses[0]
    pronoun = tree.child(verb, "nsubj")
    words = tree.trim(tree.subtree(verb))
    if (
        pronoun is None
        or pronoun != words[0]
        or tree.lower[pronoun] not in ("who", "which", "that")
        or not is_run(words)
    ):
        return
    if words[-1] + 1 != clause.stop or tree.lower[clause.after[0]] not in ("a", "an", "the"):
        return
    kind = [
        index for index in clause.after if index < pronoun and not (index == pronoun - 1 and tree.text(index) == ",")
    ]
    if not kind or (kind[-1] != noun and tree.child(noun, "conj") is not None):
        return
    items: list[Item] = [*clause.before, *clause.subject, New(","), *kind, New(","), *words[1:]]
    yield Draft("merge-relative", tuple(items))


@per_clause
def front_adverb(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Bob usually sings* -> *Usually , Bob sings*."""
    if clause.before and clause.before != connectives(tree, clause):
        return
    for index in tree.children(clause.predicate, "advmod"):
        if index not in clause.group or tree.lower[index] not in _ADVERBS or tree.below[index]:
            continue
        items: list[Item] = [
            *clause.before,
            index,
            New(","),
            *clause.subject,
            *(i for i in clause.rest if i != index),
        ]
        yield Draft("front-adverb", tuple(items))


def _apposition(tree: Tree, clause: Clause) -> tuple[list[int], list[int]] | None:
    """The name and what stands beside it, where the subject is nothing else."""
    noun = next((c for c in tree.children(clause.subject_head, "appos") if c > clause.subject_head), None)
    if noun is None or tree.tag(clause.subject_head) not in ("NNP", "NNPS"):
        return None
    phrase = tree.trim(tree.subtree(noun))
    if (
        not is_run(phrase)
        or not _between_commas(tree, phrase)
        or tree.lower[phrase[0]] not in ("a", "an", "the", "one")
    ):
        return None
    name = [index for index in clause.subject if index not in phrase and tree.text(index) != ","]
    if not is_run(name) or tree.child(noun, "conj", "appos") is not None or tree.entity[noun] == "datetime":
        return None
    return name, phrase


def _between_commas(tree: Tree, phrase: list[int]) -> bool:
    first, last = phrase[0], phrase[-1]
    return first > 0 and tree.text(first - 1) == "," and last + 1 < tree.size and tree.text(last + 1) == ","
