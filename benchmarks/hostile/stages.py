"""The stages that are measured: functions from a text, opened once with the models that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import cast

import tupelo
from tupelo.annotate.tasks.judging import split_sentences as task_sentences
from tupelo.annotate.tasks.words import words_of as task_words
from tupelo.core import Argument, Passage, Span, TupeloError
from tupelo.extract.llm.answers import read_answer
from tupelo.graph.store.values import days_of
from tupelo.io.documents import READERS, Reading
from tupelo.io.documents.html import visible_text
from tupelo.io.documents.wiki import plain_text
from tupelo.io.files import split_lines
from tupelo.io.formats import FORMATS, BinaryFormat, TextFormat
from tupelo.io.lines import Lines
from tupelo.names.forms import form_of
from tupelo.nlp.folder import find_model
from tupelo.nlp.model import Model
from tupelo.nlp.pipeline import SHIPPED
from tupelo.nlp.prepare import cut_passages, given_tokens, paragraphs, split_sentences, whole_sentence
from tupelo.nlp.tokens import tokenize
from tupelo.nlp.values import values_in, words_of
from tupelo.relations.phrases import read_phrase
from tupelo.show.highlight import sentence_html, tuple_html

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


def _document(kind: str, before: str = "") -> Run:
    reader = READERS.get(kind)
    return lambda text: _refused(lambda: reader(BytesIO((before + text).encode()), "text", Reading()))


def _format(name: str) -> Run:
    chosen = cast(TextFormat, FORMATS.get(name))
    return lambda text: _refused(lambda: chosen.read(Lines(split_lines(text), "text", lambda error: None)))


def _refused(read: Callable[[], Iterable[object]]) -> int | None:
    """How many items there are, or nothing where the reader refuses the text."""
    try:
        return sum(1 for _ in read())
    except TupeloError:
        return None


def _rules() -> Run:
    toolkit = tupelo.load(extractor="rules", threads=1)
    return lambda text: list(toolkit.extract_sentences(text))


def _page() -> Run:
    def run(text: str) -> object:
        whole = Argument(text, spans=(Span(0, len(text)),))
        return sentence_html(text, [("rel", whole)]), tuple_html([("rel", whole)])

    return run


STAGES: dict[str, Stage] = {
    "paragraphs": Stage(lambda: lambda text: list(paragraphs(text))),
    "words": Stage(lambda: tokenize),
    "sentences": Stage(_split),
    "given-words": Stage(lambda: lambda text: given_tokens(Passage(text, 0))),
    "subwords": Stage(_segments),
    "html": Stage(lambda: visible_text),
    "markdown": Stage(lambda: _document("markdown")),
    "wikitext": Stage(lambda: plain_text),
    "xml": Stage(lambda: _document("mediawiki", "<mediawiki>")),
    "json lines": Stage(lambda: _document("jsonl")),
    **{
        f"format {name}": Stage(partial(_format, name), 256_000)
        for name in FORMATS
        if not isinstance(FORMATS.get(name), BinaryFormat)
    },
    "rules": Stage(_rules, largest=32_000),
    "values": Stage(lambda: lambda text: values_in(words_of(text))),
    "answer": Stage(lambda: lambda text: _answered(text)),
    "name-form": Stage(lambda: form_of),
    "time": Stage(lambda: days_of),
    "phrase": Stage(lambda: read_phrase),
    "page": Stage(_page),
    "table-words": Stage(lambda: task_words),
    "task-sentences": Stage(lambda: task_sentences),
}


def _answered(text: str) -> object:
    try:
        return read_answer(text, text)
    except TupeloError as error:
        return error
