"""`tupelo.Graph`: what a command prints is what the library returned, and the other views of the same results."""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tests.graph.build.test_build import RECIPE
from tests.graph.small import write_graph
from tupelo.api.graph import _document_set, _refuse_namesakes
from tupelo.core import InputError, UnknownNameError
from tupelo.core.document import Document
from tupelo.engine.local import LocalEngine
from tupelo.graph import BuildOptions
from tupelo.graph.build.builder import Resources, build
from tupelo.graph.store.file import create
from tupelo.io.documents import Reading
from tupelo.io.workspace import FolderWorkspace

COMMANDS = {
    "graph ask",
    "graph build",
    "graph conflicts",
    "graph coverage",
    "graph diff",
    "graph events",
    "graph query",
    "graph report",
    "graph retrieve",
    "graph review",
    "graph entities",
    "graph stats",
    "graph timeline",
}
TEXTS = {
    "note": "Ann Lee founded Acme Corporation in Oslo in 1998.",
    "news": "Globex bought Acme Corporation in 2005. Bob did not leave Globex.",
}


@cache
def rules():
    return tupelo.load(extractor="rules")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    return write_graph(tmp_path_factory.mktemp("api") / "harbour.duckdb")


@pytest.fixture(scope="module")
def graph(harbour):
    with tupelo.Graph.open(harbour) as opened:
        yield opened


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    path = tmp_path_factory.mktemp("built") / "kg.duckdb"
    with tupelo.Graph.build(TEXTS, path, nlp=rules()) as opened:
        yield opened


def test_retrieve_prints_what_the_library_returns(harbour, graph, capsys):
    question = "Who founded Lindvik Shipping?"
    outcome = run(capsys, "graph", "retrieve", harbour, question, "--limit", "2", "--evidence", "--explain", "--json")
    assert json.loads(outcome.out) == graph.retrieve(question, limit=2, evidence=1, explain=True).to_dict()


def test_report_prints_what_the_library_returns(harbour, graph, capsys):
    outcome = run(capsys, "graph", "report", harbour, "--communities", "2", "--json")
    assert json.loads(outcome.out) == graph.report(communities=2).to_dict()


FILTERS = tupelo.graph.Filters(min_confidence=0.5, stances=("asserted", "denied"), since="1990", source="news*")


@pytest.mark.parametrize(
    ("options", "ask"),
    [
        (["?who founded ?what", "--evidence"], lambda kg: kg.query("?who founded ?what", evidence=3)),
        (
            [
                "?who ? ?what",
                "--min-confidence",
                "0.5",
                "--stance",
                "asserted",
                "--stance",
                "denied",
                "--since",
                "1990",
                "--source",
                "news*",
                "--type",
                "who=person",
                "--limit",
                "2",
            ],
            lambda kg: kg.query("?who ? ?what", filters=FILTERS, types={"who": "person"}, limit=2),
        ),
        (
            ["--neighbours", "Watson", "--depth", "2", "--evidence", "--sentences", "1"],
            lambda kg: kg.neighbours("Watson", 2, evidence=1),
        ),
        (
            ["?who bought ?what", "--stance", "all"],
            lambda kg: kg.query("?who bought ?what", filters=tupelo.graph.Filters(stances=("all",))),
        ),
        (["?who bought ?what"], lambda kg: kg.query("?who bought ?what")),
        (["--path", "Watson", "Ole Berg"], lambda kg: kg.path("Watson", "Ole Berg")),
        (["--path", "Watson", "Ole Berg", "--directed"], lambda kg: kg.path("Watson", "Ole Berg", directed=True)),
        (["--search", "ferr*"], lambda kg: kg.search("ferr*")),
        (["--sql", "SELECT name, degree FROM entities ORDER BY ALL"], lambda kg: kg.sql(SQL, limit=100)),
    ],
)
def test_query_prints_what_the_library_returns(harbour, graph, capsys, options, ask):
    found = ask(graph)
    assert json.loads(run(capsys, "graph", "query", harbour, *options, "--json").out) == found.to_dict()
    assert run(capsys, "graph", "query", harbour, *options).out == f"{found}\n"
    assert run(capsys, "graph", "query", harbour, *options, "--format", "csv").out == found.to_csv()


