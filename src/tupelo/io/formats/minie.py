"""MinIE's console output, as its demonstration program prints it.

A line names the sentence; each tuple has a line with its parts in quotes and
one with its factuality, (+ or - for negated, CT for certain or PS for
possible), and whom it is attributed to. Everything else is decoration or the
log of the program, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tupelo.core import Argument, Attribution, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat, write_by_sentence
from tupelo.io.formats.columns import require_plain
from tupelo.io.lines import Lines

_SENTENCE, _TRIPLE, _FACTUALITY = "Input sentence: ", "Triple:", "Factuality:"
_ATTRIBUTION, _NOBODY = "Attribution:", "NONE"
_RULER, _END = "=" * 29, "-" * 10
_FACTS = re.compile(r"\(([+-]),\s*(CT|PS)\)")
_POSSIBLE = "possible"


def read(lines: Lines) -> Iterator[Record]:
    sentence: Sentence | None = None
    is_bare = False
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
            if is_bare and sentence is not None:
                yield sentence
            sentence, is_bare = Sentence(text.removeprefix(_SENTENCE).strip()), True
        elif sentence is None:
            lines.fault(number, "a tuple before any sentence", f"a line that begins with {_SENTENCE.strip()}")
        else:
            pending = _triple(lines, number, text.removeprefix(_TRIPLE), sentence)
            is_bare = is_bare and pending is None
    if pending is not None:
        yield pending
    if is_bare and sentence is not None:
        yield sentence


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


def _sentence_lines(text: str, number: int) -> str:
    if not text.strip() or "\t" in text or "\n" in text or "\r" in text:
        raise InputError(f"minie cannot hold the sentence {text!r}: it is blank, or holds a tab or line break")
    return f"\n{_SENTENCE}{text}\n{_RULER}\nExtractions:\n"


def _tuple_lines(extraction: Extraction, number: int) -> str:
    if extraction.arg1 is None or len(extraction.args) > 1:
        raise InputError(f"{extraction} has {len(extraction.arguments)} argument(s), but minie holds 1 or 2")
    parts = [part.text for part in (extraction.arg1, extraction.rel, *extraction.args)]
    quoted = "\t".join(f'"{part}"' for part in require_plain(extraction, parts))
    facts = f"({'-' if extraction.negated else '+'},{'PS' if extraction.modality == _POSSIBLE else 'CT'})"
    speaker = extraction.attribution.speaker if extraction.attribution else None
    who = f"({' '.join(speaker.split())}, (+,CT))" if speaker else _NOBODY
    return f"\t{_TRIPLE} {quoted}\t\n\t{_FACTUALITY} {facts}\t{_ATTRIBUTION} {who}\n\t{_END}\n"


def sniff(head: Sequence[str]) -> float:
    return float(any(line.startswith(_SENTENCE) for line in head))


FORMAT = TextFormat(
    name="minie",
    title="MinIE",
    layout='Input sentence: sentence ⏎ Triple: "arg1" ⇥ "relation" ⇥ "arg2" ⏎ Factuality: (+,CT) ⇥ Attribution: NONE',
    sample="minie.txt",
    keeps=frozenset({"empty sentences", "negated"}),
    read=read,
    write=write_by_sentence(_sentence_lines, _tuple_lines),
    sniff=sniff,
    notes=(
        "What MinIE's demonstration program prints; its other program prints no sentences. (-,CT) is a negated "
        "tuple, PS the modality `possible`. Of an attribution only the speaker is kept. Other lines are passed over."
    ),
    min_arguments=1,
    max_arguments=2,
)
