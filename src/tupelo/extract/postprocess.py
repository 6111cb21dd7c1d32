"""Postprocessing of extracted tuples: duplicates, order, conventions, the width of arguments.

Standard arguments omit what a comma sets off and keep the rest. A *minimal* argument is its name or its head noun
with compounds, numbers and a negating *no*. A *maximal* one is the whole subtree of its head: relative clauses,
appositions, parentheticals. Clausal arguments and the relation keep their width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tupelo.core import Analysis, Argument, Extraction
from tupelo.extract.parts import pieces_of
from tupelo.extract.rules.phrases import CLAUSAL
from tupelo.nlp.languages.en.grammar import NEGATIVE_DETERMINERS, PREPOSITIONS
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree

_NAMED = frozenset(["person", "organization", "place", "event", "work"])
_WORD_PARTS = frozenset(["compound", "flat", "fixed", "goeswith", "nummod", "case"])


def resize(extraction: Extraction, analysis: Analysis, width: str) -> Extraction:
    """The same tuple with shorter or longer arguments; parts without known positions are unchanged."""
    tree = DependencyTree(analysis)
    parts = [extraction.rel, *extraction.arguments]
    resized: list[Argument] = []
    for number, argument in enumerate(extraction.arguments):
        if not argument.tokens or argument.inferred:
            resized.append(argument)
            continue
        others = (part.tokens or () for other, part in enumerate(parts, start=-1) if other != number)
        taken = {token for tokens in others for token in tokens}
        tokens = _shortest(tree, argument.tokens) if width == "minimal" else _longest(tree, argument.tokens, taken)
        resized.append(_with_pieces(argument, analysis, tokens))
    if not resized:
        return extraction
    return replace(extraction, arg1=resized[0], args=tuple(resized[1:]))


def _is_clause(tree: DependencyTree, head: int, tokens: tuple[int, ...]) -> bool:
    return tree.upos(head) in ("VERB", "AUX") or any(
        child in tokens for child in tree.children(head, "nsubj", "cop", "mark")
    )


def _shortest(tree: DependencyTree, tokens: tuple[int, ...]) -> list[int]:
    head = tree.head_of(tokens)
    if head is None or _is_clause(tree, head, tokens):
        return list(tokens)
    kept = {head}
    for entity in tree.analysis.entities or ():
        if entity.start <= head < entity.end and entity.label in _NAMED:
            kept.update(range(entity.start, entity.end))
    pending = [head]
    while pending:
        for child in tree.below[pending.pop()]:
            if child in kept:
                continue
            denies = tree.base[child] == "det" and tree.lowered[child] in NEGATIVE_DETERMINERS
            if (tree.base[child] in _WORD_PARTS and tree.tag(child) != "POS") or denies:
                kept.add(child)
                pending.append(child)
    return [token for token in tokens if token in kept] or list(tokens)


def _longest(tree: DependencyTree, tokens: tuple[int, ...], taken: set[int]) -> list[int]:
    head = tree.head_of(tokens)
    if head is None:
        return list(tokens)
    inside = set(tokens)
    predicate = tree.child(head, "cop") is not None or tree.upos(head) in ("VERB", "AUX")
    leave = set(taken)
    for child in tree.below[head]:
        if child in inside:
            continue
        label = tree.base[child]
        # Dependents that form their own tuple or belong to the clause are excluded.
        if label in ("conj", "cc", "punct", "case") or (predicate and label in CLAUSAL | {"obl", "advmod"}):
            leave.add(child)
    widened = [token for token in tree.subtree(head, leave) if token not in taken]
    return sorted(inside | set(tree.trim(widened)))


def deduplicate(extractions: Iterable[Extraction]) -> list[Extraction]:
    """Remove duplicates, keeping the most confident tuple at the position of the first.

    Two tuples are duplicates when relation and arguments have the same words, ignoring case, and both have the same
    marks (negation, modality, attribution, context).
    """

    def sureness(extraction: Extraction) -> float:
        return float("-inf") if extraction.confidence is None else extraction.confidence

    kept: dict[tuple[object, ...], Extraction] = {}
    for extraction in extractions:
        words = tuple(" ".join(part.text.casefold().split()) for part in (extraction.rel, *extraction.arguments))
        context = extraction.context.text if extraction.context else None
        key = (words, bool(extraction.negated), extraction.modality, extraction.attribution, context)
        # A dictionary keeps the position of a key whose value is replaced.
        kept[key] = max(kept.get(key, extraction), extraction, key=sureness)
    return list(kept.values())


def drop_hollow(extractions: Iterable[Extraction]) -> list[Extraction]:
    """Discard tuples without a word in the relation, the subject or any later argument."""
    return [
        extraction
        for extraction in extractions
        if extraction.arg1 is not None and all(part.text.strip() for part in (extraction.rel, *extraction.arguments))
    ]


def in_reading_order(extractions: Iterable[Extraction]) -> list[Extraction]:
    """Sort by position of the relation, then of the arguments; tuples without one come last, in input order."""
    return sorted(extractions, key=_place)


def prepositions_in_arguments(extraction: Extraction, analysis: Analysis) -> Extraction:
    """Move the prepositions at the end of the relation to the start of the next argument.

    CaRB writes *(was born in; Ann; Oslo)*, other data sets *(was born; Ann; in Oslo)*.
    """
    if not extraction.args or extraction.rel.tokens is None or extraction.args[0].tokens is None:
        return extraction
    relation = pieces_of(extraction.rel)
    cut = len(relation)
    while cut > 1 and _is_preposition(relation[cut - 1], analysis):
        cut -= 1
    if cut == len(relation):
        return extraction
    moved = _with_pieces(extraction.args[0], analysis, [*relation[cut:], *pieces_of(extraction.args[0])])
    return replace(
        extraction, rel=_with_pieces(extraction.rel, analysis, relation[:cut]), args=(moved, *extraction.args[1:])
    )


def prepositions_in_relation(extraction: Extraction) -> Extraction:
    """Move the preposition at the start of the second argument to the end of the relation, by the words alone.

    CaRB's annotations were postprocessed so (section 3 of the paper): *(Ann; was born; in Oslo)* becomes *(Ann; was
    born in; Oslo)*. Token indices move along; spans, which cannot, are dropped.
    """
    if not extraction.args or extraction.args[0].inferred or extraction.rel.inferred:
        return extraction
    first = extraction.args[0]
    word, _, rest = first.text.strip().partition(" ")
    if not rest.strip() or word.lower() not in PREPOSITIONS:
        return extraction
    relation, argument = extraction.rel.tokens, first.tokens
    longer = shorter = None
    if relation is not None and argument is not None and len(argument) == len(first.text.split()):
        longer, shorter = (*relation, argument[0]), argument[1:]
    return replace(
        extraction,
        rel=Argument(f"{extraction.rel.text} {word}".strip(), extraction.rel.role, longer),
        args=(Argument(rest.strip(), first.role, shorter), *extraction.args[1:]),
    )


def _with_pieces(part: Argument, analysis: Analysis, pieces: Sequence[int | str]) -> Argument:
    return replace(make_part(analysis, pieces, part.role), resolved=part.resolved)


def _is_preposition(piece: int | str, analysis: Analysis) -> bool:
    if isinstance(piece, str):
        return piece.lower() in ("of", "in", "at", "for", "from", "by", "to", "with", "on")
    word = analysis.words[piece]
    # A particle (*gave up*) belongs to its verb.
    return word.upos == "ADP" and not (word.deprel or "").startswith("compound")


def _place(extraction: Extraction) -> tuple[int, tuple[int, ...]]:
    if extraction.rel.tokens is None:
        return (1, ())
    starts = [part.tokens[0] for part in extraction.arguments if part.tokens]
    first = extraction.rel.tokens[0] if extraction.rel.tokens else min(starts, default=0)
    return (0, (first, *starts))
