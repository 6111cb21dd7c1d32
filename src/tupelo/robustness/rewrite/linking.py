"""Links between clauses: *X because Y* -> *Y , so X*, *although X , Y* -> *X , but Y*, *also* -> *as well*."""

from __future__ import annotations

from tupelo.nlp.languages.en.grammar import THIRD_PERSON
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import FINITE, POINTING, ClauseParts, ending
from tupelo.robustness.rewrite.draft import New
from tupelo.robustness.rewrite.rule import Proposals, clause_rule, rule


@clause_rule("clause-order", needs="plain positive single subject-first sentence-first")
def because_to_so(clause: ClauseParts) -> Proposals:
    """*Ann left because it rained* -> *It rained , so Ann left*."""
    tree = clause.tree
    last = clause.blocks[-1] if clause.blocks else None
    if last is None or last.base != "advcl" or not clause.ends_with(last) or clause.block("ccomp", "xcomp"):
        return
    if tree.lowered[last.tokens[0]] != "because" or not tree.has_own_subject(last.head):
        return
    points = tree.has_word(last.tokens, POINTING)
    if points and tree.lowered[clause.subject_head] not in THIRD_PERSON:
        return
    if tree.text(last.tokens[0] - 1) != ",":
        yield [*last.tokens[1:], ", so", *clause.subject, *clause.group, *clause.after_without(last.tokens)]


@clause_rule("clause-order", needs="plain sentence-first")
def although_to_but(clause: ClauseParts) -> Proposals:
    """*Although X , Y* -> *X , but Y*."""
    tree, fronts = clause.tree, clause.own_fronts
    if clause.connectives or len(fronts) != 1 or fronts[0].base != "advcl":
        return
    tokens = fronts[0].tokens
    if tree.lowered[tokens[0]] in ("although", "though") and tree.has_own_subject(fronts[0].head):
        yield [*tokens[1:], ", but", *clause.subject, *clause.rest]


@clause_rule(needs="plain positive subject-first")
def as_well(clause: ClauseParts) -> Proposals:
    """*Ann also sang songs* -> *Ann sang songs as well*."""
    tree = clause.tree
    also = [index for index in clause.group if tree.lowered[index] == "also"]
    if len(also) != 1 or tree.has_text(clause.after, ","):
        return
    clauses = tree.has_base(clause.after, "advcl", "ccomp", "acl", "conj", "xcomp")
    if not clauses and 0 < len(clause.after) <= 12:
        yield [*clause.subject, *(index for index in clause.group if index != also[0]), *clause.after, "as well"]


@rule()
def repeat_subject(tree: DependencyTree) -> Proposals:
    """*He sang , and wrote books* -> *He sang , and he wrote books*."""
    root = tree.root
    subject = None if root is None else tree.child(root, "nsubj")
    if root is None or subject is None or tree.tag(subject) != "PRP" or tree.tag(root) not in FINITE:
        return
    second = [verb for verb in tree.children(root, "conj") if not tree.has_own_subject(verb)]
    if len(second) != 1 or tree.children(root, "aux") or tree.tag(second[0]) not in FINITE:
        return
    link = tree.child(second[0], "cc")
    if link is None or tree.lowered[link] not in ("and", "but") or tree.children(second[0], "nsubj", "csubj"):
        return
    if link < root + 3 or tree.has_base(range(root, link), "ccomp", "xcomp"):
        return
    comma = [] if tree.text(link - 1) == "," else [","]
    again = "I" if tree.lowered[subject] == "i" else tree.lowered[subject]
    yield [*range(link), *comma, link, New(again), *range(link + 1, tree.size)]


@rule("adjunct")
def there_first(tree: DependencyTree) -> Proposals:
    """*There is a church in Oslo* -> *In Oslo , there is a church*."""
    root = tree.root
    if root is None or tree.lemmas[root] != "be" or tree.lowered[0] != "there" or tree.base[0] != "expl":
        return
    for place in tree.children(root, "obl"):
        tokens = tree.strip_marks(tree.subtree(place))
        if tokens[0] < root or tokens[-1] + 1 != tree.end or tree.has_text(range(tree.end), ",") or len(tokens) > 10:
            continue
        if tree.lowered[tokens[0]] in ("in", "at", "on", "during") and tree.entity[place] in ("place", "datetime"):
            yield [*tokens, ",", *range(tokens[0]), *ending(tree)]
