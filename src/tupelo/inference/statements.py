"""Triples from statements in plain text ("X kills infection").

Arguments are the words at the ends that both statements share, in the same order or swapped, up to the first word
that is more likely part of a relation. Parts can also be separated by commas, as in Levy/Holt.

`known_reason` finds pairs that say the same of the same two things, without any model: the words of their relations
decide (`tupelo.relations.sameness`). Sentences count if they begin and end with the two things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair, is_whole
from tupelo.core.extraction import Triple
from tupelo.nlp.languages.en.grammar import DETERMINERS, FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE, MODALS, PREPOSITIONS
from tupelo.relations.phrases import WORD, base_form
from tupelo.relations.sameness import PRIORS, SURE, reason_same
from tupelo.relations.wordings import wording_of


def argument_words(text: str) -> frozenset[str]:
    """The words of an argument that identify it."""
    words = [base_form(word) for word in WORD.findall(text.lower())]
    return frozenset(word for word in words if word not in DETERMINERS) or frozenset(words)


def are_swapped(pair: EntailmentPair) -> bool:
    """Whether the hypothesis names the premise's arguments in the opposite order.

    Shared words decide; if an argument is a type on one side ("drug", "kanamycin"), the other argument does.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    straight = _alike(premise.subject, hypothesis.subject) + _alike(premise.object, hypothesis.object)
    crossed = _alike(premise.subject, hypothesis.object) + _alike(premise.object, hypothesis.subject)
    return crossed > straight


@lru_cache(maxsize=50_000)
def _alike(one: str, other: str) -> float:
    left, right = argument_words(one), argument_words(other)
    return len(left & right) / max(len(left | right), 1)


def with_arguments(pair: EntailmentPair) -> Triple:
    """The hypothesis with the premise's argument in place of a type or another name.

    In Levy/Holt's original form *drug kills infections* is paired with *kanamycin is useful in infections*. The
    shared argument identifies the other one; without a shared argument nothing is changed.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    wanted = (premise.object, premise.subject) if are_swapped(pair) else (premise.subject, premise.object)
    own = (hypothesis.subject, hypothesis.object)
    shared = [bool(argument_words(a) & argument_words(b)) for a, b in zip(own, wanted, strict=True)]
    if sum(shared) != 1:
        return hypothesis
    first, second = (a if same else b for a, b, same in zip(own, wanted, shared, strict=True))
    return Triple(first, hypothesis.relation, second)


def folded(phrase: str) -> str:
    """A phrase in lower case, with single spaces."""
    return " ".join(phrase.lower().split())


def as_text(triple: Triple) -> str:
    """A triple as a sentence."""
    return f"{triple.subject} {triple.relation} {triple.object}".strip()


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


# Log odds that this adds to an entailment: as much as to a merge.
KNOWN = PRIORS[SURE]
# Longer statements are not compared; time would grow faster than the number of words.
_MOST_WORDS = 20


def known_reason(pair: EntailmentPair) -> str | None:
    """Reason why the hypothesis must say the same as the premise; `None` if there is none.

    >>> known_reason(EntailmentPair(Triple("Ann", "later founded", "Acme"), Triple("Acme", "was founded by", "Ann")))
    'both are forms of one relation: found'
    """
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    if max(len(premise), len(hypothesis)) > _MOST_WORDS:
        return None
    if is_whole(pair.premise) or is_whole(pair.hypothesis):
        divided = by_shared_arguments(premise, hypothesis)
        return None if divided is None else known_reason(divided)
    one, other = (
        wording_of(said.subject, said.relation, said.object) for said in (pair.premise, with_arguments(pair))
    )
    return reason_same(one, other, are_swapped(pair))


def _words(statement: Triple) -> list[str]:
    text = f"{statement.subject} {statement.relation} {statement.object}"
    return text.rstrip(" .!?").split()
