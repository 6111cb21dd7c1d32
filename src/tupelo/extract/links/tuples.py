"""Links that a tuple states: from its subject to what its other arguments stand for, and to the names in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tupelo.core import Argument, Extraction
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.phrases import End, LinkReader
from tupelo.extract.links.wording import (
    Piece,
    Pieces,
    active,
    finite,
    is_passive,
    main_verb,
    passive,
    pieces_of,
    singular,
)
from tupelo.nlp.languages.en.titles import COURTESY_TITLES
from tupelo.nlp.syntax import DependencyTree

# How sure a link is, relative to its tuple: for each noun on the way to a name, and for a name inside the subject.
_PER_NOUN = 0.95
_IN_SUBJECT = 0.85
_LATER_ARGUMENT = 0.93
_AMONG = 0.9
_MOST_WORDS = 7
_LIGHT_VERBS = frozenset(["have", "get", "make", "do", "take", "become", "include", "want", "let", "remain"])
# What these open is an example, an exception or a comparison.
_ASIDE = frozenset(["including", "like", "unlike", "except", "than", "besides", "such", "according"])
_OPENING = frozenset(["ADP", "SCONJ", "PART", "ADV"])
_RELATING = frozenset(["VERB", "AUX", "ADP", "NOUN", "PROPN", "PART", "ADV", "SCONJ", "ADJ"])
# Steps after which a noun says nothing without the name: *member of*, *Ann's brother*, *Apple CEO*.
_OWNERS = ("nmod(of)", "nmod:poss", "compound")

_ADDRESSES = frozenset(title.rstrip(".") for title in COURTESY_TITLES) | {"prof", "rev"}

NO_SUBJECT = "its subject is nothing that a graph can name"
SUBJECT_PRONOUN = "its subject is a pronoun that nobody resolved"
SUBJECT_VALUE = "its subject is a value or a clause"
NO_OBJECT = "it has no object"
OBJECT_PRONOUN = "its object is a pronoun that nobody resolved"
OBJECT_QUALITY = "its object is a quality, not a thing"
SAME_THING = "its subject and its object are the same thing"
ONLY_A_TITLE = "it only says how a person is addressed"
NAMES_INSIDE = "its relation names something itself"
SAID_BY_PATH = "the words between the two names say more"
REPEATED = "another tuple says the same"


@dataclass(frozen=True, slots=True)
class Draft:
    """A link before its relation is worded: anchors, words, share of the tuple's confidence, other arguments."""

    subject: int
    object: int
    pieces: Pieces
    share: float = 1.0
    beside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """An argument after the first: its number, the words that lead to it, what it stands for, the names in it."""

    number: int
    argument: Argument
    opening: Pieces
    mains: tuple[int, ...]
    inner: tuple[End, ...]
    heads: tuple[int, ...]
    around: tuple[int, ...] = ()


def drafts_of(reader: LinkReader, extraction: Extraction) -> tuple[list[Draft], str | None]:
    """The links of a tuple, or why there are none."""
    subject = extraction.arg1
    if subject is None or not subject.tokens:
        return [], NO_SUBJECT
    ends = _subjects(reader, subject)
    if not ends:
        return [], _why_no_subject(reader, subject)
    relation = _relation(reader, extraction)
    parts = [_part(reader, extraction, number) for number in range(1, len(extraction.arguments))]
    if (reason := _refused(reader, extraction, relation, parts)) is not None:
        return [], reason
    targets = list(_objects(reader, extraction, relation, parts))
    found = [
        draft for target in targets for end in ends for draft in _joined(reader, extraction, end, target, relation)
    ]
    found += _among(reader, extraction, relation, targets)
    distinct = [draft for draft in found if not _is_same(reader, draft)]
    if distinct:
        return distinct, None
    return [], SAME_THING if found else _why_no_object(reader, parts)


def _refused(reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[_Part]) -> str | None:
    """Why a tuple with a subject makes no link at all."""
    if not parts:
        return NO_OBJECT
    if any(isinstance(piece, int) and reader.name_at(piece) is not None for piece in relation):
        return NAMES_INSIDE
    if extraction.rule == "title" and extraction.args[0].text.lower().rstrip(".") in _ADDRESSES:
        return ONLY_A_TITLE
    if extraction.rule == "possessive" and any(reader.is_name(main) for main in parts[0].mains):
        # "Ann's father, Bob": not that Ann has Bob, but that he is her father.
        return SAID_BY_PATH
    return None


