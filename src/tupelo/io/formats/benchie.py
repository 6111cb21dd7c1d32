"""BenchIE's gold: facts as clusters of triples that state the same thing.

    sent_id:7 ⇥ The old mill burned down in May .
    7--> Cluster 1:
    [The] [old] mill --> burned down in --> May
    [The] [old] mill --> burned down --> in May

Lines are stripped and classified in this order: one with `sent_id:` begins a sentence; one with ` --> ` is a triple;
an empty one ends the sentence; one with the word `Cluster` begins a cluster, whatever else it says.

The original program counts sentences and blocks separately and pairs them by position, so that a surplus or missing
empty line gives all later facts to the wrong sentences. Here a block belongs to the `sent_id` above it. Both readings
agree on every file with exactly one empty line between sentences; any other file is refused, because its official
figures would mean nothing.

Any other line within a cluster is a slip of the annotator (the published Chinese file has one). It is kept as a
relation without arguments, which no triple can match; so is a cluster without any line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import column_format, require_arguments, rows_fit
from tupelo.io.lines import Lines

SENTENCE_MARK = "sent_id:"
CLUSTER_MARK = "Cluster"
ARROW = " --> "
_BREAKS = "\t\n\r"
_SENTENCE_LINE = f"'{SENTENCE_MARK}', an id, a tab and the sentence"


class _Line(NamedTuple):
    number: int
    text: str


def read(lines: Lines) -> Iterator[Record]:
    seen: set[str] = set()
    for header, body in _blocks(lines):
        name, tab, text = header.text.partition(SENTENCE_MARK)[2].partition("\t")
        if not tab or not name.strip():
            lines.fault(header.number, "a sentence line without id or without tab", _SENTENCE_LINE)
        elif name in seen:
            lines.fault(header.number, f"sentence id '{name}' for the second time", "each id once")
        else:
            seen.add(name)
            yield from _facts(lines, Sentence(text, id=name), body)


def _blocks(lines: Lines) -> Iterator[tuple[_Line, list[_Line]]]:
    """The line that begins a sentence, with the lines of its clusters."""
    header: _Line | None = None
    body: list[_Line] = []
    empty = 0
    for number, raw in lines:
        line = raw.strip()
        if SENTENCE_MARK in line:
            if header is not None:
                yield header, body
            if empty != (header is not None):
                expected = (
                    "none" if header is None else "exactly one, because sentences and clusters are paired by it"
                )
                lines.fault(number, f"{empty} empty line(s) before this sentence", expected)
            header, body, empty = _Line(number, line), [], 0
        elif not line:
            empty += 1
        elif header is None or empty:
            lines.fault(number, "a line outside of any sentence", _SENTENCE_LINE, "An empty line ends a sentence.")
        else:
            body.append(_Line(number, line))
    if header is not None:
        yield header, body


def _facts(lines: Lines, sentence: Sentence, body: Sequence[_Line]) -> Iterator[Record]:
    cluster = 0
    is_empty = False

    def group() -> str:
        return f"{sentence.id}/{cluster}"

    for number, line in body:
        if ARROW not in line and CLUSTER_MARK in line:
            if is_empty:
                yield Extraction(sentence, Argument(""), group=group())
            cluster += 1
            is_empty = True
        elif not cluster:
            lines.fault(number, "a triple before the first cluster", f"a line such as '{sentence.id}--> Cluster 1:'")
        elif ARROW not in line:
            yield Extraction(sentence, Argument(line), group=group())
            is_empty = False
        else:
            slots = line.split(ARROW)
            if len(slots) != 3:
                lines.fault(
                    number, f"{len(slots)} slot(s)", f"subject, relation and object with '{ARROW}' between them"
                )
                continue
            subject, relation, object_ = map(Argument, slots)
            yield Extraction(sentence, relation, subject, (object_,), group=group())
            is_empty = False
    if is_empty:
        yield Extraction(sentence, Argument(""), group=group())
    elif not cluster:
        yield sentence


def write(records: Iterable[Record]) -> Iterator[str]:
    sentences: dict[str, Sentence] = {}
    clusters: dict[str, dict[str | int, list[Extraction]]] = {}
    for count, record in enumerate(records):
        sentence = record.sentence
        name = _plain_id(sentence)
        if sentences.setdefault(name, sentence) != sentence:
            raise InputError(f"two different sentences have the id '{name}', but benchie-gold holds each id once")
        facts = clusters.setdefault(name, {})
        if isinstance(record, Extraction):
            # A tuple that belongs to no cluster states a fact of its own.
            facts.setdefault(count if record.group is None else record.group, []).append(record)
    for position, (name, facts) in enumerate(clusters.items()):
        yield "\n" if position else ""
        yield f"{SENTENCE_MARK}{name}\t{sentences[name].text}\n"
        for number, cluster in enumerate(facts.values(), start=1):
            yield f"{name}--> {CLUSTER_MARK} {number}:\n"
            yield from map(_line_of, cluster)


def _plain_id(sentence: Sentence) -> str:
    if not sentence.id or sentence.id != sentence.id.strip():
        raise InputError(f"the sentence '{sentence}' has no plain id, which benchie-gold needs")
    if not sentence.text.strip() or any(mark in sentence.id + sentence.text for mark in _BREAKS):
        raise InputError(f"the text of sentence '{sentence.id}' is empty or has a tab or line break")
    return sentence.id


def _line_of(extraction: Extraction) -> str:
    if extraction.arg1 is None:
        slots = [extraction.rel.text]
        is_safe = CLUSTER_MARK not in slots[0]
    else:
        require_arguments(extraction, "benchie-gold", 2, 2)
        subject, object_ = extraction.arguments
        slots = [subject.text, extraction.rel.text, object_.text]
        is_safe = True
    line = ARROW.join(slots)
    # As the reader would see it.
    is_safe = is_safe and line.strip().split(ARROW) == slots and SENTENCE_MARK not in line
    if not is_safe or any(mark in line for mark in _BREAKS):
        raise InputError(f"{extraction} would not be read back from a line of benchie-gold")
    return f"{line}\n" if line else ""


def sniff(head: Sequence[str]) -> float:
    first = next((line for line in head if line.strip()), "")
    return 1.0 if SENTENCE_MARK in first else 0.0


BENCHIE_GOLD = TextFormat(read=read, write=write, sniff=sniff, **described("benchie-gold"))


def _with_id(extraction: Extraction) -> list[str]:
    if extraction.sentence.id is None:
        raise InputError(f"the sentence of {extraction} has no id, which benchie needs")
    subject, object_ = extraction.arguments
    return [extraction.sentence.id, subject.text, extraction.rel.text, object_.text]


# System files: triples of sentences that are known by their id only. Read as the BenchIE scorer does: the whole line
# stripped, then split at tabs; columns after the fourth are ignored.
BENCHIE = column_format(
    render=_with_id, sniff=rows_fit(0.95, lambda row: len(row) == 4 and row[0].isdigit()), **described("benchie")
)
