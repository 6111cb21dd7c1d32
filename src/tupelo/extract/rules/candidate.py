"""All tuples that the rules can make of a sentence, good and doubtful ones, each with its rule.

A clause is told in two shapes. As a whole: *(Graner; handcuffed; him; to the
bars; at noon)*. And in pieces, one fact each: *(Graner; handcuffed; him)*,
*(Graner; handcuffed him to; the bars)*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from tupelo.core import Analysis
from tupelo.extract.roles import role_of
from tupelo.extract.rules.clauses import Clause, clauses, group_of
from tupelo.extract.rules.complements import Complement
from tupelo.extract.rules.nouns import noun_relations
from tupelo.extract.rules.phrases import Phrase, atoms, noun_phrase
from tupelo.extract.rules.subjects import SubjectFinder
from tupelo.extract.rules.verbs import Pieces
from tupelo.extract.tree import Tree
from tupelo.extract.words import SPEECH_VERBS

# Tuples that one clause may be split into.
_MOST_SPLIT = 16
# What goes into the relation of the facts that follow.
_CARRIED = frozenset(["obj", "xcomp", "predicate", "relative", "iobj"])
# Nouns inside nouns that are followed down.
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tuple as word numbers and implied words; `roles` belong to `complements`."""

    rule: str
    shape: str
    predicate: int | None
    subject: Pieces
    relation: Pieces
    complements: tuple[Pieces, ...]
    roles: tuple[str | None, ...] = ()
    features: dict[str, float] = field(default_factory=dict, compare=False)


def candidates(analysis: Analysis, tree: Tree | None = None) -> list[Candidate]:
    """Every candidate of a sentence; none when it was not parsed."""
    tree = tree or Tree(analysis)
    found: list[Candidate] = []
    subjects = SubjectFinder(tree)
    for clause in clauses(subjects):
        found.extend(_whole(tree, clause))
        found.extend(_pieces(tree, clause))
    found.extend(_speech_beside(subjects))
    for rule, subject, relation, argument in noun_relations(tree):
        if subject and argument and not set(subject) & set(argument):
            found.append(Candidate(rule, "noun", None, subject, relation, (argument,), (None,)))
    return list(dict.fromkeys(found))


def _whole(tree: Tree, clause: Clause) -> Iterator[Candidate]:
    """The clause with all its complements; coordinated ones one by one."""
    chosen = _worth_telling(clause.complements)
    for subject, *phrases in _split(clause.subjects, [part.phrases for part in chosen]):
        relation, arguments = _settle(clause.verb, phrases, subject)
        if relation is not None:
            roles = tuple(part.role for part in chosen)
            yield Candidate(
                clause.rule, "whole", clause.predicate, subject.tokens, relation, arguments, roles,
                _features(tree, clause, len(arguments)),
            )  # fmt: skip


def _pieces(tree: Tree, clause: Clause) -> Iterator[Candidate]:
    """One fact per complement; the object goes into the relation of the others."""
    parts = _worth_telling(clause.complements)
    if not parts:
        return
    carried: Pieces = ()
    for number, part in enumerate(parts):
        for subject, phrase in islice(product(clause.subjects, part.phrases), _MOST_SPLIT):
            relation, arguments = _settle((*clause.verb, *carried), [phrase], subject)
            if relation is not None:
                piece = Candidate(
                    clause.rule, "piece", clause.predicate, subject.tokens, relation, arguments, (part.role,),
                    _features(tree, clause, number),
                )  # fmt: skip
                yield piece
                if part.label not in ("ccomp", "advcl"):
                    yield from _nested(tree, piece, phrase)
        if part.label in _CARRIED and len(part.phrases) == 1:
            carried = (*carried, *part.phrases[0].whole)


