"""OIE2016's `.oie.conll` files: a block per tuple, a line per token, labels in the last column.

The relation's words are those of the `pred` column, which may hold an
auxiliary that the labels leave out; everything else comes from the labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.columns import require_plain
from tupelo.io.lines import Fault, Lines

_HEADER = "word_id\tword\tpred\tpred_id\thead_pred_id\tsent_id\trun_id\tlabel"
_LABEL = re.compile(r"O|(P|A[0-9]{1,4})-[BI]")
_UNKNOWN = "-"

_Row = tuple[int, list[str]]


def read(lines: Lines) -> Iterator[Record]:
    blocks = (
        [(number, line.split("\t")) for number, line in block]
        for is_tuple, block in groupby(lines, key=lambda row: not _is_between(row[1]))
        if is_tuple
    )
    for _, extraction in lines.parsed(((block[0][0], block) for block in blocks), _parse_block):
        yield extraction


def _is_between(line: str) -> bool:
    return not line.strip() or line.startswith("word_id\t")


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


FORMAT = TextFormat(
    name="oie2016-conll",
    title="OIE2016 token labels (.oie.conll)",
    layout="word_id ⇥ word ⇥ pred ⇥ pred_id ⇥ head_pred_id ⇥ sent_id ⇥ run_id ⇥ label; a blank line after each tuple",
    sample="oie2016_conll.conll",
    keeps=frozenset({"tokens", "sentence.id", "sentence.tokens"}),
    read=read,
    write=write,
    sniff=sniff,
    notes=(
        "Needs a place in the sentence for every part, and no token in two parts; the words of an argument are its "
        "tokens. Arguments are numbered A0, A1 … in order; a gap in the numbers is closed. head_pred_id is not kept: "
        f"the last token of the relation is written. '{_UNKNOWN}' stands for an unknown sent_id."
    ),
)
