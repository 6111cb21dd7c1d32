"""Adjuncts and clauses moved, and links between clauses changed.

*Ann moved in May* <-> *In May , Ann moved*, *X , but Y* <-> *Although X , Y*, *X because Y* -> *Y , so X*, *also* ->
*as well*.
"""

from __future__ import annotations

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import (
    BREAKS,
    FINITE,
    Block,
    ClauseParts,
    clause_of,
    ending,
    is_negated,
    main_clause,
)
from tupelo.robustness.rewrite.draft import New
from tupelo.robustness.rewrite.reporting import remark_parts, report_parts

_CIRCUMSTANCES = words("rewriting", "circumstance_prepositions")
_LOOSE_VERBS = words("rewriting", "loose_verbs")
_LINKS = words("rewriting", "movable_connectives")
_INSERTED = words("rewriting", "inserted_prepositions")
_OPENERS = words("rewriting", "opening_conjunctions")


@clause_rule
def front_adjunct(clause: ClauseParts, block: Block) -> Proposals:
    """A time or place from behind the verb to the front."""
    if not _can_move(clause, block) or clause.points_back(block.tokens) or clause.is_attached(block):
        return
    preposition = clause.preposition(block)
    # The place of an event, not one that the verb asks for (*live in*, *go to*).
    place = preposition == "in" and clause.tree.entity[block.head] == "place" and clause.lemma in _LOOSE_VERBS
    circumstance = (preposition in _CIRCUMSTANCES or place) and not clause.is_copular
    if (clause.is_time(block) or circumstance) and not _would_need_that(clause):
        yield [*clause.connectives, *block.tokens, ",", *clause.without(block.tokens)]


def _would_need_that(clause: ClauseParts) -> bool:
    """Whether the clause is reported without *that*: *he said in May , it rained* says when he said it."""
    return bool(clause.lead) and clause.tree.upos(clause.lead[-1]) in ("VERB", "AUX")


@clause_rule
def move_back(clause: ClauseParts, front: Block) -> Proposals:
    """A phrase from the front to the end, or right behind the verb and its object."""
    place = _place_behind(clause) if _can_move(clause, front) else None
    if place is not None and not clause.tree.has_text(clause.after[:place], ","):
        behind, rest = clause.after[:place], clause.after[place:]
        yield [*clause.connectives, *clause.subject, *clause.group, *behind, *front.tokens, *rest]


def _can_move(clause: ClauseParts, block: Block) -> bool:
    if is_negated(clause.tree, block.tokens) or len(block.tokens) > 16 or clause.is_set_phrase(block):
        return False
    if block.base == "obl":
        return clause.preposition(block) in grammar.FOCUS_PREPOSITIONS | {"despite", "until"} or clause.is_time(block)
    adverb = block.base == "advmod" and len(block.tokens) == 1
    return adverb and clause.tree.lowered[block.head] in grammar.MOVABLE_TIME_ADVERBS


def _place_behind(clause: ClauseParts) -> int | None:
    """The position for an adjunct: after the object or the first short complement, else at the end."""
    if not clause.blocks:
        return 0
    tree, start, count = clause.tree, clause.after[0], 0
    for block in clause.blocks:
        if block.base not in ("obj", "iobj", "predicate", "obl", "advmod") or block.label == "obl:tmod":
            break
        if tree.has_text(clause.after[count : block.tokens[0] - start], ","):
            break
        count = block.tokens[-1] - start + 1
    if not count or any(block.base in ("xcomp", "ccomp") for block in clause.blocks):
        return None
    # After a clause, the phrase would be read as part of it.
    inside = range(start, start + count)
    return None if tree.has_base(inside, "acl", "advcl", "ccomp", "appos") else count


@clause_rule
def front_adverb(clause: ClauseParts) -> Proposals:
    """*Bob usually sings* -> *Usually , Bob sings*."""
    tree = clause.tree
    if clause.before and clause.before != clause.connectives:
        return
    for index in tree.children(clause.predicate, "advmod"):
        if index in clause.group and tree.lowered[index] in grammar.SENTENCE_ADVERBS and not tree.below[index]:
            yield [*clause.before, index, ",", *clause.subject, *(i for i in clause.rest if i != index)]


@clause_rule
def insert_adjunct(clause: ClauseParts) -> Proposals:
    """*In May , the firm moved* or *The firm moved in May* -> *The firm , in May , moved*."""
    fronts = clause.own_fronts
    for front in fronts:
        if len(fronts) == 1 and _can_be_inserted(clause, front) and not clause.points_back(front.tokens):
            yield [*clause.connectives, *clause.subject, ",", *front.tokens, ",", *clause.rest]
    if fronts or clause.has_second_verb:
        return
    for block in clause.blocks:
        if _can_be_inserted(clause, block) and not clause.is_attached(block):
            rest = [index for index in clause.rest if index not in block.tokens]
            yield [*clause.before, *clause.subject, ",", *block.tokens, ",", *rest]


