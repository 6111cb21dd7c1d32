"""Changes to verbs and predicates: datives, light verbs, coordinated verbs, and inverted copulas."""

from __future__ import annotations

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.inflection import be, gerund, inflect
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import FINITE, Block, ClauseParts, can_be_focus, is_negated, relative_pronoun
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, Turn, regrouped

_IN_ORDER = words("rewriting", "ordering_adverbs")
_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}


@rule()
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
                and _is_short(tree, things)
            ):
                preposition = "for" if lemma in grammar.DATIVE_FOR_VERBS else "to"
                yield regrouped(tree, [*people, *things], [*things, New(preposition), *people])
            continue
        target = next((c for c in tree.children(verb, "obl") if _is_to(tree, c)), None)
        if target is None or lemma not in grammar.DATIVE_TO_VERBS:
            continue
        people = tree.phrase(target)
        if tree.entity[target] in ("person", "organization") and _follow(verb, things, people) and len(people) <= 5:
            yield regrouped(tree, [*things, *people], [*people[1:], *things])


def _follow(verb: int, first: list[int], second: list[int]) -> bool:
    """Whether two phrases follow a verb with nothing in between."""
    return bool(first and second) and first[0] == verb + 1 and second[0] == first[-1] + 1


def _is_short(tree: DependencyTree, tokens: list[int]) -> bool:
    """Whether a phrase is short and has no verb; any other would absorb what follows it."""
    return len(tokens) <= 5 and not any(tree.upos(index) == "VERB" for index in tokens)


def _is_to(tree: DependencyTree, index: int) -> bool:
    return any(tree.lowered[mark] == "to" for mark in tree.children(index, "case"))


@clause_rule()
def nominalize(clause: ClauseParts) -> Proposals:
    """*Ann decided to go* -> *Ann made a decision to go*."""
    tree, verb = clause.tree, clause.predicate
    if tree.labels[clause.subject_head] != "nsubj" or not clause.blocks or clause.block("iobj"):
        return
    complement = clause.blocks[0]
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


@clause_rule("second-action")
def as_well_as(clause: ClauseParts) -> Proposals:
    """*Ann sang songs and wrote books* -> *As well as singing songs , Ann wrote books*."""
    last = _second_action(clause)
    if last is None or clause.block("ccomp") or clause.tree.child(last.head, "conj") is not None:
        return
    doing = New(gerund(clause.lemma), (clause.predicate,))
    yield ["as well as", doing, *_first_action(clause, last), ",", *clause.subject, *last.tokens[1:]]


@clause_rule("second-action", needs="sentence-first")
def not_only(clause: ClauseParts) -> Proposals:
    """*Ann sang songs and wrote books* -> *Not only did Ann sing songs , but she also wrote books*."""
    last, subject = _second_action(clause), _subject_again(clause)
    tag = clause.tree.tag(clause.predicate)
    if last is None or subject is None or tag not in _DO:
        return
    base = New(clause.lemma, (clause.predicate,))
    first = _first_action(clause, last)
    yield ["not only", _DO[tag], *clause.subject, base, *first, f", but {subject} also", *last.tokens[1:]]


def _second_action(clause: ClauseParts) -> Block | None:
    """The last of two coordinated verbs with one subject, where neither depends on the other."""
    tree = clause.tree
    last = clause.blocks[-1] if clause.blocks else None
    if clause.before or last is None or last.base != "conj" or not clause.ends_with(last):
        return None
    if tree.lowered[last.tokens[0]] != "and" or tree.has_own_subject(last.head):
        return None
    if tree.children(last.head, "aux", "cop") or tree.children(clause.predicate, "aux", "cop"):
        return None
    if any(block.base in ("conj", "parataxis") for block in clause.blocks[:-1]) or len(clause.group) != 1:
        return None
    if tree.tag(clause.predicate) != tree.tag(last.head) or tree.labels[clause.subject_head] != "nsubj":
        return None
    in_order = tree.has_word(last.tokens, _IN_ORDER)
    return None if in_order or is_negated(tree, clause.rest) else last


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


@clause_rule(needs="plain positive named subject-first", before_focus=False)
def swap_copula(clause: ClauseParts) -> Proposals:
    """Subject and predicate noun change places where both are definite."""
    tree, noun, block = clause.tree, clause.predicate, clause.block("predicate")
    if block is None or len(clause.blocks) != 1 or len(clause.group) != 1:
        return
    if tree.upos(noun) not in ("NOUN", "PROPN") or tree.lowered[block.tokens[0]] not in ("the", "one"):
        return
    if not can_be_focus(tree, clause.subject, 16) or len(block.tokens) > 24:
        return
    if tree.has_word(block.tokens, grammar.POSSESSIVES) or tree.has_text(block.tokens, ","):
        return
    if any(tree.tag(index) in FINITE for index in block.tokens[-12:] if tree.base[index] == "conj"):
        return
    subject = clause.bare_subject
    form = New(be(past=clause.past, plural=tree.is_plural(noun)), clause.group)
    turn = Turn(clause.group[0], frozenset(clause.group), (form.text,), subject, block.tokens)
    items: tuple[Item, ...] = (*block.tokens, form, *subject)
    yield RewriteDraft(items, (turn,))


@clause_rule(needs="plain named subject-first sentence-first", before_focus=False)
def place_first(clause: ClauseParts) -> Proposals:
    """*The terminus is at the airport* -> *At the airport is the terminus*."""
    tree, block = clause.tree, clause.block("predicate")
    if block is None or len(clause.blocks) != 1 or len(clause.group) != 1:
        return
    if tree.lowered[block.tokens[0]] not in grammar.LOCATION_PREPOSITIONS or clause.subject[0] > block.tokens[0]:
        return
    if not tree.has_text((*block.tokens, *clause.subject), ","):
        yield [*block.tokens, *clause.group, *clause.subject]


@clause_rule(needs="plain positive named subject-first")
def located_first(clause: ClauseParts) -> Proposals:
    """*X is located in Y* -> *Located in Y is X*."""
    tree = clause.tree
    if clause.lemma not in grammar.LOCATED_VERBS or tree.tag(clause.predicate) != "VBN":
        return
    if len(clause.group) == 2 and len(clause.blocks) == 1 and clause.blocks[0].base == "obl":
        yield [clause.group[1], *clause.after, clause.group[0], *clause.bare_subject]
