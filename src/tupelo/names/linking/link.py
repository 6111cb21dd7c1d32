"""Linking across documents: which referents are the same entity, why, and with which probability.

1. Referents of one name are divided into things (`clusters.py`).
2. Names that are less full are looked for among fuller ones: initials and nicknames, then acronyms and other names
   that a document states, then acronyms that none does, then surnames. A referent goes to the one candidate with
   which it shares names around it, else to the only or by far the largest one; else it stays where it is.
3. Corrections are applied.

The outcome depends on the referents alone, not on their order; and, for each, only on those with which it is
connected by shared keys. Work grows with the number of referents: what is compared are names, types, places and
fields, and the names around a referent are looked up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tupelo.core.numeric import sigmoid
from tupelo.core.statement import Correction
from tupelo.names.aliases import Aliases
from tupelo.names.data import numbers
from tupelo.names.linking.clusters import ReferentCluster, Sets, divide, grouped, names_beside, rank
from tupelo.names.linking.corrections import corrected
from tupelo.names.linking.profiles import (
    FREQUENT_NAMES,
    Profile,
    StoredReferent,
    fields_agree,
    first_name,
    profile_of,
)
from tupelo.nlp.languages.en.naming import FREQUENT_SURNAMES

_NUMBERS = numbers("link")
# With more candidates than this, only names around decide.
_MOST_CANDIDATES = 50
# A referent with more names around than this, none of them shared with the only candidate, is another entity.
_FEW_AROUND = 2


@dataclass(frozen=True, slots=True)
class Assigned:
    """The entity of a referent, as text from which its id is made.

    `reason` and `probability` are `None` where the entity has no other referent.
    """

    key: str
    reason: str | None = None
    probability: float | None = None


def link(
    referents: Iterable[StoredReferent], aliases: Aliases, corrections: Sequence[Correction] = ()
) -> dict[str, Assigned]:
    """The entity of each name, of a set that is closed under sharing a key (`keys_of`, `correction_keys`)."""
    profiles = sorted((profile_of(referent, aliases) for referent in referents), key=lambda profile: profile.id)
    people = {name for profile in profiles for name in profile.names_of_person}
    clusters = [
        cluster
        for key, found in grouped(profiles, lambda profile: profile.key)
        for cluster in divide(key, found, key in people)
    ]
    for step in (_fuller_names, _stated_names, _acronyms, _surnames):
        clusters = step(clusters)
    clusters = _joined_by_names_around(clusters)
    _set_probabilities(clusters)
    clusters = corrected(clusters, aliases, corrections)
    return _named(clusters)


# --- Names that are less full ---------------------------------------------------------------------------------------


def _fuller_names(clusters: Sequence[ReferentCluster]) -> list[ReferentCluster]:
    """Move people whose names have fewer words, initials or a nickname to the fuller name that they may stand for."""
    people = [cluster for cluster in clusters if cluster.thing == "person" and _ends_with_surname(cluster.members[0])]
    by_name: dict[tuple[str, str], list[ReferentCluster]] = {}
    by_initial: dict[tuple[str, str], list[ReferentCluster]] = {}
    for cluster in people:
        form = cluster.members[0].form
        surname, first = form.words[-1], form.words[0]
        by_initial.setdefault((first[0], surname), []).append(cluster)
        if not form.initials[0]:
            by_name.setdefault((first_name(first), surname), []).append(cluster)

    def choice(cluster: ReferentCluster) -> _Choice | None:
        form = cluster.members[0].form
        first, surname = form.words[0], form.words[-1]
        near = by_initial[first[0], surname] if form.initials[0] else by_name[first_name(first), surname]
        if len(near) > _MOST_CANDIDATES:
            return None
        return _choice(
            (other, reason)
            for other in near
            if other is not cluster and other.members and (reason := _stands_for(cluster, other)) is not None
        )

    return _moved(clusters, sorted(people, key=lambda cluster: (-_fullness(cluster), *rank(cluster))), choice)


def _ends_with_surname(profile: Profile) -> bool:
    return not profile.is_surname and profile.surname == profile.form.words[-1]


def _fullness(cluster: ReferentCluster) -> int:
    form = cluster.members[0].form
    return sum(1 if initials else 2 for initials in form.initials) * 2 + bool(form.generation)


def _stands_for(short: ReferentCluster, full: ReferentCluster) -> str | None:
    """Why the name of a person may stand for a fuller one; `None` if it cannot, or is not less full."""
    one, other = short.members[0].form, full.members[0].form
    if one.generation and one.generation != other.generation:
        return None
    given, fuller = _given_names(one.words, one.initials), _given_names(other.words, other.initials)
    if len(given) > len(fuller) or not given:
        return None
    reason: str = "short name"
    if len(given) < len(fuller) and len(given) > 1:
        # *John Ronald Tolkien* for *John Ronald Reuel Tolkien*; but *George W. Bush* is no *George H. W. Bush*.
        fuller = fuller[: len(given)]
    for name, full_name in zip(given, fuller, strict=False):
        if name == full_name:
            continue
        if len(name) == 1 and full_name.startswith(name):
            reason = "initials"
        elif name is given[0] and first_name(name) == first_name(full_name):
            if first_name(name) == name:
                # The full form of a nickname stands for nothing; the nickname stands for it.
                return None
            reason = "nickname"
        else:
            return None
    fuller_by = _fullness(full) - _fullness(short)
    return reason if fuller_by > 0 or reason == "nickname" else None


def _given_names(words: Sequence[str], initials: Sequence[bool]) -> list[str]:
    """The words before the surname, each initial by itself."""
    found: list[str] = []
    for word, is_initials in zip(words[:-1], initials[:-1], strict=True):
        found += list(word.casefold()) if is_initials else [word]
    return found


def _stated_names(clusters: Sequence[ReferentCluster]) -> list[ReferentCluster]:
    """Move referents to things for which documents state their name as another one: acronyms, former names."""
    stating: dict[str, dict[int, ReferentCluster]] = {}
    by_key: dict[str, list[ReferentCluster]] = {}
    people: set[str] = set()
    ranks = {id(cluster): rank(cluster) for cluster in clusters}
    for cluster in clusters:
        by_key.setdefault(cluster.key, []).append(cluster)
        for profile in cluster.members:
            people.update(profile.names_of_person)
            for other in profile.others:
                stating.setdefault(other, {})[id(cluster)] = cluster

    def choice(cluster: ReferentCluster) -> _Choice | None:
        is_person = cluster.members[0].is_surname
        if cluster.loose or (is_person and cluster.key in people):
            return None
        # Of two that state each other's name, the smaller goes to the larger.
        mutual = {id(other) for profile in cluster.members for key in profile.others for other in by_key.get(key, ())}
        found = [
            (other, "short name" if _is_part(cluster, other) else "acronym" if cluster.key.isupper() else "stated")
            for other in stating.get(cluster.key, {}).values()
            if other.key != cluster.key
            and other.members
            and (id(other) not in mutual or ranks[id(other)] < ranks[id(cluster)])
        ]
        return _choice(one for one in found if one[1] == "short name" or not is_person)

    return _moved(clusters, sorted(clusters, key=rank), choice)


def _is_part(short: ReferentCluster, full: ReferentCluster) -> bool:
    """Whether a name is the beginning of that of an organization, or the model in that of a product."""
    is_model = any(map(str.isdigit, short.key)) and full.key.endswith(f" {short.key.casefold()}")
    return is_model or (full.thing == "organization" and full.key.startswith(f"{short.key} "))


def _acronyms(clusters: Sequence[ReferentCluster]) -> list[ReferentCluster]:
    """Move organizations known by an acronym to the one whose name has these initials, though no document says so."""
    spelled: dict[str, list[ReferentCluster]] = {}
    for cluster in clusters:
        for letters in cluster.members[0].acronyms:
            spelled.setdefault(letters, []).append(cluster)

    def choice(cluster: ReferentCluster) -> _Choice | None:
        if cluster.thing not in ("organization", "") or cluster.loose:
            return None
        return _choice(
            ((other, "acronym") for other in spelled.get(cluster.key, ()) if other.members), _NUMBERS["unstated"]
        )

    return _moved(clusters, sorted(clusters, key=rank), choice)


def _surnames(clusters: Sequence[ReferentCluster]) -> list[ReferentCluster]:
    """Move people known by a surname to a person whose full name has it."""
    bearers: dict[str, dict[int, ReferentCluster]] = {}
    for cluster in clusters:
        people = (one for one in cluster.members if one.thing == "person" and not one.is_surname)
        for name in (name for person in people for name in (person.surname, *person.others) if name is not None):
            bearers.setdefault(name, {})[id(cluster)] = cluster
    choices: dict[str, _Choice | None] = {}

    def choice(cluster: ReferentCluster) -> _Choice | None:
        head = cluster.members[0]
        if not head.is_surname or head.is_given_name:
            return None
        name = head.form.own_words[-1]
        if name not in choices:
            choices[name] = _choice((other, "short name") for other in bearers.get(name, {}).values())
        return choices[name]

    return _moved(clusters, sorted(clusters, key=rank), choice)


def _moved(
    clusters: Sequence[ReferentCluster],
    order: Iterable[ReferentCluster],
    choice_for: Callable[[ReferentCluster], _Choice | None],
) -> list[ReferentCluster]:
    """Move each referent, cluster by cluster, to the candidate that it belongs to; empty clusters are dropped."""
    for cluster in order:
        choice = choice_for(cluster) if cluster.members else None
        if choice is None:
            continue
        gone = []
        for profile in cluster.members:
            chosen = choice.of(profile)
            if chosen is not None and chosen[0] is not cluster:
                chosen[0].add(profile, *chosen[1:])
                gone.append(profile)
        cluster.drop(gone)
    return [cluster for cluster in clusters if cluster.members]


def _choice(
    candidates: Iterable[tuple[ReferentCluster, str]], alone: Mapping[str, float] | None = None
) -> _Choice | None:
    found = list(candidates)
    return _Choice(found, alone or _NUMBERS["alone"]) if found else None


class _Choice:
    """Candidates for a name, prepared to be asked for many referents."""

    def __init__(self, candidates: Iterable[tuple[ReferentCluster, str]], alone: Mapping[str, float]) -> None:
        self.alone = alone
        self.candidates = sorted(candidates, key=lambda found: rank(found[0]))
        self.beside = names_beside([cluster for cluster, _ in self.candidates])
        self.documents = [cluster.documents for cluster, _ in self.candidates]
        self.in_document = Counter(document for found in self.documents for document in found)
        self.fields = [cluster.fields for cluster, _ in self.candidates]
        self.mentions = [cluster.mentions for cluster, _ in self.candidates]
        self.all_mentions = sum(self.mentions)
        self.main = max(range(len(self.candidates)), key=lambda number: (self.mentions[number], -number))

    def of(self, profile: Profile) -> tuple[ReferentCluster, str, float] | None:
        """The candidate that a referent means, with reason and probability.

        None where its own document has two of them and has not decided.
        """
        if self.in_document[profile.document_id] > 1:
            return None
        votes: dict[int, int] = {}
        for name in profile.around:
            for number in self.beside.get(name, ()):
                votes[number] = votes.get(number, 0) + 1
        fitting = [number for number in votes if self._fits(number, profile)]
        if fitting:
            best = max(votes[number] for number in fitting)
            chosen = [number for number in fitting if votes[number] == best]
            if len(chosen) > 1:
                return None
            cluster, reason = self.candidates[chosen[0]]
            return cluster, reason, 1 - (1 - self.alone[reason]) / (1 + best)
        main = self.main
        # Other documents use this part of a name for the organization or product.
        is_part = self.candidates[main][1] == "short name" and self.candidates[main][0].thing != "person"
        is_far = len(profile.around) > _FEW_AROUND
        if (
            _needs_names_around(profile)
            # One document may be misread: *Mount Franklin (Australian Capital Territory)*.
            or self.candidates[main][1] == "stated"
            or (is_far and not is_part)
            or not self._fits(main, profile)
            or (profile.document_id in self.documents[main] and not is_part)
            or self.mentions[main] < _NUMBERS["dominant"] * (self.all_mentions - self.mentions[main])
        ):
            return None
        cluster, reason = self.candidates[main]
        return cluster, reason, self.alone[reason] * self.mentions[main] / self.all_mentions

    def _fits(self, number: int, profile: Profile) -> bool:
        cluster, reason = self.candidates[number]
        if cluster.key in profile.around:
            # A sentence that has both speaks of two.
            return False
        things = {cluster.thing, profile.thing}
        # A word that documents use for an organization is this, whatever its type was guessed to be.
        is_word = reason == "short name" and cluster.thing == "organization" and len(profile.form.words) == 1
        if len(things) == 2 and "" not in things and (not is_word or profile.form.titled):
            return False
        return fields_agree(profile.possible, self.fields[number])


def _needs_names_around(profile: Profile) -> bool:
    """Whether a name is so frequent that the only candidate need not be meant."""
    if profile.thing != "person":
        return False
    words = profile.form.own_words
    if len(words) == 1:
        return words[0] in FREQUENT_NAMES and not profile.form.titled
    # Two initials are better evidence than one: *H. G. Wells*.
    is_told = profile.form.initials[0] and len(words[0]) > 1
    return words[-1] in FREQUENT_SURNAMES and not is_told


def _joined_by_names_around(clusters: Sequence[ReferentCluster]) -> list[ReferentCluster]:
    """Join those known by the same frequent or generic name where the same other names stand beside them."""
    kept = [cluster for cluster in clusters if not cluster.loose]
    for _, found in grouped((cluster for cluster in clusters if cluster.loose), lambda cluster: cluster.key):
        sets = Sets()
        seen: dict[str, str] = {}
        for cluster in found:
            profile = cluster.members[0]
            for name in profile.around if not profile.is_given_name else ():
                sets.join(seen.setdefault(name, profile.id), profile.id)
        groups: dict[str, ReferentCluster] = {}
        for cluster in found:
            first = groups.setdefault(sets.find(cluster.members[0].id), cluster)
            if first is not cluster:
                first.add(cluster.members[0], "same name", _NUMBERS["same_frequent_name"])
        kept += groups.values()
    return kept


def _set_probabilities(clusters: Iterable[ReferentCluster]) -> None:
    """Set the probability of each referent that shares its name with another one of its cluster."""
    for cluster in clusters:
        if cluster.loose or len(cluster.members) == 1:
            continue
        several, single = _NUMBERS["same_name"].get(cluster.thing, _NUMBERS["same_name"]["vague"])
        probability = several if " " in cluster.key else single
        around, fields = cluster.around, cluster.field_counts
        for profile in cluster.members:
            reason, _ = cluster.links[profile.id]
            if reason == "same name":
                odds = math.log(probability / (1 - probability))
                odds += _NUMBERS["shared_names"] * any(around[name] > 1 for name in profile.around)
                odds += _NUMBERS["shared_field"] * any(fields[field] > 1 for field in profile.fields)
                reason = "same name" if profile.own_key == profile.key else "alias table"
                cluster.links[profile.id] = (reason, round(sigmoid(odds), 4))


def _named(clusters: Iterable[ReferentCluster]) -> dict[str, Assigned]:
    """Keys of entities: the name; for all but the largest of a name with what distinguishes it."""
    assigned: dict[str, Assigned] = {}
    for key, found in grouped(clusters, lambda cluster: cluster.key):
        taken: set[str] = set()
        for cluster in sorted(found, key=rank):
            text = key
            if cluster.loose or text in taken:
                aspects = () if cluster.loose else (cluster.facet, cluster.thing)
                options = [f"{key} ({aspect})" for aspect in aspects if aspect]
                smallest = min(profile.id for profile in cluster.members)
                text = next((option for option in options if option not in taken), f"{key} ({smallest})")
            taken.add(text)
            assigned |= _assigned(text, cluster)
    return assigned


def _assigned(key: str, cluster: ReferentCluster) -> dict[str, Assigned]:
    if len(cluster.members) == 1:
        return {cluster.members[0].id: Assigned(key)}
    links = cluster.links
    named = [id for id, (reason, _) in links.items() if reason == "same name"]
    if len(named) == 1:
        # The rest of the cluster was linked to it.
        others = (linked for id, linked in links.items() if id != named[0])
        links = links | {named[0]: max(others, key=lambda linked: (linked[1], linked[0]))}
    return {id: Assigned(key, *linked) for id, linked in links.items()}
