"""The links of a sentence between the things in it: those of its tuples, and of short paths between its names.

Every link has a tuple. A path between two names that no tuple links, such as that of *Apple CEO Tim Cook*, adds one,
whose rule is `path/` and the shape of the path.
"""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Analysis, Extraction, SentenceTuples
from tupelo.core.statement import Anchor, Link, LinkedSentence, Referent
from tupelo.extract.links.paths import path_links
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.links.reading import TupleReading
from tupelo.extract.links.tuples import NOT_IN_SENTENCE, REPEATED, Draft, drafts_of
from tupelo.extract.links.wording import claimed, key, wording
from tupelo.extract.parts import sentence_of
from tupelo.nlp.syntax import DependencyTree

__all__ = ["find_links"]

_ASSERTED = frozenset(["asserted", "reported"])
# Relations of paths that say little alone: of a name these, of what has none any other place, too.
_SAY_LITTLE = frozenset(["is of", "is by", "are of", "are from", "is from", "are in", "are on"])
_OWNING, _BEING = frozenset(["has", "had"]), frozenset(["is", "are", "was", "were"])


def find_links(
    analysis: Analysis,
    extractions: Sequence[Extraction],
    anchors: Sequence[Anchor],
    referents: Sequence[Referent],
    tree: DependencyTree | None = None,
    before: LinkReader | None = None,
) -> LinkedSentence:
    """The links of a sentence; its tuples are the given ones and those that paths add.

    `referents` are those of its passage, each at the place of its number; `before` reads the sentence before. A link
    without an object leads to an anchor without words, after the given ones.
    """
    anchors = [*anchors, Anchor(0, 0, 0, "value", "", "")]
    reader = LinkReader(tree or DependencyTree(analysis), anchors, referents)
    sentence = extractions[0].sentence if extractions else sentence_of(analysis)
    tuples = list(extractions)
    links: dict[tuple[object, ...], Link] = {}
    unlinked: list[str | None] = []

    def add(drafts: Sequence[Draft], extraction: Extraction, number: int) -> bool:
        # The same with other qualifiers is another mention of it.
        further = frozenset(argument.text for argument in extraction.arguments)
        new = False
        for draft in drafts:
            link = _link(reader, draft, extraction, number)
            ends = (anchors[link.subject], anchors[link.object])
            identity = (
                *((end.start, end.end) if end.referent is None else end.referent for end in ends),
                link.key,
                extraction.stance,
                further if link.beside else None,
            )
            if identity not in links:
                links[identity] = link
                new = True
        return new

    for number, extraction in enumerate(extractions):
        drafts, reason = drafts_of(reader, extraction)
        new = add(drafts, extraction, number)
        unlinked.append(None if new else REPEATED if drafts else reason or NOT_IN_SENTENCE)
    linked = {frozenset((link.subject, link.object)) for link in links.values()}
    for draft, extraction in path_links(reader, sentence, linked):
        if add([draft], extraction, len(tuples)):
            tuples.append(extraction)
            unlinked.append(None)
    parts = [
        [next((main for main in reader.mains(argument) if main is not None), None) for argument in item.arguments]
        for item in tuples
    ]
    return LinkedSentence(
        SentenceTuples(sentence, tuple(tuples), analysis.start, analysis.partial),
        anchors,
        list(links.values()),
        parts,
        unlinked,
        *_texts(reader, before, referents, tuples, parts, len(extractions)),
    )


def _texts(
    reader: LinkReader,
    before: LinkReader | None,
    referents: Sequence[Referent],
    tuples: Sequence[Extraction],
    parts: Sequence[Sequence[int | None]],
    given: int,
) -> tuple[list[str], list[str]]:
    """Each tuple as a sentence, alone and with what its pronouns point to.

    A path that says little alone is read in the given tuple that holds its ends.
    """
    readings = [TupleReading(reader, referents, *pair) for pair in zip(tuples, parts, strict=True)]
    texts = [str(one) for one in readings]
    told = [one.in_context(text, before) for one, text in zip(readings, texts, strict=True)]
    words = [{token for part in one.arguments for token in part.tokens or ()} for one in tuples]
    for number in range(given, len(tuples)):
        relation = tuples[number].rel.text.lower()
        first, *after = relation.split() or [""]
        named = all(at is None or reader.is_name(at) for at in parts[number])
        if relation in _SAY_LITTLE or first in _OWNING or (not named and first in _BEING and len(after) == 1):
            holder = next((at for at in range(given) if words[number] <= words[at]), number)
            texts[number], told[number] = texts[holder], told[holder]
    return texts, told


def _link(reader: LinkReader, draft: Draft, extraction: Extraction, number: int) -> Link:
    asserted = extraction.stance in _ASSERTED
    confidence = None if extraction.confidence is None else round(extraction.confidence * draft.share, 4)
    relation = wording(reader.tree, draft.pieces, asserted=asserted) or extraction.rel.text.lower()
    return Link(
        number,
        draft.subject,
        draft.object,
        relation,
        key(reader.tree, draft.pieces if asserted else claimed(reader.tree, draft.pieces)) or relation,
        confidence,
        draft.beside,
    )