SQL = "SELECT name, degree FROM entities ORDER BY ALL"


def test_a_name_of_several_entities_is_listed_with_neighbours_and_paths(graph):
    assert graph.neighbours("Lindvik").remarks == ()
    (first, *others) = graph.neighbours("berg").remarks
    assert first.startswith("'berg' is part of the names of 2 entities")
    assert [line.split()[1] for line in others] == ["Berg", "Ole"]
    assert graph.path("berg", "Watson").remarks[0] == first


def test_sparql_prints_what_the_library_returns(harbour, graph, capsys):
    pytest.importorskip("pyoxigraph")
    query = "SELECT ?name { ?e a type:person ; rdfs:label ?name } ORDER BY ?name"
    printed = run(capsys, "graph", "query", harbour, "--sparql", query, "--json").out
    assert json.loads(printed) == graph.sparql(query).to_dict()


def test_entities_prints_what_the_library_returns(harbour, graph, capsys):
    found = graph.entities(type="person", limit=2)
    options = ("--type", "person", "--limit", "2")
    assert json.loads(run(capsys, "graph", "entities", harbour, *options, "--json").out) == found.to_dict()
    assert run(capsys, "graph", "entities", harbour, *options).out == f"{found}\n"


def test_time_and_disagreement_print_what_the_library_returns(harbour, graph, tmp_path, capsys):
    older = write_graph(tmp_path / "older.duckdb")
    for arguments, found in (
        (("timeline", harbour, "Ann Watson"), graph.timeline("Ann Watson")),
        (("conflicts", harbour), graph.conflicts()),
        (("events", harbour), graph.events()),
        (("diff", older, harbour), graph.diff(older)),
    ):
        printed = json.loads(run(capsys, "graph", *arguments, "--json").out)
        assert printed == json.loads(json.dumps(found.to_dict()))
        assert run(capsys, "graph", *arguments).out == f"{found}\n"


def test_coverage_prints_what_the_library_returns(harbour, graph, capsys):
    found = graph.coverage()
    assert json.loads(run(capsys, "graph", "coverage", harbour, "--json").out) == found.to_dict()
    assert run(capsys, "graph", "coverage", harbour).out == f"{found}\n"


def test_stats_prints_what_the_library_returns(harbour, graph, capsys):
    found = graph.stats(limit=3, communities=True, check=True)
    options = ["--limit", 3, "--communities", "--check"]
    printed = json.loads(run(capsys, "graph", "stats", harbour, *options, "--json").out)
    assert printed == json.loads(json.dumps(found.to_dict()))
    assert run(capsys, "graph", "stats", harbour, *options).out == f"{found}\n"
    assert "14" in found._repr_html_()


@pytest.mark.model
def test_review_and_corrections_are_those_of_the_library(tmp_path, capsys):
    texts = {
        "a": "Marta Solheim founded Acme Corporation in Oslo.",
        "b": "Bo Nagy left Kelp House.",
        "c": "Solheim sold Kelp House.",
    }
    path, table = tmp_path / "kg.duckdb", tmp_path / "corrections.tsv"
    aliases = {"Acme Corporation": ["Kelp House"]}
    with tupelo.Graph.build(texts, path, nlp=rules(), options=BuildOptions(aliases=aliases)) as kg:
        found = kg.review(limit=9)
        names = {frozenset((merge.name, merge.other)): merge for merge in found}
        merge = names[frozenset(("Solheim", "Marta Solheim"))]
        assert merge.reason == "short name"
        assert {said.source for said in (*merge.here, *merge.there)} == {"a", "c"}
        assert frozenset(("Kelp House", "Acme Corporation")) in names
        before = kg.sql(SQL).rows()
    assert json.loads(run(capsys, "graph", "review", path, "--limit", 9, "--json").out) == found.to_dict()
    assert run(capsys, "graph", "review", path, "--limit", 9).out == f"{found}\n"
    correction = ["--different", "Solheim@c", "Marta Solheim"]
    printed = json.loads(run(capsys, "graph", "review", path, *correction, "--export", table, "--json").out)
    assert printed["corrections"] == 1
    assert table.read_text() == "different\tSolheim@c\tMarta Solheim\n"
    with tupelo.Graph.open(path) as kg:
        assert len(kg.sql(SQL)) == len(before) + 1
        assert [said.written for said in kg.corrections()] == [("different", "Solheim@c", "Marta Solheim")]
        # Neither an update nor another document loses the table of names and what was said.
        kg.remove("b")
        assert {row["name"] for row in kg.sql(SQL).rows()} >= {"Solheim", "Marta Solheim"}
        assert len(kg.sql("SELECT * FROM entities WHERE name IN ('Kelp House', 'Acme Corporation')")) == 1
        kg.correct(forget=[("Solheim@c", "Marta Solheim")])
        assert kg.corrections() == ()
        with pytest.raises(InputError, match="no 'Nobody' in"):
            kg.correct(same=[("Nobody", "Oslo")])
        assert kg.correct(apply=table).corrections == 1