def _can_be_inserted(clause: ClauseParts, block: Block) -> bool:
    if len(block.tokens) > 8 or is_negated(clause.tree, block.tokens) or clause.tree.has_text(block.tokens, ","):
        return False
    return clause.is_adjunct(block) and (clause.is_time(block) or clause.preposition(block) in _INSERTED)


@rule
def report_inside(tree: DependencyTree) -> Proposals:
    """*Critics said that the plan failed* -> *The plan , critics said , failed*."""
    found = report_parts(tree) or remark_parts(tree)
    if found is None:
        return
    said, remark = found
    outer = (word for word in said if tree.heads[word] not in said)
    verb = min((word for word in outer if tree.base[word] not in ("mark", "cc", "punct")), default=None)
    inner = None if verb is None else clause_of(tree, verb, range(said[0], said[-1] + 1))
    if inner is None or inner.before or inner.subject[0] != said[0] or tree.has_text(inner.subject, ","):
        return
    if tree.tag(inner.subject_head) in ("PRP", "EX") or len(inner.subject) > 10 or len(remark) > 8:
        return
    yield [*inner.subject, ",", *remark, ",", *inner.rest, *ending(tree)]


@rule
def insert_connective(tree: DependencyTree) -> Proposals:
    """*However , the firm moved* -> *The firm , however , moved*."""
    clause = main_clause(tree)
    if clause is None or len(clause.before) != 2 or tree.has_text(clause.subject, ","):
        return
    link, comma = clause.before
    if tree.lowered[link] in _LINKS and tree.text(comma) == ",":
        yield [*clause.subject, ",", link, ",", *clause.rest, *ending(tree)]


@clause_rule
def front_clause(clause: ClauseParts, block: Block) -> Proposals:
    """An adverbial clause from the end to the front."""
    tree, opener = clause.tree, clause.tree.lowered[block.tokens[0]]
    if clause.fronts or _would_need_that(clause):
        return
    # "until 1998 , when ...": the clause says what happened then.
    explains = opener == "when" and tree.text(block.tokens[0] - 1) == ","
    if explains or (opener in ("when", "while") and not tree.has_own_subject(block.head)):
        return
    complement = tree.child(clause.predicate, "obj", "obl")
    purpose = opener == "to" and tree.tag(block.head) == "VB" and complement is not None
    if opener in _OPENERS or purpose:
        yield [*clause.connectives, *block.tokens, ",", *clause.without(block.tokens)]


@clause_rule
def back_clause(clause: ClauseParts, front: Block) -> Proposals:
    """An adverbial clause from the front to the end."""
    tree, tokens = clause.tree, front.tokens
    # "When Ann came , she sang": reversed, the pronoun would precede the name.
    named = any(tree.lowered[index] == tree.lowered[clause.subject_head] for index in tokens)
    clauses_behind = tree.has_base(clause.after, "advcl", "ccomp")
    if (clause.has_pronoun_subject or clauses_behind) and not named:
        return
    comma = [","] if tree.lowered[tokens[0]] in ("although", "though", "while") else []
    yield [*clause.connectives, *clause.subject, *clause.rest, *comma, *tokens]


@clause_rule
def although(clause: ClauseParts, second: Block) -> Proposals:
    """*X , but Y* -> *Although X , Y*."""
    tree = clause.tree
    if any(block.base == "conj" for block in clause.blocks[:-1]):
        return
    first = [*clause.before, *clause.subject, *clause.group]
    first += [index for index in clause.after if index < second.tokens[0]]
    while tree.text(first[-1]) in (",", ";"):
        first.pop()
    if not tree.has_text(first, *BREAKS):
        yield ["although", *first, ",", *second.tokens[1:]]


@clause_rule
def because_to_so(clause: ClauseParts, last: Block) -> Proposals:
    """*Ann left because it rained* -> *It rained , so Ann left*."""
    if not clause.points_back(last.tokens) and clause.tree.text(last.tokens[0] - 1) != ",":
        yield [*last.tokens[1:], ", so", *clause.without(last.tokens)]


@clause_rule
def although_to_but(clause: ClauseParts, front: Block) -> Proposals:
    """*Although X , Y* -> *X , but Y*."""
    yield [*front.tokens[1:], ", but", *clause.subject, *clause.rest]


@clause_rule
def as_well(clause: ClauseParts) -> Proposals:
    """*Ann also sang songs* -> *Ann sang songs as well*."""
    others = [index for index in clause.group if clause.tree.lowered[index] != "also"]
    if len(others) == len(clause.group) - 1:
        yield [*clause.subject, *others, *clause.after, "as well"]


@rule
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


@rule
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
