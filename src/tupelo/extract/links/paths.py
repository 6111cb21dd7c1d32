"""Links of short dependency paths between two names that no tuple links.

Two kinds: what a noun phrase says of its names (*Apple CEO Tim Cook*, *Paris, Texas*), and what a verb says of names
further down in its phrases (*the government of Kenya signed an agreement with China*). Each adds a tuple with the
marks of its clause, whose rule has the shape of the path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from tupelo.core import Extraction, Sentence
from tupelo.extract.links.phrases import End, LinkReader, step_label
from tupelo.extract.links.tuples import Draft
from tupelo.extract.links.wording import Piece, Pieces, VerbForm, active, finite, is_passive, singular
from tupelo.extract.marks import mark
from tupelo.extract.parts import make_part
from tupelo.extract.rules.phrases import noun_phrase
from tupelo.extract.rules.verbs import form_of_be, is_predicate, verb_group
from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.reporting import SPEECH_VERBS
from tupelo.nlp.syntax import DependencyTree

NAME = "paths"
_VERSION = "1"
# How probably a path of each shape says what its link says.
_DESCRIPTION, _DIRECT, _SHARED_NOUN, _CLAUSE = 0.85, 0.85, 0.6, 0.75
_PER_NOUN = 0.93
_MOST_STEPS = 4
_MOST_WORDS = 7
_DESCRIBING = ("appos", "nmod:desc", "compound", "flat")
_AT = frozenset(["in", "at", "on", "near", "within", "off", "outside"])
_EXAMPLES = frozenset(["nmod(including)", "nmod(such)", "nmod(like)"])
_DASHES = frozenset(["-", "–", "—", ";", "--"])
_LOCATED = frozenset(["place", "organization", "event"])
# Kinds of things that an adjective locates, so that *the Spanish arm of Acme* says nothing of Spain having an arm.
_BODIES = frozenset(["person", "organization", "place"])
# What these open says when, why or except whom; it is not said of the names in it.
_ASIDE = word_set(
    "during according despite since until before after without except due because following given amid than as like "
    "unlike throughout besides including"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """Two names, the relation in the words of the sentence, the arguments it stands between, and its shape."""

    subject: int
    object: int
    pieces: Pieces
    shape: str
    confidence: float
    # Where they differ from the above: the tuple as the sentence words it.
    stated: Pieces | None = None
    first: int | None = None
    second: int | None = None


def path_links(
    reader: LinkReader, sentence: Sentence, linked: Collection[frozenset[int]]
) -> Iterator[tuple[Draft, Extraction]]:
    """Links between names, each with its tuple; `linked` are pairs of anchors that have one."""
    anchors = reader.anchors

    def referents(pair: Collection[int]) -> frozenset[int | None]:
        return frozenset(anchors[number].referent for number in pair)

    known = {referents(pair) for pair in linked}
    for found in (*_in_phrases(reader), *_in_clauses(reader)):
        pair = referents((found.subject, found.object))
        if len(pair) == 2 and pair not in known:
            known.add(pair)
            yield Draft(found.subject, found.object, found.pieces), _tuple(reader, sentence, found)


def _tuple(reader: LinkReader, sentence: Sentence, found: _Found) -> Extraction:
    tree = reader.tree
    stated = found.stated or found.pieces
    words = [piece.text if isinstance(piece, VerbForm) else piece for piece in stated]
    ends = [
        make_part(tree.analysis, range(anchor.start, anchor.end) if head is None else noun_phrase(tree, head).tokens)
        for anchor, head in (
            (reader.anchors[found.subject], found.first),
            (reader.anchors[found.object], found.second),
        )
    ]
    labels = [reader.anchors[number].label for number in (found.subject, found.object)]
    extraction = Extraction(
        sentence,
        make_part(tree.analysis, words),
        ends[0],
        (ends[1],),
        confidence=round(found.confidence, 4),
        extractor=NAME,
        extractor_version=_VERSION,
        rule=f"path/{labels[0]} {found.shape} {labels[1]}",
    )
    return mark(extraction, tree.analysis, tree)


def _in_phrases(reader: LinkReader) -> Iterator[_Found]:
    tree = reader.tree
    everywhere = range(tree.size)
    for number in sorted(reader.named):
        anchor = reader.anchors[number]
        if anchor.kind != "name":
            continue
        for noun, label in _descriptions(reader, number):
            beside = {*tree.children(anchor.head, "conj"), *_conjuncts(tree, anchor.head)}
            for end in reader.inner(noun, everywhere, full=True):
                if end.anchor != number and end.words and reader.anchors[end.anchor].head not in beside:
                    shape = ".".join((label, *end.steps))
                    confidence = _DESCRIPTION * _PER_NOUN ** (len(end.steps) - 1)
                    yield _Found(number, end.anchor, ("is", *singular(tree, noun, end.words)), shape, confidence)
        if not reader.is_demonym(anchor.head):
            yield from _beside(reader, number)
        yield from _life(reader, number)
    for noun in everywhere:
        if tree.upos(noun) == "NOUN" and reader.name_at(noun) is None:
            yield from _shared_noun(reader, noun)


def _conjuncts(tree: DependencyTree, head: int) -> list[int]:
    """The words that a word is coordinated with, where it is not the first."""
    first = tree.heads[head]
    return [first, *tree.children(first, "conj")] if first is not None and tree.base[head] == "conj" else []


def _descriptions(reader: LinkReader, number: int) -> Iterator[tuple[int, str]]:
    """Nouns that say what a name is: *CEO* in *Apple CEO Tim Cook*, *mayor* in *the mayor, Ola Brekke*."""
    tree, anchor = reader.tree, reader.anchors[number]
    head = anchor.head
    for child in tree.children(head, *_DESCRIBING):
        is_noun = tree.upos(child) == "NOUN" or (tree.upos(child) == "PROPN" and reader.name_at(child) is None)
        if is_noun and not anchor.start <= child < anchor.end:
            yield child, tree.labels[child]
    first = number
    above, label = tree.heads[head], step_label(tree, head)
    if above is not None and tree.labels[head] == "conj" and (named := reader.name_at(above)) is not None:
        # "her sons, Ann Lee and Bob"
        first, head = named, reader.anchors[named].head
        above, label = tree.heads[head], step_label(tree, head)
    before = anchor.start - 1
    if before >= 0 and head in reader.siblings(before):
        yield before, f"~{label}"
    if (
        above is None
        or above > head
        or tree.upos(above) not in ("NOUN", "PROPN")
        or reader.name_at(above) is not None
    ):
        return
    if reader.called(above) == first or label in ("appos", "flat", "nmod:desc", *_EXAMPLES):
        yield above, f"^{label}"


def _beside(reader: LinkReader, number: int) -> Iterator[_Found]:
    """Names that depend on a name: *Paris, Texas*, *Norway's Statoil*, *Rihanna's Loud*, *the Louvre in Paris*."""
    tree, anchor = reader.tree, reader.anchors[number]
    around = reader.around(number) if anchor.label == "place" else []
    if anchor.label == "place" and (after := _place_after(reader, number)) is not None and after not in around:
        around.append(after)
    for inner, outer in (*pairwise((number, *around)), *product((number,), around[1:])):
        yield _Found(inner, outer, ("is in",), step_label(tree, reader.anchors[outer].head), _DIRECT)
    for child in (below for token in range(anchor.start, anchor.end) for below in tree.below[token]):
        other = reader.name_at(child)
        if other is None or other == number or anchor.start <= child < anchor.end:
            continue
        label, target = tree.labels[child], reader.anchors[other]
        case = [token for token in tree.children(child, "case") if tree.tag(token) != "POS"]
        words: Pieces | None = None
        located = False
        if other in around:
            words = ("is in",)
        elif (label == "nmod:poss" and target.label == "place") or (
            reader.is_demonym(child) and label in ("amod", "compound", "nmod:desc")
        ):
            words = ("is in",) if anchor.label == "place" else ("is from",)
        elif label == "nmod:poss" and anchor.label == "work":
            words = ("is by",)
        elif label == "nmod:poss" and anchor.label != "person":
            words = ("is of",)
        elif label == "nmod" and len(case) == 1:
            preposition = tree.lowered[case[0]]
            if preposition == "including":
                words = ("includes",)
            located = preposition in _AT and target.label == "place" and not reader.is_demonym(child)
            is_theirs = preposition == "of" and anchor.label == "person" and target.label == "organization"
            if (located and anchor.label in _LOCATED) or preposition in ("by", "from") or is_theirs:
                words = ("is", case[0])
        if words is not None:
            for one in (other, *(reader.around(other) if located else ())):
                yield _Found(number, one, words, step_label(tree, child), _DIRECT)


def _place_after(reader: LinkReader, number: int) -> int | None:
    """The place of the phrase right after a place, wherever the parser attached it: *in Lima in northern Peru*."""
    tree, index = reader.tree, reader.anchors[number].end
    if index + 1 < tree.size and tree.text(index) == ",":
        index += 1
    if index + 1 >= tree.size or tree.lowered[index] != "in" or tree.base[index] != "case":
        return None
    head = tree.heads[index]
    found = None if head is None else reader.main(head, range(tree.size))
    if found is None or found == number or not reader.is_name(found) or reader.anchors[found].label != "place":
        return None
    same = tree.heads[reader.anchors[number].head] == tree.heads[head] if head is not None else False
    return found if same else None


def _life(reader: LinkReader, number: int) -> Iterator[_Found]:
    """Where a person was born and died: *Ann Lee (1 May 1874, in Oslo – 6 January 1915, in Rome)*."""
    tree, anchors = reader.tree, reader.anchors
    start = anchors[number].end
    if anchors[number].label != "person" or start + 1 >= tree.size or tree.text(start) not in ("(", "-LRB-"):
        return
    words, dates = "was born in", 0
    for index in range(start + 1, tree.size):
        if tree.text(index) in (")", "-RRB-") or tree.upos(index) in ("VERB", "AUX"):
            return
        found = reader.at.get(index)
        if tree.text(index) in _DASHES and dates:
            words = "died in"
        elif found is not None and index == anchors[found].start:
            dates += anchors[found].label == "datetime"
            if dates and anchors[found].label == "place" and anchors[found].kind == "name":
                yield _Found(number, found, tuple(words.split()), "life", _DIRECT)


def _shared_noun(reader: LinkReader, noun: int) -> Iterator[_Found]:
    """*Australia's embassy in Chile*, *the border between Norway and Sweden*."""
    tree = reader.tree
    ends = [end for end in reader.inner(noun, range(tree.size)) if len(end.steps) == 1]
    owners = [end for end in ends if end.steps[0].startswith(("nmod:poss", "amod", "compound", "nmod(of)"))]
    verb = "had" if form_of_be(tree, noun) in ("was", "were") else "has"
    body = reader.labels.get(noun) in _BODIES
    for owner in owners:
        for end in ends:
            step = end.steps[0]
            if end.anchor == owner.anchor or not step.startswith("nmod(") or step == owner.steps[0]:
                continue
            if owner.steps[0] == "nmod(of)" and (reader.anchors[end.anchor].label != "place" or body):
                continue
            if step == "nmod(of)" and not owner.steps[0].startswith("nmod:poss") and body:
                continue
            if step[5:-1] in _ASIDE or not end.words:
                continue
            shape = f"{owner.steps[0]}^{step}"
            yield _Found(owner.anchor, end.anchor, (verb, *end.words), shape, _SHARED_NOUN)
    named = [end for end in owners if end.steps[0] == "compound" and reader.is_name(end.anchor)]
    for owner in owners:
        # "Sega's Sonic Team division"
        if owner.steps[0] == "nmod:poss" and body and named and reader.anchors[named[0].anchor].label != "place":
            yield _Found(named[0].anchor, owner.anchor, ("is", *owner.words), "compound^nmod:poss", _SHARED_NOUN)
    between = [end for end in ends if end.steps[0] == "nmod(between)"]
    if len(between) == 2 and (tree.lemmas[noun] == "border" or reader.labels.get(noun) != "place"):
        words = (verb, *reader.noun(noun), "with")
        yield _Found(between[0].anchor, between[1].anchor, words, "nmod(between)^conj", _SHARED_NOUN)


