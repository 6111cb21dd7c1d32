"""`tupelo facts train` from examples to facts, at a size for trials."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from tupelo.core import InputError  # noqa: E402
from tupelo_training.calls import CHECKPOINT  # noqa: E402
from tupelo_training.commands import train  # noqa: E402
from tupelo_training.facts.sentences import SentenceModel  # noqa: E402
from tupelo_training.facts.written import WriterModel  # noqa: E402

PLACES = ["Oslo", "Bergen", "Rome", "Paris"]
PEOPLE = ["Ann", "Bob", "Eve", "Tom"]


def marked_lines():
    for person in PEOPLE:
        for place in PLACES:
            yield {"marked": f"SUBJ{{{person}}} was born in OBJ{{{place}}}.", "property": "P19"}
            yield {"marked": f"SUBJ{{{person}}} never saw OBJ{{{place}}}.", "property": None}
            yield {"marked": f"OBJ{{{place}}} is far from SUBJ{{{person}}}.", "property": None}


def text_lines():
    for person in PEOPLE:
        for place in PLACES:
            text = f"{person} was born in {place}."
            yield {"subject": person, "text": text, "facts": [[person, "P19", place]]}


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def run(*arguments):
    return CliRunner().invoke(train, list(map(str, arguments)), catch_exceptions=False)


def small(kind, steps, batch=16):
    return ("--model", kind, "--size", "tiny", "--steps", steps, "--batch", batch)


@pytest.mark.model
def test_a_classifier_learns_what_the_examples_say(tmp_path):
    examples = write_lines(tmp_path / "examples.jsonl", marked_lines())
    assert run(examples, *small("classifier", 60), "-o", tmp_path / "model").exit_code == 0
    model = SentenceModel(tmp_path / "model")
    assert [relation.wikidata for relation in model.relations] == ["P19"]
    born, saw = model.probabilities(["SUBJ{Ann} was born in OBJ{Rome}.", "SUBJ{Ann} never saw OBJ{Rome}."])[:, 0]
    assert born > 0.5 > saw


def test_the_binary_classifier_has_one_output(tmp_path):
    examples = write_lines(tmp_path / "examples.jsonl", marked_lines())
    assert run(examples, *small("binary", 2), "-o", tmp_path / "model").exit_code == 0
    assert [relation.name for relation in SentenceModel(tmp_path / "model").relations] == ["related"]


@pytest.mark.model
def test_a_writer_learns_to_write_and_to_copy(tmp_path):
    examples = write_lines(tmp_path / "examples.jsonl", text_lines())
    assert run(examples, *small("end-to-end", 160), "-o", tmp_path / "model", "--reduced").exit_code == 0
    model = WriterModel(tmp_path / "model")
    assert model.reduced is True
    (found,) = model.write(["Eve was born in Bergen."], ["Eve"])
    assert [(fact.subject, fact.relation.id, fact.object) for fact in found] == [("Eve", "P19", "Bergen")]
    assert found[0].object_span == (16, 22)


def test_an_interrupted_run_ends_with_the_same_bytes(tmp_path):
    examples = write_lines(tmp_path / "examples.jsonl", text_lines())
    run(examples, *small("end-to-end", 8), "-o", tmp_path / "whole")
    run(examples, *small("end-to-end", 5), "-o", tmp_path / "parts")
    run(examples, *small("end-to-end", 8), "-o", tmp_path / "parts")
    for name in ("encoder.onnx", "step.onnx", "config.json", CHECKPOINT):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


def test_a_checkpoint_of_other_examples_is_refused(tmp_path):
    first = write_lines(tmp_path / "first.jsonl", marked_lines())
    second = write_lines(tmp_path / "second.jsonl", list(marked_lines())[:9])
    run(first, *small("classifier", 1), "-o", tmp_path / "model")
    with pytest.raises(InputError, match="another run"):
        run(second, *small("classifier", 2), "-o", tmp_path / "model")
    (tmp_path / "model" / CHECKPOINT).write_bytes(b"broken")
    with pytest.raises(InputError, match="broken"):
        run(first, *small("classifier", 2), "-o", tmp_path / "model")


@pytest.mark.parametrize(
    ("kind", "line", "message"),
    [
        ("classifier", "[1]", "no marked sentence"),
        ("classifier", '{"marked": "SUBJ{Ann} sings.", "property": "P1"}', "without both marks"),
        ("classifier", '{"marked": "SUBJ{Ann} saw OBJ{Bob}.", "property": 7}', "property 7"),
        ("classifier", '{"marked": "SUBJ{Ann} saw OBJ{Bob}.", "property": null}', "no example has a property"),
        ("classifier", "not json", "not JSON"),
        ("end-to-end", '{"text": "x"}', "no text with its facts"),
        ("end-to-end", '{"text": "x", "facts": [["a", "b"]]}', "a fact that is no text"),
        ("end-to-end", '{"text": "x", "facts": []}', "no example has a fact"),
    ],
)
def test_bad_examples(tmp_path, kind, line, message):
    path = tmp_path / "examples.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(Exception, match=message):
        run(path, *small(kind, 1), "-o", tmp_path / "model")
    assert not (tmp_path / "model" / "config.json").exists()


@pytest.mark.model
def test_the_shipped_encoder_is_a_start(tmp_path):
    """The first layer of a network that starts from the encoder gives the encoder's first states."""
    from tupelo.nlp.encoder import load_encoder
    from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes
    from tupelo_training.facts.tasks import SHARED, start_from_encoder

    encoder = load_encoder()
    network = SentenceReader(SentenceSizes(1, **{**SHARED, "layers": 2})).eval()
    start_from_encoder(network, encoder.folder.read("layers.onnx"))
    (states,) = encoder.states(["Ann was born in Oslo."])
    with torch.no_grad():
        x, _ = network.layers[0](torch.from_numpy(states.vectors[0])[None], torch.zeros(1))
        torch.testing.assert_close(x[0], torch.from_numpy(states.vectors[1]), atol=1e-3, rtol=1e-3)
        x, _ = network.layers[1](x, torch.zeros(1))
        torch.testing.assert_close(x[0], torch.from_numpy(states.vectors[2]), atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("kind", ["classifier", "binary", "end-to-end"])
def test_the_papers_size_is_built_and_takes_a_step(tmp_path, kind):
    """Six layers of 512 with eight heads; the decoder has six as well, and Adafactor moves what can be learned."""
    from tupelo_training.facts.learn import TrainingSettings
    from tupelo_training.facts.learn import train as learn
    from tupelo_training.facts.tasks import make_task

    class Nowhere:
        def load(self):
            return None

        def save(self, parts):
            self.saved = sum(map(len, parts))

    lines = text_lines() if kind == "end-to-end" else marked_lines()
    task = make_task(kind, "paper", enumerate(lines, start=1), "examples", reduced=False, seed=1)
    layers = [name for name, _ in task.network.named_modules() if name.rpartition(".")[0] == "layers"]
    assert len(layers) == 6
    assert dict(task.network.named_parameters())["layers.0.up.weight"].shape == (2048, 512)
    before = {name: value.detach().clone() for name, value in task.network.named_parameters()}
    losses = []
    learn(task, TrainingSettings(1, 2), Nowhere(), {}, lambda done, loss: losses.append(loss))
    assert losses[-1] > 0
    moved = [name for name, value in task.network.named_parameters() if not torch.equal(value, before[name])]
    assert "layers.5.up.weight" in moved
    if kind == "end-to-end":
        assert sum(name.startswith("decoder") and name.endswith("up.weight") for name in moved) == 6
