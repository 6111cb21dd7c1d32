"""What people said about who is who, applied to what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.document import Document
from tupelo.core.identity import Correction
from tupelo.graph.linking.aliases import Aliases
from tupelo.graph.linking.clusters import Cluster, rank
from tupelo.graph.linking.forms import form_of
from tupelo.graph.linking.profiles import Profile


def correction_keys(correction: Correction, aliases: Aliases) -> tuple[str, ...]:
    """The keys that a correction connects: referents with any of them belong to one closed set."""
    return tuple(dict.fromkeys(key for name, _ in correction.sides for key in _keys_of_name(name, aliases)))


def corrected(clusters: Sequence[Cluster], aliases: Aliases, corrections: Sequence[Correction]) -> list[Cluster]:
    """Merge what is the same by a correction, then divide what is different."""
    if not corrections:
        return list(clusters)
    owners = {profile.id: cluster for cluster in clusters for profile in cluster.members}
    by_key: dict[str, list[Profile]] = {}
    for cluster in clusters:
        for profile in cluster.members:
            for key in {profile.own_key, profile.key, *profile.others, *filter(None, [profile.surname])}:
                by_key.setdefault(key, []).append(profile)
    for correction in sorted(corrections, key=lambda correction: (correction.verdict != "same", correction.sides)):
        first, second = (
            {
                profile.id: profile
                for key in _keys_of_name(name, aliases)
                for profile in by_key.get(key, ())
                if _is_meant(profile, name, source, aliases)
            }
            for name, source in correction.sides
        )
        if correction.verdict == "different":
            _divide(first, {id: profile for id, profile in second.items() if id not in first}, owners)
        elif first and second:
            _merge({**first, **second}, owners)
    return list({id(cluster): cluster for _, cluster in sorted(owners.items())}.values())


def _keys_of_name(name: str, aliases: Aliases) -> tuple[str, ...]:
    """The keys that a name may have, whatever its type."""
    keys = [(form_of(name, label).key, label) for label in ("", *ENTITY_TYPES)]
    return tuple(dict.fromkeys(found for key, label in keys for found in (key, aliases.canonical(key, label))))


def _is_meant(profile: Profile, name: str, source: str, aliases: Aliases) -> bool:
    """Whether a name means this referent: as its fullest one in all documents, or as any name in the given one."""
    label = profile.referent.label
    own = form_of(name, label).key
    if not source:
        return own == profile.own_key
    if profile.referent.document_id != Document(source, "").id:
        return False
    return aliases.canonical(own, label) in (profile.key, profile.surname, *profile.others)


def _merge(profiles: Mapping[str, Profile], owners: dict[str, Cluster]) -> None:
    first, *others = sorted({id(owners[key]): owners[key] for key in profiles}.values(), key=rank)
    if others:
        first.loose = False
    for cluster in others:
        for profile in cluster.members:
            first.add(profile, "correction", 1.0)
            owners[profile.id] = first


def _divide(first: Mapping[str, Profile], second: Mapping[str, Profile], owners: dict[str, Cluster]) -> None:
    """Make an entity of its own from those of the second that are one with a first."""
    for cluster in {id(owners[key]): owners[key] for key in first}.values():
        moving = [profile for profile in cluster.members if profile.id in second]
        if moving:
            cluster.drop(moving)
            own = Cluster(moving[0].key, cluster.thing, cluster.facet)
            for profile in moving:
                own.add(profile, "correction", 1.0)
                owners[profile.id] = own
