"""Options of scoring that are no options of a scorer: how gold and predictions are read and matched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from tupelo.core.errors import OnError, require_choice
from tupelo.core.parameters import Skipping, Spelled

# Alignment of predictions with gold sentences: as the scorer does, or also where case, quotes or tokenization differ.
Align: TypeAlias = Literal["exact", "loose"]
Alignment = Annotated[
    Align, "loose: repair sentences and words that differ from gold in case, quotes or tokenization."
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """Options for reading and matching gold and predictions.

    `on_error="skip"` collects faulty lines in `.skipped` of the score instead of raising.
    """

    gold_format: Annotated[
        str | None, Spelled.of("FMT"), "Format of the gold file. [default: that of the scorer]"
    ] = None
    on_error: Skipping = "raise"
    align: Alignment = "exact"
    allow_unmatched: Annotated[bool, "Score even if no predicted sentence is a gold sentence."] = False

    def __post_init__(self) -> None:
        require_choice("on_error", self.on_error, get_args(OnError))
        require_choice("align", self.align, get_args(Align))
