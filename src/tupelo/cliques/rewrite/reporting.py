"""*Ann said that it rained* <-> *It rained , Ann said*, *According to Ann , it rained*, *What Ann said was ...*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Block, Clause, connectives, ending, main_clause
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import is_negated
from tupelo.cliques.rewrite.morphology import participle
from tupelo.cliques.rewrite.tree import Tree, is_run
from tupelo.cliques.rewrite.words import SPEECH, word_set

_FACTUAL = word_set("say report state note announce explain claim")
_SAID_BY = word_set("say report claim announce state note argue believe suggest estimate predict contend")


def report_parts(tree: Tree) -> tuple[list[int], list[int]] | None:
    """What is reported, and the words that report it: *Critics said that ...*."""
    found = _report(tree)
    if found is None or found[0].before or "," in map(tree.text, found[0].subject):
        return None
    clause, block, said = found
    return said, [*clause.subject, *clause.group, *_beside(tree, clause, block)]


def remark_parts(tree: Tree) -> tuple[list[int], list[int]] | None:
    """The same of *..., critics said*, where it is no quotation."""
    found = _remark(tree)
    if found is None or _is_quoted(tree, found[0]) is not False:
        return None
    said, subject, verb = found
    return said, [*subject, *verb]


def report_behind(tree: Tree) -> Iterator[Draft]:
    """What was said first, who said it behind."""
    found = _report(tree)
    if found is None:
        return
    clause, block, said = found
    if len(clause.subject) > 14 or clause.before or "," in map(tree.text, clause.subject):
        return
    remark = [*clause.subject, *clause.group, *_beside(tree, clause, block)]
    items: list[Item] = [*said, New(","), *remark, *ending(tree)]
    yield Draft("report-behind", tuple(items))


def according_to(tree: Tree) -> Iterator[Draft]:
    """*According to Ann , it rained.*"""
    found = _report(tree)
    if found is None:
        return
    clause, block, said = found
    if tree.lemmas[clause.predicate] not in _FACTUAL or tree.children(clause.predicate, "aux"):
        return
    if tree.tag(clause.subject_head) == "PRP" or clause.before or _beside(tree, clause, block):
        return
    if len(clause.group) != 1 or len(clause.subject) > 14:
        return
    # The tuple (Ann; said; ...) keeps its verb, which is implied now.
    items: list[Item] = [New("according"), New("to"), *clause.subject, New(","), *said, *ending(tree)]
    yield Draft("according-to", tuple(items))


def what_was_said(tree: Tree) -> Iterator[Draft]:
    """*What Ann said was that it rained.*"""
    found = _report(tree, SPEECH | _TELLING)
    if found is None:
        return
    clause, block, said = found
    was = New("was" if clause.past else "is")
    mark = [index for index in block.tokens if tree.lower[index] == "that"][:1]
    opening: list[Item] = [block.tokens[0]] if mark and mark[0] == block.tokens[0] else [New("that")]
    items: list[Item] = [
        *clause.before,
        New("what"),
        *clause.subject,
        *clause.group,
        *_beside(tree, clause, block),
        was,
        *opening,
        *said,
        *ending(tree),
    ]
    yield Draft("pseudo-cleft-report", tuple(items))


def it_was_said(tree: Tree) -> Iterator[Draft]:
    """*It was reported by Ann that it rained.*"""
    found = _report(tree)
    if found is None:
        return
    clause, block, said = found
    verb = clause.predicate
    if (
        tree.tag(verb) not in ("VBD", "VBZ", "VBP")
        or tree.children(verb, "aux")
        or tree.tag(clause.subject_head) == "PRP"
    ):
        return
    if tree.lemmas[verb] not in _SAID_BY or clause.before or _beside(tree, clause, block) or len(clause.subject) > 10:
        return
    subject = [index for index in clause.subject if index != clause.subject[-1] or tree.text(index) != ","]
    group: list[Item] = [
        index if index != verb else New(participle(tree.lemmas[verb]), (verb,)) for index in clause.group
    ]
    form = New("was" if clause.past else "is")
    items: list[Item] = [New("it"), form, *group, New("by"), *subject, New("that"), *said, *ending(tree)]
    yield Draft("it-was-said", tuple(items))


def report_in_front(tree: Tree) -> Iterator[Draft]:
    """*It rained , Ann said* -> *Ann said that it rained*; a quotation stays one."""
    found = _remark(tree)
    if found is None:
        return
    said, subject, verb = found
    quoted = _is_quoted(tree, said)
    if quoted:
        items: list[Item] = [*subject, *verb, New(","), *_without_comma(tree, said)]
    elif quoted is None:
        return
    else:
        items = [*subject, *verb, New("that"), *said, *ending(tree)]
    yield Draft("report-in-front", tuple(items))


def turn_remark(tree: Tree) -> Iterator[Draft]:
    """*It rained , Ann said* <-> *It rained , said Ann*."""
    found = _remark(tree)
    if found is None:
        return
    said, subject, verb = found
    if tree.tag(subject[0]) == "PRP" or tree.tag(verb[0]) not in ("VBD", "VBZ") or _is_quoted(tree, said) is None:
        return
    remark: list[Item] = [*verb, *subject] if subject[0] < verb[0] else [*subject, *verb]
    between = list(range(said[-1] + 1, min(subject[0], verb[0])))
    items: list[Item] = [*said, *between, *remark, *ending(tree)]
    yield Draft("turn-remark", tuple(items))


def what_was_remarked(tree: Tree) -> Iterator[Draft]:
    """*It rained , Ann said* -> *What Ann said was that it rained.*"""
    found = _remark(tree)
    if found is None or _is_quoted(tree, found[0]) is not False:
        return
    said, subject, verb = found
    was = New("was" if tree.tag(verb[0]) == "VBD" else "is")
    items: list[Item] = [New("what"), *subject, *verb, was, New("that"), *said, *ending(tree)]
    yield Draft("pseudo-cleft-report", tuple(items))


def according_to_remark(tree: Tree) -> Iterator[Draft]:
    """*It rained , Ann said* -> *According to Ann , it rained.*"""
    found = _remark(tree)
    if found is None or _is_quoted(tree, found[0]) is None:
        return
    said, subject, verb = found
    if tree.lemmas[verb[0]] not in _FACTUAL or tree.tag(subject[-1]) == "PRP":
        return
    close = _without_comma(tree, said) if _is_quoted(tree, said) else [*said, *ending(tree)]
    yield Draft("according-to", (New("according"), New("to"), *subject, New(","), *close))


# What shows or thinks something, without saying it.
_TELLING = word_set(
    "indicate show reveal mean find discover learn think know demonstrate imply conclude recommend propose"
)


def _report(tree: Tree, verbs: frozenset[str] = SPEECH) -> tuple[Clause, Block, list[int]] | None:
    """A clause that reports, the block of what it reports, and that without *that*."""
    clause = main_clause(tree)
    if clause is None or is_negated(tree, clause.group) or tree.lemmas[clause.predicate] not in verbs:
        return None
    if tree.labels[clause.subject_head] != "nsubj" or connectives(tree, clause):
        return None
    block = clause.block("ccomp")
    if block is None or block.tokens[-1] + 1 != clause.stop or any(b.base == "conj" for b in clause.blocks):
        return None
    said = list(block.tokens)
    if tree.lower[said[0]] == "that":
        said = said[1:]
    elif any(tree.lower[child] not in ("that",) for child in tree.children(block.head, "mark")):
        return None
    if (
        not said
        or not tree.has_own_subject(block.head)
        or tree.lower[said[0]] in ("whether", "how", "what", "why", "if")
    ):
        return None
    if any(tree.text(index) in ("``", "''", '"', ";", ":", "--") for index in range(tree.size)):
        return None
    if tree.child(block.head, "conj") is not None and any(
        tree.has_own_subject(verb) for verb in tree.children(block.head, "conj")
    ):
        return None
    return clause, block, said


def _beside(tree: Tree, clause: Clause, block: Block) -> list[int]:
    """What stands between the verb and what it reports: *told reporters on Monday that ...*."""
    return [index for index in clause.after if index < block.tokens[0] and tree.text(index) != ","]


def _remark(tree: Tree) -> tuple[list[int], list[int], list[int]] | None:
    """A remark at the end on who said it: what was said, who, and the verb."""
    root = tree.root
    if root is None:
        return None
    for verb in [*tree.children(root, "parataxis"), root]:
        subject = tree.child(verb, "nsubj")
        if tree.lemmas[verb] not in SPEECH or subject is None or tree.labels[subject] != "nsubj":
            continue
        if tree.children(verb, "aux", "obl", "obj", "advmod", "advcl", "conj", "xcomp"):
            continue
        who = tree.phrase(subject)
        remark = sorted([*who, verb])
        if not who or not is_run(remark) or remark[-1] + 1 != tree.end or len(who) > 14:
            continue
        if verb == root and not any(child < remark[0] for child in tree.children(root, "ccomp", "parataxis")):
            continue
        said = tree.trim(list(range(remark[0])))
        if not said or tree.text(remark[0] - 1) not in (",", "''", "”") or tree.text(said[-1]) == "?":
            continue
        if any(tree.text(i) in (";", ":", "--", "?", "!") for i in said) or tree.lower[said[0]] in _LINKS:
            continue
        if tree.text(who[-1]) == "," or ("," in [tree.text(i) for i in who] and verb < who[0]):
            continue
        return said, who, [verb]
    return None


_LINKS = word_set("and but so still however yet moreover thus")


def _is_quoted(tree: Tree, said: list[int]) -> bool | None:
    """Whether all of it is a quotation; `None` where a part of it is."""
    marks = [index for index in said if tree.text(index) in ("``", "''", "“", "”", '"')]
    if not marks:
        return False
    return True if marks == [said[0], said[-1]] else None


def _without_comma(tree: Tree, said: list[int]) -> list[Item]:
    """A quotation that no longer goes on: its last comma becomes the stop of the sentence."""
    items: list[Item] = list(said)
    if tree.text(said[-2]) == ",":
        items[-2:] = [New("."), said[-1]]
    return items
