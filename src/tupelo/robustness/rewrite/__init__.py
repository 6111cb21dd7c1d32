"""Our own paraphraser: syntactic rules, known by name.

A rule is a function from a parsed sentence, or a clause of it, to its words in other orders. The conditions on words,
tags and labels under which it applies are declared under its name in the English data (`rewrite_rules.toml`), and so
are the groups of rules that undo each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any, TypeAlias

from tupelo.core import Analysis, Registry
from tupelo.nlp.languages import language_data, words
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import Block, ClauseParts, can_be_focus, clauses
from tupelo.robustness.rewrite.draft import Item, New, Rewrite, RewriteDraft, finish

# A rule yields words in their new order, or a draft if tuples need more information. A string is new words.
Proposal: TypeAlias = RewriteDraft | Sequence[Item | str]
Proposals: TypeAlias = Iterator[Proposal]
# The arguments of a rule in a sentence, one tuple for each time that it may apply.
Finder: TypeAlias = Callable[[DependencyTree, "Declaration"], Iterable[tuple[Any, ...]]]

FOCUS = "focus"
# Requirements of clause rules by name.
_NEEDS: dict[str, Callable[[ClauseParts], bool]] = {
    "plain": lambda clause: clause.is_plain,
    "positive": lambda clause: not clause.is_negated,
    "single": lambda clause: not clause.has_second_verb,
    "verbal": lambda clause: not clause.is_copular,
    "named": lambda clause: not clause.has_pronoun_subject,
    # No words of the clause before its subject, no words of the sentence before the clause, or behind it.
    "subject-first": lambda clause: not clause.before,
    "sentence-first": lambda clause: not clause.lead,
    # No phrase before the subject but connectives, or no connectives.
    "no-front": lambda clause: not clause.own_fronts,
    "no-link": lambda clause: not clause.connectives,
}
# Properties of a phrase by name, from its head and its words: strings, some of which may be required or excluded.
_PROPERTIES: dict[str, Callable[[DependencyTree, int, Sequence[int]], Iterable[str]]] = {
    "tag": lambda tree, head, tokens: [tree.tag(head)],
    "upos": lambda tree, head, tokens: [tree.upos(head)],
    "label": lambda tree, head, tokens: [tree.labels[head]],
    "base": lambda tree, head, tokens: [tree.base[head]],
    "entity": lambda tree, head, tokens: [tree.entity[head] or "none"],
    "word": lambda tree, head, tokens: [tree.lowered[head]],
    "lemma": lambda tree, head, tokens: [tree.lemmas[head]],
    "below": lambda tree, head, tokens: (
        label for child in tree.below[head] for label in (tree.labels[child], tree.base[child])
    ),
    "first": lambda tree, head, tokens: map(tree.lowered.__getitem__, tokens[:1]),
    "words": lambda tree, head, tokens: map(tree.lowered.__getitem__, tokens),
    "texts": lambda tree, head, tokens: map(tree.text, tokens),
    "bases": lambda tree, head, tokens: map(tree.base.__getitem__, tokens),
}
# Conditions on the size of a phrase and on its place.
_PLACES = ("shortest", "longest", "focus", "at", "is", "after_verb", "ends")


class Conditions:
    """Conditions on a phrase: `tag = "NN NNS"` requires one of these tags, `no_tag` none of them.

    `@topic.name` stands for the words of a table. `shortest` and `longest` are numbers of words, `focus` is the
    longest phrase that can be put into focus.
    """

    def __init__(self, declared: Mapping[str, Any]) -> None:
        self.declared = declared
        self._sizes = declared.get("shortest", 0), declared.get("longest", inf)
        self._focus: int | None = declared.get("focus")
        self._tests = [
            (_PROPERTIES[name.removeprefix("no_")], _listed(value), not name.startswith("no_"))
            for name, value in declared.items()
            if name not in _PLACES
        ]

    def hold(self, tree: DependencyTree, head: int, tokens: Sequence[int]) -> bool:
        if not self._sizes[0] <= len(tokens) <= self._sizes[1]:
            return False
        if self._focus is not None and not can_be_focus(tree, tokens, self._focus):
            return False
        return all(listed.isdisjoint(look(tree, head, tokens)) != required for look, listed, required in self._tests)


def _listed(value: str) -> frozenset[str]:
    tables = [word[1:].split(".") for word in value.split() if word.startswith("@")]
    return frozenset(value.split()).union(*(words(topic, name) for topic, name in tables))


class Declaration:
    """The entry of a rule in the table: `settings`, and conditions on `parts` of the sentence by name."""

    def __init__(self, rule: str) -> None:
        declared = language_data("rewrite_rules").get(rule, {})
        self.parts = {name: Conditions(value) for name, value in declared.items() if isinstance(value, dict)}
        self.settings: Mapping[str, Any] = declared
        self._needs = [_NEEDS[need] for need in self.words("clause")]
        self._without = self.words("without")

    def words(self, name: str) -> list[str]:
        return str(self.settings.get(name, "")).split()

    def fits(self, clause: ClauseParts) -> bool:
        """Whether a clause meets the conditions on it and on its parts."""
        if not all(need(clause) for need in self._needs) or clause.block(*self._without):
            return False
        parts = {
            "subject": (clause.subject_head, clause.subject),
            "verb": (clause.predicate, clause.group),
            "after": (clause.predicate, clause.after),
            "rest": (clause.predicate, clause.rest),
        }
        return all(self.parts[name].hold(clause.tree, *part) for name, part in parts.items() if name in self.parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite rule. Called with a parsed sentence, it proposes drafts of other sentences.

    Two rules may be applied at once unless they share a group: such rules undo each other, or do much the same. Any
    callable can be a rule; attributes that it lacks have the defaults below.
    """

    name: str
    title: str
    propose: Callable[[DependencyTree], Proposals]
    groups: frozenset[str] = frozenset()

    def __call__(self, tree: DependencyTree) -> Iterator[RewriteDraft]:
        for proposal in self.propose(tree):
            yield replace(_draft(proposal), rule=self.name, framed=FOCUS in self.groups)


