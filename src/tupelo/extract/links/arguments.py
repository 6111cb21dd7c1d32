"""The arguments of a tuple as links read them: their anchors, and the words from the subject to each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from tupelo.core import Argument, Extraction
from tupelo.extract.anchors import heads_of, meant_nouns
from tupelo.extract.links.phrases import End, LinkReader
from tupelo.extract.links.wording import LATER_ARGUMENT, PER_INNER_NOUN, Piece, Pieces, finite
from tupelo.extract.parts import pieces_of
from tupelo.nlp.languages.en.grammar import ASIDE, HOLLOW_NOUNS, MEASURES
from tupelo.nlp.syntax import NOUNS, DependencyTree

MOST_WORDS = 7
# Steps after which a noun says nothing without the name: *member of*, *Ann's brother*, *Apple CEO*.
OWNERS = ("nmod(of)", "nmod:poss", "compound")
_OPENING = frozenset(["ADP", "SCONJ", "PART", "ADV"])
_RELATING = frozenset(["VERB", "AUX", "ADP", "NOUN", "PROPN", "PART", "ADV", "SCONJ", "ADJ"])


@dataclass(frozen=True, slots=True)
class Part:
    """An argument after the first: its number, the preposition that opens it, what it stands for, the names in it.

    `around` are further names of which the same is said: those coordinated with it, and places around a place.
    """

    number: int
    argument: Argument
    heads: tuple[int, ...]
    opening: Pieces
    mains: tuple[int, ...]
    around: tuple[int, ...]
    inner: tuple[End, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A possible object of a link, the words that lead to it, and the numbers of the other arguments.

    `agent`: it does what the passive verb says of the subject.
    """

    end: End
    pieces: Pieces
    share: float
    beside: tuple[int, ...]
    agent: bool = False


def relation_of(reader: LinkReader, extraction: Extraction) -> Pieces:
    """The words of the relation; nouns of an object inside it without their articles and adjectives."""
    tree = reader.tree
    pieces = [piece for piece in pieces_of(extraction.rel) if not _is_word(tree, piece, ("that",), "mark")]
    # *one of* and *a number of* stand before what is meant.
    measures = {
        place + step
        for place, (noun, of) in enumerate(pairwise(pieces))
        if _is_word(tree, noun, MEASURES) and _is_word(tree, of, ("of",))
        for step in (0, 1)
    }
    kept = tuple(piece for place, piece in enumerate(pieces) if place not in measures and _relates(tree, piece))
    subject = tree.head_of(extraction.arg1.tokens or ()) if extraction.arg1 is not None else None
    return finite(tree, kept, plural=subject is not None and tree.is_plural(subject))


def _is_word(tree: DependencyTree, piece: Piece, listed: Collection[str], label: str | None = None) -> bool:
    """Whether a piece is one of some words of the sentence, and has a label."""
    return isinstance(piece, int) and tree.lowered[piece] in listed and label in (None, tree.base[piece])


def _relates(tree: DependencyTree, piece: Piece) -> bool:
    if not isinstance(piece, int):
        return True
    is_beside = tree.upos(piece) in ("NOUN", "PROPN", "ADJ") and tree.base[piece] in ("amod", "conj")
    return tree.upos(piece) in _RELATING and not is_beside


def part_of(reader: LinkReader, extraction: Extraction, number: int) -> Part:
    tree = reader.tree
    argument = extraction.arguments[number]
    tokens = argument.tokens or ()
    heads = heads_of(tree, argument)

    def opens(token: int) -> bool:
        """Whether a word at the start leads to the argument; not the first word of *In Tune*."""
        return (tree.upos(token) in _OPENING or tree.base[token] == "case") and reader.name_at(token) is None

    # Not in the order of the sentence where a relative clause opens with the preposition: *with whom he lives*.
    opening = tuple(takewhile(opens, tokens))
    inside = set(tokens)
    meant = [one for head in heads for one in (head, *meant_nouns(tree, head, inside)[1:])]
    mains = tuple(dict.fromkeys(main for one in meant if (main := reader.main(one, inside)) is not None))
    copular = is_copular(reader, extraction) and number == 1
    inner = tuple(
        end
        for head in heads
        if (main := reader.main(head, inside)) is None or not reader.is_name(main)
        for end in reader.inner(head, inside, full=copular)
    )
    around = tuple(place for head in heads for place in reader.alike(head, inside) if place not in mains)
    return Part(number, argument, tuple(heads), opening, mains, around, inner)


def is_copular(reader: LinkReader, extraction: Extraction) -> bool:
    """Whether the relation is a form of *be* and nothing else."""
    tree = reader.tree
    tokens = extraction.rel.tokens or ()
    words = [token for token in tokens if tree.upos(token) not in ("ADV", "PART")]
    if not words:
        return extraction.rel.text in ("is", "are", "was", "were")
    return all(tree.lemmas[token] == "be" or tree.base[token] in ("aux", "cop") for token in words)


