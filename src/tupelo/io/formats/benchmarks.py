"""The columns of CaRB, LSOIE and OIE2016: the tabbed form of system output, and the gold files.

CaRB's are read as its scorer does. In its gold, an argument with `C: ` in it is not an argument but the context in
which the tuple holds; `T: ` and `L: ` stay in the text, because the scorer counts them as words.

OIE2016 has parts with token numbers (`.oie`), plain gold tuples (`.oie.orig`), a first release, and labelled tokens
(`.oie.conll`). The `.oie` files were written by Python 2, whose strings are bytes: a run of `\\x` escapes that is
valid UTF-8 is read as the characters it stands for. A `.oie.conll` file has a block per tuple and a line per token,
with labels in the last column. The words of the relation are those of the `pred` column, which may hold an auxiliary
that the labels leave out; everything else comes from the labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.core.results import is_number
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import Parts, column_format, counts_spaced_tokens, require_plain, rows_fit
from tupelo.io.lines import Fault, Lines

CONTEXT_MARK = "C: "
_ROLES = {"T: ": "time", "L: ": "location"}
# Confidences that people write and that are no numbers for a program. Taken for the layout of `tab`, the file is
# refused with the line; as `carb` it would be read, with confidences for relations.
_CONFIDENCE = re.compile(
    r"(?:very[ _-]?)?(?:high|medium|low)|certain|uncertain|unknown|n/?a|none|null|\d*,\d+|[\d.,]+ ?%", re.I
)


def looks_like_gold(row: Sequence[str]) -> bool:
    return len(row) >= 2 and " " in row[0] and not any(is_number(column) for column in row[:2])


def _looks_like_tabbed(row: Sequence[str]) -> bool:
    if len(row) < 3 or is_number(row[0]):
        return False
    return is_number(row[1]) or (len(row) > 3 and _CONFIDENCE.fullmatch(row[1].strip()) is not None)


def _gold_parts(row: Sequence[str], sentence: str) -> Parts:
    arguments, contexts = [], []
    for column in row[2:]:
        if CONTEXT_MARK in column:
            contexts.append(column.lstrip().removeprefix(CONTEXT_MARK).strip())
        else:
            text = column.strip()
            arguments.append(Argument(text, _ROLES.get(text[:3])))
    context = " ".join(contexts)
    return Parts(Argument(row[1].strip()), arguments, Argument(context) if context else None)


def _gold_fields(extraction: Extraction) -> Sequence[str]:
    texts = [argument.text for argument in extraction.arguments]
    for text in texts:
        if CONTEXT_MARK in text:
            raise InputError(f"an argument of {extraction} contains '{CONTEXT_MARK}', which marks a context in CaRB")
    context = extraction.context
    if context is not None and context.text.strip():
        texts.append(CONTEXT_MARK + context.text)
    return [extraction.sentence.text, extraction.rel.text, *texts]


def _stripped_parts(row: Sequence[str], sentence: str) -> Parts:
    # The sentence alone is not stripped; the scorer finds it by this very text.
    relation, *arguments = (Argument(column.strip()) for column in row[1:])
    return Parts(relation, arguments)


def _sniff_lsoie(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [row[0].endswith(" ") and CONTEXT_MARK not in "\t".join(row) and looks_like_gold(row) for row in rows]
    # The space after the sentence is all that distinguishes it from `carb`.
    return 0.6 if fits and all(fits) else 0.0


TAB = column_format(sniff=rows_fit(0.9, _looks_like_tabbed), **described("tab"))

# The twins of this layout look the same; CaRB stands for them all.
CARB = column_format(
    parse=_gold_parts, render=_gold_fields, sniff=rows_fit(0.5, looks_like_gold), **described("carb")
)

# Detected below its twin `carb`, so that detection has one winner.
BENCHMARKGOLD = column_format(
    parse=_stripped_parts, sniff=rows_fit(0.4, looks_like_gold), **described("benchmarkgold")
)

LSOIE = column_format(sniff=_sniff_lsoie, **described("lsoie"))


_PART = re.compile(
    r"""\(u?(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"), ?\[((?:[0-9]{1,9}(?:, ?[0-9]{1,9})*)?)\]\)"""
)
_NUMBER = re.compile("[0-9]+")
_BYTES = re.compile(r"(?:\\x[89a-fA-F][0-9a-fA-F])+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


# Other layouts have arg1 in the third column; it repeats the column before it only by accident.
_HEADS_IN_PREDICATES = 0.7


def _parts(row: Sequence[str], sentence: str) -> Parts:
    size = len(sentence.split(" "))
    rel, *arguments = (_parse_part(column, size) for column in row[1:])
    return Parts(rel, arguments)


def _fields(extraction: Extraction) -> Sequence[str]:
    parts = (_part_text(part, extraction.sentence) for part in (extraction.rel, *extraction.arguments))
    return [extraction.sentence.text, *parts]


def _parse_part(column: str, size: int) -> Argument:
    found = _PART.fullmatch(column)
    if found is None:
        shown = column if len(column) <= 40 else column[:40] + "…"
        raise Fault(f"part {shown!r}", "text and token numbers, such as ('said', [3])")
    tokens = tuple(int(index) for index in _NUMBER.findall(found[3]))
    if tokens and max(tokens) >= size:
        raise Fault(f"token number {max(tokens)} in a sentence of {size} tokens", f"0 to {size - 1}")
    # An empty list says nothing about the place of the words.
    return Argument(_unescape(found[1] if found[1] is not None else found[2]), tokens=tokens or None)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_character, _BYTES.sub(_characters_of_bytes, text))


def _characters_of_bytes(found: re.Match[str]) -> str:
    data = bytes.fromhex(found[0].replace("\\x", ""))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def _character(found: re.Match[str]) -> str:
    if found[4] is not None:
        # Python keeps an escape that it does not know as it is.
        return _SIMPLE_ESCAPES.get(found[4], found[0])
    code = int(found[1] or found[2] or found[3], 16)
    if 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        raise Fault(f"escape {found[0]}", "the code of a character")
    return chr(code)


def _part_text(part: Argument, sentence: Sentence) -> str:
    tokens = part.tokens or ()
    if not counts_spaced_tokens(sentence) or any(index >= len(sentence.text.split(" ")) for index in tokens):
        tokens = ()
    return f"({part.text!r}, {list(tokens)!r})"


def _sniff(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [len(row) >= 2 and _PART.fullmatch(row[1]) is not None for row in rows]
    return sum(fits) / len(fits) if fits else 0.0


def _snapshot_fields(extraction: Extraction) -> Sequence[str]:
    rel = extraction.rel.text
    return [extraction.sentence.text, rel, rel, *(part.text for part in extraction.arguments)]


def _sniff_snapshot(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [len(row) >= 3 and looks_like_gold(row) and row[1] in [*row[2].split(" "), row[2]] for row in rows]
    return 0.8 if fits and sum(fits) / len(fits) >= _HEADS_IN_PREDICATES else 0.0


OIE2016 = column_format(parse=_parts, render=_fields, sniff=_sniff, **described("oie2016"))

# The form that OIE2016's scorer should be given. Read as that scorer does: white space (ASCII only) is cut from the
# ends of the line, fields keep theirs, and no argument is special.
# Looks like CaRB's gold, which is far more common and therefore goes first.
ORIG = column_format(
    sniff=rows_fit(0.4, lambda row: len(row) >= 2 and " " in row[0] and not is_number(row[1])),
    **described("oie2016-orig"),
)

SNAPSHOT = column_format(render=_snapshot_fields, sniff=_sniff_snapshot, **described("oie2016-snapshot"))


_HEADER = "word_id\tword\tpred\tpred_id\thead_pred_id\tsent_id\trun_id\tlabel"
_LABEL = re.compile(r"O|(P|A[0-9]{1,4})-[BI]")
_UNKNOWN = "-"

_Row = tuple[int, list[str]]


def read(lines: Lines) -> Iterator[Record]:
    blocks = (
        [(number, line.split("\t")) for number, line in block]
        for is_between, block in groupby(lines, key=lambda row: not row[1].strip() or row[1].startswith("word_id\t"))
        if not is_between
    )
    return lines.values(((block[0][0], block) for block in blocks), _parse_block)


def _parse_block(block: Sequence[_Row]) -> Extraction:
    words: list[str] = []
    places: dict[str, list[int]] = {}
    first_number, first = block[0]
    for position, (number, columns) in enumerate(block):
        if len(columns) != 8:
            raise Fault(f"{len(columns)} field(s)", "8, separated by tabs", line=number)
        if columns[0] != str(position):
            raise Fault(f"word_id {columns[0]!r}", f"{position}, counted within the block", line=number)
        if columns[2:7] != first[2:7]:
            raise Fault(
                "another predicate, sentence or run", "that of the block, or a blank line before", line=number
            )
        label = _LABEL.fullmatch(columns[7])
        if label is None:
            raise Fault(f"label {columns[7][:20]!r}", "O, or P or A0, A1 … with -B or -I", line=number)
        if label[1] is not None:
            places.setdefault(label[1], []).append(position)
        words.append(columns[1])
    if "P" not in places:
        raise Fault("no token labelled P", "a predicate in every block", line=first_number)
    tokens = places.pop("P")
    arguments = [
        Argument(" ".join(words[i] for i in places[label]), tokens=tuple(places[label]))
        for label in sorted(places, key=lambda label: int(label[1:]))
    ]
    return Extraction(
        Sentence(" ".join(words), None if first[5] == _UNKNOWN else first[5], tokens=tuple(words)),
        Argument(first[2], tokens=tuple(tokens)),
        arguments[0] if arguments else None,
        tuple(arguments[1:]),
    )


def write(records: Iterable[Record]) -> Iterator[str]:
    yield _HEADER + "\n"
    run = 0
    for record in records:
        if isinstance(record, Sentence):
            continue
        yield _block_text(record, run)
        run += 1


def _block_text(extraction: Extraction, run: int) -> str:
    sentence = extraction.sentence
    words = sentence.text.split(" ")
    if sentence.tokens is not None and list(sentence.tokens) != words:
        raise InputError(f"the sentence of {extraction} is not its tokens with single spaces between them")
    labels = ["O"] * len(words)
    parts = [("P", extraction.rel), *((f"A{i}", part) for i, part in enumerate(extraction.arguments))]
    for label, part in parts:
        for index in _tokens_of(part, label, words, extraction):
            if labels[index] != "O":
                raise InputError(f"two parts of {extraction} share token {index}, which oie2016-conll cannot hold")
            labels[index] = f"{label}-B" if index == min(part.tokens or ()) else f"{label}-I"
    tokens = extraction.rel.tokens or ()
    columns = [extraction.rel.text, str(list(tokens)), str(tokens[-1]), sentence.id or _UNKNOWN, str(run)]
    rows = [
        [str(position), word, *columns, label]
        for position, (word, label) in enumerate(zip(words, labels, strict=True))
    ]
    return "\n".join(require_plain(extraction, row) for row in rows) + "\n\n"


def _tokens_of(part: Argument, label: str, words: Sequence[str], extraction: Extraction) -> Sequence[int]:
    tokens = part.tokens or ()
    if not tokens or list(tokens) != sorted(set(tokens)) or tokens[-1] >= len(words):
        raise InputError(f"a part of {extraction} has no place in the sentence, which oie2016-conll needs")
    if label != "P" and " ".join(words[index] for index in tokens) != part.text:
        raise InputError(f"the words of an argument of {extraction} are not its tokens")
    return tokens


def sniff(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [row == _HEADER.split("\t") or (len(row) == 8 and row[0].isdigit()) for row in rows]
    return float(bool(fits) and all(fits) and _LABEL.fullmatch(rows[-1][-1]) is not None)


CONLL = TextFormat(read=read, write=write, sniff=sniff, **described("oie2016-conll"))
