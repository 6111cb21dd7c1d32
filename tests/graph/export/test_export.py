"""What goes out comes back: the exports, read by the programs they are for."""

from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from collections import Counter
from contextlib import contextmanager
from functools import cache

import pytest

from tests.cli.runner import run
from tests.graph.small import HARBOUR, Said, World, write_graph
from tupelo.core import InputError, UnknownNameError
from tupelo.graph.export import EXPORTERS, ExportOptions
from tupelo.graph.query.edges import StatementView
from tupelo.graph.query.sql import run_sparql
from tupelo.graph.store.file import open_graph
from tupelo.graph.store.schema import TABLES

# rdflib's own reader of JSON-LD uses what rdflib calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
networkx = pytest.importorskip("networkx", reason="a referee of these tests")
rdflib = pytest.importorskip("rdflib", reason="a referee of these tests")
pyoxigraph = pytest.importorskip("pyoxigraph", reason="needs the extra 'rdf'")
pq = pytest.importorskip("pyarrow.parquet")

RDF = rdflib.RDF
V = rdflib.Namespace("urn:tupelo:vocabulary:")
NASTY = World(
    [
        Said(
            'A "quoted" <b>name</b>',
            "is & was; or",
            "line\nbreak\ttab\\slash",
            'He said: "A\\" <x>, ]]> & 😀 \x0b\x00.',
        ),
        Said("; DROP TABLE", "<script>", "é́ ﬁ \u202e", "A;B,C", "dir/b c.txt", time="1998; 1999"),
    ],
    types={'A "quoted" <b>name</b>': "odd type / é"},
)


@pytest.fixture(scope="module", params=["harbour", "nasty"])
def graph(request, harbour, tmp_path_factory):
    if request.param == "harbour":
        return harbour, HARBOUR
    return write_graph(tmp_path_factory.mktemp("nasty") / "nasty.duckdb", NASTY), NASTY


@cache
def exported(path, name, **options):
    """File name -> content; the same export is made once."""
    files: dict[str, bytes] = {}

    @contextmanager
    def opener(file):
        stream = io.BytesIO()
        yield stream
        files[file] = stream.getvalue()

    with open_graph(path) as store:
        EXPORTERS.get(name).write(store, opener, ExportOptions(**options))
    return files


# The literals of the harbour as RDF has them.
TYPED = {"4,200": "4200", "May 2004": "2004-05"}


def plain_claims(world):
    """What the texts claim without reservation, as names."""
    return {
        (said.subject, said.relation, TYPED.get(said.object, said.object))
        for said in world.statements
        if said.stance == "asserted"
    }


def own_wording(said):
    """The commonest wording of the tuples of an edge."""
    counts = Counter(one.own_relation for one in said)
    return min(counts, key=lambda text: (-counts[text], text))


def edges_of(world):
    return {edge: said for edge, said in world.edges().items() if edge[2] not in world.literals}


def claims(found):
    """The same, from RDF: every statement whose predicate is a relation of the graph."""
    relations = set(found.subjects(RDF.type, RDF.Property))
    label = rdflib.RDFS.label
    return {
        tuple(str(part if isinstance(part, rdflib.Literal) else found.value(part, label)) for part in triple)
        for triple in found
        if triple[1] in relations
    }


@pytest.mark.parametrize(("name", "parser"), [("ntriples", "nt"), ("turtle", "turtle"), ("jsonld", "json-ld")])
def test_rdf_comes_back_through_rdflib(graph, name, parser):
    path, world = graph
    found = rdflib.Graph().parse(data=exported(path, name)[""], format=parser)
    assert claims(found) == plain_claims(world)
    statements = list(found.subjects(RDF.type, RDF.Statement))
    assert len(statements) == len(world.edges())
    assert Counter(str(found.value(statement, V.stance)) for statement in statements) == Counter(
        min(one.stance for one in said) for said in world.edges().values()
    )
    sentences = set()
    for statement in statements:
        assert float(found.value(statement, V.confidence)) > 0
        for sentence in found.objects(statement, rdflib.PROV.wasDerivedFrom):
            document = found.value(sentence, rdflib.PROV.wasQuotedFrom)
            source = found.value(document, rdflib.DCTERMS.source)
            sentences.add((str(source), str(found.value(sentence, rdflib.PROV.value))))
    assert sentences == {(said.document, said.sentence) for said in world.statements}
    assert {str(kind) for kind in found.objects(None, V.modality)} == {
        s.modality for s in world.statements if s.modality
    }


