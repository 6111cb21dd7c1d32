"""Statements over time: validity, as of a day, timelines, conflicts, events and differences."""

from __future__ import annotations

import json

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.core import InputError
from tupelo.graph.build.validity import _ending
from tupelo.graph.query.edges import Filters
from tupelo.graph.report.claims import Participant, amounts_in, verb_of
from tupelo.graph.store.validity import Validity
from tupelo.nlp.dates import TimeExpression

OLD = """By Ann Lee, 3 May 2020

Acme was founded in 1990. Acme has its head office in Oslo. Berg has led Acme since 2009. Acme has 300 employees.
Acme sued Brava in March 2019. Berg resigned from the board of Brava. Acme has about 1,200 customers.
"""
NEW = """By Bo Ek, 3 July 2020

Acme was founded in 1992. Acme has its head office in Bergen. Acme has 350 employees.
Lund has led Acme since June 2020. Brava sued Acme in March 2019. Berg did not resign from the board of Brava.
Acme has 1,212 customers.
"""


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    """The graph of the first document, and that of both."""
    folder = tmp_path_factory.mktemp("time")
    for name, documents in {"old": {"old.txt": OLD}, "both": {"old.txt": OLD, "new.txt": NEW}}.items():
        tupelo.Graph.build(documents, folder / f"{name}.duckdb").close()
    return folder


@pytest.mark.parametrize(
    ("validity", "text"),
    [
        (Validity("2009", "..", "state"), "2009/.."),
        (Validity("1987", "1987", "event"), "1987"),
        (Validity(None, "2020-05", "state"), "../2020-05"),
        (Validity(None, "2020-05-01", "event"), ""),
        (Validity(None, "..", "state"), ""),
    ],
)
def test_a_validity_prints_as_an_interval(validity, text):
    assert str(validity) == text


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "verb", "interval"),
    [
        (
            "Ann Lee has led Acme since 2018. Before that she taught in Oslo for six years.",
            "taught",
            ("2012", "2018"),
        ),
        ("Work on the pier began in 2014 and lasted six years.", "lasted", ("2014", "2020")),
        ("Ann Lee retired in 2020 after ten years.", "retired", ("2010", "2020")),
    ],
)
def test_a_length_of_time_counts_from_another_time(tmp_path, text, verb, interval):
    with tupelo.Graph.build({"a.txt": text}, tmp_path / "kg.duckdb") as graph:
        rows = graph.sql(f"SELECT valid_from, valid_until FROM tuples WHERE relation LIKE '%{verb}%'")
        assert interval in [tuple(row.cells) for row in rows]


@pytest.mark.model
@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("Acme will buy Brava.", "Acme bought Brava in May 2020.", 1),
        ("Acme was founded by Ann Lee.", "Acme was founded by Bo Holm.", 1),
        ("Acme opened Harbour Dam in 2010.", "Acme closed Harbour Dam in 2015.", 0),
    ],
)
def test_a_plan_and_what_came_of_it_are_one_event_and_an_end_is_another(tmp_path, one, other, count):
    with tupelo.Graph.build({"a.txt": one, "b.txt": other}, tmp_path / "kg.duckdb") as graph:
        assert len(graph.events()) == count


@pytest.mark.model
def test_who_has_no_plan_denies_what_others_announce(tmp_path):
    texts = {
        "a.txt": "3 May 2020\n\nMossgrove Foods will close its plant in Marrick this autumn.\n",
        "b.txt": "5 May 2020\n\nMossgrove Foods has no plans to close its plant in Marrick.\n",
    }
    with tupelo.Graph.build(texts, tmp_path / "kg.duckdb") as graph:
        assert [one.reason for one in graph.conflicts()] == ["denied"]