def _subjects(reader: LinkReader, argument: Argument) -> list[End]:
    """The nodes that a subject stands for, then the names one noun inside it."""
    inside = set(argument.tokens or ())
    found: list[End] = []
    for head in heads_of(reader.tree, argument):
        main = reader.subject(head, inside)
        if main is not None and reader.is_node(main):
            found.append(End(main))
        if main is None or main not in reader.named:
            found += [end for end in reader.inner(head, inside) if reader.acts(head, end)]
    return found


def _relation(reader: LinkReader, extraction: Extraction) -> Pieces:
    """The words of the relation; nouns of an object inside it without their articles and adjectives."""
    tree = reader.tree
    pieces = tuple(piece for piece in pieces_of(tree, extraction.rel) if not _opens_clause(reader, piece))
    kept: list[Piece] = []
    for piece in pieces:
        if not isinstance(piece, int) or _relates(tree, piece):
            kept.append(piece)
    subject = tree.head_of(extraction.arg1.tokens or ()) if extraction.arg1 is not None else None
    return finite(tree, tuple(kept), plural=subject is not None and tree.is_plural(subject))


def _relates(tree: DependencyTree, index: int) -> bool:
    if tree.upos(index) in ("NOUN", "PROPN", "ADJ") and tree.base[index] in ("amod", "conj"):
        return False
    return tree.upos(index) in _RELATING


def _opens_clause(reader: LinkReader, piece: Piece) -> bool:
    return isinstance(piece, int) and reader.tree.lowered[piece] == "that" and reader.tree.base[piece] == "mark"


def _part(reader: LinkReader, extraction: Extraction, number: int) -> _Part:
    tree = reader.tree
    argument = extraction.arguments[number]
    tokens = argument.tokens or ()
    heads = heads_of(tree, argument)
    # Not in the order of the sentence where a relative clause opens with the preposition: *with whom he lives*.
    opening = tuple(takewhile(lambda token: tree.upos(token) in _OPENING or tree.base[token] == "case", tokens))
    inside = set(tokens)
    mains = tuple(main for head in heads if (main := reader.main(head, inside)) is not None)
    copular = _is_copular(reader, extraction) and number == 1
    inner = tuple(
        end
        for head in heads
        if (main := reader.main(head, inside)) is None or not reader.is_name(main)
        for end in reader.inner(head, inside, full=copular)
    )
    around = tuple(place for head in heads for place in reader.alike(head, inside) if place not in mains)
    return _Part(number, argument, opening, mains, inner, tuple(heads), around)


def _is_copular(reader: LinkReader, extraction: Extraction) -> bool:
    """Whether the relation is a form of *be* and nothing else."""
    tree = reader.tree
    tokens = extraction.rel.tokens or ()
    words = [token for token in tokens if tree.upos(token) not in ("ADV", "PART")]
    return all(tree.lemmas[token] == "be" or tree.base[token] in ("aux", "cop") for token in words) and (
        bool(words) or extraction.rel.text in ("is", "are", "was", "were")
    )


@dataclass(frozen=True, slots=True)
class _Object:
    end: End
    pieces: Pieces
    share: float
    beside: tuple[int, ...]
    agent: bool = False


