"""The stages that are measured: functions from a text, opened once with the models that they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tupelo.core import Passage
from tupelo.nlp.folder import find_model
from tupelo.nlp.model import Model
from tupelo.nlp.pipeline import SHIPPED
from tupelo.nlp.prepare import cut_passages, given_tokens, paragraphs, split_sentences, whole_sentence
from tupelo.nlp.tokens import tokenize

Run = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Stage:
    """`largest`: characters of the largest text that is worth the time."""

    open: Callable[[], Run]
    largest: int = 1_000_000


def _split() -> Run:
    splitter = Model(find_model(SHIPPED)).splitter
    return lambda text: [
        sentence for passage in cut_passages(Passage(text, 0)) for sentence in split_sentences(passage, splitter)
    ]


def _segments() -> Run:
    model = Model(find_model(SHIPPED))
    return lambda text: list(model.cut(0, whole_sentence(Passage(text, 0))))


STAGES: dict[str, Stage] = {
    "paragraphs": Stage(lambda: lambda text: list(paragraphs(text))),
    "tokens": Stage(lambda: tokenize),
    "sentences": Stage(_split),
    "given tokens": Stage(lambda: lambda text: given_tokens(Passage(text, 0))),
    "subwords": Stage(_segments),
}
