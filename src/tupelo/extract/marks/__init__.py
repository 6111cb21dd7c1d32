"""Marks that qualify a tuple: negation, modality, attribution, context.

The marks depend only on the words of the relation and the parse, so they can be set on the tuples of any extractor
that provides spans. They are those of the innermost predicate of the relation, and come from every clause above it:
`standing` composes them.

- `negated`: the relation is denied, by *not* or *never*, by *no* on an
  argument, by *nor*, or by a word that denies what follows (*failed to win*,
  *denied that he won*, *without winning*). Two denials cancel out.
- `modality`: `possible` (can, may, perhaps, is allowed to), `probable` (likely,
  seems to), `necessary` (must, has to, was told to; orders), `future` (will, is
  going to), `hypothetical` (would, as if), `intended` (wants to, tried to;
  purposes); `None` for a plain claim.
- `attribution`: who says so and with which verb, for reported speech, direct
  or indirect, and for *according to*.
- `context`: an argument whose role says what it is: `condition` (the clause
  on which the tuple depends), `hypothesis` (the tuple is itself inside a
  condition; the text is the word that opens it), `belief` (who believes it),
  `question` (the tuple is asked, not claimed; the text says who asks).

What a sentence presupposes has none of these: *she did not know that he had left* asserts that he had.
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.core import Analysis, Extraction
from tupelo.extract.marks.operators import is_denied_phrase
from tupelo.extract.marks.predicates import predicates_of
from tupelo.extract.marks.standing import Marks, standing
from tupelo.nlp.syntax import DependencyTree

__all__ = ["Marks", "mark", "marks_of"]


def mark(extraction: Extraction, analysis: Analysis, tree: DependencyTree | None = None) -> Extraction:
    """The same tuple with its marks; unchanged when the positions of its words are unknown."""
    if extraction.rel.tokens is None:
        return extraction
    arguments = tuple(argument.tokens or () for argument in extraction.arguments)
    found = marks_of(tree or DependencyTree(analysis), extraction.rel.tokens, arguments)
    return replace(
        extraction,
        negated=found.negated,
        modality=found.modality,
        attribution=found.attribution,
        context=found.context,
    )


def marks_of(tree: DependencyTree, relation: tuple[int, ...], arguments: tuple[tuple[int, ...], ...]) -> Marks:
    """The marks of a relation with these words and arguments: those of its innermost predicate."""
    predicates = predicates_of(tree, relation)
    if predicates:
        found = standing(tree, predicates[-1])
        heads = [head for tokens in arguments if (head := tree.head_of(tokens)) is not None]
        differs = sum(_differs_from_first(tree, head) for head in heads)
        return replace(found, negated=found.negated != (differs % 2 == 1))
    noun = tree.head_of(arguments[0] if arguments else relation)
    if noun is None:
        return Marks()
    found = standing(tree, noun)
    if not arguments:
        return found
    # An implied relation, such as that of an apposition, is as open as the clause around it, unless it is of a name.
    named = tree.upos(noun) == "PROPN"
    return replace(found.framed() if named else found, negated=False, modality=None)


def _differs_from_first(tree: DependencyTree, noun: int) -> bool:
    """*met a doctor and no lawyers*, *met no doctor but two lawyers*: of coordinated nouns only one is denied."""
    first = tree.heads[noun]
    if tree.base[noun] != "conj" or first is None or tree.upos(noun) not in ("NOUN", "PROPN", "PRON"):
        return False
    joint = {tree.lowered[child] for child in tree.children(noun, "cc")}
    if is_denied_phrase(tree, first):
        return "but" in joint and not is_denied_phrase(tree, noun)
    return "nor" not in joint and is_denied_phrase(tree, noun)