def test_all_forms_of_rdf_say_the_same(graph):
    path, _ = graph
    triples = [
        set(rdflib.Graph().parse(data=exported(path, name)[""], format=form))
        for name, form in (("ntriples", "nt"), ("turtle", "turtle"))
    ]
    assert triples[0] == triples[1]
    # JSON spells no lexical forms of numbers, so values are compared.
    as_json = set(rdflib.Graph().parse(data=exported(path, "jsonld")[""], format="json-ld"))
    assert {tuple(map(str, triple)) for triple in as_json} == {tuple(map(str, triple)) for triple in triples[0]}


@pytest.mark.parametrize(("name", "form"), [("ntriples", "N_TRIPLES"), ("turtle", "TURTLE")])
@pytest.mark.parametrize("reify", ["classic", "rdf12", "none"])
def test_rdf_comes_back_through_oxigraph(graph, name, form, reify):
    path, world = graph
    store = pyoxigraph.Store()
    store.load(exported(path, name, reify=reify)[""], format=getattr(pyoxigraph.RdfFormat, form))
    reifies = pyoxigraph.NamedNode(str(RDF.reifies) if hasattr(RDF, "reifies") else str(RDF) + "reifies")
    terms = [quad.object for quad in store.quads_for_pattern(None, reifies, None)]
    assert len(terms) == (len(world.edges()) if reify == "rdf12" else 0)
    assert all(isinstance(term, pyoxigraph.Triple) for term in terms)
    text = b"".join(exported(path, name, reify=reify).values())
    assert (b"wasDerivedFrom" in text) == (reify != "none")


def test_graphml_comes_back_through_networkx(graph):
    path, world = graph
    found = networkx.parse_graphml(exported(path, "graphml")[""].decode("utf-8"), force_multigraph=True)
    names = networkx.get_node_attributes(found, "name")
    edges = Counter((names[a], data["relation"], names[b], data["stance"]) for a, b, data in found.edges(data=True))

    def xml(text):
        return text.replace("\x00", "\ufffd").replace("\x0b", "\ufffd")

    assert edges == Counter(
        (xml(edge[0]), xml(own_wording(said)), xml(edge[2]), min(one.stance for one in said))
        for edge, said in edges_of(world).items()
    )
    assert all(0 < data["confidence"] <= 1 and data["sentences"] for *_, data in found.edges(data=True))


def test_csv_for_neo4j_has_headers_and_fields_that_fit(graph):
    path, world = graph
    files = exported(path, "neo4j")
    tables = {
        name: list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))
        for name, content in files.items()
        if name.endswith(".csv")
    }
    entities = {row["nodeId:ID(Node)"]: row for row in tables["nodes.csv"]}
    values = {row["nodeId:ID(Node)"] for row in tables["values.csv"]}
    sentences = {row["sentenceId:ID(Sentence)"] for row in tables["sentences.csv"]}
    assert len(sentences) == len({(said.document, said.sentence) for said in world.statements})
    for row in tables["statements.csv"]:
        assert row[":START_ID(Node)"] in entities
        assert row[":END_ID(Node)"] in {*entities, *values}
        assert set(row["sentences:string[]"].split(";")) <= sentences
        assert row["negated:boolean"] in ("true", "false")
        assert row["relation"]
        assert row["stance"] == "asserted" or row[":TYPE"] == row["stance"].upper()
    assert all(re.fullmatch("[A-Z][A-Z0-9_]*", row[":TYPE"]) for row in tables["statements.csv"])
    assert len(tables["statements.csv"]) == len(world.edges())
    assert {row[":LABEL"].split(";")[0] for row in entities.values()} <= {"Entity", "Concept"}
    # One line per row: the importer's default.
    for name, rows in tables.items():
        assert files[name].count(b"\n") == len(rows) + 1
    assert all(f"={name}" in files["README.txt"].decode() for name in tables)


def test_neo4j_gets_few_types_in_the_customary_form(harbour, tmp_path):
    found = csv.DictReader(io.StringIO(exported(harbour, "neo4j")["statements.csv"].decode()))
    types = {(row["relation"], row["stance"]): row[":TYPE"] for row in found}
    assert types["works for", "asserted"] == "WORKS_FOR"
    assert types["set up", "asserted"] == types["founded", "asserted"] == "FOUNDED"
    assert types["bought", "asked"] == "ASKED"
    assert types["is chairman of", "reported"] == "REPORTED"
    world = World([Said(f"A{at}", f"relation {at:03}", f"B{at}", f"A{at} B{at}.") for at in range(100)])
    many = exported(write_graph(tmp_path / "many.duckdb", world), "neo4j")["statements.csv"].decode()
    counts = Counter(row[":TYPE"] for row in csv.DictReader(io.StringIO(many)))
    assert len(counts) == 41
    assert (counts["RELATED"], counts["RELATION_007"]) == (60, 1)


