"""*gave Bob a book* <-> *gave a book to Bob*; *decided to go* -> *made a decision to go*; verbs in a row."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Block, Clause, per_clause
from tupelo.cliques.rewrite.draft import Draft, Item, New, words
from tupelo.cliques.rewrite.focus import is_negated, relative_pronoun
from tupelo.cliques.rewrite.morphology import gerund, participle, past, third_person
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import word_set

_TO = word_set("give offer send show lend grant hand award teach tell sell pay bring pass owe promise deny")
_FOR = word_set("buy build make find cook order reserve")
# Verb, what follows it, light verb, noun phrase, preposition: *decided to* -> *made a decision to*.
_NOUNS = {
    ("decide", "xcomp"): ("make", "a decision", ""),
    ("attempt", "xcomp"): ("make", "an attempt", ""),
    ("promise", "xcomp"): ("make", "a promise", ""),
    ("agree", "xcomp"): ("reach", "an agreement", ""),
    ("plan", "xcomp"): ("have", "plans", ""),
    ("visit", "obj"): ("pay", "a visit", "to"),
    ("investigate", "obj"): ("conduct", "an investigation", "of"),
    ("describe", "obj"): ("give", "a description", "of"),
    ("review", "obj"): ("conduct", "a review", "of"),
    ("discuss", "obj"): ("hold", "a discussion", "of"),
    ("examine", "obj"): ("conduct", "an examination", "of"),
    ("criticize", "obj"): ("express", "criticism", "of"),
    ("support", "obj"): ("give", "support", "to"),
    ("influence", "obj"): ("have", "an influence", "on"),
    ("affect", "obj"): ("have", "an effect", "on"),
    ("attack", "obj"): ("make", "an attack", "on"),
    ("use", "obj"): ("make", "use", "of"),
}


def dative(tree: Tree) -> Iterator[Draft]:
    """*gave Bob a book* <-> *gave a book to Bob*."""
    for verb in range(tree.size):
        thing = tree.child(verb, "obj")
        if tree.upos(verb) != "VERB" or thing is None or thing < verb:
            continue
        things = tree.phrase(thing)
        receiver = tree.child(verb, "iobj")
        if receiver is not None and tree.lemmas[verb] in _TO | _FOR:
            people = tree.phrase(receiver)
            if (
                people
                and things
                and people[0] == verb + 1
                and things[0] == people[-1] + 1
                and _is_short(tree, things)
            ):
                mark = "for" if tree.lemmas[verb] in _FOR else "to"
                yield Draft("dative", tuple(_swap(tree, people, things, [New(mark)])))
        target = next((c for c in tree.children(verb, "obl") if _is_to(tree, c)), None)
        if (
            receiver is None
            and target is not None
            and tree.lemmas[verb] in _TO
            and tree.entity[target] in ("person", "organization")
        ):
            people = tree.phrase(target)
            if people and things and things[0] == verb + 1 and people[0] == things[-1] + 1 and len(people) <= 5:
                yield Draft("dative", tuple(_swap(tree, things, people[1:], [], drop=people[0])))


# What comes second in time or as a consequence cannot be told as an addition.
_IN_ORDER = word_set("then later eventually thus so finally subsequently therefore afterwards consequently hence")


@per_clause
def nominalize(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann decided to go* -> *Ann made a decision to go*."""
    if tree.labels[clause.subject_head] != "nsubj":
        return
    verb = clause.predicate
    follows = clause.blocks[0].base if clause.blocks else ""
    entry = _NOUNS.get((tree.lemmas[verb], follows))
    if entry is None or clause.blocks[0].tokens[0] != verb + 1 or clause.block("iobj"):
        return
    light, noun, mark = entry
    form = _same_form(light, tree.tag(verb))
    if form is None or (follows == "xcomp" and tree.lower[verb + 1] != "to"):
        return
    if follows == "obj" and tree.tag(clause.blocks[0].head) == "PRP" and mark in ("of", ""):
        return
    new = [
        New(form, (verb,)),
        *(New(word, (verb,)) for word in noun.split()),
        *([New(mark, (verb,))] if mark else []),
    ]
    region = range(len(clause.lead), clause.stop)
    items: list[Item] = [item for index in region for item in (new if index == verb else [index])]
    yield Draft("nominalize", tuple(items))