@pytest.mark.model
def test_build_prints_what_the_library_returns(tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text(TEXTS["note"])
    (tmp_path / "docs" / "broken.txt").write_bytes(b"\xff")
    options = ["--workers", 1, "--extractor", "rules", "--json"]
    printed = json.loads(run(capsys, "graph", "build", tmp_path / "docs", "-o", tmp_path / "a.duckdb", *options).out)
    steps = []
    with tupelo.Graph.build(
        tmp_path / "docs",
        tmp_path / "b.duckdb",
        nlp=rules(),
        progress=lambda *step: steps.append(step),
    ) as kg:
        found = kg.changes.to_dict()
    assert printed == found | {"output": printed["output"]}
    assert [failure["record"] for failure in found["failures"]] == ["docs/broken.txt"]
    assert ("extracting", 1, 1) in steps
    assert str(kg.changes).startswith("documents: 1 added, 0 changed, 0 removed, 0 unchanged, 1 failed\n")
    assert "<table>" in kg.changes._repr_html_()


@pytest.mark.model
def test_a_graph_of_texts_in_memory_answers(built):
    answers = built.query("?who founded ?company", evidence=1)
    assert [(answer["who"], answer["company"]) for answer in answers] == [("Ann Lee", "Acme Corporation")]
    assert answers[0].sentences[0].source == "note"
    assert str(answers[0]) == "Ann Lee founded Acme Corporation in Oslo in 1998"
    assert answers.rows()[0]["who"] == "Ann Lee"
    assert answers.to_arrow().column("company").to_pylist() == ["Acme Corporation"]
    assert "<td>Acme Corporation</td>" in answers._repr_html_()


@pytest.mark.model
def test_documents_are_added_and_removed(tmp_path):
    with tupelo.Graph.build(TEXTS, tmp_path / "kg.duckdb", nlp=rules()) as kg:
        before = kg.sql("SELECT * FROM edges ORDER BY ALL").rows()
        report = kg.add([tupelo.Document("more", "Globex hired Ann Lee.")])
        assert (len(report.change.added), report.reread) == (1, 0)
        assert [answer["who"] for answer in kg.query("Globex hired ?who")] == ["Ann Lee"]
        assert len(kg.remove("more").change.removed) == 1
        assert kg.sql("SELECT * FROM edges ORDER BY ALL").rows() == before
        # A removal does not change how the others were made, and what was removed can come again.
        assert kg.add(TEXTS).change.is_none
        assert len(kg.add({"more": "Globex hired Ann Lee."}).change.added) == 1
        with pytest.raises(InputError, match="no document from 'nothing'"):
            kg.remove(["nothing"])
        assert len(kg.query("Globex hired ?who")) == 1
        assert kg.stats(check=True).problems == []


@pytest.mark.model
def test_files_and_texts_may_be_in_one_graph(tmp_path):
    (tmp_path / "a.txt").write_text(TEXTS["note"])
    with tupelo.Graph.build(tmp_path / "a.txt", tmp_path / "kg.duckdb", nlp=rules()) as kg:
        report = kg.add(TEXTS)
        assert (len(report.change.added), report.reread) == (2, 0)
    with pytest.raises(InputError, match="expected one of the two"):
        tupelo.Graph.build([tmp_path / "a.txt", tupelo.Document("b", "")], tmp_path / "kg.duckdb")
    with pytest.raises(InputError, match="cannot run in several processes"):
        tupelo.Graph.build(TEXTS, tmp_path / "kg.duckdb", nlp=tupelo.load(extractor="command:cat"))


@pytest.mark.model
def test_a_graph_is_shown_and_exported(graph, tmp_path):
    assert repr(graph) == f"Graph({graph.file!r})"
    assert str(graph) == f"{graph.file}: 3 documents, 12 nodes, 17 statements"
    assert "<iframe" in graph._repr_html_()
    view = graph.show(tmp_path / "kg.html", limit=3)
    assert (tmp_path / "kg.html").read_text("utf-8") == view.html
    assert (view.shown, view.total, view.is_partial) == (3, 14, True)
    assert graph.show(start="Watson")._repr_html_().startswith("<iframe")
    graph.export(tmp_path / "kg.ttl")
    assert (tmp_path / "kg.ttl").read_text("utf-8").startswith("@prefix")
    assert len(graph.query("?who founded ?what")) == 3, "the graph is open again"
    with pytest.raises(InputError, match=r"tells no format.*\(format=\) ntriples"):
        graph.export(tmp_path / "kg.xyz")
    with pytest.raises(UnknownNameError):
        graph.export(tmp_path / "kg.xyz", "rdfxml")


def test_an_exporter_of_the_running_program_is_listed_and_used(harbour, capsys, tmp_path):
    from tupelo.graph.export import EXPORTERS

    class Names:
        """The names of all entities, a line each."""

        name, suffixes = "names", (".names",)

        def write(self, store, opener, options):
            with opener("") as stream:
                for (name,) in store.rows("SELECT name FROM entities ORDER BY name"):
                    stream.write(f"{name}\n".encode())

    EXPORTERS.register("names", Names())
    try:
        assert "names     The names of all entities" in run(capsys, "graph", "export", harbour, "--list").out
        run(capsys, "graph", "export", harbour, "-o", tmp_path / "kg.names")
        assert (tmp_path / "kg.names").read_text().splitlines()[0] == "Ann Watson"
    finally:
        del EXPORTERS._registered["names"]


def test_filters_take_days_in_words_and_refuse_what_they_do_not_know():
    assert tupelo.graph.Filters(since="1998-11").since.isoformat() == "1998-11-01"
    assert tupelo.graph.Filters(until="1998-11").until.isoformat() == "1998-11-30"
    for wrong in ({"since": "soon"}, {"until": "2004-13"}, {"stances": ("sure",)}):
        with pytest.raises(InputError, match="expected"):
            tupelo.graph.Filters(**wrong)


@pytest.mark.model
def test_one_file_may_be_open_twice_but_not_while_it_is_replaced(tmp_path):
    with tupelo.Graph.build(TEXTS, tmp_path / "kg.duckdb", nlp=rules()) as first:
        with tupelo.Graph.open(tmp_path / "kg.duckdb") as second:
            assert second.sql("SELECT name FROM entities ORDER BY 1").rows()
        with pytest.raises(InputError, match="open elsewhere in this program"):
            tupelo.Graph.build({"other": "Ann left."}, tmp_path / "kg.duckdb", nlp=rules())
        assert len(first.query("?who founded ?what")) == 1


@pytest.mark.model
def test_an_extractor_of_the_running_program_builds_in_this_process(tmp_path):
    from tupelo.extract import EXTRACTORS

    EXTRACTORS.register("ours", EXTRACTORS.get("rules"))
    try:
        with tupelo.Graph.build(TEXTS, tmp_path / "kg.duckdb", nlp=tupelo.load(extractor="ours")) as kg:
            assert len(kg.query("?who founded ?what")) == 1
        with pytest.raises(InputError, match="one worker"):
            tupelo.Graph.build(
                TEXTS,
                tmp_path / "kg.duckdb",
                nlp=tupelo.load(extractor="ours"),
                options=BuildOptions(workers=2),
            )
    finally:
        del EXTRACTORS._registered["ours"]


@pytest.mark.model
def test_an_exporter_may_be_a_function(graph, tmp_path):
    from tupelo.graph.export import EXPORTERS

    def count(store, opener, options):
        """How many edges there are."""
        with opener("") as stream:
            stream.write(str(store.count("edges")).encode())

    count.suffixes = (".count",)
    EXPORTERS.register("count", count)
    try:
        graph.export(tmp_path / "kg.count")
        assert (tmp_path / "kg.count").read_text() == "14"
    finally:
        del EXPORTERS._registered["count"]


FOUNDED = {
    "note": "Acme was founded in 1990. Bolt Industries was founded in Oslo. Core Systems was established in 1985.",
    "news": "The novel Dune was written by Frank Herbert. Mary Shelley wrote Frankenstein.",
}


@pytest.mark.model
def test_relations_that_mean_the_same_are_one(tmp_path):
    with tupelo.Graph.build(
        FOUNDED, tmp_path / "kg.duckdb", options=BuildOptions(canonicalizer="relations")
    ) as opened:
        founded = {row["what"] for row in opened.query("?what was founded in ?when").rows()}
        wrote = {row["who"] for row in opened.query("?who wrote ?work").rows()}
    assert {"Acme", "Bolt Industries", "Core Systems"} == founded
    assert {"Frank Herbert", "Mary Shelley"} == wrote


@pytest.mark.model
def test_rows_and_frames_are_documents(tmp_path):
    rows = [
        {"id": 1, "text": TEXTS["note"], "title": "Note"},
        {"id": 2, "text": TEXTS["news"], "title": None},
    ]
    pandas = pytest.importorskip("pandas")
    for given in (rows, pandas.DataFrame(rows)):
        with tupelo.Graph.build(given, nlp=rules()) as kg:
            found = kg.sql("SELECT source, title FROM documents ORDER BY source").rows()
            assert found == [{"source": "1", "title": "Note"}, {"source": "2", "title": None}]
    with pytest.raises(InputError, match="row 0 has no text, expected a column 'text'; its columns are words"):
        tupelo.Graph.build([{"words": "Ann left."}])


@pytest.mark.model
def test_a_graph_without_a_path_is_gone_when_it_is_closed():
    kg = tupelo.Graph.build(TEXTS, nlp=rules())
    file = Path(kg.file)
    assert file.exists()
    kg.close()
    assert not file.parent.exists()


@pytest.mark.model
def test_a_pipeline_with_an_object_of_yours_is_refused(tmp_path):
    class Mine:
        name, version, needs = "mine", "1", frozenset()
        extract = None

    with pytest.raises(InputError, match=r"EXTRACTORS\.register"):
        tupelo.Graph.build(TEXTS, tmp_path / "kg.duckdb", nlp=tupelo.load(extractor=Mine()))


def test_two_documents_of_one_name_are_refused(tmp_path):
    def given(documents):
        return _document_set(documents, Reading())[0]

    with pytest.raises(InputError, match="two documents are called 'a', expected a name of its own for each"):
        given([Document("a", "Ann left."), Document("a", "Bob left.")])
    with pytest.raises(InputError, match=r"a document is called 'a\\ud800'"):
        given([Document("a\ud800", "Ann left.")])
    twice = [Document("a", "Ann left."), Document("a", "Ann left.")]
    assert given(twice).documents == (twice[0],)
    for folder in ("a", "b"):
        (tmp_path / folder / "notes").mkdir(parents=True)
        (tmp_path / folder / "notes" / "n.txt").write_text(f"Brava left {folder}.")
    own, other = (given([str(tmp_path / folder / "notes")]) for folder in ("a", "b"))
    assert own.paths().keys() == other.paths().keys() == {"notes/n.txt"}
    workspace = FolderWorkspace(str(tmp_path / "work"))
    resources = Resources(engine=LocalEngine(workspace), now=lambda: datetime(2020, 1, 1))
    with create(tmp_path / "kg.duckdb") as store:
        build(store, own, RECIPE, resources, keep_others=False)
        _refuse_namesakes(store, own)
        with pytest.raises(InputError, match=r"'notes/n.txt' in the graph was read from .*/a/notes/n.txt and would"):
            _refuse_namesakes(store, other)
        with pytest.raises(InputError, match="would be replaced by a text"):
            _refuse_namesakes(store, given([Document("notes/n.txt", "Brava left.")]))
        # A file that has moved is still the same.
        (tmp_path / "a" / "notes" / "n.txt").unlink()
        _refuse_namesakes(store, other)
