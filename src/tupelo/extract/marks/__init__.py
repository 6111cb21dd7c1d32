"""Marks that qualify a tuple: negation, modality, attribution, context.

The marks depend only on the words of the relation and the parse, so they can be set on the tuples of any extractor
that provides spans. They are those of the innermost predicate of the relation, and come from every clause above it:
`standing` composes them.

- `negated`: the relation is denied, by *not* or *never*, by *no* on an argument, by *nor*, or by a word that denies
  what follows (*failed to win*, *denied that he won*, *without winning*), on one side of a contrast (*in May, not in
  June*). Two denials cancel out.
- `modality`: `possible` (can, may, perhaps, is allowed to), `probable` (likely, seems to), `necessary` (must, has to,
  was told to; orders), `future` (will, is going to), `hypothetical` (would, as if), `intended` (wants to, tried to;
  purposes), `alternative` (either … or); `None` for a plain claim.
- `attribution`: who says so and with which verb, for reported speech, direct or indirect, and for *according to*.
- `context`: an argument whose role says what it is: `condition` (the clause on which the tuple depends), `hypothesis`
  (the tuple is itself inside a condition; the text is the word that opens it), `belief` (who believes it), `question`
  (the tuple is asked, not claimed; the text says who asks).

What a sentence presupposes has none of these: *she did not know that he had left* asserts that he had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import takewhile

from tupelo.core import Analysis, Extraction, Reason
from tupelo.extract.marks.operators import is_contrast
from tupelo.extract.marks.predicates import predicates_of
from tupelo.extract.marks.standing import Marks, source_of, standing
from tupelo.nlp.syntax import VERBAL, DependencyTree

__all__ = ["Marks", "mark", "marks_of"]


def mark(extraction: Extraction, analysis: Analysis, tree: DependencyTree | None = None) -> Extraction:
    """The same tuple with its marks; unchanged when the positions of its words are unknown."""
    if extraction.rel.tokens is None:
        return extraction
    arguments = tuple(argument.tokens or () for argument in extraction.arguments)
    found = marks_of(tree or DependencyTree(analysis), extraction.rel.tokens, arguments)
    marked = replace(extraction, **{field.name: getattr(found, field.name) for field in fields(found)})
    # Only tuples that are explained have reasons by now.
    return replace(marked, reasons=(*marked.reasons, *_reasons(marked, tree))) if tree and marked.reasons else marked


def _reasons(marked: Extraction, tree: DependencyTree) -> Iterator[Reason]:
    """The words that the reservations of a tuple come from."""
    predicates = predicates_of(tree, marked.rel.tokens or ())
    for name in ("negated", "modality"):
        if getattr(marked, name):
            source = source_of(tree, predicates[-1], name) if predicates else None
            yield Reason(name, "an argument" if source is None else tree.text(source))
    if marked.attribution is not None:
        yield Reason("attribution", str(marked.attribution))
    if marked.context is not None:
        yield Reason("context", marked.context.text)


def marks_of(tree: DependencyTree, relation: tuple[int, ...], arguments: tuple[tuple[int, ...], ...]) -> Marks:
    """The marks of a relation with these words and arguments: those of its innermost predicate."""
    predicates = predicates_of(tree, relation)
    if predicates:
        found = standing(tree, predicates[-1])
        differs = sum(_is_within_contrast(tree, tokens) for tokens in arguments)
        return replace(found, negated=not found.negated) if differs % 2 else found
    noun = tree.head_of(arguments[0] if arguments else relation)
    if noun is None:
        return Marks()
    found = standing(tree, noun)
    if not arguments:
        return found
    # An implied relation, such as that of an apposition, is as open as the clause around it, unless it is of a name.
    named = tree.upos(noun) == "PROPN"
    return replace(found.framed() if named else found, negated=False, modality=None)


def _is_within_contrast(tree: DependencyTree, tokens: tuple[int, ...]) -> bool:
    """Whether words are, or are part of, a phrase for which alone the clause is denied or holds."""
    head = tree.head_of(tokens)
    above = (head, *takewhile(lambda one: tree.upos(one) not in VERBAL, tree.path(head))) if head is not None else ()
    word = next((word for word in above if is_contrast(tree, word)), None)
    # *not north but south* as a whole holds.
    return word is not None and set(tokens).isdisjoint(tree.children(word, "conj"))
