"""Links that a tuple states: from its subject to what its other arguments stand for, and to the names in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tupelo.core import Argument, Extraction
from tupelo.core.statement import Anchor
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.arguments import (
    MOST_WORDS,
    OWNERS,
    Part,
    Target,
    is_copular,
    part_of,
    relation_of,
    targets_of,
)
from tupelo.extract.links.phrases import End, LinkReader
from tupelo.extract.links.shapes import AMONG, IN_SUBJECT, PER_INNER_NOUN
from tupelo.extract.links.wording import (
    Pieces,
    active,
    is_passive,
    main_verb,
    passive,
    singular,
    wording,
)
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import COURTESY_TITLES

_LIGHT_VERBS = words("extraction", "light_verbs")
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
NOTHING_SAID = "it does not say what was said"
PLACE_OF_PERSON = "it takes a place for what is there"
REPEATED = "another tuple says the same"


@dataclass(frozen=True, slots=True)
class Draft:
    """A link before its relation is worded: anchors, words, share of the tuple's confidence, other arguments."""

    subject: int
    object: int
    pieces: Pieces
    share: float = 1.0
    beside: tuple[int, ...] = ()


def drafts_of(reader: LinkReader, extraction: Extraction) -> tuple[list[Draft], str | None]:
    """The links of a tuple, or why there are none."""
    subject = extraction.arg1
    if subject is None or not subject.tokens:
        return [], NO_SUBJECT
    ends = _subjects(reader, subject)
    if not ends:
        return [], _why_no_subject(reader, subject)
    relation = relation_of(reader, extraction)
    parts = [part_of(reader, extraction, number) for number in range(1, len(extraction.arguments))]
    if (reason := _refused(reader, extraction, relation, parts)) is not None:
        return [], reason
    targets = targets_of(reader, extraction, relation, parts)
    found = [
        draft for target in targets for end in ends for draft in _joined(reader, extraction, end, target, relation)
    ]
    found += _among(reader, extraction, relation, targets)
    distinct = [draft for draft in found if not _is_same(reader, draft)]
    if distinct:
        return distinct, None
    return [], SAME_THING if found else _why_no_object(reader, parts)


def _refused(reader: LinkReader, extraction: Extraction, relation: Pieces, parts: list[Part]) -> str | None:
    """The reason why a tuple with a subject makes no link; `None` if it may."""
    if not parts:
        return NO_OBJECT
    if any(isinstance(piece, int) and reader.name_at(piece) is not None for piece in relation):
        return NAMES_INSIDE
    if _only_addresses(reader, relation, parts):
        return NOTHING_SAID
    if extraction.rule == "title" and extraction.args[0].text.lower().rstrip(".") in _ADDRESSES:
        return ONLY_A_TITLE
    if extraction.rule == "apposition" and _is_address(reader, extraction, parts[0]):
        return PLACE_OF_PERSON
    if extraction.rule == "possessive" and any(reader.is_name(main) for main in parts[0].mains):
        # "Ann's father, Bob": not that Ann has Bob, but that he is her father.
        return SAID_BY_PATH
    return None


def _is_address(reader: LinkReader, extraction: Extraction, part: Part) -> bool:
    """*Robbie Walsh, of Island View, Kilrush* is not Kilrush."""
    subject = reader.mains(extraction.arguments[0])
    labels = [
        reader.anchors[main].label for main in (*subject, *part.mains) if main is not None and reader.is_name(main)
    ]
    return len(labels) == 2 and labels[0] != labels[1] and "place" in labels


def _only_addresses(reader: LinkReader, relation: Pieces, parts: list[Part]) -> bool:
    """*Ann told the BBC*, without what she told."""
    verb = main_verb(reader.tree, relation)
    kinds = {reader.anchors[main].kind for part in parts for main in part.mains}
    return verb is not None and reader.tree.lemmas[verb] in ("tell", "inform") and "statement" not in kinds


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


