"""*Ann said that it rained* <-> *It rained , Ann said*, *According to Ann , it rained*, *What Ann said was ...*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.robustness.rewrite import Declaration, Proposals, rule_over
from tupelo.robustness.rewrite.clause import POINTING, ClauseParts, ending, main_clause
from tupelo.robustness.rewrite.draft import Item, New

_LINKS = words("rewriting", "remark_connectives")


@dataclass(frozen=True, slots=True)
class _Report:
    """*Ann said that it rained*: the reporting clause, what was said without *that*, and what is between them."""

    clause: ClauseParts
    said: list[int]
    marked: bool
    beside: list[int]

    @property
    def reporter(self) -> list[int]:
        """*Ann said*, *Ann told reporters on Monday*."""
        return [*self.clause.subject, *self.clause.group, *self.beside]


@dataclass(frozen=True, slots=True)
class _Remark:
    """*It rained , Ann said*: what was said, who said it, and the verb. `quoted` is `None` where a part is quoted."""

    said: list[int]
    who: list[int]
    verb: int
    quoted: bool | None


def report_parts(tree: DependencyTree) -> tuple[list[int], list[int]] | None:
    """The words that are reported, and those that report them: *Critics said that ...*."""
    report = _report(tree)
    if report is None or report.clause.before or tree.has_text(report.clause.subject, ","):
        return None
    return report.said, report.reporter


def remark_parts(tree: DependencyTree) -> tuple[list[int], list[int]] | None:
    """The same for *..., critics said*, unless it is a quotation."""
    remark = _remark(tree)
    return None if remark is None or remark.quoted is not False else (remark.said, [*remark.who, remark.verb])


def _reports(tree: DependencyTree, declaration: Declaration) -> Iterator[tuple[DependencyTree, _Report]]:
    report = _report(tree, grammar.STATEMENT_VERBS | grammar.FINDING_VERBS)
    if report is not None and declaration.fits(report.clause):
        yield tree, report


def _remarks(tree: DependencyTree, declaration: Declaration) -> Iterator[tuple[DependencyTree, _Remark]]:
    remark = _remark(tree)
    if remark is not None and remark.quoted is not None:
        yield tree, remark


_report_rule, _remark_rule = rule_over(_reports), rule_over(_remarks)


@_report_rule
def report_behind(tree: DependencyTree, report: _Report) -> Proposals:
    """The report first, its speaker behind."""
    reporter, clause = report.reporter, report.clause
    if tree.has_text(clause.subject, ","):
        # "..., said Ann Lee , the owner".
        reporter = [*clause.group, *clause.bare_subject] if len(clause.group) == 1 and not report.beside else []
    if reporter and not _names_later(tree, report):
        yield [*report.said, ",", *reporter, *ending(tree)]


def _names_later(tree: DependencyTree, report: _Report) -> bool:
    """Whether a pronoun would come before the name of who it is: *It won , the firm said*."""
    own = tree.lowered[report.clause.subject_head]
    return own not in grammar.THIRD_PERSON and tree.has_word(report.said[:6], POINTING)


@_report_rule
def according_to(tree: DependencyTree, report: _Report) -> Proposals:
    """*According to Ann , it rained.*"""
    # The tuple (Ann; said; ...) keeps its verb, which is now implied.
    if not report.beside:
        yield ["according to", *report.clause.subject, ",", *report.said, *ending(tree)]


@_remark_rule
def report_in_front(tree: DependencyTree, remark: _Remark) -> Proposals:
    """*It rained , Ann said* -> *Ann said that it rained*; a quotation stays one."""
    yield [*remark.who, remark.verb, "," if remark.quoted else "that", *_closed(tree, remark)]


@_remark_rule
def turn_remark(tree: DependencyTree, remark: _Remark) -> Proposals:
    """*It rained , Ann said* <-> *It rained , said Ann*."""
    said, who, verb = remark.said, remark.who, remark.verb
    if tree.tag(who[0]) == "PRP" or tree.tag(verb) not in ("VBD", "VBZ"):
        return
    turned = [verb, *who] if who[0] < verb else [*who, verb]
    yield [*said, *range(said[-1] + 1, min(who[0], verb)), *turned, *ending(tree)]


@_remark_rule
def according_to_remark(tree: DependencyTree, remark: _Remark) -> Proposals:
    """*It rained , Ann said* -> *According to Ann , it rained.*"""
    if tree.lemmas[remark.verb] in grammar.ACCORDING_TO_VERBS and tree.tag(remark.who[-1]) != "PRP":
        yield ["according to", *remark.who, ",", *_closed(tree, remark)]


def _closed(tree: DependencyTree, remark: _Remark) -> list[Item]:
    """The report as the end of a sentence: the last comma of a quotation becomes a full stop."""
    if not remark.quoted:
        return [*remark.said, *ending(tree)]
    items: list[Item] = list(remark.said)
    if tree.text(remark.said[-2]) == ",":
        items[-2:] = [New("."), remark.said[-1]]
    return items


def _report(tree: DependencyTree, verbs: frozenset[str] = grammar.STATEMENT_VERBS) -> _Report | None:
    clause = main_clause(tree)
    if clause is None or clause.is_negated or clause.lemma not in verbs:
        return None
    if tree.labels[clause.subject_head] != "nsubj" or clause.connectives or clause.has_second_verb:
        return None
    block = clause.block("ccomp")
    if block is None or not clause.ends_with(block) or not tree.has_own_subject(block.head):
        return None
    said = list(block.tokens)
    marked = tree.lowered[said[0]] == "that"
    if marked:
        said = said[1:]
    elif any(tree.lowered[child] != "that" for child in tree.children(block.head, "mark")):
        return None
    if not said or tree.lowered[said[0]] in ("whether", "how", "what", "why", "if"):
        return None
    if tree.has_text(range(tree.size), "``", "''", '"', ";", ":", "--"):
        return None
    if any(tree.has_own_subject(verb) for verb in tree.children(block.head, "conj")):
        return None
    beside = [index for index in clause.after if index < block.tokens[0] and tree.text(index) != ","]
    return _Report(clause, said, marked, beside)


def _remark(tree: DependencyTree) -> _Remark | None:
    root = tree.root
    if root is None:
        return None
    for verb in [*tree.children(root, "parataxis"), root]:
        subject = tree.child(verb, "nsubj")
        if tree.lemmas[verb] not in grammar.STATEMENT_VERBS or subject is None or tree.labels[subject] != "nsubj":
            continue
        if tree.children(verb, "aux", "obl", "obj", "advmod", "advcl", "conj", "xcomp"):
            continue
        who = tree.phrase(subject)
        remark = sorted([*who, verb])
        if not who or not is_run(remark) or remark[-1] + 1 != tree.end or len(who) > 14:
            continue
        if verb == root and not any(child < remark[0] for child in tree.children(root, "ccomp", "parataxis")):
            continue
        said = tree.strip_marks(list(range(remark[0])))
        if not said or tree.text(remark[0] - 1) not in (",", "''", "”"):
            continue
        if tree.has_text(said, ";", ":", "--", "?", "!") or tree.lowered[said[0]] in _LINKS:
            continue
        if tree.text(who[-1]) == "," or (tree.has_text(who, ",") and verb < who[0]):
            continue
        return _Remark(said, who, verb, _is_quoted(tree, said))
    return None


def _is_quoted(tree: DependencyTree, said: list[int]) -> bool | None:
    """Whether all of it is a quotation; `None` if only a part is."""
    marks = [index for index in said if tree.text(index) in ("``", "''", "“", "”", '"')]
    if not marks:
        return False
    return True if marks == [said[0], said[-1]] else None