@pytest.mark.model
@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("Ann Lee runs a shop since 2012.", "Ann Lee is a grandmother since 2015.", 0),
        ("Ann Lee leads Acme since 2012.", "Ann Lee is the mayor of Oslo since 2015.", 0),
        ("Ann Lee has led the choir since 2012.", "Ann Lee has led the club since 2015.", 0),
        ("Ann Lee has led the firm since 2012.", "Ann Lee has led the firm since 2015.", 1),
        ("Ann Lee has led Acme since 2012.", "Ann Lee has been the head of Acme since 2015.", 1),
        ("Ann Lee has held the office since 2012.", "Ann Lee is the mayor of Oslo since 2015.", 1),
    ],
)
def test_one_office_begins_once_and_different_ones_when_they_like(tmp_path, one, other, count):
    with tupelo.Graph.build({"a.txt": one, "b.txt": other}, tmp_path / "kg.duckdb") as graph:
        assert len(graph.conflicts()) == count


@pytest.mark.model
def test_a_time_after_an_apposition_is_that_of_the_apposition(tmp_path):
    text = "3 May 2020\n\nEva Moe, the mayor of Bergen since March, opened the new pier.\n"
    with tupelo.Graph.build({"a.txt": text}, tmp_path / "kg.duckdb") as graph:
        found = {edge.relation.name: str(edge.validity) for edge in graph.edges(filters=Filters(min_confidence=0.0))}
    assert found["is mayor of"] == "2020-03/.."
    assert found["opened"] == ""


@pytest.mark.parametrize(
    ("first", "days", "months", "last"),
    [
        ("2020-07-01", 0, 60, "2025-06-30"),
        ("2020-07-31", 0, 60, "2025-07-30"),
        ("2020-01-31", 0, 1, "2020-02-29"),
        ("2020-07-01", 10, 0, "2020-07-10"),
        ("2020-07", 0, 3, "2020-10"),
    ],
)
def test_a_duration_from_a_day_ends_on_the_day_before(first, days, months, last):
    assert _ending(first, TimeExpression(0, 0, "for", days=days, months=months)) == last


def test_a_verb_has_its_noun_where_it_says_little():
    assert verb_of("has been chief executive of") == ("be chief executive", False)
    assert verb_of("was founded in") == ("found", True)
    assert verb_of("has head office in") == ("have office", False)
    assert verb_of("has never been certified for") == ("certify", True)
    assert verb_of("is still buying") == ("buy", False)


def entity(name, called, label="organization"):
    return Participant(name, name, "entity", label, name, called=frozenset(called.split()))


def test_a_short_name_may_be_that_of_an_entity_that_was_not_recognized():
    software = entity("Caldera Software", "Caldera Software")
    assert software.maybe(entity("Caldera", "Caldera", "place"))
    # *Draxby* was taken for a person; *Tidewell* is known to be *Tidewell Marine*.
    assert entity("Draxby Instruments", "Draxby").maybe(entity("Ellen Draxby", "Draxby", "person"))
    assert not entity("Tidewell Freight", "TFL").maybe(entity("Tidewell Marine", "Tidewell"))
    assert not entity("Margaret Ashdown", "Ashdown", "person").maybe(entity("Colin Ashdown", "Ashdown", "person"))
    assert software.maybe(entity("Caldera Software AG", "Caldera Software AG"))
    assert not entity("York", "York", "place").maybe(entity("New York", "New York", "place"))
    assert not entity("Acme", "Acme").maybe(entity("Acme Marine", "Acme Marine"))


def test_lengths_are_compared_by_what_they_are_of():
    said = [("25 metres long", "is"), ("a length of 50 metres", "has"), ("50 metres", "is as long as")]
    assert {amount.of for text, relation in said for amount in amounts_in(text, relation)} == {"length long"}


def test_numbers_of_parts_are_left_out():
    assert [amount.of for amount in amounts_in("340 employees")] == ["employee"]
    assert amounts_in("four of its ships") == amounts_in("another 300 people") == ()


