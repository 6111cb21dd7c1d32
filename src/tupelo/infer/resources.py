"""What entailment methods may use beside the pairs. `cli` reads the files; a method only looks things up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tupelo.core import InputError
from tupelo.core.vectors import Vectors

if TYPE_CHECKING:
    from tupelo.infer.distribution import Distribution
    from tupelo.nlp.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Resources:
    """What is `None` was not given. `encoder` makes the sentence encoder when it is first needed."""

    vectors: Vectors | None = None
    distribution: Distribution | None = None
    encoder: Callable[[], Encoder] | None = None

    def need_vectors(self, method: str) -> Vectors:
        if self.vectors is None:
            raise InputError(
                f"method '{method}' needs vectors of relations: give --vectors (tupelo embed makes them)"
            )
        return self.vectors

    def need_distribution(self, method: str) -> Distribution:
        if self.distribution is None:
            raise InputError(f"method '{method}' needs assertions to count in: give --assertions")
        return self.distribution

    def open_encoder(self) -> Encoder:
        """The encoder that was given, the shipped one otherwise."""
        if self.encoder is not None:
            return self.encoder()
        from tupelo.nlp.encoder import load_encoder

        return load_encoder()
