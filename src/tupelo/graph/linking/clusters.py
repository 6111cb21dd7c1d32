"""Referents of one name, divided into things.

Names alone say little of *Paris*: a type, a place that it lies in, or a profession tells two apart. All of these have
few different values, so that a name with many referents is divided by comparing values, not referents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from tupelo.graph.linking.aliases import is_country, is_known_place, places_around
from tupelo.graph.linking.evidence import fields_agree
from tupelo.graph.linking.profiles import Profile

Item = TypeVar("Item", bound=Hashable)
# The least share of a name's referents that one thing must have, to claim those that nothing else assigns.
_CLAIM = 2 / 3
# A type that so small a share of a name's referents has is taken for a mistake.
_MISTAKE = 0.1


class Sets:
    """Disjoint sets: `join` merges two, `find` gives the smallest item of one's set."""

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


class Cluster:
    """Referents that are one thing, each with why and how probably. `facet` tells it from others of its name."""

    def __init__(self, key: str, thing: str, facet: str = "", *, loose: bool = False) -> None:
        self.key = key
        self.thing = thing
        self.facet = facet
        # Known by a frequent name only: others of this name are other people.
        self.loose = loose
        self.members: list[Profile] = []
        self.links: dict[str, tuple[str, float]] = {}
        self._around: Counter[str] | None = None

    def add(self, profile: Profile, reason: str, probability: float) -> None:
        self.members.append(profile)
        self.links[profile.id] = (reason, probability)
        self._around = None

    def drop(self, profiles: Iterable[Profile]) -> None:
        gone = {profile.id for profile in profiles}
        self.members = [profile for profile in self.members if profile.id not in gone]
        for id in gone:
            self.links.pop(id, None)
        self._around = None

    @property
    def around(self) -> Counter[str]:
        """How many of its referents have each name beside them."""
        if self._around is None:
            self._around = Counter(name for profile in self.members for name in profile.around)
        return self._around

    @property
    def mentions(self) -> int:
        return sum(profile.mentions for profile in self.members)

    @property
    def documents(self) -> set[str]:
        return {profile.referent.document_id for profile in self.members}

    @property
    def field_counts(self) -> Counter[str]:
        """How many of its referents have each field."""
        return Counter(field for profile in self.members for field in profile.fields)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(self.field_counts)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.documents), self.mentions


def divide(key: str, profiles: Sequence[Profile]) -> list[Cluster]:
    """The things that have one name, in the order of their size."""
    loose = [profile for profile in profiles if profile.is_given_name or profile.is_frequent_surname]
    clusters = [_alone(profile) for profile in loose]
    apart = {profile.id for profile in loose}
    by_thing: dict[str, list[Profile]] = {}
    for profile in profiles:
        if profile.id not in apart:
            by_thing.setdefault(profile.thing, []).append(profile)
    _merge_things(key, by_thing)
    vague = by_thing.pop("", [])
    if not by_thing:
        clusters += _by_facet(key, "", vague)
        return _ordered(clusters)
    found = [cluster for thing in sorted(by_thing) for cluster in _by_facet(key, thing, by_thing[thing])]
    _assign(key, found, vague)
    return _ordered([*clusters, *found])


def _alone(profile: Profile) -> Cluster:
    cluster = Cluster(profile.key, profile.thing, loose=True)
    cluster.add(profile, "same name", 1.0)
    return cluster


def _ordered(clusters: Iterable[Cluster]) -> list[Cluster]:
    return sorted((cluster for cluster in clusters if cluster.members), key=rank)


def rank(cluster: Cluster) -> tuple[int, int, str, str, str]:
    """The larger first; of equal ones, whichever has the smaller name, facet and referent."""
    documents, mentions = cluster.size
    return -documents, -mentions, cluster.key, cluster.facet, min(profile.id for profile in cluster.members)


def _merge_things(key: str, by_thing: dict[str, list[Profile]]) -> None:
    """Merge types that one thing may have in different documents: a country acts, a university is a place."""
    for first, second in (("organization", "place"), ("organization", "person"), ("person", "place")):
        if first not in by_thing or second not in by_thing:
            continue
        small, large = sorted((first, second), key=lambda thing: (len(by_thing[thing]), thing))
        if _one_thing(key, by_thing[small], by_thing[large], (first, second)):
            by_thing[large] = sorted(by_thing[large] + by_thing.pop(small), key=lambda profile: profile.id)


def _one_thing(key: str, small: Sequence[Profile], large: Sequence[Profile], things: tuple[str, str]) -> bool:
    fields = [frozenset(field for profile in side for field in profile.possible) for side in (small, large)]
    if any(profile.form.legal for profile in (*small, *large)) or not fields_agree(*fields):
        return False
    if things == ("organization", "place"):
        if is_country(key):
            return True
        if " " in key and not is_known_place(key):
            return True
    elif " " not in key:
        return False
    mistake = len(small) <= _MISTAKE * len(large)
    shared = frozenset().union(*(profile.around for profile in small)) & frozenset().union(
        *(profile.around for profile in large)
    )
    return mistake and bool(shared or not fields[0])


