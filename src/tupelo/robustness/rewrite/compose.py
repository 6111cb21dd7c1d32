"""Several changes of one sentence at once, all found in its one parse.

A change replaces a run of words by others, or by the same ones in another order. Two changes go together unless they
overlap: one may lie inside the other if that moves its words as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.rewrite import FOCUS, RULES, rewrites
from tupelo.robustness.rewrite.carry import can_carry, carry
from tupelo.robustness.rewrite.draft import Item, New, Rewrite, RewriteDraft, Turn, finish


@dataclass(frozen=True, slots=True)
class Change:
    """Words `[start, stop)` of a sentence, and what takes their place.

    `name` says it in words, `source` where it is from: a `rule`, the `table` of words, or elsewhere. A tuple must
    have all of `together` in one part, or none. `groups`, `turns` and `regrouped` are those of a rule and its draft.
    """

    start: int
    stop: int
    new: tuple[Item, ...]
    name: str
    source: str = "table"
    together: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    turns: tuple[Turn, ...] = ()
    regrouped: tuple[tuple[tuple[int, ...], tuple[Item, ...]], ...] = ()

    @property
    def merges(self) -> list[str]:
        """New words that stand for several old ones."""
        return [item.text for item in self.new if isinstance(item, New) and len(item.of) > 1]

    @property
    def origin(self) -> str:
        return self.name if self.source == "rule" else f"words:{self.name.replace(' > ', '>')}"


def rule_changes(tree: DependencyTree, rules: Iterable[str]) -> Iterator[tuple[Change, Rewrite]]:
    """The changes that rules make, each with the sentence that it makes alone."""
    for rewrite in rewrites(tree.analysis, rules):
        groups: frozenset[str] = getattr(RULES.get(rewrite.rule), "groups", frozenset())
        yield _change_of(tree, rewrite.draft, groups), rewrite


def _change_of(tree: DependencyTree, draft: RewriteDraft, groups: frozenset[str]) -> Change:
    """A draft as a change of as few words as possible."""
    items, start, stop = draft.items, 0, tree.size
    while start < min(len(items), stop) and items[start] == start:
        start += 1
    end = len(items)
    while end > start and stop > start and items[end - 1] == stop - 1:
        end, stop = end - 1, stop - 1
    if start == stop and stop < tree.size:
        # Nothing but new words: the one behind them is part of the change.
        end, stop = end + 1, stop + 1
    grouped = [index for group, _ in draft.regrouped for index in group]
    if grouped:
        # A phrase in another order is changed as a whole.
        more = max(start - min(grouped), 0), max(max(grouped) + 1 - stop, 0)
        start, stop, end = start - more[0], stop + more[1], end + more[1]
    new = items[start:end]
    return Change(start, stop, new, draft.rule, "rule", frozenset(), groups, draft.turns, draft.regrouped)


def go_together(one: Change, other: Change) -> bool:
    """Whether two changes do not overlap, or one lies in words that the other moves as they are.

    Rules of one group undo each other or do much the same."""
    if one.stop <= other.start or other.stop <= one.start:
        return True
    if one.groups & other.groups:
        return False
    small, large = sorted((one, other), key=lambda change: change.stop - change.start)
    run = tuple(range(small.start, small.stop))
    # New words at the start of a phrase would come between it and what now precedes it.
    if small.start == large.start and isinstance(small.new[0], New):
        return False
    return len(run) < large.stop - large.start and _find(large.new, run) is not None


def changed(tree: DependencyTree, chosen: Sequence[Change]) -> RewriteDraft:
    """The sentence with changes that go together."""
    items: list[Item] = list(range(tree.size))
    for change in sorted(chosen, key=lambda change: change.start - change.stop):
        at = _find(items, range(change.start, change.stop))
        if at is not None:
            items[at : at + change.stop - change.start] = change.new
    turns = tuple(turn for change in chosen for turn in change.turns)
    groups = tuple(group for change in chosen for group in change.regrouped)
    framed = any(FOCUS in change.groups for change in chosen)
    return RewriteDraft(tuple(items), turns, groups, "+".join(change.name for change in chosen), framed)


def combine(original: Original, tree: DependencyTree, chosen: Sequence[Change]) -> Rewording | None:
    """A sentence with several changes; `None` if its tuples cannot follow, or if nothing has changed."""
    rewrite = finish(tree, changed(tree, chosen))
    if rewrite is None or not can_carry(original.tuples, tree, rewrite):
        return None
    tuples = carry(original.tuples, tree, rewrite)
    # A word that stands for several old ones must not be in two parts of a tuple.
    merged = [word for change in chosen for word in change.merges]
    if any(sum(word in part.split() for part in parts) > 1 for word in merged for parts in tuples):
        return None
    origin = "+".join(dict.fromkeys(change.origin for change in chosen))
    return Rewording(rewrite.text, origin, tuples, rewrite.alignment([(index,) for index in range(tree.size)]))


def _find(items: Sequence[Item], run: Sequence[int]) -> int | None:
    """The place of words that follow each other as in the source."""
    size, wanted = len(run), list(run)
    return next((at for at in range(len(items) - size + 1) if list(items[at : at + size]) == wanted), None)
