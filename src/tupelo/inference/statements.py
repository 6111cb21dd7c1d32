"""Triples from statements in plain text ("X kills infection").

Arguments are the words at the ends that both statements share, in the same order or swapped, up to the first word
that is more likely part of a relation. Parts can also be separated by commas, as in Levy/Holt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.nlp.languages.en.grammar import DETERMINERS, FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE, MODALS, PREPOSITIONS

# Words that are rarely in an argument: "used in Y" is none, "the king of Spain" is.
_OF_RELATIONS = (PREPOSITIONS | FORMS_OF_BE | FORMS_OF_HAVE | FORMS_OF_DO | MODALS) - {"of"}

Words: TypeAlias = tuple[str, ...]
Division: TypeAlias = tuple[Sequence[str], Sequence[str], Sequence[str]]


def read_statements(premise: str, hypothesis: str) -> EntailmentPair:
    """Both statements as triples.

    >>> pair = read_statements("A dramatist wrote Hamlet", "Hamlet was written by a dramatist")
    >>> pair.premise.relation, pair.hypothesis.relation
    ('wrote', 'was written by')
    """
    divided = [divide(text) for text in (premise, hypothesis)]
    if divided[0] is not None and divided[1] is not None:
        return EntailmentPair(divided[0], divided[1])
    if divided[0] is None and divided[1] is None:
        found = by_shared_arguments(premise.split(), hypothesis.split())
        if found is not None:
            return found
    raise InputError(
        f"cannot tell the arguments of '{premise}' and '{hypothesis}', expected statements about the same two "
        "things, or parts separated by commas: 'aspirin, relieves, pain'"
    )


def divide(text: str) -> Triple | None:
    """A statement whose three parts are separated by commas; `None` for any other."""
    parts = [part.strip() for part in text.split(",")]
    return Triple(*parts) if len(parts) == 3 and all(parts) else None


def by_shared_arguments(premise: Sequence[str], hypothesis: Sequence[str]) -> EntailmentPair | None:
    """The split of two statements with the longest shared arguments."""
    divided: dict[tuple[Words, Words], Division] = {}
    for other in _divisions(hypothesis):
        divided.setdefault((_plain(other[0]), _plain(other[2])), other)
    best: tuple[int, EntailmentPair] | None = None
    for one in _divisions(premise):
        ends = _plain(one[0]), _plain(one[2])
        shared = len(ends[0]) + len(ends[1])
        if all(map(_is_argument, ends)) and (best is None or shared > best[0]):
            found = divided.get(ends) or divided.get((ends[1], ends[0]))
            if found is not None:
                best = shared, EntailmentPair(Triple(*map(" ".join, one)), Triple(*map(" ".join, found)))
    return None if best is None else best[1]


def _divisions(words: Sequence[str]) -> Iterator[Division]:
    for start in range(1, len(words) - 1):
        for end in range(start + 1, len(words)):
            yield words[:start], words[start:end], words[end:]


def _is_argument(words: Sequence[str]) -> bool:
    return bool(words) and "of" not in (words[0], words[-1]) and not _OF_RELATIONS.intersection(words)


def _plain(words: Sequence[str]) -> Words:
    """An argument without article and case."""
    lower = [word.lower() for word in words]
    return tuple(lower[1:] if len(lower) > 1 and lower[0] in DETERMINERS else lower)
