"""Links that a tuple states: from its subject to what its other arguments stand for, and to the names in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tupelo.core import Argument, Extraction
from tupelo.core.statement import Anchor
from tupelo.extract.anchors import heads_of
from tupelo.extract.links import arguments, wording
from tupelo.extract.links.arguments import MOST_WORDS, Part, Target, is_copular
from tupelo.extract.links.phrases import End, LinkReader
from tupelo.nlp.languages import words
from tupelo.nlp.syntax import DependencyTree

_LIGHT_VERBS = words("extraction", "light_verbs")

NOT_IN_SENTENCE = "its subject is not in the sentence"
REPEATED = "another tuple says the same"
# Share of the confidence of a tuple that says little or something else than its words between two names do.
_DOUBTFUL = 0.5


@dataclass(frozen=True, slots=True)
class Draft:
    """A link before its relation is worded: anchors, words, share of the tuple's confidence, other arguments."""

    subject: int
    object: int
    pieces: wording.Pieces
    share: float = 1.0
    beside: tuple[int, ...] = ()


def drafts_of(reader: LinkReader, extraction: Extraction) -> tuple[list[Draft], str | None]:
    """The links of a tuple, at least one between its subject and what follows, or why there are none.

    Further ones lead to names inside its arguments.
    """
    subject = extraction.arg1
    if subject is None or not subject.tokens:
        return [], NOT_IN_SENTENCE
    relation = arguments.relation_of(reader, extraction)
    parts = [arguments.part_of(reader, extraction, number) for number in range(1, len(extraction.arguments))]
    if _is_unresolved(reader, extraction, parts) or _is_doubtful(reader, relation, parts):
        return [replace(draft, share=_DOUBTFUL) for draft in _plain(reader, extraction, relation, parts)], None
    ends = _subjects(reader, subject)
    targets = arguments.targets_of(reader, extraction, relation, parts) if ends else []
    drafts = [
        draft
        for target, end in product(targets, ends)
        for draft in _joined(reader, extraction, end, target, relation)
    ]
    drafts += _among(reader, extraction, relation, targets)
    found = [draft for draft in drafts if not _is_same(reader, draft) and not _only_points(reader, draft)]
    if any(_joins(reader, draft, extraction) for draft in found):
        return found, None
    return [*_plain(reader, extraction, relation, parts), *found], None


def _is_unresolved(reader: LinkReader, extraction: Extraction, parts: list[Part]) -> bool:
    """Whether the subject, or all that follows it, is a pronoun that nobody resolved."""

    def unresolved(mains: Sequence[int | None]) -> bool:
        found = [reader.anchors[main] for main in mains if main is not None]
        return bool(found) and all(
            # The readers of a text know who *you* are.
            one.kind == "pronoun" and one.referent is None and reader.tree.words[one.head].feature("Person") != "2"
            for one in found
        )

    if is_existential(reader.tree, extraction):
        return all(not part.mains or unresolved(part.mains) for part in parts)
    if unresolved(reader.mains(extraction.arguments[0])):
        return True
    told = [part for part in parts if part.argument.role not in ("time", "location")]
    return bool(told) and all(unresolved(part.mains) for part in told)


def is_existential(tree: DependencyTree, extraction: Extraction) -> bool:
    """*There are types of shoes*."""
    tokens = extraction.arguments[0].tokens or ()
    return len(tokens) == 1 and tree.base[tokens[0]] == "expl" and tree.lowered[tokens[0]] == "there"


def _joins(reader: LinkReader, draft: Draft, extraction: Extraction) -> bool:
    """Whether a link is what the whole tuple says: one between its subject and the thing or value that follows."""
    first, *others = ({*reader.mains(part)} for part in extraction.arguments)
    subjects = first | {end.anchor for end in _subjects(reader, extraction.arguments[0]) if not end.steps}
    ends = {draft.subject, draft.object}
    # *is chairman of Acme* says all that *is the chairman of Acme* does.
    return bool(ends & subjects) and (any(ends & other for other in others) or is_copular(reader, extraction))


def _plain(reader: LinkReader, extraction: Extraction, relation: wording.Pieces, parts: list[Part]) -> list[Draft]:
    """The tuple as it stands: from the head of its subject to that of the argument that says most.

    Without any, it leads to the last anchor, which has no words.
    """
    nothing = len(reader.anchors) - 1
    subject = extraction.arguments[0]
    inside = set(subject.tokens or ())
    subjects = [
        number for head in heads_of(reader.tree, subject) if (number := reader.subject(head, inside)) is not None
    ]
    if parts and is_existential(reader.tree, extraction):
        beside = tuple(part.number for part in parts[1:])
        return [Draft(main, nothing, relation, 1.0, beside) for main in parts[0].mains]

    def says_little(part: Part) -> tuple[bool, bool, int]:
        is_unresolved = any(reader.is_pronoun(main) and not reader.is_node(main) for main in part.mains)
        return part.argument.role in ("time", "location"), is_unresolved, part.number

    part = min(parts, key=says_little, default=None)
    if part is None:
        return [Draft(number, nothing, relation) for number in subjects[:1]]
    opening = part.opening if part.number == 1 else (*arguments.bare(reader.tree, relation), *part.opening)
    words = (*relation, *opening, *arguments.light_nouns(reader, extraction, part)) if part.number == 1 else opening
    beside = tuple(other.number for other in parts if other is not part)
    return [
        # *Ola Brekke is the mayor*, who is Ola Brekke: a thing is not linked to itself.
        Draft(number, nothing if _mean_one(reader, number, target) else target, words, 1.0, beside)
        for number in subjects
        for target in part.mains or (nothing,)
        if number != target or len(part.mains) == 1
    ]


