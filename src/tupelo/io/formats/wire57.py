"""WiRe57's system file: the tuples of several systems in one JSON object, by sentence id."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.json_items import object_items
from tupelo.io.lines import Fault, Lines

FURTHER = "arg3+"
_TEXTS = ("arg1", "rel", "arg2")


def read(lines: Lines) -> Iterator[Record]:
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
                extraction = _parse_tuple(sentence, value)
            except Fault as fault:
                found, expected, _ = fault.args
                lines.fault(number, f"sentence '{name}': {found}", expected)
                continue
            yield extraction


def _parse_tuple(sentence: Sentence, value: Any) -> Extraction:
    if not isinstance(value, dict):
        raise Fault("a tuple that is no object", "an object with arg1, rel and arg2")
    for key in _TEXTS:
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


def write(records: Iterable[Record]) -> Iterator[str]:
    by_id: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        sentence = record if isinstance(record, Sentence) else record.sentence
        if sentence.id is None:
            raise InputError(f"{record} has no sentence id, which wire57 needs")
        tuples = by_id.setdefault(sentence.id, [])
        if isinstance(record, Extraction):
            tuples.append(_value(record))
    yield "{"
    for position, (name, tuples) in enumerate(by_id.items()):
        yield f"{',' if position else ''}\n{json.dumps(name, ensure_ascii=False)}: ["
        yield ",".join(f"\n  {json.dumps(value, ensure_ascii=False)}" for value in tuples)
        yield "\n]" if tuples else "]"
    yield "\n}\n"


def _value(extraction: Extraction) -> dict[str, Any]:
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


def sniff(head: Sequence[str]) -> float:
    text = "\n".join(head).lstrip()
    has_keys = all(f'"{key}"' in text for key in (*_TEXTS, "extractor"))
    return 0.95 if text.startswith("{") and has_keys and '"sentence"' not in text and '"words"' not in text else 0.0


FORMAT = TextFormat(
    name="wire57",
    title="WiRe57 system output",
    layout='{"sentence id": [{"arg1": …, "rel": …, "arg2": …, "arg3+": […], "extractor": …, "score": …}, …], …}',
    sample="wire57.json",
    keeps=frozenset({"sentence.id", "empty sentences", "extra spaces", "confidence", "extractor"}),
    read=read,
    write=write,
    sniff=sniff,
    document=True,
    notes="One file holds several systems. The sentence is known by its id only; its text is not kept.",
    min_arguments=2,
)