def targets_of(reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[Part]) -> list[Target]:
    """The possible objects of a link: what somebody says, else things, else the first time."""
    tree, anchors = reader.tree, reader.anchors
    clause = next((part for part in parts if any(anchors[main].kind == "statement" for main in part.mains)), None)
    # A clause may also say when or why.
    is_content = clause is not None and all(tree.base[head] not in ("advcl", "acl", "xcomp") for head in clause.heads)
    if clause is not None and clause.argument.role is None and is_content:
        # *told* for *told reporters*
        verbs = (piece for piece in relation if not isinstance(piece, int) or tree.upos(piece) not in NOUNS)
        return [Target(End(clause.mains[0]), tuple(verbs), 1.0, _others(parts, clause.number))]
    shorter = bare(tree, relation)
    found: list[Target] = []
    for part in parts:
        # Some arguments are attached to another one, such as *all in Norway*.
        further = part.number > 1 and bool(part.heads)
        is_own = not further or tree.base[part.heads[0]] not in ("appos", "nmod", "parataxis", "acl")
        if part.argument.kind != "time" and part is not clause and is_own:
            found += _things(reader, extraction, relation, parts, part, alone=not found)
    if found:
        return found
    times = [
        Target(
            End(main), (*(relation if part.number == 1 else shorter), *part.opening), 1.0, _others(parts, part.number)
        )
        for part in parts
        for main in part.mains
        if part.argument.kind == "time" and anchors[main].kind == "value"
    ]
    return times[:1]


def bare(tree: DependencyTree, relation: Pieces) -> Pieces:
    """A relation without the preposition at its end, which belongs to the first argument."""
    while (
        relation
        and isinstance(last := relation[-1], int)
        and tree.upos(last) == "ADP"
        and tree.labels[last] != "compound:prt"
    ):
        relation = relation[:-1]
    return relation


def _things(
    reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[Part], part: Part, *, alone: bool
) -> Iterator[Target]:
    """The nodes and values of an argument; of a later one only names, unless it is `alone`."""
    tree, anchors, first = reader.tree, reader.anchors, part.number == 1
    if any(_is_word(tree, word, ASIDE) for word in part.opening):
        # With its own preposition it says when, why, like or except whom.
        return
    shorter = bare(tree, relation)
    if first:
        # An argument from the front of the sentence has its preposition with it: *after two days, talks ended*.
        words = (*relation, *part.opening, *_quality(reader, parts))
    elif _needs_object(reader, parts[0], part):
        return
    else:
        words = (*shorter, *_carried(reader, parts[0], direct=len(shorter) == len(relation)), *part.opening)
    copular = is_copular(reader, extraction)
    by = any(_is_word(tree, word, ("by",)) for word in words[-1:])
    agent = by and bool(part.heads) and _label(tree, part.heads[0]) == "obl:agent"
    share = 1.0 if first else LATER_ARGUMENT
    beside = _others(parts, part.number)
    owned = any(end.steps[0].startswith(OWNERS) for end in part.inner)
    for main in (*part.mains, *part.around):
        anchor = anchors[main]
        is_wanted = extraction.rule != "apposition" if anchor.kind == "value" else reader.is_node(main)
        if anchor.kind == "concept" and main not in reader.named:
            # *its owner*: nobody is an owner alone.
            owners = tree.children(anchor.head, "nmod:poss")
            says_nothing = owned or (copular and any(tree.upos(child) == "PRON" for child in owners))
            is_wanted = is_wanted and (first or alone) and not (copular and says_nothing)
        if is_wanted:
            led = () if anchor.head in part.heads else light_nouns(reader, extraction, part)
            yield Target(End(main), (*words, *led), share, beside, agent)
    for end in part.inner:
        is_own = end.steps[-1] == "nmod:poss" and reader.is_pronoun(end.anchor)
        if (is_own and not copular) or (not first and (copular or reader.has_hollow(end.words))):
            continue
        if len(words) + len(end.words) <= MOST_WORDS:
            yield Target(end, (*words, *end.words), share * PER_INNER_NOUN ** len(end.steps), beside, agent)


def light_nouns(reader: LinkReader, extraction: Extraction, part: Part) -> Pieces:
    """Light nouns that lead to what an argument is about: *is part of*, *shows extent of*; not *eats lots of*."""
    tree, inside = reader.tree, set(part.argument.tokens or ())
    if not part.heads or reader.at.get(head := part.heads[0]) is not None:
        return ()
    if tree.lowered[head] in MEASURES and not is_copular(reader, extraction):
        return ()
    between = [token for token in range(head, meant_nouns(tree, head, inside)[0]) if token in inside]
    light = HOLLOW_NOUNS | MEASURES
    return tuple(token for token in between if tree.lowered[token] in light or tree.base[token] == "case")


def _needs_object(reader: LinkReader, first: Part, part: Part) -> bool:
    """Whether a phrase says nothing without the name before it: *replaced Ann with Bob*."""
    is_named = any(reader.is_name(main) for main in first.mains)
    return is_named and any(_is_word(reader.tree, word, ("with", "as", "of", "for")) for word in part.opening[:1])


def _label(tree: DependencyTree, head: int) -> str:
    """The label of a word, or of the word that it is coordinated with."""
    above = tree.heads[head]
    return tree.labels[above] if tree.labels[head] == "conj" and above is not None else tree.labels[head]


def _others(parts: list[Part], number: int) -> tuple[int, ...]:
    return tuple(part.number for part in parts if part.number != number)


def _carried(reader: LinkReader, first: Part, *, direct: bool) -> Pieces:
    """The direct object as part of the relation to a later argument: *gave right to*; a name is left out."""
    if not direct or len(first.heads) != 1 or first.argument.kind == "time":
        return ()
    tree, head = reader.tree, first.heads[0]
    is_noun = tree.upos(head) == "NOUN" and reader.name_at(head) is None and tree.base[head] in ("obj", "nsubj")
    named = any(reader.anchors[main].kind in ("name", "statement") for main in first.mains)
    return reader.noun(head) if is_noun and not named else ()


def _quality(reader: LinkReader, parts: list[Part]) -> Pieces:
    """*rich* in *made the town rich*."""
    tree, alone = reader.tree, [part.heads[0] for part in parts[1:] if len(part.heads) == 1]
    return tuple(head for head in alone if tree.base[head] == "xcomp" and tree.upos(head) == "ADJ")[:1]
