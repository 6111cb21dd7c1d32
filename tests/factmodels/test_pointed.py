"""The end-to-end model that points: what it may write, in which order, and the graphs beside the network."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tupelo
from tupelo.factmodels.extract import FactExtractor, FactOptions
from tupelo.factmodels.folder import WEBNLG
from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel
from tupelo_training.facts.news import news
from tupelo_training.facts.pointed import PointedMethod, PointerModel, Walk, open_end_to_end, overlaps

TEXT = (
    "Ann Lee was born in Oslo in 1960. She moved to Bergen with Bob Ray. "
    "The Norwegian Red Cross hired Lee. The NRC is in Oslo."
)
DOCUMENT = Marked(
    (("Ann", "Lee", "was", "born", "in", "Oslo", "."), ("Oslo", "is", "in", "Norway", ",", "Lee", "says", ".")),
    ("PER", "LOC", "LOC"),
    (MarkedMention(0, 2, 0), MarkedMention(5, 6, 1), MarkedMention(7, 8, 1), MarkedMention(10, 11, 2)),
)


def test_a_walk_goes_forward_and_repeats_no_property():
    random = np.random.default_rng(0)
    for _ in range(50):
        count = int(random.integers(0, 8))
        found = Walk(0.3)(count, lambda start, _, count=count: random.normal(size=(count - start, 4)))
        places = [(pair, relation) for pair, relation, _ in found]
        assert places == sorted(set(places))
        assert all(0 <= pair < count and 0 <= relation < 3 and 0 < share <= 1 for pair, relation, share in found)


def test_a_walk_sees_what_it_has_written():
    seen = []

    def scorer(start, facts):
        seen.append((start, facts))
        scores = np.full((3 - start, 3), -9.0)
        scores[:, 0] = 9.0
        if not facts:
            scores[1 - start, 2] = 19.0
        elif facts == [(1, 1)] and start <= 2:
            scores[-1, 1] = 19.0
        return scores

    found = Walk(0.5)(3, scorer)
    assert [fact[:2] for fact in found] == [(1, 1), (2, 0)]
    assert seen == [(0, []), (1, [(1, 1)]), (2, [(1, 1), (2, 0)])]


def test_ends_that_are_the_same_entity():
    pairs, facts = np.array([[1, 2]]), np.array([[1, 2], [2, 1], [1, 3], [0, 1], [-1, -1]])
    assert overlaps(pairs, facts).tolist() == [[1 + 8, 2 + 4, 1, 2, 0]]


@pytest.mark.torch
@pytest.mark.model
@pytest.mark.parametrize(("rounded", "tolerance"), [(False, 1e-4), (True, 0.5)])
def test_graphs_say_what_the_network_says(tmp_path, rounded, tolerance):
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    pytest.importorskip("tupelo_facts_en", reason="needs the extra `facts`")
    from tests.factmodels.tiny import tiny_pointer, write
    from tupelo_training.facts.pointer_data import seen

    network, files = tiny_pointer(rounded=rounded)
    model = PointerModel(write(tmp_path, files))
    ((_, inputs),) = PairModel().inputs(DOCUMENT)
    vectors, contexts = seen(inputs)
    (made,) = model.graph("pairs.onnx").run(["pairs"], inputs)
    given_ = [torch.from_numpy(np.asarray(inputs[name])) for name in ("types", "often", "near", "order")]
    with torch.no_grad():
        ends = network.ends(torch.from_numpy(vectors), torch.from_numpy(contexts), *given_)
        pairs = network.pairs(*ends)
        np.testing.assert_allclose(made, pairs.numpy(), atol=tolerance)
        flat = torch.from_numpy(made).flatten(0, 1)
        facts, relations = torch.cat([torch.zeros(1, 16), flat[1:3]]), torch.tensor([0, 1, 2])
        shared = torch.randint(16, (9, 3), generator=torch.Generator().manual_seed(1))
        expected = network(flat, facts, relations, shared, torch.zeros(9, 3, dtype=torch.bool)).numpy()
    step = {"pairs": flat.numpy(), "facts": facts.numpy(), "relations": relations.numpy(), "overlaps": shared.numpy()}
    (scores,) = model.graph("step.onnx").run(["scores"], step)
    np.testing.assert_allclose(scores, expected, atol=tolerance)
    assert expected.std() > 0.1


@pytest.mark.torch
def test_the_network_learns_to_write_one_document():
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    from tupelo_training.facts.pointer_network import FactPointer, PointerSizes
    from tupelo_training.facts.train_pointer import Item, loss, measured, written

    torch.manual_seed(2)
    network = FactPointer(PointerSizes(4, states=8, width=16, attention_heads=2), dropout=0.0)
    facts = [(0, 1, 0), (0, 1, 2), (1, 2, 3), (2, 0, 1)]
    item = Item(
        "news",
        {"types": np.zeros(3, np.int64)},
        np.zeros((0, 3), np.int64),
        np.zeros(0, np.float32),
        np.array(facts),
        torch.randn(3, 3, 2, 8).half(),
    )
    assert item.target(None) == facts
    before = measured(network, [item], 0.5)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(60):
        optimizer.zero_grad()
        loss(network, item, facts).backward()
        optimizer.step()
    found = written(network, item, 0.5)
    assert [fact[:3] for fact in found] == facts
    assert measured(network, [item], 0.5)["f1"] == 1.0 > before["f1"]
    # What is written one by one has the probability that the loss gives it.
    moved_on = loss(network, item, facts).item() + sum(np.log(share) for *_, share in found)
    assert 0 < moved_on < 1


@pytest.mark.torch
def test_facts_of_raw_text_are_drawn_by_their_probabilities():
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    from tupelo_training.facts.train_pointer import Item

    facts = np.array([(0, 1, 0), (1, 0, 0), (1, 0, 1)])
    item = Item("qamr", {}, facts, np.array([1.0, 0.25, 0.0], np.float32), np.zeros((0, 3), np.int64))
    random = np.random.default_rng(1)
    drawn = [tuple(fact) for _ in range(400) for fact in item.target(random)]
    assert drawn.count((0, 1, 0)) == 400
    assert 70 < drawn.count((1, 0, 0)) < 130
    assert (1, 0, 1) not in drawn


def test_invented_news_is_the_same_each_time_and_names_what_it_states():
    texts = list(news(20))
    assert [one.sentences for one in texts[:5]] == [one.sentences for one in news(5)]
    for one in texts:
        words = [word for sentence in one.sentences for word in sentence]
        mentioned = {entity for _, _, entity in one.mentions}
        assert all(0 <= start < end <= len(words) for start, end, _ in one.mentions)
        assert {end for head, tail, _ in one.facts for end in (head, tail)} <= mentioned
    assert sum(len(one.facts) for one in texts) > 40


@pytest.fixture(scope="module")
def nlp():
    return tupelo.load(threads=1)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    pytest.importorskip("tupelo_facts_en", reason="needs the extra `facts`")
    from tests.factmodels.tiny import tiny_pointer, write

    return str(write(tmp_path_factory.mktemp("pointer"), tiny_pointer()[1]))


WORDS = [
    "Ann Lee",
    "Oslo",
    "Bob",
    "the Red Cross",
    "Norway",
    "1960",
    "was born in",
    "met",
    "and",
    ",",
    ".",
    "joined",
    "é",
]


@pytest.mark.torch
@pytest.mark.model
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(WORDS), max_size=25))
def test_nothing_is_written_that_is_not_in_the_text(nlp, tiny, words):
    """Of a network with random weights, which would write anything that it may."""
    text = " ".join(words)
    found = FactExtractor(nlp, "end-to-end", model=tiny, options=FactOptions(min_confidence=0.0))(text)
    schema = {relation.id for relation in PointerModel(tiny).relations}
    for fact in found:
        assert fact.subject in text
        assert fact.object in text
        assert fact.property in schema
        assert all(0 <= a < b <= len(text) for a, b in (fact.subject_span, fact.object_span))


@pytest.mark.torch
@pytest.mark.model
def test_a_random_network_writes_something(nlp, tiny):
    found = FactExtractor(nlp, "end-to-end", model=tiny, options=FactOptions(min_confidence=0.0))(TEXT)
    assert len(found) > 3
    about = FactExtractor(nlp, "end-to-end", model=tiny, options=FactOptions(min_confidence=0.0, subject="oslo"))(
        TEXT
    )
    assert {fact.subject for fact in about} == {"Oslo"}


@pytest.mark.torch
@pytest.mark.model
def test_reduced_input_has_only_sentences_with_two_names(nlp, tiny):
    text = "Tom Fox sings. Ann Lee met Bob Ray in Oslo."
    whole, reduced = (
        FactExtractor(nlp, "end-to-end", model=tiny, options=FactOptions(min_confidence=0.0, reduced=only))(text)
        for only in (False, True)
    )
    assert "Tom Fox" in {name for fact in whole for name in (fact.subject, fact.object)}
    assert reduced
    assert "Tom Fox" not in {name for fact in reduced for name in (fact.subject, fact.object)}


@pytest.mark.model
def test_other_folders_write_token_by_token():
    pytest.importorskip("tupelo_facts_en", reason="needs the extra `facts`")
    assert isinstance(open_end_to_end(None, FactOptions()), PointedMethod)
    assert not isinstance(open_end_to_end(WEBNLG, FactOptions()), PointedMethod)
