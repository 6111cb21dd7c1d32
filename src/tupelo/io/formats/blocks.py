"""Formats with the tuples of a sentence below it: ClausIE, OpenIE 6 and MinIE."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import pairwise

from tupelo.core import Argument, Attribution, Extraction, InputError, Record, Sentence
from tupelo.core.results import is_number
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import confidence_text, join_columns, require_arguments, require_plain, split_columns
from tupelo.io.lines import Fault, Lines, number_of


def _without_headings(read: Callable[[Lines], Iterator[Record]]) -> Callable[[Lines], Iterator[Record]]:
    """A reader that yields every sentence before its tuples; only those without any, and not empty, are left."""

    @wraps(read)
    def read_records(lines: Lines) -> Iterator[Record]:
        bare: Sentence | None = None
        for record in read(lines):
            if isinstance(record, Sentence):
                if bare is not None:
                    yield bare
                bare = record if record.text else None
            else:
                bare = None
                yield record
        if bare is not None:
            yield bare

    return read_records


def _write_by_sentence(
    sentence_lines: Callable[[str, int], str], tuple_lines: Callable[[Extraction, int], str]
) -> Callable[[Iterable[Record]], Iterator[str]]:
    """A writer for formats with the tuples of a sentence below it; both functions get the number of the sentence."""

    def write(records: Iterable[Record]) -> Iterator[str]:
        current: str | None = None
        number = 0
        for record in records:
            text = record.sentence.text
            if isinstance(record, Sentence) or text != current:
                number += 1
                yield sentence_lines(text, number)
            # A tuple after a bare sentence repeats the sentence, so that the bare one stays bare.
            current = None if isinstance(record, Sentence) else text
            if isinstance(record, Extraction):
                yield tuple_lines(record, number)

    return write


@_without_headings
def _read_clausie(lines: Lines) -> Iterator[Record]:
    """ClausIE's output: a line with the sentence, then a line per tuple with its parts in quotes.

    Read as the CaRB scorer does: a line with one column sets the sentence (a blank
    line sets it to nothing), a line with five is a tuple, all others are ignored.
    """
    sentence: Sentence | None = None

    def parse(line: str) -> Record | None:
        nonlocal sentence
        columns = split_columns(line)
        if len(columns) == 1:
            sentence = Sentence(columns[0])
            return sentence
        if len(columns) != 5:
            return None
        if sentence is None:
            raise Fault("a tuple before any sentence", "a line that holds only the sentence")
        # The scorer drops the first and last character unseen; they are quotes.
        arg1, rel, arg2 = (Argument(column[1:-1]) for column in columns[1:4])
        return Extraction(sentence, rel, arg1, (arg2,), number_of(columns[4]), extractor="clausie")

    yield from filter(None, lines.values(lines, parse))


def _clausie_tuple(extraction: Extraction, number: int) -> str:
    require_arguments(extraction, "clausie", 2, 2)
    arg1, arg2 = extraction.arguments
    quoted = [f'"{part.text}"' for part in (arg1, extraction.rel, arg2)]
    return join_columns(extraction, [str(number), *quoted, confidence_text(extraction)])


def _plain_sentence(text: str, format_name: str) -> str:
    if not text.strip() or "\t" in text or "\n" in text or "\r" in text:
        raise InputError(
            f"{format_name} cannot hold the sentence {text!r}: it is blank, or holds a tab or line break"
        )
    return text


def _sniff_clausie(head: Sequence[str]) -> float:
    rows = [split_columns(line) for line in head if line.strip()]
    tuples = [row for row in rows if len(row) > 1]
    fits = [row[0].isdigit() and row[1][:1] == '"' == row[1][-1:] and is_number(row[-1]) for row in tuples]
    return sum(fits) / len(fits) if fits and len(rows[0]) == 1 else 0.0


CLAUSIE = TextFormat(
    read=_read_clausie,
    write=_write_by_sentence(lambda text, number: f"{_plain_sentence(text, 'clausie')}\n", _clausie_tuple),
    sniff=_sniff_clausie,
    **described("clausie"),
)


_OPENIE6_TUPLE = re.compile(
    r"(?P<confidence>[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)): \((?P<parts>.*)\)", re.IGNORECASE
)
_SEPARATOR = "; "


@_without_headings
def _read_openie6(lines: Lines) -> Iterator[Record]:
    """The output of OpenIE 6 and of systems built on it: a sentence, its tuples below it, a blank line.

    Written by `run.py --mode splitpredict --out FILE` of `dair-iitd/openie6`: each tuple is `confidence: (arg1;
    relation; arg2)`. The program joins with "; " and escapes nothing, so a semicolon inside a part cannot be
    distinguished from one between parts; such a tuple has one argument more, as in the file.
    """
    sentence: Sentence | None = None

    def parse(line: str) -> Record | None:
        nonlocal sentence
        line = line.strip()
        if not line or sentence is None:
            sentence = Sentence(line) if line else None
            return sentence
        found = _OPENIE6_TUPLE.fullmatch(line)
        if found is None:
            expected = "confidence: (arg1; relation; arg2), or a blank line before a sentence"
            raise Fault("a line that is no tuple", expected)
        confidence = number_of(found["confidence"])
        first, *rest = (Argument(part) for part in found["parts"].split(_SEPARATOR))
        if not rest:
            raise Fault("a tuple of one part", "arg1 and a relation at least, separated by semicolons")
        return Extraction(sentence, rest[0], first, tuple(rest[1:]), confidence, extractor="openie6")

    yield from filter(None, lines.values(lines, parse))


def _openie6_sentence(text: str, number: int) -> str:
    if not text.strip() or "\n" in text or "\r" in text:
        raise InputError(f"openie6 cannot hold the sentence {text!r}: it is blank, or holds a line break")
    return ("" if number == 1 else "\n") + text + "\n"


def _openie6_tuple(extraction: Extraction, number: int) -> str:
    parts = [part.text for part in (*extraction.arguments[:1], extraction.rel, *extraction.args)]
    joined = _SEPARATOR.join(parts)
    if extraction.arg1 is None or "\n" in joined or "\r" in joined or joined.split(_SEPARATOR) != parts:
        raise InputError(
            f"openie6 cannot hold {extraction}: a part holds a line break or a semicolon, or there is no arg1"
        )
    return f"{confidence_text(extraction)}: ({joined})\n"


def _sniff_openie6(head: Sequence[str]) -> float:
    rows = [line.strip() for line in head]
    if not rows or not rows[0] or _OPENIE6_TUPLE.fullmatch(rows[0]):
        return 0.0
    below = [row for before, row in pairwise(rows) if before and row]
    return sum(_OPENIE6_TUPLE.fullmatch(row) is not None for row in below) / len(below) if below else 0.0


OPENIE6 = TextFormat(
    read=_read_openie6,
    write=_write_by_sentence(_openie6_sentence, _openie6_tuple),
    sniff=_sniff_openie6,
    **described("openie6"),
)


_SENTENCE, _TRIPLE, _FACTUALITY = "Input sentence: ", "Triple:", "Factuality:"
_ATTRIBUTION, _NOBODY = "Attribution:", "NONE"
_RULER, _END = "=" * 29, "-" * 10
_FACTS = re.compile(r"\(([+-]),\s*(CT|PS)\)")
_POSSIBLE = "possible"


@_without_headings
def _read_minie(lines: Lines) -> Iterator[Record]:
    """MinIE's console output, as its demonstration program prints it.

    A line names the sentence; each tuple has a line with its parts in quotes and one with its factuality, (+ or - for
    negated, CT for certain or PS for possible), and whom it is attributed to. Everything else is decoration or the
    log of the program, and is skipped.
    """
    sentence: Sentence | None = None
    pending: Extraction | None = None
    for number, line in lines:
        text = line.strip()
        if not text.startswith((_SENTENCE, _TRIPLE, _FACTUALITY)):
            continue
        if text.startswith(_FACTUALITY):
            if pending is None:
                lines.fault(number, "a factuality before any tuple", f"a line that begins with {_TRIPLE}")
                continue
            pending = _with_facts(lines, number, text, pending)
            continue
        if pending is not None:
            yield pending
            pending = None
        if text.startswith(_SENTENCE):
            sentence = Sentence(text.removeprefix(_SENTENCE).strip())
            yield sentence
        elif sentence is None:
            lines.fault(number, "a tuple before any sentence", f"a line that begins with {_SENTENCE.strip()}")
        else:
            pending = _triple(lines, number, text.removeprefix(_TRIPLE), sentence)
    if pending is not None:
        yield pending


def _triple(lines: Lines, number: int, text: str, sentence: Sentence) -> Extraction | None:
    parts = text.strip().split("\t")
    if not 2 <= len(parts) <= 3 or not all(len(part) > 1 and part[0] == '"' == part[-1] for part in parts):
        lines.fault(number, f"{len(parts)} part(s)", "2 or 3, each in quotes, separated by tabs")
        return None
    subject, relation, *objects = (Argument(part[1:-1]) for part in parts)
    return Extraction(sentence, relation, subject, tuple(objects), extractor="minie")


def _with_facts(lines: Lines, number: int, text: str, extraction: Extraction) -> Extraction:
    facts, _, attribution = text.removeprefix(_FACTUALITY).partition(_ATTRIBUTION)
    found = _FACTS.fullmatch(facts.strip())
    if found is None:
        lines.fault(number, f"factuality {facts.strip()[:40]!r}", "(+,CT), (-,CT), (+,PS) or (-,PS)")
        return extraction
    who = attribution.strip()
    if who.startswith("(") and who.endswith("))"):
        # "(The mayor, (+,CT))": how sure the speaker is has no place of its own.
        who = who[1:].rpartition(", (")[0]
    speaker = None if not who or who == _NOBODY else Attribution(speaker=who)
    return replace(
        extraction, negated=found[1] == "-", modality=_POSSIBLE if found[2] == "PS" else None, attribution=speaker
    )


def _minie_tuple(extraction: Extraction, number: int) -> str:
    require_arguments(extraction, "minie", 1, 2)
    parts = [part.text for part in (extraction.arguments[0], extraction.rel, *extraction.args)]
    require_plain(extraction, parts)
    quoted = "\t".join(f'"{part}"' for part in parts)
    facts = f"({'-' if extraction.negated else '+'},{'PS' if extraction.modality == _POSSIBLE else 'CT'})"
    speaker = extraction.attribution.speaker if extraction.attribution else None
    who = f"({' '.join(speaker.split())}, (+,CT))" if speaker else _NOBODY
    return f"\t{_TRIPLE} {quoted}\t\n\t{_FACTUALITY} {facts}\t{_ATTRIBUTION} {who}\n\t{_END}\n"


MINIE = TextFormat(
    read=_read_minie,
    write=_write_by_sentence(
        lambda text, number: f"\n{_SENTENCE}{_plain_sentence(text, 'minie')}\n{_RULER}\nExtractions:\n", _minie_tuple
    ),
    sniff=lambda head: float(any(line.startswith(_SENTENCE) for line in head)),
    **described("minie"),
)
