"""Linking across documents: which referents are the same entity, why, and with which probability.

1. Referents of one name are divided into things (`clusters.py`).
2. A name that is a shorter form of others (a surname, a first word, an acronym) may stand for one of them. A learned
   scorer compares it with each: by kind of form, types, names around both, further bearers. A referent goes to the
   most probable candidate, if that is probable enough. Longer names come first; then, all over again, what
   other documents were found to call each candidate counts too.
3. Corrections are applied.

The outcome depends on the referents alone, not on their order; and, for each, only on those with which it is
connected by shared keys. Work grows with the number of referents: of many candidates, only the largest and those that
share a document or names with a referent are scored.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tupelo.core.numeric import sigmoid
from tupelo.core.statement import Correction
from tupelo.names.aliases import Aliases, is_country, is_known_place
from tupelo.names.data import numbers, score
from tupelo.names.forms import form_of
from tupelo.names.linking.clusters import ReferentCluster, divide, grouped, names_beside, rank
from tupelo.names.linking.corrections import corrected
from tupelo.names.linking.profiles import LIKE, Profile, StoredReferent, asked_keys, fields_agree, is_like, profile_of
from tupelo.names.same import reason_apart

_NUMBERS = numbers("link")
# Of more candidates, only the largest are scored without evidence.
_MOST_CANDIDATES = 4
# Above this number of names that begin or are spelled alike, likeness is no evidence.
_MOST_ALIKE = 8
# A referent with more names around than this, none of them shared, is probably another entity.
_FEW_AROUND = 2
# The reason that is shown for each kind of shorter form; any other kind is a short name.
_REASONS = {
    "initials": "initials",
    "initials alone": "initials",
    "nickname": "nickname",
    "like a nickname": "nickname",
    "acronym": "acronym",
    "acronym of two": "acronym",
    "acronym without a word": "acronym",
    "stated": "stated",
    "same name": "same name",
}
# Reasons for which a shorter form cannot be one: *Scottish* and *Scottish Labour*.
_APART = frozenset(["number", "direction"])
_FULL, _SAME, _MEMBER = "full", "same name", "name of another member"


@dataclass(frozen=True, slots=True)
class Assigned:
    """The entity of a referent, as text from which its id is made.

    `reason` and `probability` are `None` where the entity has no other referent.
    """

    key: str
    reason: str | None = None
    probability: float | None = None


def link(
    referents: Iterable[StoredReferent],
    aliases: Aliases,
    corrections: Sequence[Correction] = (),
    documents: Mapping[str, Iterable[str]] | None = None,
) -> dict[str, Assigned]:
    """The entity of each name, of a set that is closed under being connected (`keys_of`, `correction_keys`).

    `documents` are the names in each document.
    """
    clusters, _ = _clusters(referents, aliases, documents or {})
    clusters = [cluster for cluster in clusters if cluster.members]
    _set_probabilities(clusters)
    clusters = corrected(clusters, aliases, corrections)
    return _named(clusters)


@dataclass(frozen=True, slots=True)
class Missed:
    """A referent that was not linked with another one, though it may be the same entity, why and how probably."""

    referent_id: str
    other_id: str
    reason: str
    probability: float


def missed_links(
    referents: Iterable[StoredReferent], aliases: Aliases, documents: Mapping[str, Iterable[str]]
) -> list[Missed]:
    """The links that `link` does not make, the most probable first."""
    _, fuller = _clusters(referents, aliases, documents)
    found = []
    for profile, choices in fuller.choices():
        best, probability = most_probable(choices)
        if probability < _NUMBERS["least"]:
            other = max(best.cluster.members, key=lambda one: (one.mentions, one.id))
            found.append(Missed(profile.id, other.id, best.reason, round(probability, 4)))
        else:
            fuller.assign(profile, best, round(probability, 4))
    return sorted(found, key=lambda one: (-one.probability, one.referent_id))


def _clusters(
    referents: Iterable[StoredReferent], aliases: Aliases, documents: Mapping[str, Iterable[str]]
) -> tuple[list[ReferentCluster], FullerNames]:
    profiles = sorted((profile_of(referent, aliases) for referent in referents), key=lambda profile: profile.id)
    clusters = [
        cluster for key, found in grouped(profiles, lambda profile: profile.key) for cluster in divide(key, found)
    ]
    fuller = FullerNames(clusters, documents)
    for _ in range(2):
        for profile, choices in fuller.choices():
            best, probability = most_probable(choices)
            if probability >= _NUMBERS["least"]:
                fuller.assign(profile, best, round(probability, 4))
    return clusters, fuller


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate for a name, the kind of form that the name is of its own, and the features of the pair."""

    cluster: ReferentCluster
    kind: str
    features: Mapping[str, float]

    @property
    def reason(self) -> str:
        return _REASONS.get(self.kind, "short name")


