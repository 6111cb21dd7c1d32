"""Which phrases can be taken out of a clause and put into the light."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.cliques.rewrite.clause import Block, Clause, connectives
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import FOCUSED, PEOPLE, PERSONAL, POSSESSIVES, QUANTIFIERS, THIRD_PERSON, word_set

_NEGATIVE = word_set("not n't never no neither nor hardly scarcely barely only nothing nobody none few")


# Behind these a phrase can be read as part of them.
_CLAUSES = frozenset(["acl", "advcl", "ccomp", "appos", "parataxis"])
_SET = word_set(
    "all particular fact example instance general addition contrast turn part order effect course first "
    "last least most best once twice time times way ways manner case respect terms hand principle "
    "practice theory response return charge detail short full vain place it him them this that which whom "
    "what result behalf basis"
)


def is_plain(tree: Tree, clause: Clause) -> bool:
    """A statement that stands on its own: no colon, semicolon or dash between its parts, no second statement."""
    if any(tree.text(index) in (";", ":", "--", "...", "?") for index in (*clause.before, *clause.after)):
        return False
    if any(front.base == "advcl" and not tree.has_own_subject(front.head) for front in clause.fronts):
        # "Having won , Ann left": the subject must stay where it is.
        return False
    return not any(has_second_statement(tree, block) for block in clause.blocks)


def has_second_statement(tree: Tree, block: Block) -> bool:
    """A coordinated clause with its own subject, or one that stands beside."""
    return (block.base == "conj" and tree.has_own_subject(block.head)) or block.base in ("parataxis", "discourse")


def second_verbs(clause: Clause) -> bool:
    return any(block.base == "conj" for block in clause.blocks)


def is_negated(tree: Tree, tokens: Sequence[int]) -> bool:
    return any(tree.lower[index] in _NEGATIVE for index in tokens)


def relative_pronoun(tree: Tree, head: int) -> str:
    """*who* for people, *that* for the rest."""
    if tree.lower[head] in PERSONAL or tree.lemmas[head] in PEOPLE:
        return "who"
    named = (head, *tree.children(head, "flat", "compound", "nmod:desc", "nummod", "appos"))
    if any(letter.isdigit() for index in named for letter in tree.text(index)):
        # No person's name, whatever it was taken for.
        return "that"
    inside = [index for index in named if tree.base[index] in ("flat", "appos") and tree.upos(head) == "NOUN"]
    return "who" if any(tree.entity[index] == "person" for index in (head, *inside)) else "that"


def can_be_focus(tree: Tree, tokens: Sequence[int], longest: int = 14) -> bool:
    """Not too long, and without words whose meaning depends on the place they stand at."""
    if not 0 < len(tokens) <= longest or tree.lower[tokens[0]] in QUANTIFIERS - {"at", "over", "up"}:
        return False
    return not is_negated(tree, tokens)


def points_back(tree: Tree, tokens: Sequence[int], clause: Clause) -> bool:
    """A pronoun that would come before the name it stands for."""
    subject = tree.lower[clause.subject_head]
    if subject in THIRD_PERSON:
        return False
    return any(tree.lower[index] in POSSESSIVES | THIRD_PERSON for index in tokens)


def preposition(tree: Tree, block: Block) -> str | None:
    """The preposition that a phrase begins with."""
    cases = [child for child in tree.children(block.head, "case") if child in block.tokens]
    return tree.lower[cases[0]] if cases and cases[0] == block.tokens[0] else None


def is_time(tree: Tree, block: Block) -> bool:
    return tree.entity[block.head] == "datetime"


def is_adjunct(tree: Tree, block: Block) -> bool:
    """A phrase with a preposition, or a bare time."""
    if is_set_phrase(tree, block):
        return False
    if block.label in ("obl:tmod", "obl:unmarked", "obl:npmod") or (block.base == "obl" and is_time(tree, block)):
        return preposition(tree, block) is not None or is_time(tree, block)
    return block.base == "obl" and preposition(tree, block) in FOCUSED


def is_set_phrase(tree: Tree, block: Block) -> bool:
    """*at all*, *in particular*, prices, and times that go on: *from 1949 to 1952*."""
    if tree.lower[block.head] in _SET or any(tree.text(index) in ("$", "%") for index in block.tokens):
        return True
    if tree.lower[block.tokens[0]] in ("to", "till", "until") and "from" in tree.lower[: block.tokens[0]]:
        return True
    after = block.tokens[-1] + 1
    return (
        tree.lower[block.tokens[0]] in ("from", "between")
        and after < tree.size
        and tree.lower[after] in ("to", "until", "through")
    )


def is_followed_by_comma(tree: Tree, block: Block, clause: Clause) -> bool:
    """What comes behind a comma may belong to the phrase: *until 1998 , when ...*."""
    after = block.tokens[-1] + 1
    return after < clause.stop and tree.text(after) in (",", "-LRB-", "(")


def may_belong_elsewhere(tree: Tree, block: Block, clause: Clause) -> bool:
    """A phrase that was read with the verb, but may well say something of what stands between them.

    So it is behind a comma or another clause (*a move that follows the change last week*), and in the midst of a
    phrase (*the news last week that Ann won*).
    """
    between = range(clause.group[-1] + 1, block.tokens[0])
    if any(tree.text(index) == "," or tree.base[index] in _CLAUSES for index in between):
        return True
    before = [each.head for each in clause.blocks if each.tokens[-1] < block.tokens[0]]
    behind = [each.head for each in clause.blocks if each.tokens[0] > block.tokens[-1]]
    return bool(before and behind and before[-1] == behind[0])


def focus_adjuncts(tree: Tree, clause: Clause) -> Iterator[tuple[Block, bool]]:
    """Adjuncts that can be put into focus, and whether they stand in front now."""
    fronts = [front for front in clause.fronts if front.head not in connectives(tree, clause)]
    if len(fronts) == 1 and clause.block("ccomp") is None:
        for front in clause.fronts:
            if is_adjunct(tree, front):
                yield front, True
    if second_verbs(clause):
        return
    for block in clause.blocks:
        if is_followed_by_comma(tree, block, clause) or may_belong_elsewhere(tree, block, clause):
            continue
        if is_adjunct(tree, block) and not points_back(tree, block.tokens, clause):
            yield block, False