def test_literals_are_properties_of_nodes_and_typed_values(harbour):
    files = exported(harbour, "neo4j")
    (lindvik,) = (row for row in csv.DictReader(io.StringIO(files["nodes.csv"].decode())) if row["name"] == "Lindvik")
    assert (lindvik["hasPopulationOf:string[]"], lindvik[":LABEL"]) == ("4,200", "Entity;Place")
    values = {row["text"]: row["datatype"] for row in csv.DictReader(io.StringIO(files["values.csv"].decode()))}
    assert values == {"4,200": "decimal", "May 2004": "gYearMonth", "the cranes are safe": ""}
    assert '"4200"^^xsd:decimal' in exported(harbour, "turtle")[""].decode()
    assert '"2004-05"^^xsd:gYearMonth' in exported(harbour, "turtle", reify="rdf12")[""].decode()


@pytest.mark.parametrize(("name", "form"), [("nquads", "N_QUADS"), ("trig", "TRIG"), ("jsonld", "JSON_LD")])
def test_a_named_graph_for_each_statement(graph, name, form):
    path, world = graph
    store = pyoxigraph.Store()
    store.load(exported(path, name, reify="graphs")[""], format=getattr(pyoxigraph.RdfFormat, form))
    assert len(list(store.named_graphs())) == len(world.edges())
    query = """SELECT ?stance (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } ?g <urn:tupelo:vocabulary:stance> ?stance }
        GROUP BY ?stance"""
    counted = {row["stance"].value: int(row["n"].value) for row in store.query(query)}
    assert counted == Counter(min(one.stance for one in said) for said in world.edges().values())
    # The default graph has only what is asserted.
    relations = "?p a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property>"
    claimed = store.query(f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o . {relations} }}")
    assert [int(row["n"].value) for row in claimed] == [len(plain_claims(world))]


@pytest.mark.parametrize("name", ["ntriples", "turtle"])
def test_a_format_without_named_graphs_says_so(harbour, name):
    with pytest.raises(InputError, match="has no named graphs, expected nquads, trig or jsonld"):
        exported(harbour, name, reify="graphs")


def test_parquet_has_every_table_whole(graph):
    path, _ = graph
    files = exported(path, "parquet")
    with open_graph(path) as store:
        for table in TABLES:
            if table.derived:
                assert f"{table.name}.parquet" not in files
                continue
            found = pq.read_table(io.BytesIO(files[f"{table.name}.parquet"]))
            rows = store.rows(f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}")
            assert [tuple(row.values()) for row in found.to_pylist()] == rows


@pytest.mark.parametrize("name", list(EXPORTERS))
def test_the_same_graph_gives_the_same_bytes(graph, name):
    assert exported.__wrapped__(graph[0], name) == exported(graph[0], name)


def test_a_least_confidence_leaves_edges_out(harbour):
    found = networkx.parse_graphml(exported(harbour, "graphml", view=StatementView(0.85))[""].decode("utf-8"))
    assert found.number_of_edges() == 6
    assert [data["has population of"] for _, data in found.nodes(data=True) if "has population of" in data] == [
        "4,200"
    ]


@pytest.mark.parametrize("base", ["", "no scheme", "urn:a b", "http://x/<script>", 'http://x/"'])
def test_a_base_that_is_no_iri_is_refused(harbour, base):
    with pytest.raises(InputError, match="cannot begin an IRI"):
        exported(harbour, "ntriples", base=base)


def test_another_base_is_used_everywhere(harbour):
    text = exported(harbour, "turtle", base="https://example.org/kg/")[""].decode()
    assert "urn:tupelo" not in text
    assert len(rdflib.Graph().parse(data=text, format="turtle")) > 100


def test_sparql_answers_from_the_exported_graph(harbour):
    query = """
        SELECT ?name ?text { ?s relation:founded|rdfs:label ?name . FILTER(?name = "Ann Watson")
          ?e rdf:subject ?s ; v:time "in May 2004" ; prov:wasDerivedFrom/prov:value ?text }
    """
    with open_graph(harbour) as store:
        found = run_sparql(store, query)
        assert (found.columns, tuple(row.cells for row in found)) == (
            ("name", "text"),
            (("Ann Watson", "Watson also set up North Ferries in May 2004."),),
        )
        assert run_sparql(store, "ASK { ?s v:negated true }")[0].cells == (True,)
        assert len(run_sparql(store, "CONSTRUCT WHERE { ?s a v:Entity }", limit=3)) == 3


