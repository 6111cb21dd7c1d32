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
    POINTING,
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
_SURROUNDINGS = words("rewriting", "surrounding_prepositions")
_BOUND = words("rewriting", "bound_verbs")
_LINKS = words("rewriting", "movable_connectives")
_OPENERS = words("rewriting", "opening_conjunctions")


@clause_rule
def front_adjunct(clause: ClauseParts, block: Block) -> Proposals:
    """A time or place from behind the verb to the front."""
    if not _can_move(clause, block) or clause.points_back(block.tokens) or clause.is_attached(block):
        return
    preposition = clause.preposition(block)
    # The place of an event, not one that the verb asks for (*live in*, *go to*).
    place = preposition == "in" and clause.tree.entity[block.head] == "place" and clause.lemma in _LOOSE_VERBS
    tree = clause.tree
    definite = tree.has_word(block.tokens[1:2], ("the", *POINTING)) or tree.tag(block.head).startswith("NNP")
    if preposition in _SURROUNDINGS and definite and not place:
        place = clause.lemma not in _BOUND and clause.block("xcomp", "ccomp") is None
    circumstance = (preposition in _CIRCUMSTANCES or place) and not clause.is_copular
    if (clause.is_time(block) or circumstance) and not _would_need_that(clause):
        yield [*clause.connectives, *block.tokens, ",", *clause.without(block.tokens)]


@clause_rule
def front_last_time(clause: ClauseParts) -> Proposals:
    """A date at the end of a sentence with one verb to the front, whatever it depends on."""
    tree = clause.tree
    start = next((i for i in range(clause.stop - 1, clause.group[-1], -1) if tree.base[i] == "case"), None)
    if start is None or tree.lowered[start] not in ("in", "on", "during") or clause.stop - start > 6:
        return
    date = range(start + 1, clause.stop)
    verbs = (i for i in range(clause.stop) if tree.upos(i) == "VERB" and i != clause.predicate)
    if any(tree.entity[i] != "datetime" and tree.tag(i) not in ("DT", ",") for i in date) or any(verbs):
        return
    if clause.block("obl:tmod") is None and not tree.has_word((start - 1,), ("and", "or", "to", "from", ",")):
        yield [*clause.connectives, start, *date, ",", *clause.without((start, *date))]


def _would_need_that(clause: ClauseParts) -> bool:
    """Whether the clause is reported without *that*: *he said in May , it rained* says when he said it."""
    return bool(clause.lead) and clause.tree.upos(clause.lead[-1]) in ("VERB", "AUX")


@clause_rule
def move_back(clause: ClauseParts, front: Block) -> Proposals:
    """A phrase from the front to the end, or right behind the verb and its object."""
    place = _place_behind(clause) if _can_move(clause, front) else None
    if place is not None and not clause.tree.has_text((*clause.after[:place], *front.tokens), ","):
        behind, rest = clause.after[:place], clause.after[place:]
        yield [*clause.connectives, *clause.subject, *clause.group, *behind, *front.tokens, *rest]


def _can_move(clause: ClauseParts, block: Block) -> bool:
    if is_negated(clause.tree, block.tokens) or len(block.tokens) > 16 or clause.is_set_phrase(block):
        return False
    if not clause.is_of_clause(block):
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
    """*In May , the firm moved* -> *The firm , in May , moved*."""
    fronts = clause.own_fronts
    for front in () if clause.connectives or clause.lead else fronts:
        if len(fronts) == 1 and _can_be_inserted(clause, front) and not clause.points_back(front.tokens):
            yield [*clause.connectives, *clause.subject, ",", *front.tokens, ",", *clause.rest]


def _can_be_inserted(clause: ClauseParts, block: Block) -> bool:
    if len(block.tokens) > 8 or is_negated(clause.tree, block.tokens) or clause.tree.has_text(block.tokens, ","):
        return False
    return clause.is_of_clause(block) and clause.is_adjunct(block) and clause.is_time(block)


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
def also_to_front(clause: ClauseParts) -> Proposals:
    """*Ann also sang songs* -> *In addition , Ann sang songs*."""
    others = [index for index in clause.group if clause.tree.lowered[index] != "also"]
    if len(others) == len(clause.group) - 1:
        yield ["in addition ,", *clause.subject, *others, *clause.after]


@rule
def repeat_subject(tree: DependencyTree) -> Proposals:
    """*He sang , and wrote books* -> *He sang , and he wrote books*."""
    root = tree.root
    subject = None if root is None else tree.child(root, "nsubj")
    if root is None or subject is None or tree.tag(root) not in FINITE:
        return
    again = _again(tree, subject)
    if again is None:
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
    yield [*range(link), *comma, link, New(again), *range(link + 1, tree.size)]


def _again(tree: DependencyTree, subject: int) -> str | None:
    """The pronoun that repeats a subject."""
    if tree.tag(subject) == "PRP":
        return "I" if tree.lowered[subject] == "i" else tree.lowered[subject]
    if tree.has_text(tree.subtree(subject), ",") or len(tree.subtree(subject)) > 6:
        return None
    if tree.is_plural(subject) and tree.tag(subject) in ("NNS", "NNP", "NNPS"):
        return "they"
    return "it" if tree.entity[subject] == "organization" and not tree.is_plural(subject) else None
