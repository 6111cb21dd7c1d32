"""The prompt of the ROBUST paper (Qi et al. 2023, "Preserving Knowledge Invariance", Figure 8).

The wording is that of the figure, its slips included, because figures made
with another wording could not be compared. The figure shows one demonstration;
with several, the sentence that introduces it is repeated. With none, the form
of a tuple is written out, since there is no example to follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TASK = (
    "Open information extraction requires the extraction of all relations in the sentence, i.e., predicates, the "
    "subjects and objects corresponding to these relations, and the possible time and place thesis elements."
)
_EXAMPLE = (
    "For example, in the sentence: {sentence}\n\nFrom this sentence, the following tuple can be extracted: {tuples}"
)
_FORM = (
    "In these tuples, we always put the predicate first, the second is the subject corresponding to the predicate, "
    "the third is the object corresponding to the predicate (if there is none, it is not labeled), and the last two "
    "are time and place in that order, which can be omitted if there is none."
)
_FORM_ALONE = (
    "Each tuple is written as (predicate, subject, object, time, place), and tuples are separated by semicolons."
)
_ASK = "Please follow the example above and extract all the relational tuples in the following sentence: {sentence}"
_ASK_ALONE = "Please extract all the relational tuples in the following sentence: {sentence}"
_END = "Please show the results in one line strictly in the form of the results above"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A sentence and its tuples, each as predicate, subject and further arguments."""

    sentence: str
    tuples: tuple[tuple[str, ...], ...]


# The demonstration of the figure, "Wastson" and all.
FIGURE_8 = Demonstration(
    "Watson, who was elected by his caucus in November 1998, has served as Minority Leader since then.",
    (
        ("was elected by", "Wastson", "his caucus in November 1998"),
        ("has served as", "Wastson", "Minority Leader", "since then"),
    ),
)


def build_prompt(sentence: str, demonstrations: Sequence[Demonstration]) -> str:
    """The question about one sentence."""
    sentence = " ".join(sentence.split())
    if not demonstrations:
        return "\n\n".join([_TASK, f"{_FORM_ALONE} {_FORM}", _ASK_ALONE.format(sentence=sentence), _END])
    examples = [_EXAMPLE.format(sentence=item.sentence, tuples=_written(item)) for item in demonstrations]
    first, *others = examples
    return "\n\n".join([f"{_TASK} {first}", *others, _FORM, _ASK.format(sentence=sentence), _END])


def _written(demonstration: Demonstration) -> str:
    return "; ".join(f"({', '.join(parts)})" for parts in demonstration.tuples)