def _in_clauses(reader: LinkReader) -> Iterator[_Found]:
    tree = reader.tree
    for verb in range(tree.size):
        if not is_predicate(tree, verb):
            continue
        subject = subject_of(tree, verb)
        if subject is None:
            continue
        passive = tree.child(verb, "aux:pass", "nsubj:pass") is not None or _is_bare_participle(tree, verb)
        group = finite(tree, _group(tree, verb, subject), plural=tree.is_plural(subject))
        if tree.upos(verb) == "ADJ":
            group = (*group, verb)
        for target, opening, label in _complements(reader, verb):
            yield from _clause(reader, verb, group, (subject, target), opening, label, passive)


def _clause(
    reader: LinkReader,
    verb: int,
    group: Pieces,
    tops: tuple[int, int],
    opening: Pieces,
    label: str,
    passive: bool,
) -> Iterator[_Found]:
    tree = reader.tree
    copular = label == "cop"
    for first in _subjects(reader, tops[0]):
        for second in _ends(reader, tops[1], full=copular):
            steps = len(first.steps) + len(second.steps) + 2 - copular
            if steps > _MOST_STEPS or (copular and first.steps) or reader.is_pronoun(second.anchor):
                continue
            if second.steps and not copular and any(reader.is_hollow(w) for w in second.words if isinstance(w, int)):
                continue
            stated = (*group, *opening)
            subject, other, words = first.anchor, second.anchor, (*first.nouns, *stated, *second.words)
            turned = passive and label == "obl:agent" and is_passive(tree, group, verb)
            if turned:
                subject, other = other, subject
                words = (*second.nouns, *active(tree, group, verb))
                if first.steps or len(second.steps) > 1:
                    continue
            if len(words) > _MOST_WORDS:
                continue
            shape = ".".join((*reversed(first.steps), "nsubj")) + "^" + ".".join((label, *second.steps))
            confidence = _CLAUSE * _PER_NOUN ** (steps - 2)
            yield _Found(subject, other, words, shape, confidence, stated, tops[0], tops[1])


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
    tree = reader.tree
    inside = set(range(tree.size))
    main = reader.main(top, inside)
    if main is not None and main in reader.named:
        yield from map(End, reader.alike(top, inside))
    if main is None or not reader.is_name(main):
        yield from reader.inner(top, inside, full=full)