def _by_facet(key: str, thing: str, profiles: Sequence[Profile]) -> list[Cluster]:
    """Divide referents of one name and type by the place that they lie in, or by their field."""
    facets = _place_facets(key, profiles) if thing in ("place", "organization", "") else {}
    if not facets:
        facets = _field_facets(profiles)
    clusters = {facet: Cluster(key, thing, facet) for facet in sorted(set(facets.values()))}
    rest = []
    for profile in profiles:
        if (facet := facets.get(profile.id)) is None:
            rest.append(profile)
        else:
            clusters[facet].add(profile, "same name", 0.0)
    found = list(clusters.values())
    usual = [cluster for cluster in found if cluster.facet in places_around(key)]
    if thing != "person" and is_known_place(key) and found and not usual:
        # The well-known place of this name, of which nobody says where it lies.
        usual = [Cluster(key, thing)]
        found += usual
    _assign(key, found or [Cluster(key, thing)], rest, usual[0] if usual else None, found)
    return found


def _assign(
    key: str,
    clusters: list[Cluster],
    profiles: Sequence[Profile],
    usual: Cluster | None = None,
    found: list[Cluster] | None = None,
) -> None:
    """Add each referent to the cluster with which it shares most names around, else to the usual or largest one.

    What belongs to no cluster makes one of its own, which is added to `found`.
    """
    target = clusters if found is None else found
    beside = names_beside(clusters)
    fields = [cluster.fields for cluster in clusters]
    sizes = {id(cluster): len(cluster.members) for cluster in clusters}
    total = sum(sizes.values())
    largest = min(clusters, key=lambda cluster: (-sizes[id(cluster)], cluster.facet, cluster.thing))
    claims = len(clusters) == 1 or sizes[id(largest)] >= _CLAIM * total
    plain: Cluster | None = None
    choices: list[tuple[Profile, Cluster]] = []
    for profile in profiles:
        names = {*profile.around, profile.place} if profile.place else profile.around
        votes = Counter(index for name in names for index in beside.get(name, ()))
        ranked = sorted(
            (-count, index) for index, count in votes.items() if fields_agree(profile.possible, fields[index])
        )
        if ranked and (len(ranked) == 1 or ranked[0][0] < ranked[1][0]):
            choices.append((profile, clusters[ranked[0][1]]))
        elif usual is not None:
            choices.append((profile, usual))
        elif claims and fields_agree(profile.possible, fields[clusters.index(largest)]):
            choices.append((profile, largest))
        else:
            plain = plain or Cluster(key, profile.thing)
            choices.append((profile, plain))
    for profile, cluster in choices:
        cluster.add(profile, "same name", 0.0)
    for cluster in (*clusters, *((plain,) if plain else ())):
        if cluster.members and not any(cluster is known for known in target):
            target.append(cluster)


def names_beside(clusters: Sequence[Cluster], most: int = 4) -> Mapping[str, tuple[int, ...]]:
    """Name -> numbers of the clusters that have it beside them, or lie in it; not for names that most have."""
    found: dict[str, list[int]] = {}
    for number, cluster in enumerate(clusters):
        for name in {*cluster.around, *((cluster.facet,) if cluster.facet else ())}:
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items() if len(numbers) <= most}


def _place_facets(key: str, profiles: Sequence[Profile]) -> dict[str, str]:
    """Referent -> the place that it lies in, where known; a country and its only state are one."""
    places = {profile.id: profile.place for profile in profiles if profile.place and profile.place != key}
    given = sorted({place for place in places.values() if place})
    within: dict[str, list[str]] = {}
    for place in given:
        for whole in places_around(place):
            within.setdefault(whole, []).append(place)
    sets = Sets()
    known = set(given)
    for place in given:
        parts = [part for part in within.get(place, ()) if not any(other in known for other in within.get(part, ()))]
        if len(parts) == 1:
            sets.join(place, parts[0])
    for profile in profiles:
        place = places.get(profile.id)
        for name in profile.around & known if place else ():
            # Of a place that no table has, all there is to say where it lies is what stands beside it.
            if place and not (is_known_place(place) and is_known_place(name)):
                sets.join(place, name)
    divided = {place for place, parts in within.items() if place in known and len(parts) > 1}
    return {
        id: sets.find(place)
        for id, place in places.items()
        if place and not (place in divided and sets.find(place) == place)
    }


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
    seen: dict[str, str] = {}
    for profile in profiles:
        found = fields.get(profile.id, [])
        # What only fits one of the fields at hand (*artist*, where others are *singers*) belongs to it.
        vague = (profile.possible - profile.fields) & known
        for field in (*found[1:], *(vague if found and len(vague) == 1 else ())):
            sets.join(found[0], field)
        for name in profile.around if found else ():
            if not is_known_place(name):
                sets.join(seen.setdefault(name, found[0]), found[0])
    return {id: sets.find(found[0]) for id, found in fields.items()}


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> Iterator[tuple[str, list[Item]]]:
    """Groups by key, in the order of the keys."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    yield from sorted(groups.items())
