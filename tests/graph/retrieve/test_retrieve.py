"""Passages, the walk over the network, the mixture, and what `graph retrieve` prints."""

from __future__ import annotations

import json
from math import log

import numpy as np
import pytest

from tests.cli.runner import run
from tests.graph.build.test_build import Graph as Documents
from tests.graph.small import node_id
from tupelo.api.graph import Graph, read_questions
from tupelo.core import FormatError, InputError
from tupelo.graph.query.network import Network
from tupelo.graph.retrieve.passage_index import (
    Links,
    index_of,
    load_index,
    missing_vectors,
    named_nodes,
    write_vectors,
)
from tupelo.graph.retrieve.question import chosen_names, other_words, possible_names
from tupelo.graph.retrieve.retriever import Retriever, Signals, best, mix, own_id, search_passages
from tupelo.graph.store.file import create, open_for_update, open_graph
from tupelo.graph.store.passages import Place, divide, possible_names_in


def divided(places, size):
    return [[place.position for place in passage] for passage in divide(places, size)]


def places(*spans):
    return [Place(number, *span) for number, span in enumerate(spans)]


def test_paragraphs_stay_whole_where_they_fit():
    # Two paragraphs of two sentences; all four would be 190 characters.
    four = places((0, 40), (41, 80), (82, 130), (131, 190))
    assert divided(four, 200) == [[0, 1, 2, 3]]
    assert divided(four, 120) == [[0, 1], [2, 3]]


def test_long_paragraphs_are_divided_between_sentences_and_sentences_never():
    assert divided(places((0, 50), (51, 90), (91, 150)), 100) == [[0, 1], [2]]
    assert divided(places((0, 500), (501, 520)), 100) == [[0], [1]]
    assert divided([], 100) == []


def test_a_heading_ends_a_passage_that_is_long_enough():
    below = [Place(0, 0, 450, "A"), Place(1, 452, 600, "B"), Place(2, 602, 700, "C"), Place(3, 702, 1_100, "C")]
    assert divided(below, 1_600) == [[0], [1, 2, 3]]
    # The next one begins where a section does, not within it.
    assert divided([*below, Place(4, 1_102, 1_150, "D")], 1_600) == [[0], [1, 2, 3], [4]]


@pytest.mark.model
def test_passages_show_the_headings_that_they_are_below(tmp_path):
    (tmp_path / "pump.md").write_text(
        "# Orlo pump\n\n## Installation\n\n"
        + "The pump is fixed to the wall with four long screws of steel. " * 7
        + "\n\n## Care\n\n### Frost\n\nEmpty it before the first frost.\n\n### Parts\n\nSeals are sold in pairs.\n",
        "utf-8",
    )
    with Graph.build(tmp_path / "pump.md", tmp_path / "kg.duckdb") as kg:
        first, *_, last = sorted(kg.retrieve("Which screws, frost and seals?", limit=9), key=lambda one: one.start)
    assert (first.heading, last.heading) == (None, "Care")
    assert last.cells[2] == "Orlo pump › Care"
    assert last.to_dict()["heading"] == "Care"


def test_rank_of_a_walk_by_hand():
    # 0 - 1 - 2, from 0 alone, half the time onwards: r0 = 1/2 + r1/4, r1 = r0/2 + r2/2, r2 = r1/4.
    network = Network(np.array([[0, 1], [1, 2]]), np.array([1.0, 1.0]), 3)
    rank = network.rank(np.array([2.0, 0.0, 0.0]), damping=0.5, rounds=60)
    r1 = (1 / 4) / (1 - 1 / 8 - 1 / 8)
    assert rank == pytest.approx([1 / 2 + r1 / 4, r1, r1 / 4])
    assert rank.sum() == pytest.approx(1)


def test_links_count_by_weight_and_a_walk_at_a_dead_end_starts_afresh():
    network = Network(np.array([[0, 1], [0, 2]]), np.array([3.0, 1.0]), 4)
    rank = network.rank(np.array([1.0, 0.0, 0.0, 1.0]), damping=0.5, rounds=60)
    assert rank[1] == pytest.approx(3 * rank[2])
    assert rank.sum() == pytest.approx(1)


def test_paths_lead_from_the_nearest_start_through_the_busiest_neighbour():
    # Two ways from 0 to 3, over 1 and over 2; that over 2 has the heavier links. Node 4 is apart.
    network = Network(np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), np.array([1.0, 1.0, 5.0, 5.0]), 5)
    rank = network.rank(np.array([1.0, 0, 0, 0, 0]), damping=0.5, rounds=30)
    distance = network.distances([0], 4)
    assert distance.tolist() == [0, 1, 1, 2, 5]
    assert network.path(3, rank, distance) == [0, 2, 3]
    assert network.path(0, rank, distance) == [0]
    assert network.path(4, rank, distance) == []


