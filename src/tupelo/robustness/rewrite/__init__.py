"""Our own paraphraser: syntactic rules, known by name.

A rule is a function from a parsed sentence, or a clause of it, to its words in other orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tupelo.core import Analysis, Registry
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import ClauseParts, clauses
from tupelo.robustness.rewrite.draft import Item, New, Rewrite, RewriteDraft, finish

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


# Modules and their rules. The order matters: of two rules that make the same sentence, the first is named as its
# origin.
_RULES = (
    ("clefts", "cleft-subject cleft-adjunct cleft-clause cleft-object"),
    ("clefts", "pseudo-cleft-object pseudo-cleft-action pseudo-cleft-subject pseudo-cleft-when-where"),
    ("clefts", "pseudo-cleft-what pseudo-cleft-preposition pseudo-cleft-to-do pseudo-cleft-inner-object"),
    ("clefts", "reversed-cleft what-happened what-is-true"),
    ("reporting", "pseudo-cleft-report pseudo-cleft-remark turn-remark"),
    ("voice", "passive active"),
    ("word_order", "front-adjunct insert-adjunct insert-connective report-inside move-back front-clause"),
    ("word_order", "back-clause although"),
    ("reporting", "report-behind report-in-front it-was-said according-to according-to-remark"),
    ("noun_phrases", "relative-to-participle participle-to-relative apposition-to-relative relative-to-apposition"),
    ("noun_phrases", "merge-relative tell-apposition front-apposition front-participle"),
    ("word_order", "front-adverb"),
    ("noun_phrases", "genitive-to-of of-to-genitive conjunct-order"),
    ("verbs", "dative nominalize not-only as-well-as swap-copula place-first located-first"),
    ("voice", "relative-passive"),
    ("noun_phrases", "swap-apposition loose-participle"),
    ("word_order", "because-to-so although-to-but as-well repeat-subject there-first"),
)
RULES: Registry[Callable[[DependencyTree], Iterator[RewriteDraft]]] = Registry(
    "rewrite rule",
    {
        name: f"tupelo.robustness.rewrite.{module}:{name.replace('-', '_')}"
        for module, names in _RULES
        for name in names.split()
    },
    group="tupelo.rewriters",
)


def rewrites(analysis: Analysis, rules: Iterable[str] | None = None) -> Iterator[Rewrite]:
    """Every rewrite of a sentence, in the order of the rules."""
    tree = DependencyTree(analysis)
    for name in rules or RULES:
        for draft in RULES.get(name)(tree):
            rewrite = finish(tree, draft if draft.rule else replace(draft, rule=name))
            if rewrite is not None:
                yield rewrite


__all__ = ["RULES", "rewrites"]
