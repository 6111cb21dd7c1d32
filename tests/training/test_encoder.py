"""The written graphs of an encoder give the numbers of the network they were made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = [pytest.mark.model, pytest.mark.torch]

torch = pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'tupelo[transformers]'")

from tupelo.nlp.encoder import load_encoder  # noqa: E402
from tupelo_training.encoder.export import write_encoder  # noqa: E402


@pytest.mark.parametrize(("quantise", "tolerance"), [(False, 1e-5), (True, 0.05)])
def test_states_are_those_of_the_network(tmp_path: Path, quantise: bool, tolerance: float) -> None:
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=30522,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    network = transformers.BertModel(config, add_pooling_layer=False).eval()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items() if tensor.dtype == torch.float32}
    write_encoder(tmp_path, weights, 4, name="tiny", quantise=quantise)
    encoder = load_encoder(tmp_path)
    texts = ["Rain fell.", "The quiet harbour froze over in 1941."]
    for text, states in zip(texts, encoder.states(texts), strict=True):
        ids = torch.tensor([encoder.cut(text).ids])
        with torch.no_grad():
            wanted = network(input_ids=ids, output_hidden_states=True).hidden_states
        assert np.allclose(states.vectors, torch.cat(wanted).numpy(), atol=tolerance)
