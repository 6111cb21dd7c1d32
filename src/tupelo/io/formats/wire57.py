"""WiRe57: the system file, and the gold.

The system file is one JSON object with the tuples of several systems, by sentence id. The gold is one JSON object of
documents, their sentences, and tuples with word positions. A part of a tuple has `words` and, word by word,
`words_indexes`: the number of a token; a list whose first item is that number (the second tells how far the word is
from the others); or `"inf"` for an inferred word, which is not in the sentence. The annotators' `text` may hold
several variants and is not read; nor are the attribution column and the forms after coreference resolution.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.json_items import object_items
from tupelo.io.lines import Fault, Lines

INFERRED = "inf"
FURTHER = "arg3+"
_PARTS = ("arg1", "rel", "arg2")


def _read_gold(lines: Lines) -> Iterator[Record]:
    seen: set[str] = set()
    for number, document, sentences in object_items(lines):
        if not isinstance(sentences, list):
            lines.fault(number, f"document '{document}' without a list", "a list of sentences")
            continue
        for item in sentences:
            try:
                records = _parse_sentence(document, item)
                sentence = records[0] if isinstance(records[0], Sentence) else records[0].sentence
                if sentence.id in seen:
                    raise Fault(f"sentence id '{sentence.id}' for the second time", "each id once")
            except Fault as fault:
                lines.fault(number, *fault.args)
                continue
            if sentence.id is not None:
                seen.add(sentence.id)
            yield from records


def _parse_sentence(document: str, item: Any) -> Sequence[Record]:
    if not isinstance(item, dict) or not isinstance(item.get("sent"), str):
        raise Fault(f"document '{document}': a sentence without 'sent'", "an object with id, sent, tokens and tuples")
    name: Any = item.get("id")
    tokens: Any = item.get("tokens")
    tuples: Any = item.get("tuples")
    where = f"sentence {name!r}"
    if not isinstance(name, (str, type(None))):
        raise Fault(f"{where}: an id that is no string", "a string")
    if tokens is not None and not _is_list_of(str, tokens):
        raise Fault(f"{where}: 'tokens' that is no list of strings", "the words of the sentence")
    if not _is_list_of(dict, tuples):
        raise Fault(f"{where}: no list of objects in 'tuples'", "a list of tuples")
    # The empty name stands for no document, because every sentence must be in one.
    sentence = Sentence(item["sent"], name, document or None, None if tokens is None else tuple(tokens))
    return [_parse_tuple(sentence, where, value) for value in tuples] or [sentence]


def _parse_tuple(sentence: Sentence, where: str, value: dict[str, Any]) -> Extraction:
    further = value.get(FURTHER, [])
    if not isinstance(further, list):
        raise Fault(f"{where}: '{FURTHER}' is no list", "a list of parts")
    parts = [(key, value.get(key)) for key in _PARTS] + [(FURTHER, part) for part in further]
    arg1, rel, *args = [_parse_part(sentence, f"{where}, {key}", part) for key, part in parts]
    return Extraction(sentence, rel, arg1, tuple(args))


def _parse_part(sentence: Sentence, where: str, part: Any) -> Argument:
    fields = part if isinstance(part, dict) else {}
    words: Any = fields.get("words")
    indexes: Any = fields.get("words_indexes")
    if not _is_list_of(str, words) or any(word.split() != [word] for word in words):
        raise Fault(f"{where}: no list of words in 'words'", "a list of strings without white space")
    if not isinstance(indexes, list) or len(indexes) != len(words):
        raise Fault(f"{where}: 'words_indexes' does not fit 'words'", f"a list of {len(words)} item(s)")
    numbers = [index[0] if isinstance(index, list) and index else index for index in indexes]
    known = [number for number in numbers if number not in (INFERRED, None)]
    size = None if sentence.tokens is None else len(sentence.tokens)
    for number in known:
        if type(number) is not int or number < 0 or (size is not None and number >= size):
            raise Fault(f"{where}: index {json.dumps(number)[:40]}", f'the number of a token, or "{INFERRED}"')
    is_complete = bool(numbers) and None not in numbers
    inferred = tuple([position for position, number in enumerate(numbers) if number == INFERRED])
    return Argument(" ".join(words), tokens=tuple(known) if is_complete else None, inferred=inferred)


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _write_gold(records: Iterable[Record]) -> Iterator[str]:
    documents: dict[str, dict[Sentence, list[dict[str, Any]]]] = {}
    for record in records:
        sentence = record if isinstance(record, Sentence) else record.sentence
        tuples = documents.setdefault(sentence.document_id or "", {}).setdefault(sentence, [])
        if isinstance(record, Extraction):
            tuples.append(_value_of(record))
    _require_single_ids(documents.values())
    yield "{"
    for position, (document, sentences) in enumerate(documents.items()):
        yield f"{',' if position else ''}\n{json.dumps(document, ensure_ascii=False)}: ["
        items = [_item_of(sentence, tuples) for sentence, tuples in sentences.items()]
        yield ",".join(f"\n  {json.dumps(item, ensure_ascii=False)}" for item in items)
        yield "\n]"
    yield "\n}\n"


def _require_single_ids(documents: Iterable[Iterable[Sentence]]) -> None:
    seen: set[str] = set()
    for document in documents:
        for sentence in document:
            if sentence.id in seen:
                raise InputError(
                    f"two different sentences have the id '{sentence.id}', but wire57-gold holds it once"
                )
            if sentence.id is not None:
                seen.add(sentence.id)


def _item_of(sentence: Sentence, tuples: list[dict[str, Any]]) -> dict[str, Any]:
    tokens = None if sentence.tokens is None else list(sentence.tokens)
    return {"id": sentence.id, "sent": sentence.text, "tokens": tokens, "tuples": tuples}


def _value_of(extraction: Extraction) -> dict[str, Any]:
    if extraction.arg1 is None or not extraction.args:
        raise InputError(f"{extraction} has {len(extraction.arguments)} argument(s), but wire57-gold needs 2 or more")
    second, *further = [_part_of(argument, extraction.sentence) for argument in extraction.args]
    return {
        "arg1": _part_of(extraction.arg1, extraction.sentence),
        "rel": _part_of(extraction.rel, extraction.sentence),
        "arg2": second,
        FURTHER: further,
    }


def _part_of(argument: Argument, sentence: Sentence) -> dict[str, Any]:
    words = argument.text.split()
    is_inferred = [position in argument.inferred for position in range(len(words))]
    tokens = argument.tokens or ()
    # One token per word that is in the sentence; otherwise nobody can say which belongs to which.
    fits = len(tokens) == is_inferred.count(False)
    if sentence.tokens is not None and any(token >= len(sentence.tokens) for token in tokens):
        fits = False
    places = iter(tokens if fits else [None] * len(words))
    indexes = [INFERRED if inferred else next(places) for inferred in is_inferred]
    return {"text": argument.text, "words": words, "words_indexes": indexes}


def _sniff_gold(head: Sequence[str]) -> float:
    text = "\n".join(head).lstrip()
    # A long first sentence may fill all the lines that are looked at.
    is_gold = '"words_indexes"' in text or ('"sent"' in text and '"tokens"' in text)
    return float(text.startswith("{") and is_gold)


WIRE57_GOLD = TextFormat(
    name="wire57-gold",
    title="WiRe57 gold",
    layout=(
        '{"document": [{"id": …, "sent": …, "tokens": […], "tuples": [{"arg1": {"words": […], "words_indexes": […]}, '
        '"rel": …, "arg2": …, "arg3+": […]}, …]}, …], …}'
    ),
    sample="wire57_gold.json",
    keeps=frozenset(
        {"sentence.id", "sentence.document_id", "sentence.tokens", "empty sentences", "tokens", "inferred"}
    ),
    read=_read_gold,
    write=_write_gold,
    sniff=_sniff_gold,
    document=True,
    notes=(
        'Words are joined with single spaces. The index "inf" marks an inferred word; null, which only Tupelo '
        "writes, one whose place is not known. Attribution and the forms after coreference resolution are not "
        "read. The document named by the empty string stands for none."
    ),
    min_arguments=2,
)


def _read_system(lines: Lines) -> Iterator[Record]:
    seen: set[str] = set()
    for number, name, tuples in object_items(lines):
        if name in seen:
            lines.fault(number, f"sentence id '{name}' for the second time", "each id once")
            continue
        seen.add(name)
        if not isinstance(tuples, list):
            lines.fault(number, f"sentence '{name}' without a list", "a list of tuples")
            continue
        sentence = Sentence("", id=name)
        if not tuples:
            yield sentence
        for value in tuples:
            try:
                extraction = _parse_system_tuple(sentence, value)
            except Fault as fault:
                found, expected, _ = fault.args
                lines.fault(number, f"sentence '{name}': {found}", expected)
                continue
            yield extraction


def _parse_system_tuple(sentence: Sentence, value: Any) -> Extraction:
    if not isinstance(value, dict):
        raise Fault("a tuple that is no object", "an object with arg1, rel and arg2")
    for key in _PARTS:
        if not isinstance(value.get(key), str):
            raise Fault(f"no text in '{key}'", "arg1, rel and arg2 as strings")
    further = value.get(FURTHER, [])
    if not isinstance(further, list) or not all(isinstance(text, str) for text in further):
        raise Fault(f"'{FURTHER}' is no list of strings", "a list of strings")
    if not isinstance(value.get("extractor"), (str, type(None))):
        raise Fault("'extractor' is no string", "the name of a system")
    return Extraction(
        sentence,
        Argument(value["rel"]),
        Argument(value["arg1"]),
        tuple([Argument(text) for text in (value["arg2"], *further)]),
        confidence=_parse_score(value.get("score")),
        extractor=value.get("extractor"),
    )


def _parse_score(score: Any) -> float | None:
    if score is None:
        return None
    is_number = type(score) in (int, float) and score == score  # NaN differs from itself
    # An integer may have hundreds of digits.
    if not is_number or (type(score) is int and abs(score) > sys.float_info.max):
        raise Fault(f"score {json.dumps(score)[:40]}", "a number")
    return float(score)


def _write_system(records: Iterable[Record]) -> Iterator[str]:
    by_id: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        sentence = record if isinstance(record, Sentence) else record.sentence
        if sentence.id is None:
            raise InputError(f"{record} has no sentence id, which wire57 needs")
        tuples = by_id.setdefault(sentence.id, [])
        if isinstance(record, Extraction):
            tuples.append(_system_value(record))
    yield "{"
    for position, (name, tuples) in enumerate(by_id.items()):
        yield f"{',' if position else ''}\n{json.dumps(name, ensure_ascii=False)}: ["
        yield ",".join(f"\n  {json.dumps(value, ensure_ascii=False)}" for value in tuples)
        yield "\n]" if tuples else "]"
    yield "\n}\n"


def _system_value(extraction: Extraction) -> dict[str, Any]:
    if extraction.arg1 is None or not extraction.args:
        raise InputError(f"{extraction} has {len(extraction.arguments)} argument(s), but wire57 needs 2 or more")
    second, *further = [argument.text for argument in extraction.args]
    value: dict[str, Any] = {"arg1": extraction.arg1.text, "rel": extraction.rel.text, "arg2": second}
    if extraction.extractor is not None:
        value["extractor"] = extraction.extractor
    if extraction.confidence is not None:
        value["score"] = extraction.confidence
    if further:
        value[FURTHER] = further
    return value


def _sniff_system(head: Sequence[str]) -> float:
    text = "\n".join(head).lstrip()
    has_keys = all(f'"{key}"' in text for key in (*_PARTS, "extractor"))
    return 0.95 if text.startswith("{") and has_keys and '"sentence"' not in text and '"words"' not in text else 0.0


WIRE57 = TextFormat(
    name="wire57",
    title="WiRe57 system output",
    layout='{"sentence id": [{"arg1": …, "rel": …, "arg2": …, "arg3+": […], "extractor": …, "score": …}, …], …}',
    sample="wire57.json",
    keeps=frozenset({"sentence.id", "empty sentences", "extra spaces", "confidence", "extractor"}),
    read=_read_system,
    write=_write_system,
    sniff=_sniff_system,
    document=True,
    notes="One file holds several systems. The sentence is known by its id only; its text is not kept.",
    min_arguments=2,
)
