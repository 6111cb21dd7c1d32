"""A clause in its parts: what comes first, the subject, the verb, and the complements one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps

from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.tree import Tree, is_run
from tupelo.cliques.rewrite.words import word_set

# Words below a predicate noun or adjective that belong to its phrase, not to the clause.
_OF_PHRASE = word_set("det amod compound nmod case acl nummod appos flat fixed goeswith cc:preconj dep list orphan")
_TORN = "torn"
_SPEAKING = frozenset(["VBD", "VBZ", "VBP", "MD"])
# What may stand in front without being part of the clause.
_CONNECTIVES = word_set("and but or so yet however thus therefore moreover furthermore also meanwhile")


@dataclass(frozen=True, slots=True)
class Block:
    """A complement or adjunct of a clause: its label, its head and its words in order."""

    label: str
    head: int
    tokens: tuple[int, ...]

    @property
    def base(self) -> str:
        return self.label.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Clause:
    """`before`, `subject` and `rest` together are all words of the clause, in order; `lead`
    is what stands before the clause, and `stop` where it ends.

    `group` are the words of the verb (auxiliaries, adverbs between them, the
    verb, its particle right after it), which begin `rest`; `blocks` is what
    follows, and `fronts` are the phrases in `before`, both without loose marks.
    """

    lead: tuple[int, ...]
    predicate: int
    subject_head: int
    before: tuple[int, ...]
    subject: tuple[int, ...]
    group: tuple[int, ...]
    blocks: tuple[Block, ...]
    fronts: tuple[Block, ...]
    after: tuple[int, ...]
    past: bool
    plural: bool
    stop: int

    @property
    def rest(self) -> tuple[int, ...]:
        return (*self.group, *self.after)

    def block(self, *labels: str) -> Block | None:
        return next((block for block in self.blocks if block.label in labels or block.base in labels), None)


def clauses(tree: Tree) -> Iterator[Clause]:
    """The main clause, its first statement alone where others follow, and those others and what it reports."""
    root = tree.root
    if root is None or tree.end == 0 or tree.text(tree.size - 1) in ("?", "!", ":"):
        return
    whole = clause_of(tree, root, range(tree.end))
    if whole is not None:
        yield whole
    cut = _first_statement(tree, root, whole)
    if cut is not None:
        first = clause_of(tree, root, range(cut))
        if first is not None:
            yield first
    for other in tree.children(root, "conj", "ccomp", "parataxis"):
        tokens = tree.phrase(other)
        while tokens and (tree.lower[tokens[0]] in ("and", "but", "that", "or", "so") or tree.text(tokens[0]) == ","):
            tokens = tokens[1:]
        if tokens and root < other and tree.has_own_subject(other):
            inner = clause_of(tree, other, range(tokens[0], tokens[-1] + 1))
            if inner is not None:
                yield inner


def main_clause(tree: Tree) -> Clause | None:
    """The clause of the root with everything in the sentence."""
    first = next(clauses(tree), None)
    return first if first is not None and not first.lead and first.stop == tree.end else None


def per_clause(rule: Callable[[Tree, Clause], Iterator[Draft]]) -> Callable[[Tree], Iterator[Draft]]:
    """A rule on one clause as a rule on a sentence; what stands around the clause stays."""

    @wraps(rule)
    def on_sentence(tree: Tree) -> Iterator[Draft]:
        for clause in clauses(tree):
            for draft in rule(tree, clause):
                if _loses_what_follows(tree, clause, draft):
                    continue
                # Two statements that were short enough to do without a comma may not be so any more.
                comma = (New(","),) if clause.stop < tree.end and tree.tag(clause.stop) == "CC" else ()
                yield replace(draft, items=(*clause.lead, *draft.items, *comma, *range(clause.stop, tree.size)))

    return on_sentence


def _loses_what_follows(tree: Tree, clause: Clause, draft: Draft) -> bool:
    """What stands behind a colon or a dash explains the word before it, which must stay there."""
    if clause.stop >= tree.end or tree.text(clause.stop) not in (":", "--"):
        return False
    return draft.items[-1] != clause.stop - 1


def _first_statement(tree: Tree, root: int, whole: Clause | None) -> int | None:
    """Where a second statement, a remark or a dash begins."""
    marks = [index for index in range(root + 1, tree.end) if tree.text(index) in (";", ":", "--")]
    others = [
        tree.subtree(child)[0]
        for child in tree.children(root, "conj", "parataxis")
        if child > root and (tree.base[child] == "parataxis" or tree.has_own_subject(child))
    ]
    start = min([*marks, *others], default=None)
    if start is None or start <= root:
        return None
    if any(child > start and not tree.has_own_subject(child) for child in tree.children(root, "conj")):
        # What follows still needs the subject.
        return None
    while start > root + 1 and tree.text(start - 1) == ",":
        start -= 1
    return start


def clause_of(tree: Tree, predicate: int, region: range) -> Clause | None:
    """The clause of a predicate whose words are those of `region`."""
    nominal = tree.child(predicate, "cop") is not None
    if tree.upos(predicate) not in ("VERB", "AUX") and not nominal:
        return None
    head = tree.child(predicate, "nsubj")
    if head is None or tree.labels[head].endswith(":outer") or tree.child(predicate, "csubj", "expl") is not None:
        return None
    subject = tree.subtree(head)
    verb = min([predicate, *tree.children(predicate, "aux", "cop")])
    if not is_run(subject) or subject[-1] >= verb or subject[0] < region.start:
        return None
    middle = list(range(subject[-1] + 1, verb))
    tail = subject[-1] + 1
    if middle and tree.text(middle[0]) == "," and tree.text(subject[0]) != ",":
        # The second comma of an apposition.
        if "," not in [tree.text(index) for index in subject]:
            return None
        subject, tail = [*subject, middle[0]], tail + 1
    group = _verb_group(tree, predicate, tail, nominal)
    if group is None:
        return None
    after = tuple(range(group[-1] + 1, region.stop))
    blocks = _blocks(tree, predicate, after, nominal)
    before = tuple(range(region.start, subject[0]))
    fronts = _blocks(tree, predicate, before, False)
    if blocks is None or fronts is None:
        return None
    finite = next((index for index in group if tree.tag(index) in _SPEAKING), None)
    if finite is None:
        return None
    return Clause(
        tuple(range(region.start)),
        predicate,
        head,
        before,
        tuple(subject),
        group,
        blocks,
        fronts,
        after,
        past=tree.tag(finite) == "VBD",
        plural=_is_plural(tree, finite, head),
        stop=region.stop,
    )


def _is_plural(tree: Tree, finite: int, head: int) -> bool:
    """The verb knows best; where its form says nothing, the noun."""
    if tree.tag(finite) == "VBZ" or tree.lower[finite] == "was":
        return False
    if tree.tag(finite) == "VBP" or tree.lower[finite] == "were":
        return tree.lower[head] not in ("i", "you")
    # Names of bodies end in -s as well, but those are rarer than plurals that were read as names.
    return tree.is_plural(head) or (tree.tag(head)[:2] == "NN" and tree.lower[head].endswith(("ions", "ers", "ees")))


def _verb_group(tree: Tree, predicate: int, start: int, nominal: bool) -> tuple[int, ...] | None:
    """From the end of the subject to the verb (to the copula where there is one) and its particle."""
    end = max(tree.children(predicate, "cop", "aux")) if nominal else predicate
    group = list(range(start, end + 1))
    if not nominal:
        particle = tree.child(predicate, "compound:prt")
        if particle == end + 1:
            group.append(particle)
    else:
        while group[-1] + 1 < tree.size and tree.lower[group[-1] + 1] in ("not", "n't"):
            group.append(group[-1] + 1)
    allowed = {*tree.children(predicate, "aux", "cop", "compound:prt", "advmod", "mark"), predicate}
    for index in group:
        top = index
        while top not in allowed:
            above = tree.heads[top]
            if above is None or above == predicate:
                return None
            top = above
        if tree.text(index) in (",", "--", "``", "''") or tree.base[top] == "mark":
            return None
    return tuple(group)


def _blocks(tree: Tree, predicate: int, tokens: tuple[int, ...], nominal: bool) -> tuple[Block, ...] | None:
    """Neighbouring words of one child each; `None` where a word has no way up to the predicate."""
    runs: list[tuple[int, list[int]]] = []
    for index in tokens:
        top = _top(tree, predicate, index, nominal)
        if top is None:
            return None
        if tree.base[top] == "punct" and top != predicate:
            continue
        gap = range(runs[-1][1][-1] + 1, index) if runs else range(0)
        if runs and runs[-1][0] == top and all(tree.base[between] == "punct" for between in gap):
            runs[-1][1].extend(range(gap.start, index + 1))
        else:
            runs.append((top, [index]))
    found = []
    tops = [top for top, _ in runs]
    for top, run in runs:
        trimmed = tree.trim(run)
        if trimmed:
            label = "predicate" if top == predicate else tree.labels[top]
            # A phrase in several pieces stays where it is.
            found.append(Block(label if tops.count(top) == 1 else _TORN, top, tuple(trimmed)))
    return tuple(found)


def _top(tree: Tree, predicate: int, index: int, nominal: bool) -> int | None:
    seen = set()
    while index != predicate:
        above = tree.heads[index]
        if above is None or index in seen:
            return None
        seen.add(index)
        if above == predicate:
            if nominal and (tree.base[index] in _OF_PHRASE or _joins_noun(tree, index)):
                return predicate
            return index
        index = above
    return predicate


def _joins_noun(tree: Tree, index: int) -> bool:
    """A second predicate noun, which has neither a verb nor a subject."""
    if tree.base[index] != "conj":
        return False
    return tree.upos(index) not in ("VERB", "AUX") and not tree.children(index, "cop", "nsubj", "aux")


def connectives(tree: Tree, clause: Clause) -> tuple[int, ...]:
    """Words that link the sentence to the one before it; they stay in front."""
    linked = []
    for index in clause.before:
        if tree.lower[index] in _CONNECTIVES or tree.text(index) == ",":
            linked.append(index)
        else:
            break
    while linked and tree.text(linked[-1]) == "," and len(linked) == 1:
        linked.pop()
    return tuple(linked)


def remaining(tokens: tuple[int, ...], without: tuple[int, ...]) -> list[Item]:
    """The words of a stretch without a phrase of it."""
    gone = set(without)
    return [index for index in tokens if index not in gone]


def be_word(clause: Clause) -> New:
    """*is* or *was* in the tense of the clause."""
    return New("was" if clause.past else "is")


def ending(tree: Tree) -> list[Item]:
    """The marks that close the sentence."""
    return list(range(tree.end, tree.size))
