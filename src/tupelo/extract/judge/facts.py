"""One fact, one tuple: which tuples only repeat a part of a fuller one."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Extraction

# A difference in confidence that matters.
_MUCH = 0.2


def repeated(extractions: Sequence[Extraction], sure: float) -> set[int]:
    """The places of tuples whose fact a fuller tuple of the same subject tells as well.

    The fuller one must be trusted: its confidence is at least `sure`, or not below that of the shorter one. Of tuples
    with the same words the one with the shortest relation counts, unless another is much more confident.
    """
    words = [_words(extraction) for extraction in extractions]
    subjects = [frozenset(extraction.arg1.tokens or ()) if extraction.arg1 else None for extraction in extractions]

    def tells(fuller: int, shorter: int) -> bool:
        full, short = extractions[fuller], extractions[shorter]
        if subjects[fuller] != subjects[shorter] or not words[shorter] <= words[fuller]:
            return False
        if full.minor or bool(full.negated) != bool(short.negated):
            return False
        if words[shorter] == words[fuller]:
            return _rank(full, fuller) > _rank(short, shorter)
        return full.counted_confidence >= min(sure, short.counted_confidence)

    places = range(len(extractions))
    return {place for place in places if any(tells(other, place) for other in places if other != place)}


def _words(extraction: Extraction) -> frozenset[int | str]:
    """The words of relation and arguments, implied ones as text."""
    found: set[int | str] = set()
    for part in (extraction.rel, *extraction.args):
        found.update(part.tokens or ())
        pieces = part.text.split()
        found.update(pieces[place].lower() for place in part.inferred if place < len(pieces))
    return frozenset(found)


def _rank(extraction: Extraction, place: int) -> tuple[float, int, int]:
    return (round(extraction.counted_confidence / _MUCH), -len(extraction.rel.text.split()), -place)
