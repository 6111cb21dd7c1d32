"""Relations that stand for others in a graph, by the kinds of their ends."""

from __future__ import annotations

import pytest

from tupelo.core.canonical import Cluster, Member, Phrase, TripleMention
from tupelo.graph.build.keys import RELATION, TURNED, merged_relations, unit_name
from tupelo.graph.store.schema import stable_id

YEAR, PLACE = ("organization", "datetime"), ("organization", "place")


def merged(*clusters, before=(), turned=(), known=None):
    """Each cluster has relations with their kinds, and turned ones; every relation is its own key."""
    mentions, made, keys = [], [], {}
    for number, cluster in enumerate(clusters):
        members = []
        for relation, kinds in cluster:
            id = str(len(mentions))
            parts = Phrase("Acme"), Phrase(relation), Phrase("it")
            mentions.append(TripleMention(id, *parts, kinds=kinds))
            keys[id] = {"relation": relation}
            members.append(Member(id, "relation"))
        made.append(Cluster(f"r{number}", "relation", "x", tuple(members), (), turned=tuple(turned)))
    ids = {f"{RELATION} {stable_id(RELATION, key)}": count for key, count in (known or {}).items()}
    return merged_relations(made, mentions, keys, {RELATION: dict(before), TURNED: {}}, ids)


def test_a_relation_moves_kind_by_kind():
    years = [("founded in", YEAR), ("founded in", YEAR), ("established in", YEAR)]
    places = [("founded in", PLACE)]
    assert merged(years, places) == {("established in", YEAR): ("founded in", False)}
    # What was not judged stays what it is.
    assert merged(years, places, [("established in", PLACE)]) == {("established in", YEAR): ("founded in", False)}


def test_a_relation_of_several_senses_moves_to_what_has_all_of_them():
    both = [("may found", YEAR), ("may found", YEAR), ("found", YEAR), ("establish", YEAR), ("establish", YEAR)]
    assert merged(both, [("establish", YEAR)]) == {
        ("found", YEAR): ("establish", False),
        ("may found", YEAR): ("establish", False),
    }
    # *found* and *build* have nothing in common but *set up*.
    assert merged([("found", YEAR), ("set up", YEAR)], [("set up", YEAR), ("build", YEAR)]) == {
        ("build", YEAR): ("set up", False)
    }


def test_what_stands_for_one_relation_has_a_cluster_in_common():
    years = [("in", YEAR), ("in", YEAR), ("on", YEAR)]
    places = [("in", PLACE), ("at", PLACE)]
    assert merged(years, places) == {("at", PLACE): ("in", False)}


@pytest.mark.parametrize(("turned", "exchanged"), [((), False), (("led by",), True)])
def test_ends_are_exchanged(turned, exchanged):
    found = merged([("leads", PLACE), ("leads", PLACE), ("led by", PLACE)], turned=turned)
    assert found == {("led by", PLACE): ("leads", exchanged)}


def test_what_is_in_the_graph_keeps_its_meaning():
    cluster = [("leads", PLACE), ("heads", PLACE), ("heads", PLACE)]
    assert merged(cluster, known={"leads": 1}) == {("heads", PLACE): ("leads", False)}
    assert merged(cluster, known={"leads": 1, "heads": 1}) == {}
    before = {unit_name("leads", PLACE): "rules"}
    assert merged(cluster, before=before, known={"rules": 3}) == {("heads", PLACE): ("rules", False)}
