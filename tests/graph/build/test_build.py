from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.stand_in import ExtractPlainly
from tupelo.core import InputError
from tupelo.core.canonical import Canonicalization, Cluster, Member
from tupelo.engine.local import LocalEngine
from tupelo.graph.build import update
from tupelo.graph.build.builder import Recipe, Resources, build, remove
from tupelo.graph.store.file import confirm, create, open_for_update
from tupelo.graph.store.schema import TABLES, stable_id
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import DocumentFiles, ReadDocuments
from tupelo.io.workspace import FolderWorkspace

pytestmark = pytest.mark.slow

RECIPE = Recipe(read=ReadDocuments(), extract=ExtractPlainly(), extractor="plain 1")


class Graph:
    """A folder of documents and the graph that follows it."""

    def __init__(self, folder):
        self.folder, self.docs, self.path = folder, folder / "docs", folder / "kg.duckdb"
        self.docs.mkdir(parents=True, exist_ok=True)
        self.workspace = FolderWorkspace(str(folder / "work"))

    def resources(self, now=datetime(2020, 1, 1)):
        return Resources(engine=LocalEngine(self.workspace), now=lambda: now)

    def build(self, documents, recipe=RECIPE, **options):
        for path in self.docs.iterdir():
            path.unlink()
        for name, text in documents.items():
            (self.docs / f"{name}.txt").write_text(text)
        store = open_for_update(self.path) if self.path.exists() else create(self.path)
        with store:
            report = build(
                store,
                DocumentFiles(find_documents([str(self.docs)]).files),
                recipe,
                self.resources(),
                **({"keep_others": False} | options),
            )
            assert store.problems() == []
            # As after every build: what is left of the work is of no use to the next.
            self.workspace.remove()
            return report, dump(store), store.rows(EDGES)


EDGES = """
    SELECT s.name, edges.relation, o.name, negated, edges.mentions, edges.documents, edges.confidence
    FROM edges JOIN entities AS s ON subject_id = s.node_id JOIN entities AS o ON object_id = o.node_id
    ORDER BY ALL
"""


def dump(store):
    """Every row of every table but for the runs, and of what follows from them."""
    tables = {}
    for table in TABLES:
        if table.name != "runs":
            columns = ", ".join(column.name for column in table.columns if column.name != "run_id")
            tables[table.name] = store.rows(f"SELECT {columns} FROM {table.name} ORDER BY ALL")
    for view in ("neighbours", "properties", "passage_entities"):
        tables[view] = store.rows(f"SELECT * FROM {view} ORDER BY ALL")
    return tables


@pytest.fixture
def graph(tmp_path):
    return Graph(tmp_path)


def test_documents_become_edges_with_counts_and_confidence(graph):
    documents = {
        "a": "Vestas founded Acme 1998. Vestas founded acme. Brava left.",
        "b": "Vestas founded Acme. Vestas not founded Acme. Acme grew 1999.",
    }
    report, tables, edges = graph.build(documents)
    assert edges == [
        ("Vestas", "founded", "Acme", False, 2, 2, 0.75),
        ("Vestas", "founded", "Acme", True, 1, 1, 0.5),
        ("Vestas", "founded", "acme", False, 1, 1, 0.5),
    ]
    assert (report.sentences, report.tuples) == (6, 5)
    assert [row[1:3] for row in tables["qualifiers"]] == [("time", "1998")]
    assert {(*row[1:3], *row[4:6]) for row in tables["nodes"]} == {
        ("Vestas", "entity", 4, 2),
        ("Acme", "entity", 4, 2),
        ("acme", "concept", 1, 1),
        ("1998", "value", 1, 1),
        ("1999", "value", 1, 1),
    }
    assert [(row[1], row[8].year) for row in tables["nodes"] if row[2] == "value"] == [("1998", 1998), ("1999", 1999)]
    assert [row[13:15] for row in tables["statements"] if row[5] == "value"] == [("asserted", "grew")]


def test_pronouns_are_no_entities(graph):
    _, tables, edges = graph.build({"a": "It burned Oslo. Vestas left Oslo. Vestas left It."})
    assert [edge[:3] for edge in edges] == [("Vestas", "left", "Oslo")]
    assert sorted(row[1] for row in tables["nodes"]) == ["Oslo", "Vestas"]
    assert [row[-5] for row in tables["tuples"]].count("a pronoun") == 2