def test_a_walk_is_the_same_over_few_links_as_over_all(monkeypatch):
    # A chain with short cuts, links of several weights between the same nodes, and nodes without any.
    ends = np.array([[n, n + 1] for n in range(60)] + [[n, (7 * n) % 60] for n in range(60)] + [[3, 4]])
    ends, weights = np.sort(ends, axis=1), 1 / (1 + np.arange(len(ends)) % 7)
    jump = np.zeros(64)
    jump[[5, 62]] = 1.0, 0.5
    ranks = []
    for share in (0.0, 0.25, 2.0):
        monkeypatch.setattr("tupelo.graph.query.network._FEW", share)
        ranks.append(Network(ends, weights, 64).rank(jump, damping=0.7, rounds=12).tolist())
    assert ranks[0] == ranks[1] == ranks[2]
    assert sum(ranks[0]) == pytest.approx(1)


def test_distances_are_counted_no_further_than_the_ends():
    chain = Network(np.array([[n, n + 1] for n in range(6)]), np.ones(6), 8)
    assert chain.distances([0], 5).tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    assert chain.distances([0], 5, [1, 2]).tolist() == [0, 1, 2, 6, 6, 6, 6, 6]
    assert chain.distances([0], 5, [1, 7]).tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    assert chain.distances([0, 6], 5, [2]).tolist() == [0, 1, 2, 6, 2, 1, 0, 6]


def test_names_in_a_question_are_the_longest_known_ones():
    question = "Where does the founder of the North Ferries' rival live, and who is Berg?"
    spans = list(possible_names(question))
    assert chosen_names(spans, {"north ferries", "north", "berg", "founder"}) == ("north ferries", "berg")
    assert other_words(question, ["north ferries", "berg"]) == ["founder", "rival", "live"]
    # A question word is no name, even if something is called so.
    assert chosen_names(possible_names("Who is it?"), {"who"}) == ()


@pytest.mark.slow
def test_bm25_by_hand(tmp_path):
    graph = Documents(tmp_path)
    graph.build({"a": "Vestas founded Acme. Vestas left Oslo.", "b": "Brava left Oslo."})
    with open_graph(graph.path) as store:
        index = load_index(store)
        words, _, others = search_passages(store, index, ["founded", "oslo"], ["oslo"])
        inflected, stems, _ = search_passages(store, index, ["founders", "oslo"], [])
        unknown, *_ = search_passages(store, index, ["founded", "nowhere"], [])
        sizes = dict(store.rows("SELECT passage_id, any_value(length) FROM passage_words GROUP BY passage_id"))
    lengths = [sizes[key] for key in index.passages]
    assert sorted(lengths) == [3, 6]

    def part(documents, length):
        rarity = log(1 + (2 - documents + 0.5) / (documents + 0.5))
        return rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / 4.5))

    long, short = lengths.index(6), lengths.index(3)
    assert words[long] == pytest.approx(part(1, 6) + part(2, 6))
    assert words[short] == pytest.approx(part(2, 3))
    assert others[[long, short]] == pytest.approx([part(2, 6), part(2, 3)])
    assert unknown[[long, short]] == pytest.approx([part(1, 6), 0])
    assert stems.tolist() == words.tolist()
    assert inflected[long] == pytest.approx(part(2, 6))
    # Looked up once: the file is closed by now.
    again, *_ = search_passages(store, index, ["founded", "oslo", "nowhere"], [])
    assert again.tolist() == words.tolist()


def test_the_score_is_the_documented_sum():
    evidence = {"walk": np.array([1.0, 0.1]), "words": np.array([0.5, 1.0]), "vectors": np.array([0.2, 0.4])}
    signals = Signals({}, (), np.zeros(2), evidence, np.array([1.0, 0.5, 0.0]))
    # A weight is the sum of its coefficients times the features of the question.
    scores = mix(signals, {"walk": [1.0, 2.0, 9.0], "words": [3.0, 0.0, 0.0], "vectors": [0.0, -2.0, 0.0]})
    assert scores == pytest.approx([2 * 1.0 + 3 * 0.5 - 0.2, 2 * 0.1 + 3 * 1.0 - 0.4])
    assert best(np.array([1.0, 2.0, 2.0]), 2) == [1, 2]


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """A graph in which a question needs two documents, with others beside them."""
    graph = Documents(tmp_path_factory.mktemp("chain"))
    graph.build(
        {
            "firm": "Vestas founded Acme.",
            "person": "Vestas left Bergen.",
            "other": "Brava founded Nordic. Brava left Oslo.",
            "more": "Skarholm left Oslo. Tromso left Oslo.",
        }
    )
    return graph.path


