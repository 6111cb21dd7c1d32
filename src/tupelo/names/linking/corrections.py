"""Corrections by people, applied to the clusters that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.document import Document
from tupelo.core.statement import Correction
from tupelo.names.aliases import Aliases
from tupelo.names.forms import form_of
from tupelo.names.linking.clusters import ReferentCluster, rank
from tupelo.names.linking.profiles import Profile


def correction_keys(correction: Correction, aliases: Aliases) -> tuple[str, ...]:
    """The keys that a correction connects: referents with any of them belong to one closed set."""
    return tuple(dict.fromkeys(key for name, _ in correction.sides for key in _keys_of_name(name, aliases)))


def corrected(
    clusters: Sequence[ReferentCluster], aliases: Aliases, corrections: Sequence[Correction]
) -> list[ReferentCluster]:
    """Merge what is the same by a correction, then divide what is different."""
    if not corrections:
        return list(clusters)
    owners = {profile.id: cluster for cluster in clusters for profile in cluster.members}
    by_key: dict[str, list[Profile]] = {}
    for cluster in clusters:
        for profile in cluster.members:
            for key in {profile.own_key, profile.key, *profile.others, *profile.called, *profile.offers}:
                by_key.setdefault(key, []).append(profile)
    for correction in sorted(corrections, key=lambda correction: (correction.verdict != "same", correction.sides)):
        # Those of one document first, then the fewer.
        meant = sorted(
            ((not source, _meant(name, source, by_key, aliases)) for name, source in sorted(correction.sides)),
            key=lambda side: (side[0], len(side[1])),
        )
        (_, few), (_, many) = meant
        if correction.verdict == "different":
            _divide(few, {id: profile for id, profile in many.items() if id not in few}, owners)
        elif few and many:
            _merge({**few, **many}, owners)
    return list({id(cluster): cluster for _, cluster in sorted(owners.items())}.values())


def _meant(name: str, source: str, by_key: Mapping[str, Sequence[Profile]], aliases: Aliases) -> dict[str, Profile]:
    """The referents that a name means: as any name in the given document, else where it is the fullest name."""
    found = {profile.id: profile for key in _keys_of_name(name, aliases) for profile in by_key.get(key, ())}
    if source:
        document = Document(source, "").id
        return {id: profile for id, profile in found.items() if profile.document_id == document}
    fullest = {id: one for id, one in found.items() if form_of(name, one.label).key == one.own_key}
    return fullest or found


def _keys_of_name(name: str, aliases: Aliases) -> tuple[str, ...]:
    """The keys that a name may have, whatever its type."""
    keys = [(form_of(name, label).key, label) for label in ("", *ENTITY_TYPES)]
    return tuple(dict.fromkeys(found for key, label in keys for found in (key, aliases.canonical(key, label))))


def _merge(profiles: Mapping[str, Profile], owners: dict[str, ReferentCluster]) -> None:
    first, *others = sorted({id(owners[key]): owners[key] for key in profiles}.values(), key=rank)
    if others:
        first.loose = False
    for cluster in others:
        for profile in cluster.members:
            first.add(profile, "correction", 1.0)
            owners[profile.id] = first


def _divide(some: Mapping[str, Profile], others: Mapping[str, Profile], owners: dict[str, ReferentCluster]) -> None:
    """Split some referents off the clusters that they share with others, into entities of their own."""
    for cluster in {id(owners[key]): owners[key] for key in others}.values():
        moving = [profile for profile in cluster.members if profile.id in some]
        if moving:
            cluster.drop(moving)
            own = ReferentCluster(moving[0].key, cluster.thing, cluster.facet)
            for profile in moving:
                own.add(profile, "correction", 1.0)
                owners[profile.id] = own
