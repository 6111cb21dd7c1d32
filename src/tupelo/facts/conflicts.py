"""Find what contradicts a claim in a source: a denial, another number or date, another name in its place."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tupelo.core import Entity, on_one_line
from tupelo.extract.marks.standing import standing
from tupelo.facts.support import Source, Support, content_lemmas
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import Agreement, FoundValue

# Content words that a sentence must share with a predicate and its dependents to be about the same thing.
_ABOUT = 3
_LIGHT_VERBS = frozenset(["be", "do", "get", "have"])
_NAME_LABELS = frozenset(["person", "organization", "place", "event", "work"])


def find_conflict(
    words: Sequence[int], relation: int | None, tree: DependencyTree, support: Support, source: Source
) -> tuple[str, int | None]:
    """What contradicts the claim, as text, and in which sentence of the source; empty if nothing does."""
    lemmas = set(content_lemmas(tree, words))
    denial = _other_polarity(words, relation, tree, source)
    if denial is not None:
        return denial
    found = [
        conflict
        for conflict in (_other_value(words, lemmas, tree, support, source), _other_name(words, lemmas, tree, source))
        if conflict is not None
    ]
    return ("; ".join(reason for reason, _ in found), found[0][1]) if found else ("", None)


def _other_polarity(
    words: Sequence[int], relation: int | None, tree: DependencyTree, source: Source
) -> tuple[str, int] | None:
    """A predicate about the same things that the claim affirms and the source denies, or vice versa.

    The relation is compared by all words of the claim; embedded predicates, verbs with subjects of their own (*said
    that pilots would not accept*) and nouns (*had no plans to sell*), by their subtrees.
    """
    if relation is not None:
        lemmas = set(content_lemmas(tree, words))
        negated = standing(tree, relation).negated
        known = [place for place in source.places(tree.lemmas[relation]) if source.shares(place[0], lemmas, _ABOUT)]
        if all(standing(source.trees[number], place).negated != negated for number, place in known):
            for number, place in known:
                other = source.trees[number]
                if not (
                    _is_narrower(tree, relation, content_lemmas(other))
                    if negated
                    else _is_narrower(other, place, lemmas)
                ):
                    return ("the source affirms it" if negated else "the source denies it"), number
    chosen = set(words)
    for word in words:
        if word == relation or not _is_predicate(tree, word):
            continue
        lemmas = set(content_lemmas(tree, [place for place in tree.subtree(word) if place in chosen]))
        known = [
            (number, place)
            for number, place in source.places(tree.lemmas[word])
            if source.trees[number].words[place].upos == tree.words[word].upos
            and source.shares(number, lemmas, _ABOUT)
        ]
        negated = _is_denied(tree, word)
        if known and all(_is_denied(source.trees[number], place) != negated for number, place in known):
            return f"the source {'affirms' if negated else 'denies'} “{tree.words[word].text}”", known[0][0]
    return None


def _is_narrower(tree: DependencyTree, predicate: int, lemmas: Collection[str]) -> bool:
    """Whether an object has a modifier beyond `lemmas`: denying *a second prize* does not deny *a prize*."""
    return any(
        tree.lemmas[place] not in lemmas
        for thing in tree.children(predicate, "obj", "nsubj:pass")
        for place in tree.children(thing, "amod", "nummod", "compound")
    )


def _is_predicate(tree: DependencyTree, place: int) -> bool:
    """Whether a word is an embedded predicate: a content verb with a subject of its own, or a noun.

    Denied nouns do not count: *no plans* of a claim may be other plans than those of the source.
    """
    if tree.words[place].upos == "NOUN":
        return not _is_denied(tree, place)
    return (
        tree.words[place].upos == "VERB"
        and tree.lemmas[place] not in _LIGHT_VERBS
        and tree.child(place, "nsubj", "nsubj:pass") is not None
    )


def _is_denied(tree: DependencyTree, place: int) -> bool:
    """Whether a predicate is negated: *would not accept*, *no plans*."""
    if tree.words[place].upos == "NOUN":
        return any(tree.lowered[child] == "no" for child in tree.below[place])
    return standing(tree, place).negated


def _other_value(
    words: Sequence[int], lemmas: set[str], tree: DependencyTree, support: Support, source: Source
) -> tuple[str, int] | None:
    """Another number or date with the same head in a sentence about the same thing, if none agrees."""
    for item, _ in values_within(words, support):
        above = _governor(tree, item.start, item.end)
        if above is None:
            continue
        own = {tree.lemmas[place] for place in range(item.start, item.end)}
        attached = [
            (number, candidate)
            for number, place in source.dependents(tree.lemmas[above])
            for candidate in source.values[number]
            if candidate.start <= place < candidate.end
        ]
        agreements = [candidate.value.compare(item.value) for _, candidate in attached]
        if Agreement.SAME in agreements:
            continue
        for (number, candidate), agreement in zip(attached, agreements, strict=True):
            if agreement is Agreement.DIFFERENT and source.shares(number, lemmas, min(2, len(lemmas - own))):
                known = _phrase(source.trees[number], candidate.start, candidate.end)
                return f"the source has {known}, not {_phrase(tree, item.start, item.end)}", number
    return None


def values_within(words: Sequence[int], support: Support) -> list[tuple[FoundValue, bool]]:
    """The numbers and dates that lie within a claim, and whether the source gives them."""
    chosen = set(words)
    return [(item, known) for item, known in support.values if chosen.issuperset(range(item.start, item.end))]


def _other_name(
    words: Sequence[int], lemmas: Collection[str], tree: DependencyTree, source: Source
) -> tuple[str, int] | None:
    """A name of the same type in the same place of the same word, in a sentence about the same thing."""
    for entity, above in names_within(words, tree):
        slot = _slot(tree, entity, above)
        own = _name_words(tree, entity)
        filled = [
            (number, candidate, _name_words(source.trees[number], candidate))
            for number, place in source.dependents(tree.lemmas[above])
            for candidate in source.trees[number].analysis.entities or ()
            if candidate.start <= place < candidate.end
            and _slot(source.trees[number], candidate, source.trees[number].heads[place]) == slot
        ]
        if any(own & known for _, _, known in filled):
            continue
        for number, candidate, _ in filled:
            if candidate.label == entity.label and source.shares(number, lemmas, 2):
                its = source.trees[number].analysis.phrase(candidate)
                return f"the source has {its}, not {tree.analysis.phrase(entity)}", number
    return None


def names_within(words: Sequence[int], tree: DependencyTree) -> list[tuple[Entity, int]]:
    """The names that lie within a claim, each with its head."""
    chosen = set(words)
    return [
        (entity, above)
        for entity in tree.analysis.entities or ()
        if entity.label in _NAME_LABELS
        and chosen.issuperset(range(entity.start, entity.end))
        and (above := _governor(tree, entity.start, entity.end)) is not None
    ]


def _governor(tree: DependencyTree, start: int, end: int) -> int | None:
    """The word outside `[start, end)` that a phrase is attached to."""
    outside = (tree.heads[place] for place in range(start, end))
    return next((head for head in outside if head is not None and not start <= head < end), None)


def _slot(tree: DependencyTree, entity: Entity, above: int | None) -> str:
    """How a name is attached to its head: its preposition, or the label of the dependency."""
    top = next((place for place in range(entity.start, entity.end) if tree.heads[place] == above), entity.start)
    marker = tree.child(top, "case")
    return tree.base[top] if marker is None else tree.lemmas[marker]


def _name_words(tree: DependencyTree, entity: Entity) -> set[str]:
    """The words of a name without its articles and prepositions."""
    return {
        tree.lowered[place]
        for place in range(entity.start, entity.end)
        if tree.words[place].upos in ("PROPN", "NOUN", "ADJ", "NUM")
    }


def _phrase(tree: DependencyTree, start: int, end: int) -> str:
    return on_one_line(tree.analysis.span(start, end).of(tree.analysis.text))