def sources(found):
    return [item.source.rpartition("/")[2] for item in found]


@pytest.mark.slow
def test_the_second_passage_is_reached_over_an_edge(chain):
    with Graph.open(chain) as graph:
        found = graph.retrieve("Which city did the founder of Acme leave?", limit=2, evidence=1)
    assert sources(found) == ["firm.txt", "person.txt"]
    first, second = found
    assert (first.text, first.start, first.end, first.path) == ("Vestas founded Acme.", 0, 20, ())
    assert [(step.subject, step.relation, step.object) for step in second.path] == [("Vestas", "founded", "Acme")]
    assert [said.sentence for said in second.evidence] == ["Vestas founded Acme."]
    assert second.to_dict()["evidence"][0]["sentence"] == "Vestas founded Acme."


def test_a_question_without_names_starts_from_its_words(chain):
    with Graph.open(chain) as graph:
        found = graph.retrieve("what was founded?", limit=2, explain=True)
    assert set(sources(found)) == {"firm.txt", "other.txt"}
    assert any("no known name" in remark for remark in found.remarks)


def test_the_same_question_has_the_same_answer_from_any_copy(chain, tmp_path):
    answers = []
    for _ in range(2):
        with Graph.open(chain) as graph:
            answers.append(graph.retrieve("Who left Oslo with Brava?", limit=4, evidence=2, explain=True).to_dict())
    assert answers[0] == answers[1]
    parts = answers[0]["answers"][0]["parts"]
    assert sum(parts.values()) == pytest.approx(answers[0]["answers"][0]["score"], abs=1e-5)


@pytest.mark.slow
def test_an_updated_graph_answers_like_one_built_at_once(tmp_path):
    documents = {"a": "Vestas founded Acme.", "b": "Vestas left Bergen.", "c": "Brava left Bergen."}
    grown, whole = Documents(tmp_path / "grown"), Documents(tmp_path / "whole")
    grown.build({"a": "Brava founded Nordic.", "b": documents["b"], "d": "Acme left Oslo."})
    grown.build(documents)
    whole.build(documents)

    def answers(path):
        with Graph.open(path) as graph:
            return [
                (item.text, item.score, [step.relation for step in item.path])
                for item in graph.retrieve("Where is the founder of Acme?", limit=3)
            ]

    with open_graph(grown.path) as one, open_graph(whole.path) as other:
        counts = [store.rows("SELECT count(*), sum(times) FROM passage_words") for store in (one, other)]
    assert counts[0] == counts[1]
    assert sorted(answers(grown.path)) == sorted(answers(whole.path))


def fake_encode(texts):
    """Vectors that say whether a text has the letter O and how long it is."""
    return np.array([[1.0 + ("O" in text), len(text) % 7] for text in texts], dtype=np.float32)


@pytest.mark.slow
def test_only_passages_without_a_vector_are_encoded(tmp_path):
    graph = Documents(tmp_path)
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    encoded = []

    def encode(texts):
        encoded.extend(texts)
        return fake_encode(texts)

    for documents in ({}, {"a": "Vestas founded Acme.", "b": "Brava left Bergen."}):
        if documents:
            graph.build(documents)
        with open_for_update(graph.path) as store:
            write_vectors(store, "plain 1", encode)
            assert missing_vectors(store, "plain 1") == 0
            assert store.problems() == []
    assert sorted(encoded) == ["Brava left Bergen.", "Brava left Oslo.", "Vestas founded Acme."]


@pytest.mark.slow
def test_vectors_count_where_every_passage_has_one_of_the_encoder(tmp_path):
    graph = Documents(tmp_path)
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    with open_for_update(graph.path) as store:
        write_vectors(store, "plain 1", fake_encode)
    with open_graph(graph.path) as store:
        assert load_index(store, "plain 2").vectors is None
        retriever = Retriever.open(store, fake_encode, "plain 1")
        stored = retriever.index.vectors
        assert stored is not None
        assert np.linalg.norm(stored, axis=1) == pytest.approx([1, 1])
        assert "vectors" in retriever("Who left Oslo?", plan=True)[0].parts
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Bergen."})
    with open_graph(graph.path) as store:
        assert load_index(store, "plain 1").vectors is None


def test_titles_are_names_of_their_passages(harbour):
    with open_graph(harbour) as store:
        index = load_index(store)
        nodes = named_nodes(store, index, ["art", "ann watson", "nothing"])
        assert nodes["ann watson"] == [index.numbers[node_id("Ann Watson")]]
        (passage,) = nodes["art"]
        assert len(index.entities) <= passage < len(index.entities) + len(index.passages)
        assert "nothing" not in nodes


