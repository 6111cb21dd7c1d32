"""CoNLL-U, the form in which treebanks and most parsers write syntax.

See https://universaldependencies.org/format.html. Empty nodes and the column of enhanced dependencies are read over.
Named entities travel in the last column as `Entity=(person` … `Entity=person)`, written for one word as
`Entity=(person)`; constituents have no place in the format.

Where coreference is known, mentions take this place, as in CorefUD 1 (https://ufal.mff.cuni.cz/corefud): a comment
names their fields, and named entities move to `Name=(person` … `Name=person)`.

    # global.Entity = eid-etype-head-other
    1  Nora  …  Entity=(e1-person-1-)|Name=(person)
    2  sold  …  _
    3  her   …  Entity=(e2-object-2-(e1-person-1-)
    4  boat  …  Entity=e2)

In files of others the fields may be different ones (GUM's are): `eid` or `GRP`, `etype`, and `head` or `minspan` are
read. The head of a mention is the word of its minimal span that depends on a word outside of it. The parts of a
discontinuous mention, `e1[1/2]` and `e1[2/2]`, become one mention with everything between them; a mention of empty
nodes alone is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, takewhile
from typing import NamedTuple, Unpack
from urllib.parse import quote, unquote

from tupelo.core import Analysis, Entity, InputError, Mention, Passage, Word
from tupelo.core.protocols import AnalysisWishes
from tupelo.io.conll import Bracket, Bracketed, BracketReader, EntityNumbers, brackets_by_word
from tupelo.io.lines import Fault, Lines

_COLUMNS = 10
_FIELDS = "eid-etype-head-other"
_EXPECTED = "ten columns separated by tabs: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"


class _Tokens(NamedTuple):
    """The words of a sentence, as columns with the number of their line; and the tokens that hold several words.

    `nodes` are the words and the empty nodes: the line, the word (`None` for an empty node) and the last column.
    """

    words: list[tuple[int, list[str]]]
    ranges: list[tuple[int, int, str, str]]
    nodes: list[tuple[int, int | None, str]]


class _Document:
    """The document that is being read: its id, the fields of its mentions, the numbers of its entities."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.fields: tuple[str, ...] | None = None
        self.numbers = EntityNumbers()

    def take(self, comments: Mapping[str, str]) -> None:
        """Values of the comments before a sentence."""
        if "newdoc id" in comments or "newdoc" in comments:
            previous, self.id = self.id, comments.get("newdoc id")
            if previous == self.id:
                self.numbers.forget_names()
            else:
                self.numbers.begin_document()
        if "global.Entity" in comments:
            self.fields = tuple(comments["global.Entity"].split("-"))


def read(lines: Lines) -> Iterator[Analysis]:
    """The sentences of a file; a faulty sentence is reported with its line and left out."""
    document = _Document()
    for comments, rows in sentence_blocks(lines):
        document.take(comments)
        yield from chain.from_iterable(lines.values([(0, rows)], partial(_sentence, comments, document)))


def sentence_blocks(lines: Lines) -> Iterator[tuple[dict[str, str], list[tuple[int, str]]]]:
    """The comments before each sentence, and its other lines with their numbers."""
    for is_blank, group in groupby(lines, key=lambda row: not row[1].strip()):
        if is_blank:
            continue
        rows = list(group)
        comments = list(takewhile(lambda row: row[1].startswith("#"), rows))
        pairs = (line[1:].partition("=") for _, line in comments)
        yield {key.strip(): value.strip() for key, _, value in pairs}, rows[len(comments) :]


def tokens_of(rows: Iterable[tuple[int, str]]) -> _Tokens:
    words: list[tuple[int, list[str]]] = []
    ranges: list[tuple[int, int, str, str]] = []
    nodes: list[tuple[int, int | None, str]] = []
    for number, line in rows:
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise Fault(f"{len(columns)} column(s)", _EXPECTED, "Were the tabs saved as spaces?", line=number)
        identifier, form = columns[0], columns[1]
        if "." in identifier:
            nodes.append((number, None, columns[9]))
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
            nodes.append((number, len(words), columns[9]))
            words.append((number, columns))
    return _Tokens(words, ranges, nodes)