def test_concepts_are_the_same_everywhere_and_kinds_of_others_by_their_form(graph):
    documents = {"a": "Vestas left car_ferry. Vestas left ship.", "b": "Brava left ferry. Brava left ship."}
    _, tables, edges = graph.build(documents)
    assert sorted(row[1] for row in tables["nodes"]) == ["Brava", "Vestas", "car ferry", "ferry", "ship"]
    kind_of = ("car ferry", "is kind of", "ferry", False, 0, 0, 0.9)
    assert kind_of in edges
    _, _, edges = graph.build({"a": documents["a"], "b": "Brava left Oslo."})
    assert kind_of not in edges
    _, _, edges = graph.build(documents)
    assert kind_of in edges


def test_edges_show_their_own_wording(graph):
    _, tables, edges = graph.build({"a": "Vestas Founded Acme. Brava founded Oslo. Brava founded Oslo."})
    assert [edge[1] for edge in edges] == ["founded", "Founded"]
    assert [row[1] for row in tables["relations"]] == ["founded"]


def test_edges_have_the_properties_that_their_tuples_state(graph):
    documents = {
        "a": "Vestas founded Acme. Vestas not founded Oslo. Brava left Oslo. Vestas founded 1998.",
        "b": "Vestas founded Acme 1998.",
    }
    _, tables, _ = graph.build(documents)
    edges = {row[0]: row[14] for row in tables["statements"]}
    assert sorted((edges[row[0]], *row[1:]) for row in tables["properties"]) == [
        ("founded", "P112", "founded by", True, 0.6),
        ("founded", "P112", "founded by", True, 0.9),
    ]
    # What states it best is gone.
    _, tables, _ = graph.build({"a": documents["a"]})
    assert [row[-1] for row in tables["properties"]] == [0.6, 0.6]
    _, tables, _ = graph.build({"a": "Brava left Oslo."})
    assert tables["properties"] == []


def test_ids_in_sql_are_those_of_python(graph):
    _, tables, _ = graph.build({"a": "Vestas founded Acme."})
    ids = {row[1]: row[0] for row in tables["nodes"]}
    assert ids["Vestas"] == stable_id("entity", "vestas")
    assert tables["relations"][0][0] == stable_id("relation", "founded")
    edge = stable_id("edge", ids["Vestas"], tables["relations"][0][0], ids["Acme"], "said", "", "")
    assert tables["statements"][0][0] == edge


def test_one_connection_builds_and_removes(graph):
    graph.build({"a": "Vestas founded Acme.", "b": "Vestas left Oslo."})
    (graph.docs / "a.txt").write_text("Vestas left Acme.")
    with open_for_update(graph.path) as store:
        build(
            store, DocumentFiles(find_documents([str(graph.docs)]).files), RECIPE, graph.resources(), keep_others=True
        )
        sources = store.column("SELECT source FROM documents ORDER BY source")
        remove(store, sources[:1], graph.resources())
        assert store.column("SELECT source FROM documents") == sources[1:]
        assert store.problems() == []


def test_a_second_build_does_nothing(graph):
    documents = {"a": "Vestas founded Acme.", "b": "Brava left Oslo."}
    _, before, _ = graph.build(documents)
    report, after, _ = graph.build(documents)
    assert report.change.is_none
    assert report.change.kept == 2
    assert before == after


def test_documents_that_are_not_named_are_removed_or_kept(graph):
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    report, _, edges = graph.build({"c": "Brava left Acme."}, keep_others=True)
    assert (len(report.change.added), len(report.change.removed), len(edges)) == (1, 0, 3)
    report, _, edges = graph.build({"c": "Brava left Acme."})
    assert (len(report.change.removed), len(edges)) == (2, 1)


def test_only_changed_documents_are_extracted(graph):
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    report, _, _ = graph.build({"a": "Vestas founded Acme.", "b": "Brava left Acme. Vestas left Acme."})
    assert (report.sentences, report.change.kept, len(report.change.changed)) == (2, 1, 1)


