"""What a person decided about pairs of phrases; canonicalization respects it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Correction:
    """`together`: the two phrases mean the same; otherwise they do not.

    A phrase stands for all its occurrences. `phrase|id` stands for its
    occurrence in the triple with that id alone, for phrases with several meanings.
    """

    together: bool
    kind: Literal["entity", "relation", "type"]
    left: str
    right: str
