"""What a format cannot hold of the very records that are written in it.

Nothing is taken from a list of promises: the records are written, read back
and compared. So a conversion either keeps the words of every tuple and names
the fields that it drops, or fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    """How many of the records lose each field when they are written together; raises when words would change."""
    text = "".join(target.write(records))
    read_back = list(target.read(Lines(split_lines(text), f"what was written as {target.name}")))
    losses: Counter[str] = Counter()
    # Some formats know a sentence by its id alone.
    key = _identifier if read_back and not any(map(_text, read_back)) else _text
    if key is _identifier:
        losses["sentence.text"] = sum(1 for record in records if _text(record))
    found = _by_sentence(read_back, key)
    for sentence, extractions in _by_sentence(records, key).items():
        others = found.get(sentence, [])
        if list(map(_words, extractions)) != list(map(_words, others)):
            changed = next((a for a, b in zip(extractions, others, strict=False) if _words(a) != _words(b)), None)
            raise InputError(f"{changed or (extractions or others)[0]} would not be read back from {target.name}")
        for extraction, other in zip(extractions, others, strict=True):
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
            "roles": _known({name: part.role for name, part in parts.items()}),
            "tokens": _known({name: part.tokens for name, part in parts.items()}),
            "spans": _known({name: part.spans for name, part in parts.items()}),
            "inferred": _known({name: part.inferred or None for name, part in parts.items()}),
            "resolved": _known({name: part.resolved for name, part in parts.items()}),
            "confidence": record.confidence,
            "negated": record.negated,
            "modality": record.modality,
            "attribution": record.attribution,
            "context": record.context and _spaced(record.context.text),
            "group": record.group,
            "extractor": record.extractor,
            "extractor_version": record.extractor_version,
            "rule": record.rule,
        }
    fields["extra spaces"] = texts if any(text != _spaced(text) for text in texts) else None
    return _known(fields) or {}


def _differences(record: Extraction, other: Extraction) -> Iterator[str]:
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


def _known(values: Mapping[str, Any]) -> dict[str, Any] | None:
    return {name: value for name, value in values.items() if value is not None} or None


def _by_sentence(records: Iterable[Record], key: Callable[[Record], str]) -> dict[str, list[Extraction]]:
    """The tuples of each sentence in an order that does not depend on how a format gathers them."""
    sentences: dict[str, list[Extraction]] = {}
    for record in records:
        if isinstance(record, Extraction):
            sentences.setdefault(key(record), []).append(record)
    for extractions in sentences.values():
        extractions.sort(key=_words)
    return sentences


def _text(record: Record) -> str:
    return _spaced((record if isinstance(record, Sentence) else record.sentence).text)


def _identifier(record: Record) -> str:
    return (record if isinstance(record, Sentence) else record.sentence).id or ""


def _words(extraction: Extraction) -> tuple[str, ...]:
    return tuple(_spaced(part.text) for part in (extraction.rel, *extraction.arguments))


def _spaced(text: str) -> str:
    return " ".join(text.split())
