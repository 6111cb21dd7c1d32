"""The paper's relation classifier: a Transformer over one sentence, and the largest value of every output.

The input has a pair marked as `SUBJ{…}` and `OBJ{…}`; every relation has a sigmoid of its own, and one output alone
makes the binary classifier (Goodrich et al. 2019, 4.1 and 4.3).
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from tupelo_training.facts.layers import HIDDEN, Layer, hiding, waves


@dataclass(frozen=True, slots=True)
class SentenceSizes:
    """Everything that fixes the shape of the network. `own_embeddings`: trained here instead of given."""

    relations: int
    pieces: int = 30_522
    width: int = 512
    inner: int = 2048
    attention_heads: int = 8
    layers: int = 6
    own_embeddings: bool = True


class SentenceReader(nn.Module):
    places: Tensor

    def __init__(self, sizes: SentenceSizes, dropout: float = 0.1) -> None:
        super().__init__()
        self.sizes = sizes
        self.words = nn.Embedding(sizes.pieces, sizes.width) if sizes.own_embeddings else None
        if self.words is not None:
            nn.init.normal_(self.words.weight, std=sizes.width**-0.5)
        self.layers = nn.ModuleList(
            Layer(sizes.width, sizes.inner, sizes.attention_heads, dropout) for _ in range(sizes.layers)
        )
        self.relations = nn.Linear(sizes.width, sizes.relations)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("places", waves(512, sizes.width), persistent=False)

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Scores [batch, relations]. `vectors` are the pieces themselves with own embeddings."""
        if self.words is not None:
            vectors = self.words(vectors) * self.sizes.width**0.5 + self.places[: vectors.shape[1]]
        x, bias = self.dropout(vectors), hiding(mask)
        for layer in self.layers:
            x, _ = layer(x, bias)
        best: Tensor = (self.relations(x) + ((1.0 - mask) * HIDDEN)[..., None]).amax(1)
        return best
