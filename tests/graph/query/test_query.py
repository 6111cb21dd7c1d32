"""Patterns and their answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.small import Said, World, node_id, write_graph
from tupelo.core import InputError, UnknownNameError
from tupelo.core.protocols import Entailing
from tupelo.graph.query.edges import Filters, evidence
from tupelo.graph.query.match import ask
from tupelo.graph.query.pattern import readings
from tupelo.graph.store.file import create, open_for_update, open_graph


@pytest.fixture(scope="module")
def store(harbour):
    with open_graph(harbour) as opened:
        yield opened


def table(answers):
    return [tuple(node.name for node in row.bindings.values()) for row in answers]


def test_two_variables_and_a_relation(store):
    answers = ask(store, ["?who founded ?company"])
    assert answers.columns[:-4] == ("who", "company")
    assert table(answers) == [
        ("Ann Watson", "Lindvik Shipping"),
        ("Ole Berg", "Berg Cranes"),
        ("Ann Watson", "North Ferries"),
    ]
    # Two independent mentions with 0.9 and 0.7.
    assert answers[0].confidence == pytest.approx(1 - (1 - 0.9) * (1 - 0.7))


def test_an_alias_of_a_name_and_parts_without_a_name(store):
    answers = ask(store, ["Watson ? ?"])
    assert answers.columns[:-4] == ("relation", "object")
    # Relations in the wording of their own sentences, and what is only reported with who says so.
    assert table(answers) == [
        ("founded", "Lindvik Shipping"),
        ("lives in", "Lindvik"),
        ("is chairman of", "North Ferries"),
        ("set up", "North Ferries"),
    ]
    assert [answer.cells[-1] for answer in answers] == ["", "", "says the Harbour Post", ""]


def test_part_of_a_name_is_enough_where_no_whole_name_fits(store):
    assert table(ask(store, ["? ? cranes"])) == [("Ole Berg", "founded")]


@pytest.mark.parametrize("relation", ["founded", "FOUNDED", "set up", "was founded by", "found"])
def test_a_relation_is_found_by_name_alias_and_base_form(store, relation):
    assert len(ask(store, [f'?a "{relation}" ?b'])) == 3


def test_base_forms_of_the_asked_wording_are_tried(store):
    assert len(ask(store, ["?a founds ?b"])) == 3
    with pytest.raises(UnknownNameError, match="Did you mean 'founded'"):
        ask(store, ["?a foundedd ?b"])


def test_shared_variables_join_patterns(store):
    answers = ask(store, ["?who founded ?company", "?company has its seat in ?where"])
    assert answers.columns[:-4] == ("who", "company", "where")
    assert table(answers) == [("Ann Watson", "Lindvik Shipping", "Lindvik")]
    assert [str(edge) for edge in answers[0].edges] == [
        "Ann Watson founded Lindvik Shipping",
        "Lindvik Shipping has its seat in Lindvik",
    ]
    assert answers[0].confidence == pytest.approx(0.97 * 0.9)
    assert table(ask(store, ["?x founded ?company", "?y works for ?company"])) == [
        ("Ann Watson", "North Ferries", "Ole Berg")
    ]


def test_a_variable_twice_in_one_pattern_means_the_same(store):
    assert table(ask(store, ["?x ? ?x"])) == []


def test_words_are_divided_as_the_graph_knows_them(store):
    answers = ask(store, ["Ole Berg works for North Ferries"])
    assert answers.about["patterns"] == ["Ole Berg | works for | North Ferries"]
    assert len(answers) == 1
    assert answers.columns[:-4] == ("statement",)


def test_what_is_denied_is_kept_apart(store):
    assert [str(row.edges[0]) for row in ask(store, ["? sails to ?"])] == ["North Ferries sails to Skarholm"]
    denied = ask(store, ["? sails to ?"], Filters(stances=("denied",)))
    assert [str(row.edges[0]) for row in denied] == ["North Ferries sails to Skarholm [denied]"]


def test_only_what_is_claimed_or_reported_answers_unless_more_is_asked_for(store):
    assert list(ask(store, ["? bought ?"])) == []
    answers = ask(store, ["? bought ?"], Filters(stances=("all",)))
    assert sorted(str(row.edges[0]) for row in answers) == [
        "Ann Watson would buy Berg Cranes [if it were sold]",
        "Berg Cranes may buy Lindvik Shipping [possible, says Berg]",
        "North Ferries bought Berg Cranes [asked]",
    ]
    for stance in ("possible", "conditional", "asked"):
        (row,) = ask(store, ["? bought ?"], Filters(stances=(stance,)))
        assert row.to_dict()["edges"][0]["stance"] == stance
    (row,) = ask(store, ["Berg is chairman of ?what", "?who founded ?what"], Filters(stances=("all",)))
    assert row.cells[-1] == "believed: Eva Lund believes"
    with pytest.raises(InputError, match="'sure' is no stance, expected asserted, reported"):
        Filters(stances=("sure",))


@pytest.mark.parametrize(
    ("filters", "companies"),
    [
        (Filters(min_confidence=0.9), ["Lindvik Shipping"]),
        (Filters(since="2000"), ["North Ferries"]),
        (Filters(until="1999-12"), ["Lindvik Shipping"]),
        (Filters(since="2004-05-31", until="2004-05-31"), ["North Ferries"]),
        (Filters(since="2004-06", until="2004"), []),
        (Filters(source="news*"), ["Lindvik Shipping", "North Ferries"]),
        (Filters(source="nothing"), []),
    ],
)
def test_filters(store, filters, companies):
    assert [name for _, name in table(ask(store, ["?who founded ?what"], filters))] == companies


def test_types(store):
    assert table(ask(store, ["?a ? ?b"], types={"a": "Person", "b": "place"})) == [
        ("Ann Watson", "lives in", "Lindvik")
    ]
    with pytest.raises(InputError, match=r"no entity variable \?z"):
        ask(store, ["?a ? ?b"], types={"z": "place"})


def test_every_answer_has_its_sentences_with_the_parts_marked(store):
    row, *_ = ask(store, ["?who founded ?company"])
    found = evidence(store, [row.edges[0].id])[row.edges[0].id]
    assert [(item.sentence, item.source, item.confidence) for item in found] == [
        ("Ann Watson founded Lindvik Shipping in 1998.", "harbour.txt", 0.9),
        ("In 1998 the company was founded by Watson.", "news.txt", 0.7),
    ]
    first = found[0]
    assert [(first.sentence[start:end], role) for start, end, role in first.marks] == [
        ("Ann Watson", "subject"),
        ("founded", "relation"),
        ("Lindvik Shipping", "object"),
        ("1998", "time"),
    ]
    assert len(evidence(store, [row.edges[0].id], limit=1)[row.edges[0].id]) == 1


class Entailment:
    """Knows that what somebody paints they found, and that who works for a firm is founded by it, turned round."""

    def expand(self, relation):
        if relation != "founded":
            return []
        return [
            Entailing("paints", 0.5, "painting is founding"),
            Entailing("works for", 0.25, "backwards", reversed=True),
        ]


def test_an_expander_adds_edges_that_entail_the_asked_relation(store):
    answers = ask(store, ["?who founded ?what"], expander=Entailment())
    assert table(answers)[3:] == [("North Ferries", "Ole Berg"), ("Eva Lund", "the sea")]
    turned, painted = answers[3:]
    assert painted.confidence == pytest.approx(0.3 * 0.5)
    assert turned.confidence == pytest.approx(0.9 * 0.25)
    assert {(why.asked, why.reason) for why in painted.inferred.values()} == {("founded", "painting is founding")}
    assert not answers[0].inferred
    filtered = ask(store, ["Eva Lund founded ?what"], Filters(min_confidence=0.2), expander=Entailment())
    assert table(filtered) == [("the sea",)]


@pytest.mark.parametrize("text", ["", "founded", "?a ?b", "?a | founded", "a | b | c | d", "?a ?b ?c ?d", '"a" "b"'])
def test_what_has_not_three_parts_is_refused(text):
    with pytest.raises(InputError, match="expected subject, relation and object"):
        readings(text)


def test_a_variable_cannot_be_entity_and_relation(store):
    with pytest.raises(InputError, match="an entity and a relation"):
        ask(store, ["?x ?y ?z", "?y ? ?"])


def test_unknown_names_get_a_suggestion(store):
    with pytest.raises(UnknownNameError, match=r"no entity named 'Ann Watsen'.*Did you mean 'Ann Watson'"):
        ask(store, ['"Ann Watsen" founded ?x'])


@given(st.text())
def test_any_text_is_read_or_refused(text):
    try:
        found = readings(text)
    except InputError:
        return
    assert found


@pytest.mark.parametrize("text", ["'; DROP TABLE edges; --", "') OR 1=1 --", "%", "?", "\\", "\0", "🙂" * 99])
def test_names_are_bound_and_never_become_sql(store, text):
    with pytest.raises((InputError, UnknownNameError)):
        ask(store, [f'"{text}" ? ?'])
    assert store.count("edges") == 14


def test_a_relation_answers_in_both_voices(tmp_path):
    world = World(
        [
            Said("Ann Watson", "founded", "North Ferries", "Ann Watson founded North Ferries."),
            Said("Berg Cranes", "was founded by", "Ole Berg", "Berg Cranes was founded by Ole Berg.", confidence=0.8),
        ],
        lemmas={"founded": "found", "was founded by": "be found by"},
    )
    with open_graph(write_graph(tmp_path / "kg.duckdb", world)) as store:
        active = ask(store, ["?who founded ?what"])
        assert table(active) == [("Ann Watson", "North Ferries"), ("Ole Berg", "Berg Cranes")]
        assert not active[1].inferred
        assert active[1].confidence == pytest.approx(0.8)
        passive = ask(store, ['?what "was founded by" ?who'])
        assert table(passive) == [("North Ferries", "Ann Watson"), ("Berg Cranes", "Ole Berg")]
        assert table(ask(store, ["?who founded Ole Berg"])) == []


@pytest.mark.parametrize("relation", ["was founded by", "is founded by", "founded by"])
def test_a_passive_asks_from_the_other_end(store, relation):
    assert table(ask(store, [f'North Ferries "{relation}" ?who'])) == [("Ann Watson",)]
    assert table(ask(store, [f'Watson "{relation}" ?what'])) == []


@pytest.mark.parametrize(
    "pattern", ["?who is chairman of ?what", "?who is the chairman of ?what", "?who chairman of ?what"]
)
def test_hub_relations_are_found_by_their_noun(store, pattern):
    assert table(ask(store, [pattern])) == [("Ann Watson", "North Ferries")]


def test_attributes_answer_with_typed_literals(store):
    (row,) = ask(store, ["Lindvik has population ?n"], sentences=1)
    assert (row["n"], row.bindings["n"].value, row.bindings["n"].datatype) == ("4,200", "4200", "decimal")
    assert row.sentences[0].sentence == "Lindvik has a population of 4,200."
    (row,) = ask(store, ["North Ferries was founded in ?when"])
    assert row.to_dict()["bindings"]["when"]["datatype"] == "gYearMonth"
    assert len(ask(store, ["North Ferries was founded in ?when"], Filters(since="2005"))) == 0
    assert len(ask(store, ["North Ferries was founded in ?when"], Filters(since="2004", until="2004"))) == 1
    assert table(ask(store, ["?who ? ?what"], types={"what": "clause"})) == [
        ("Ole Berg", "said", "the cranes are safe")
    ]


def test_a_question_without_an_answer_says_what_is_near(store):
    assert ask(store, ["?who bought ?what"]).remarks == (
        "?who | bought | ?what: 1 asked, 1 conditional, 1 possible (--stance all)",
    )
    found = ask(store, ["Eva Lund founded ?what"])
    assert str(found) == "no answer\n'Eva Lund' has: paints"
    assert found.to_dict()["remarks"] == ["'Eva Lund' has: paints"]
    # The other direction, and a longer relation.
    assert ask(store, ["Lindvik ? Watson"]).remarks == ("near: Ann Watson lives in Lindvik",)
    assert ask(store, ["Lindvik Shipping has ?what"]).remarks == ("near: Lindvik Shipping has its seat in Lindvik",)
    with pytest.raises(UnknownNameError, match=r"no relation named 'swims'.*has: paints\."):
        ask(store, ["Eva Lund swims ?x"])


def test_a_name_of_several_things_lists_them(tmp_path):
    world = World(
        [
            Said("Paris", "lies in", "France", "Paris lies in France.", "a.txt"),
            Said(
                "Paris (2)", "lies in", "Texas", "Paris lies in Texas.", "b.txt", words=("Paris", "lies in", "Texas")
            ),
            Said("Zoë-Ann", "lives in", "Paris", "Zoë-Ann lives in Paris.", "a.txt"),
        ],
        types={"Paris": "place"},
    )
    with open_graph(write_graph(tmp_path / "kg.duckdb", world)) as store:
        found = ask(store, ["Paris lies in ?where"])
        assert sorted(table(found)) == [("France",), ("Texas",)]
        assert found.remarks[0].startswith("'Paris' is the name of 2 entities")
        assert found.remarks[1].endswith("  Paris (place, 2 mentions, a.txt)")
        (one,) = ask(store, [f"{node_id('Paris (2)')} lies in ?where"])
        assert one["where"] == "Texas"
        assert table(ask(store, ["zoe ann lives in ?where"])) == [("Paris",)]


def test_properties_of_a_schema_are_asked_by_name_and_number(tmp_path):
    path = write_graph(tmp_path / "kg.duckdb")
    with open_for_update(path) as store:
        edges = store.rows("SELECT edge_id FROM edges WHERE relation = 'is chairman of' AND stance = 'reported'")
        edges += store.rows("SELECT edge_id FROM edges WHERE relation = 'set up'")
        numbers = (("P488", "chairperson"), ("P112", "founded by"))
        for (edge,), (number, name) in zip(edges, numbers, strict=True):
            known = {"property": number, "name": name, "turned": True, "probability": 0.5}
            store.run("UPDATE provenance SET properties = [$1] WHERE edge_id = $2", [known, edge])
    with open_graph(path) as store:
        for words in ("chairperson", "P488", "p488"):
            (row,) = ask(store, [f"?firm {words} ?who"])
            assert (row["firm"], row["who"]) == ("North Ferries", "Ann Watson")
            assert row.confidence == pytest.approx(0.8 * 0.5)
            assert [why.reason for why in row.inferred.values()] == ["property P488, chairperson"]
        assert len(ask(store, ["?firm founded by ?who"])) == 3
        assert len(ask(store, ["?firm P112 ?who"])) == 1


def test_an_empty_relation_is_unknown(store):
    with pytest.raises(UnknownNameError, match="no relation named ''"):
        ask(store, ['Watson "" ?what'])


@pytest.mark.parametrize("filters", [Filters(), Filters(stances=("all",))])
def test_a_graph_without_statements_answers_nothing(tmp_path, filters):
    create(tmp_path / "empty.duckdb").close()
    with open_graph(tmp_path / "empty.duckdb") as empty:
        assert len(ask(empty, ["? ? ?"], filters)) == 0
