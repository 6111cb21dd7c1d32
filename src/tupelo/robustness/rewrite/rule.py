"""Rewrite rules: functions from a parsed sentence, or a clause of it, to its words in other orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import ClauseParts, clauses
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft

# A rule yields words in their new order, or a draft if tuples need more information. A string is new words.
Proposal: TypeAlias = RewriteDraft | Sequence[Item | str]
Proposals: TypeAlias = Iterator[Proposal]

FOCUS = "focus"
# Requirements of clause rules by name.
_NEEDS: dict[str, Callable[[ClauseParts], bool]] = {
    "plain": lambda clause: clause.is_plain,
    "positive": lambda clause: not clause.is_negated,
    "single": lambda clause: not clause.has_second_verb,
    "verbal": lambda clause: not clause.is_copular,
    "named": lambda clause: not clause.has_pronoun_subject,
    # No words of the clause before its subject, and no words of the sentence before the clause.
    "subject-first": lambda clause: not clause.before,
    "sentence-first": lambda clause: not clause.lead,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite rule. Called with a parsed sentence, it proposes drafts of other sentences.

    Two rules may be applied one after the other unless they share a group: such rules undo each other, or do much
    the same. `before_focus` and `after_focus` say whether a rule may precede or follow one that puts something into
    focus. Any callable can be a rule; attributes that it lacks have the defaults below.
    """

    name: str
    title: str
    propose: Callable[[DependencyTree], Proposals]
    groups: frozenset[str] = frozenset()
    before_focus: bool = True
    after_focus: bool = True

    def __call__(self, tree: DependencyTree) -> Iterator[RewriteDraft]:
        for proposal in self.propose(tree):
            yield replace(_draft(proposal), rule=self.name, framed=FOCUS in self.groups)


def rule(
    *groups: str, name: str | None = None, before_focus: bool = True, after_focus: bool = True
) -> Callable[[Callable[[DependencyTree], Proposals]], Rule]:
    """Turn a function of a sentence into a rule; its own name and the first line of its docstring are the rule's."""

    def decorate(propose: Callable[[DependencyTree], Proposals]) -> Rule:
        title = (propose.__doc__ or "").strip().partition("\n")[0].replace("*", "")
        named = name or propose.__name__.replace("_", "-")
        return Rule(named, title, propose, frozenset(groups), before_focus, after_focus)

    return decorate


def clause_rule(
    *groups: str, needs: str = "", before_focus: bool = True, after_focus: bool = True
) -> Callable[[Callable[[ClauseParts], Proposals]], Rule]:
    """Turn a function of a clause into a rule; the words around the clause stay as they are.

    `needs` names the requirements of a clause, separated by spaces.
    """

    def decorate(propose: Callable[[ClauseParts], Proposals]) -> Rule:
        required = [_NEEDS[need] for need in needs.split()]

        def on_sentence(tree: DependencyTree) -> Proposals:
            for clause in clauses(tree):
                for proposal in propose(clause) if all(holds(clause) for holds in required) else ():
                    draft = _draft(proposal)
                    if not _loses_what_follows(clause, draft):
                        yield replace(draft, items=(*clause.lead, *draft.items, *_behind(clause)))

        on_sentence.__name__, on_sentence.__doc__ = propose.__name__, propose.__doc__
        return rule(*groups, before_focus=before_focus, after_focus=after_focus)(on_sentence)

    return decorate


def _draft(proposal: Proposal) -> RewriteDraft:
    if isinstance(proposal, RewriteDraft):
        return proposal
    items: list[Item] = []
    for word in proposal:
        items.extend(map(New, word.split()) if isinstance(word, str) else [word])
    return RewriteDraft(tuple(items))


def _behind(clause: ClauseParts) -> list[Item]:
    tree = clause.tree
    # Two statements that were short enough to need no comma may now need one.
    comma: list[Item] = [New(",")] if clause.stop < tree.end and tree.tag(clause.stop) == "CC" else []
    return [*comma, *range(clause.stop, tree.size)]


def _loses_what_follows(clause: ClauseParts, draft: RewriteDraft) -> bool:
    """Whether the text after a colon or a dash loses the word before it, which it explains."""
    explained = clause.stop < clause.tree.end and clause.tree.text(clause.stop) in (":", "--")
    return explained and draft.items[-1] != clause.stop - 1