@pytest.mark.model
class TestGraph:
    def test_statements_have_their_time(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph:
            found = {edge.relation.name: edge.validity for edge in graph.edges() if edge.subject.name == "Lund"}
            assert found["has led"] == Validity("2020-06", "..", "state")

    def test_only_what_held_is_shown_as_of_a_day(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph:
            leaders = [
                [answer["who"] for answer in graph.query("?who led Acme", filters=Filters(as_of=day))]
                for day in ("2008", "2015", "2020-07-01")
            ]
        assert [sorted(map(str, names)) for names in leaders] == [[], ["Berg"], ["Berg", "Lund"]]

    def test_a_time_that_is_none_is_refused(self):
        with pytest.raises(InputError, match="'soon' is no time, expected"):
            Filters(as_of="soon")

    def test_conflicts_are_found_and_near_misses_are_not(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph:
            reasons = sorted(one.reason for one in graph.conflicts())
        assert [reason.partition(":")[0] for reason in reasons] == [
            "denied",
            "different numbers",
            "different times",
            "different values",
            "roles exchanged",
        ]
        assert not any("customers" in reason or "led" in reason for reason in reasons)

    def test_conflicts_have_many_wordings(self, tmp_path):
        documents = {
            "one.txt": "Acme bought Corva from Brava for 40 million pounds. The pier at Lindvik opened on "
            "3 May 2021. The Dorn T4 was certified for marine use in March 2021.",
            "two.txt": "In June 2021 Brava sold Corva to Acme for 46 million pounds. Brava opened its pier at "
            "Lindvik on 12 May 2021. The Dorn T4 has never been certified for marine use. "
            "Brava bought Dorn for 9 million pounds.",
        }
        with tupelo.Graph.build(documents, tmp_path / "g.duckdb") as graph:
            reasons = sorted(one.reason for one in graph.conflicts())
        assert [reason.partition(":")[0] for reason in reasons] == ["denied", "different numbers", "different times"]

    def test_a_conflict_is_settled_over_builds(self, graphs, tmp_path):
        path = tmp_path / "g.duckdb"
        with tupelo.Graph.build({"old.txt": OLD, "new.txt": NEW}, path) as graph:
            assert graph.changes.conflicts == 5
            key = graph.conflicts("Acme")[0].id
            graph.correct(settle=[(key[:8], "second")])
            graph.add({"more.txt": "Acme moved to Oslo."})
            assert {one.id: one.settled for one in graph.conflicts()}[key] == "second"
            with pytest.raises(InputError, match="'maybe' is no verdict, expected"):
                graph.correct(settle=[(key[:8], "maybe")])
            with pytest.raises(InputError, match="'zz' is no conflict"):
                graph.correct(settle=[("zz", "first")])

    def test_a_timeline_names_what_followed(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph:
            found = graph.timeline("led")
        assert [item.edge.subject.name for item in found] == ["Berg", "Lund"]
        assert [item.superseded for item in found] == ["2020-06: Lund has led Acme", ""]

    def test_an_event_of_two_documents_is_one(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph:
            founded = next(event for event in graph.events() if event.kind == "found")
        assert [source for _, source, _ in founded.reports] == ["new.txt", "old.txt"]

    def test_a_difference_lists_what_is_new_updated_contradicted_and_gone(self, graphs):
        with tupelo.Graph.open(graphs / "both.duckdb") as graph, tupelo.Graph.open(graphs / "old.duckdb") as old:
            found, back = graph.diff(old), old.diff(graphs / "both.duckdb")
        assert any(str(edge).startswith("Lund has led Acme") for edge in found.new)
        assert "300 employees" in str(found.updated[0][0]) or len(found.updated) > 1
        assert (bool(found.contradicted), found.gone) == (True, ())
        assert any(str(edge).startswith("Lund has led Acme") for edge in back.gone)

    def test_the_commands_print_text_json_and_pages(self, graphs, capsys, tmp_path):
        path = graphs / "both.duckdb"
        assert "different times: 1992 / 1990" in run(capsys, "graph", "conflicts", path).out
        assert len(json.loads(run(capsys, "graph", "conflicts", path, "Acme", "--json").out)["conflicts"]) == 3
        outcome = run(capsys, "graph", "timeline", path, "Acme", "--html", tmp_path / "t.html")
        assert all("2009/.." in text for text in (outcome.out, (tmp_path / "t.html").read_text("utf-8")))
        assert run(capsys, "graph", "timeline", path, "Nobody").status == 2
        assert "found: Acme" in run(capsys, "graph", "events", path).out
        assert "new:" in run(capsys, "graph", "diff", graphs / "old.duckdb", path).out
        assert "## Conflicts" in run(capsys, "graph", "report", path).out
        assert run(capsys, "graph", "query", path, "? led Acme", "--as-of", "2015").out.count("Berg") == 1
