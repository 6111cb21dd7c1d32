"""Text to sentences of words, before any model sees them."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from tupelo.core import InputError, Passage
from tupelo.nlp.split import Splitter, paragraphs
from tupelo.nlp.tokens import Token, tokenize

Item = TypeVar("Item")
Result = TypeVar("Result")

# A paragraph longer than this is cut where a sentence seems to end, or at least a word, so that a text
# without any line break needs no more memory than another.
_LONGEST_PARAGRAPH = 20_000
_LIKELY_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[^\sa-z])")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sentence whose words are known: `spans` count from the start of the document."""

    text: str
    start: int
    forms: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    contractions: tuple[tuple[int, int], ...]
    document_id: str | None


def cut_passages(document: Passage) -> Iterator[Passage]:
    """A document as passages of bounded size."""
    text, start, document_id = document.text, document.start, document.document_id
    for begin, end in paragraphs(text):
        while end - begin > _LONGEST_PARAGRAPH:
            cut = _last_likely_end(text, begin, begin + _LONGEST_PARAGRAPH)
            yield Passage(text[begin:cut], start + begin, document_id)
            begin = cut
        yield Passage(text[begin:end], start + begin, document_id)


def _last_likely_end(text: str, begin: int, end: int) -> int:
    last = None
    for match in _LIKELY_END.finditer(text, begin + (end - begin) // 2, end):
        last = match.end()
    if last is None:
        for match in re.finditer(r"\s+", text[begin:end]):
            last = begin + match.end()
    return last or end


def split_sentences(passage: Passage, splitter: Splitter) -> Iterator[Prepared]:
    """The sentences of a passage of plain text."""
    text = passage.text
    tokens = tokenize(text)
    for first, last in splitter.split(text, tokens):
        begin, end = tokens[first][0], tokens[last - 1][1]
        yield _prepared(text[begin:end], passage.start + begin, tokens[first:last], -begin, passage.document_id)


def whole_sentence(passage: Passage) -> Prepared:
    """A passage that is one sentence, to be cut into words."""
    return _prepared(passage.text, passage.start, tokenize(passage.text), 0, passage.document_id)


def _prepared(text: str, start: int, tokens: Iterable[Token], shift: int, document_id: str | None) -> Prepared:
    forms: list[str] = []
    spans: list[tuple[int, int]] = []
    contractions: list[tuple[int, int]] = []
    for index, (begin, end, joined) in enumerate(tokens):
        begin, end = begin + shift, end + shift
        forms.append(text[begin:end])
        spans.append((start + begin, start + end))
        if joined and index:
            if contractions and contractions[-1][1] == index:
                contractions[-1] = (contractions[-1][0], index + 1)
            else:
                contractions.append((index - 1, index + 1))
    return Prepared(text, start, tuple(forms), tuple(spans), tuple(contractions), document_id)


def given_tokens(passage: Passage) -> Prepared:
    """A sentence whose words are separated by single spaces; they are kept exactly."""
    forms: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for form in passage.text.split(" "):
        if form:
            forms.append(form)
            spans.append((passage.start + position, passage.start + position + len(form)))
        position += len(form) + 1
    return Prepared(passage.text, passage.start, tuple(forms), tuple(spans), (), passage.document_id)


def documents(text: str | Iterable[str | Passage], *, whole: bool) -> Iterator[Passage]:
    """What was given to `Parser.analyze`, as documents; as sentences when each line or item is a whole one."""
    if isinstance(text, str):
        position = 0
        for part in text.split("\n") if whole and text else [text]:
            yield Passage(part, position)
            position += len(part) + 1
        return
    for number, document in enumerate(text, start=1):
        if isinstance(document, Passage):
            yield document
        elif isinstance(document, str):
            yield Passage(document, 0, None if whole else str(number))
        else:
            raise InputError(f"item {number} is {type(document).__name__}, expected a string")


def per_document(
    texts: Iterable[Any],
    as_tuples: bool,
    run: Callable[[Iterator[Passage]], Iterable[Item]],
    document_of: Callable[[Item], str | None],
    collect: Callable[[list[Item]], Result],
) -> Iterator[Any]:
    """Results of single texts from one stream over all of them; the number of a text becomes its document id.

    With `as_tuples` the items are texts with a context, and so are the results.
    """
    contexts: deque[Any] = deque()

    def passages() -> Iterator[Passage]:
        for number, item in enumerate(texts, start=1):
            text, context = item if as_tuples else (item, None)
            contexts.append(context)
            yield Passage(text, 0, str(number))

    def finished(found: list[Item]) -> Any:
        context = contexts.popleft()
        return (collect(found), context) if as_tuples else collect(found)

    current, pending = 1, list[Item]()
    for item in run(passages()):
        for _ in range(current, int(document_of(item) or current)):
            yield finished(pending)
            current, pending = current + 1, []
        pending.append(item)
    while contexts:
        yield finished(pending)
        pending = []
