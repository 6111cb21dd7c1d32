"""Coreference in tuples: the names that pronouns, short names and descriptions refer to (`Argument.resolved`).

An argument is resolved that is a mention of something with a proper name, by the same decisions as in a graph:

- a pronoun of the third person (*she*) that probably stands for it (`names.antecedents`);
- a description of a person or an organization that begins with *the*, *this* or a possessive (*the company*), if the
  parser is sure of it;
- a short name (*Lee*) of a person, or initials, if the document has the full name;
- a name with a possessive before it (*its rival Airbus*), which is the name alone.

A description keeps its wording where another argument of the tuple names the same thing: *Ann Lee is the mayor*. A
possessive pronoun within an argument is resolved there: *its plants* are *Toyota's plants*. The wording of the
sentence is always kept beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tupelo.core import Analysis, Argument, Extraction, Mention
from tupelo.core.statement import Anchor
from tupelo.names.antecedents import antecedents_of
from tupelo.names.namesakes import PassageName
from tupelo.nlp.languages.en.grammar import POSSESSIVES
from tupelo.nlp.languages.en.naming import DETACHABLE_TITLES
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree

# What tuples name by a description.
_DESCRIBED = ("person", "organization")


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
    documents: dict[str | None, list[int]] = {}
    for number, analysis in enumerate(analyses):
        documents.setdefault(analysis.document_id, []).append(number)
    found: list[dict[int, NamedReference]] = [{} for _ in analyses]
    for own in documents.values():
        for number, references in zip(own, _of_document([analyses[number] for number in own]), strict=True):
            found[number] = references
    return found


def _of_document(analyses: Sequence[Analysis]) -> list[dict[int, NamedReference]]:
    """The references of the sentences of one document, by the same decisions as in its graph."""
    antecedents = antecedents_of(analyses)
    found: list[dict[int, NamedReference]] = [{} for _ in analyses]
    for (number, index), name in antecedents.names.items():
        anchor, mention = antecedents.anchors[number][index], antecedents.parsed.get((number, index))
        if (reference := _name(antecedents.trees[number], anchor, name, mention)) is not None:
            found[number][anchor.head if mention is None else mention.head] = reference
    for (number, index), (one, _) in antecedents.resolve().items():
        mention = antecedents.mentions.get((number, index), Mention(-1, index, index + 1, index, ""))
        if one.name is not None:
            found[number][index] = _stand_in(mention, one.name)
    for number, analysis in enumerate(analyses):
        for mention in analysis.mentions or ():
            described = antecedents.described(number, mention)
            meant = None if described is None else described[0].name
            if mention.head not in found[number] and meant is not None and meant.label in _DESCRIBED:
                found[number][mention.head] = _stand_in(mention, meant, True)
    return found


def _stand_in(mention: Mention, name: PassageName, is_description: bool = False) -> NamedReference:
    """The reference of a pronoun or description."""
    return NamedReference(mention.start, mention.end, name.text, name.label, mention.entity, is_description)


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
