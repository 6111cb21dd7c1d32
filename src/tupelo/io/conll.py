"""Coreference in the format of the CoNLL-2012 shared task (Pradhan et al. 2012).

    #begin document (mill); part 000
    mill  0  0  Nora   NNP  -  Nora  -  -  -  (person)  (0)
    mill  0  1  sold   VBD  -  sell  -  -  -  *         -
    mill  0  2  her    PRP$ -  her   -  -  -  *         (1|(0)
    mill  0  3  boat   NN   -  boat  -  -  -  *         1)

    #end document

Columns are separated by white space, or by single tabs: document, part, number of the word, word, and in the last one
the mentions. Where there are twelve or more, the tag, the lemma and the named entities are read as well; parses,
predicates and speakers are not. A part after the first is a document of its own, `mill; part 001`. The format knows
neither the spaces of the text nor types and heads of mentions: words come back with a single space between them, and
the last word of a mention as its head.

Brackets around words are what CoNLL-2012 and CorefUD (`tupelo.io.conllu`) share. An end belongs to the last open
beginning of the same entity. So mentions of different entities may nest and cross and have the same words, those of
one entity may nest; two mentions of one entity that cross come back nested, since neither format can write them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count, groupby
from typing import NamedTuple

from tupelo.core import Analysis, Entity, Mention, Word
from tupelo.io.lines import Fault, Lines


class Bracketed(NamedTuple):
    """A mention as brackets give it: the name of its entity, words `[start, end)`, and whatever else was written."""

    entity: str
    start: int
    end: int
    fields: str
    line: int


class BracketReader:
    """The mentions of one sentence, bracket by bracket."""

    def __init__(self) -> None:
        self._open: dict[str, list[tuple[int, Bracketed]]] = {}
        self._found: list[tuple[int, Bracketed]] = []
        self._count = 0

    def begin(self, entity: str, start: int, line: int, fields: str = "") -> None:
        self._open.setdefault(entity, []).append((self._count, Bracketed(entity, start, start, fields, line)))
        self._count += 1

    def finish(self, entity: str, end: int, line: int) -> None:
        waiting = self._open.get(entity)
        if not waiting:
            raise Fault(f"the end of a mention of {entity!r}", "its beginning in the same sentence", line=line)
        order, mention = waiting.pop()
        self._found.append((order, mention._replace(end=end)))

    def mentions(self) -> list[Bracketed]:
        """All of them in the order of their first words, longer ones first."""
        for waiting in self._open.values():
            if waiting:
                _, mention = waiting[-1]
                raise Fault(
                    f"a mention of {mention.entity!r} without an end",
                    "its end in the same sentence",
                    line=mention.line,
                )
        ordered = sorted(self._found, key=lambda item: (item[1].start, -item[1].end, item[0]))
        return [mention for _, mention in ordered]


class EntityNumbers(dict[str, int]):
    """Numbers for the entities of documents, in the order of their first mentions.

    Sentences in a row with the same document id are one document, whatever else begins among them: the names of
    entities hold until `forget_names`, the numbers until `begin_document`.
    """

    def __init__(self) -> None:
        self.begin_document()

    def begin_document(self) -> None:
        self.forget_names()
        self._numbers = count()

    def forget_names(self) -> None:
        self.clear()

    def __missing__(self, entity: str) -> int:
        return self.setdefault(entity, next(self._numbers))


class Bracket(NamedTuple):
    """Brackets of a mention at one word: its beginning, its end, or both where it has no other word."""

    mention: Mention
    begins: bool
    ends: bool


def brackets_by_word(mentions: Iterable[Mention], size: int) -> list[list[Bracket]]:
    """The brackets at each word, in an order in which they nest: no beginning stands before an end."""
    found: list[list[Bracket]] = []
    beginning: list[list[Bracket]] = [[] for _ in range(size)]
    ending: list[list[Bracket]] = [[] for _ in range(size)]
    for mention in mentions:
        is_one = mention.end - mention.start == 1
        beginning[mention.start].append(Bracket(mention, True, is_one))
        if not is_one:
            ending[mention.end - 1].append(Bracket(mention, False, True))
    for begun, ended in zip(beginning, ending, strict=True):
        begun.sort(key=lambda bracket: -bracket.mention.end)
        ended.sort(key=lambda bracket: -bracket.mention.start)
        # A mention of this word alone lies inside those that end here, or else inside those that begin here.
        inner = [bracket for bracket in begun if bracket.ends] if ended else []
        found.append([*inner, *ended, *(bracket for bracket in begun if not (ended and bracket.ends))])
    return found


_BEGIN, _END, _PART = "#begin document", "#end document", "; part "
_FEWEST, _FULL = 5, 12
_WORD, _TAG, _LEMMA, _NAMES = 3, 4, 6, 10
_NOTHING = ("", "-", "_", "*")


def read(lines: Lines) -> Iterator[Analysis]:
    """The sentences of all documents; a faulty sentence is reported with its line and left out."""
    numbers = EntityNumbers()
    document: str | None = None
    # The line on which the present document begins, 0 outside of documents.
    begun = 0
    for mark, group in groupby(lines, key=lambda row: _mark(row[1])):
        rows = list(group)
        if mark == _BEGIN:
            for number, line in rows:
                if begun:
                    lines.fault(number, f"a document inside the one of line {begun}", f"'{_END}' before it")
                document, begun = _document_id(line), number
                numbers.begin_document()
        elif mark == _END:
            begun = 0
        elif mark is None and begun:
            yield from lines.values([(0, rows)], partial(_sentence, document, numbers))
        elif mark is None:
            lines.fault(rows[0][0], "a word outside of every document", f"'{_BEGIN} (…); part 000' before it")
    if begun:
        lines.fault(begun, "a document without an end", f"'{_END}' after its last sentence")


def _mark(line: str) -> str | None:
    """The unit that a line begins or ends: a document, or a sentence where it is blank; `None` for a word."""
    if not line.strip():
        return ""
    return next((mark for mark in (_BEGIN, _END) if line.startswith(mark)), None)


def _document_id(line: str) -> str | None:
    """`mill` for the first part, `mill; part 001` for the next; `None` where the document has no name."""
    whole = line.removeprefix(_BEGIN).strip()
    name, has_part, part = whole.rpartition(")" + _PART)
    if not has_part:
        name, part = whole.removesuffix(")"), ""
    name = name.removeprefix("(")
    return f"{name}{_PART}{part}" if part.strip("0") else name or None


def _sentence(document: str | None, numbers: EntityNumbers, rows: list[tuple[int, str]]) -> Analysis:
    words: list[Word] = []
    names, mentions = BracketReader(), BracketReader()
    has_names = False
    position = 0
    for index, (number, line) in enumerate(rows):
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) < _FEWEST:
            raise Fault(f"{len(columns)} column(s)", f"{_FEWEST} or more, the mentions in the last", line=number)
        form = columns[_WORD].strip()
        if not form:
            raise Fault("an empty word", "the word in the fourth column", line=number)
        full = len(columns) >= _FULL
        words.append(
            Word(
                form,
                position,
                position + len(form),
                lemma=_value(columns[_LEMMA], form) if full else None,
                xpos=_value(columns[_TAG], form) if full else None,
            )
        )
        position += len(form) + 1
        if full and columns[_NAMES].strip() not in ("", "-", "_"):
            has_names = True
            _take_name(names, columns[_NAMES].strip(), index, number)
        cell = columns[-1].strip()
        for piece in () if cell in _NOTHING else cell.split("|"):
            _take_mention(mentions, piece, index, number)
    found = mentions.mentions()
    entities = tuple(Entity(name.fields, name.start, name.end) for name in names.mentions())
    return Analysis(
        text=" ".join(word.text for word in words),
        words=tuple(words),
        entities=entities if has_names else None,
        document_id=document,
        mentions=tuple(Mention(numbers[m.entity], m.start, m.end, m.end - 1, "") for m in found),
    )


def _value(column: str, form: str) -> str | None:
    """A dash says that there is none, unless the word is one too."""
    return None if column in _NOTHING and column != form else column


def _take_mention(mentions: BracketReader, piece: str, index: int, line: int) -> None:
    """`(7`, `7)` or `(7)`."""
    entity = piece.removeprefix("(").removesuffix(")")
    if not entity.isalnum() or entity == piece:
        raise Fault(f"mention {piece!r}", "'(7', '7)' or '(7)'", line=line)
    if piece.startswith("("):
        mentions.begin(entity, index, line)
    if piece.endswith(")"):
        mentions.finish(entity, index + 1, line)


def _take_name(names: BracketReader, cell: str, index: int, line: int) -> None:
    """`(person*`, `*`, `*)` or `(person)`."""
    label = cell.removeprefix("(").removesuffix(")").removesuffix("*")
    if cell.strip("()*") != label or (bool(label) != cell.startswith("(")):
        raise Fault(f"named entity {cell!r}", "'(person*', '*', '*)' or '(person)'", line=line)
    if label:
        names.begin("a name", index, line, label)
    if cell.endswith(")"):
        names.finish("a name", index + 1, line)


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    """One block of text per sentence; sentences in a row with the same document id are a document."""
    for document, sentences in groupby(analyses, key=lambda analysis: analysis.document_id):
        name, _, part = (document or "").rpartition(_PART)
        if not (name and part.isascii() and part.isdigit()):
            name, part = document or "", "000"
        name = " ".join(name.split())
        yield f"{_BEGIN} ({name}){_PART}{part}\n"
        for analysis in sentences:
            if analysis.words:
                yield _block(analysis, f"{name.replace(' ', '_') or '-'}\t{int(part)}")
        yield f"{_END}\n"


def _block(analysis: Analysis, place: str) -> str:
    size = len(analysis.words)
    names = ["-" if analysis.entities is None else "*"] * size
    for entity in analysis.entities or ():
        names[entity.start] = f"({entity.label}*"
        last = entity.end - 1
        names[last] = f"({entity.label})" if entity.start == last else "*)"
    rows = []
    by_word = brackets_by_word(analysis.mentions or (), size)
    for index, (word, brackets) in enumerate(zip(analysis.words, by_word, strict=True)):
        mentions = "|".join("(" * b.begins + str(b.mention.entity) + ")" * b.ends for b in brackets)
        cells = (word.text, word.xpos, None, word.lemma, None, None, None)
        middle = "\t".join("".join((cell or "-").split()) or "-" for cell in cells)
        rows.append(f"{place}\t{index}\t{middle}\t{names[index]}\t{mentions or '-'}\n")
    return "".join(rows) + "\n"
