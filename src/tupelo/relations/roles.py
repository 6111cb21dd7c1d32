"""Directions in which a relation may answer for another one, by types, voice and words alone.

These rules override the score of an entailment model: models of two short phrases often find opposites and the two
sides of one event (*buy*, *sell*) similar, and hardly distinguish the roles.
"""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.core.entailment import RelationSignature
from tupelo.nlp.languages.en.grammar import FORMS_OF_HAVE, LOCATION_PREPOSITIONS
from tupelo.nlp.languages.en.relation_words import OPPOSITES
from tupelo.relations.phrases import RelationPhrase, read_phrase

# The object after one of these is a location or origin, not a participant.
_OBLIQUE = LOCATION_PREPOSITIONS | {"from", "into"}


def directions(offered: RelationSignature, asked: RelationSignature) -> Iterator[tuple[bool, bool]]:
    """The directions in which a relation may answer: whether turned, and whether the other direction is possible.

    The types of the ends come first. Where they allow both directions, the same verb is turned with its voice, and
    different verbs of the same voice are never turned. Only an active and a passive of different verbs (*bought*, *is
    owned by*) leave it open.
    """
    premise, hypothesis = read_phrase(offered.name), read_phrase(asked.name)
    same_verb = premise.content == hypothesis.content
    same_types = bool(asked.object_types) and offered.object_types == asked.object_types
    # The object may be a place instead of a participant, unless both are known to be of the same types.
    misplaced = _is_oblique(premise) != _is_oblique(hypothesis) and not same_types
    if misplaced or not _may_entail(premise, hypothesis) or _has_other_roles(premise, hypothesis):
        return
    straight, turned = (_types_fit(offered, asked, swapped) for swapped in (False, True))
    if _is_oblique(premise) or _is_oblique(hypothesis):
        turned = False
    voices_differ = has_agent(premise) != has_agent(hypothesis)
    if straight and turned:
        if same_verb or not voices_differ:
            yield voices_differ, False
        else:
            yield from ((False, True), (True, True))
    elif straight or turned:
        yield turned, False


def _types_fit(offered: RelationSignature, asked: RelationSignature, turned: bool) -> bool:
    ends = (offered.object_types, offered.subject_types) if turned else (offered.subject_types, offered.object_types)
    return all(
        not own or not wanted or bool(own & wanted)
        for own, wanted in zip(ends, (asked.subject_types, asked.object_types), strict=True)
    )


def _may_entail(premise: RelationPhrase, hypothesis: RelationPhrase) -> bool:
    """Whether the words allow entailment: no opposites, and the premise is not weaker."""
    opposed = any(OPPOSITES.get(word, frozenset()) & set(hypothesis.content) for word in premise.content)
    weaker = (
        premise.weak > hypothesis.weak
        or premise.staged > hypothesis.staged
        or _is_intended(premise) > _is_intended(hypothesis)
    )
    return not opposed and not weaker and premise.negated == hypothesis.negated


def _has_other_roles(premise: RelationPhrase, hypothesis: RelationPhrase) -> bool:
    """Whether the arguments of two relations have different roles, whatever the verbs mean."""
    if premise.content == hypothesis.content:
        # *wrote for* is not *wrote*, who *is a member of* a club has no members.
        prepositions = [phrase.preposition for phrase in (premise, hypothesis) if not has_agent(phrase)]
        places = all(preposition in _OBLIQUE for preposition in prepositions)
        owners = [any(word in FORMS_OF_HAVE for word in phrase.words) for phrase in (premise, hypothesis)]
        copulas = [phrase.copular for phrase in (premise, hypothesis)]
        if (len(set(prepositions)) > 1 and not places) or (any(owners) and any(copulas)):
            return True
    # The subject of *was founded in Oslo* founded nothing.
    patient = premise.passive and not has_agent(premise)
    return patient and not hypothesis.passive and not hypothesis.copular and hypothesis.preposition is None


def _is_intended(phrase: RelationPhrase) -> bool:
    """Whether an infinitive marks an intention: *offered to buy*."""
    return "to" in phrase.words[:-1]


def _is_oblique(phrase: RelationPhrase) -> bool:
    return phrase.preposition in _OBLIQUE


def has_agent(phrase: RelationPhrase) -> bool:
    """Whether the object is the agent: *was founded by*."""
    return phrase.passive and phrase.preposition == "by"