class FullerNames:
    """The referents that may stand for others by a shorter form of their name, and those that they may stand for."""

    def __init__(self, clusters: Sequence[ReferentCluster], documents: Mapping[str, Iterable[str]]) -> None:
        self.owners = {profile.id: cluster for cluster in clusters for profile in cluster.members}
        self.homes = dict(self.owners)
        self.documents = documents
        self._names: dict[str, frozenset[str]] = {}
        self.asking: dict[str, list[Profile]] = {}
        for cluster in clusters:
            for profile in cluster.members:
                self.asking.setdefault(profile.key, []).append(profile)
        asked = {*self.asking, *(key for own in self.asking.values() for one in own for key in asked_keys(one))}
        self.offering: dict[str, list[tuple[Profile, str]]] = {}
        for cluster in clusters:
            for profile in cluster.members:
                own = {**dict.fromkeys(profile.others, "stated"), **profile.offers, profile.key: _FULL}
                for key in asked.intersection(own):
                    self.offering.setdefault(key, []).append((profile, own[key]))
        alike = {key: {profile.key for profile, _ in own} for key, own in self.offering.items() if key[0] in LIKE}
        for key in [key for key, names in alike.items() if len(names) > _MOST_ALIKE]:
            del self.offering[key]

    def names_in(self, document: str) -> frozenset[str]:
        """The keys of the names in a document, countries left out."""
        found = self._names.get(document)
        if found is None:
            keys = (form_of(name).key for name in self.documents.get(document, ()))
            found = self._names[document] = frozenset(key for key in keys if not is_country(key))
        return found

    def choices(self) -> Iterator[tuple[Profile, list[Choice]]]:
        """The referents whose names may be shorter forms, longer ones first, each with its candidates.

        Those that were assigned before are decided again.
        """
        for key in sorted(self.asking, key=lambda key: (-len(key.split(" ")), key)):
            homes: dict[int, tuple[ReferentCluster, list[Profile]]] = {}
            before = {one.id: self.owners[one.id] for one in self.asking[key]}
            for profile in sorted(self.asking[key], key=lambda one: one.id) if not is_country(key) else ():
                home = self.homes[profile.id]
                self._move(profile, home, "same name", 0.0)
                homes.setdefault(id(home), (home, []))[1].append(profile)
            candidates: _Candidates | None = None
            ordered = sorted(homes.values(), key=lambda pair: (pair[0].loose, *rank(pair[0])))
            for place, (_, askers) in enumerate(ordered):
                if candidates is None or place < _MOST_CANDIDATES:
                    candidates = _Candidates(self, key, askers[0], before)
                for profile in askers if candidates.clusters else ():
                    if found := candidates.of(profile):
                        yield profile, found

    def _move(self, profile: Profile, cluster: ReferentCluster, reason: str, probability: float) -> None:
        if (owner := self.owners[profile.id]) is not cluster:
            owner.drop([profile])
            cluster.add(profile, reason, probability)
            self.owners[profile.id] = cluster

    def assign(self, profile: Profile, choice: Choice, probability: float) -> None:
        """Move a referent to a candidate."""
        self._move(profile, choice.cluster, choice.reason, probability)


def most_probable(choices: Sequence[Choice]) -> tuple[Choice, float]:
    """The choice with the highest probability, beside the others and that it is none of them."""
    scores = [math.exp(min(score("across", one.features), 30.0)) for one in choices]
    best = max(range(len(choices)), key=lambda place: (scores[place], -place))
    return choices[best], scores[best] / (1 + sum(scores))


