"""CoNLL-U, the form in which treebanks and most parsers write syntax.

See https://universaldependencies.org/format.html. Empty nodes and the column
of enhanced dependencies are read over. Named entities travel in the last
column as `Entity=(person` … `Entity=person)`, written for one word as
`Entity=(person)`; constituents have no place in the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, takewhile
from typing import NamedTuple

from tupelo.core import Analysis, Entity, InputError, Passage, Word
from tupelo.io.lines import Fault, Lines

_COLUMNS = 10
_EXPECTED = "ten columns separated by tabs: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"


class _Tokens(NamedTuple):
    """The words of a sentence, as columns with the number of their line; and the tokens that hold several words."""

    words: list[tuple[int, list[str]]]
    ranges: list[tuple[int, int, str, str]]


def read(lines: Lines) -> Iterator[Analysis]:
    """The sentences of a file; a faulty sentence is reported with its line and left out."""
    document: str | None = None
    for comments, rows in _blocks(lines):
        document = comments.get("newdoc id", document)
        for _, found in lines.parsed([(0, rows)], partial(_sentence, comments, document)):
            yield from found


def _blocks(lines: Lines) -> Iterator[tuple[dict[str, str], list[tuple[int, str]]]]:
    """The comments before each sentence, and its other lines with their numbers."""
    for is_blank, group in groupby(lines, key=lambda row: not row[1].strip()):
        if is_blank:
            continue
        rows = list(group)
        comments = list(takewhile(lambda row: row[1].startswith("#"), rows))
        pairs = (line[1:].partition("=") for _, line in comments)
        yield {key.strip(): value.strip() for key, _, value in pairs}, rows[len(comments) :]


def _tokens(rows: Iterable[tuple[int, str]]) -> _Tokens:
    words: list[tuple[int, list[str]]] = []
    ranges: list[tuple[int, int, str, str]] = []
    for number, line in rows:
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise Fault(f"{len(columns)} column(s)", _EXPECTED, "Were the tabs saved as spaces?", line=number)
        identifier, form = columns[0], columns[1]
        if "." in identifier:
            continue
        if not form.strip():
            raise Fault("an empty FORM", "the word itself", line=number)
        following = len(words) + 1
        if "-" in identifier:
            first, _, last = identifier.partition("-")
            if not (_counts(first) and _counts(last) and following <= int(first) <= int(last)):
                raise Fault(f"ID {identifier!r}", f"a range that starts at {following} or later", line=number)
            ranges.append((int(first) - 1, int(last), form, columns[9]))
        elif identifier != str(following):
            raise Fault(f"ID {identifier!r}", f"{following}", line=number)
        else:
            words.append((number, columns))
    return _Tokens(words, ranges)


def _counts(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _sentence(comments: Mapping[str, str], document: str | None, rows: list[tuple[int, str]]) -> list[Analysis]:
    """The sentence that lines describe; none where they hold no word."""
    tokens = _tokens(rows)
    size = len(tokens.words)
    if not size:
        return []
    heads: list[int | None] = []
    for number, columns in tokens.words:
        head = columns[6]
        if head != "_" and not (_counts(head) and int(head) <= size):
            raise Fault(f"HEAD {head!r}", f"0 for the root, or the ID of one of {size} word(s)", line=number)
        heads.append(None if head in ("_", "0") else int(head) - 1)
    for _, end, form, _ in tokens.ranges:
        if end > size:
            last = tokens.words[-1][0]
            raise Fault(f"the token {form!r} reaches to ID {end}", f"an ID up to {size}", line=last)
    text, spans = _place_words(tokens, comments.get("text"))
    words = tuple(
        Word(
            text=columns[1],
            start=start,
            end=end,
            # A lone underscore is a lemma when the word is one too, else it says that there is none.
            lemma=columns[2] if columns[2] != "_" or columns[1] == "_" else None,
            upos=_value(columns[3]),
            xpos=_value(columns[4]),
            feats="" if columns[5] == "_" else columns[5],
            head=head,
            deprel=_value(columns[7]),
        )
        for (_, columns), (start, end), head in zip(tokens.words, spans, heads, strict=True)
    )
    analysis = Analysis(
        text=text,
        words=words,
        entities=_entities(tokens),
        contractions=tuple((start, end) for start, end, _, _ in tokens.ranges),
        id=comments.get("sent_id"),
        document_id=document,
    )
    return [analysis]


def _value(column: str) -> str | None:
    return None if column == "_" else column


def _place_words(tokens: _Tokens, text: str | None) -> tuple[str, list[tuple[int, int]]]:
    """The text of the sentence and where each word is in it.

    `# text` is used when every token is found in it in order; otherwise the
    text is rebuilt from the forms and `SpaceAfter=No`.
    """
    units: list[tuple[int, int, str, str]] = []
    columns = [columns for _, columns in tokens.words]
    ranges = {unit[0]: unit for unit in tokens.ranges}
    index = 0
    while index < len(columns):
        unit = ranges.get(index, (index, index + 1, columns[index][1], columns[index][9]))
        units.append(unit)
        index = unit[1]
    places = None if text is None else _find_in_order([form for _, _, form, _ in units], text)
    if text is None or places is None:
        text, places = _join(units)
    spans: list[tuple[int, int]] = []
    for (start, end, form, _), place in zip(units, places, strict=True):
        forms = [columns[position][1] for position in range(start, end)]
        position = place
        if "".join(forms) == form:
            for part in forms:
                spans.append((position, position + len(part)))
                position += len(part)
        else:
            # The words are not spelled out in the token (French "du" is "de" and "le"): all of them are all of it.
            spans.extend([(place, place + len(form))] * (end - start))
    return text, spans


def _find_in_order(forms: list[str], text: str) -> list[int] | None:
    places: list[int] = []
    position = 0
    for form in forms:
        place = text.find(form, position)
        if place < 0 or text[position:place].strip():
            return None
        places.append(place)
        position = place + len(form)
    return None if text[position:].strip() else places


def _join(units: list[tuple[int, int, str, str]]) -> tuple[str, list[int]]:
    pieces: list[str] = []
    places: list[int] = []
    position = 0
    for number, (_, _, form, misc) in enumerate(units):
        places.append(position)
        glued = number == len(units) - 1 or "SpaceAfter=No" in misc.split("|")
        pieces.append(form if glued else form + " ")
        position += len(pieces[-1])
    return "".join(pieces), places


def _entities(tokens: _Tokens) -> tuple[Entity, ...] | None:
    """Entities as this module writes them; the richer mentions of other corpora are ignored."""
    found: list[Entity] = []
    opened: tuple[str, int] | None = None
    for index, (_, columns) in enumerate(tokens.words):
        for pair in columns[9].split("|"):
            key, _, value = pair.partition("=")
            if key != "Entity":
                continue
            label = value.strip("()")
            if not label.isalpha() or (not value.startswith("(") and (opened is None or opened[0] != label)):
                return None
            start = index if value.startswith("(") else opened[1] if opened else index
            opened = (label, start)
            if value.endswith(")"):
                found.append(Entity(label, start, index + 1))
                opened = None
    return tuple(found) or None


def paragraphs(lines: Lines) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The plain text of each paragraph of a treebank, and the positions at which its sentences end.

    Joined with blank lines, these are the raw text from which the CoNLL 2018
    shared task started. A sentence without `# text` is rebuilt from its words.
    """
    sentences: list[tuple[str, str]] = []
    for comments, rows in _blocks(lines):
        if sentences and any(key.startswith(("newpar", "newdoc")) for key in comments):
            yield _joined(sentences)
            sentences = []
        for _, tokens in lines.parsed([(0, rows)], _tokens):
            if tokens.words:
                ends_in_range = tokens.ranges and tokens.ranges[-1][1] == len(tokens.words)
                misc = tokens.ranges[-1][3] if ends_in_range else tokens.words[-1][1][9]
                gap = "" if "SpaceAfter=No" in misc.split("|") else " "
                sentences.append((_place_words(tokens, comments.get("text"))[0], gap))
    if sentences:
        yield _joined(sentences)


