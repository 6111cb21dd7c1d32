"""Passages: parts of documents of a size that a reader, or a language model, takes in at once.

A passage is a run of whole sentences. Paragraphs are kept whole where they fit: a passage takes in paragraph after
paragraph until the next one would make it longer than `SIZE` characters. Longer paragraphs are divided between
sentences in the same manner, and a sentence is never divided. A paragraph ends where at least two characters, such as
a blank line, are between two sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from tupelo.core.shipped import queries
from tupelo.names.forms import form_of
from tupelo.nlp.languages.en.grammar import FREQUENT_WORDS

if TYPE_CHECKING:
    import duckdb

_SQL = queries(__name__)
# Characters of a passage, about 270 words.
SIZE = 1_600
_BLANK_LINE = 2
# The words of a sentence. `{}` is a column or a bound value.
WORDS = r"regexp_extract_all(lower({}), '[\p{{L}}\p{{N}}]+')"
_IN_BRACKETS = re.compile(r"\([^()]*\)$")
_PART = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W_]")
# Words of the longest name that is looked for in a passage.
_LONGEST_NAME = 8


class Place(NamedTuple):
    """The place of a sentence: its position in its document, and its characters `[start, end)`."""

    position: int
    start: int
    end: int


def divide(sentences: Sequence[Place], size: int = SIZE) -> Iterator[Sequence[Place]]:
    """The sentences of one document, in order, as passages.

    >>> places = [Place(0, 0, 40), Place(1, 41, 80), Place(2, 82, 130), Place(3, 131, 190)]
    >>> [[place.position for place in passage] for passage in divide(places, 120)]
    [[0, 1], [2, 3]]
    """
    passage: list[Place] = []
    for paragraph in _paragraphs(sentences):
        if passage and paragraph[-1].end - passage[0].start > size:
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
    """A run of words that may be a name: the numbers of its first and last word, and its form."""

    first: int
    last: int
    form: str


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
                yield PossibleName(first, last, form)
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
# The rows that a change touched; a condition for each kind.
_TOUCHED = {
    "gone": "document_id IN (SELECT document_id FROM gone)",
    "documents": f"document_id IN {_NEW}",
    "entities": "node_id IN (SELECT node_id FROM touched_entity_id)",
}


def derive_passages(connection: duckdb.DuckDBPyConnection, *, touched: bool) -> None:
    """Recompute the passages and their tables, inside the transaction of the caller.

    With `touched`, only for documents in `gone`, sentences in `new_sentences` and entities in `touched_entity_id`.
    """
    where = _TOUCHED if touched else dict.fromkeys(_TOUCHED, "true")
    connection.execute(f"DELETE FROM passages WHERE {where['gone']}").fetchall()
    connection.execute(f"DELETE FROM passage_entities WHERE {where['entities']}").fetchall()
    for table in ("passage_words", "passage_names", "passage_forms", "passage_entities"):
        _delete_orphans(connection, table)
    _insert(connection, documents=where["documents"], entities=where["entities"])
    # Last, as a passage that is written anew keeps its vector.
    _delete_orphans(connection, "passage_vectors")


def _delete_orphans(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    connection.execute(f"DELETE FROM {table} WHERE passage_id NOT IN (SELECT passage_id FROM passages)").fetchall()


def _insert(connection: duckdb.DuckDBPyConnection, *, documents: str, entities: str) -> None:
    """Insert the passages of some documents with their words and names, and mentions of some entities everywhere."""
    import pyarrow as pa

    rows = connection.execute(_SQL["places"].format(documents=documents)).fetchall()
    kinds = {"document_id": pa.string(), "number": pa.int32(), "first_sentence": pa.int32()}
    connection.register("new_passages", pa.Table.from_pylist(list(_numbered(rows)), schema=pa.schema(kinds)))
    connection.execute(_SQL["describe"].format(documents=documents)).fetchall()
    connection.unregister("new_passages")
    words = WORDS.format("concat_ws(' ', any_value(title), string_agg(text, ' '))")
    connection.execute(_SQL["words"].format(words=words, documents=documents)).fetchall()
    connection.execute(_SQL["entities"].format(entities=entities)).fetchall()
    titled = connection.execute(
        "SELECT passage_id, title FROM passages JOIN documents USING (document_id) "
        f"WHERE title IS NOT NULL AND {documents} ORDER BY document_id, number"
    ).fetchall()
    names = ({"passage_id": key, "form": form} for key, title in titled for form in sorted(title_forms(title)))
    _append(connection, "INSERT INTO passage_names SELECT passage_id, form FROM new_rows", names)
    texts = connection.execute(_SQL["texts"].format(documents=documents)).fetchall()
    runs = (
        {"passage_id": key, "first_word": name.first, "last_word": name.last, "form": name.form}
        for key, text in texts
        for name in possible_names_in(text)
    )
    columns = "passage_id, first_word, last_word, form"
    _append(connection, f"INSERT INTO passage_forms SELECT {columns} FROM new_rows", runs)
    wordings = connection.execute(
        "SELECT DISTINCT text FROM aliases WHERE form IS NULL AND owner = 'entity'"
    ).fetchall()
    forms = ({"text": text, "form": name_form(text)} for (text,) in wordings)
    _append(
        connection,
        "UPDATE aliases SET form = new_rows.form FROM new_rows WHERE aliases.text = new_rows.text "
        "AND aliases.form IS NULL AND owner = 'entity'",
        forms,
    )


def _append(connection: duckdb.DuckDBPyConnection, statement: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Run a statement over `new_rows`, if there are any."""
    import pyarrow as pa

    if found := list(rows):
        connection.register("new_rows", pa.Table.from_pylist(found))
        connection.execute(statement).fetchall()
        connection.unregister("new_rows")


def _numbered(rows: Iterable[tuple[str, int, int, int]]) -> Iterator[dict[str, object]]:
    for document_id, sentences in groupby(rows, key=lambda row: row[0]):
        for number, passage in enumerate(divide([Place(*row[1:]) for row in sentences])):
            yield {"document_id": document_id, "number": number, "first_sentence": passage[0].position}