def _counts(text: str) -> bool:
    """Whether a text is a number that may count words."""
    return text.isascii() and text.isdigit() and len(text) < 10


def _sentence(comments: Mapping[str, str], document: _Document, rows: list[tuple[int, str]]) -> list[Analysis]:
    """The sentence that lines describe; none where they hold no word."""
    tokens = tokens_of(rows)
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
    text, spans = place_words(tokens, comments.get("text"))
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
        entities=_entities(tokens, "Entity" if document.fields is None else "Name"),
        contractions=tuple((start, end) for start, end, _, _ in tokens.ranges),
        id=comments.get("sent_id"),
        document_id=document.id,
        mentions=None if document.fields is None else _mentions(tokens, words, document.fields, document.numbers),
    )
    return [analysis]


def _value(column: str) -> str | None:
    return None if column == "_" else column


def place_words(tokens: _Tokens, text: str | None) -> tuple[str, list[tuple[int, int]]]:
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


def _entities(tokens: _Tokens, name: str) -> tuple[Entity, ...] | None:
    """Entities as this module writes them; anything richer under the same name is ignored."""
    found: list[Entity] = []
    opened: tuple[str, int] | None = None
    for index, (_, columns) in enumerate(tokens.words):
        for pair in columns[9].split("|"):
            key, _, value = pair.partition("=")
            if key != name:
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


_PART = re.compile(r"(.+)\[([0-9]{1,3})/([0-9]{1,3})\]")


def _mentions(
    tokens: _Tokens, words: Sequence[Word], fields: Sequence[str], numbers: EntityNumbers
) -> tuple[Mention, ...]:
    reader = BracketReader()
    for place, (line, _, misc) in enumerate(tokens.nodes):
        for pair in misc.split("|"):
            key, _, value = pair.partition("=")
            if key == "Entity":
                _take_brackets(reader, value, place, line, fields)
    found = []
    for mention in reader.mentions():
        inside = [word for _, word, _ in tokens.nodes[mention.start : mention.end] if word is not None]
        if inside:
            values = _values(fields, mention.fields)
            head = _head(words, _core(values, mention, tokens) or inside)
            found.append((mention.entity, inside[0], inside[-1] + 1, head, unquote(values.get("etype", ""))))
    # Without the empty nodes a longer mention may begin at the word of a shorter one before it.
    found.sort(key=lambda item: (item[1], -item[2]))
    return tuple(Mention(numbers[entity], start, end, head, label) for entity, start, end, head, label in found)


def _take_brackets(reader: BracketReader, value: str, place: int, line: int, fields: Sequence[str]) -> None:
    """The value of `Entity` at one node: `e1)`, `(e2-person-1-`, `(e3--1-)`, or several of them in a row."""
    brackets = list(_split_brackets(value))
    if not brackets or not all(content for content, _, _ in brackets):
        raise Fault(f"Entity={value}", "brackets such as '(e1-person-1-', 'e1)' or '(e1-person-1-)'", line=line)
    for content, begins, ends in brackets:
        entity, part, parts = _parted(_values(fields, content)["eid"] if begins else content)
        if begins and part == 1:
            reader.begin(entity, place, line, content)
        if ends and part == parts:
            reader.finish(entity, place + 1, line)


def _split_brackets(value: str) -> Iterator[tuple[str, bool, bool]]:
    """The content of each bracket, and whether it begins and ends here; no content for what is in none."""
    for number, part in enumerate(value.split("(")):
        *closed, rest = part.split(")")
        for place, content in enumerate(closed):
            yield content, number > 0 and place == 0, True
        if number > 0 and not closed:
            yield rest, True, False
        elif rest:
            yield "", False, False


def _values(fields: Sequence[str], content: str) -> dict[str, str]:
    """The fields of a beginning by name; the entity is `eid`, whatever it is called."""
    values = dict(zip(fields, content.split("-", len(fields) - 1), strict=False))
    return values | {"eid": values.get("eid", values.get("GRP", values[fields[0]]))}


