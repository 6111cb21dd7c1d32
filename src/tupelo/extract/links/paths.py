"""Links of short paths within noun phrases between two names that no tuple links.

*Apple CEO Tim Cook*, *Paris, Texas*, *Australia's embassy in Chile*: each adds a tuple with the marks of its clause,
whose rule has the shape of the path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, pairwise, product

from tupelo.core import Extraction, Sentence
from tupelo.extract.anchors import examples_of
from tupelo.extract.links.phrases import LinkReader, step_label
from tupelo.extract.links.tuples import Draft
from tupelo.extract.links.wording import DESCRIPTION, DIRECT, PER_NOUN, SHARED_NOUN, Path, Pieces, VerbForm, singular
from tupelo.extract.marks import mark
from tupelo.extract.rules.verbs import form_of_be
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ASIDE
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import NOUNS

_DESCRIBING = ("appos", "nmod:desc", "compound", "flat")
_EXAMPLES = frozenset(["nmod(including)", "nmod(such)", "nmod(like)"])
_AT = words("extraction", "at")
_LOCATED = frozenset(["place", "organization", "event"])
# *the Spanish arm of Acme* does not say that Spain has it.
_BODIES = frozenset(["person", "organization", "place"])


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
            yield from _shared_noun(reader, noun)
            yield from _kinds(reader, noun)


def _described(reader: LinkReader, number: int) -> Iterator[Path]:
    """Paths by the noun beside a name: *the mayor of Lindvik, Ola Brekke*."""
    tree, head = reader.tree, reader.anchors[number].head
    first = tree.heads[head]
    beside = {*tree.children(head, "conj")}
    if tree.base[head] == "conj" and first is not None:
        beside |= {first, *tree.children(first, "conj")}
    for noun, label in _descriptions(reader, number):
        ends = list(reader.inner(noun, range(tree.size), full=True))
        concept = reader.at.get(noun)
        owned = tree.child(noun, "nmod:poss") is not None or any(end.steps[0] == "nmod(of)" for end in ends)
        if concept is not None and reader.is_node(concept) and not owned and label.endswith("appos"):
            be: Pieces = ("is", "one", "of") if tree.is_plural(noun) else ("is",)
            yield Path(number, concept, be, label, DESCRIPTION)
        for end in ends:
            if end.anchor != number and end.words and reader.anchors[end.anchor].head not in beside:
                shape = ".".join((label, *end.steps))
                confidence = DESCRIPTION * PER_NOUN ** (len(end.steps) - 1)
                yield Path(number, end.anchor, ("is", *singular(tree, noun, end.words)), shape, confidence)


def _descriptions(reader: LinkReader, number: int) -> Iterator[tuple[int, str]]:
    """Nouns that say what a name is: *CEO* in *Apple CEO Tim Cook*, *mayor* in *the mayor, Ola Brekke*."""
    tree, anchor = reader.tree, reader.anchors[number]
    head = anchor.head
    for child in tree.children(head, *_DESCRIBING):
        if _is_common_noun(reader, child) and not anchor.start <= child < anchor.end:
            yield child, tree.labels[child]
    first, above, label = number, tree.heads[head], step_label(tree, head)
    if above is not None and tree.labels[head] == "conj" and (named := reader.name_at(above)) is not None:
        # "her sons, Ann Lee and Bob"
        first, head = named, reader.anchors[named].head
        above, label = tree.heads[head], step_label(tree, head)
    before = anchor.start - 1
    if before >= 0 and head in reader.siblings(before):
        yield before, f"~{label}"
    if above is None or not _is_common_noun(reader, above):
        return
    introduces = above < head and label in ("appos", "flat", "nmod:desc", *_EXAMPLES)
    if introduces or reader.called(above) == first:
        yield above, f"^{label}"


def _is_common_noun(reader: LinkReader, index: int) -> bool:
    return reader.tree.upos(index) in NOUNS and reader.name_at(index) is None


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
    """The words for a genitive or an adjective of a place."""
    tree, label = reader.tree, reader.anchors[number].label
    owner = reader.anchors[reader.at[child]].label
    if tree.labels[child] == "nmod:poss" and owner != "place":
        return () if label == "person" else ("is", "by" if label == "work" else "of")
    if tree.labels[child] == "nmod:poss" or (
        reader.is_demonym(child) and tree.labels[child] in ("amod", "compound", "nmod:desc")
    ):
        return ("is", "in" if label == "place" else "from")
    return ()


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


def _shared_noun(reader: LinkReader, noun: int) -> Iterator[Path]:
    """*Australia's embassy in Chile*."""
    tree = reader.tree
    ends = [end for end in reader.inner(noun, range(tree.size)) if len(end.steps) == 1]
    owners = [end for end in ends if end.steps[0].startswith(("nmod:poss", "amod", "compound", "nmod(of)"))]
    verb = "had" if form_of_be(tree, noun) in ("was", "were") else "has"
    is_body = reader.labels.get(noun) in _BODIES
    for owner, end in product(owners, ends):
        first, second = owner.steps[0], end.steps[0]
        if end.anchor == owner.anchor or not end.words:
            continue
        if _has(first, second, is_body, reader.anchors[end.anchor].label):
            yield Path(owner.anchor, end.anchor, (verb, *end.words), f"{first}^{second}", SHARED_NOUN)


def _kinds(reader: LinkReader, noun: int) -> Iterator[Path]:
    """*insects such as bees*: bees are a kind of insect."""
    kind = reader.at.get(noun)
    for example in examples_of(reader.tree, noun) if kind is not None else ():
        number = reader.at.get(example)
        if number is not None and kind is not None and reader.is_node(number) and reader.is_node(kind):
            be = "are" if reader.tree.tag(example) == "NNS" else "is"
            yield Path(number, kind, (be, "kind", "of"), "nmod(such)", DIRECT)


def _has(first: str, second: str, is_body: bool, label: str) -> bool:
    """Whether the owner by the step `first` has what is said of the name of type `label` by the step `second`."""
    if not second.startswith("nmod(") or second == first or second[5:-1] in ASIDE:
        return False
    if first == "compound":
        # "the Starbase facility in Texas" is Starbase itself.
        return False
    if first == "nmod(of)":
        return label == "place" and not is_body
    return second != "nmod(of)" or first == "nmod:poss" or not is_body


def concept_paths(reader: LinkReader, concepts: Collection[int]) -> Iterator[Path]:
    """Paths from the phrase of a concept to a name: *Solheim's team*, *the court in Bergen*, *Dutch merchants*."""
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
            elif step == "amod" and reader.origin(anchor.head) == "from":
                yield Path(number, end.anchor, (be, "from"), end.steps[0], DIRECT)


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
