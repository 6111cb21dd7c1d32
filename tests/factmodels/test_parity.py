"""ONNX graphs say what the torch networks say; int8 hardly less."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from tests.factmodels.tiny import PIECES, tiny_pairs, tiny_sentence, tiny_writer, write  # noqa: E402
from tupelo.factmodels.pairs import (  # noqa: E402
    NEVER,
    Marked,
    MarkedMention,
    PairModel,
    alike,
    window_inputs,
)
from tupelo_training.facts.sentences import SentenceModel  # noqa: E402
from tupelo_training.facts.written import MARKS, START, WriterModel, _Stepper  # noqa: E402

DOCUMENT = Marked(
    (("Ann", "Lee", "was", "born", "in", "Oslo", "."), ("Oslo", "is", "in", "Norway", ",", "Lee", "says", ".")),
    ("PER", "LOC", "LOC"),
    (
        MarkedMention(0, 2, 0),
        MarkedMention(5, 6, 1),
        MarkedMention(7, 8, 1),
        MarkedMention(10, 11, 2),
        MarkedMention(12, 13, 0),
    ),
)


def batched(inputs):
    """The inputs of the graph as those of the network: one document, nothing padded."""
    order = ("types", "near", "often", "order")
    tensors = {name: torch.from_numpy(np.asarray(value)) for name, value in inputs.items()}
    mask = torch.ones(tensors["marks"].shape)
    rest = [tensors[name][None] for name in ("pool", "members", *order, "alike")]
    return tensors["vectors"], tensors["marks"], tensors["shapes"], mask, *rest


@pytest.mark.model
@pytest.mark.parametrize(("rounded", "tolerance"), [(False, 2e-4), (True, 0.25)])
def test_pairs(tmp_path, rounded, tolerance):
    network, files = tiny_pairs(rounded=rounded)
    model = PairModel(write(tmp_path, files))
    found = model.read(DOCUMENT)
    window = next(model._windows(DOCUMENT))
    words = [word for sentence in DOCUMENT.sentences for word in sentence]
    likenesses = alike([(words[one.start : one.end], DOCUMENT.types[one.entity]) for one in DOCUMENT.mentions])
    marks, inputs = window_inputs(window, [0, 1, 2], DOCUMENT.types)
    inputs |= {
        "marks": marks,
        "shapes": np.array([window.shapes], dtype=np.int64),
        "vectors": model.encoder.embed(np.array([window.subwords], dtype=np.int64)),
        "alike": likenesses,
    }
    with torch.no_grad():
        logits, related, tags, linked = network(*batched(inputs))
    states, _, ours = model._encode(window, np.zeros_like(marks))
    np.testing.assert_allclose(ours, tags[0].numpy(), atol=tolerance * 4)
    mentions = [(one.start, one.end, DOCUMENT.types[one.entity]) for one in DOCUMENT.mentions]
    compared = list(model._compared(window, states, mentions, range(5), words))
    expected = [(one, two, float(linked[0, one, two].sigmoid())) for one in range(5) for two in range(one)]
    assert [pair[:2] for pair in compared] == [pair[:2] for pair in expected]
    np.testing.assert_allclose([pair[2] for pair in compared], [pair[2] for pair in expected], atol=tolerance)
    assert np.std([pair[2] for pair in compared]) > 0.01
    expected = (logits[0, ..., 1:] - logits[0, ..., :1])[..., : len(model.relations)].numpy()
    apart = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(found.relations[apart], expected[apart], atol=tolerance)
    either = (related[0].numpy() + expected.max(axis=2)) / 2
    np.testing.assert_allclose(found.related[apart], either[apart], atol=tolerance)
    assert (found.relations[~apart] == NEVER).all()
    assert expected[apart].std() > 0.01  # a network that says the same of everything would pass too


def test_padding_changes_nothing():
    network, _ = tiny_pairs()
    generator = torch.Generator().manual_seed(3)
    width = network.sizes.width

    def inputs(pad):
        vectors = torch.randn(1, 9, width, generator=generator.manual_seed(3))
        marks = torch.tensor([[0, 1, 2, 0, 3, 0, 5, 6, 0]])
        pool = torch.zeros(1, 3, 9)
        pool[0, 0, 1:3] = 0.5
        pool[0, 1, 4] = 1
        pool[0, 2, 6:8] = 0.5
        members = torch.tensor([[[1, 0], [2, 3]]])
        types, often = torch.tensor([[1, 2]]), torch.tensor([[1, 2]])
        near, order = torch.zeros(1, 2, 2, dtype=torch.int64), torch.zeros(1, 2, 2, dtype=torch.int64)
        mask = torch.ones(1, 9)
        if pad:
            grow = torch.nn.functional.pad
            vectors, marks, mask = grow(vectors, (0, 0, 0, 4)), grow(marks, (0, 4)), grow(mask, (0, 4))
            pool, members = grow(pool, (0, 4, 0, 2)), grow(members, (0, 1, 0, 2))
            types, often = grow(types, (0, 2)), grow(often, (0, 2))
            near, order = grow(near, (0, 2, 0, 2), value=5), grow(order, (0, 2, 0, 2))
        alike_ = torch.ones(1, pool.shape[1], pool.shape[1], dtype=torch.int64)
        return vectors, marks, torch.zeros_like(marks), mask, pool, members, types, near, often, order, alike_

    with torch.no_grad():
        plain, padded = network(*inputs(False)), network(*inputs(True))
    for one, two in zip(plain, padded, strict=True):
        torch.testing.assert_close(one, two[:, : one.shape[1], : one.shape[2]], atol=1e-4, rtol=1e-4)


@pytest.mark.model
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(("rounded", "tolerance"), [(False, 1e-5), (True, 0.03)])
def test_sentence(tmp_path, own, rounded, tolerance):
    network, files = tiny_sentence(own=own, rounded=rounded)
    model = SentenceModel(write(tmp_path, files))
    texts = ["SUBJ{Ann} was born in OBJ{Oslo}.", "OBJ{Lee} met SUBJ{Ann} in the old town of Bergen."]
    found = model.probabilities(texts)
    for text, row in zip(texts, found, strict=True):
        ids = torch.tensor([model.cut(text)])
        given = ids if own else torch.from_numpy(model.encoder.embed(ids.numpy()))
        with torch.no_grad():
            expected = network(given, torch.ones(ids.shape)).sigmoid()[0].numpy()
        np.testing.assert_allclose(row, expected, atol=tolerance)


@pytest.mark.model
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(("rounded", "tolerance"), [(False, 1e-4), (True, 0.15)])
def test_writer_step_by_step(tmp_path, own, rounded, tolerance):
    """Every step with kept keys and values gives what the whole prefix gives at once."""
    network, files = tiny_writer(own=own, rounded=rounded)
    model = WriterModel(write(tmp_path, files))
    source = model.cut("Ann Lee lives in Oslo.", "Ann Lee")
    stepper = _Stepper(model, [source], 1)
    stepper._allowed[:] = True
    stepper._never[:] = False
    said = [model.vocabulary_size + START]
    ids = torch.tensor([source.subwords])
    given = ids if own else torch.from_numpy(model.encoder.embed(ids.numpy()))
    mask = torch.ones(ids.shape)
    follow = [MARKS + 7, 1, MARKS, 1, stepper._own - 1, 3]
    with torch.no_grad():
        memory = network.encode(given, mask)
        token = START
        for step in range(len(follow)):
            found = np.exp(stepper(np.array([0]), np.array([token])))[0]
            before = torch.tensor([said])
            looks = torch.from_numpy(model.encoder.embed(before.clamp(max=PIECES - 1).numpy()[0][:, None])[:, 0])[
                None
            ]
            written, copied, gate = network.decode(before, looks, memory, mask)
            # The mark at the start is never a target; its place stands for what cannot be written.
            for number, whole in list(enumerate(stepper.tokens[0]))[1:]:
                expected = network.log_probability(
                    torch.tensor([[whole]]), written[:, -1:], copied[:, -1:], gate[:, -1:], ids
                )
                assert abs(found[number] - expected.exp().item()) <= tolerance * max(expected.exp().item(), 1e-2)
            assert found.sum() == pytest.approx(1.0, abs=1e-3)
            token = follow[step]
            said.append(stepper.tokens[0][token])


def test_files_are_the_same_bytes_each_time():
    assert tiny_pairs()[1] == tiny_pairs()[1]
    assert tiny_writer()[1] == tiny_writer()[1]


def test_config_names_every_relation(tmp_path):
    config = json.loads((write(tmp_path, tiny_pairs()[1]) / "config.json").read_text("utf-8"))
    assert [one.get("property") for one in config["relations"]] == ["P19", "P131", None]
