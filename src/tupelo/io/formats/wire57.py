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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, starmap
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import require_arguments
from tupelo.io.json_items import document_text, dumped, object_items
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
        items = ((number, item) for item in sentences)
        yield from chain.from_iterable(lines.values(items, partial(_parse_sentence, document, seen)))


def _parse_sentence(document: str, seen: set[str], item: Any) -> Sequence[Record]:
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
    extractions = [_parse_tuple(sentence, where, value) for value in tuples]
    if name in seen:
        raise Fault(f"sentence id '{name}' for the second time", "each id once")
    if name is not None:
        seen.add(name)
    return extractions or [sentence]


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
        sentence = record.sentence
        tuples = documents.setdefault(sentence.document_id or "", {}).setdefault(sentence, [])
        if isinstance(record, Extraction):
            tuples.append(_value_of(record))
    ids = Counter(sentence.id for sentences in documents.values() for sentence in sentences)
    for name, count in ids.items():
        if name is not None and count > 1:
            raise InputError(f"two different sentences have the id '{name}', but wire57-gold holds it once")
    return _lists_text((name, starmap(_item_of, sentences.items())) for name, sentences in documents.items())


def _lists_text(lists: Iterable[tuple[str, Iterable[Any]]]) -> Iterator[str]:
    """An object of lists, an item on each line."""

    def member(name: str, items: Iterable[Any]) -> str:
        rows = ",".join(f"\n  {dumped(item)}" for item in items)
        return f"{dumped(name)}: [{rows}\n]" if rows else f"{dumped(name)}: []"

    return document_text(starmap(member, lists), "{}")


def _item_of(sentence: Sentence, tuples: list[dict[str, Any]]) -> dict[str, Any]:
    tokens = None if sentence.tokens is None else list(sentence.tokens)
    return {"id": sentence.id, "sent": sentence.text, "tokens": tokens, "tuples": tuples}


def _value_of(extraction: Extraction) -> dict[str, Any]:
    require_arguments(extraction, "wire57-gold", 2, None)
    parts = (extraction.rel, *extraction.arguments)
    rel, first, second, *further = [_part_of(part, extraction.sentence) for part in parts]
    return {"arg1": first, "rel": rel, "arg2": second, FURTHER: further}


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


WIRE57_GOLD = TextFormat(read=_read_gold, write=_write_gold, sniff=_sniff_gold, **described("wire57-gold"))


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
        values = ((number, value) for value in tuples)
        yield from lines.values(values, partial(_parse_system_tuple, sentence))


def _parse_system_tuple(sentence: Sentence, value: Any) -> Extraction:
    where = f"sentence '{sentence.id}'"
    if not isinstance(value, dict):
        raise Fault(f"{where}: a tuple that is no object", "an object with arg1, rel and arg2")
    for key in _PARTS:
        if not isinstance(value.get(key), str):
            raise Fault(f"{where}: no text in '{key}'", "arg1, rel and arg2 as strings")
    further = value.get(FURTHER, [])
    if not _is_list_of(str, further):
        raise Fault(f"{where}: '{FURTHER}' is no list of strings", "a list of strings")
    if not isinstance(value.get("extractor"), (str, type(None))):
        raise Fault(f"{where}: 'extractor' is no string", "the name of a system")
    return Extraction(
        sentence,
        Argument(value["rel"]),
        Argument(value["arg1"]),
        tuple([Argument(text) for text in (value["arg2"], *further)]),
        confidence=_parse_score(value.get("score"), where),
        extractor=value.get("extractor"),
    )


def _parse_score(score: Any, where: str) -> float | None:
    if score is None:
        return None
    is_number = type(score) in (int, float) and score == score  # NaN differs from itself
    # An integer may have hundreds of digits.
    if not is_number or (type(score) is int and abs(score) > sys.float_info.max):
        raise Fault(f"{where}: score {json.dumps(score)[:40]}", "a number")
    return float(score)


def _write_system(records: Iterable[Record]) -> Iterator[str]:
    by_id: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        sentence = record.sentence
        if sentence.id is None:
            raise InputError(f"{record} has no sentence id, which wire57 needs")
        tuples = by_id.setdefault(sentence.id, [])
        if isinstance(record, Extraction):
            tuples.append(_system_value(record))
    return _lists_text(by_id.items())


def _system_value(extraction: Extraction) -> dict[str, Any]:
    require_arguments(extraction, "wire57", 2, None)
    first, second, *further = [argument.text for argument in extraction.arguments]
    value: dict[str, Any] = {"arg1": first, "rel": extraction.rel.text, "arg2": second}
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


WIRE57 = TextFormat(read=_read_system, write=_write_system, sniff=_sniff_system, **described("wire57"))
