"""Character vectors + HAC: no model, no training, quick enough for millions of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.embed.vocabulary import read_vocabulary
from tupelo.canon.methods.trained import Embedded
from tupelo.canon.ngrams import ngram_vectors
from tupelo.canon.resources import Resources
from tupelo.core.canonical import TripleMention
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class CharacterVectors:
    """`size` is that of the vectors; more is exacter and slower. `approximate` is for more than 100,000 forms."""

    size: int = 128
    approximate: bool = False

    name: ClassVar[str] = "ngrams"
    needs: ClassVar[frozenset[str]] = frozenset()

    def prepare(
        self,
        mentions: Sequence[TripleMention],
        resources: Resources,
        *,
        seed: int = 0,
        advance: Advance = lambda steps: None,
    ) -> Embedded:
        vocabulary = read_vocabulary(mentions)
        entities, relations = (
            ngram_vectors(forms, self.size, seed=seed, advance=advance)
            for forms in (vocabulary.entities, vocabulary.relations)
        )
        return Embedded(vocabulary, entities, relations, self.approximate)
