"""The parts of a clause: the words before the subject, the subject, the verb, and each complement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tupelo.nlp.languages import word_set, words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.naming import WHO_NOUNS
from tupelo.nlp.syntax import DependencyTree, is_run, remembered
from tupelo.robustness.rewrite.draft import Item, New

POINTING = grammar.THIRD_PERSON | grammar.POSSESSIVES
FINITE = ("VBD", "VBZ", "VBP")
BREAKS = (";", ":", "--")
# Dependents of a predicate noun or adjective that belong to its phrase, not to the clause.
_OF_PHRASE = word_set("det amod compound nmod case acl nummod appos flat fixed goeswith cc:preconj dep list orphan")
_TORN = "torn"
# A phrase after one of these can be read as part of it.
_CLAUSES = ("acl", "advcl", "ccomp", "appos", "parataxis")
_CONNECTIVES = words("rewriting", "connectives")
_SET_PHRASES = words("rewriting", "set_phrase_nouns")


def is_negated(tree: DependencyTree, tokens: Iterable[int]) -> bool:
    return tree.has_word(tokens, grammar.RESTRICTIVE_WORDS)


@dataclass(frozen=True, slots=True)
class Block:
    """A complement or adjunct of a clause: its label, its head and its words in order."""

    label: str
    head: int
    tokens: tuple[int, ...]

    @property
    def base(self) -> str:
        return self.label.partition(":")[0]


@dataclass(frozen=True, eq=False)
class ClauseParts:
    """`before`, `subject` and `rest` are all words of the clause (`region`), in order; `lead` is what precedes it.

    `group` are the words of the verb (auxiliaries, adverbs between them, the verb, its particle right after it) and
    begin `rest`; `blocks` are the phrases after it and `fronts` those in `before`, both without loose punctuation.
    """

    tree: DependencyTree
    region: range
    predicate: int
    subject_head: int
    subject: tuple[int, ...]
    group: tuple[int, ...]
    blocks: tuple[Block, ...]
    fronts: tuple[Block, ...]

    @property
    def stop(self) -> int:
        return self.region.stop

    @cached_property
    def lead(self) -> tuple[int, ...]:
        return tuple(range(self.region.start))

    @cached_property
    def before(self) -> tuple[int, ...]:
        return tuple(range(self.region.start, self.subject[0]))

    @cached_property
    def after(self) -> tuple[int, ...]:
        return tuple(range(self.group[-1] + 1, self.region.stop))

    @cached_property
    def rest(self) -> tuple[int, ...]:
        return (*self.group, *self.after)

    @property
    def finite(self) -> int:
        """The word that carries the tense."""
        return next(index for index in self.group if self.tree.tag(index) in (*FINITE, "MD"))

    @property
    def past(self) -> bool:
        return self.tree.tag(self.finite) == "VBD"

    @cached_property
    def plural(self) -> bool:
        """Whether the subject is plural: by the form of the verb or, if that is ambiguous, by the noun."""
        tree, finite, head = self.tree, self.finite, self.subject_head
        if tree.tag(finite) == "VBZ" or tree.lowered[finite] == "was":
            return False
        if tree.tag(finite) == "VBP" or tree.lowered[finite] == "were":
            return tree.lowered[head] not in ("i", "you")
        # Names of organizations end in -s as well, but those are rarer than plurals that were tagged as names.
        plural_ending = tree.tag(head)[:2] == "NN" and tree.lowered[head].endswith(("ions", "ers", "ees"))
        return tree.is_plural(head) or plural_ending

    @property
    def lemma(self) -> str:
        """The lemma of the predicate."""
        return self.tree.lemmas[self.predicate]

    @property
    def bare_subject(self) -> tuple[int, ...]:
        """The subject without the second comma of an apposition."""
        return self.subject[:-1] if self.tree.text(self.subject[-1]) == "," else self.subject

    @property
    def be(self) -> New:
        """*is* or *was* in the tense of the clause."""
        return New("was" if self.past else "is")

    def block(self, *labels: str) -> Block | None:
        return next((block for block in self.blocks if block.label in labels or block.base in labels), None)

    def ends_with(self, block: Block) -> bool:
        return block.tokens[-1] + 1 == self.stop

    def after_without(self, tokens: Collection[int]) -> list[int]:
        """The words after the verb, without `tokens`."""
        gone = frozenset(tokens)
        return [index for index in self.after if index not in gone]

    def without(self, tokens: Collection[int]) -> list[int]:
        """Subject, verb and the words after it, without `tokens`."""
        return [*self.subject, *self.group, *self.after_without(tokens)]

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is a single statement: no colon, semicolon or dash between its parts, no second statement."""
        tree = self.tree
        if tree.has_text((*self.before, *self.after), *BREAKS, "...", "?"):
            return False
        if any(front.base == "advcl" and not tree.has_own_subject(front.head) for front in self.fronts):
            # "Having won , Ann left": the subject must stay where it is.
            return False
        return not any(
            block.base in ("parataxis", "discourse") or (block.base == "conj" and tree.has_own_subject(block.head))
            for block in self.blocks
        )

    @property
    def has_second_verb(self) -> bool:
        return any(block.base == "conj" for block in self.blocks)

    @property
    def is_copular(self) -> bool:
        return self.tree.child(self.predicate, "cop") is not None

    @property
    def is_negated(self) -> bool:
        return is_negated(self.tree, self.group)

    @property
    def has_pronoun_subject(self) -> bool:
        return self.tree.tag(self.subject_head) == "PRP"

    @cached_property
    def connectives(self) -> tuple[int, ...]:
        """Words that link the sentence to the one before it; they stay in front."""
        linking = (*_CONNECTIVES, ",")
        return tuple(takewhile(lambda index: self.tree.lowered[index] in linking, self.before))

    @cached_property
    def own_fronts(self) -> list[Block]:
        """The phrases in front that are not connectives."""
        return [front for front in self.fronts if front.head not in self.connectives]

    def preposition(self, block: Block) -> str | None:
        """The preposition that a phrase begins with."""
        cases = [child for child in self.tree.children(block.head, "case") if child in block.tokens]
        return self.tree.lowered[cases[0]] if cases and cases[0] == block.tokens[0] else None

    def is_time(self, block: Block) -> bool:
        return self.tree.entity[block.head] == "datetime"

    def is_adjunct(self, block: Block) -> bool:
        """Whether it is a prepositional phrase or a bare time expression."""
        if self.is_set_phrase(block) or block.base != "obl":
            return False
        return self.is_time(block) or self.preposition(block) in grammar.FOCUS_PREPOSITIONS

    def is_set_phrase(self, block: Block) -> bool:
        """Whether it is a fixed phrase (*at all*, *in particular*), a price or a period (*from 1949 to 1952*)."""
        tree, first, after = self.tree, block.tokens[0], block.tokens[-1] + 1
        opener, follower = tree.lowered[first], tree.lowered[after] if after < tree.size else ""
        return (
            tree.lowered[block.head] in _SET_PHRASES
            or tree.has_text(block.tokens, "$", "%")
            or (opener in ("to", "till", "until") and "from" in tree.lowered[:first])
            or (opener in ("from", "between") and follower in ("to", "until", "through"))
        )

    def points_back(self, tokens: Sequence[int]) -> bool:
        """Whether a pronoun would come before the name it refers to."""
        own = self.tree.lowered[self.subject_head]
        return own not in grammar.THIRD_PERSON and self.tree.has_word(tokens, POINTING)

    def is_attached(self, block: Block) -> bool:
        """Whether a phrase cannot be moved without the words around it.

        A comma after it may begin something that belongs to it (*until 1998 , when ...*), and after a comma or
        another clause (*a move that follows the change last week*) or in the midst of a phrase (*the news last week
        that Ann won*) it may modify something other than the verb.
        """
        tree, after = self.tree, block.tokens[-1] + 1
        if after < self.stop and tree.text(after) in (",", "-LRB-", "("):
            return True
        between = range(self.group[-1] + 1, block.tokens[0])
        if any(tree.text(index) == "," or tree.base[index] in _CLAUSES for index in between):
            return True
        earlier = [each.head for each in self.blocks if each.tokens[-1] < block.tokens[0]]
        later = [each.head for each in self.blocks if each.tokens[0] > block.tokens[-1]]
        return bool(earlier and later and earlier[-1] == later[0])

    def is_of_clause(self, block: Block) -> bool:
        """Whether the constituents agree that a phrase depends on the verb: it is one, right below a verb phrase."""
        first, last = block.tokens[0], block.tokens[-1] + 1
        around = [part for part in self.tree.analysis.constituents or () if part.start <= first and part.end >= last]
        whole = [part for part in around if part.end - part.start == last - first]
        above = [part for part in around if part.end - part.start > last - first]
        if not above or (len(block.tokens) > 1 and not whole):
            return not self.tree.analysis.constituents
        return min(reversed(above), key=lambda part: part.end - part.start).label in ("VP", "S", "SINV")

    def focus_adjuncts(self) -> Iterator[tuple[Block, bool]]:
        """Adjuncts that can be put into focus, and whether they are in front now."""
        if len(self.own_fronts) == 1 and self.block("ccomp") is None:
            for front in self.fronts:
                if self.is_adjunct(front):
                    yield front, True
        if self.has_second_verb:
            return
        for block in self.blocks:
            if not self.is_attached(block) and self.is_adjunct(block) and not self.points_back(block.tokens):
                yield block, False