def test_files_that_have_not_changed_are_not_opened_again(graph):
    read: list[str] = []

    class Watched(ReadDocuments):
        def __call__(self, batches):
            for batch in batches:
                read.extend(batch.column("source").to_pylist())
                yield from super().__call__(iter([batch]))

    recipe = Recipe(read=Watched(), extract=ExtractPlainly(), extractor="plain 1")
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo.", "bad": "\0"}, recipe)
    assert sorted(read) == ["docs/a.txt", "docs/b.txt", "docs/bad.txt"]
    read.clear()
    # One that could not be read is tried again, and named again.
    report, _, _ = graph.build({"a": "Vestas founded Acme.", "b": "Brava left Rome.", "bad": "\0"}, recipe)
    assert sorted(read) == ["docs/b.txt", "docs/bad.txt"]
    assert [failure.record for failure in report.failures] == ["docs/bad.txt"]
    assert report.change.kept == 1
    read.clear()
    _, tables, _ = graph.build({"b": "Brava left Rome."}, recipe)
    assert read == []
    assert [row[0] for row in tables["files"]] == ["docs/b.txt"]


def test_a_file_of_many_documents_that_has_not_changed_keeps_them_all(graph):
    lines = '{"id": "1", "text": "Vestas founded Acme."}\n{"id": "2", "text": "Brava left Oslo."}\n'
    (graph.folder / "many.jsonl").write_text(lines)
    files = DocumentFiles(find_documents([str(graph.folder / "many.jsonl")]).files)
    checksums = files.checksums()
    with create(graph.path) as store:
        for _ in range(2):
            report = build(store, files, RECIPE, graph.resources(), keep_others=False)
        assert (report.change.is_none, report.change.kept) == (True, 2)
        assert store.rows("SELECT source, checksum FROM files") == list(checksums.items())


def test_ids_of_sentences_survive_text_before_them(graph):
    _, before, _ = graph.build({"a": "Vestas founded Acme."})
    _, after, _ = graph.build({"a": "Brava left Oslo. Vestas founded Acme."})
    assert {row[0] for row in before["sentences"]} < {row[0] for row in after["sentences"]}


def test_a_document_that_fails_is_reported_and_keeps_its_old_version(graph):
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    report, _, edges = graph.build({"a": "Vestas founded Acme \0.", "b": "Brava left Oslo. Brava left Acme."})
    assert [failure.record for failure in report.failures] == ["docs/a.txt"]
    assert len(edges) == 3
    report, _, edges = graph.build({"a": "crash this one.", "b": "Brava left Oslo."})
    assert [str(failure) for failure in report.failures] == ["docs/a.txt: ValueError: crashed"]
    assert len(edges) == 2


def test_other_options_start_over(graph):
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    other = Recipe(read=ReadDocuments(), extract=ExtractPlainly(version="2"), extractor="plain 2")
    report, _, edges = graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."}, other)
    assert (report.reread, report.outdated) == (2, 0)
    assert report.sentences == 2
    assert len(edges) == 2


WORDS = st.sampled_from(
    ["Vestas", "Marta_Solheim", "Solheim", "Brava", "Acme", "Oslo", "not", "left", "likes", "1998", "ship", "it"]
)
TEXTS = st.lists(st.lists(WORDS, min_size=3, max_size=4).map(lambda words: " ".join(words) + "."), max_size=3).map(
    " ".join
)
VERSIONS = st.lists(st.dictionaries(st.sampled_from("abcd"), TEXTS, min_size=1, max_size=4), min_size=2, max_size=3)


def test_no_document_at_all_leaves_the_graph_as_it_was(graph):
    _, before, _ = graph.build({"a": "Vestas founded Acme."})
    report, after, _ = graph.build({})
    assert report.nothing_read
    assert after == before


@settings(max_examples=2, deadline=None)
@given(versions=VERSIONS)
def test_updating_step_by_step_gives_the_graph_of_a_fresh_build(tmp_path_factory, versions):
    folder = tmp_path_factory.mktemp("graph")
    first, *later = versions
    begun = Graph(folder / "updated")
    begun.build(first)
    _, fresh, _ = Graph(folder / "fresh").build(versions[-1])
    written = begun.path.read_bytes()
    for rearrange in (0.0, 1e9):  # derived anew, derived in part
        begun.path.write_bytes(written)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(update, "REARRANGE", rearrange)
            for documents in later:
                _, tables, _ = begun.build(documents)
        # Types are kept once they are known.
        assert {name: rows for name, rows in tables.items() if name != "types"} == {
            name: rows for name, rows in fresh.items() if name != "types"
        }


