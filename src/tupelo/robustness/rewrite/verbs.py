"""Changes to verbs and predicates: datives, light verbs, coordinated verbs, and inverted copulas."""

from __future__ import annotations

from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.inflection import be, inflect
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import FINITE, Block, ClauseParts
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, Turn, regrouped


@rule
def dative(tree: DependencyTree) -> Proposals:
    """*gave Bob a book* -> *gave a book to Bob*."""
    for verb in range(tree.size):
        thing, receiver, lemma = tree.child(verb, "obj"), tree.child(verb, "iobj"), tree.lemmas[verb]
        if thing is None or receiver is None or lemma not in grammar.DATIVE_TO_VERBS | grammar.DATIVE_FOR_VERBS:
            continue
        things, people = tree.phrase(thing), tree.phrase(receiver)
        verbal = any(tree.upos(index) == "VERB" for index in things)
        # Any other phrase would absorb what follows it.
        if _follow(verb, people, things) and len(things) <= 5 and not verbal:
            preposition = "for" if lemma in grammar.DATIVE_FOR_VERBS else "to"
            yield regrouped(tree, [*people, *things], [*things, New(preposition), *people])


def _follow(verb: int, first: list[int], second: list[int]) -> bool:
    """Whether two phrases follow a verb with nothing in between."""
    return bool(first and second) and first[0] == verb + 1 and second[0] == first[-1] + 1


@clause_rule
def nominalize(clause: ClauseParts, complement: Block) -> Proposals:
    """*Ann decided to go* -> *Ann made a decision to go*."""
    tree, verb = clause.tree, clause.predicate
    entry = grammar.LIGHT_VERB_PHRASES.get((clause.lemma, complement.base))
    if entry is None or complement.tokens[0] != verb + 1:
        return
    light, noun, preposition = entry
    form = inflect(light, tree.tag(verb))
    if form is None or (complement.base == "xcomp" and tree.lowered[verb + 1] != "to"):
        return
    if complement.base == "obj" and tree.tag(complement.head) == "PRP" and preposition == "of":
        return
    new = [New(word, (verb,)) for word in (form, *noun.split(), *preposition.split())]
    region = range(len(clause.lead), clause.stop)
    yield [item for index in region for item in (new if index == verb else [index])]


@clause_rule
def swap_copula(clause: ClauseParts, block: Block) -> Proposals:
    """Subject and predicate noun change places where both are definite."""
    tree = clause.tree
    if any(tree.tag(index) in FINITE for index in block.tokens[-12:] if tree.base[index] == "conj"):
        return
    subject = clause.bare_subject
    form = New(be(past=clause.past, plural=tree.is_plural(clause.predicate)), clause.group)
    turn = Turn(clause.group[0], frozenset(clause.group), (form.text,), subject, block.tokens)
    items: tuple[Item, ...] = (*block.tokens, form, *subject)
    yield RewriteDraft(items, (turn,))