def is_modified(tree: DependencyTree, noun: int) -> bool:
    """Whether a noun has a determiner, a possessor, an adjective or a number."""
    return bool(tree.children(noun, "det", "nmod:poss", "amod", "nummod"))


def relative_pronoun(tree: DependencyTree, head: int) -> str:
    """*who* for people, *that* for the rest."""
    if tree.lowered[head] in grammar.PERSONAL_SUBJECTS or tree.lemmas[head] in WHO_NOUNS:
        return "who"
    named = (head, *tree.children(head, "flat", "compound", "nmod:desc", "nummod", "appos"))
    inside = [index for index in named if tree.base[index] in ("flat", "appos") and tree.upos(head) == "NOUN"]
    return "who" if any(tree.entity[index] == "person" for index in (head, *inside)) else "that"


def can_be_focus(tree: DependencyTree, tokens: Sequence[int], longest: int = 14) -> bool:
    """Whether a phrase is short enough and has no words whose meaning depends on their position."""
    if not 0 < len(tokens) <= longest or tree.lowered[tokens[0]] in grammar.UNFOCUSED_WORDS - {"at", "over", "up"}:
        return False
    return not is_negated(tree, tokens)


def ending(tree: DependencyTree) -> list[Item]:
    """The punctuation that closes the sentence."""
    return list(range(tree.end, tree.size))


