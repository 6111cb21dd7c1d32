"""The files of the judged set: read, checked, written. `training/judged/README.md` describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from tupelo.annotate.tasks.judging import PARTS, TUPLE_LABELS
from tupelo.core import Argument, Attribution, Extraction, FormatError, InputError, Sentence, Span
from tupelo.core.extraction import on_one_line
from tupelo.io.files import InputFile, open_output
from tupelo.io.json_items import dumped, line_objects

FOLDER = Path(__file__).parents[2] / "judged"
DOCUMENTS, TUPLES, SECOND = "documents.jsonl", "tuples.jsonl.gz", "second.tsv"
SPLITS = ("train", "dev", "test")
# The part of an empty tuple that stops before what it is about.
CUT = "cut"
# Characters of the sentence, or implied words, in reading order.
Part: TypeAlias = tuple[tuple[int, int] | str, ...]


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A text of some kind, and its SHA-256. A text `by_reference` is not in the file and may be unknown."""

    id: str
    kind: str
    source: str
    licence: str
    split: str
    text: str | None = None
    sha256: str | None = None
    by_reference: bool = False


@dataclass(frozen=True, slots=True)
class JudgedTuple:
    """A tuple of the sentence at `[start, end)` of its document, with a reader's judgement; `second` is another's."""

    document: JudgedDocument
    start: int
    end: int
    rel: Part
    arg1: Part | None
    args: tuple[Part, ...]
    label: str
    part: str | None = None
    correction: str | None = None
    negated: bool | None = None
    modality: str | None = None
    attribution: tuple[str | None, str | None] | None = None
    context: tuple[str, str] | None = None
    rule: str | None = None
    extractors: tuple[str, ...] = ()
    second: str | None = None

    @property
    def right(self) -> bool:
        return self.label != "wrong"

    def extraction(self) -> Extraction:
        """The tuple in the vocabulary of the package; needs the text of the document."""
        if self.document.text is None:
            raise InputError(f"document '{self.document.id}' is there by reference, expected its text")
        sentence = self.document.text[self.start : self.end]
        return Extraction(
            Sentence(sentence, document_id=self.document.id),
            argument(sentence, self.rel),
            None if self.arg1 is None else argument(sentence, self.arg1),
            tuple(argument(sentence, part) for part in self.args),
            negated=self.negated,
            modality=self.modality,
            attribution=Attribution(*self.attribution) if self.attribution else None,
            context=Argument(self.context[1], self.context[0]) if self.context else None,
            rule=self.rule,
        )


@dataclass(frozen=True, slots=True)
class JudgedSet:
    documents: tuple[JudgedDocument, ...]
    tuples: tuple[JudgedTuple, ...]

    def of(self, *splits: str) -> JudgedSet:
        """Only the documents and tuples of some splits."""
        return JudgedSet(
            tuple(document for document in self.documents if document.split in splits),
            tuple(judged for judged in self.tuples if judged.document.split in splits),
        )

    def by_kind(self) -> dict[str, list[JudgedTuple]]:
        found: dict[str, list[JudgedTuple]] = {}
        for judged in sorted(self.tuples, key=lambda judged: judged.document.kind):
            found.setdefault(judged.document.kind, []).append(judged)
        return found


def argument(sentence: str, part: Part) -> Argument:
    """The words of a part: those of the sentence where they stand, and implied ones between them."""
    words: list[str] = []
    inferred: list[int] = []
    for piece in part:
        new = (piece if isinstance(piece, str) else on_one_line(sentence[slice(*piece)])).split()
        if isinstance(piece, str):
            inferred.extend(range(len(words), len(words) + len(new)))
        words += new
    spans = tuple(Span(*piece) for piece in part if not isinstance(piece, str))
    return Argument(" ".join(words), spans=spans, inferred=tuple(inferred))


def read_judged(folder: Path = FOLDER, texts: Mapping[str, str] | None = None) -> JudgedSet:
    """The whole set; `texts` are those of documents that are there by reference."""
    with InputFile(folder / DOCUMENTS) as file:
        documents = _documents(file, texts or {})
    with InputFile(folder / TUPLES) as file:
        tuples = [judged_tuple(row, documents, file.name, number) for number, row in line_objects(file.lines())]
    if (folder / SECOND).exists():
        with InputFile(folder / SECOND) as file:
            for line, place, label in numbered(file, len(tuples), "label"):
                if label not in TUPLE_LABELS:
                    raise FormatError(file.name, line, f"label '{label[:20]}'", f"one of {', '.join(TUPLE_LABELS)}")
                tuples[place] = replace(tuples[place], second=label)
    return JudgedSet(tuple(documents.values()), tuple(tuples))


def _documents(file: InputFile, texts: Mapping[str, str]) -> dict[str, JudgedDocument]:
    found: dict[str, JudgedDocument] = {}
    for number, row in line_objects(file.lines()):
        line = _Line(file.name, number, row)
        copied, digest = line.optional_text("text"), line.optional_text("sha256")
        text = texts.get(line.text("id")) if copied is None else copied
        document = JudgedDocument(
            line.text("id"),
            line.text("kind"),
            line.text("source"),
            line.text("licence"),
            line.one_of("split", SPLITS),
            text,
            digest,
            by_reference=copied is None,
        )
        if document.id in found:
            line.refuse(f"a second document '{document.id}'", "one each")
        if text is not None and digest is not None and digest != digest_of(text):
            line.refuse(f"the text of '{document.id}' has another checksum", "the text that was judged")
        found[document.id] = document
    return found


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def numbered(file: InputFile, count: int, what: str) -> Iterator[tuple[int, int, str]]:
    """Line, place of a tuple, and what a file says of it; files count tuples from 1."""
    seen: set[int] = set()
    for line, (number, value) in file.lines().rows((2,), f"number of a tuple and {what}, separated by a tab"):
        if not number.isdecimal() or not 1 <= int(number) <= count or int(number) in seen:
            raise FormatError(file.name, line, f"tuple {number[:20]}", f"each number from 1 to {count} once at most")
        seen.add(int(number))
        yield line, int(number) - 1, value


