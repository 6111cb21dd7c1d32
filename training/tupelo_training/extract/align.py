"""Where the words of a plain-text tuple are in its sentence.

Gold standards and other systems give tuples as strings. Training needs a label per token, so every part is laid onto
the sentence: the longest common runs first, nearer runs before farther ones, each token for one part only. Words that
are not in the sentence are left over; those in front of the relation ("is", "has") are what a tuple implies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

OUTSIDE, RELATION, SUBJECT, OBJECT, FURTHER = range(5)
LABELS = ("outside", "relation", "subject", "object", "further")
# Words that stand in front of a relation, or are the whole of it, without being in the sentence.
LEADS = (
    "",
    "is",
    "was",
    "are",
    "were",
    "has",
    "had",
    "have",
    "will be",
    "is in",
    "are in",
    "was in",
    "were in",
    "is of",
    "are of",
    "exists",
    "be",
)
_UNIFIED = {
    "``": '"',
    "''": '"',
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "’": "'",
    "“": '"',
    "”": '"',
}


@dataclass(frozen=True, slots=True)
class Laid:
    """A tuple on its sentence: a label per token and the index of the implied words in `LEADS`."""

    labels: tuple[int, ...]
    lead: int
    missing: int

    def tokens(self, label: int) -> tuple[int, ...]:
        return tuple(index for index, own in enumerate(self.labels) if own == label)


def unified(word: str) -> str:
    word = word.lower()
    return _UNIFIED.get(word, word)


def lay(tokens: Sequence[str], relation: Sequence[str], arguments: Sequence[Sequence[str]]) -> Laid:
    """`relation` and `arguments` are lists of words, cut in the same way as `tokens`."""
    sentence = [unified(token) for token in tokens]
    labels = [OUTSIDE] * len(sentence)
    parts = [(RELATION, relation)]
    parts += [(SUBJECT if i == 0 else OBJECT if i == 1 else FURTHER, part) for i, part in enumerate(arguments)]
    left: dict[int, list[str]] = {}
    missing = 0
    # Arguments are usually whole stretches and pin the tuple down; the longest part has the least choice.
    centre: int | None = None
    for label, part in sorted(parts, key=lambda item: (item[0] == RELATION, -len(item[1]))):
        words = [unified(word) for word in part]
        rest = _place(sentence, labels, words, label, centre)
        if label == RELATION:
            left[RELATION] = rest
        else:
            missing += len(rest)
        placed = [index for index, own in enumerate(labels) if own != OUTSIDE]
        centre = sum(placed) // len(placed) if placed else None
    lead = lead_of(left[RELATION])
    return Laid(tuple(labels), lead, missing + (len(left[RELATION]) if not lead else 0))


def lead_of(words: Sequence[str]) -> int:
    """The known implied words that the given ones begin with, the longest; 0 when there are none."""
    for size in (2, 1):
        text = " ".join(words[:size])
        if len(words) >= size and text in LEADS:
            return LEADS.index(text)
    return 0


def _place(sentence: Sequence[str], labels: list[int], words: list[str], label: int, centre: int | None) -> list[str]:
    """Labels the runs of `words` that are found; gives back the words that are not."""
    pending = [(0, len(words))]
    lost: list[tuple[int, str]] = []
    while pending:
        first, last = pending.pop()
        run = _longest_run(sentence, labels, words, first, last, centre)
        if run is None:
            lost += [(index, words[index]) for index in range(first, last)]
            continue
        start, place, size = run
        for offset in range(size):
            labels[place + offset] = label
        if centre is None:
            centre = place
        if first < start:
            pending.append((first, start))
        if start + size < last:
            pending.append((start + size, last))
    return [word for _, word in sorted(lost)]


def _longest_run(
    sentence: Sequence[str], labels: Sequence[int], words: Sequence[str], first: int, last: int, centre: int | None
) -> tuple[int, int, int] | None:
    best: tuple[tuple[int, int], tuple[int, int, int]] | None = None
    for start in range(first, last):
        for place in range(len(sentence)):
            size = 0
            while (
                start + size < last
                and place + size < len(sentence)
                and labels[place + size] == OUTSIDE
                and sentence[place + size] == words[start + size]
            ):
                size += 1
            if size:
                distance = 0 if centre is None else abs(place - centre)
                rank = (size, -distance)
                if best is None or rank > best[0]:
                    best = (rank, (start, place, size))
    return None if best is None else best[1]