def _parted(entity: str) -> tuple[str, int, int]:
    """`e1[2/3]`, the second of three parts of a mention, as name and numbers."""
    found = _PART.fullmatch(entity)
    return (found[1], int(found[2]), int(found[3])) if found else (entity, 1, 1)


def _core(values: Mapping[str, str], mention: Bracketed, tokens: _Tokens) -> list[int]:
    """The words that the field `head` or `minspan` names by their places in the mention; none where it is empty."""
    field = values.get("head") or values.get("minspan") or ""
    # Places in a mention of several parts do not count what lies between them.
    if not field or _parted(values["eid"])[2] > 1:
        return []
    nodes = tokens.nodes[mention.start : mention.end]
    places = field.split(",")
    if not all(_counts(place) and 1 <= int(place) <= len(nodes) for place in places):
        raise Fault(f"head or minspan {field!r}", f"numbers from 1 to {len(nodes)}", line=mention.line)
    return [word for place in places if (word := nodes[int(place) - 1][1]) is not None]


def _head(words: Sequence[Word], core: Sequence[int]) -> int:
    """The first word whose own head is not among these; the last word where nobody parsed the sentence."""
    for index in core:
        if words[index].deprel is not None and words[index].head not in core:
            return index
    return core[-1]


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    """One block of text per sentence, with `# text`, and `# sent_id` where there is one."""
    document: str | None = None
    fields_are_named = False
    for analysis in analyses:
        if not analysis.words:
            # The format has no way to write a sentence without words.
            continue
        if analysis.document_id != document:
            document, fields_are_named = analysis.document_id, False
            yield "# newdoc\n" if document is None else f"# newdoc id = {_one_line(document)}\n"
        if analysis.mentions is not None and not fields_are_named:
            fields_are_named = True
            yield f"# global.Entity = {_FIELDS}\n"
        yield _block_text(analysis)


class ConlluParser:
    """Analyses that another parser has written as CoNLL-U."""

    name = "conllu"
    # Its input has a form of its own.
    reads_prose = False

    def __init__(
        self, argument: str = "", *, processes: int = 1, batch_size: int = 1, threads: int | None = None
    ) -> None:
        if argument:
            raise InputError(f"'conllu:{argument}': expected just 'conllu'; the analyses are the input")

    def analyze(self, text: str | Iterable[str | Passage], **wishes: Unpack[AnalysisWishes]) -> Iterator[Analysis]:
        """The sentences of CoNLL-U text: one string, or an iterable of its parts in order.

        Their mentions are those of the text, whether or not `coreference` is asked for.
        """
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
    notes = [_entity_notes(brackets) for brackets in brackets_by_word(analysis.mentions or (), size)]
    key = "Entity" if analysis.mentions is None else "Name"
    for entity in analysis.entities or ():
        last = entity.end - 1
        if entity.start == last:
            notes[last].append(f"{key}=({entity.label})")
        else:
            notes[entity.start].append(f"{key}=({entity.label}")
            notes[last].append(f"{key}={entity.label})")
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


def _entity_notes(brackets: Iterable[Bracket]) -> list[str]:
    """The mentions at one word, as an item of the last column; none where there are none."""
    pieces = []
    for mention, begins, ends in brackets:
        # The hyphen stands between fields, and is the one special character that `quote` leaves.
        label = quote(mention.label, safe="").replace("-", "%2D")
        fields = f"(e{mention.entity + 1}-{label}-{mention.head - mention.start + 1}-"
        pieces.append(fields + ")" * ends if begins else f"e{mention.entity + 1})")
    return ["Entity=" + "".join(pieces)] if pieces else []


# Characters that would end a line or a column for one reader or another; each becomes one space.
_BREAKS = str.maketrans(dict.fromkeys("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


def _one_line(text: str) -> str:
    return text.translate(_BREAKS)


def _cell(value: str | None) -> str:
    return "_" if not value else value.translate(_BREAKS)
