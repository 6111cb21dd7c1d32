"""Read files into rows and items: plain lines, JSON lines, every tuple format, and collections of judged texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from typing import Any

from tupelo.annotate.tasks import AnnotationTask, AnswerError, Item, ItemRow
from tupelo.annotate.tasks.base import MOST_CONTEXT
from tupelo.core import Extraction, InputError, Record, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.core.schemas import record_to_row
from tupelo.io.files import InputFile
from tupelo.io.formats import FORMATS, BinaryFormat
from tupelo.io.json_items import line_items
from tupelo.io.judgements import FORMATS as JUDGED_FORMATS
from tupelo.io.judgements import read_judgements
from tupelo.io.tuples import AUTO, stream_records

LINES, ROWS = "lines", "rows"
# Tasks that read rows from tuple files too.
_OF_TUPLES = ("sentences", "extractions", "cliques", "paraphrases")


def formats_of(reads: str) -> list[str]:
    """The names of the formats that a task can read, besides `auto`."""
    if reads in _OF_TUPLES:
        return [*([LINES] if reads == "sentences" else []), ROWS, *FORMATS]
    return [ROWS, *(name for name in JUDGED_FORMATS if name != "pairs")] if reads == "pairs" else [ROWS]


def read_rows(reads: str, name: str, format_name: str = AUTO) -> list[ItemRow]:
    """The rows of a file on disk."""
    if reads == "pairs" and format_name in JUDGED_FORMATS and format_name != "pairs":
        texts, _ = read_judgements(name, format_name)
        return [
            {"id": text.id, "source": text.source, "generated": text.generated, "system": text.system}
            for text in texts
            if text.source is not None and text.generated
        ]
    with InputFile(name) as file:
        return rows_of_file(reads, file, format_name)


def rows_of_file(reads: str, file: InputFile, format_name: str = AUTO, *, only_text: bool = False) -> list[ItemRow]:
    """The rows of an open file; `only_text` rejects binary formats, which are unpacked on reading."""
    if format_name == AUTO:
        format_name = _guess(reads, file)
    if format_name not in formats_of(reads) and format_name != AUTO:
        raise InputError(f"{file.name}: format '{format_name}', expected one of {', '.join(formats_of(reads))}")
    if format_name == ROWS:
        return list(_json_rows(file))
    if format_name == LINES:
        return [
            {"id": f"{PurePath(file.name).stem}-{number}", "text": line.strip()}
            for number, line in file.lines()
            if line.strip()
        ]
    stream = stream_records(file, format_name)
    if only_text and isinstance(stream.format, BinaryFormat):
        raise InputError(f"{file.name}: {stream.format.name} is no text, expected lines")
    if reads == "cliques":
        return [
            {
                "sentences": [sentence.text for sentence in clique.sentences],
                **({"id": clique.id} if len(clique.id) <= 100 else {}),
                "tuples": [list(map(_plain, found)) for found in clique.extractions],
            }
            for clique in gather_cliques(stream.records)
        ]
    if reads == "paraphrases":
        return [
            {"original": clique.sentences[0].text, "paraphrase": other.text}
            for clique in gather_cliques(stream.records)
            for other in clique.sentences[1:]
        ]
    return list(_tuple_rows(stream.records) if reads == "extractions" else _sentence_rows(stream.records))


def _guess(reads: str, file: InputFile) -> str:
    head = file.peek().decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if reads not in _OF_TUPLES:
        return ROWS
    first = head.partition("\n")[0]
    if head.startswith("{") and any(f'"{name}"' in first for name in ("text", "sentences", "paraphrase")):
        # Tupelo's own tuples are JSON lines too, with the text inside a sentence.
        return "jsonl" if '"sentence":{' in first.replace(" ", "") else ROWS
    if (
        reads == "sentences"
        and (file.name.endswith(".txt") or "\t" not in head)
        and not head.startswith(("{", "[", "PAR1"))
    ):
        return LINES
    return AUTO


def _json_rows(file: InputFile) -> Iterator[ItemRow]:
    for number, row in line_items(file.lines()):
        if not isinstance(row, dict):
            raise InputError(f"{file.name}:{number}: a JSON {type(row).__name__}, expected one object a line")
        yield row


def _sentence_rows(records: Iterable[Record]) -> Iterator[ItemRow]:
    """One row per sentence, with all its tuples."""
    found: dict[tuple[str | None, str], dict[str, Any]] = {}
    for record in records:
        sentence = record.sentence
        row = found.setdefault((sentence.id, sentence.text), {"text": sentence.text, "tuples": []})
        named = {"id": sentence.id, "document_id": sentence.document_id}
        row |= {name: value for name, value in named.items() if value is not None}
        if isinstance(record, Extraction):
            row["tuples"].append(_plain(record))
    yield from found.values()


def _tuple_rows(records: Iterable[Record]) -> Iterator[ItemRow]:
    """One row per tuple with the sentences around it; a tuple without arguments states nothing and is left out."""
    for document, group in groupby(records, key=lambda record: record.sentence.document_id):
        found: list[tuple[Sentence, list[Extraction]]] = []
        for record in group:
            if not found or found[-1][0] != record.sentence:
                found.append((record.sentence, []))
            if isinstance(record, Extraction) and record.arguments:
                found[-1][1].append(record)
        texts = [sentence.text for sentence, _ in found]
        for number, (sentence, extractions) in enumerate(found):
            before = texts[max(0, number - MOST_CONTEXT) : number]
            after = texts[number + 1 : number + 1 + MOST_CONTEXT]
            place = {"document": document, "sentence": number, "before": before, "after": after}
            for proposal in _proposals(extractions):
                yield {"text": sentence.text, **proposal, **place}


def _proposals(extractions: Iterable[Extraction]) -> Iterable[dict[str, Any]]:
    """The different tuples of a sentence, each with its record and the extractors that made it."""
    found: dict[str, dict[str, Any]] = {}
    for made in extractions:
        subject, *others = (part.text for part in made.arguments)
        shown = {"tuple": [subject, made.rel.text, *others], "marks": made.reservations()}
        record = {name: value for name, value in record_to_row(made).items() if name != "sentence"}
        row = found.setdefault(repr(shown), {**shown, "extraction": record, "extractors": []})
        if made.extractor is not None and made.extractor not in row["extractors"]:
            row["extractors"].append(made.extractor)
    return found.values()


def _plain(extraction: Extraction) -> dict[str, Any]:
    return {"rel": extraction.rel.text, "args": [part.text for part in extraction.arguments]}


def items_of_rows(
    task: AnnotationTask, rows: Sequence[ItemRow], settings: Mapping[str, Any], where: str
) -> list[Item]:
    """Items with the right answers from their rows; a control without one is an error."""
    bare = [{key: value for key, value in row.items() if key not in ("answer", "control")} for row in rows]
    try:
        items = task.items(bare, settings)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    known = [(row.get("answer"), row.get("control") is True) for row in rows]
    if not any(answer is not None or control for answer, control in known):
        return items
    if len(items) != len(rows):
        raise InputError(f"{where}: rows with answers among rows that are joined, expected a file of their own")
    made = []
    for item, (answer, control) in zip(items, known, strict=True):
        if control and answer is None:
            raise InputError(f"{where}: control '{item.id}' without an answer, expected one")
        if answer is not None:
            try:
                # Pages show the normal form; files may use shorter ones.
                answer = task.validate(item, answer, "training")
            except AnswerError as error:
                raise InputError(f"{where}: the answer of '{item.id}': {error}") from error
        made.append(replace(item, gold=answer, control=control))
    return made
