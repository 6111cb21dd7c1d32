from __future__ import annotations

import pytest

from tests.graph.build.test_build import Graph
from tupelo.core.analysis import ENTITY_TYPES, MENTION_TYPES
from tupelo.graph.export import ExportOptions
from tupelo.graph.export.content import entities
from tupelo.graph.query.match import ask
from tupelo.graph.report.views import embedded
from tupelo.graph.store.file import open_for_update, open_graph
from tupelo.graph.store.types import finer_types, type_rows
from tupelo.nlp.kinds import KINDS


def test_every_type_leads_up_to_one_of_the_parser():
    parsed = {*ENTITY_TYPES, *MENTION_TYPES}
    for kind in KINDS.values():
        above = kind
        while above.parent is not None:
            above = KINDS[above.parent]
        assert above.name == kind.root
        assert above.name in parsed
    assert len({row["type_id"] for row in type_rows()}) == len(KINDS)


def test_nouns_are_in_base_form_and_once_in_a_type():
    for kind in KINDS.values():
        assert len(set(kind.nouns)) == len(kind.nouns), kind.name
        assert all(noun == noun.lower() for noun in kind.nouns), kind.name


@pytest.mark.parametrize(
    ("kind", "name", "label", "descriptions", "expected"),
    [
        ("entity", "Rihanna", "person", ["singer", "friend"], ("musician",)),
        ("entity", "Arnold Schwarzenegger", "person", ["actor", "governor"], ("actor", "politician")),
        # Both are artists; only the finer type is kept.
        ("entity", "Ann Lee", "person", ["artist", "singer"], ("musician",)),
        ("entity", "Bank of Norway", "organization", ["bank", "company"], ("bank",)),
        ("entity", "Mount Everest", "place", [], ("mountain",)),
        ("entity", "World War II", "event", [], ("war",)),
        ("entity", "Fiat 500", "other", ["car"], ("vehicle",)),
        # The parser did not know what it is; the text says so.
        ("entity", "Vestas", "other", ["company"], ("company",)),
        # A noun of two types goes by the parser.
        ("entity", "St Mary's", "organization", ["church"], ("religious body",)),
        ("entity", "St Mary's", "place", ["church"], ("building",)),
        ("concept", "shipping companies", "organization", [], ("company",)),
        # Names of people say nothing, and other types contradict.
        ("entity", "Gregory House", "person", [], ()),
        ("entity", "Prince", "person", ["album"], ()),
        ("entity", "Oslo", "place", ["singer"], ()),
    ],
)
def test_finer_types_of_descriptions_and_names(kind, name, label, descriptions, expected):
    assert finer_types(kind, name, label, descriptions) == expected


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    graph = Graph(tmp_path_factory.mktemp("types"))
    graph.build({"a": "Ann_Lee left Oslo_University. Ann_Lee left ship. Ann_Lee left Vestas."})
    return graph.path


@pytest.mark.slow
def test_entities_have_finer_types_with_mentions_and_confidence(built):
    with open_graph(built) as store:
        found = store.rows(
            "SELECT entities.name, types.name, above.name, entity_types.mentions, confidence FROM entity_types "
            "JOIN entities USING (node_id) JOIN types USING (type_id) "
            "LEFT JOIN types AS above ON above.type_id = types.parent_id ORDER BY ALL"
        )
    assert found == [
        ("Ann Lee", "person", None, 3, 1.0),
        ("Oslo University", "other", None, 1, 1.0),
        ("Oslo University", "university", "school", 1, 1.0),
        ("Vestas", "organization", None, 1, 1.0),
        ("ship", "object", None, 1, 1.0),
        ("ship", "vehicle", "other", 1, 1.0),
    ]


def test_a_type_of_a_query_takes_in_the_types_below_it(built):
    def found(kind):
        with open_graph(built) as store:
            return {answer["what"] for answer in ask(store, ["Ann Lee ? ?what"], types={"what": kind})}

    assert found("organization") == {"Oslo University", "Vestas"}
    assert found("school") == found("university") == {"Oslo University"}
    assert found("city") == set()


def test_the_finest_type_is_shown(built):
    with open_graph(built) as store:
        assert {row["name"]: row["type"] for row in store.stream(entities(ExportOptions()))} == {
            "Ann Lee": "person",
            "Oslo University": "university",
            "Vestas": "organization",
            "ship": "vehicle",
        }


@pytest.mark.slow
def test_the_commonest_root_decides_which_type_is_shown(tmp_path):
    graph = Graph(tmp_path)
    graph.build({"a": "Vestas left Oslo. Vestas left Acme."})
    with open_for_update(graph.path) as store:
        key = store.rows("SELECT node_id FROM entities WHERE name = 'Vestas'")[0][0]
        for name, mentions in (("musician", 1), ("company", 1), ("bank", 1)):
            for (kind,) in store.rows("SELECT type_id FROM types WHERE name = ?", [name]):
                store.insert(
                    "entity_types",
                    [{"node_id": key, "type_id": kind, "mentions": mentions, "confidence": 0.5}],
                )
        shown = {row["name"]: row["type"] for row in store.stream(entities(ExportOptions()))}
    assert shown["Vestas"] == "bank"


def test_the_page_shows_the_broadest_type_and_describes_by_the_finest(built):
    with open_graph(built) as store:
        nodes = {node["name"]: node for node in embedded(store, limit=10)["main"]}
    assert nodes["Oslo University"]["type"] == "organization"
    assert nodes["Oslo University"]["description"] == "university"
