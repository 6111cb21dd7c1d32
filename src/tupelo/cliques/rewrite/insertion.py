"""What can stand between subject and verb: adjuncts, remarks on who said it, words that link sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import (
    Block,
    Clause,
    clause_of,
    connectives,
    ending,
    main_clause,
    per_clause,
    remaining,
)
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import (
    is_adjunct,
    is_followed_by_comma,
    is_negated,
    is_plain,
    is_time,
    may_belong_elsewhere,
    points_back,
    preposition,
    second_verbs,
)
from tupelo.cliques.rewrite.reporting import remark_parts, report_parts
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import word_set

_LONGEST = 8
_LINKS = word_set("however therefore moreover furthermore meanwhile nevertheless nonetheless consequently")
_LOOSE = word_set("in on at during after since before until following despite throughout within upon")


@per_clause
def insert_adjunct(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*In May , the firm moved* or *The firm moved in May* -> *The firm , in May , moved*."""
    if tree.tag(clause.subject_head) in ("DT", "WDT", "EX", "PRP") or not is_plain(tree, clause):
        # "He , in May , moved": hardly anybody says so.
        return
    if clause.block("ccomp") is not None:
        # "This year , Ann says , the firm will grow": the time is that of what she says.
        return
    if "," in [tree.text(index) for index in clause.subject] or len(clause.subject) > 12:
        return
    fronts = [front for front in clause.fronts if front.head not in connectives(tree, clause)]
    for block in (*fronts, *(() if second_verbs(clause) else clause.blocks)):
        in_front = block in fronts
        if not _can_be_inserted(tree, block) or (in_front and len(fronts) > 1):
            continue
        if not in_front and (
            fronts or is_followed_by_comma(tree, block, clause) or may_belong_elsewhere(tree, block, clause)
        ):
            continue
        if points_back(tree, block.tokens, clause) and in_front:
            continue
        before = connectives(tree, clause) if in_front else clause.before
        after = clause.after if in_front else remaining(clause.after, block.tokens)
        items: list[Item] = [*before, *clause.subject, New(","), *block.tokens, New(","), *clause.group, *after]
        yield Draft("insert-adjunct", tuple(items))


def _can_be_inserted(tree: Tree, block: Block) -> bool:
    if len(block.tokens) > _LONGEST or is_negated(tree, block.tokens) or "," in map(tree.text, block.tokens):
        return False
    if block.base == "advmod":
        return False
    return is_adjunct(tree, block) and (is_time(tree, block) or preposition(tree, block) in _LOOSE)


def report_inside(tree: Tree) -> Iterator[Draft]:
    """*Critics said that the plan failed* -> *The plan , critics said , failed*."""
    found = report_parts(tree) or remark_parts(tree)
    if found is None:
        return
    said, remark = found
    verb = tree.head_of(said)
    inner = None if verb is None else clause_of(tree, verb, range(said[0], said[-1] + 1))
    if inner is None or inner.before or inner.subject[0] != said[0] or "," in map(tree.text, inner.subject):
        return
    if tree.tag(inner.subject_head) in ("PRP", "EX") or len(inner.subject) > 10 or len(remark) > 8:
        return
    items: list[Item] = [*inner.subject, New(","), *remark, New(","), *inner.rest, *ending(tree)]
    yield Draft("report-inside", tuple(items))


def insert_connective(tree: Tree) -> Iterator[Draft]:
    """*However , the firm moved* -> *The firm , however , moved*."""
    clause = main_clause(tree)
    if clause is None or len(clause.before) < 2 or tree.lower[clause.before[0]] not in _LINKS:
        return
    if tree.text(clause.before[1]) != "," or "," in map(tree.text, clause.subject):
        return
    rest = clause.before[2:]
    if rest:
        return
    items: list[Item] = [
        *clause.subject,
        New(","),
        clause.before[0],
        New(","),
        *clause.rest,
        *ending(tree),
    ]
    yield Draft("insert-connective", tuple(items))