def test_sparql_never_holds_the_whole_export_as_text(harbour, monkeypatch):
    lines = [f'<a:{number}> <a:b> "{"x" * 1000}" .\n' for number in range(15_000)]
    monkeypatch.setattr("tupelo.graph.query.sql.ntriples", lambda *_: iter(lines))
    with open_graph(harbour) as store:
        tracemalloc.start()
        found = run_sparql(store, "SELECT (COUNT(*) AS ?n) { ?s <a:b> ?o }")
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert found[0].cells == ("15000",)
    assert most < 0.9 * sum(map(len, lines))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELEC", "SPARQL: "),
        ("INSERT DATA { <a:b> <a:c> <a:d> }", "SPARQL: "),
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "another machine"),
    ],
)
def test_sparql_that_does_more_than_read_this_graph_is_refused(harbour, query, message):
    with open_graph(harbour) as store, pytest.raises(InputError, match=message):
        run_sparql(store, query)


def test_the_word_service_inside_quotes_is_no_service(harbour):
    with open_graph(harbour) as store:
        assert run_sparql(store, 'SELECT ?s { ?s rdfs:label "service" } # SERVICE').items == ()


def test_the_command_tells_the_format_by_name_and_refuses_the_rest(harbour, capsys, tmp_path):
    assert run(capsys, "graph", "export", harbour, "-o", tmp_path / "kg.ttl").status == 0
    assert (tmp_path / "kg.ttl").read_bytes() == exported(harbour, "turtle")[""]
    assert run(capsys, "graph", "export", harbour, "--format", "neo4j", "-o", tmp_path / "csv").status == 0
    assert (tmp_path / "csv" / "statements.csv").exists()
    outcome = run(capsys, "graph", "export", harbour, "-o", tmp_path / "kg.xyz")
    assert outcome.status == 2
    assert "tells no format, expected one: --format (format=) ntriples|" in outcome.err
    assert run(capsys, "graph", "export", harbour, "--format", "parquet").status == 2
    outcome = run(capsys, "graph", "export", harbour, "--format", "turtel")
    assert (outcome.status, "Did you mean 'turtle'" in outcome.err) == (2, True)
    with pytest.raises(UnknownNameError):
        EXPORTERS.get("rdfxml")


def test_the_command_lists_its_formats(harbour, capsys):
    outcome = run(capsys, "graph", "export", harbour, "--list")
    assert [line.split()[0] for line in outcome.out.splitlines()] == list(EXPORTERS)


@pytest.mark.slow
def test_query_prints_tables_json_and_csv(harbour, capsys, tmp_path):
    out = run(capsys, "graph", "query", harbour, "?who founded ?what", "--evidence").out
    assert "“In 1998 the company was founded by Watson.” (news.txt:1)" in out
    found = json.loads(run(capsys, "graph", "query", harbour, "Watson ? ?", "--json", "--evidence").out)
    assert found["answers"][0]["edges"][0]["evidence"][0]["source"] == "harbour.txt"
    out = run(capsys, "graph", "query", harbour, "?a founds ?b", "--format", "csv", "--evidence").out
    assert len(list(csv.reader(io.StringIO(out)))) == 1 + 4
    assert "no answer" in run(capsys, "graph", "query", harbour, "?a founded ?b", "--since", "2020").out
    for way in (
        ["--neighbours", "Watson"],
        ["--path", "Watson", "Ole Berg", "--evidence"],
        ["--search", "ferr*"],
        ["--sql", "SELECT 1 AS one"],
        ["--sparql", "ASK {}"],
    ):
        for form in ("table", "json", "csv"):
            outcome = run(capsys, "graph", "query", harbour, *way, "--format", form)
            assert (outcome.status, outcome.err) == (0, "")
            assert outcome.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["?a founded ?b", "--search", "x"],
        ["?a founded ?b", "--since", "soon"],
        ["nonsense"],
        ["?a founded ?b", "--type", "person"],
        ["--neighbours", "Nobody"],
        ["--path", "Watson", "Watson"],
        ["--sql", "DROP TABLE edges"],
    ],
)
def test_a_bad_question_is_answered_in_one_line(harbour, capsys, arguments):
    outcome = run(capsys, "graph", "query", harbour, *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
