"""Links of short dependency paths between two names that no tuple links.

Two kinds: what a noun phrase says of its names (*Apple CEO Tim Cook*, *Paris, Texas*), and what a verb says of names
further down in its phrases (*the government of Kenya signed an agreement with China*). Each adds a tuple with the
marks of its clause, whose rule has the shape of the path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from tupelo.core import Extraction, Sentence
from tupelo.extract.links.clause_paths import clause_paths
from tupelo.extract.links.noun_paths import concept_paths, noun_paths
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.links.shapes import Path
from tupelo.extract.links.tuples import Draft
from tupelo.extract.links.wording import VerbForm
from tupelo.extract.marks import mark
from tupelo.extract.rules.phrases import noun_phrase
from tupelo.nlp.parts import make_part

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
    for path in chain(noun_paths(reader), clause_paths(reader), concept_paths(reader, concepts - reader.named)):
        pair = referents((path.subject, path.object))
        if len(pair) == 2 and pair not in known:
            known.add(pair)
            yield Draft(path.subject, path.object, path.pieces), _tuple(reader, sentence, path)


def _tuple(reader: LinkReader, sentence: Sentence, path: Path) -> Extraction:
    tree = reader.tree
    subject, other = reader.anchors[path.subject], reader.anchors[path.object]
    words = [piece.text if isinstance(piece, VerbForm) else piece for piece in path.stated or path.pieces]
    ends: list[Iterable[int]] = [range(anchor.start, anchor.end) for anchor in (subject, other)]
    if path.tops is not None:
        ends = [noun_phrase(tree, top).tokens for top in path.tops]
    extraction = Extraction(
        sentence,
        make_part(tree.analysis, words),
        make_part(tree.analysis, ends[0]),
        (make_part(tree.analysis, ends[1]),),
        confidence=round(path.confidence, 4),
        extractor=_NAME,
        extractor_version=_VERSION,
        rule=f"path/{subject.label} {path.shape} {other.label}",
    )
    return mark(extraction, tree.analysis, tree)