def _is_bare_participle(tree: DependencyTree, verb: int) -> bool:
    return tree.tag(verb) == "VBN" and tree.labels[verb] in ("acl", "advcl") and tree.child(verb, "aux") is None


def _group(tree: DependencyTree, verb: int, subject: int) -> Pieces:
    """The words of a predicate, with those of the verb that governs an infinitive."""
    group: list[Piece] = list(verb_group(tree, verb, form_of_be(tree, subject)))
    head = tree.heads[verb]
    if tree.base[verb] == "xcomp" and head is not None and is_predicate(tree, head) and not tree.child(head, "obj"):
        group = [*verb_group(tree, head, form_of_be(tree, subject)), *group]
    return tuple(group)


def subject_of(tree: DependencyTree, verb: int) -> int | None:
    """The noun that a predicate says something of, also where it shares it with the verb above."""
    seen = {verb}
    while True:
        subject = tree.child(verb, "nsubj")
        head = tree.heads[verb]
        if subject is not None:
            relative = tree.labels[verb] == "acl:relcl" and tree.lowered[subject] in ("who", "which", "that")
            return head if relative else subject
        if head is None or head in seen or tree.child(verb, "csubj", "expl") is not None:
            return None
        label = tree.labels[verb]
        if label == "acl":
            return head if tree.tag(verb) in ("VBN", "VBG") else None
        if label == "acl:relcl" or (label not in ("conj", "xcomp", "advcl")):
            return None
        if label == "xcomp" and (controlled := tree.child(head, "obj")) is not None:
            return controlled
        if label == "advcl" and tree.tag(verb) not in ("VBG", "VBN"):
            return None
        seen.add(head)
        verb = head


