"""Well-formed parts of tuples: one phrase, without loose marks, that splits no name.

The words of an argument are connected in the tree. Words between them may be omitted where syntax lets a reader skip
them: other conjuncts, appositions, parentheses, relative clauses and remarks. A relation has a verb, its own or an
implied one, and may have gaps: *took … to*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tupelo.extract.rules.verbs import Pieces
from tupelo.nlp.languages import word_set
from tupelo.nlp.syntax import QUESTION_TAGS, SEPARATORS, VERBAL, DependencyTree, citations, remembered

_OPENING = {"(": ")", "[": "]", "{": "}", "``": "''", "“": "”", "«": "»", "-LRB-": "-RRB-", "-LSB-": "-RSB-"}
_CLOSING = frozenset(_OPENING.values())
_BRACKETS = word_set("( [ { -LRB- -LSB-")
# Marks that open and close alike.
_ALIKE = word_set('" ` `` * ** _')
_LOOSE = word_set(", ; : - -- --- – — . ! ? ... … / \\ | > # ## ### • · = ::")
_STOPS = frozenset(".!?…")
_CLAUSE_MARKS = word_set(", ; :")
# Words that say nothing without a noun or a verb.
_FUNCTION = word_set("ADP PUNCT CCONJ SCONJ PART SYM AUX")
# Dependents that a phrase may leave out from its middle.
_OMISSIBLE = word_set(
    "conj cc punct appos acl parataxis discourse dislocated reparandum vocative list case mark advcl dep orphan"
)
# Dependents that coordinated words share.
_SHARED = word_set("det nmod acl amod case compound mark advmod aux nummod punct")


def tidy(tree: DependencyTree, tokens: Iterable[int]) -> tuple[int, ...]:
    """The words in order, without citations, marks at the ends or beside a gap, and half of a pair of marks."""
    kept = sorted(set(tokens) - citations(tree))
    loose, partners = _marks(tree)
    while not (loose.isdisjoint(kept) and partners.keys().isdisjoint(kept)):
        inside = set(kept)
        halves = {token for token in kept if token in partners and partners[token] not in inside}
        edges = {token for place, token in enumerate(kept) if token in loose and _at_edge(tree, kept, place)}
        clean = _without_hollow_pairs(tree, [token for token in kept if token not in halves | edges], partners)
        if clean == kept:
            break
        kept = clean
    return tuple(kept)


def _at_edge(tree: DependencyTree, tokens: Sequence[int], place: int) -> bool:
    """At the start or the end, or a separator beside a gap."""
    if place in (0, len(tokens) - 1):
        return True
    token = tokens[place]
    beside = tokens[place - 1] != token - 1 or tokens[place + 1] != token + 1
    return beside and tree.text(token) in SEPARATORS


def _without_hollow_pairs(tree: DependencyTree, tokens: list[int], partners: dict[int, int | None]) -> list[int]:
    """Without brackets around everything, and without pairs around a gap."""
    inside, drop = set(tokens), set[int]()
    for token in tokens:
        other = partners.get(token)
        if other is None or other < token:
            continue
        around = token == tokens[0] and other == tokens[-1] and tree.text(token) in _BRACKETS
        if around or not inside.issuperset(range(token, other)):
            drop |= {token, other}
    return [token for token in tokens if token not in drop]


@remembered
def _marks(tree: DependencyTree) -> tuple[set[int], dict[int, int | None]]:
    """The marks that may end or separate phrases; every bracket and quotation mark with its partner or `None`."""
    loose = {
        index
        for index, word in enumerate(tree.words)
        if word.upos in ("PUNCT", "SYM", None) and (word.text in _LOOSE or set(word.text) <= _STOPS)
    }
    found: dict[int, int | None] = {}
    opened: list[int] = []
    alike: dict[str, int] = {}
    for index in range(tree.size):
        text = tree.text(index)
        if text in _ALIKE and not (text == "``" and "''" in tree.lowered):
            found[index] = None
            if text in alike:
                first = alike.pop(text)
                found[first], found[index] = index, first
            else:
                alike[text] = index
        elif text in _OPENING:
            found[index] = None
            opened.append(index)
        elif text in _CLOSING and tree.tag(index) != "POS":
            found[index] = None
            place = next((n for n in range(len(opened) - 1, -1, -1) if _OPENING[tree.text(opened[n])] == text), None)
            if place is not None:
                first = opened[place]
                del opened[place:]
                found[first], found[index] = index, first
    return loose, found


def is_phrase(tree: DependencyTree, tokens: Sequence[int]) -> bool:
    """Whether words are one phrase, with gaps only where syntax makes them, and say something.

    Prepositions before it may come from elsewhere: *in 1990* of *1990 was the year in which*.
    """
    if all(tree.upos(token) in _FUNCTION or tree.base[token] == "det" for token in tokens):
        return False
    if not _CLAUSE_MARKS.isdisjoint((tree.text(tokens[0]), tree.text(tokens[-1]))):
        # A mark that the parser takes for a noun.
        return False
    opening = 0
    while opening + 1 < len(tokens) and tree.base[tokens[opening]] in ("case", "fixed"):
        opening += 1
    inside = set(tokens[opening:])
    tops = [token for token in inside if tree.heads[token] not in inside and tree.base[token] != "punct"]
    groups = {_first(tree, token) for token in tops if tree.base[token] not in _SHARED}
    shared = {
        _first(tree, head)
        for token in tops
        if tree.base[token] in _SHARED and (head := tree.heads[token]) is not None
    }
    if len(groups) > 1 or (groups and not shared <= groups):
        return False
    gaps = set(range(min(inside), max(inside))) - inside - citations(tree)
    return all(_may_be_omitted(tree, token, inside, groups) for token in gaps)


def _first(tree: DependencyTree, token: int) -> int:
    """The first of the words coordinated with this one."""
    seen = {token}
    while tree.base[token] == "conj" and (head := tree.heads[token]) is not None and head not in seen:
        token = head
        seen.add(token)
    return token


def _may_be_omitted(tree: DependencyTree, token: int, inside: set[int], groups: set[int]) -> bool:
    if tree.base[token] == "punct":
        return True
    for index in (token, *tree.path(token)):
        if index in groups:
            # Below another conjunct.
            return True
        if tree.heads[index] in inside:
            return tree.base[index] in _OMISSIBLE
    return False


def missing_from_names(tree: DependencyTree, tokens: Iterable[int]) -> set[int]:
    """The words that are missing from names and numbers of which a part has the others."""
    inside = set(tokens)
    missing: set[int] = set()
    for entity in tree.analysis.entities or ():
        words = set(range(entity.start, min(entity.end, tree.size)))
        if words & inside:
            missing |= words - inside
    return missing


def refers_nowhere(tree: DependencyTree, tokens: Sequence[int]) -> bool:
    """Whether a phrase is or ends with a relative pronoun that nobody replaced: *which*, *all of whom*."""
    return not tree.text(tree.size - 1).endswith("?") and tree.tag(max(tokens)) in QUESTION_TAGS


def is_relation(tree: DependencyTree, relation: Pieces) -> bool:
    """Whether a relation has a verb, its own or an implied one."""
    return any(
        isinstance(piece, str) or (tree.upos(piece) in VERBAL and any(map(str.isalpha, tree.text(piece))))
        for piece in relation
    )
