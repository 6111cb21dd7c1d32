"""Referents of one name, divided into things.

The name alone says little about *Paris*: a type, a place that it lies in, or a profession distinguishes two. All of
these have few different values, so that a name with many referents is divided by comparing values, not referents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from tupelo.names.aliases import is_country, is_known_place, places_around
from tupelo.names.data import numbers
from tupelo.names.linking.profiles import Profile, fields_agree

Item = TypeVar("Item", bound=Hashable)
_NUMBERS = numbers("clusters")


class Sets:
    """Disjoint sets: `join` merges two, `find` returns the smallest item of a set."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def find(self, item: str) -> str:
        root = item
        while (above := self._above.get(root, root)) != root:
            root = above
        while item != root:
            self._above[item], item = root, self._above.get(item, item)
        return root

    def join(self, first: str, second: str) -> None:
        low, high = sorted((self.find(first), self.find(second)))
        if low != high:
            self._above[high] = low


class ReferentCluster:
    """Referents that are the same entity, each with reason and probability.

    `facet` distinguishes it from other clusters with its name.
    """

    def __init__(self, key: str, thing: str, facet: str = "", *, loose: bool = False) -> None:
        self.key = key
        self.thing = thing
        self.facet = facet
        # Known by a frequent name: other clusters with this name are distinct entities.
        self.loose = loose
        self._members: dict[str, Profile] = {}
        self.links: dict[str, tuple[str, float]] = {}
        self._around: Counter[str] | None = None

    def add(self, profile: Profile, reason: str, probability: float) -> None:
        self._members[profile.id] = profile
        self.links[profile.id] = (reason, probability)
        self._around = None

    def drop(self, profiles: Iterable[Profile]) -> None:
        for profile in profiles:
            self._members.pop(profile.id, None)
            self.links.pop(profile.id, None)
        self._around = None

    @property
    def members(self) -> Collection[Profile]:
        return self._members.values()

    @property
    def around(self) -> Counter[str]:
        """The number of its referents with each name beside them."""
        if self._around is None:
            self._around = Counter(name for profile in self.members for name in profile.around)
        return self._around

    @property
    def mentions(self) -> int:
        return sum(profile.mentions for profile in self.members)

    @property
    def documents(self) -> set[str]:
        return {profile.document_id for profile in self.members}

    @property
    def field_counts(self) -> Counter[str]:
        """The number of its referents with each field."""
        return Counter(field for profile in self.members for field in profile.fields)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(self.field_counts)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.documents), self.mentions


def divide(key: str, profiles: Sequence[Profile]) -> list[ReferentCluster]:
    """The things that have one name, in the order of their size."""
    loose = [profile for profile in profiles if profile.is_given_name or profile.needs_company]
    clusters = [_alone(profile) for profile in loose]
    apart = {profile.id for profile in loose}
    by_thing: dict[str, list[Profile]] = {}
    for profile in profiles:
        if profile.id not in apart:
            by_thing.setdefault(profile.thing, []).append(profile)
    if is_country(key):
        # A country acts.
        by_thing.setdefault("place", []).extend(by_thing.pop("organization", []))
    vague = by_thing.pop("", [])
    if by_thing:
        found = [cluster for thing in sorted(by_thing) for cluster in _by_facet(key, thing, by_thing[thing])]
        found = _with(key, found, vague)
    else:
        found = _by_facet(key, "", vague)
    return sorted([*clusters, *found], key=rank)


def _alone(profile: Profile) -> ReferentCluster:
    cluster = ReferentCluster(profile.key, profile.thing, loose=True)
    cluster.add(profile, "same name", 1.0)
    return cluster


def rank(cluster: ReferentCluster) -> tuple[int, int, str, str, str]:
    """The larger first; of equal ones, whichever has the smaller name, facet and referent."""
    documents, mentions = cluster.size
    return -documents, -mentions, cluster.key, cluster.facet, min(profile.id for profile in cluster.members)


def _by_facet(key: str, thing: str, profiles: Sequence[Profile]) -> list[ReferentCluster]:
    """Divide referents of one name and type by the place that they lie in, else by their field."""
    places = _place_facets(key, profiles) if thing != "person" else {}
    facets = places or _field_facets(profiles)
    clusters = {facet: ReferentCluster(key, thing, facet) for facet in sorted(set(facets.values()))}
    rest = []
    for profile in profiles:
        if (facet := facets.get(profile.id)) is None:
            rest.append(profile)
        else:
            clusters[facet].add(profile, "same name", 0.0)
    found = list(clusters.values())
    if not places or not is_known_place(key):
        return _with(key, found, rest)
    # Without evidence, the well-known place of this name is meant, even if no text says where it lies.
    usual = next((cluster for cluster in found if cluster.facet in places_around(key)), ReferentCluster(key, thing))
    return _with(key, [*(cluster for cluster in found if cluster is not usual), usual], rest, usual)