@dataclass(frozen=True, slots=True)
class _Line:
    """A JSON object of a file, and its faults."""

    source: str
    number: int
    row: Mapping[str, Any]

    def refuse(self, found: str, expected: str) -> NoReturn:
        raise FormatError(self.source, self.number, found, expected)

    def text(self, name: str) -> str:
        value = self.optional_text(name)
        if not value:
            self.refuse(f"no '{name}'", "a text")
        return value

    def optional_text(self, name: str) -> str | None:
        value = self.row.get(name)
        if value is not None and not isinstance(value, str):
            self.refuse(f"'{name}' is {str(value)[:40]}", "a text")
        return value

    def one_of(self, name: str, names: Sequence[str]) -> str:
        if self.row.get(name) not in names:
            self.refuse(f"'{name}' is {str(self.row.get(name))[:40]}", f"one of {', '.join(names)}")
        return str(self.row[name])

    def texts(self, name: str, length: int | None = None, *, none: bool = False) -> tuple[Any, ...] | None:
        """A list of texts, of a certain length where one is given; `none` allows `null` among them."""
        value = self.row.get(name)
        if value is None:
            return None
        good = isinstance(value, list) and all(isinstance(each, str) or (none and each is None) for each in value)
        if not good or (length is not None and len(value) != length):
            self.refuse(f"'{name}' is {str(value)[:40]}", f"{length or 'some'} texts in a list")
        return tuple(value)

    def part(self, value: Any, name: str, length: int) -> Part:
        """Spans within a sentence of some length, and words."""
        pieces = value if isinstance(value, list) else []
        for piece in pieces:
            is_span = isinstance(piece, list) and len(piece) == 2 and all(type(end) is int for end in piece)
            if not (is_span and 0 <= piece[0] < piece[1] <= length) and not (
                isinstance(piece, str) and piece.strip()
            ):
                self.refuse(f"'{name}' has {str(piece)[:40]}", f"[start, end] within {length} characters, or a word")
        if not pieces:
            self.refuse(f"'{name}' is {str(value)[:40]}", "spans and words")
        return tuple(piece if isinstance(piece, str) else (piece[0], piece[1]) for piece in pieces)


def judged_tuple(
    row: Mapping[str, Any], documents: Mapping[str, JudgedDocument], source: str, number: int
) -> JudgedTuple:
    """The tuple of a row; a fault is blamed on its line."""
    line = _Line(source, number, row)
    name = line.text("document")
    if name not in documents:
        line.refuse(f"document '{name[:40]}'", f"one of {DOCUMENTS}")
    document, start, end = documents[name], row.get("start"), row.get("end")
    size = None if document.text is None else len(document.text)
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= (end if size is None else size):
        line.refuse(f"a sentence from {start} to {end}", "characters of the document")
    length = end - start
    given = row.get("args")
    if not isinstance(given, list):
        line.refuse("no list 'args'", "one, which may be empty")
    label, part = line.one_of("label", TUPLE_LABELS), row.get("part")
    if label == "wrong":
        part = line.one_of("part", PARTS)
    elif (part is not None and (label, part) != ("empty", CUT)) or row.get("correction") is not None:
        line.refuse(f"a wrong part or a correction of what is {label}", "none")
    negated = row.get("negated")
    if not isinstance(negated, bool | None):
        line.refuse(f"'negated' is {str(negated)[:40]}", "true, false or null")
    return JudgedTuple(
        document,
        start,
        end,
        line.part(row.get("rel"), "rel", length),
        None if row.get("arg1") is None else line.part(row["arg1"], "arg1", length),
        tuple(line.part(each, "args", length) for each in given),
        label,
        part,
        line.optional_text("correction"),
        negated,
        line.optional_text("modality"),
        line.texts("attribution", 2, none=True),
        line.texts("context", 2),
        line.optional_text("rule"),
        line.texts("extractors") or (),
    )


def write_judged(judged: JudgedSet, folder: Path = FOLDER) -> None:
    """The three files, with the checksum of every text that is known."""
    documents = [_document_row(document) for document in judged.documents]
    tuples = [_tuple_row(each) for each in judged.tuples]
    second = [f"{place}\t{each.second}" for place, each in enumerate(judged.tuples, start=1) if each.second]
    for name, lines in ((DOCUMENTS, map(dumped, documents)), (TUPLES, map(dumped, tuples)), (SECOND, second)):
        with open_output(folder / name) as file:
            file.writelines(f"{line}\n".encode() for line in lines)


def _document_row(document: JudgedDocument) -> dict[str, Any]:
    row = {name: getattr(document, name) for name in ("id", "kind", "source", "licence", "split")}
    digest = document.sha256 if document.text is None else digest_of(document.text)
    return row | _known({"sha256": digest, "text": None if document.by_reference else document.text})


def _tuple_row(judged: JudgedTuple) -> dict[str, Any]:
    names = ("arg1", "rel", "args", "negated", "modality", "attribution", "context", "rule", "extractors")
    row = {"document": judged.document.id, "start": judged.start, "end": judged.end}
    return row | _known({name: getattr(judged, name) for name in (*names, "label", "part", "correction")})


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
