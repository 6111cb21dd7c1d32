"""What somebody who has not read the docs would write."""

from __future__ import annotations

import inspect
import pickle

import pytest

import tupelo
from tests.extras import needs
from tupelo.core import InputError
from tupelo.core.extraction import Extraction

TEXT = "Ann Lee founded Acme in Oslo in 1998. She did not sell it."


@pytest.fixture(scope="module")
def nlp():
    return tupelo.load(extractor="rules")


@pytest.fixture(scope="module")
def kg(nlp):
    with tupelo.Graph.build({"note": TEXT, "news": "Globex bought Acme."}, nlp=nlp) as made:
        yield made


def copied(value):
    """What another process would get."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301


@pytest.mark.model
def test_a_pipeline_is_called_and_pickled(nlp):
    assert list(nlp(TEXT)) == list(nlp.extract(TEXT))
    assert repr(nlp) == "<Toolkit: parser en, extractor rules>"
    assert list(copied(nlp)(TEXT)) == copied(list(nlp(TEXT))) == list(nlp(TEXT))


@pytest.mark.model
def test_a_pipeline_with_an_object_of_yours_stays_in_its_process():
    class Mine:
        name, version, needs = "mine", "1", frozenset()

        def extract(self, analyses):
            return ([] for _ in analyses)

    mine = tupelo.load(extractor=Mine())
    assert repr(mine) == "<Toolkit: parser tupelo-en, extractor Mine>"
    for refused in (lambda: pickle.dumps(mine), lambda: list(mine.pipe([TEXT], workers=2))):
        with pytest.raises(InputError, match="cannot leave this process"):
            refused()


@pytest.mark.model
@pytest.mark.process
def test_texts_are_piped_by_several_processes(nlp):
    texts = [TEXT, "Globex bought Acme."]
    assert [list(found) for found in nlp.pipe(texts, workers=2)] == [list(found) for found in nlp.pipe(texts)]


def test_a_tuple_has_subject_relation_and_object():
    told = Extraction.of("Ann sold it", "sold", ["Ann", "it"])
    assert (str(told.subject), str(told.relation), str(told.object)) == ("Ann", "sold", "it")
    assert Extraction.of("Ann left", "left", ["Ann"]).object is None


@pytest.mark.model
@needs("pandas", "pandas")
def test_frames_have_everything(nlp, kg):
    frame = nlp(TEXT).to_pandas()
    wanted = {"document", "sentence", "arg1_resolved", "stance", "negated", "times", "arg1_spans", "args_spans"}
    assert wanted <= set(frame.columns)
    assert "denied" in set(frame["stance"])
    assert any(list(times) == ["1998"] for times in frame["times"])
    edges = kg.edges().to_pandas()
    assert {"subject", "object", "stance", "negated", "times", "documents", "sentences"} <= set(edges.columns)
    passages = kg.retrieve("Who founded Acme?").to_pandas()
    assert TEXT.partition(".")[0] in passages["text"][0]


@pytest.mark.model
def test_edges_and_entities_are_listed(kg):
    assert ("Globex", "bought", "Acme") in {
        (row["subject"], row["relation"], row["object"]) for row in kg.edges().rows()
    }
    assert len(kg.edges(limit=1)) == 1
    types = {node.name: node.types for node in kg.entities()}
    assert "person" in types["Ann Lee"]
    assert [node.name for node in kg.entities(type="person")] == ["Ann Lee"]
    assert [node.name for node in kg.entities("acm")] == ["Acme"]
    assert repr(kg.edges()).startswith("<AnswerTable: ")


@pytest.mark.model
def test_what_a_list_leaves_out_is_counted(kg):
    known = len(kg.entities(limit=None))
    assert kg.entities(limit=1).remarks == (f"1 of {known} entities, up to the limit",)
    stances = {edge.stance for edge in kg.edges(stance="all", limit=None)}
    assert "denied" in stances
    assert "1 denied" in kg.edges().remarks[-1]
    assert kg.edges(stance="all", limit=None).remarks == ()


def test_help_shows_types_without_notes():
    assert "Annotated" not in str(inspect.signature(tupelo.Graph.build))


@pytest.mark.model
def test_neighbors_are_neighbours(kg):
    assert kg.neighbors("Acme").rows() == kg.neighbours("Acme").rows()


@pytest.mark.model
@needs("networkx", "networkx")
def test_a_graph_goes_to_networkx(kg):
    found = kg.to_networkx()
    assert found.number_of_edges() == len(kg.edges(limit=1000))
    assert {"Ann Lee", "Acme", "Globex"} <= set(found)
    assert len({data["id"] for _, data in found.nodes(data=True)}) == len(found)
    import networkx

    written = "\n".join(networkx.generate_graphml(found))
    assert networkx.parse_graphml(written, force_multigraph=True).number_of_edges() == found.number_of_edges()


@pytest.mark.model
def test_edges_take_a_stance_and_refuse_other_filters(kg):
    everything = tupelo.graph.Filters(stances=("all",))
    assert kg.edges(stance="all").to_dict() == kg.edges(filters=everything).to_dict()
    assert kg.edges(stance=("asserted",)).to_dict() == kg.edges(stance="asserted").to_dict()
    with pytest.raises(InputError, match="'some' is no stance"):
        kg.edges(stance="some")
    for call in (
        lambda given: kg.edges(filters=given),
        lambda given: kg.edges(stance="all", filters=given),
        lambda given: kg.query("?who founded ?what", filters=given),
        lambda given: kg.neighbours("Acme", filters=given),
        lambda given: kg.path("Ann Lee", "Acme", filters=given),
    ):
        with pytest.raises(
            InputError, match=r"^\{'min_confidence': 0.5\}, expected Filters, such as filters=Filters"
        ):
            call({"min_confidence": 0.5})


@pytest.mark.model
def test_results_are_shown_in_one_line(kg, nlp):
    (found,) = nlp.extract("Ann Lee founded Acme.")
    assert repr(found) == f"<Extraction (Ann Lee; founded; Acme) {found.confidence:.2f}>"
    assert repr(tupelo.Extraction.of("He ate.", "ate", ["He"])) == "<Extraction (He; ate)>"
    edge = kg.edges()[0]
    assert repr(edge) == f"<Edge {edge} {edge.confidence:.2f}>"
    checked = tupelo.Checker(nlp=nlp)("Ann Lee founded Acme.", "Ann Lee founded Acme.")
    assert repr(checked) == "<Checked: 1 supported>"
    merged = tupelo.canonicalize([tupelo.Triple("Ann", "met", "Bo")])
    assert repr(merged) == f"<Canonicalization of {str(merged).splitlines()[0]}>"


@pytest.mark.model
def test_a_graph_is_not_pickled_and_says_so(kg):
    with pytest.raises(InputError, match=r"cannot be pickled.*Graph\.open"):
        pickle.dumps(kg)


@pytest.mark.model
def test_a_closed_graph_says_so(tmp_path, nlp):
    closed = tupelo.Graph.build({"note": TEXT}, tmp_path / "kg.duckdb", nlp=nlp)
    closed.close()
    for call in (closed.edges, closed.stats, lambda: closed.query("?who founded ?what"), lambda: str(closed)):
        with pytest.raises(tupelo.TupeloError, match="the graph is closed"):
            call()