def _with(
    key: str, clusters: list[ReferentCluster], profiles: Sequence[Profile], usual: ReferentCluster | None = None
) -> list[ReferentCluster]:
    """Clusters with more referents: each goes to that with which it shares most names around, else to the usual one.

    Without a usual one, it goes to the largest, if that is by far the largest. What belongs to none makes one more.
    """
    beside = names_beside(clusters)
    fields = [cluster.fields for cluster in clusters]
    sizes = [len(cluster.members) for cluster in clusters]
    largest = min(range(len(clusters)), key=lambda number: (-sizes[number], number), default=None)
    if largest is not None and sizes[largest] < _NUMBERS["claim"] * sum(sizes):
        largest = None
    if usual is not None:
        largest = clusters.index(usual)
    plain = ReferentCluster(key, profiles[0].thing if profiles else "")
    chosen: list[tuple[Profile, ReferentCluster]] = []
    for profile in profiles:
        names = {*profile.around, profile.place} if profile.place else profile.around
        votes = Counter(number for name in names for number in beside.get(name, ()))
        fitting = (number for number in votes if fields_agree(profile.possible, fields[number]))
        ranked = sorted((-votes[number], number) for number in fitting)
        if ranked and (len(ranked) == 1 or ranked[0][0] < ranked[1][0]):
            chosen.append((profile, clusters[ranked[0][1]]))
        elif largest is not None and fields_agree(profile.possible, fields[largest]):
            chosen.append((profile, clusters[largest]))
        else:
            chosen.append((profile, plain))
    for profile, cluster in chosen:
        cluster.add(profile, "same name", 0.0)
    return [cluster for cluster in (*clusters, plain) if cluster.members]


def names_beside(clusters: Sequence[ReferentCluster], most: int = 4) -> Mapping[str, tuple[int, ...]]:
    """Name -> numbers of the clusters that have it beside them, or lie in it; not for names that most have."""
    found: dict[str, list[int]] = {}
    for number, cluster in enumerate(clusters):
        for name in {*cluster.around, *((cluster.facet,) if cluster.facet else ())}:
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items() if len(numbers) <= most}


def _place_facets(key: str, profiles: Sequence[Profile]) -> dict[str, str]:
    """Referent -> the place that it lies in, where known; a country and its only state are one."""
    places: dict[str, str] = {
        profile.id: profile.place for profile in profiles if profile.place and profile.place != key
    }
    known = set(places.values())
    within: dict[str, list[str]] = {}
    for place in sorted(known):
        for whole in places_around(place):
            within.setdefault(whole, []).append(place)
    sets = Sets()
    divided = set()
    for place in sorted(known & within.keys()):
        smallest = [part for part in within[place] if part not in within]
        if len(smallest) == 1:
            sets.join(place, smallest[0])
        else:
            divided.add(place)
    for profile in profiles:
        own = places.get(profile.id)
        for name in profile.around & known if own else ():
            # Of a place that no table has, all there is to say where it lies is what stands beside it.
            if own and not (is_known_place(own) and is_known_place(name)):
                sets.join(own, name)
    return {id: sets.find(place) for id, place in places.items() if place not in divided}


def _field_facets(profiles: Sequence[Profile]) -> dict[str, str]:
    """Referent -> its field, where known. Fields that one referent has, or that share names around, are one."""
    fields = {profile.id: sorted(profile.fields) for profile in profiles if profile.fields}
    sets = Sets()
    known = frozenset(field for found in fields.values() for field in found)
    every = sorted(known)
    for number, first in enumerate(every):
        for second in every[number + 1 :]:
            if fields_agree(frozenset([first]), frozenset([second])):
                sets.join(first, second)
    beside: dict[str, set[str]] = {}
    for profile in profiles:
        found = fields.get(profile.id, [])
        # A description that fits only one of the fields at hand belongs to it: *artist*, beside *singers*.
        vague = (profile.possible - profile.fields) & known
        for field in (*found[1:], *(vague if found and len(vague) == 1 else ())):
            sets.join(found[0], field)
        for name in profile.around if found else ():
            if not is_known_place(name):
                beside.setdefault(name, set()).add(found[0])
    sizes = Counter(found[0] for found in fields.values())
    shared: Counter[tuple[str, str]] = Counter()
    for profile in profiles:
        for own in fields.get(profile.id, [])[:1]:
            shared.update((own, other) for other in set().union(*(beside.get(name, ()) for name in profile.around)))
    for (own, other), count in sorted(shared.items()):
        if sizes[own] <= sizes[other] and count >= _NUMBERS["shared"] * sizes[own]:
            sets.join(own, other)
    return {id: sets.find(found[0]) for id, found in fields.items()}


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> Iterator[tuple[str, list[Item]]]:
    """Groups by key, in the order of the keys."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    yield from sorted(groups.items())
