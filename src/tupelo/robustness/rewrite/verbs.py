"""Changes to verbs and predicates: datives, light verbs, coordinated verbs, and inverted copulas."""

from __future__ import annotations

from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.inflection import be, gerund, inflect
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import FINITE, Block, ClauseParts, relative_pronoun
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, Turn, regrouped

_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}


@rule
def dative(tree: DependencyTree) -> Proposals:
    """*gave Bob a book* <-> *gave a book to Bob*."""
    for verb in range(tree.size):
        thing, receiver = tree.child(verb, "obj"), tree.child(verb, "iobj")
        if tree.upos(verb) != "VERB" or thing is None or thing < verb:
            continue
        things, lemma = tree.phrase(thing), tree.lemmas[verb]
        if receiver is not None:
            people = tree.phrase(receiver)
            if (
                lemma in grammar.DATIVE_TO_VERBS | grammar.DATIVE_FOR_VERBS
                and _follow(verb, people, things)
                # Any other phrase would absorb what follows it.
                and len(things) <= 5
                and not any(tree.upos(index) == "VERB" for index in things)
            ):
                preposition = "for" if lemma in grammar.DATIVE_FOR_VERBS else "to"
                yield regrouped(tree, [*people, *things], [*things, New(preposition), *people])
            continue
        adjuncts = tree.children(verb, "obl")
        target = next((one for one in adjuncts if tree.has_word(tree.children(one, "case"), ("to",))), None)
        if target is None or lemma not in grammar.DATIVE_TO_VERBS:
            continue
        people = tree.phrase(target)
        if tree.entity[target] in ("person", "organization") and _follow(verb, things, people) and len(people) <= 5:
            yield regrouped(tree, [*things, *people], [*people[1:], *things])


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
def as_well_as(clause: ClauseParts, last: Block) -> Proposals:
    """*Ann sang songs and wrote books* -> *As well as singing songs , Ann wrote books*."""
    if _are_two(clause, last):
        doing = New(gerund(clause.lemma), (clause.predicate,))
        yield ["as well as", doing, *_first_action(clause, last), ",", *clause.subject, *last.tokens[1:]]


@clause_rule
def not_only(clause: ClauseParts, last: Block) -> Proposals:
    """*Ann sang songs and wrote books* -> *Not only did Ann sing songs , but she also wrote books*."""
    subject, tag = _subject_again(clause), clause.tree.tag(clause.predicate)
    if subject is not None and tag in _DO and _are_two(clause, last):
        base, first = New(clause.lemma, (clause.predicate,)), _first_action(clause, last)
        yield ["not only", _DO[tag], *clause.subject, base, *first, f", but {subject} also", *last.tokens[1:]]


def _are_two(clause: ClauseParts, last: Block) -> bool:
    """Whether two verbs in the same form are all that is coordinated."""
    if any(block.base in ("conj", "parataxis") for block in clause.blocks[:-1]):
        return False
    return clause.tree.tag(clause.predicate) == clause.tree.tag(last.head)


def _first_action(clause: ClauseParts, last: Block) -> list[int]:
    """The words after the first verb, up to the second."""
    first = [index for index in clause.after if index < last.tokens[0]]
    while first and clause.tree.text(first[-1]) == ",":
        first.pop()
    return first


def _subject_again(clause: ClauseParts) -> str | None:
    """The subject repeated as a pronoun or a short name; `None` if neither is possible."""
    tree, head = clause.tree, clause.subject_head
    if clause.has_pronoun_subject:
        return "I" if tree.lowered[head] == "i" else tree.lowered[head]
    if clause.plural:
        return "they"
    if tree.tag(head) == "NNP":
        return " ".join(map(tree.text, clause.subject)) if len(clause.subject) <= 3 else None
    return None if relative_pronoun(tree, head) == "who" else "it"


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


@clause_rule
def place_first(clause: ClauseParts, block: Block) -> Proposals:
    """*The terminus is at the airport* -> *At the airport is the terminus*."""
    yield [*block.tokens, *clause.group, *clause.subject]


@clause_rule
def located_first(clause: ClauseParts, block: Block) -> Proposals:
    """*X is located in Y* -> *Located in Y is X*."""
    yield [clause.group[1], *clause.after, clause.group[0], *clause.bare_subject]
