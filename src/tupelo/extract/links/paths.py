"""Links of short paths within noun phrases between two names that no tuple links.

*Apple CEO Tim Cook*, *Paris, Texas*, *the Louvre in Paris*: each adds a tuple with the marks of its clause,
whose rule has the shape of the path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, pairwise, product

from tupelo.core import Extraction, Sentence
from tupelo.extract.anchors import examples_of
from tupelo.extract.links.phrases import LinkReader, step_label
from tupelo.extract.links.tuples import Draft
from tupelo.extract.links.wording import DESCRIPTION, DIRECT, PER_NOUN, Path, Pieces, VerbForm, singular
from tupelo.extract.marks import mark
from tupelo.nlp.languages import words
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import NOUNS

_DESCRIBING = ("appos", "nmod:desc", "compound", "flat")
_AT = words("extraction", "at")
_LOCATED = frozenset(["place", "organization", "event"])


def noun_paths(reader: LinkReader) -> Iterator[Path]:
    """Paths between two names without a verb."""
    tree = reader.tree
    for number in sorted(reader.named):
        if not reader.is_name(number):
            continue
        yield from _described(reader, number)
        if not reader.is_demonym(reader.anchors[number].head):
            yield from _places(reader, number)
            yield from _dependents(reader, number)
    for noun in range(tree.size):
        if tree.upos(noun) == "NOUN" and reader.name_at(noun) is None:
            yield from _kinds(reader, noun)


def _described(reader: LinkReader, number: int) -> Iterator[Path]:
    """Paths by the noun after a name: *Ola Brekke, mayor of Lindvik*; and before it, *Apple CEO Tim Cook*."""
    tree, anchor = reader.tree, reader.anchors[number]
    beside = tree.children(anchor.head, "conj")
    for noun in tree.children(anchor.head, *_DESCRIBING):
        if tree.upos(noun) not in NOUNS or reader.name_at(noun) is not None or anchor.start <= noun < anchor.end:
            continue
        label, ends = tree.labels[noun], list(reader.inner(noun, range(tree.size), full=True))
        concept = reader.at.get(noun)
        owned = tree.child(noun, "nmod:poss") is not None or any(end.steps[0] == "nmod(of)" for end in ends)
        if concept is not None and reader.is_node(concept) and not owned and label == "appos":
            yield Path(number, concept, ("is",), label, DESCRIPTION)
        for end in ends:
            if end.anchor != number and end.words and reader.anchors[end.anchor].head not in beside:
                shape = ".".join((label, *end.steps))
                confidence = DESCRIPTION * PER_NOUN ** (len(end.steps) - 1)
                yield Path(number, end.anchor, ("is", *singular(tree, noun, end.words)), shape, confidence)


def _places(reader: LinkReader, number: int) -> Iterator[Path]:
    """Places around a place."""
    if reader.anchors[number].label != "place":
        return
    found = reader.around(number)
    for inner, outer in (*pairwise((number, *found)), *product((number,), found[1:])):
        shape = step_label(reader.tree, reader.anchors[outer].head)
        yield Path(inner, outer, ("is", "in"), shape, DIRECT)


def _dependents(reader: LinkReader, number: int) -> Iterator[Path]:
    """Names that depend on a name: *Norway's Statoil*, *Rihanna's Loud*, *the Louvre in Paris*."""
    tree, anchor = reader.tree, reader.anchors[number]
    before, after = tree.words[anchor.end - 1], tree.words[anchor.end : anchor.end + 1]
    joined = any(word.text == "-" and word.start == before.end for word in after)
    if joined or tree.base[anchor.head] in ("compound", "amod"):
        # "Spain's European Union-wide rate": of the rate.
        return
    for child in (below for token in range(anchor.start, anchor.end) for below in tree.below[token]):
        other = reader.name_at(child)
        if other is None or other == number:
            continue
        words = _owned(reader, number, child) or _prepositional(reader, number, child)
        further = reader.around(other) if words and words[-1] in _AT else []
        for one in (other, *further) if words else ():
            yield Path(number, one, words, step_label(tree, child), DIRECT)


def _owned(reader: LinkReader, number: int, child: int) -> Pieces:
    """The words for a genitive."""
    label, owner = reader.anchors[number].label, reader.anchors[reader.at[child]].label
    if reader.tree.labels[child] != "nmod:poss":
        return ()
    if owner == "place":
        return ("is", "in" if label == "place" else "from")
    return () if label == "person" else ("is", "by" if label == "work" else "of")


def _prepositional(reader: LinkReader, number: int, child: int) -> Pieces:
    """The words for a preposition between two names."""
    tree, label = reader.tree, reader.anchors[number].label
    case = [tree.lowered[token] for token in tree.children(child, "case") if tree.tag(token) != "POS"]
    if tree.labels[child] != "nmod" or len(case) != 1:
        return ()
    preposition, target = case[0], reader.anchors[reader.at[child]].label
    located = preposition in _AT and target == "place" and label in _LOCATED and not reader.is_demonym(child)
    belongs = preposition == "of" and label == "person" and target == "organization"
    return ("is", preposition) if located or belongs or preposition in ("by", "from") else ()


def _kinds(reader: LinkReader, noun: int) -> Iterator[Path]:
    """*insects such as bees*: bees are a kind of insect."""
    kind = reader.at.get(noun)
    for example in examples_of(reader.tree, noun) if kind is not None else ():
        number = reader.at.get(example)
        if number is not None and kind is not None and reader.is_node(number) and reader.is_node(kind):
            be = "are" if reader.tree.tag(example) == "NNS" else "is"
            yield Path(number, kind, (be, "kind", "of"), "nmod(such)", DIRECT)


def concept_paths(reader: LinkReader, concepts: Collection[int]) -> Iterator[Path]:
    """Paths from the phrase of a concept to a name: *Solheim's team*, *the court in Bergen*."""
    tree = reader.tree
    for number in sorted(concepts):
        anchor = reader.anchors[number]
        if tree.child(anchor.head, "cop") is not None or tree.labels[anchor.head] == "appos":
            continue
        be = "are" if tree.is_plural(anchor.head) else "is"
        for end in reader.inner(anchor.head, range(anchor.start, anchor.end)):
            step, _, opening = end.steps[0].partition("(")
            preposition = opening.removesuffix(")")
            if len(end.steps) > 1 or reader.is_pronoun(end.anchor):
                continue
            if step == "nmod:poss" or preposition == "of":
                yield Path(end.anchor, number, ("has",), end.steps[0], DIRECT)
            elif preposition in _AT:
                yield Path(number, end.anchor, (be, preposition), end.steps[0], DIRECT)