def _joined(sentences: list[tuple[str, str]]) -> tuple[str, tuple[int, ...]]:
    text = ""
    ends: list[int] = []
    for sentence, gap in sentences:
        text += sentence
        ends.append(len(text))
        text += gap
    return text.rstrip(" "), tuple(ends)


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    """One block of text per sentence, with `# text`, and `# sent_id` where there is one."""
    document: str | None = None
    for analysis in analyses:
        if not analysis.words:
            # The format has no way to write a sentence without words.
            continue
        if analysis.document_id is not None and analysis.document_id != document:
            document = analysis.document_id
            yield f"# newdoc id = {_one_line(document)}\n"
        yield _block_text(analysis)


class ConlluParser:
    """Analyses that another parser has written as CoNLL-U."""

    name = "conllu"

    def __init__(
        self, argument: str = "", *, processes: int = 1, batch_size: int = 1, threads: int | None = None
    ) -> None:
        if argument:
            raise InputError(f"'conllu:{argument}': expected just 'conllu'; the analyses are the input")

    def analyze(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
    ) -> Iterator[Analysis]:
        """The sentences of CoNLL-U text: one string, or an iterable of its parts in order."""
        parts = [text] if isinstance(text, str) else text
        return read(Lines(_lines_of(part if isinstance(part, str) else part.text for part in parts)))