def _objects(reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[_Part]) -> Iterator[_Object]:
    """What the subject can be linked to, with the words from the subject on."""
    tree, anchors = reader.tree, reader.anchors
    statement = next((part for part in parts if any(anchors[main].kind == "statement" for main in part.mains)), None)
    said = statement is not None and statement.argument.role is None and _is_content(reader, statement)
    copular = _is_copular(reader, extraction)
    # The preposition at the end of the relation belongs to the first argument.
    bare = relation
    while (
        bare
        and isinstance(last := bare[-1], int)
        and tree.upos(last) == "ADP"
        and tree.labels[last] != "compound:prt"
    ):
        bare = bare[:-1]
    direct = len(bare) == len(relation)
    if said and statement is not None:
        yield _Object(End(statement.mains[0]), _verbs(reader, relation), 1.0, _others(parts, statement.number))
        return
    found = False
    for part in parts:
        first = part.number == 1
        if part.argument.kind == "time" or statement is part or not _depends(tree, part, relation):
            continue
        # A first argument from the front of the sentence has its preposition with it: *after two days, talks ended*.
        words = (*(relation if first else (*bare, *_carried(reader, parts[0], direct))), *part.opening)
        if not first and (any(_is_value(reader, piece) for piece in bare) or _is_aside(tree, part)):
            continue
        if first and (quality := _quality(reader, parts)):
            words = (*words, *quality)
        agent = bool(part.heads) and tree.labels[part.heads[0]] == "obl:agent" and _ends_with(tree, words, "by")
        share = 1.0 if first else _LATER_ARGUMENT
        beside = _others(parts, part.number)
        for main in (*part.mains, *part.around):
            anchor = anchors[main]
            if anchor.kind == "statement" or (not reader.is_node(main) and anchor.kind != "value"):
                continue
            if anchor.kind == "value" and extraction.rule == "apposition":
                continue
            related = any(end.steps[0].startswith(_OWNERS) for end in part.inner) or (
                copular and _has_owner(tree, anchor.head)
            )
            if anchor.kind == "concept" and main not in reader.named and (related or not (first or not found)):
                continue
            found = True
            yield _Object(End(main), words, share, beside, agent)
        for end in part.inner:
            if not copular and end.steps[-1] == "nmod:poss" and anchors[end.anchor].kind == "pronoun":
                continue
            if not first and (copular or any(reader.is_hollow(word) for word in end.words if isinstance(word, int))):
                continue
            if len(words) + len(end.words) > _MOST_WORDS:
                continue
            found = True
            yield _Object(end, (*words, *end.words), share * _PER_NOUN ** len(end.steps), beside, agent)
    if found:
        return
    for part in parts:
        if part.argument.kind == "time":
            words = (*(relation if part.number == 1 else bare), *part.opening)
            for main in part.mains:
                if anchors[main].kind == "value":
                    yield _Object(End(main), words, 1.0, _others(parts, part.number))
                    return


def _depends(tree: DependencyTree, part: _Part, relation: Pieces) -> bool:
    """Whether an argument belongs to the relation; some are attached to another argument, such as *all in Norway*."""
    if part.number == 1 or not part.heads:
        return True
    return tree.base[part.heads[0]] not in ("appos", "nmod", "parataxis", "acl")


def _is_aside(tree: DependencyTree, part: _Part) -> bool:
    first = part.opening[0] if part.opening else None
    return isinstance(first, int) and tree.lowered[first] in _ASIDE


def _has_owner(tree: DependencyTree, noun: int) -> bool:
    """*its owner*: nobody is an owner alone."""
    return any(tree.upos(child) == "PRON" for child in tree.children(noun, "nmod:poss"))


def _ends_with(tree: DependencyTree, words: Pieces, preposition: str) -> bool:
    return bool(words) and isinstance(last := words[-1], int) and tree.lowered[last] == preposition


def _is_value(reader: LinkReader, piece: Piece) -> bool:
    number = reader.at.get(piece) if isinstance(piece, int) else None
    return number is not None and reader.anchors[number].kind == "value"


def _others(parts: list[_Part], number: int) -> tuple[int, ...]:
    return tuple(part.number for part in parts if part.number != number)


def _is_content(reader: LinkReader, part: _Part) -> bool:
    """Whether a clause is what somebody says, thinks or causes, and not when or why."""
    return all(reader.tree.base[head] not in ("advcl", "acl", "xcomp") for head in part.heads)


def _verbs(reader: LinkReader, relation: Pieces) -> Pieces:
    """A relation without nouns: *told* for *told reporters*."""
    return tuple(
        piece for piece in relation if not isinstance(piece, int) or reader.tree.upos(piece) not in ("NOUN", "PROPN")
    )


def _carried(reader: LinkReader, first: _Part, direct: bool) -> Pieces:
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


def _quality(reader: LinkReader, parts: list[_Part]) -> Pieces:
    """*rich* in *made the town rich*."""
    tree = reader.tree
    for part in parts[1:]:
        if len(part.heads) == 1 and tree.base[part.heads[0]] == "xcomp" and tree.upos(part.heads[0]) == "ADJ":
            return (part.heads[0],)
    return ()


def _joined(
    reader: LinkReader, extraction: Extraction, end: End, target: _Object, relation: Pieces
) -> Iterator[Draft]:
    if end.steps and (target.end.anchor not in reader.named or _is_copular(reader, extraction)):
        return
    tree = reader.tree
    share = target.share * (_IN_SUBJECT if end.steps else 1.0)
    verb = main_verb(tree, relation)
    if target.agent and verb is not None and is_passive(tree, relation, verb):
        if end.steps:
            return
        words = (*target.end.nouns, *active(tree, relation, verb))
        yield Draft(target.end.anchor, end.anchor, words, share, target.beside)
        return
    is_name = reader.is_name(target.end.anchor) and not target.end.steps
    if is_name and end.anchor not in reader.named and _is_copular(reader, extraction):
        yield from _turned_copula(reader, end.anchor, target, share)
        return
    words = (*end.nouns, *target.pieces)
    if len(words) <= _MOST_WORDS or not end.steps:
        yield Draft(end.anchor, target.end.anchor, words, share, target.beside)