def test_possible_names_begin_and_end_with_a_capital_or_a_digit():
    found = [(name.first, name.last, name.form) for name in possible_names_in("In 1490 monks of St. Ann met Bo Lee.")]
    assert found == [
        (0, 0, "in"),
        (0, 1, "in 1490"),
        (1, 1, "1490"),
        (4, 4, "st"),
        (4, 5, "saint ann"),
        (5, 5, "ann"),
        (7, 7, "bo"),
        (7, 8, "bo lee"),
        (8, 8, "lee"),
    ]
    assert not list(possible_names_in("no name here"))


@pytest.mark.slow
def test_a_passage_is_linked_to_the_names_that_are_written_in_it(tmp_path):
    """An entity of another document, which no tuple of the passage has."""
    documents = Documents(tmp_path)
    documents.build({"firm": "Vestas founded Acme.", "other": "Brava left Oslo.", "list": "Acme."})
    with open_graph(documents.path) as store:
        index = load_index(store)
        (listed,) = store.rows(
            "SELECT passage_id FROM passages JOIN documents USING (document_id) WHERE source LIKE '%list.txt'"
        )[0]
        assert store.rows("SELECT * FROM passage_entities WHERE passage_id = ?", [listed]) == []
        (firm,), (other,) = (named_nodes(store, index, [form])[form] for form in ("acme", "oslo"))
        near = index.network.distances([index.numbers[listed]], 1)
    assert (near[firm], near[other]) == (1, 2)


def test_a_name_in_two_entities_links_them():
    none = np.zeros((0, 2), dtype=np.int64)
    links = Links(np.array([[0, 0], [1, 1]]), none, none, np.array([[0, 0], [0, 1]]))
    index = index_of(["one", "other"], ["p", "q"], links)
    rank = index.network.rank(np.array([1.0, 0, 0, 0, 0]), damping=0.5, rounds=20)
    assert rank[3] > 0


def test_ids_are_those_in_a_file_of_records():
    assert own_id("a/news.jsonl#x#7", {"a/news.jsonl"}) == "x#7"
    assert own_id("mail.zip/1.txt", {"mail.zip"}) == "mail.zip/1.txt"
    assert own_id("note#1", set()) == "note#1"


def test_a_batch_prints_a_line_for_each_question(harbour, tmp_path, capsys):
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        '{"id": 1, "question": "Who founded Lindvik Shipping?"}\n\n{"id": "b", "question": "Eva Lund?"}\n'
    )
    outcome = run(capsys, "graph", "retrieve", harbour, "--questions", questions, "--json", "--limit", "2")
    assert outcome.status == 0
    lines = [json.loads(line) for line in outcome.out.splitlines()]
    assert [line["id"] for line in lines] == ["1", "b"]
    assert set(lines[0]["passages"][0]) == {"id", "score", "path"}
    assert lines[1]["passages"][0]["id"] == "art.txt"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "Who?"}', "questions.jsonl:1: no id, expected a string or a number under 'id'"),
        ('{"id": "a"}', "questions.jsonl:1: no question, expected a text under 'question'"),
        ("[]", "questions.jsonl:1: a JSON list"),
        ('{"id": "a", "question": "X?"}\n{"id": "a", "question": "Y?"}', "questions.jsonl:2: id 'a' comes twice"),
    ],
)
def test_faults_in_a_file_of_questions_name_their_line(tmp_path, line, message):
    questions = tmp_path / "questions.jsonl"
    questions.write_text(line)
    with pytest.raises(FormatError, match=message):
        read_questions(questions)


def test_the_command_wants_one_question_or_a_file(harbour, tmp_path, capsys):
    for arguments in ((), ("Who?", "--questions", write_questions(tmp_path))):
        outcome = run(capsys, "graph", "retrieve", harbour, *arguments)
        assert outcome.status == 2
        assert "expected a question or --questions, one of the two" in outcome.err
    outcome = run(
        capsys, "graph", "retrieve", harbour, "Who", "founded", "Lindvik", "Shipping?", "--evidence", "--explain"
    )
    assert outcome.status == 0
    assert "names in the question" in outcome.out
    assert "harbour.txt" in outcome.out


def write_questions(folder):
    path = folder / "questions.jsonl"
    path.write_text('{"id": "a", "question": "Eva Lund?"}\n')
    return path


def test_a_question_without_words_is_refused(harbour):
    with Graph.open(harbour) as graph, pytest.raises(InputError, match="no word to search for"):
        graph.retrieve("?!")


def test_an_empty_graph_has_no_passages(tmp_path):
    create(tmp_path / "empty.duckdb").close()
    with Graph.open(tmp_path / "empty.duckdb") as graph:
        assert len(graph.retrieve("Who founded Acme?")) == 0
