"""How clauses are linked: *X because Y* -> *Y , so X*, *although X , Y* -> *X , but Y*, *also* -> *as well*."""

from __future__ import annotations

from tupelo.nlp.languages.en.grammar import POSSESSIVES, THIRD_PERSON
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import Clause, ending, has_comma
from tupelo.robustness.rewrite.draft import New
from tupelo.robustness.rewrite.rule import Proposals, clause_rule, rule

_FINITE = ("VBD", "VBZ", "VBP")


@clause_rule("because-to-so", "clause-order")
def because_to_so(clause: Clause) -> Proposals:
    """*Ann left because it rained* -> *It rained , so Ann left*."""
    tree = clause.tree
    if clause.lead or clause.before or not clause.is_plain or clause.is_negated or clause.has_second_verb:
        return
    last = clause.blocks[-1] if clause.blocks else None
    if last is None or last.base != "advcl" or not clause.ends_with(last) or clause.block("ccomp", "xcomp"):
        return
    if tree.lowered[last.tokens[0]] != "because" or not tree.has_own_subject(last.head):
        return
    points = any(tree.lowered[index] in POSSESSIVES | THIRD_PERSON for index in last.tokens)
    if points and tree.lowered[clause.subject_head] not in THIRD_PERSON:
        return
    if tree.text(last.tokens[0] - 1) != ",":
        yield [*last.tokens[1:], ", so", *clause.subject, *clause.group, *clause.after_without(last.tokens)]


@clause_rule("although-to-but", "clause-order")
def although_to_but(clause: Clause) -> Proposals:
    """*Although X , Y* -> *X , but Y*."""
    tree, fronts = clause.tree, clause.own_fronts
    if clause.lead or clause.connectives or not clause.is_plain or len(fronts) != 1 or fronts[0].base != "advcl":
        return
    tokens = fronts[0].tokens
    if tree.lowered[tokens[0]] in ("although", "though") and tree.has_own_subject(fronts[0].head):
        yield [*tokens[1:], ", but", *clause.subject, *clause.rest]


@clause_rule("as-well")
def as_well(clause: Clause) -> Proposals:
    """*Ann also sang songs* -> *Ann sang songs as well*."""
    tree = clause.tree
    also = [index for index in clause.group if tree.lowered[index] == "also"]
    if len(also) != 1 or clause.before or not clause.is_plain or clause.is_negated or has_comma(tree, clause.after):
        return
    clauses = any(tree.base[index] in ("advcl", "ccomp", "acl", "conj", "xcomp") for index in clause.after)
    if not clauses and 0 < len(clause.after) <= 12:
        yield [*clause.subject, *(index for index in clause.group if index != also[0]), *clause.after, "as well"]


@rule("repeat-subject")
def repeat_subject(tree: DependencyTree) -> Proposals:
    """*He sang , and wrote books* -> *He sang , and he wrote books*."""
    root = tree.root
    subject = None if root is None else tree.child(root, "nsubj")
    if root is None or subject is None or tree.tag(subject) != "PRP" or tree.tag(root) not in _FINITE:
        return
    second = [verb for verb in tree.children(root, "conj") if not tree.has_own_subject(verb)]
    if len(second) != 1 or tree.children(root, "aux") or tree.tag(second[0]) not in _FINITE:
        return
    link = tree.child(second[0], "cc")
    if link is None or tree.lowered[link] not in ("and", "but") or tree.children(second[0], "nsubj", "csubj"):
        return
    if link < root + 3 or any(tree.base[index] in ("ccomp", "xcomp") for index in range(root, link)):
        return
    comma = [] if tree.text(link - 1) == "," else [","]
    again = "I" if tree.lowered[subject] == "i" else tree.lowered[subject]
    yield [*range(link), *comma, link, New(again), *range(link + 1, tree.size)]


@rule("there-first", "adjunct")
def there_first(tree: DependencyTree) -> Proposals:
    """*There is a church in Oslo* -> *In Oslo , there is a church*."""
    root = tree.root
    if root is None or tree.lemmas[root] != "be" or tree.lowered[0] != "there" or tree.base[0] != "expl":
        return
    for place in tree.children(root, "obl"):
        tokens = tree.strip_marks(tree.subtree(place))
        if tokens[0] < root or tokens[-1] + 1 != tree.end or has_comma(tree, range(tree.end)) or len(tokens) > 10:
            continue
        if tree.lowered[tokens[0]] in ("in", "at", "on", "during") and tree.entity[place] in ("place", "datetime"):
            yield [*tokens, ",", *range(tokens[0]), *ending(tree)]