_NAME, _VERSION = "paths", "1"
# Sentences with more names are lists.
_MOST_NAMES = 80


def path_links(
    reader: LinkReader, sentence: Sentence, linked: Collection[frozenset[int]]
) -> Iterator[tuple[Draft, Extraction]]:
    """Links between names, and between linked concepts and the names in them, each with its tuple.

    `linked` are the pairs of anchors that have a link.
    """
    anchors = reader.anchors
    if len(reader.named) > _MOST_NAMES:
        return

    def referents(pair: Collection[int]) -> frozenset[int | None]:
        return frozenset(anchors[number].referent for number in pair)

    known = {referents(pair) for pair in linked}
    concepts = {number for pair in linked for number in pair if anchors[number].kind == "concept"}
    for path in chain(noun_paths(reader), concept_paths(reader, concepts - reader.named)):
        pair = referents((path.subject, path.object))
        if len(pair) == 2 and pair not in known:
            known.add(pair)
            yield Draft(path.subject, path.object, path.pieces), _tuple(reader, sentence, path)


def _tuple(reader: LinkReader, sentence: Sentence, path: Path) -> Extraction:
    tree = reader.tree
    subject, other = reader.anchors[path.subject], reader.anchors[path.object]
    words = [piece.text if isinstance(piece, VerbForm) else piece for piece in path.pieces]
    ends = [make_part(tree.analysis, range(anchor.start, anchor.end)) for anchor in (subject, other)]
    extraction = Extraction(
        sentence,
        make_part(tree.analysis, words),
        ends[0],
        (ends[1],),
        confidence=round(path.confidence, 4),
        extractor=_NAME,
        extractor_version=_VERSION,
        rule=f"path/{subject.label} {path.shape} {other.label}",
    )
    return mark(extraction, tree.analysis, tree)