@remembered
def clauses(tree: DependencyTree) -> tuple[ClauseParts, ...]:
    """The main clause, its first statement if more follow, those other statements, and the clause that it reports."""
    found = (clause_of(tree, predicate, region) for predicate, region in _regions(tree))
    return tuple(filter(None, found))


def _regions(tree: DependencyTree) -> Iterator[tuple[int, range]]:
    """Predicates with the words that their clauses may have."""
    root = tree.root
    if root is None or tree.end == 0 or tree.text(tree.size - 1) in ("?", "!", ":"):
        return
    yield root, range(tree.end)
    stop = _end_of_first_statement(tree, root)
    if stop is not None:
        yield root, range(stop)
    for other in tree.children(root, "conj", "ccomp", "parataxis"):
        tokens = tree.phrase(other)
        while tokens and tree.lowered[tokens[0]] in ("and", "but", "that", "or", "so", ","):
            tokens = tokens[1:]
        if tokens and root < other and tree.has_own_subject(other):
            yield other, range(tokens[0], tokens[-1] + 1)


def main_clause(tree: DependencyTree) -> ClauseParts | None:
    """The clause of the root with everything in the sentence."""
    first = next(iter(clauses(tree)), None)
    return first if first is not None and first.region == range(tree.end) else None


def _end_of_first_statement(tree: DependencyTree, root: int) -> int | None:
    """The position where a second statement, a remark or a dash begins."""
    marks = [index for index in range(root + 1, tree.end) if tree.text(index) in BREAKS]
    others = [
        tree.subtree(child)[0]
        for child in tree.children(root, "conj", "parataxis")
        if child > root and (tree.base[child] == "parataxis" or tree.has_own_subject(child))
    ]
    start = min([*marks, *others], default=None)
    if start is None or start <= root:
        return None
    if any(child > start and not tree.has_own_subject(child) for child in tree.children(root, "conj")):
        # The rest still needs the subject.
        return None
    while start > root + 1 and tree.text(start - 1) == ",":
        start -= 1
    return start


