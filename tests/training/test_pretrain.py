"""Continued pre-training, for real, on a model of a few thousand weights."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.canon.mentions import HARBOUR, mention

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pretrain = pytest.importorskip("tupelo_training.canon.pretrain")

TEXT = "ann berg lives in oslo bergen works for the port of is located norway capital was born . , moved to"
WORDS = TEXT.split()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    folder: Path = tmp_path_factory.mktemp("vocabulary")
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (folder / "vocab.txt").write_text("\n".join([*marks, *WORDS]), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = transformers.BertConfig(
        vocab_size=len(marks) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    return transformers.BertForMaskedLM(config), tokenizer


def test_the_triple_objective_masks_one_whole_phrase(tiny: tuple[Any, Any]) -> None:
    _, tokenizer = tiny
    (example,) = pretrain.examples_of([HARBOUR[0]], tokenizer)
    random = torch.Generator().manual_seed(1)
    seen = Counter()
    for _ in range(300):
        ids, wanted = pretrain.mask_triple(example, tokenizer.mask_token_id, len(tokenizer), random)
        places = tuple(place for place, label in enumerate(wanted) if label != pretrain.IGNORED)
        assert all(ids[place] == tokenizer.mask_token_id for place in places)
        assert all(ids[place] == example.ids[place] for place in range(len(ids)) if place not in places)
        assert [wanted[place] for place in places] == [example.ids[place] for place in places]
        seen[places] += 1
    # Subject, relation and object, each about a third of the time.
    assert sorted(seen) == sorted(example.slots)
    assert min(seen.values()) > 70


def test_the_subword_objective_chooses_and_changes_as_often_as_it_should(tiny: tuple[Any, Any]) -> None:
    _, tokenizer = tiny
    example = pretrain.Example(tuple([5] * 4000), (), (True, *([False] * 3999)))
    ids, wanted = pretrain.mask_subwords(
        example, tokenizer.mask_token_id, len(tokenizer), torch.Generator().manual_seed(0)
    )
    chosen = [place for place, label in enumerate(wanted) if label != pretrain.IGNORED]
    assert 0 not in chosen
    assert 0.12 < len(chosen) / 4000 < 0.18
    masked = sum(ids[place] == tokenizer.mask_token_id for place in chosen) / len(chosen)
    assert 0.74 < masked < 0.87
    assert all(ids[place] == 5 for place in range(4000) if place not in set(chosen))


@pytest.mark.parametrize("objective", ["triple", "subword"])
def test_training_lowers_the_loss_and_repeats_itself(objective: str, tiny: tuple[Any, Any]) -> None:
    model, tokenizer = tiny
    examples = pretrain.examples_of(HARBOUR * 4, tokenizer)
    start = {name: value.clone() for name, value in model.state_dict().items()}
    kept: list[int] = []
    runs = []
    for _ in range(2):
        model.load_state_dict(start)
        runs.append(
            pretrain.pretrain(model, tokenizer, examples, objective, epochs=8, size=12, rate=2e-2, keep=kept.append)
        )
    model.load_state_dict(start)
    assert runs[0] == runs[1]
    assert runs[0][-1] < 0.9 * runs[0][0]
    assert kept == [*range(1, 9)] * 2


def test_sentences_without_places_are_left_out(tiny: tuple[Any, Any]) -> None:
    lost = mention(9, "ann", "left", "oslo", sentence="nobody knows")
    assert pretrain.examples_of([lost], tiny[1]) == []


def test_a_trained_model_can_be_used_as_an_encoder(tiny: tuple[Any, Any]) -> None:
    from tupelo_training.canon.checkpoint import TransformerEncoder
    from tupelo_training.canon.readings import phrase_states, reading

    model, tokenizer = tiny
    encoder = TransformerEncoder(model.bert.eval(), tokenizer)
    states = phrase_states(encoder, HARBOUR, reading("triple-sep", "diffsum"))
    assert states.shape == (len(HARBOUR), 3, 3, 32)


@pytest.mark.model
def test_the_shipped_encoder_becomes_the_same_model_with_a_head() -> None:
    pytest.importorskip("onnx")
    import numpy as np

    from tupelo.nlp.encoder import load_encoder

    model, tokenizer = pretrain.shipped_model()
    encoder, text = load_encoder(), "Marie Curie was born in Warsaw."
    inputs = tokenizer(text, return_tensors="pt")
    assert inputs["input_ids"][0].tolist() == list(encoder.cut(text).ids)
    with torch.no_grad():
        states = model.eval().bert(**inputs, output_hidden_states=True).hidden_states
    (expected,) = encoder.states([text])
    assert np.abs(torch.stack(states)[:, 0].numpy() - expected.vectors).max() < 1e-4


def test_the_command_writes_an_encoder(tiny: tuple[Any, Any], tmp_path: Path, capsys: Any) -> None:
    from tests.cli.runner import run
    from tupelo.api.canonical import CanonOptions, canonicalize
    from tupelo_training.calls import PretrainingOptions, pretrain_encoder

    pytest.importorskip("onnx")
    model, tokenizer = tiny
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "tiny")
    triples = tmp_path / "triples.tsv"
    rows = ([m.phrase(slot).text for slot in ("subject", "relation", "object")] + [m.sentence] for m in HARBOUR)
    triples.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    encoder = str(tmp_path / "tiny")
    options = PretrainingOptions(epochs=3, every=2, batch_size=4, rate=1e-2, device="cpu")
    made = pretrain_encoder([triples], tmp_path / "api", encoder=encoder, options=options)
    assert [Path(folder).name for folder in made.folders] == ["epoch-2", "epoch-3"]
    assert made.sentences == made.triples == len(HARBOUR)
    assert made.losses[-1] < made.losses[0]
    arguments = ["--encoder", encoder, "--epochs", 3, "--every", 2, "--batch", 4, "--rate", 1e-2, "--device", "cpu"]
    outcome = run(capsys, "pretrain", triples, "-o", tmp_path / "cli", *arguments, "--json")
    assert json.loads(outcome.out) == {
        **json.loads(json.dumps(made.to_dict())),
        "folders": [str(tmp_path / "cli" / name) for name in ("epoch-2", "epoch-3")],
    }
    found = canonicalize(triples, "encoder", tasks=["npc-e"], options=CanonOptions(encoder=made.folders[-1]))
    assert found.entities
    wrong = run(capsys, "pretrain", triples, "-o", tmp_path / "other", "--device", "cuda:7", "--encoder", tmp_path)
    assert wrong.status == 2
