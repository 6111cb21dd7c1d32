"""Passages: parts of documents of a size that a reader, or a language model, takes in at once.

A passage is a run of whole sentences. Paragraphs and tables are kept whole where they fit: a passage takes in
paragraph after paragraph until the next one would make it longer than `SIZE` characters, or until a heading, once it
has `LEAST`. Longer paragraphs are divided between sentences in the same manner, and a sentence is never divided. A
paragraph ends where at least two characters, such as a blank line, are between two sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from tupelo.core.blocks import BELOW
from tupelo.core.shipped import queries
from tupelo.graph.store.file import Store
from tupelo.names.forms import form_of
from tupelo.nlp.languages.en.grammar import FREQUENT_WORDS

_SQL = queries(__name__)
# Characters of a passage, about 270 words.
SIZE = 1_600
# From this length on, a heading ends a passage.
LEAST = 400
_BLANK_LINE = 2
_IN_BRACKETS = re.compile(r"\([^()]*\)$")
_PART = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W_]")
# Words of the longest name that is looked for in a passage.
_LONGEST_NAME = 8


class Place(NamedTuple):
    """The place of a sentence: its position in its document, its characters `[start, end)`, the headings above."""

    position: int
    start: int
    end: int
    heading: str | None = None


def divide(sentences: Sequence[Place], size: int = SIZE) -> Iterator[Sequence[Place]]:
    """The sentences of one document, in order, as passages.

    >>> places = [Place(0, 0, 40), Place(1, 41, 80), Place(2, 82, 130), Place(3, 131, 190)]
    >>> [[place.position for place in passage] for passage in divide(places, 120)]
    [[0, 1], [2, 3]]
    """
    passage: list[Place] = []
    for paragraph in _paragraphs(sentences):
        is_section = bool(passage) and paragraph[0].heading != passage[-1].heading
        least = LEAST if is_section else size
        if passage and (paragraph[-1].end - passage[0].start > size or passage[-1].end - passage[0].start > least):
            yield passage
            passage = []
        for sentence in paragraph:
            if passage and sentence.end - passage[0].start > size:
                yield passage
                passage = []
            passage.append(sentence)
    if passage:
        yield passage


def _paragraphs(sentences: Sequence[Place]) -> Iterator[Sequence[Place]]:
    start = 0
    for at in range(1, len(sentences)):
        if sentences[at].start - sentences[at - 1].end >= _BLANK_LINE:
            yield sentences[start:at]
            start = at
    if sentences:
        yield sentences[start:]


def name_form(name: str) -> str:
    """A name as it is compared with the names in a question.

    >>> name_form("The São Paulo Company"), name_form("US")
    ('sao paulo', 'us')
    """
    return form_of(name).key.casefold()


def title_forms(title: str) -> set[str]:
    """The names in a title: *Brand (play)* is also *Brand*.

    >>> sorted(title_forms("Brand (play)"))
    ['brand', 'brand play']
    """
    names = (title, _IN_BRACKETS.sub("", title.rstrip()))
    return {name_form(name) for name in names if name.strip()}


class PossibleName(NamedTuple):
    """A run of words that may be a name: its form, and the numbers of its first and last word."""

    form: str
    first: int
    last: int


def possible_names_in(text: str) -> Iterator[PossibleName]:
    """Runs of words that begin and end with a capital or a digit; what is between has one too, or is grammar.

    >>> [name.form for name in possible_names_in("He saw the Tower of London.")]
    ['he', 'tower', 'tower of london', 'london']
    """
    parts = list(_PART.finditer(text))
    marks = [_mark(part.group()) for part in parts]
    for first, mark in enumerate(marks):
        if mark != _NAME:
            continue
        for last in range(first, min(first + _LONGEST_NAME, len(parts))):
            if marks[last] == _NAME and (form := name_form(text[parts[first].start() : parts[last].end()])):
                yield PossibleName(form, first, last)
            if marks[last] == _OTHER:
                break


_NAME, _GRAMMAR, _OTHER = range(3)


def _mark(part: str) -> int:
    """Whether a word may begin or end a name, or be inside of one."""
    letter = _LETTER.search(part)
    if letter and (letter.group().isupper() or letter.group().isdigit()):
        return _NAME
    return _GRAMMAR if not letter or part.strip(".,").lower() in FREQUENT_WORDS else _OTHER


_NEW = "(SELECT document_id FROM sentences WHERE sentence_id IN (SELECT sentence_id FROM new_sentences))"


def derive_passages(store: Store, *, touched: bool) -> None:
    """Recompute the passages and their tables, inside the transaction of the caller.

    With `touched`, only for documents in `gone` and sentences in `new_sentences`.
    """
    gone = "document_id IN (SELECT document_id FROM gone)" if touched else "true"
    documents = f"document_id IN {_NEW}" if touched else "true"
    sql = {name: step.format(gone=gone, documents=documents) for name, step in _SQL.items()}
    store.run(sql["forget"])
    numbered = _numbered(store.rows_within(sql["places"]))
    with_rows(store, sql["describe"], ("document_id", "number", "first", "heading"), numbered)
    store.run(sql["words"])
    names = (
        (key, *name)
        for key, title, text in store.rows_within(sql["texts"])
        for name in (*((form, None, None) for form in sorted(title_forms(title or ""))), *possible_names_in(text))
    )
    columns = ("passage_id", "form", "first_word", "last_word")
    with_rows(store, "INSERT INTO passage_names BY NAME SELECT * FROM new_rows", columns, names)
    forms = ((text, name_form(text)) for (text,) in store.rows_within(sql["wordings"]))
    with_rows(store, sql["forms"], ("text", "form"), forms)
    # Last, as a passage that is written anew keeps its vector.
    store.run(sql["forget_vectors"])


def with_rows(store: Store, statement: str, columns: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    """Run a statement over `new_rows`, if there are any."""
    import pyarrow as pa

    if found := list(rows):
        store.run_over(pa.table([*map(pa.array, zip(*found, strict=True))], names=list(columns)), statement)


def _numbered(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, int, int, str | None]]:
    for document_id, sentences in groupby(rows, key=lambda row: row[0]):
        for number, passage in enumerate(divide([Place(*row[1:]) for row in sentences])):
            headings = zip(*((place.heading or "").split(BELOW) for place in passage), strict=False)
            shared = [level[0] for level in takewhile(lambda level: len({*level}) == 1, headings)]
            yield document_id, number, passage[0].position, BELOW.join(shared) or None
