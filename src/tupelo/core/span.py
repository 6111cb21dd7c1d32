"""A stretch of characters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open `[start, end)`, counted in Unicode code points from the start of the sentence."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span [{self.start}, {self.end}) is not 0 <= start <= end")

    def of(self, text: str) -> str:
        """The words that the span covers in `text`."""
        return text[self.start : self.end]
