"""The arguments of a tuple as links read them: their anchors, and the words from the subject to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tupelo.core import Argument, Extraction
from tupelo.extract.anchors import heads_of, meant_nouns
from tupelo.extract.links.phrases import End, LinkReader
from tupelo.extract.links.wording import LATER_ARGUMENT, PER_INNER_NOUN, Piece, Pieces, finite, pieces_of
from tupelo.nlp.languages.en.grammar import ASIDE, HOLLOW_NOUNS, MEASURES
from tupelo.nlp.syntax import DependencyTree

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
    pieces = tuple(piece for piece in pieces_of(extraction.rel) if not _opens_clause(reader, piece))
    kept = [
        piece
        for place, piece in enumerate(pieces)
        if not isinstance(piece, int) or (_relates(tree, piece) and not _measures(tree, pieces, place))
    ]
    subject = tree.head_of(extraction.arg1.tokens or ()) if extraction.arg1 is not None else None
    return finite(tree, tuple(kept), plural=subject is not None and tree.is_plural(subject))


def _measures(tree: DependencyTree, pieces: Pieces, place: int) -> bool:
    """Whether a word belongs to *one of* or *a number of*, before what is meant."""
    pairs = ((place, place + 1), (place - 1, place))
    words = [tuple(pieces[index] if 0 <= index < len(pieces) else "" for index in pair) for pair in pairs]
    return any(
        isinstance(noun, int) and isinstance(of, int) and tree.lowered[noun] in MEASURES and tree.lowered[of] == "of"
        for noun, of in words
    )


def _relates(tree: DependencyTree, index: int) -> bool:
    if tree.upos(index) in ("NOUN", "PROPN", "ADJ") and tree.base[index] in ("amod", "conj"):
        return False
    return tree.upos(index) in _RELATING


def _opens_clause(reader: LinkReader, piece: Piece) -> bool:
    return isinstance(piece, int) and reader.tree.lowered[piece] == "that" and reader.tree.base[piece] == "mark"


def part_of(reader: LinkReader, extraction: Extraction, number: int) -> Part:
    tree = reader.tree
    argument = extraction.arguments[number]
    tokens = argument.tokens or ()
    heads = heads_of(tree, argument)
    # Not in the order of the sentence where a relative clause opens with the preposition: *with whom he lives*.
    opening = tuple(takewhile(lambda token: _is_opening(reader, token), tokens))
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


def _is_opening(reader: LinkReader, token: int) -> bool:
    """Whether a word at the start of an argument leads to it; not the first word of *In Tune*."""
    is_preposition = reader.tree.upos(token) in _OPENING or reader.tree.base[token] == "case"
    return is_preposition and reader.name_at(token) is None


def is_copular(reader: LinkReader, extraction: Extraction) -> bool:
    """Whether the relation is a form of *be* and nothing else."""
    tree = reader.tree
    tokens = extraction.rel.tokens or ()
    words = [token for token in tokens if tree.upos(token) not in ("ADV", "PART")]
    return all(tree.lemmas[token] == "be" or tree.base[token] in ("aux", "cop") for token in words) and (
        bool(words) or extraction.rel.text in ("is", "are", "was", "were")
    )


def targets_of(reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[Part]) -> list[Target]:
    """The possible objects of a link: what somebody says, else things, else a time."""
    anchors = reader.anchors
    clause = next((part for part in parts if any(anchors[main].kind == "statement" for main in part.mains)), None)
    if clause is not None and clause.argument.role is None and _is_content(reader, clause):
        return [Target(End(clause.mains[0]), _verbs(reader, relation), 1.0, _others(parts, clause.number))]
    shorter = bare(reader.tree, relation)
    found: list[Target] = []
    for part in parts:
        if part.argument.kind != "time" and part is not clause and _depends(reader.tree, part):
            found += _things(reader, extraction, relation, shorter, parts, part, alone=not found)
    return found or list(_times(reader, relation, shorter, parts))


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
    reader: LinkReader,
    extraction: Extraction,
    relation: Pieces,
    bare: Pieces,
    parts: list[Part],
    part: Part,
    *,
    alone: bool,
) -> Iterator[Target]:
    """The nodes and values of an argument; of a later one only names, unless it is `alone`."""
    tree, anchors, first = reader.tree, reader.anchors, part.number == 1
    if _is_aside(tree, part):
        return
    if first:
        # An argument from the front of the sentence has its preposition with it: *after two days, talks ended*.
        words = (*relation, *part.opening, *_quality(reader, parts), *_given(reader, parts))
    elif any(_is_value(reader, piece) for piece in bare) or _needs_object(reader, parts[0], part):
        return
    else:
        words = (*bare, *_carried(reader, parts[0], direct=len(bare) == len(relation)), *part.opening)
    copular = is_copular(reader, extraction)
    agent = bool(part.heads) and _label(tree, part.heads[0]) == "obl:agent" and _ends_with(tree, words, "by")
    share = 1.0 if first else LATER_ARGUMENT
    beside = _others(parts, part.number)
    owned = any(end.steps[0].startswith(OWNERS) for end in part.inner)
    for main in (*part.mains, *part.around):
        anchor = anchors[main]
        is_wanted = extraction.rule != "apposition" if anchor.kind == "value" else reader.is_node(main)
        if anchor.kind == "concept" and main not in reader.named:
            says_nothing = owned or (copular and _has_owner(tree, anchor.head))
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
    tree, words = reader.tree, list[int | str]()
    for head in part.heads[:1]:
        inside = set(part.argument.tokens or ())
        meant = meant_nouns(tree, head, inside)[0]
        if meant == head or (tree.lowered[head] in MEASURES and not is_copular(reader, extraction)):
            continue
        if reader.at.get(head) is None:
            words += [
                token
                for token in range(head, meant)
                if token in inside and (tree.lowered[token] in HOLLOW_NOUNS | MEASURES or tree.base[token] == "case")
            ]
    return tuple(words)


def _times(reader: LinkReader, relation: Pieces, bare: Pieces, parts: list[Part]) -> Iterator[Target]:
    """The first time, where there is nothing else."""
    for part in parts:
        for main in part.mains:
            if part.argument.kind == "time" and reader.anchors[main].kind == "value":
                words = (*(relation if part.number == 1 else bare), *part.opening)
                yield Target(End(main), words, 1.0, _others(parts, part.number))
                return


def _depends(tree: DependencyTree, part: Part) -> bool:
    """Whether an argument belongs to the relation; some are attached to another argument, such as *all in Norway*."""
    if part.number == 1 or not part.heads:
        return True
    return tree.base[part.heads[0]] not in ("appos", "nmod", "parataxis", "acl")


def _is_aside(tree: DependencyTree, part: Part) -> bool:
    """Whether an argument with its own preposition says when, why, like or except whom."""
    return any(isinstance(word, int) and tree.lowered[word] in ASIDE for word in part.opening)


def _needs_object(reader: LinkReader, first: Part, part: Part) -> bool:
    """Whether a phrase says nothing without the name before it: *replaced Ann with Bob*."""
    opening = part.opening[0] if part.opening else None
    is_named = any(reader.is_name(main) for main in first.mains)
    return is_named and isinstance(opening, int) and reader.tree.lowered[opening] in ("with", "as", "of", "for")


def _has_owner(tree: DependencyTree, noun: int) -> bool:
    """*its owner*: nobody is an owner alone."""
    return any(tree.upos(child) == "PRON" for child in tree.children(noun, "nmod:poss"))


def _label(tree: DependencyTree, head: int) -> str:
    """The label of a word, or of the word that it is coordinated with."""
    above = tree.heads[head]
    return tree.labels[above] if tree.labels[head] == "conj" and above is not None else tree.labels[head]


def _ends_with(tree: DependencyTree, words: Pieces, preposition: str) -> bool:
    return bool(words) and isinstance(last := words[-1], int) and tree.lowered[last] == preposition


def _is_value(reader: LinkReader, piece: Piece) -> bool:
    number = reader.at.get(piece) if isinstance(piece, int) else None
    return number is not None and reader.anchors[number].kind == "value"


def _others(parts: list[Part], number: int) -> tuple[int, ...]:
    return tuple(part.number for part in parts if part.number != number)


def _is_content(reader: LinkReader, part: Part) -> bool:
    """Whether a clause is what somebody says, thinks or causes, and not when or why."""
    return all(reader.tree.base[head] not in ("advcl", "acl", "xcomp") for head in part.heads)


def _verbs(reader: LinkReader, relation: Pieces) -> Pieces:
    """A relation without nouns: *told* for *told reporters*."""
    return tuple(
        piece for piece in relation if not isinstance(piece, int) or reader.tree.upos(piece) not in ("NOUN", "PROPN")
    )


def _carried(reader: LinkReader, first: Part, *, direct: bool) -> Pieces:
    """The direct object as part of the relation to a later argument: *gave right to*; a name is left out."""
    if not direct or len(first.heads) != 1 or first.argument.kind == "time":
        return ()
    head = first.heads[0]
    tree = reader.tree
    if tree.upos(head) != "NOUN" or reader.name_at(head) is not None or tree.base[head] not in ("obj", "nsubj"):
        return ()
    if any(reader.anchors[main].kind in ("name", "statement") for main in first.mains):
        return ()
    return reader.noun(head)


def _given(reader: LinkReader, parts: list[Part]) -> Pieces:
    """*gave right to* for *gave the fishermen the right*, *gave to* for *gave them money*."""
    tree = reader.tree
    first, later = parts[0], parts[1:]
    if not first.heads or tree.labels[first.heads[0]] != "iobj":
        return ()
    given = [head for part in later for head in part.heads if tree.labels[head] == "obj"]
    is_thing = given and tree.upos(given[0]) == "NOUN" and not _is_value(reader, given[0])
    return (*(reader.noun(given[0]) if is_thing else ()), "to")


def _quality(reader: LinkReader, parts: list[Part]) -> Pieces:
    """*rich* in *made the town rich*."""
    tree = reader.tree
    for part in parts[1:]:
        if len(part.heads) == 1 and tree.base[part.heads[0]] == "xcomp" and tree.upos(part.heads[0]) == "ADJ":
            return (part.heads[0],)
    return ()
