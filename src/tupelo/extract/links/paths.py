"""Links of short dependency paths between two names that no tuple links.

Two kinds: what a noun phrase says of its names (*Apple CEO Tim Cook*, *Paris, Texas*), and what a verb says of names
further down in its phrases (*the government of Kenya signed an agreement with China*). Each adds a tuple with the
marks of its clause, whose rule has the shape of the path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from tupelo.core import Extraction, Sentence
from tupelo.extract.links.noun_paths import concept_paths, noun_paths
from tupelo.extract.links.phrases import End, LinkReader, step_label
from tupelo.extract.links.tuples import Draft
from tupelo.extract.links.wording import CLAUSE, PER_NOUN, Path, Pieces, VerbForm, active, finite, is_passive
from tupelo.extract.marks import mark
from tupelo.extract.marks.predicates import subject_of
from tupelo.extract.rules.phrases import noun_phrase
from tupelo.extract.rules.verbs import form_of_be, is_predicate, verb_group
from tupelo.nlp.languages.en.grammar import ASIDE, SPEECH_VERBS
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import NOUNS, DependencyTree

_MOST_STEPS = 4
_MOST_WORDS = 7


def clause_paths(reader: LinkReader) -> Iterator[Path]:
    """Paths from the subject of a predicate to what follows it."""
    tree = reader.tree
    for verb in range(tree.size):
        subject = subject_of(tree, verb) if is_predicate(tree, verb) else None
        if subject is None:
            continue
        group = finite(tree, _group(tree, verb, subject), plural=tree.is_plural(subject))
        for target, opening, label in _complements(reader, verb):
            yield from _clause(reader, verb, (*group, *opening), (subject, target), label)


def _clause(reader: LinkReader, verb: int, stated: Pieces, tops: tuple[int, int], label: str) -> Iterator[Path]:
    tree = reader.tree
    copular = label == "cop"
    turned = label == "obl:agent" and is_passive(tree, stated, verb)
    for first in _subjects(reader, tops[0]):
        for second in _ends(reader, tops[1], full=copular):
            steps = len(first.steps) + len(second.steps) + 2 - copular
            if steps > _MOST_STEPS or (first.steps and (copular or turned)) or reader.is_pronoun(second.anchor):
                continue
            if second.steps and not copular and reader.has_hollow(second.words):
                continue
            subject, other, words = first.anchor, second.anchor, (*first.nouns, *stated, *second.words)
            if turned:
                subject, other = other, subject
                words = (*second.nouns, *active(tree, stated, verb))
            if len(words) <= _MOST_WORDS and not (turned and len(second.steps) > 1):
                shape = ".".join((*reversed(first.steps), "nsubj")) + "^" + ".".join((label, *second.steps))
                yield Path(subject, other, words, shape, CLAUSE * PER_NOUN ** (steps - 2), stated, tops)


def _subjects(reader: LinkReader, top: int) -> Iterator[End]:
    inside = range(reader.tree.size)
    main = reader.subject(top, inside)
    if main is not None and main in reader.named:
        yield End(main)
        if main == reader.main(top, inside):
            yield from (End(other) for other in reader.alike(top, inside) if other != main)
    else:
        yield from (end for end in reader.inner(top, inside) if reader.acts(top, end))


def _ends(reader: LinkReader, top: int, *, full: bool) -> Iterator[End]:
    inside = range(reader.tree.size)
    main = reader.main(top, inside)
    if main is not None and main in reader.named:
        yield from map(End, reader.alike(top, inside))
    if main is None or not reader.is_name(main):
        yield from reader.inner(top, inside, full=full)


def _group(tree: DependencyTree, verb: int, subject: int) -> Pieces:
    """The words of a predicate, with those of the verb that governs an infinitive, and an adjective itself."""
    be, head = form_of_be(tree, subject), tree.heads[verb]
    group: Pieces = verb_group(tree, verb, be)
    governed = tree.base[verb] == "xcomp" and head is not None and tree.child(head, "obj") is None
    if governed and head is not None and is_predicate(tree, head):
        group = (*verb_group(tree, head, be), *group)
    return (*group, verb) if tree.upos(verb) == "ADJ" else group


def _complements(reader: LinkReader, verb: int) -> Iterator[tuple[int, Pieces, str]]:
    """The complements of a predicate: the top of each phrase, its preposition, its label."""
    tree = reader.tree
    if tree.child(verb, "cop") is not None and tree.upos(verb) in NOUNS:
        yield verb, noun_phrase(tree, verb).preposition, "cop"
        for other in tree.children(verb, "conj"):
            if tree.upos(other) in NOUNS and subject_of(tree, other) == subject_of(tree, verb):
                yield other, noun_phrase(tree, other).preposition, "cop"
        return
    if tree.upos(verb) not in ("VERB", "ADJ") or tree.lemmas[verb] in SPEECH_VERBS:
        return
    direct = tree.child(verb, "obj")
    for child in tree.children(verb, "obj", "iobj", "obl"):
        if tree.entity[child] == "datetime" or tree.upos(child) not in (*NOUNS, "PRON"):
            continue
        words: Pieces = noun_phrase(tree, child).preposition
        label = tree.labels[child]
        if tree.base[child] == "obl":
            if not words or (isinstance(words[0], int) and tree.lowered[words[0]] in ASIDE):
                continue
            if direct is not None and direct < child and tree.upos(direct) == "NOUN":
                words = (*reader.noun(direct), *words) if reader.name_at(direct) is None else words
            label = step_label(tree, child)
            label = "obl:agent" if label.startswith("obl:agent") else label
        yield child, words, label


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
