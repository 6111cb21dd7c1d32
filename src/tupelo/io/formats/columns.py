"""Tuple formats that are columns: one reader and one writer for all, given a declaration."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack

from tupelo.core import Argument, Attribution, Extraction, InputError, Record, Sentence
from tupelo.io.formats import TextFormat
from tupelo.io.lines import Fault, Lines, number_of

# Columns that are read and written as they are.
_KEPT = frozenset(["confidence", "context", "sentence.id", "sentence.document_id"])
# Stands for an unknown id, and is written into columns that mean nothing to us.
UNKNOWN = "-"
_ASCII_SPACE = " \t\n\r\x0b\x0c"
_TITLES = {"rel": "relation", "*args": "arguments"}
_LAYOUTS = {"rel": "relation", "*args": "arg1 ⇥ arg2 …"}
_SEPARATORS = {"\t": ("tab", "tabs"), ",": ("comma", "commas"), ";": ("semicolon", "semicolons")}


class Parts(NamedTuple):
    """Parts of a tuple in a row, apart from sentence and confidence."""

    rel: Argument
    arguments: Sequence[Argument] = ()
    context: Argument | None = None
    attribution: Attribution | None = None


def confidence_text(extraction: Extraction) -> str:
    """The shortest text that gives the same number back."""
    return repr(float(extraction.counted_confidence))


# Contents of the named columns.
_FIELDS: dict[str, Callable[[Extraction], str]] = {
    "sentence": lambda extraction: extraction.sentence.text,
    "confidence": confidence_text,
    "rel": lambda extraction: extraction.rel.text,
    "context": lambda extraction: extraction.context.text if extraction.context else "",
    "sentence.id": lambda extraction: extraction.sentence.id or UNKNOWN,
    "sentence.document_id": lambda extraction: extraction.sentence.document_id or UNKNOWN,
}

# From the fields of a line and the text of its sentence; `None` skips the line, `Fault` refuses it.
Parse: TypeAlias = Callable[[Sequence[str], str], Parts | None]
# The fields of a line, without any check of separators and line breaks.
Render: TypeAlias = Callable[[Extraction], Sequence[str]]
Sniff: TypeAlias = Callable[[Sequence[str]], float]


class ColumnOptions(TypedDict, total=False):
    """Optional properties of a format of columns; see `column_format`, and `TextFormat` for those of every format."""

    separator: str
    header: str
    strip: Literal["line", "ascii", "nothing"]
    strip_sentence: bool
    blank_lines: Literal["skip", "refuse"]
    expected: str
    confidence: float
    extractor: str
    keeps: Collection[str]
    title: str
    layout: str
    notes: str
    sample: str
    sniff: Sniff
    min_arguments: int
    max_arguments: int | None
    log_confidence: bool


_OF_TEXT_FORMAT = ("title", "layout", "notes", "sample", "sniff", "min_arguments", "max_arguments", "log_confidence")


def column_format(
    name: str,
    columns: Sequence[str],
    *,
    skip: Callable[[Sequence[str]], bool] | None = None,
    parse: Parse | None = None,
    render: Render | None = None,
    **options: Unpack[ColumnOptions],
) -> TextFormat:
    """A format with one tuple per line, its parts in columns.

    `columns` names them in order: `sentence`, `confidence`, `rel`, `arg1`, `arg2` …, `*args` for all further
    columns, `context`, `sentence.id` and `sentence.document_id`; columns of other names are ignored. Where a column
    holds more than plain words, `parse` makes the parts of the tuple from the fields, and `render` the fields from
    the tuple. `skip` leaves out lines before their columns are counted.

    Options: `separator` is a tab by default; `expected` describes the columns in error messages. `strip` (`line`,
    `ascii` or `nothing`) is the white space that is removed from the ends of a line; fields keep their spaces, except
    the sentence with `strip_sentence`. `blank_lines` are skipped or refused. `header` is written as the first line,
    which readers skip whatever it holds. `confidence` and `extractor` hold for every tuple of the format. `keeps`,
    `title`, `layout`, `notes`, `sample`, `sniff`, `min_arguments`, `max_arguments` and `log_confidence` describe the
    `TextFormat` where that does not follow from the columns. Without `sniff` the format is never detected; name it.

    >>> mine = column_format("mine", ("confidence", "arg1", "rel", "arg2", "sentence"), separator=";")
    >>> print(*mine.read(Lines(["0.9;Ann;lives in;Oslo;Ann lives in Oslo."])))
    (Ann; lives in; Oslo)
    """
    names = list(columns)
    required = [column for column in names if not column.startswith("*")]
    expected = options.get("expected") or _listed([_TITLES.get(each, each).removeprefix("*") for each in names])
    separator, header, strip = options.get("separator", "\t"), options.get("header"), options.get("strip", "line")
    strip_sentence = options.get("strip_sentence", False)
    confidence, extractor = options.get("confidence"), options.get("extractor")
    parse = parse or _plain_parts(names)
    render = render or _plain_fields(names)
    about = _description(name, names, options)
    least, most = about["min_arguments"], about["max_arguments"]
    places = {column: names.index(column) for column in ("confidence", "sentence") if column in names}
    confidence_at, sentence_at = places.get("confidence"), places.get("sentence")
    ids_at = [names.index(each) if each in names else None for each in ("sentence.id", "sentence.document_id")]
    has_ids = any(place is not None for place in ids_at)
    blank_lines = options.get("blank_lines", "skip")
    skips_blank, fewest = blank_lines == "skip", len(required)
    character, characters = _SEPARATORS.get(separator, (repr(separator), repr(separator)))

    def rows(lines: Lines) -> Iterator[tuple[int, list[str]]]:
        for number, line in lines:
            if number == 1 and header is not None:
                continue
            if strip == "line":
                line = line.strip()
            elif strip == "ascii":
                line = line.strip(_ASCII_SPACE)
            if skips_blank and (not line or line.isspace()):
                continue
            row = line.split(separator)
            if skip is None or not skip(row):
                yield number, row

    def read(lines: Lines) -> Iterator[Record]:
        sentence = Sentence("")
        for number, row in rows(lines):
            try:
                if len(row) < fewest:
                    raise _too_few(row, f"{expected}, separated by {characters}", character, characters)
                text = "" if sentence_at is None else row[sentence_at]
                if strip_sentence:
                    text = text.strip()
                parts = parse(row, text)
                if parts is None:
                    continue
                value = confidence if confidence_at is None else number_of(row[confidence_at])
            except Fault as fault:
                lines.fault(number, *fault.args)
                continue
            # The tuples of a sentence are neighbours in nearly every file; sharing it saves time and memory.
            if has_ids:
                identifier, document = (None if at is None or row[at] == UNKNOWN else row[at] for at in ids_at)
                sentence = Sentence(text, identifier, document)
            elif text != sentence.text:
                sentence = Sentence(text)
            rel, arguments, context, attribution = parts
            yield Extraction(
                sentence,
                rel,
                arguments[0] if arguments else None,
                tuple(arguments[1:]),
                value,
                attribution=attribution,
                context=context,
                extractor=extractor,
            )

    def write(records: Iterable[Record]) -> Iterator[str]:
        if header is not None:
            yield header + "\n"
        for record in records:
            if not isinstance(record, Sentence):
                require_arguments(record, name, least, most)
                yield line_of(record, render(record))

    def line_of(extraction: Extraction, fields: Sequence[str]) -> str:
        if strip != "nothing":
            return join_columns(extraction, fields, separator)
        if not any(field.strip() for field in fields):
            raise InputError(f"{extraction} has no words, and readers of {name} skip blank lines")
        return require_plain(extraction, fields, separator) + "\n"

    kept = frozenset(options.get("keeps", _KEPT.intersection(names)))
    return TextFormat(name=name, keeps=kept, read=read, write=write, **about)


def _description(name: str, names: Sequence[str], options: ColumnOptions) -> dict[str, Any]:
    """The given description of a format, completed from the names of its columns."""
    fixed = len(_argument_columns(names))
    is_bounded = fixed and "*args" not in names and "min_arguments" not in options
    return {
        "title": name,
        "layout": " ⇥ ".join(_LAYOUTS.get(each, each) for each in names),
        "sniff": lambda head: 0.0,
        "min_arguments": fixed,
        "max_arguments": fixed if is_bounded else None,
        **{key: value for key, value in options.items() if key in _OF_TEXT_FORMAT},
    }


def _argument_columns(names: Sequence[str]) -> list[str]:
    """`arg1`, `arg2` …, as far as there are columns for them."""
    return list(itertools.takewhile(names.__contains__, (f"arg{number}" for number in itertools.count(1))))


def _plain_parts(names: Sequence[str]) -> Parse:
    rel_at = names.index("rel") if "rel" in names else None
    arguments_at = [names.index(column) for column in _argument_columns(names)]
    rest_at = names.index("*args") if "*args" in names else None
    context_at = names.index("context") if "context" in names else None

    def parse(row: Sequence[str], sentence: str) -> Parts:
        arguments = [Argument(row[place]) for place in arguments_at] if arguments_at else []
        if rest_at is not None:
            arguments += [Argument(text) for text in row[rest_at:]]
        context = Argument(row[context_at]) if context_at is not None and row[context_at] else None
        return Parts(Argument("" if rel_at is None else row[rel_at]), arguments, context)

    return parse


def _plain_fields(names: Sequence[str]) -> Render:
    fixed = _argument_columns(names)
    getters = [
        _argument_field(fixed.index(name)) if name in fixed else _FIELDS.get(name, lambda extraction: UNKNOWN)
        for name in names
        if not name.startswith("*")
    ]
    has_rest = "*args" in names

    def render(extraction: Extraction) -> Sequence[str]:
        fields = [get(extraction) for get in getters]
        return fields + [part.text for part in extraction.arguments[len(fixed) :]] if has_rest else fields

    return render


def _argument_field(place: int) -> Callable[[Extraction], str]:
    return lambda extraction: extraction.arguments[place].text


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _too_few(row: Sequence[str], expected: str, character: str, characters: str) -> Fault:
    if not any(row):
        return Fault("a blank line", expected)
    hint = f"Were the {characters} saved as spaces?" if len(row) == 1 and character == "tab" else None
    return Fault(f"{len(row)} field(s)", expected, hint)


def require_arguments(extraction: Extraction, format_name: str, least: int, most: int | None) -> None:
    """Refuse a tuple with more or fewer arguments than a format can hold."""
    count = len(extraction.arguments)
    if least <= count and (most is None or count <= most):
        return
    bounds = f"holds exactly {least}" if least == most else f"needs {least} or more"
    if most is not None and least < most:
        bounds = f"holds {least} to {most}"
    raise InputError(f"{extraction} has {count} argument(s), but {format_name} {bounds}")


def require_plain(extraction: Extraction, fields: Sequence[str], separator: str = "\t") -> str:
    """The fields as a line; refuses those that would break it, since nothing is replaced silently."""
    joined = separator.join(fields)
    if joined.split(separator) != list(fields) or "\n" in joined or "\r" in joined:
        character = _SEPARATORS.get(separator, (repr(separator),))[0]
        raise InputError(f"a field of {extraction} holds a {character} or line break, which this format cannot hold")
    return joined


def join_columns(extraction: Extraction, fields: Sequence[str], separator: str = "\t") -> str:
    """One line that is taken apart again into as many columns by readers that strip the line."""
    if not fields[0].strip() or not fields[-1].strip():
        raise InputError(
            f"the first or last column of {extraction} would be blank, and readers of this format drop blank ends"
        )
    return require_plain(extraction, fields, separator) + "\n"


def split_columns(line: str) -> list[str]:
    """The columns as the CaRB readers see them: the whole line stripped, then split at tabs."""
    return line.strip().split("\t")


def rows_fit(weight: float, fits: Callable[[list[str]], bool]) -> Sniff:
    """Detection by the share of the non-blank lines whose columns fit, times a weight."""

    def sniff(head: Sequence[str]) -> float:
        rows = [split_columns(line) for line in head if line.strip()]
        return weight * (sum(map(fits, rows)) / len(rows)) if rows else 0.0

    return sniff


def begins_with(opening: str, *words: str) -> Sniff:
    """Detection of a JSON document by its first bracket and by words that all occur in its first lines."""

    def sniff(head: Sequence[str]) -> float:
        text = "\n".join(head).lstrip()
        return float(text.startswith(opening) and all(word in text for word in words))

    return sniff


def counts_spaced_tokens(sentence: Sentence) -> bool:
    """Whether token numbers count the words between single spaces, as formats without a token list assume."""
    return sentence.tokens is None or list(sentence.tokens) == sentence.text.split(" ")


def first_and_last(tokens: Sequence[int] | None) -> tuple[int, int] | None:
    """The ends of tokens that follow each other, or `None`."""
    if not tokens or any(after - before != 1 for before, after in itertools.pairwise(tokens)):
        return None
    return tokens[0], tokens[-1]