def clause_of(tree: DependencyTree, predicate: int, region: range) -> ClauseParts | None:
    """The clause of a predicate whose words are those of `region`."""
    nominal = tree.child(predicate, "cop") is not None
    head = tree.child(predicate, "nsubj")
    if (
        head is None
        or (tree.upos(predicate) not in ("VERB", "AUX") and not nominal)
        or tree.labels[head].endswith(":outer")
        or tree.child(predicate, "csubj", "expl") is not None
    ):
        return None
    subject = tree.subtree(head)
    verb = min([predicate, *tree.children(predicate, "aux", "cop")])
    if not is_run(subject) or subject[-1] >= verb or subject[0] < region.start:
        return None
    group = _verb_group(tree, predicate, subject[-1] + 1, nominal)
    if group is None or not any(tree.tag(index) in (*FINITE, "MD") for index in group):
        return None
    blocks = _blocks(tree, predicate, range(group[-1] + 1, region.stop), nominal)
    fronts = _blocks(tree, predicate, range(region.start, subject[0]), False)
    if blocks is None or fronts is None:
        return None
    return ClauseParts(tree, region, predicate, head, tuple(subject), group, blocks, fronts)


def _verb_group(tree: DependencyTree, predicate: int, start: int, nominal: bool) -> tuple[int, ...] | None:
    """The words from the end of the subject to the verb (or to the copula, if any) and its particle."""
    end = max(tree.children(predicate, "cop", "aux")) if nominal else predicate
    group = list(range(start, end + 1))
    if not nominal:
        particle = tree.child(predicate, "compound:prt")
        if particle == end + 1:
            group.append(particle)
    else:
        while group[-1] + 1 < tree.size and tree.lowered[group[-1] + 1] in ("not", "n't"):
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


def _blocks(tree: DependencyTree, predicate: int, tokens: range, nominal: bool) -> tuple[Block, ...] | None:
    """One block of adjacent words per dependent; `None` if a word has no path up to the predicate."""
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
        trimmed = tree.strip_marks(run)
        if trimmed:
            label = "predicate" if top == predicate else tree.labels[top]
            # A discontinuous phrase stays where it is.
            found.append(Block(label if tops.count(top) == 1 else _TORN, top, tuple(trimmed)))
    return tuple(found)


def _top(tree: DependencyTree, predicate: int, index: int, nominal: bool) -> int | None:
    """The dependent of the predicate whose subtree contains a word."""
    if index == predicate:
        return predicate
    for above in tree.path(index):
        if above == predicate:
            break
        index = above
    else:
        return None
    if not nominal:
        return index
    # The predicate noun has its modifiers, and a second noun without verb or subject.
    verbal = tree.upos(index) in ("VERB", "AUX") or tree.children(index, "cop", "nsubj", "aux")
    of_phrase = not verbal if tree.base[index] == "conj" else tree.base[index] in _OF_PHRASE
    return predicate if of_phrase else index
