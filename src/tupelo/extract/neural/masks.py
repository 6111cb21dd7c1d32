"""Sets of words as whole numbers, one bit a word: what two candidates share is one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tupelo.extract.rules import Candidate


@dataclass(frozen=True, slots=True)
class Masks:
    """The words of a candidate: of the subject, the relation, the first argument and all arguments.

    `relation` has a bit beyond the sentence for each implied word; `written` has not.
    """

    subject: int
    relation: int
    written: int
    first: int
    arguments: int

    @property
    def everything(self) -> int:
        return self.subject | self.written | self.arguments


def masks_of(found: Sequence[Candidate], size: int) -> list[Masks]:
    """In the order of the candidates of a sentence of `size` words."""
    implied: dict[str, int] = {}
    inside = (1 << size) - 1
    masks: list[Masks] = []
    for candidate in found:
        relation = _mask(candidate.relation, size, implied)
        parts = [_mask(part, size, implied) & inside for part in candidate.complements]
        arguments = 0
        for part in parts:
            arguments |= part
        subject = _mask(candidate.subject, size, implied) & inside
        masks.append(Masks(subject, relation, relation & inside, parts[0] if parts else 0, arguments))
    return masks


def _mask(pieces: Sequence[int | str], size: int, implied: dict[str, int]) -> int:
    mask = 0
    for piece in pieces:
        if isinstance(piece, str):
            piece = size + implied.setdefault(piece, len(implied))
        mask |= 1 << piece
    return mask


def tokens_of(mask: int) -> list[int]:
    """The words of a mask, in order."""
    tokens: list[int] = []
    while mask:
        low = mask & -mask
        tokens.append(low.bit_length() - 1)
        mask ^= low
    return tokens
