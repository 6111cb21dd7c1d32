"""The network: the six layers of MiniLM read premise and hypothesis together; a head gives one number."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

WIDTH = 384


class Entailer(nn.Module):
    """Words and positions keep the vectors of the sentence encoder, which are shipped once for both."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        from transformers import BertModel

        self.encoder = BertModel.from_pretrained(folder, add_pooling_layer=False)
        for name, parameter in self.encoder.embeddings.named_parameters():
            parameter.requires_grad = name.startswith(("token_type", "LayerNorm"))
        self.dropout = nn.Dropout(0.1)
        self.hidden = nn.Linear(5 * WIDTH, 128)
        self.output = nn.Linear(128, 1)

    def forward(self, pieces: Tensor, sides: Tensor, mask: Tensor) -> Tensor:
        """One logit per pair. `sides` is 0 in the premise and 1 in the hypothesis."""
        states = self.encoder(input_ids=pieces, token_type_ids=sides, attention_mask=mask).last_hidden_state
        premise = _mean(states, mask * (1 - sides))
        hypothesis = _mean(states, mask * sides)
        joined = torch.cat(
            [states[:, 0], premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis], dim=-1
        )
        hidden = nn.functional.gelu(self.hidden(self.dropout(joined)))
        return self.output(self.dropout(hidden)).squeeze(-1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)
