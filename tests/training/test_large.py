"""The teachers' larger encoder computes what MPNet computes, also after its weights have travelled as bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'tupelo[transformers]'")

from tupelo_training.encoder import large  # noqa: E402
from tupelo_training.layers import distance_buckets  # noqa: E402
from tupelo_training.parser.model import Encoder, Sizes  # noqa: E402

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "[UNK]", *(f"p{number}" for number in range(54))]
OURS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"p{number}" for number in reversed(range(54)))]
SHAPE = {"width": 48, "inner": 64, "layers": 2, "attention_heads": 4, "distances": 32}


@pytest.fixture(scope="module")
def published() -> Any:
    torch.manual_seed(4)
    config = transformers.MPNetConfig(
        vocab_size=len(PIECES),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=large.POSITIONS + 2,
        layer_norm_eps=1e-12,
    )
    model = transformers.MPNetModel(config, add_pooling_layer=False).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def test_buckets_of_distances_are_mpnets() -> None:
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    places = torch.arange(300)
    theirs = MPNetEncoder.relative_position_bucket(places[None, :] - places[:, None], num_buckets=32)
    assert torch.equal(distance_buckets(places, 32), theirs)


def test_the_encoder_gives_mpnets_vectors(published: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "SHAPE", SHAPE)
    weights = {name: value.numpy() for name, value in published.state_dict().items()}
    arrays = large.our_names(weights, PIECES, OURS)
    sizes = Sizes(upos=1, xpos=1, feats=1, deprel=1, entity=1, constituent=1, shapes=3, vocabulary=len(OURS), **SHAPE)
    encoder = Encoder(sizes, 0.0).eval()
    with torch.no_grad():
        encoder.shapes.weight.zero_()
        own = dict(encoder.named_parameters())
        for name, value in arrays.items():
            own[name].copy_(torch.from_numpy(value))
        encoder.mix.copy_(torch.tensor([-1e4, -1e4, 0.0]))  # the last layer alone
        ours = torch.tensor([[2, *range(5, 40), 3]])
        theirs = torch.tensor([[PIECES.index(large.SPECIAL.get(OURS[piece], OURS[piece])) for piece in ours[0]]])
        places = torch.arange(ours.shape[1])[None]
        mask = torch.ones(ours.shape)
        found = encoder(ours, torch.zeros_like(ours), mask, places, places)
        truth = published(input_ids=theirs, attention_mask=mask).last_hidden_state
    np.testing.assert_allclose(found, truth, atol=1e-4)

    monkeypatch.setattr(large, "LARGEST", 8000)
    large.write(arrays, tmp_path)
    assert len(list(tmp_path.glob("large-*.npz"))) > 1
    again = Encoder(sizes, 0.0)
    large.load_large(again, tmp_path)
    for name, value in arrays.items():
        step = np.abs(value).max() / 127
        np.testing.assert_allclose(dict(again.named_parameters())[name].detach(), value, atol=max(step, 1e-3))