class _Candidates:
    """The clusters that a name may stand for, prepared to be asked for many referents."""

    def __init__(self, names: FullerNames, key: str, example: Profile, before: Mapping[str, ReferentCluster]) -> None:
        self.names, self.key, self.before = names, key, before
        # The number of referents of this name that each cluster had before.
        self.had = Counter(map(id, before.values()))
        kinds: dict[int, Counter[str]] = {}
        clusters: dict[int, ReferentCluster] = {}
        for asked in (key, *asked_keys(example)):
            for profile, kind in names.offering.get(asked, ()):
                cluster = names.owners[profile.id]
                if cluster.key == key:
                    kind = _SAME
                elif asked != key:
                    if asked[0] in LIKE:
                        if not is_like(asked[0], key, profile.key):
                            continue
                    elif asked != key.lower():
                        kind = "nickname"
                    elif kind == _FULL:
                        kind = "in capitals"
                elif kind == _FULL:
                    kind = _MEMBER
                clusters[id(cluster)] = cluster
                kinds.setdefault(id(cluster), Counter())[kind] += 1
        self.clusters = sorted(clusters.values(), key=rank)
        self.numbers = {id(cluster): number for number, cluster in enumerate(self.clusters)}
        self.others = sum(cluster.key != key for cluster in self.clusters)
        self.kinds = [_most(kinds[id(one)]) for one in self.clusters]
        self.around = names_beside(self.clusters)
        self.documents = [one.documents for one in self.clusters]
        self.in_document: dict[str, list[int]] = {}
        for number, found in enumerate(self.documents):
            for document in found:
                self.in_document.setdefault(document, []).append(number)
        self.fields = [one.fields for one in self.clusters]
        self.genders = [Counter(one.gender for one in found.members if one.gender) for found in self.clusters]
        self.said = [frozenset[str]().union(*(one.said for one in found.members)) for found in self.clusters]
        self.mentions = [one.mentions for one in self.clusters]
        self.all_mentions = sum(self.mentions)
        # Documents that call each candidate so.
        self.called = [
            len({one.document_id for one in cluster.members if key in one.called or one.key == key})
            for cluster in self.clusters
        ]
        # The type of a word by itself is a guess; all documents together are better evidence.
        votes = Counter(one.thing for one in names.asking[key])
        most = _most(votes)
        self.thing = most if votes[most] >= _NUMBERS["votes"] * votes.total() else ""
        self._beside: dict[int, frozenset[str]] = {}

    def beside(self, number: int) -> frozenset[str]:
        """The names in the documents of a candidate."""
        if number not in self._beside:
            found = (self.names.names_in(document) for document in self.documents[number])
            self._beside[number] = frozenset[str]().union(*found)
        return self._beside[number]

    def of(self, profile: Profile) -> list[Choice]:
        """The candidates for a referent that are worth scoring, with the features of each."""
        shared = Counter(number for name in profile.around for number in self.around.get(name, ()))
        near = {*range(min(len(self.clusters), _MOST_CANDIDATES)), *shared}
        near.update(self.in_document.get(profile.document_id, ()))
        near = {number for number in near if self._is_possible(number, profile, bool(shared[number]))}
        own = self.names.names_in(profile.document_id)
        beside = {number: self.beside(number) & own - {self.key, self.clusters[number].key} for number in near}
        holders = Counter(name for names in beside.values() for name in names)
        alone = {number: math.fsum(1 / holders[name] for name in names) for number, names in beside.items()}
        return [
            Choice(
                self.clusters[number],
                self.kinds[number],
                self._features(profile, number, shared[number], len(beside[number]), alone[number]),
            )
            for number in sorted(near)
        ]

    def _is_possible(self, number: int, profile: Profile, is_near: bool) -> bool:
        """Not for names of one sentence, nor for a founder and the company.

        Of things with the same name, which a type or a frequent name keeps apart, the smaller may join the larger:
        not one of another place or field, nor a frequent name without another name beside both.
        """
        cluster = self.clusters[number]
        if not cluster.members or (self.kinds[number] == "stated" and not is_near):
            return False
        if self.kinds[number] != _SAME:
            return cluster.key not in profile.around and reason_apart(self.key, cluster.key) not in _APART
        own = self.names.owners[profile.id]
        is_apart = is_near if own.loose or cluster.loose else own.thing != cluster.thing
        if number >= self.numbers.get(id(own), 0) or not is_apart:
            return False
        members = *cluster.members, profile
        if {cluster.thing, profile.thing} == {"person", "organization"} and any(one.is_full_name for one in members):
            return False
        places = {one.place for one in members if one.place}
        return len(places) < 2 and fields_agree(profile.possible, self.fields[number])

    def _features(self, profile: Profile, number: int, shared: int, beside: int, alone: float) -> Mapping[str, float]:
        cluster, kind = self.clusters[number], self.kinds[number]
        thing = self.thing if len(profile.form.words) == 1 and not profile.form.titled else profile.thing
        types = "same" if thing == cluster.thing else f"{thing or 'vague'} for {cluster.thing or 'vague'}"
        is_person = cluster.thing == "person"
        is_own = profile.document_id in self.documents[number]
        is_unknown = not shared and not beside
        own, first = self.names.owners[profile.id], self.before[profile.id]
        home = self.numbers.get(id(own))
        names = max(1, len(self.names.names_in(profile.document_id)))
        names_for_each = 0.0 if " " in self.key else math.log((1 + names) / (1 + beside + shared))
        genders = self.genders[number] if profile.gender else None
        others = max(1, len(self.before) - 1)
        had, stayed = (self.had[id(one)] - (first is one) for one in (cluster, own))
        return {
            f"gender: {_most(genders) == profile.gender if genders else ''}": 1.0,
            "said of both": math.log1p(len(self.said[number] & profile.said)),
            "share of its namesakes": had / others if kind != _SAME else 0.0,
            "share elsewhere": (len(self.before) - 1 - had - stayed) / others,
            "namesakes": math.log1p(had) if kind != _SAME else 0.0,
            f"{kind} of {cluster.thing or 'other'}": 1.0,
            f"apart by {reason_apart(self.key, cluster.key)}": 1.0,
            f"type: {types}": 1.0,
            f"{kind}: {profile.thing or 'vague'}": 1.0,
            "share that calls it so": self.called[number] / len(self.documents[number]),
            "shared around": min(shared, 3),
            "shared in documents": math.log1p(beside),
            "shared with it alone": math.log1p(alone),
            f"{kind}, no name shared": float(is_unknown),
            f"{kind}, nothing shared": float(is_unknown and len(profile.around) > _FEW_AROUND),
            f"{kind} in its document": float(is_own),
            "people of its document": float(is_own and cluster.thing == profile.thing == "person"),
            "share of its document": beside / max(1, names - 1),
            "names for each shared": names_for_each,
            f"{kind}, names for each shared": names_for_each,
            "rivals": math.log1p(max(0, self.others - (kind != _SAME))),
            "rival in its document": float(
                any(one not in (number, home) for one in self.in_document.get(profile.document_id, ()))
            ),
            "own cluster stays": math.log1p(len(self.clusters[home].members) - 1) if home is not None else 0.0,
            "share": self.mentions[number] / self.all_mentions,
            "frequent name": float(is_person and not shared and profile.has_frequent_name),
            "known place": float(not is_person and is_known_place(self.key)),
            "title": float(is_person and profile.form.titled),
            "words left out": max(0, len(cluster.key.split(" ")) - len(profile.form.words) - 1),
            "documents of candidate": math.log(len(self.documents[number])),
        }


def _most(counts: Counter[str]) -> str:
    """The most frequent item; of equally frequent ones the first in order."""
    return min(counts, key=lambda item: (-counts[item], item))


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
        (only,) = cluster.members
        return {only.id: Assigned(key)}
    links = cluster.links
    named = [id for id, (reason, _) in links.items() if reason == "same name"]
    if len(named) == 1:
        # The rest of the cluster was linked to it.
        others = (linked for id, linked in links.items() if id != named[0])
        links = links | {named[0]: max(others, key=lambda linked: (linked[1], linked[0]))}
    return {id: Assigned(key, *linked) for id, linked in links.items()}
