"""Re-OIE2016, the re-annotation of OIE2016 that came with SpanOIE: a JSON object from sentence to tuples.

Read as SpanOIE's own reader does: a predicate `<be>` alone is the word `[is]`,
elsewhere the mark is dropped; arguments come in the order arg0 to arg3, then
time, then place. The `*_index` members are first and last token.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.columns import counts_spaced_tokens, first_and_last
from tupelo.io.json_items import document_text, dumped, object_items
from tupelo.io.lines import Fault, Lines

_PLAIN = ("arg0", "arg1", "arg2", "arg3")
_ROLES = {"temp": "time", "loc": "location"}
_BE, _INFERRED_IS = "<be>", "[is]"


def read(lines: Lines) -> Iterator[Record]:
    seen: set[str] = set()
    for number, text, tuples in object_items(lines):
        if text in seen:
            lines.fault(number, "a sentence for the second time", "every sentence once")
            continue
        seen.add(text)
        for _, records in lines.parsed([(number, tuples)], partial(_parse_tuples, Sentence(text))):
            yield from records


def _parse_tuples(sentence: Sentence, tuples: Any) -> Sequence[Record]:
    if not isinstance(tuples, list):
        raise Fault("a sentence without a list", "a list of tuples")
    return [_parse_tuple(sentence, item) for item in tuples] or [sentence]


def _parse_tuple(sentence: Sentence, item: Any) -> Extraction:
    if not isinstance(item, dict):
        raise Fault("a tuple that is not an object", "an object with pred, arg0, arg1 …")
    for key in ("pred", *_PLAIN, *_ROLES):
        if not isinstance(item.get(key, None if key == "pred" else ""), str):
            raise Fault(f"no text in '{key}'", "a string; empty when there is none")
    predicate: str = item["pred"]
    tokens = _tokens_in(item, "pred", sentence)
    if predicate.strip() == _BE:
        rel = Argument(_INFERRED_IS, tokens=tokens, inferred=(0,))
    else:
        rel = Argument(predicate.replace(f"{_BE} ", ""), tokens=tokens)
    arguments = [
        Argument(item[key], _ROLES.get(key), _tokens_in(item, key, sentence))
        for key in (*_PLAIN, *_ROLES)
        if item.get(key)
    ]
    return Extraction(sentence, rel, arguments[0] if arguments else None, tuple(arguments[1:]))


def _tokens_in(item: dict[str, Any], key: str, sentence: Sentence) -> tuple[int, ...] | None:
    """Tokens from the first to the last, where both are given and inside the sentence."""
    index = item.get(f"{key}_index", [])
    if not isinstance(index, list) or not all(type(number) is int for number in index):
        raise Fault(f"'{key}_index' is not a list of whole numbers", "first and last token, or an empty list")
    # -1 stands for the word behind `<be>`, which is not in the sentence.
    numbers = [number for number in index if number != -1]
    size = len(sentence.text.split(" "))
    if any(not 0 <= number < size for number in numbers):
        raise Fault(f"'{key}_index' is {index}", f"tokens of the sentence, 0 to {size - 1}")
    return tuple(range(numbers[0], numbers[-1] + 1)) or None if numbers else None


def write(records: Iterable[Record]) -> Iterator[str]:
    tuples: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if isinstance(record, Sentence):
            tuples.setdefault(record.text, [])
        else:
            tuples.setdefault(record.sentence.text, []).append(_item_of(record))
    return document_text((f"{dumped(text)}: {dumped(items)}" for text, items in tuples.items()), "{}")


def _item_of(extraction: Extraction) -> dict[str, Any]:
    item: dict[str, Any] = dict.fromkeys(("pred", *_PLAIN, *_ROLES), "")
    item |= {f"{key}_index": [] for key in ("pred", *_PLAIN, *_ROLES)}

    def put(key: str, part: Argument, text: str) -> None:
        item[key], item[f"{key}_index"] = text, _index_of(part, extraction.sentence)

    if _BE in extraction.rel.text:
        raise InputError(f"the relation of {extraction} holds {_BE}, which is a mark in reoie2016")
    put("pred", extraction.rel, _BE if extraction.rel.text == _INFERRED_IS else extraction.rel.text)
    plain = list(extraction.arguments)
    if not all(part.text for part in plain):
        raise InputError(f"{extraction} has an empty argument, which reoie2016 cannot hold")
    # Read back in this order, so only a place at the very end, and a time before it, can be named.
    for key in reversed(_ROLES):
        if plain and plain[-1].role == _ROLES[key]:
            part = plain.pop()
            put(key, part, part.text)
    if len(plain) > len(_PLAIN):
        raise InputError(f"{extraction} has more arguments than the {len(_PLAIN)}, time and place of reoie2016")
    for key, part in zip(_PLAIN, plain, strict=False):
        put(key, part, part.text)
    return item


def _index_of(part: Argument, sentence: Sentence) -> list[int]:
    ends = first_and_last(part.tokens)
    if ends is None or not counts_spaced_tokens(sentence) or ends[1] >= len(sentence.text.split(" ")):
        return []
    return list(ends)


def sniff(head: Sequence[str]) -> float:
    text = "\n".join(head).lstrip()
    return float(text.startswith("{") and '"pred"' in text and '"arg0"' in text)


FORMAT = TextFormat(
    name="reoie2016",
    title="Re-OIE2016 JSON",
    layout=(
        '{"sentence": [{"pred": …, "arg0": …, "arg1": …, "arg2": …, "arg3": …, "temp": …, "loc": …, '
        '"pred_index": [first, last], "arg0_index": […], …}, …], …}'
    ),
    sample="reoie2016.json",
    keeps=frozenset({"tokens", "empty sentences", "extra spaces"}),
    read=read,
    write=write,
    sniff=sniff,
    document=True,
    notes=(
        "A predicate '<be>' is read as '[is]', an inferred word; the mark is dropped elsewhere. Roles are kept where "
        "the last arguments are a time, a place, or a time and a place in this order. Token numbers count the words "
        "between single spaces and are kept for continuous parts."
    ),
    max_arguments=6,
)