def rule_over(find: Finder) -> Callable[[Callable[..., Proposals]], Rule]:
    """Turn a function of what `find` finds in a sentence into a rule.

    The rule has its name, the first line of its docstring, and what the table declares for it.
    """

    def decorate(propose: Callable[..., Proposals]) -> Rule:
        name = propose.__name__.replace("_", "-")
        declared = Declaration(name)

        def on_sentence(tree: DependencyTree) -> Proposals:
            made = ((each, found[0]) for found in find(tree, declared) for each in propose(*found))
            for proposal, place in islice(made, declared.settings.get("most")):
                if not isinstance(place, ClauseParts):
                    yield proposal
                elif not _loses_what_follows(place, draft := _draft(proposal)):
                    # The words around a clause stay as they are.
                    yield replace(draft, items=(*place.lead, *draft.items, *_behind(place)))

        return Rule(
            declared.settings.get("name", name),
            (propose.__doc__ or "").strip().partition("\n")[0].replace("*", ""),
            on_sentence,
            frozenset(declared.words("groups")),
        )

    return decorate


def _clauses(tree: DependencyTree, declaration: Declaration) -> Iterator[tuple[Any, ...]]:
    """Clauses that meet the conditions, each alone or with a phrase of it that does."""
    block = declaration.parts.get("block")
    for clause in filter(declaration.fits, clauses(tree)):
        yield from [(clause,)] if block is None else ((clause, found) for found in _blocks(clause, block))


def _blocks(clause: ClauseParts, conditions: Conditions) -> Iterator[Block]:
    """The phrases of a clause that a rule is about.

    `at` says which are looked at: `each`, the `first`, the `last` or the `only` one after the verb, the only one in
    `front`, that or, if there is none, the one at the end (`outer`), or the first with this label. `is` lists labels,
    whatever their subtypes; `after_verb` and `ends` require a place right behind the verb and at the end.
    """
    declared, blocks, fronts = conditions.declared, clause.blocks, clause.own_fronts
    front = fronts if len(fronts) == 1 else []
    chosen: dict[str, Sequence[Block]] = {
        "each": blocks,
        "first": blocks[:1],
        "last": blocks[-1:],
        "only": blocks if len(blocks) == 1 else (),
        "front": front,
        "outer": front if fronts else [block for block in blocks if clause.ends_with(block)],
    }
    labelled = clause.block(declared["at"])
    for block in chosen.get(declared["at"], () if labelled is None else (labelled,)):
        if (
            ("is" not in declared or not {block.label, block.base}.isdisjoint(declared["is"].split()))
            and (not declared.get("after_verb") or block.tokens[0] == clause.group[-1] + 1)
            and (not declared.get("ends") or clause.ends_with(block))
            and conditions.hold(clause.tree, block.head, block.tokens)
        ):
            yield block


def _edges(tree: DependencyTree, declaration: Declaration) -> Iterator[tuple[Any, ...]]:
    """Words with the declared label, and their heads, that meet the conditions."""
    ends = [declaration.parts.get(end, Conditions({})) for end in ("word", "head")]
    for index, head in enumerate(tree.heads):
        if head is None or tree.labels[index] != declaration.settings["edge"]:
            continue
        if all(end.hold(tree, at, (at,)) for end, at in zip(ends, (index, head), strict=True)):
            yield tree, index, head


# Rules over a whole sentence, over its clauses, and over its arcs.
rule = rule_over(lambda tree, declared: [(tree,)])
clause_rule, edge_rule = rule_over(_clauses), rule_over(_edges)


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


# Of two rules that make the same sentence, the first is named as its origin, so the order of the table matters.
RULES: Registry[Callable[[DependencyTree], Iterator[RewriteDraft]]] = Registry(
    "rewrite rule",
    {
        name: f"tupelo.robustness.rewrite.{entry['module']}:{name.replace('-', '_')}"
        for name, entry in language_data("rewrite_rules").items()
        if isinstance(entry, dict) and "module" in entry
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