def _turned_copula(reader: LinkReader, concept: int, target: _Object, share: float) -> Iterator[Draft]:
    """*the capital of Norway is Oslo* is said of Oslo; of several, *important cities are Oslo and Bergen*, one is."""
    tree, head, name = reader.tree, reader.anchors[concept].head, target.end.anchor
    owners = [end for end in reader.inner(head, range(tree.size), full=True) if end.anchor != name]
    if tree.is_plural(head):
        yield Draft(name, concept, ("is", "one", "of"), share, target.beside)
        for end in owners:
            words = ("is", *singular(tree, head, end.words))
            yield Draft(name, end.anchor, words, share * _PER_NOUN ** len(end.steps), target.beside)
        return
    if not any(end.steps[0].startswith(_OWNERS) for end in owners):
        yield Draft(name, concept, target.pieces, share, target.beside)
    for end in owners:
        words = (*target.pieces, *end.words)
        yield Draft(name, end.anchor, words, share * _PER_NOUN ** len(end.steps), target.beside)


def _among(reader: LinkReader, extraction: Extraction, relation: Pieces, targets: list[_Object]) -> Iterator[Draft]:
    """Links between two names after the verb: *the song was performed in Rome by Ann*, *Ann sold Acme to Bob*."""
    tree, verb = reader.tree, main_verb(reader.tree, relation)
    if verb is None:
        return
    turned = is_passive(tree, relation, verb)
    first = [item for item in targets if not item.end.steps and item.end.anchor in reader.named]
    if turned:
        first = [item for item in first if item.agent]
    else:
        is_object = tree.base[_top(reader, extraction)] == "obj" and tree.lemmas[verb] not in _LIGHT_VERBS
        first = [item for item in first if is_object and item.pieces == relation]
    for one in first:
        for other in targets:
            if other.beside == one.beside or other.agent or other.end.anchor not in reader.named:
                continue
            if turned:
                words = (*active(tree, relation, verb), *_after(verb, other.pieces))
            elif tree.tag(verb).startswith("VB") and _opens(reader, other):
                words = (passive(tree, verb), *_opens(reader, other), *other.end.words)
            else:
                continue
            if len(words) <= _MOST_WORDS:
                yield Draft(one.end.anchor, other.end.anchor, words, _AMONG * other.share, one.beside)


def _top(reader: LinkReader, extraction: Extraction) -> int:
    """The head of the first argument after the subject."""
    heads = heads_of(reader.tree, extraction.args[0])
    return heads[0] if heads else 0


def _after(verb: int, pieces: Pieces) -> Pieces:
    return pieces[pieces.index(verb) + 1 :] if verb in pieces else ()


def _opens(reader: LinkReader, target: _Object) -> Pieces:
    """The preposition of a later argument."""
    words = target.pieces[: len(target.pieces) - len(target.end.words)]
    return tuple(
        reversed(
            [*takewhile(lambda word: isinstance(word, int) and reader.tree.upos(word) == "ADP", reversed(words))]
        )
    )


def _is_same(reader: LinkReader, draft: Draft) -> bool:
    subject, other = reader.anchors[draft.subject], reader.anchors[draft.object]
    if subject.kind == other.kind == "concept" and subject.text.lower() == other.text.lower():
        return True
    return draft.subject == draft.object or (subject.referent is not None and subject.referent == other.referent)


def _why_no_subject(reader: LinkReader, argument: Argument) -> str:
    kinds = {reader.anchors[main].kind for main in reader.mains(argument) if main is not None}
    if "pronoun" in kinds:
        return SUBJECT_PRONOUN
    return SUBJECT_VALUE if kinds & {"value", "statement"} else NO_SUBJECT


def _why_no_object(reader: LinkReader, parts: list[_Part]) -> str:
    kinds = {reader.anchors[main].kind for part in parts for main in part.mains}
    return OBJECT_PRONOUN if "pronoun" in kinds else OBJECT_QUALITY
