"""How a sentence qualifies a tuple: negation, modality, attribution, context.

The marks depend only on the words of the relation and the parse, so they can be set on the tuples of any extractor
that provides spans.

- `negated`: the relation is denied, by *not* or *never*, by *no* on an
  argument, by *nor*, or by a verb that denies what follows (*failed to win*).
  Two denials cancel out.
- `modality`: `possible` (can, may, perhaps), `probable` (likely, seems to),
  `necessary` (must, has to), `future` (will, is going to), `hypothetical`
  (would), `intended` (wants to, tried to; purposes); `None` for a plain claim.
- `attribution`: who says so and with which verb, for reported speech, direct
  or indirect, and for *according to*.
- `context`: an argument whose role says what it is: `condition` (the clause
  on which the tuple depends), `hypothesis` (the tuple is itself inside a
  condition; the text is the word that opens it), `belief` (who believes it),
  `question` (the tuple is asked, not claimed).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tupelo.core import Analysis, Argument, Attribution, Extraction
from tupelo.extract.marks.attribution import attribution_of, context_of
from tupelo.extract.marks.negation import is_negated, modality_of
from tupelo.extract.marks.predicates import clause_above, predicates_of
from tupelo.nlp.syntax import DependencyTree


@dataclass(frozen=True, slots=True)
class Marks:
    """What `mark` sets."""

    negated: bool = False
    modality: str | None = None
    attribution: Attribution | None = None
    context: Argument | None = None


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
    """The marks of a relation with these words and arguments."""
    predicates = predicates_of(tree, relation)
    if not predicates:
        # An implied relation, such as that of an apposition, takes its marks from the clause of its first argument.
        first = tree.head_of(arguments[0]) if arguments and arguments[0] else None
        clause = clause_above(tree, first)
        if clause is None:
            return Marks()
        return Marks(attribution=attribution_of(tree, clause, frozenset()), context=None)
    top = min(predicates, key=lambda index: (sum(1 for _ in tree.path(index)), index))
    inside = frozenset(predicates)
    heads = [head for tokens in arguments if (head := tree.head_of(tokens)) is not None]
    # Several tuples of one clause have the same predicates.
    if inside not in tree.memory:
        tree.memory[inside] = (
            modality_of(tree, predicates, top),
            attribution_of(tree, top, inside),
            context_of(tree, top, inside),
        )
    return Marks(is_negated(tree, predicates, heads), *tree.memory[inside])