def _lines_of(parts: Iterable[str]) -> Iterator[str]:
    """Lines of a text that comes in parts, which may end anywhere."""
    rest = ""
    for part in parts:
        *complete, rest = (rest + part).split("\n")
        yield from complete
    if rest:
        yield rest


def _block_text(analysis: Analysis) -> str:
    words = analysis.words
    size = len(words)
    rows: list[str] = []
    if analysis.id is not None:
        rows.append(f"# sent_id = {_one_line(analysis.id)}\n")
    rows.append(f"# text = {_one_line(analysis.text)}\n")
    notes: list[list[str]] = [[] for _ in words]
    for entity in analysis.entities or ():
        last = entity.end - 1
        if entity.start == last:
            notes[last].append(f"Entity=({entity.label})")
        else:
            notes[entity.start].append(f"Entity=({entity.label}")
            notes[last].append(f"Entity={entity.label})")
    ranges = dict(analysis.contractions)
    inside = {index for start, end in analysis.contractions for index in range(start, end)}
    for index, word in enumerate(words):
        if index in ranges:
            last = ranges[index]
            token = analysis.text[word.start - analysis.start : words[last - 1].end - analysis.start]
            glued = "SpaceAfter=No" if last < size and words[last].start == words[last - 1].end else "_"
            rows.append(f"{index + 1}-{last}\t{_cell(token)}\t" + "_\t" * 7 + f"{glued}\n")
        if index not in inside and index + 1 < size and words[index + 1].start == word.end:
            notes[index].append("SpaceAfter=No")
        head = "_" if word.deprel is None else "0" if word.head is None else str(word.head + 1)
        rows.append(
            f"{index + 1}\t{_cell(word.text)}\t{_cell(word.lemma)}\t{word.upos or '_'}\t{word.xpos or '_'}\t"
            f"{word.feats or '_'}\t{head}\t{word.deprel or '_'}\t_\t{'|'.join(notes[index]) or '_'}\n"
        )
    rows.append("\n")
    return "".join(rows)


# Characters that would end a line or a column for one reader or another; each becomes one space.
_BREAKS = str.maketrans(dict.fromkeys("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


def _one_line(text: str) -> str:
    return text.translate(_BREAKS)


def _cell(value: str | None) -> str:
    return "_" if not value else value.translate(_BREAKS)
