"""Coreference in tuples: the names that pronouns, short names and descriptions refer to (`Argument.resolved`).

Where the sentences have mentions, an argument is resolved that is a mention of something with a proper name:

- a pronoun of the third person (*she*), or a description of a person or an organization that begins with *the*,
  *this* or a possessive (*the company*), if the parser is sure enough of what it is about;
- a short name (*Lee*) of a person, or initials, if the document has the full name;
- a name with a possessive before it (*its rival Airbus*), which is the name alone.

A description keeps its wording where another argument of the tuple names the same thing: *Ann Lee is the mayor*. A
possessive pronoun within an argument is resolved there: *its plants* are *Toyota's plants*. Other parsers give no
mentions; then the rules of `coreference_rules` find people. The wording of the sentence is always kept beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from tupelo.core import Analysis, Argument, Extraction, Mention, chains
from tupelo.core.coreference import agrees, named
from tupelo.core.statement import Anchor
from tupelo.names.constraints import (
    AGREEING,
    DEFINITE,
    PRONOUNS,
    SURE,
    SURER,
    barred_antecedents,
    introduction,
    may_mean,
)
from tupelo.names.coreference_rules import meanings_by_rules
from tupelo.names.namesakes import PassageName, find_names, mentions_of_anchors
from tupelo.names.proper_names import proper_names
from tupelo.nlp.languages.en.grammar import POSSESSIVES
from tupelo.nlp.languages.en.naming import DETACHABLE_TITLES
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree

# Types of mentions that have another name as types of entities.
_ENTITY_TYPES = {"time": "datetime"} | dict.fromkeys(["object", "abstract", "animal", "plant", "substance"], "other")


class NamedReference(NamedTuple):
    """The referent of words `[start, end)` of a sentence: its name, the type of the name, and the entity's number.

    `is_description` is false for pronouns and names.
    """

    start: int
    end: int
    name: str
    label: str
    entity: int
    is_description: bool = False


def resolve(analyses: Sequence[Analysis], extractions: Sequence[list[Extraction]]) -> list[list[Extraction]]:
    """The tuples of sentences in order, with `resolved` set on arguments that refer to something with a name.

    Sentences that follow each other with the same `document_id` belong to one document.
    """
    return [
        [_rewrite(extraction, analysis, referents) for extraction in found] if referents else found
        for analysis, found, referents in zip(analyses, extractions, find_references(analyses), strict=True)
    ]


def find_references(analyses: Sequence[Analysis]) -> list[dict[int, NamedReference]]:
    """For each sentence, in order: the references of its pronouns, short names and descriptions, by their heads."""
    found: list[dict[int, NamedReference]] = []
    for has_mentions, group in groupby(analyses, key=lambda analysis: analysis.mentions is not None):
        found += (_from_mentions if has_mentions else _from_rules)(list(group))
    return found


def _from_rules(analyses: Sequence[Analysis]) -> list[dict[int, NamedReference]]:
    return [
        {
            _head(one, words): NamedReference(words[0], words[-1] + 1, name, "person", -1)
            for words, name in meanings.items()
        }
        for one, meanings in zip(analyses, meanings_by_rules(analyses), strict=True)
    ]


def _from_mentions(analyses: Sequence[Analysis]) -> list[dict[int, NamedReference]]:
    return [
        references
        for _, group in groupby(analyses, key=lambda analysis: analysis.document_id)
        for references in _of_document(list(group))
    ]


def _of_document(analyses: Sequence[Analysis]) -> list[dict[int, NamedReference]]:
    """The references of the sentences of one document; names are those of its graph (`names.namesakes`)."""
    trees = [DependencyTree(analysis) for analysis in analyses]
    anchors = [list(proper_names(tree)) for tree in trees]
    names = find_names(trees, anchors, mentions_of_anchors(trees, anchors))
    known = {chain.entity: _Named(chain.name, chain.label) for chain in chains(analyses) if chain.name is not None}
    at: list[dict[int, tuple[Anchor, PassageName]]] = [{} for _ in analyses]
    for (number, index), name in names.items():
        anchor = anchors[number][index]
        at[number] |= dict.fromkeys(range(anchor.start, anchor.end), (anchor, name))
    for tree, placed in zip(trees, at, strict=True):
        for mention in tree.analysis.mentions or ():
            entity, own = known.get(mention.entity), named(tree.analysis, mention)
            if entity is not None and own is not None and own.end > introduction(tree)[0]:
                root = placed[own.start][1].root() if own.start in placed else None
                entity.see(tree.analysis.phrase(own), mention.confidence, root)
    return [_of_sentence(tree, placed, known) for tree, placed in zip(trees, at, strict=True)]


@dataclass(slots=True)
class _Named:
    """An entity with a name: how many names of its mentions agree with it, and how sure the surest of these is.

    `full` is the fullest name of the document for its own one.
    """

    name: str
    label: str
    names: int = 0
    agreeing: int = 0
    confidence: float = 0.0
    full: str = ""

    def see(self, name: str, confidence: float, root: PassageName | None) -> None:
        self.names += 1
        if agrees(name, self.name, self.label):
            self.agreeing += 1
        if name == self.name:
            self.confidence = max(self.confidence, confidence)
            self.full = root.text if root is not None and root.usual is None else name

    def is_clear(self, mention: Mention, least: float) -> bool:
        """Whether the mention is surely about this; an entity with many names may be several."""
        return min(mention.confidence, self.confidence) >= least and self.agreeing >= AGREEING * self.names


def _of_sentence(
    tree: DependencyTree, placed: Mapping[int, tuple[Anchor, PassageName]], known: Mapping[int, _Named]
) -> dict[int, NamedReference]:
    """The references of a sentence, by their heads, given the names at its words and the entities of its document."""
    found: dict[int, NamedReference] = {}
    covered = set()
    for mention in tree.analysis.mentions or ():
        entity, own = known.get(mention.entity), named(tree.analysis, mention)
        if own is not None and own.start in placed:
            anchor, name = placed[own.start]
            covered.add(anchor)
            reference = _name(tree, anchor, name, mention)
        else:
            barred = barred_antecedents(tree, mention.head)
            is_own = any(
                other.entity == mention.entity and other.head in barred for other in tree.analysis.mentions or ()
            )
            reference = None if entity is None or own is not None or is_own else _stand_in(tree, mention, entity)
        if reference is not None:
            found[mention.head] = reference
    for anchor, name in placed.values():
        if anchor not in covered and (reference := _name(tree, anchor, name)) is not None:
            found.setdefault(anchor.head, reference)
    return found


def _name(
    tree: DependencyTree, anchor: Anchor, name: PassageName, mention: Mention | None = None
) -> NamedReference | None:
    """The reference of a name, where a fuller one stands for it or a possessive stands before it."""
    full = name.root().text if name.full is not None and name.reason != "demonym" else anchor.text
    start, entity = (anchor.start, -1) if mention is None else (mention.start, mention.entity)
    label = name.root().label
    if tree.lowered[start] in POSSESSIVES and mention is not None:
        return NamedReference(start, mention.end, full, label, entity)
    if full.casefold() == anchor.text.casefold():
        return None
    before = tree.words[start : anchor.start]
    is_title = all(word.upos == "DET" or word.text.lower().rstrip(".") in DETACHABLE_TITLES for word in before)
    return NamedReference(start if is_title else anchor.start, anchor.end, full, label, entity)


def _stand_in(tree: DependencyTree, mention: Mention, entity: _Named) -> NamedReference | None:
    """The reference of a pronoun or description."""
    label = _ENTITY_TYPES.get(entity.label, entity.label)
    word = tree.lowered[mention.head]
    is_description = word not in PRONOUNS
    if is_description and (mention.start == mention.head or tree.lowered[mention.start] not in DEFINITE):
        return None
    # *The town* and *the song* take a knowledge of towns and songs that nothing here has.
    if is_description and (mention.label != entity.label or entity.label not in ("person", "organization")):
        return None
    if not is_description and not may_mean(word, label, entity.full):
        return None
    is_possessive = tree.labels[mention.head] == "nmod:poss"
    if not entity.is_clear(mention, SURER if is_description or is_possessive else SURE):
        return None
    return NamedReference(mention.start, mention.end, entity.full, label, mention.entity, is_description)


def _rewrite(extraction: Extraction, analysis: Analysis, referents: dict[int, NamedReference]) -> Extraction:
    arguments = [_resolved(argument, analysis, referents, extraction) for argument in extraction.arguments]
    if not arguments or all(new is old for new, old in zip(arguments, extraction.arguments, strict=True)):
        return extraction
    return replace(extraction, arg1=arguments[0], args=tuple(arguments[1:]))


def _resolved(
    argument: Argument, analysis: Analysis, referents: dict[int, NamedReference], extraction: Extraction
) -> Argument:
    tokens = argument.tokens
    if not tokens or argument.inferred:
        return argument
    start = 0
    while start < len(tokens) - 1 and analysis.words[tokens[start]].upos == "ADP":
        start += 1
    rest = tokens[start:]
    referent = referents.get(_head(analysis, rest))
    words: list[int | str]
    if (
        referent is not None
        and referent.start <= rest[0]
        and rest[-1] < referent.end
        and not (referent.is_description and _names_another(referent, argument, analysis, extraction))
    ):
        words = [*tokens[:start], referent.name]
    else:
        words = [_possessor(token, analysis, referents) or token for token in tokens]
        if all(isinstance(word, int) for word in words):
            return argument
    return replace(argument, resolved=make_part(analysis, words).text)


def _head(analysis: Analysis, tokens: Sequence[int]) -> int:
    """The first word whose head is outside."""
    inside = set(tokens)
    return next((token for token in tokens if analysis.words[token].head not in inside), tokens[0])


def _names_another(referent: NamedReference, argument: Argument, analysis: Analysis, extraction: Extraction) -> bool:
    """Whether another argument of the tuple is about the same thing."""
    places = {t for other in extraction.arguments if other is not argument for t in other.tokens or ()}
    return any(
        mention.entity == referent.entity and mention.head in places and mention.head not in (argument.tokens or ())
        for mention in analysis.mentions or ()
    )


def _possessor(token: int, analysis: Analysis, referents: dict[int, NamedReference]) -> str | None:
    """A possessive pronoun by name: *Toyota's*."""
    referent = referents.get(token)
    if referent is None or analysis.words[token].text.lower() not in POSSESSIVES:
        return None
    if analysis.words[token].deprel != "nmod:poss":
        return None
    return referent.name + ("'" if referent.name.endswith("s") and referent.label != "person" else "'s")