def _is_doubtful(reader: LinkReader, relation: wording.Pieces, parts: list[Part]) -> bool:
    """Whether a tuple says little by itself, or something else than the words between two names do."""
    if not parts or any(isinstance(piece, int) and reader.name_at(piece) is not None for piece in relation):
        return True
    # *Ann told the BBC*, without what she told.
    verb = wording.main_verb(reader.tree, relation)
    tells = verb is not None and reader.tree.lemmas[verb] in ("tell", "inform")
    return tells and all(reader.anchors[main].kind != "statement" for part in parts for main in part.mains)


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
    reader: LinkReader, extraction: Extraction, end: End, target: Target, relation: wording.Pieces
) -> Iterator[Draft]:
    if end.steps and (target.end.anchor not in reader.named or is_copular(reader, extraction)):
        return
    tree = reader.tree
    share = target.share * (wording.IN_SUBJECT if end.steps else 1.0)
    verb = wording.main_verb(tree, relation)
    if target.agent and verb is not None and wording.is_passive(tree, relation, verb):
        if end.steps or (target.end.steps and end.anchor not in reader.named):
            return
        words = (*target.end.nouns, *wording.active(tree, relation, verb))
        yield Draft(target.end.anchor, end.anchor, words, share, target.beside)
        return
    is_name = reader.is_name(target.end.anchor) and not target.end.steps
    if is_name and end.anchor not in reader.named and is_copular(reader, extraction):
        yield from _turned_copula(reader, end.anchor, target, share)
        return
    words = (*end.nouns, *target.pieces)
    if len(words) <= MOST_WORDS or not end.steps:
        yield Draft(end.anchor, target.end.anchor, words, share, target.beside)


def _turned_copula(reader: LinkReader, concept: int, target: Target, share: float) -> Iterator[Draft]:
    """*the capital of Norway is Oslo* is said of Oslo; of several, *important cities are Oslo and Bergen*, one is."""
    tree, head, name = reader.tree, reader.anchors[concept].head, target.end.anchor
    owners = [end for end in reader.inner(head, range(tree.size), full=True) if end.anchor != name]
    lead: wording.Pieces = target.pieces
    if tree.is_plural(head):
        lead = ("is",)
        yield Draft(name, concept, ("is", "one", "of"), share, target.beside)
    elif not any(end.steps[0].startswith(arguments.OWNERS) for end in owners):
        yield Draft(name, concept, target.pieces, share, target.beside)
    for end in owners:
        words = (*lead, *wording.singular(tree, head, end.words))
        yield Draft(name, end.anchor, words, share * wording.PER_INNER_NOUN ** len(end.steps), target.beside)


def _among(
    reader: LinkReader, extraction: Extraction, relation: wording.Pieces, targets: list[Target]
) -> Iterator[Draft]:
    """Links between two names after the verb: *the song was performed in Rome by Ann*, *Ann sold Acme to Bob*."""
    tree, verb = reader.tree, wording.main_verb(reader.tree, relation)
    if verb is None:
        return
    turned = wording.is_passive(tree, relation, verb)
    first = [item for item in targets if not item.end.steps and item.end.anchor in reader.named]
    if turned:
        first = [item for item in first if item.agent]
    else:
        top = next(iter(heads_of(tree, extraction.args[0])), 0)
        is_object = tree.base[top] == "obj" and tree.lemmas[verb] not in _LIGHT_VERBS
        first = [item for item in first if is_object and item.pieces == relation]
    for one in first:
        for other in targets:
            if other.beside == one.beside or other.agent or other.end.anchor not in reader.named:
                continue
            if turned:
                after = other.pieces[other.pieces.index(verb) + 1 :] if verb in other.pieces else ()
                words = (*wording.active(tree, relation, verb), *after)
            elif tree.tag(verb).startswith("VB") and (opening := _opening(reader, other)):
                words = (wording.passive(tree, verb), *opening, *other.end.words)
            else:
                continue
            if len(words) <= MOST_WORDS:
                yield Draft(one.end.anchor, other.end.anchor, words, wording.AMONG * other.share, one.beside)


def _opening(reader: LinkReader, target: Target) -> wording.Pieces:
    """The prepositions of a later argument."""
    start = end = len(target.pieces) - len(target.end.words)
    while start and isinstance(word := target.pieces[start - 1], int) and reader.tree.upos(word) == "ADP":
        start -= 1
    return target.pieces[start:end]


def _is_same(reader: LinkReader, draft: Draft) -> bool:
    subject, other = reader.anchors[draft.subject], reader.anchors[draft.object]
    if draft.subject == draft.object or _mean_one(reader, draft.subject, draft.object):
        return True
    # *Samsung has Samsung's ecosystem*.
    return "name" in (subject.kind, other.kind) and (_contains(subject, other) or _contains(other, subject))


def _mean_one(reader: LinkReader, one: int, other: int) -> bool:
    referent = reader.anchors[one].referent
    return referent is not None and referent == reader.anchors[other].referent


def _only_points(reader: LinkReader, draft: Draft) -> bool:
    """*founded the station there*: the adverb names nothing."""
    other = reader.anchors[draft.object]
    return 0 <= other.head < reader.tree.size and reader.tree.upos(other.head) == "ADV" and " " not in other.text


def _contains(phrase: Anchor, name: Anchor) -> bool:
    words = phrase.text.lower().replace("'s ", " ").replace("’s ", " ")
    return phrase.kind == "concept" and f" {name.text.lower()} " in f" {words} "
