"""Fields of the written records that a format cannot hold.

Nothing is taken from a list of promises: the records are written, read back
and compared. So a conversion either keeps the words of every tuple and names
the fields that it drops, or fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.files import split_lines
from tupelo.io.formats import ALL_FIELDS, Format, TextFormat
from tupelo.io.lines import Lines

_RECORDS_AT_ONCE = 1000


def watch_losses(records: Iterable[Record], target: Format, losses: Counter[str]) -> Iterator[Record]:
    """Pass records through to a writer and count in `losses` how many lose which field."""
    if not isinstance(target, TextFormat) or target.keeps == ALL_FIELDS:
        yield from records
        return
    passed: list[Record] = []
    for record in records:
        yield record
        passed.append(record)
        if len(passed) == _RECORDS_AT_ONCE and not target.document:
            losses.update(lost_fields(passed, target))
            passed = []
    losses.update(lost_fields(passed, target))


def writable(records: Iterable[Record], target: Format, collect: Callable[[InputError], None]) -> Iterator[Record]:
    """Leave out the records that the target cannot hold at all, and hand over why."""
    for record in records:
        try:
            if isinstance(target, TextFormat):
                for _ in target.write([record]):
                    pass
        except InputError as error:
            collect(error)
            continue
        yield record


def lost_fields(records: Sequence[Record], target: TextFormat) -> Counter[str]:
    """Number of records that lose each field when they are written together; raises when words would change."""
    text = "".join(target.write(records))
    read_back = list(target.read(Lines(split_lines(text), f"what was written as {target.name}")))
    losses: Counter[str] = Counter()
    # Some formats know a sentence by its id alone.
    key = _identifier if read_back and not any(map(_text, read_back)) else _text
    if key is _identifier:
        losses["sentence.text"] = sum(1 for record in records if _text(record))
    before, after = _in_fixed_order(records, key), _in_fixed_order(read_back, key)
    for extraction, other in zip_longest(before, after):
        if extraction is None or other is None or _words(extraction, key) != _words(other, key):
            raise InputError(f"{extraction or other} would not be read back from {target.name}")
        losses.update(_differences(extraction, other))
    there = {key(record): record for record in read_back}
    for record in records:
        if isinstance(record, Sentence):
            twin = there.get(key(record))
            losses.update(["empty sentences"] if twin is None else _sentence_differences(record, twin))
    return +losses


def carried_fields(record: Record) -> dict[str, Any]:
    """The members of `FIELDS` that a record has something in."""
    sentence = record if isinstance(record, Sentence) else record.sentence
    fields: dict[str, Any] = {
        "sentence.id": sentence.id,
        "sentence.document_id": sentence.document_id,
        "sentence.tokens": sentence.tokens,
    }
    if isinstance(record, Sentence):
        texts = [sentence.text]
        fields["empty sentences"] = True
    else:
        parts = _parts(record)
        texts = [sentence.text, *(part.text for part in parts.values())]
        fields |= {
            "roles": {name: part.role for name, part in parts.items() if part.role is not None} or None,
            "tokens": {name: part.tokens for name, part in parts.items() if part.tokens is not None} or None,
            "spans": {name: part.spans for name, part in parts.items() if part.spans is not None} or None,
            "inferred": {name: part.inferred for name, part in parts.items() if part.inferred} or None,
            "resolved": {name: part.resolved for name, part in parts.items() if part.resolved is not None} or None,
            "confidence": record.confidence,
            "negated": record.negated,
            "modality": record.modality,
            "attribution": record.attribution,
            "context": record.context and _spaced(record.context.text),
            "group": record.group,
            "extractor": record.extractor,
            "extractor_version": record.extractor_version,
            "rule": record.rule,
            "minor": record.minor or None,
        }
    fields["extra spaces"] = texts if any(text != _spaced(text) for text in texts) else None
    return {name: value for name, value in fields.items() if value is not None}


def _differences(record: Extraction, other: Extraction) -> Iterator[str]:
    if other == record:
        return
    has = carried_fields(other)
    for name, value in carried_fields(record).items():
        if isinstance(value, Mapping):
            # A part that is gone, such as the context, is counted under its own name.
            kept = has.get(name) or {}
            there = _parts(other)
            if any(kept.get(part) != item for part, item in value.items() if part in there):
                yield name
        elif has.get(name) != value:
            yield name


def _sentence_differences(sentence: Sentence, other: Record) -> Iterator[str]:
    has = carried_fields(other)
    for name, value in carried_fields(sentence).items():
        if name.startswith("sentence.") and has.get(name) != value:
            yield name


def _parts(extraction: Extraction) -> dict[str, Argument]:
    parts = {"rel": extraction.rel}
    parts |= {f"arg{number}": part for number, part in enumerate(extraction.arguments, start=1)}
    if extraction.context is not None:
        parts["context"] = extraction.context
    return parts


def _in_fixed_order(records: Iterable[Record], key: Callable[[Record], str]) -> list[Extraction]:
    """The tuples in an order that does not depend on how a format gathers them."""
    extractions = [record for record in records if isinstance(record, Extraction)]
    return sorted(extractions, key=lambda extraction: _words(extraction, key))


def _text(record: Record) -> str:
    return _spaced((record if isinstance(record, Sentence) else record.sentence).text)


def _identifier(record: Record) -> str:
    return (record if isinstance(record, Sentence) else record.sentence).id or ""


def _words(extraction: Extraction, key: Callable[[Record], str]) -> tuple[str, ...]:
    return (key(extraction), *[_spaced(part.text) for part in (extraction.rel, *extraction.arguments)])


# Sentences come again and again.
@lru_cache(maxsize=1000)
def _spaced(text: str) -> str:
    return " ".join(text.split())
