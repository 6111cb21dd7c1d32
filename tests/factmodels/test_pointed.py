"""The end-to-end model that points: what it may write, in which order, and the graphs beside the network."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tupelo
from tupelo.factmodels.extract import FactExtractor, FactOptions
from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel
from tupelo_training.facts.pointed import WEBNLG, PointedMethod, PointerModel, Walk, open_end_to_end, overlaps

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
