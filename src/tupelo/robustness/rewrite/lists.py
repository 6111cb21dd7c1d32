"""Coordination: the order of what *and* joins, *both*, *as well as*, and statements with or without a link.

*tea and milk* <-> *milk and tea*, *both tea and milk*, *tea as well as milk*; *X , and Y* -> *X ; Y*; *X , killing
two* -> *X and killed two*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.inflection import inflect
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.robustness.rewrite import Declaration, Proposals, clause_rule, edge_rule, rule, rule_over
from tupelo.robustness.rewrite.clause import POINTING, Block, ClauseParts
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, regrouped

_BEFORE_NOUN = ("det", "amod", "compound", "nmod", "nummod", "advmod", "flat", "punct", "appos")
_OPEN_ENDED = words("rewriting", "open_ended_conjuncts")
_UNJOINED = words("rewriting", "unjoined_prepositions")
_RESULTS = words("rewriting", "result_participles")
_NO_ACTION = words("rewriting", "participles_of_manner")


@dataclass(frozen=True, slots=True)
class _List:
    """Noun phrases or adjectives joined by *and* or *or*: their words, and the commas and the link between them."""

    heads: tuple[int, ...]
    link: int
    parts: tuple[tuple[int, ...], ...]
    between: tuple[tuple[int, ...], ...]

    @property
    def tokens(self) -> tuple[int, ...]:
        return tuple(range(self.parts[0][0], self.parts[-1][-1] + 1))

    def ordered(self, order: Sequence[int]) -> tuple[Item, ...]:
        first, *others = (self.parts[number] for number in order)
        return (*first, *(item for gap, part in zip(self.between, others, strict=True) for item in (*gap, *part)))


def _lists(tree: DependencyTree, declaration: Declaration) -> Iterator[tuple[DependencyTree, _List]]:
    for head in range(tree.size):
        found = _list(tree, head) if tree.upos(head) in ("NOUN", "PROPN", "ADJ") else None
        if found is not None:
            yield tree, found


def _list(tree: DependencyTree, head: int) -> _List | None:
    """The list that begins with the phrase of a word, if what belongs to each of its parts is beyond doubt."""
    others = tree.children(head, "conj")
    links = [link for other in others for link in tree.children(other, "cc")]
    if not others or len(links) != 1 or tree.lowered[links[0]] not in ("and", "or") or tree.entity[links[0]]:
        return None
    heads, link = (head, *others), links[0]
    if any(tree.upos(each) != tree.upos(head) for each in heads) and tree.upos(head) == "ADJ":
        return None
    if any(tree.upos(each) not in ("NOUN", "PROPN", "ADJ") for each in heads):
        return None
    if any(
        tree.children(each, "nsubj", "cop", "aux", "orphan", "mark", "acl", "advcl", "parataxis") for each in heads
    ):
        return None
    first = [index for index in tree.subtree(head, others) if index < others[0] and index <= link]
    kept = [child for child in tree.below[head] if child < head and tree.base[child] in _BEFORE_NOUN]
    start = min([head, *(tree.subtree(child)[0] for child in kept)])
    owned = [[index for index in first if index >= start], *(tree.subtree(other, [link]) for other in others)]
    parts = [tuple(tree.strip_marks([index for index in own if index != link])) for own in owned]
    if not all(parts) or not all(map(is_run, parts)):
        return None
    between = tuple(tuple(range(one[-1] + 1, other[0])) for one, other in pairwise(parts))
    if any(any(tree.text(index) not in (",", ";") and index != link for index in gap) or not gap for gap in between):
        return None
    if link not in between[-1] or (
        len(parts) > 2 and any(tree.text(gap[0]) not in (",", ";") for gap in between[:-1])
    ):
        return None
    found = _List(heads, link, tuple(parts), between)
    return found if _is_plain(tree, found) else None


def _is_plain(tree: DependencyTree, found: _List) -> bool:
    """Whether it is a list of its own, and no part of a name or of a longer phrase."""
    tokens, after = found.tokens, found.tokens[-1] + 1
    if tree.has_word(tokens, _OPEN_ENDED) or tree.has_entity(found.heads, "datetime") or len(tokens) > 40:
        return False
    adjectives = tree.upos(found.heads[0]) == "ADJ"
    if after < tree.size and tree.upos(after) in ("NOUN", "PROPN", "NUM", "ADJ", "PART") and not adjectives:
        return False
    if adjectives and (len(tokens) != 3 or tree.tag(found.heads[0]) != tree.tag(found.heads[1])):
        return False
    if any(
        tree.base[part[0]] in ("case", "cc", "advmod", "mark") or tree.has_text(part, ",") for part in found.parts
    ):
        return False
    if tree.base[found.heads[0]] == "conj" or (len(found.parts) == 2 and len(found.between[0]) > 1):
        return False
    if tree.has_text(tokens, "``", "''", '"', "(", "-LRB-", "--", ":", ";", "%", "$"):
        return False
    before = tokens[0] - 1
    if before >= 0 and tree.upos(before) in ("ADJ", "NUM", "PROPN", "NOUN", "DET") and tree.heads[before] in tokens:
        # "old men and women": the words before the list may belong to all of it.
        return False
    return tree.base[found.heads[0]] not in ("compound", "flat", "root", "case")


def _is_even(tree: DependencyTree, found: _List) -> bool:
    """Whether no word can belong to several parts of the list, or depend on their order."""
    kinds = [_kind(tree, part, head) for part, head in zip(found.parts, found.heads, strict=True)]
    tails = [part[-1] > head for part, head in zip(found.parts, found.heads, strict=True)]
    if tree.has_word(found.tokens, POINTING) or ("bare" in kinds[1:] and kinds[0] == "modified"):
        return False
    if "det" in kinds and not set(kinds) <= {"det", "name"}:
        return False
    # "parks and gardens of Oslo": the parks may be there, too, but Ann is not in "Ann and the gardens of Oslo".
    if all(len(part) == 1 for part in found.parts) and set(kinds) == {"name"}:
        # Two names that are always said in this order.
        return False
    return not any(tails) or all(tails) or all(kind == "name" for kind in kinds[:-1])


def _kind(tree: DependencyTree, part: Sequence[int], head: int) -> str:
    """The opening of a noun phrase: a name, a determiner, other words, or its noun."""
    if all(not tree.text(index)[0].islower() for index in part):
        return "name"
    if tree.children(head, "det", "nmod:poss", "nummod"):
        return "det"
    return "bare" if part[0] == head else "modified"


_list_rule = rule_over(_lists)


@_list_rule
def conjunct_order(tree: DependencyTree, found: _List) -> Proposals:
    """*tea and milk* -> *milk and tea*."""
    if len(found.parts) == 2 and _is_even(tree, found):
        new = found.ordered((1, 0))
        yield RewriteDraft(regrouped(tree, found.tokens, new), regrouped=((found.tokens, new),))


@_list_rule
def as_well_as(tree: DependencyTree, found: _List) -> Proposals:
    """*tea and milk* -> *tea as well as milk*."""
    tokens, before = found.tokens, tree.lowered[found.tokens[0] - 1] if found.tokens[0] else ""
    if (
        tree.lowered[found.link] != "and"
        or len(found.parts) != 2
        or before in _UNJOINED
        or tree.has_base(tokens, "nummod")
    ):
        return
    if tree.upos(found.heads[0]) != "ADJ" and tree.base[found.heads[0]] in ("obj", "obl", "nmod"):
        link = tuple(New(word, (found.link,)) for word in ("as", "well", "as"))
        new: tuple[Item, ...] = (*found.parts[0], *link, *found.parts[1])
        yield RewriteDraft(regrouped(tree, tokens, new), regrouped=((tokens, new),))


@rule
def separate_statements(tree: DependencyTree) -> Proposals:
    """*X , and Y* -> *X ; Y*, *X , but Y* -> *X ; however , Y*."""
    root = tree.root
    if root is None or tree.has_text(range(tree.size), ";", ":", "--", "``", "''", '"'):
        return
    second = tree.children(root, "conj")
    if len(second) != 1 or not tree.has_own_subject(second[0]) or not tree.has_own_subject(root):
        return
    link = tree.child(second[0], "cc")
    if link is None or link < 3 or tree.text(link - 1) != "," or tree.lowered[link] not in ("and", "but"):
        return
    if tree.subtree(second[0])[0] not in (link, link - 1) or tree.children(root, "ccomp", "parataxis", "advcl"):
        return
    contrast = [New("however", (link,)), New(",")] if tree.lowered[link] == "but" else []
    yield [*range(link - 1), New(";", (link - 1,)), *contrast, *range(link + 1, tree.size)]


@edge_rule
def relative_to_statement(tree: DependencyTree, verb: int, noun: int) -> Proposals:
    """*Ann saw the river , which was frozen* -> *Ann saw the river ; it was frozen*; *there* for *where*."""
    words, pronoun = tree.phrase(verb), tree.child(verb, "nsubj", "advmod")
    if not words or words[0] != pronoun or words[-1] + 1 != tree.end or tree.text(words[0] - 1) != ",":
        return
    if tree.has_text(range(tree.size), ";", ":", "--", "``", '"') or noun != words[0] - 2 or len(words) < 3:
        return
    new = {"which": "they" if tree.is_plural(noun) else "it", "where": "there"}.get(tree.lowered[pronoun])
    root = tree.root
    subject = None if root is None else tree.child(root, "nsubj")
    if subject is None or tree.is_plural(subject) == tree.is_plural(noun):
        # "it" and "they" might be the subject.
        return
    # In a report, what follows would no longer be reported.
    if new is not None and not any(
        tree.base[above] in ("ccomp", "advcl", "acl", "conj") for above in tree.path(verb)
    ):
        yield [*range(pronoun - 1), ";", New(new, (pronoun,)), *range(pronoun + 1, tree.size)]


@clause_rule
def participle_to_verb(clause: ClauseParts, last: Block) -> Proposals:
    """*A bomb exploded , killing two* -> *A bomb exploded and killed two*; *, which led to* for consequences."""
    tree, verb = clause.tree, last.head
    if tree.text(verb - 1) != "," or last.tokens[0] != verb or tree.lowered[verb] in _NO_ACTION:
        return
    if tree.has_own_subject(verb) or clause.is_negated or tree.tag(clause.finite) == "MD":
        return
    result = tree.lowered[verb] in _RESULTS
    tag = "VBD" if clause.past else "VBP" if clause.plural and not result else "VBZ"
    form = inflect(tree.lemmas[verb], tag)
    if form is not None:
        head = [*clause.before, *clause.subject, *clause.group, *(i for i in clause.after if i < verb - 1)]
        if "," in map(tree.text, head[len(clause.before) :]):
            # The comma may close what another one opened.
            return
        link = [New(","), New("which")] if result else [New("and")]
        yield [*head, *link, New(form, (verb,)), *last.tokens[1:]]
