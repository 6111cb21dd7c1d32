"""A generated text beside its source, with what people said about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JudgedText:
    """One text to be checked. `None` is what a dataset does not tell.

    `sentences` are those of the generated text where the dataset has split it. `score` is what people said, 1 being
    faithful to the source and 0 not at all; `label` is the same as a verdict. `error_types` are names of errors.
    """

    id: str
    generated: str
    source: str | None = None
    # The parts of the source, where it has several, and the question that the text answers.
    passages: tuple[str, ...] = ()
    question: str = ""
    sentences: tuple[str, ...] = ()
    score: float | None = None
    label: bool | None = None
    system: str | None = None
    error_types: tuple[str, ...] = ()
    # What each person said, for everything that was asked: a list of answers per sentence, or per text.
    answers: tuple[tuple[str, ...], ...] = ()
    # The part of the dataset, such as `valid`, where it has parts.
    split: str | None = None