class FirstLetters:
    """Joins entities that begin with the same letter; relations stay apart."""

    name, version = "letters", "1"

    def canonicalize(self, mentions):
        groups: dict[str, list[Member]] = {}
        for mention in mentions:
            for slot in ("subject", "object"):
                groups.setdefault(mention.phrase(slot).text[0].lower(), []).append(Member(mention.id, slot))
        return Canonicalization(
            entities=tuple(Cluster(letter, "entity", letter, tuple(found), ()) for letter, found in groups.items())
        )


LETTERS = Recipe(read=ReadDocuments(), extract=ExtractPlainly(), extractor="plain 1", canonicalizer="letters 1")


def names(edges):
    return [(subject, object) for subject, _, object, *_ in edges]


def test_a_method_joins_wordings_and_what_it_joined_stays(graph):
    letters = {"canonicalizer": FirstLetters()}
    first = {"a": "Vestas likes Brava. Vestas likes Belco. Vestas left Oslo."}
    _, before, edges = graph.build(first, LETTERS, **letters)
    assert names(edges) == [("Vestas", "Oslo"), ("Vestas", "Belco")]
    assert before["joined"] == [("entity", "brava", "belco")]
    # New wordings join old entities; those keep their ids, though another wording is now met more often.
    second = first | {"b": "Vestas likes Brava. Vestas likes Brava. Orkla left Oslo. Bertelsmann left Rome."}
    _, after, edges = graph.build(second, LETTERS, **letters)
    assert {row[0] for row in before["nodes"]} <= {row[0] for row in after["nodes"]}
    assert set(before["joined"]) <= set(after["joined"])
    assert ("entity", "orkla", "oslo") in after["joined"]
    assert ("Brava", "Rome") in names(edges)
    # Without the method the graph is made anew.
    report, plain, _ = graph.build(second)
    assert report.reread == 2
    assert plain["joined"] == []


class Inverses:
    """Knows that who follows somebody has them as a leader."""

    name, version = "inverses", "1"

    def canonicalize(self, mentions):
        known = [mention for mention in mentions if mention.relation.text in ("leads", "follows")]
        members = tuple(Member(mention.id, "relation") for mention in known)
        return Canonicalization(
            relations=(Cluster("r", "relation", "leads", members, ("leads", "follows"), turned=("follows",)),)
        )


class Nothing:
    """Joins nothing."""

    name, version = "inverses", "1"

    def canonicalize(self, mentions):
        return Canonicalization()


def test_a_relation_that_stands_for_another_one_turns_its_edges(graph):
    inverses = {"canonicalizer": Inverses()}
    recipe = Recipe(read=ReadDocuments(), extract=ExtractPlainly(), extractor="plain 1", canonicalizer="inverses 1")
    _, tables, edges = graph.build({"a": "Ann leads Brava. Orkla leads Oslo. Brava follows Ann."}, recipe, **inverses)
    assert tables["joined"] == [("turned relation", "follows (organization, other)", "leads")]
    assert {edge[:3] for edge in edges} == {("Orkla", "leads", "Oslo"), ("Ann", "leads", "Brava")}
    # What stands for another stays so in later builds, of the same kinds of things.
    more = {"a": "Ann leads Brava. Orkla leads Oslo. Brava follows Ann.", "b": "Acme follows Eva."}
    _, tables, edges = graph.build(more, recipe, **inverses)
    assert tables["joined"] == [("turned relation", "follows (organization, other)", "leads")]
    assert ("Eva", "leads", "Acme") in [edge[:3] for edge in edges]
    more |= {"c": "Rome follows Orkla."}
    _, _, edges = graph.build(more, recipe, canonicalizer=Nothing())
    assert ("Rome", "follows", "Orkla") in [edge[:3] for edge in edges]


def test_a_graph_that_cannot_be_read_again_is_not_accepted(graph):
    graph.build({"a": "Vestas founded Acme."})
    confirm(graph.path, {"documents": 1, "edges": 1})
    with pytest.raises(InputError, match=r"holds {'edges': 1} after writing, expected {'edges': 2}"):
        confirm(graph.path, {"edges": 2})
    # As a full disk leaves it.
    content = graph.path.read_bytes()
    graph.path.write_bytes(content[:4096] + bytes(len(content) - 4096))
    with pytest.raises(InputError, match="cannot be read again after writing"):
        confirm(graph.path, {"edges": 1})