def _joined(
    reader: LinkReader, extraction: Extraction, end: End, target: Target, relation: Pieces
) -> Iterator[Draft]:
    if end.steps and (target.end.anchor not in reader.named or is_copular(reader, extraction)):
        return
    tree = reader.tree
    share = target.share * (IN_SUBJECT if end.steps else 1.0)
    verb = main_verb(tree, relation)
    if target.agent and verb is not None and is_passive(tree, relation, verb):
        if end.steps or (target.end.steps and end.anchor not in reader.named):
            return
        words = (*target.end.nouns, *active(tree, relation, verb))
        yield Draft(target.end.anchor, end.anchor, words, share, target.beside)
        return
    is_name = reader.is_name(target.end.anchor) and not target.end.steps
    if is_name and end.anchor not in reader.named and is_copular(reader, extraction):
        yield from _turned_copula(reader, end.anchor, target, share)
        return
    if _is_one_of_several(reader, end, target):
        # "the services Hulu and ESPN"
        yield Draft(end.anchor, target.end.anchor, ("is", "one", "of"), share, target.beside)
        return
    words = (*end.nouns, *target.pieces)
    if len(words) <= MOST_WORDS or not end.steps:
        yield Draft(end.anchor, target.end.anchor, words, share, target.beside)


def _is_one_of_several(reader: LinkReader, end: End, target: Target) -> bool:
    """Whether one name is said to be several things."""
    tree, subject, other = reader.tree, reader.anchors[end.anchor], reader.anchors[target.end.anchor]
    is_copula = wording(tree, target.pieces, asserted=True) in ("are", "were")
    several = is_copula and other.kind == "concept" and tree.is_plural(other.head)
    return several and subject.kind == "name" and tree.tag(subject.head) != "NNPS"


def _turned_copula(reader: LinkReader, concept: int, target: Target, share: float) -> Iterator[Draft]:
    """*the capital of Norway is Oslo* is said of Oslo; of several, *important cities are Oslo and Bergen*, one is."""
    tree, head, name = reader.tree, reader.anchors[concept].head, target.end.anchor
    owners = [end for end in reader.inner(head, range(tree.size), full=True) if end.anchor != name]
    if tree.is_plural(head):
        yield Draft(name, concept, ("is", "one", "of"), share, target.beside)
        for end in owners:
            words = ("is", *singular(tree, head, end.words))
            yield Draft(name, end.anchor, words, share * PER_INNER_NOUN ** len(end.steps), target.beside)
        return
    if not any(end.steps[0].startswith(OWNERS) for end in owners):
        yield Draft(name, concept, target.pieces, share, target.beside)
    for end in owners:
        words = (*target.pieces, *end.words)
        yield Draft(name, end.anchor, words, share * PER_INNER_NOUN ** len(end.steps), target.beside)


def _among(reader: LinkReader, extraction: Extraction, relation: Pieces, targets: list[Target]) -> Iterator[Draft]:
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
            if len(words) <= MOST_WORDS:
                yield Draft(one.end.anchor, other.end.anchor, words, AMONG * other.share, one.beside)


def _top(reader: LinkReader, extraction: Extraction) -> int:
    """The head of the first argument after the subject."""
    heads = heads_of(reader.tree, extraction.args[0])
    return heads[0] if heads else 0


def _after(verb: int, pieces: Pieces) -> Pieces:
    return pieces[pieces.index(verb) + 1 :] if verb in pieces else ()


def _opens(reader: LinkReader, target: Target) -> Pieces:
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
    if draft.subject == draft.object or (subject.referent is not None and subject.referent == other.referent):
        return True
    # *Samsung has Samsung's ecosystem*.
    return "name" in (subject.kind, other.kind) and (_contains(subject, other) or _contains(other, subject))


def _contains(phrase: Anchor, name: Anchor) -> bool:
    words = phrase.text.lower().replace("'s ", " ").replace("’s ", " ")
    return phrase.kind == "concept" and f" {name.text.lower()} " in f" {words} "


def _why_no_subject(reader: LinkReader, argument: Argument) -> str:
    kinds = {reader.anchors[main].kind for main in reader.mains(argument) if main is not None}
    if "pronoun" in kinds:
        return SUBJECT_PRONOUN
    return SUBJECT_VALUE if kinds & {"value", "statement"} else NO_SUBJECT


def _why_no_object(reader: LinkReader, parts: list[Part]) -> str:
    kinds = {reader.anchors[main].kind for part in parts for main in part.mains}
    return OBJECT_PRONOUN if "pronoun" in kinds else OBJECT_QUALITY