def _complements(reader: LinkReader, verb: int) -> Iterator[tuple[int, Pieces, str]]:
    """What follows a predicate: the top of each phrase, its preposition, its label."""
    tree = reader.tree
    if tree.child(verb, "cop") is not None and tree.upos(verb) in ("NOUN", "PROPN"):
        yield verb, noun_phrase(tree, verb).preposition, "cop"
        for other in tree.children(verb, "conj"):
            if tree.upos(other) in ("NOUN", "PROPN") and subject_of(tree, other) == subject_of(tree, verb):
                yield other, noun_phrase(tree, other).preposition, "cop"
        return
    if tree.upos(verb) not in ("VERB", "ADJ"):
        return
    direct = tree.child(verb, "obj")
    for child in tree.children(verb, "obj", "iobj", "obl"):
        if tree.entity[child] == "datetime" or tree.upos(child) not in ("NOUN", "PROPN", "PRON"):
            continue
        words: Pieces = noun_phrase(tree, child).preposition
        label = tree.labels[child]
        if tree.base[child] != "obl" and tree.lemmas[verb] in SPEECH_VERBS:
            continue
        if tree.base[child] == "obl":
            if not words or (isinstance(words[0], int) and tree.lowered[words[0]] in _ASIDE):
                continue
            if direct is not None and direct < child and tree.upos(direct) == "NOUN":
                words = (*reader.noun(direct), *words) if reader.name_at(direct) is None else words
            label = step_label(tree, child)
            label = "obl:agent" if label.startswith("obl:agent") else label
        yield child, words, label