@per_clause
def as_well_as(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann sang songs and wrote books* -> *As well as singing songs , Ann wrote books*."""
    last = _second_action(tree, clause)
    if last is None or any(block.base == "ccomp" for block in clause.blocks[:-1]) or tree.child(last.head, "conj"):
        return
    first = _first_action(tree, clause, last)
    doing = New(gerund(tree.lemmas[clause.predicate]), (clause.predicate,))
    items: list[Item] = [*words("as well as"), doing, *first, New(","), *clause.subject, *last.tokens[1:]]
    yield Draft("as-well-as", tuple(items))


@per_clause
def not_only(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann sang songs and wrote books* -> *Not only did Ann sing songs , but she also wrote books*."""
    last = _second_action(tree, clause)
    subject = _again(tree, clause)
    if last is None or clause.lead or subject is None or tree.tag(clause.predicate) not in _DO:
        return
    base = New(tree.lemmas[clause.predicate], (clause.predicate,))
    items: list[Item] = [
        *words("not only"),
        New(_DO[tree.tag(clause.predicate)]),
        *clause.subject,
        base,
        *_first_action(tree, clause, last),
        *words(f", but {subject} also"),
        *last.tokens[1:],
    ]
    yield Draft("not-only", tuple(items))


_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}


def _second_action(tree: Tree, clause: Clause) -> Block | None:
    """The last of two coordinated verbs with one subject, where neither depends on the other."""
    last = clause.blocks[-1] if clause.blocks else None
    if clause.before or last is None or last.base != "conj" or last.tokens[-1] + 1 != clause.stop:
        return None
    if tree.lower[last.tokens[0]] != "and" or tree.has_own_subject(last.head):
        return None
    if tree.children(last.head, "aux", "cop") or tree.children(clause.predicate, "aux", "cop"):
        return None
    if any(block.base in ("conj", "parataxis") for block in clause.blocks[:-1]) or len(clause.group) != 1:
        return None
    if tree.tag(clause.predicate) != tree.tag(last.head) or tree.labels[clause.subject_head] != "nsubj":
        return None
    in_order = any(tree.lower[index] in _IN_ORDER for index in last.tokens)
    return None if in_order or is_negated(tree, clause.rest) else last


def _first_action(tree: Tree, clause: Clause, last: Block) -> list[int]:
    """What follows the first verb, up to the second."""
    first = [index for index in clause.after if index < last.tokens[0]]
    while first and tree.text(first[-1]) == ",":
        first.pop()
    return first


def _again(tree: Tree, clause: Clause) -> str | None:
    """The subject a second time: a pronoun, or a short name once more; `None` where neither will do."""
    head = clause.subject_head
    if tree.tag(head) == "PRP":
        return "I" if tree.lower[head] == "i" else tree.lower[head]
    if clause.plural:
        return "they"
    if tree.tag(head) == "NNP" and len(clause.subject) <= 3:
        return " ".join(tree.text(index) for index in clause.subject)
    return None if relative_pronoun(tree, head) == "who" or tree.tag(head) == "NNP" else "it"


def _is_short(tree: Tree, tokens: list[int]) -> bool:
    """A longer phrase, or one with a verb, would swallow what follows it."""
    return len(tokens) <= 5 and not any(tree.upos(index) == "VERB" for index in tokens)


def _is_to(tree: Tree, index: int) -> bool:
    return any(tree.lower[mark] == "to" for mark in tree.children(index, "case"))


def _swap(
    tree: Tree, first: list[int], second: list[int], between: list[Item], drop: int | None = None
) -> list[Item]:
    """Two neighbouring phrases in the other order."""
    items: list[Item] = []
    for index in range(tree.size):
        if index == first[0]:
            items.extend([*second, *between, *first])
        elif index not in first and index not in second and index != drop:
            items.append(index)
    return items


def _same_form(light: str, tag: str) -> str | None:
    return {
        "VBD": past(light),
        "VBZ": third_person(light),
        "VBP": light,
        "VB": light,
        "VBN": participle(light),
        "VBG": gerund(light),
    }.get(tag)