def _nested(tree: Tree, base: Candidate, phrase: Phrase) -> Iterator[Candidate]:
    """One fact per noun inside an argument: *(He; served as Prime Minister of; Australia)*."""
    relation = base.relation
    for _ in range(_DEEPEST):
        inside = set(phrase.tokens)
        below = [child for child in tree.below[phrase.head] if child in inside and _opens(tree, child)]
        step = phrase
        yield from _nested_clauses(tree, base, phrase, relation)
        for child in below:
            start = tree.subtree(child)[0]
            carried = tuple(token for token in phrase.tokens if token < start)
            for part in atoms(tree, child):
                yield Candidate(
                    base.rule, "nested", base.predicate, base.subject, (*relation, *carried, *part.preposition),
                    (part.tokens,), (role_of(tree.analysis, part.whole, tree),), base.features,
                )  # fmt: skip
            step = noun_phrase(tree, child)
            following = (*relation, *carried, *step.preposition)
        if step is phrase:
            return
        phrase, relation = step, following


def _nested_clauses(tree: Tree, base: Candidate, phrase: Phrase, relation: Pieces) -> Iterator[Candidate]:
    """*(It; deals with cases involving; sanctions)*."""
    inside = set(phrase.tokens)
    for verb in tree.children(phrase.head, "acl"):
        target = tree.child(verb, "obj") or tree.child(verb, "obl")
        if verb not in inside or target is None or target < verb or tree.labels[verb] == "acl:relcl":
            continue
        for part in atoms(tree, target):
            start = min(part.whole) if part.head == target else target
            carried = tuple(token for token in phrase.tokens if token < start and token not in part.preposition)
            yield Candidate(
                base.rule, "nested", base.predicate, base.subject, (*relation, *carried, *part.preposition),
                (part.tokens,), (role_of(tree.analysis, part.whole, tree),), base.features,
            )  # fmt: skip


def _opens(tree: Tree, child: int) -> bool:
    """A noun with a preposition, after the noun that it hangs on."""
    head = tree.heads[child]
    return (
        tree.labels[child] == "nmod" and head is not None and child > head and tree.child(child, "case") is not None
    )


def _features(tree: Tree, clause: Clause, count: int) -> dict[str, float]:
    return {"complements": float(count), "subjects": float(len(clause.subjects)), "words": float(tree.size)}


def _worth_telling(complements: Sequence[Complement]) -> list[Complement]:
    parts = [part for part in complements if part.label not in ("advcl", "advcl:relcl")]
    rest = [part for part in parts if part.label != "advmod" or part.role is not None]
    return rest or parts or list(complements)


def _split(subjects: tuple[Phrase, ...], parts: list[tuple[Phrase, ...]]) -> Iterator[tuple[Phrase, ...]]:
    yield from islice(product(subjects, *parts), _MOST_SPLIT)


def _settle(verb: Pieces, phrases: list[Phrase], subject: Phrase) -> tuple[Pieces | None, tuple[Pieces, ...]]:
    """The preposition of the first argument ends the relation; later arguments keep theirs."""
    relation: list[int | str] = list(verb)
    arguments: list[Pieces] = []
    for number, phrase in enumerate(phrases):
        if set(phrase.tokens) & set(subject.tokens):
            return None, ()
        if number == 0:
            relation.extend(phrase.preposition)
            arguments.append(phrase.tokens)
        else:
            arguments.append(phrase.whole)
    return tuple(relation), tuple(arguments)


def _speech_beside(subjects: SubjectFinder) -> Iterator[Candidate]:
    """*It works, she said*: the speaker, the verb and everything around them."""
    tree = subjects.tree
    for index in range(tree.size):
        head = tree.heads[index]
        if head is None or tree.base[index] != "parataxis" or tree.lemmas[index] not in SPEECH_VERBS:
            continue
        if tree.child(index, "ccomp", "xcomp", "obj") is not None or tree.child(index, "nsubj") is None:
            continue
        content = tree.trim(tree.subtree(head, {index}))
        for subject in subjects.of(index)[1]:
            if content:
                yield Candidate(
                    "speech", "whole", index, subject.tokens, group_of(subjects, index), (tuple(content),), (None,)
                )
